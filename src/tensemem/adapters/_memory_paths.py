"""Where a path of the memory tool leads: a file or folder of the view, and nothing outside of it.

The view is made from one scope and has no links, so a path is decided by its text alone. What is not written plainly
(encoded dots and slashes, backslashes, NUL, other control characters) is refused rather than guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

from ..errors import InvalidValueError

ROOT = "/memories"
NOTES = "notes"
README = "README.md"
LONGEST_PATH = 1024
"""Characters of a path."""

Kind = Literal["root", "readme", "subject", "state", "histories", "history", "notes", "note"]
_ENCODED = re.compile(r"%(?:2[ef5]|5c|00)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder of the view. ``name``: the predicate of a history, or a note's path below the notes' folder."""

    kind: Kind
    subject: str = ""
    name: str = ""


def place_of(path: object, subjects: Iterable[str]) -> Place | None:
    """Give the place a path leads to, None where the view has no such place.

    ``subjects`` are those known: their folders have the names that ``folder_of`` gives. Raises InvalidValueError for a
    path outside the view.
    """
    if not isinstance(path, str):
        raise InvalidValueError(f"A path is text that begins with {ROOT}")
    known = {folder_of(subject): subject for subject in subjects}
    segments = _segments(path, known)
    if not segments:
        return Place("root")
    head, *rest = segments
    if head == NOTES:
        return Place("note", name="/".join(rest)) if rest else Place("notes")
    if segments == [README]:
        return Place("readme")
    return _of_subject(known.get(head) or unquote(head), rest)


def folder_of(subject: str) -> str:
    """Give the name of a subject's folder: its own, but for signs that mean something in paths."""
    safe = quote(subject, safe=" '!$&()*+,;=:@~[]{}|^`<>\"?#" + "".join({c for c in subject if ord(c) > 127}))
    is_taken = safe.casefold() in (NOTES, README.casefold()) or safe.startswith(".")
    return f"%{ord(safe[0]):02X}{safe[1:]}" if is_taken else safe


def _segments(path: str, known: Mapping[str, str]) -> list[str]:
    """Give the names a path goes through, with ``.`` and ``..`` worked out."""
    if len(path) > LONGEST_PATH:
        raise InvalidValueError(f"The path is too long: at most {LONGEST_PATH} characters")
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise InvalidValueError(f"Path must start with {ROOT}, got: {path}")
    if "\\" in path or any(ord(char) < 32 or ord(char) == 127 for char in path):
        raise InvalidValueError("A path has no backslashes and no control characters; folders are parted by /")
    found: list[str] = []
    for name in path.removeprefix(ROOT).split("/"):
        if name == "..":
            if not found:
                raise InvalidValueError(f"Path {path} would escape {ROOT} directory")
            found.pop()
        elif name not in ("", "."):
            found.append(name)
    if any(_is_disguised(name) for name in found[1 if found and found[0] in known else 0 :]):
        raise InvalidValueError(f"Path {path} would escape {ROOT} directory")
    return found


def _is_disguised(name: str) -> bool:
    """Whether a name, decoded once or more often, is a step upwards, several names, or none at all."""
    return bool(_ENCODED.search(name))


def _of_subject(subject: str, rest: list[str]) -> Place | None:
    match rest:
        case []:
            return Place("subject", subject)
        case ["state.md"]:
            return Place("state", subject)
        case ["history"]:
            return Place("histories", subject)
        case ["history", file] if file.endswith(".md"):
            return Place("history", subject, file.removesuffix(".md"))
    return None

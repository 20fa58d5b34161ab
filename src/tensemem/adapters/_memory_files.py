"""One scope seen as a tree of files: the six commands of the memory tool over it.

    /memories/README.md                          what this is, and the predicates there are; read-only
    /memories/<subject>/state.md                 what holds now; an edit becomes typed operations
    /memories/<subject>/history/<predicate>.md   what held when, and who said so; read-only
    /memories/notes/...                          free text

A note is a slot like any other: its path is the subject, its text the value of one predicate. So a note has a history,
an edit of it can be undone, and the log knows who wrote it. A command is a generator that yields what the memory's
verbs give, so that one text serves a plain memory and an awaited one. What is refused is a TensememError with words
for the model; nothing is written then.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

from ..core.text import comparison_key
from ..errors import ConflictError, InvalidValueError
from ..model.operation import Operation
from ..model.results import WriteResult
from ..verbs.tool_calls import SOURCE, lag
from . import _memory_lines as texts
from . import _memory_listing as listing
from ._memory_paths import NOTES, ROOT, Place, folder_of, place_of
from ._memory_seen import NOTE, Seen

Step = Generator[Any, Any, Any]


class MemoryFiles:
    """The commands over one scope of a memory, plain or awaited. ``max_size``: characters a file may have."""

    def __init__(self, memory: Any, user_id: str, agent_id: str, namespace: str | None, max_size: int) -> None:
        self._memory = memory
        self._bound = memory.for_user(user_id, agent_id=agent_id, namespace=namespace)
        self._max_size = max_size
        self._is_ready = False

    def view(self, path: str, view_range: list[int] | None = None) -> Step:
        """Show a file with line numbers, or a folder two levels deep."""
        seen = yield from self._seen()
        place = place_of(path, seen.subjects)
        text = None if place is None else (yield from self._text(seen, place))
        if text is not None:
            shown = listing.numbered(path, text, view_range)
            behind = lag(seen.state.freshness)
            return f"{shown}\n({behind})" if behind else shown
        sizes = None if place is None else (yield from self._tree(seen, place))
        if not sizes:
            raise _missing(path)
        return listing.tree(path, sizes)

    def create(self, path: str, file_text: str) -> Step:
        """Make a new file."""
        seen = yield from self._seen()
        place = _writable(place_of(path, seen.subjects), path)
        if (yield from self._text(seen, place)) is not None or (place.kind == "note" and seen.notes_below(place.name)):
            raise InvalidValueError(f"File {path} already exists")
        if place.kind == "note" and comparison_key(place.name) in map(comparison_key, seen.notes):
            raise InvalidValueError(f"File {path} already exists, its name written otherwise")
        if place.kind == "note" and any(place.name.startswith(f"{name}/") for name in seen.notes):
            raise InvalidValueError(f"{path} can't be made: what stands before its last / is a file")
        told = yield from self._write(seen, place, "", file_text)
        return _joined(f"File created successfully at: {path}", told)

    def str_replace(self, path: str, old_str: str, new_str: str) -> Step:
        """Replace text that stands in a file once."""
        seen, place, text = yield from self._edited(path)
        listing.check_once(path, text, old_str)
        new_text = text.replace(old_str, new_str)
        told = yield from self._write(seen, place, text, new_text)
        if place.kind == "state":
            return _joined("The memory file has been edited.", told or "Nothing changed.")
        return _joined(listing.snippet(new_text, text[: text.find(old_str)].count("\n")), told)

    def insert(self, path: str, insert_line: int, insert_text: str) -> Step:
        """Put lines behind a line of a file; 0 is its beginning."""
        seen, place, text = yield from self._edited(path)
        told = yield from self._write(seen, place, text, listing.inserted(text, insert_line, insert_text))
        return _joined(f"The file {path} has been edited.", told)

    def delete(self, path: str) -> Step:
        """Say that what a file or a folder holds no longer holds; its history stays."""
        seen = yield from self._seen()
        place = place_of(path, seen.subjects)
        if place is not None and place.kind == "root":
            raise InvalidValueError(f"Cannot delete the {ROOT} directory itself")
        gone = None if place is None else self._below(seen, place, path)
        if not gone:
            raise InvalidValueError(f"The path {path} does not exist")
        yield from self._written(seen, gone)
        yield from self._check_gone(gone)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> Step:
        """Move a note, or a folder of notes, to another name."""
        seen = yield from self._seen()
        old, new = place_of(old_path, seen.subjects), place_of(new_path, seen.subjects)
        if old is not None and old.kind == "root":
            raise InvalidValueError(f"Cannot rename the {ROOT} directory itself")
        if old is None or old.kind not in ("note", "notes"):
            raise InvalidValueError(f"Only notes can be renamed; {old_path} is none")
        if new is not None and new.kind == "note" and seen.notes_below(new.name):
            raise InvalidValueError(f"The destination {new_path} already exists")
        moved = seen.notes_below(old.name)
        if not moved:
            raise InvalidValueError(f"The path {old_path} does not exist")
        if new is None or new.kind != "note" or old.kind != "note" or new.name.startswith(f"{old.name}/"):
            raise InvalidValueError(f"A note is renamed within {ROOT}/{NOTES}/; {new_path} is not there")
        made = [_note(new.name + name[len(old.name) :], text) for name, text in moved.items()]
        yield from self._written(seen, [*map(_no_note, moved), *made])
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> Step:
        """Say that nothing of what is known holds any more; the log keeps it."""
        seen = yield from self._seen()
        gone = [*self._retractions(seen, seen.subjects), *map(_no_note, seen.notes)]
        yield from self._written(seen, gone)
        yield from self._check_gone(gone)
        return "All memory cleared"

    def _seen(self) -> Step:
        if not self._is_ready:
            yield self._memory.register_predicate(
                NOTE, type="json", writers=["application"], verbatim=False, namespace=self._bound.namespace,
                description="free text that the assistant keeps; the subject is the file",
            )  # fmt: skip
            self._is_ready = True
        predicates = yield self._memory.predicates(namespace=self._bound.namespace)
        state = yield self._bound.state()
        return Seen(state, {each.name: each for each in predicates if each.name != NOTE})

    def _text(self, seen: Seen, place: Place) -> Step:
        """Give the text of a file, None where there is none."""
        match place.kind:
            case "readme":
                return texts.readme_text(seen.predicates.values())
            case "state":
                return texts.state_text(place.subject, seen.state, seen.predicates) or None
            case "note":
                return seen.notes.get(place.name)
            case "history" if place.name in seen.predicates:
                found = yield self._bound.history(place.name, subject=place.subject)
                return texts.history_text(place.subject, place.name, found) if found.facts else None
        return None

    def _tree(self, seen: Seen, place: Place) -> Step:
        """Give the files below a folder, by path below it."""
        match place.kind:
            case "root":
                files = {"README.md": texts.readme_text(seen.predicates.values())}
                for subject in seen.subjects:
                    files |= {f"{folder_of(subject)}/{name}": text for name, text in seen.folder(subject).items()}
                return files | {f"{NOTES}/{name}": text for name, text in seen.notes.items()}
            case "subject":
                return seen.folder(place.subject)
            case "notes" | "note":
                below = seen.notes_below(place.name)
                return {name[len(place.name) :].lstrip("/"): text for name, text in below.items()}
            case "histories":
                found = yield self._bound.history(subject=place.subject)
                names = dict.fromkeys(fact.predicate for fact in found.facts if fact.predicate in seen.predicates)
                return {f"{name}.md": "" for name in names}
        return {}

    def _edited(self, path: str) -> Step:
        seen = yield from self._seen()
        place = place_of(path, seen.subjects)
        text = None if place is None else (yield from self._text(seen, place))
        if text is None:
            is_folder = place is not None and (yield from self._tree(seen, place))
            raise InvalidValueError(f"The path {path} is not a file.") if is_folder else _missing(path)
        return seen, _writable(place, path), text

    def _write(self, seen: Seen, place: Place, before: str, after: str) -> Step:
        """Write what an edit means; give words for what came of it."""
        if len(after) > self._max_size:
            raise InvalidValueError(f"The file would be too large: {len(after)} characters of {self._max_size} at most")
        if place.kind == "note":
            done = yield from self._written(seen, [_note(place.name, after)])
            return _told_of_note(done)
        old, new = (texts.parsed(text, seen.predicates) for text in (before, after))
        wanted = texts.operations(place.subject, old, new, seen.predicates)
        if not wanted and not before:
            raise InvalidValueError("Nothing was changed: the file says nothing. Write lines `predicate: value`")
        done = yield from self._written(seen, wanted)
        return _told(done)

    def _written(self, seen: Seen, wanted: list[Operation]) -> Step:
        if not wanted:
            return None
        try:
            done = yield self._bound.write(wanted, source=SOURCE, expected_rev=seen.state.rev)
        except ConflictError as error:
            raise InvalidValueError("Nothing was changed: memory has changed meanwhile. View it again.") from error
        except InvalidValueError as error:
            raise InvalidValueError(f"Nothing was changed. {error}") from error
        return done

    def _check_gone(self, wanted: list[Operation]) -> Step:
        """Raise where something that was to go still holds, since a more trusted source says so."""
        state = yield self._bound.state()
        slots = {(one.predicate, one.subject) for one in wanted}
        kept = [f"{fact.predicate}: {fact.object}" for fact in state.facts if (fact.predicate, fact.subject) in slots]
        if kept:
            raise InvalidValueError(f"Not all was deleted: a more trusted source still says {', '.join(kept)}")

    def _below(self, seen: Seen, place: Place, path: str) -> list[Operation]:
        """Give what takes away all that a place holds."""
        match place.kind:
            case "state" | "subject":
                return self._retractions(seen, [place.subject])
            case "note" | "notes":
                return [_no_note(name) for name in seen.notes_below(place.name)]
        raise _read_only(path)

    def _retractions(self, seen: Seen, subjects: list[str]) -> list[Operation]:
        slots = dict.fromkeys((fact.predicate, fact.subject) for fact in seen.facts if fact.subject in subjects)
        return [Operation("retract", predicate, subject=subject) for predicate, subject in slots]


def _note(name: str, text: str) -> Operation:
    return Operation("set", NOTE, text, subject=f"{NOTES}/{name}")


def _no_note(name: str) -> Operation:
    return Operation("retract", NOTE, subject=f"{NOTES}/{name}")


def _writable(place: Place | None, path: str) -> Place:
    if place is None or place.kind == "subject":
        name = path.rstrip("/").rpartition("/")[2]
        raise InvalidValueError(
            f"{path} can't be written. Facts are lines of {ROOT}/user/state.md; free text is a note: "
            f"{ROOT}/{NOTES}/{name}"
        )
    if place.kind not in ("state", "note"):
        raise _read_only(path)
    return place


def _read_only(path: str) -> InvalidValueError:
    return InvalidValueError(f"{path} is read-only: it tells what memory holds. Edit {ROOT}/user/state.md instead")


def _missing(path: str) -> InvalidValueError:
    return InvalidValueError(f"The path {path} does not exist. Please provide a valid path.")


def _told(done: WriteResult | None) -> str:
    """Tell what an edit of facts came to."""
    if done is None:
        return ""
    words = {"began": "now holds", "ended": "no longer holds", "moved": "holds at other times"}
    lines = [f"{change.predicate}: {_shown(change.value)} {words[change.kind]}." for change in done.changes]
    if not done.current:
        lines.append("Not all of it is shown: a more trusted statement stands, or it waits for review.")
    return _joined(*lines, _redacted(done))


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (bool, dict, list)) else str(value)


def _told_of_note(done: WriteResult | None) -> str:
    if done is not None and not done.current:
        raise InvalidValueError("The note waits for review: this memory takes no subjects that are not declared")
    return "" if done is None else _redacted(done)


def _redacted(done: WriteResult) -> str:
    count = sum(done.redactions.values())
    return f"({count} secret(s) were left out: memory keeps none.)" if count else ""


def _joined(*parts: str | None) -> str:
    return "\n".join(part for part in parts if part)

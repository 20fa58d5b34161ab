"""A configuration in TOML with one server put into it; every byte outside the server's own tables stays as it is.

Lines are looked at, and what they make is checked by reading it: text that would come to mean anything else than what
it meant, with the server in it, is refused.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, time
from typing import Any

from ....errors import InvalidValueError
from .clients import merged, servers_under

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_HEADER = re.compile(rf"^[ \t]*\[[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*\][ \t]*(?:#.*)?\r?$")
_ANY_HEADER = re.compile(r"^[ \t]*\[")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def with_server(text: str, keys: Sequence[str], name: str, entry: dict[str, Any]) -> str:
    """Give the text with a server's table; the same text where it says so already.

    Raises InvalidValueError for text that is no TOML, or where the server can't be put in without touching the rest.
    """
    before = _read(text)
    servers = servers_under(before, keys, "table")
    entry = merged(servers.get(name), entry)
    if servers.get(name) == entry:
        return text
    path = [*keys, name]
    made = _put(text, path, _table(path, entry))
    wanted = _with(before, path, entry)
    if _read_or_none(made) != wanted:
        raise InvalidValueError(
            f"{'.'.join(path)} can't be put in without touching other lines; put in by hand what --print shows"
        )
    return made


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidValueError(f"it is no TOML: {error}") from None


def _read_or_none(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _with(document: dict[str, Any], path: Sequence[str], entry: dict[str, Any]) -> dict[str, Any]:
    made = dict(document)
    head, *rest = path
    made[head] = _with(made.get(head, {}), rest, entry) if rest else entry
    return made


def _put(text: str, path: Sequence[str], table: str) -> str:
    """Put a table where the old one stands with those below it, or behind everything."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    own = list(_own_lines(lines, path))
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    table = table.replace("\n", newline)
    if not own:
        gap = "" if not text else newline if text.endswith("\n") else 2 * newline
        return text + gap + table
    first = own[0]
    kept = [line for number, line in enumerate(lines) if number not in set(own)]
    follows = first < len(kept) and kept[first].strip()
    return "".join([*kept[:first], table, newline if follows else "", *kept[first:]])


def _own_lines(lines: Sequence[str], path: Sequence[str]) -> Iterator[int]:
    """Give the lines of a table and of those below it; blank lines and comments before the next header are not its."""
    is_own, waiting = False, list[int]()
    for number, line in enumerate(lines):
        if _ANY_HEADER.match(line):
            found = _header(line)
            is_own = found is not None and found[: len(path)] == list(path)
            waiting = []
        if not is_own:
            continue
        waiting.append(number)
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield from waiting
            waiting = []


def _header(line: str) -> list[str] | None:
    """Give the keys of a table's header; None for another kind of line that begins with a bracket."""
    found = _HEADER.match(line.rstrip("\n"))
    if found is None:
        return None
    try:
        document: Any = tomllib.loads(f"[{found[1]}]")
    except tomllib.TOMLDecodeError:
        return None
    keys = []
    while document:
        ((key, document),) = document.items()
        keys.append(key)
    return keys


def _table(path: Sequence[str], entry: dict[str, Any]) -> str:
    flat = {key: value for key, value in entry.items() if not isinstance(value, dict)}
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(key)} = {_value(value)}" for key, value in flat.items())]
    for key, value in entry.items():
        if isinstance(value, dict):
            lines += ["", f"[{'.'.join(map(_key, [*path, key]))}]"]
            lines += [f"{_key(name)} = {_value(part)}" for name, part in value.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    """Write a value. TOML's basic strings are those of JSON, but for the one control that JSON leaves bare."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_value(part)}' for key, part in value.items())} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return value.isoformat() if isinstance(value, (date, time)) else str(value)

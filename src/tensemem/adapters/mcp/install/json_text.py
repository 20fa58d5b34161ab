"""A configuration in JSON with one server put into it; all else stays as it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ....errors import InvalidValueError
from .clients import merged, servers_under


def with_server(text: str, keys: Sequence[str], name: str, entry: dict[str, Any]) -> str:
    """Give the text with a server under some keys; the same text where it stands there already.

    Raises InvalidValueError for text that is no JSON object, that says a thing twice, or whose keys lead elsewhere.
    """
    whole = _read(text) if text.strip() else {}
    servers = servers_under(whole, keys, "JSON object")
    entry = merged(servers.get(name), entry)
    if servers.get(name) == entry:
        return text
    servers[name] = entry
    return json.dumps(whole, ensure_ascii=False, indent=_indent(text)) + "\n"


def _read(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InvalidValueError(f"it is no plain JSON ({error}); comments in it can't be kept") from None
    if not isinstance(found, dict):
        raise InvalidValueError("it is no JSON object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands in it twice")
    return found


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def _indent(text: str) -> int | str:
    """Give the indentation that the text has, two blanks where it has none."""
    for line in text.splitlines():
        blank = line[: len(line) - len(line.lstrip())]
        if blank and line.strip():
            return blank if blank.strip(" ") else len(blank)
    return 2

"""Exports as lists of lines, and what somebody may do to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from tensemem import Memory

_CHECKSUM = ',"checksum":"'


def exported(mem: Memory, **options: Any) -> list[bytes]:
    """Give the lines of an export."""
    out = BytesIO()
    mem.export(out, **options)
    return out.getvalue().splitlines(keepends=True)


def kind_of(line: bytes) -> str:
    """Tell what a line says it is."""
    return str(json.loads(line)["line"])


def sealed(lines: Iterable[bytes]) -> list[bytes]:
    """Give lines with checksums that are right, as who forges an export would."""
    made: list[bytes] = []
    section, all_of_them = hashlib.sha256(), hashlib.sha256()
    for line in lines:
        head, has_checksum, _ = line.partition(_CHECKSUM.encode())
        if not has_checksum:
            section.update(line)
            made.append(line)
            continue
        running = all_of_them if line.startswith(b'{"line":"whole"') else section
        running.update(head)
        checksum = running.hexdigest()
        all_of_them.update(checksum.encode())
        made.append(head + f'{_CHECKSUM}{checksum}"}}\n'.encode())
        section = hashlib.sha256()
    return made


def changed(lines: list[bytes], place: int, change: Callable[[dict[str, Any]], Any]) -> list[bytes]:
    """Give lines of which one says something else, with checksums that are right."""
    fields = json.loads(lines[place])
    change(fields)
    made = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=True)
    return sealed([*lines[:place], made.encode("utf-8", "surrogatepass") + b"\n", *lines[place + 1 :]])


def place_of(lines: list[bytes], kind: str, *holding: bytes, number: int = 0) -> int:
    """Give where the first line of a kind stands that holds some bytes, or a later one."""
    places = [
        place for place, line in enumerate(lines) if kind_of(line) == kind and all(part in line for part in holding)
    ]
    return places[number]

"""Files of chats for tests, and a clock that stands still."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tensemem.trial.readers import recognise
from tensemem.trial.values import Fault, Said, Source

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
WRITTEN = datetime(2026, 5, 20, 8, 30, tzinfo=UTC)


def clock() -> datetime:
    """Noon of a day in June."""
    return NOON


def put(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file that was last changed in May."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    os.utime(path, (WRITTEN.timestamp(), WRITTEN.timestamp()))
    return path


def json_lines(values: Iterable[Any]) -> str:
    return "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values)


def source(path: Path) -> Source:
    return Source(path.name, path, WRITTEN)


def read(path: Path) -> tuple[str, list[Said], list[Fault]]:
    """Give what a file is, its messages, and its faults."""
    form = recognise(source(path))
    items = list(form.read())
    assert items == list(form.read()), "a source can be read again"
    said = [item for item in items if isinstance(item, Said)]
    return form.name, said, [item for item in items if isinstance(item, Fault)]


def user(text: str, at: str | None = None, **more: Any) -> dict[str, Any]:
    """Give a message of the user as chat logs have it."""
    return {"role": "user", "content": text, **({} if at is None else {"created_at": at}), **more}


MOVES = [
    user("I live in Delhi", "2026-01-05T09:00:00Z"),
    {"role": "assistant", "content": "Noted.", "created_at": "2026-01-05T09:00:10Z"},
    user("I moved to Bangalore", "2026-03-01T09:00:00Z"),
]
"""The relocation story."""


SMALL = """
[predicates.lives_in]
examples = ["I live in {value:place}", "I moved to {value:place}"]

[predicates.likes]
cardinality = "many"
examples = ["I like {value:word}"]
"""
"""A schema that is quick to read."""

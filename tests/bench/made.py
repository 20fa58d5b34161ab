"""Conversations for the tests of the bench, as short as they can be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensemem.bench import Conversation, read_set


def one(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation about one city, unless told otherwise."""
    base = {"id": "a", "category": "c", "language": "en", "predicates": {"lives_in": {"question": "Where do I live?"}}}
    return {**base, **more, "steps": list(steps)}


def say(day: int, text: str, *proposes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"say": text, "at": moment(day), "proposes": list(proposes), **more}


def sets(value: Any, quote: str, **more: Any) -> dict[str, Any]:
    return {"op": "set", "predicate": "lives_in", "value": value, "quote": quote, **more}


def asks(day: int, *checks: dict[str, Any]) -> dict[str, Any]:
    return {"ask": list(checks), "at": moment(day)}


def moment(day: int) -> str:
    return f"2026-03-{day:02}T09:00:00Z"


def lives(day: int, city: str) -> dict[str, Any]:
    return say(day, f"I live in {city}.", sets(city, f"I live in {city}"))


def written(folder: Path, *conversations: dict[str, Any]) -> Path:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in conversations), encoding="utf-8")
    return path


def made(folder: Path, *conversations: dict[str, Any]) -> tuple[Conversation, ...]:
    return read_set(written(folder, *conversations))

"""Memories with every kind of thing in them, and copies that are broken off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from tensemem import FakeExtractor, Memory, Operation
from tensemem.errors import ExtractorOutputError

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
CALM: dict[str, Any] = {"worker": False, "clock": lambda: NOON}


def fill(mem: Memory) -> None:
    """Two namespaces, three users, one with an agent; corrected, retracted, held, waiting and failed things."""
    mem.register_predicate("lives_in")
    mem.register_predicate("languages", "many")
    mem.register_entity("Bombay", aliases=["Mumbai"])
    mem.add("ann", "I live in Delhi", said_at="2026-01-05", idempotency_key="first")
    mem.flush("ann")
    mem.set("ann", "lives_in", "Pune", said_at="2026-02-01", idempotency_key="second")
    mem.correct(mem.history("ann", "lives_in").facts[0].id, reason="another Ann")
    mem.replace_values("ann", "languages", ["Go", "Rust"], said_at="2026-02-01")
    mem.retract("ann", "languages", "Go", said_at="2026-03-01")
    mem.write("ann", [Operation("set", "lives_in", "Oslo", modality="planned", valid_from="2027")])
    mem.write("ann", [Operation("set", "lives_in", "Rome", modality="reported")])
    mem.set("ann", "lives_in", "Goa", agent_id="guide")
    mem.add("bob", "I live in Mumbai")
    mem.add("bob", "trouble")


class Troubled(FakeExtractor):
    """Fails on one text, always."""

    def extract(self, request: Any) -> Any:
        if "trouble" in request.text:
            raise ExtractorOutputError("no")
        return super().extract(request)


def on_copying(mem: Memory, act: Callable[[], Any], times: int = 1) -> None:
    """Do something at the first pauses of copies from a memory."""
    left = times

    def hook(event: str, fields: Mapping[str, Any]) -> None:
        nonlocal left
        if event == "copying" and left:
            left -= 1
            act()

    mem.on(hook)


class Broken(KeyboardInterrupt):
    """What ends a copy in the middle."""


def break_off() -> None:
    raise Broken

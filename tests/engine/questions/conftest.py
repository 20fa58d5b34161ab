"""Somebody to talk to, for every test of this folder."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Memory, Operation
from tests.engine.bench import Clock, Told, day


@pytest.fixture
def talk(mem: Memory, clock: Clock, told: Told) -> Any:
    """Say something of which an operation is proposed; it is extracted at once."""
    clock.now = day(100)

    def say(text: str, *operations: Operation, on: float = 50, **options: Any) -> None:
        told.answers[text] = list(operations)
        mem.add("ann", text, said_at=day(on), **options)
        mem.flush("ann")

    return say

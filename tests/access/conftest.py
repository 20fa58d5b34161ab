"""An access store whose clocks stand still and whose hashes cost nothing but are counted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@dataclass
class World:
    """The time, as far as a store asks for it, and the hashes it had made."""

    time: datetime = NOON
    seconds: float = 1000.0
    hashed: list[bytes] = field(default_factory=list)

    def clock(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.seconds

    def make_hash(self, secret: bytes, salt: bytes) -> bytes:
        self.hashed.append(secret)
        return hashlib.blake2b(secret, key=salt, digest_size=32).digest()

    def pass_by(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)
        self.seconds += seconds

    def open(self, location: str | Path, **how: Any) -> Access:
        return Access.open(
            location, clock=self.clock, monotonic=self.monotonic, make_hash=self.make_hash, **how
        )


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "memory.db-access"


@pytest.fixture
def access(world: World, place: Path) -> Iterator[Access]:
    with world.open(place) as opened:
        yield opened

"""A served memory for each test: in this process, at noon of a day in June, with an extractor that does as told."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tests.engine.bench import Clock, Told

if importlib.util.find_spec("starlette") is None or importlib.util.find_spec("httpx2") is None:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def clock() -> Clock:
    from tests.adapters.rest.bench import NOON

    return Clock(NOON)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


@pytest.fixture
def mem(path: Path, clock: Clock, told: Told) -> Iterator[Memory]:
    """The memory that is served, opened a second time: what a program beside the server does with it."""
    with Memory(path, clock=clock, llm=told, worker=False, durability="process") as memory:
        memory.register_predicate("lives_in", aliases=["city"])
        memory.register_predicate("languages", "many")
        yield memory


@pytest.fixture
def web(mem: Memory, path: Path, clock: Clock, told: Told) -> Iterator[Any]:
    """The server, and nobody asked who they are."""
    from tests.adapters.rest.bench import served

    with served(path, clock=clock, llm=told) as client:
        yield client

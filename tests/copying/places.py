"""The places that a memory is copied from and to, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.store.plain import PlainStore

PLACES = ("plain", "file", "memory")
"""Every kind of store there is."""

PAIRS = [(one, other) for one in PLACES for other in PLACES]


@contextmanager
def on_a_plain_store() -> Iterator[None]:
    """A memory opened inside keeps everything in the reference store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tensemem.engine.wiring.open_store", lambda *_, **__: PlainStore())
        yield


def path_of(place: str, folder: Path, name: str) -> Any:
    """Where a memory of this kind is opened."""
    return folder / f"{name}.db" if place == "file" else ":memory:"


def opened(place: str, folder: Path, name: str, make: Callable[..., Any] = Memory, **options: Any) -> Any:
    """Open a memory of a kind, or make something else that opens one."""
    around: AbstractContextManager[None] = on_a_plain_store() if place == "plain" else nullcontext()
    with around:
        return make(path_of(place, folder, name), **options)

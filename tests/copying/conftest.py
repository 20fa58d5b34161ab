"""The memories that are copied from and to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensemem import Memory
from tensemem.engine import filling
from tests.copying.filled import CALM, Broken, Troubled, break_off, on_copying
from tests.copying.opened import one, other, places
from tests.copying.places import Places
from tests.store.every_kind import KINDS, LOCAL_KINDS

__all__ = ["one", "other", "places"]


@pytest.fixture(params=KINDS, ids=str)
def source(request: pytest.FixtureRequest, places: Places) -> Iterator[Memory]:
    with places.opened(request.param, "source", llm=Troubled(), **CALM) as mem:
        yield mem


@pytest.fixture(params=[kind for kind in LOCAL_KINDS if kind.name in ("plain", "file")], ids=str)
def dest(request: pytest.FixtureRequest, places: Places) -> Iterator[Memory]:
    with places.opened(request.param, "dest", llm=Troubled(), **CALM) as mem:
        yield mem


@pytest.fixture
def half(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A memory to which Ann's was copied, but for the most of it."""
    with monkeypatch.context() as patch:
        patch.setattr(filling, "ROWS", 2)
        on_copying(one, break_off)
        with pytest.raises(Broken):
            one.copy_to(other)
    return other

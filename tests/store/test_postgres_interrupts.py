"""Ctrl-C at any line of the PostgreSQL store: the memory works on, and what was kept is whole."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

pytest.importorskip("psycopg")

from tensemem import Memory
from tensemem.errors import StoreError
from tensemem.store import postgres
from tests.servers import fresh_database

FOLDER = str(Path(postgres.__file__).parent)
EVERY = 9
"""Only each ninth line: there are some hundreds, and which of them changes nothing in what must hold."""


@pytest.fixture(autouse=True)
def _small_heap() -> Iterator[None]:
    """What there was before is not looked through each time something is looked for among what is no longer used."""
    gc.freeze()
    yield
    gc.unfreeze()


class Interrupt:
    """Raises KeyboardInterrupt before one line of the store's, counted from the start of a call."""

    def __init__(self, at: int) -> None:
        self.left, self.has_struck = at, False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(FOLDER):
            return None
        if event == "line" and not self.has_struck:
            self.left -= 1
            if self.left < 0:
                self.has_struck = True
                raise KeyboardInterrupt
        return self

    def run(self, call: Callable[[], Any]) -> BaseException | None:
        """Do a call; gives what it raised."""
        before = sys.gettrace()
        sys.settrace(self)
        try:
            call()
        except BaseException as error:
            return error.with_traceback(None)
        finally:
            sys.settrace(before)
        return None


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_anywhere_leaves_a_memory_that_works() -> None:
    with Memory(fresh_database("18"), llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
        pool, at, written = mem._engine.store._links._pool, 0, {"Delhi"}  # type: ignore[attr-defined]
        while True:
            value = f"place {at}"
            interrupt = Interrupt(at)
            raised = interrupt.run(lambda value=value: mem.set("ann", "lives_in", value))  # type: ignore[misc]
            assert raised is None or isinstance(raised, KeyboardInterrupt)
            if raised is None:
                written.add(value)
            gc.collect()
            assert len(pool._taken) == 0
            shown = mem.get("ann", "lives_in")
            assert shown in {*written, value}  # it may have been kept though nobody was told
            written = {shown}
            if not interrupt.has_struck:
                break
            at += EVERY
        assert at > 100
        assert mem.verify("ann").identical
        assert mem.set("ann", "lives_in", "Pune").current


def test_who_writes_because_of_an_interrupt_has_not_met_another_one() -> None:
    """As a program does that keeps something when Ctrl-C is pressed: an error there is the error it is."""
    with Memory(fresh_database("18"), llm=False) as mem:
        mem.register_predicate("lives_in")
        session_of = mem._engine.store.write
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            with pytest.raises(StoreError, match="syntax"), session_of() as tx:
                tx._session.run(b"SELEKT 1")  # type: ignore[attr-defined]
            assert mem.set("ann", "lives_in", "Delhi").current

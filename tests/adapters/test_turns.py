"""How long a thread goes on in a process that serves: short while it does, as before afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tensemem import AsyncMemory
from tensemem.adapters._turns import SECONDS, short_turns
from tensemem.adapters.rest import Address, running
from tensemem.adapters.rest.app import unguarded


@pytest.fixture(autouse=True)
def interval() -> Iterator[float]:
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


def test_turns_are_short_in_the_block_and_as_before_after_it(interval: float) -> None:
    with short_turns():
        assert sys.getswitchinterval() == pytest.approx(SECONDS)
        assert interval > SECONDS
    assert sys.getswitchinterval() == interval


def test_shorter_ones_that_somebody_asked_for_stay() -> None:
    sys.setswitchinterval(SECONDS / 5)
    with short_turns():
        assert sys.getswitchinterval() == pytest.approx(SECONDS / 5, rel=0.1)


def test_a_server_takes_short_turns_while_it_serves(monkeypatch: pytest.MonkeyPatch, interval: float) -> None:
    seen: list[float] = []

    def server_of(*_: Any) -> Any:
        return SimpleNamespace(run=lambda: seen.append(sys.getswitchinterval()))

    monkeypatch.setattr(running, "server_of", server_of)
    running.serve(unguarded(AsyncMemory(":memory:")), Address(port=0))
    assert seen == [pytest.approx(SECONDS)]
    assert sys.getswitchinterval() == interval

"""What the tests of documents share: results that went over the wire and came back, and how strictly they are equal."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tensemem import Memory, State, WriteResult
from tensemem.wire import SERVED, document, read, unwrap, wrap

ELSEWHERE = {"export", "backup"}
"""Verbs whose answer over the wire is a stream, and not their report."""


def sent(data: Any) -> Any:
    """A document as the other side has it: JSON text and back, refusing what JSON does not have."""
    return json.loads(json.dumps(data, ensure_ascii=False, allow_nan=False).encode().decode())


def comes_back(kind: Any, result: Any) -> None:
    """Assert that a result of a kind is itself again after it was sent."""
    assert alike(read(kind, sent(document(result))), result)


def answer_comes_back(name: str, result: Any) -> None:
    """Assert that what a verb gave is itself again after it was an answer."""
    served = SERVED[name]
    if name in ELSEWHERE:
        comes_back(served.returns, result)
    else:
        assert alike(unwrap(served, sent(wrap(served, result))), result)


def alike(one: Any, other: Any) -> bool:
    """Whether two results are equal to the last type: 1 is not 1.0, and a list is no tuple."""
    if isinstance(other, Mapping) and isinstance(one, Mapping):
        return list(one) == list(other) and all(alike(one[name], other[name]) for name in other)
    if type(one) is not type(other):
        raise AssertionError(f"{one!r} is no {type(other).__name__}: {other!r}")
    if isinstance(other, (State, WriteResult)):
        return one == other and all(alike(getattr(one, name), getattr(other, name)) for name in _told(other))
    if dataclasses.is_dataclass(other):
        names = [field.name for field in dataclasses.fields(other)]
        return all(alike(getattr(one, name), getattr(other, name)) for name in names) and one == other
    if isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(alike(mine, yours) for mine, yours in zip(one, other, strict=True))
    if one != other:
        raise AssertionError(f"{one!r} is not {other!r}")
    return True


def _told(result: State | WriteResult) -> tuple[str, ...]:
    if isinstance(result, State):
        return ("shown", "values", "by_subject", "rev", "version", "at", "next_change_at", "freshness", "user_id")
    return ("outcome", "seq", "rev", "redactions", "durability", "duplicate", "changed", "fact_id")


class Overheard:
    """A watcher that keeps what verbs gave."""

    def __init__(self) -> None:
        self.results: list[tuple[str, Any]] = []

    def __call__(self, event: str, fields: Any) -> None:
        """Take no note of events."""

    @contextmanager
    def around(self, call: Any) -> Iterator[None]:
        yield
        if call.kind == "verb" and call.error is None and not call.streams and call.name in SERVED:
            self.results.append((call.name, call.result))

    def all_come_back(self) -> list[str]:
        """Assert it of every result so far; gives the names of the verbs."""
        for name, result in self.results:
            answer_comes_back(name, result)
        return [name for name, _ in self.results]


def overhearing(mem: Memory) -> Overheard:
    """Listen to a memory's verbs from now on."""
    heard = Overheard()
    mem.on(heard, calls=True, content=True)
    return heard

"""The stores are equals: the same transactions leave the same state in SQLite and in the plain reference."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import FOREVER
from tensemem.model.scope import Scope
from tensemem.ports import ClaimRow, FactRow, PendingRow, SlotRow, UsageRow, WorkerRow, Writer
from tensemem.store.plain import PlainStore
from tensemem.store.sqlite import SqliteStore
from tests.settings import law_settings
from tests.store.dump import everything

Step = Callable[[Writer], Any]
SCOPES = [Scope("default", "alice"), Scope("default", "bob"), Scope("default", "")]

ids = st.integers(1, 3)
small = st.integers(0, 5)
words = st.sampled_from(["", "delhi", "paris", "rome"])
texts = st.lists(st.tuples(st.sampled_from(["e1", "e2", "e3"]), st.lists(words, max_size=4).map(" ".join)), max_size=3)
names = st.sampled_from(["a", "b"])
moments = st.integers(-1, 10)
facts = st.builds(FactRow, ids, st.integers(0, 2), words, moments, moments | st.just(FOREVER), st.just("[1]"))
outcomes = st.sampled_from(["admitted", "refused"])
claims = st.builds(
    ClaimRow, ids, small, small, small, st.sampled_from(["value", "deny"]), outcomes, words, st.just("[]")
)
pending = st.builds(PendingRow, ids, small, st.sampled_from(["waiting", "failed"]), small, moments, words)
workers = st.builds(WorkerRow, names, words, small, words, moments)
uses = st.builds(UsageRow, names, names, small, small, small, small)
kinds = st.sampled_from(EntryKind)


def step(method: str, *arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(*arguments).map(lambda given: _Step(method, given))


class _Step:
    def __init__(self, method: str, given: tuple[Any, ...]) -> None:
        self.method, self.given = method, given

    def __call__(self, tx: Writer) -> Any:
        return getattr(tx, self.method)(*self.given)

    def __repr__(self) -> str:
        return f"{self.method}{self.given}"


class _Append:
    """Append the next entry, as the log of a scope grows: rev by rev, never back in recorded time."""

    def __init__(self, scope_id: int, kind: EntryKind, seq: int, later: int) -> None:
        self.scope_id, self.kind, self.seq, self.later = scope_id, kind, seq, later

    def __call__(self, tx: Writer) -> None:
        last = max(tx.entries(self.scope_id), key=lambda entry: entry.rev, default=None)
        rev, at = (0, 0) if last is None else (last.rev, last.recorded_at)
        extraction = 1 if self.kind is EntryKind.EXTRACTION else 0
        tx.append(self.scope_id, Entry(self.kind, rev + 1, self.seq, at + self.later, at, extraction, {"x": [rev]}))

    def __repr__(self) -> str:
        return f"append({self.scope_id}, {self.kind}, {self.seq})"


class _AddSlot:
    def __init__(self, scope_id: int, keys: tuple[str, str]) -> None:
        self.scope_id, self.keys = scope_id, keys

    def __call__(self, tx: Writer) -> Any:
        found = tx.slot(self.scope_id, *self.keys)
        return found or tx.add_slot(self.scope_id, SlotRow(0, *self.keys, *self.keys))

    def __repr__(self) -> str:
        return f"add_slot({self.scope_id}, {self.keys})"


steps = st.one_of(
    step("set_meta", names, words),
    st.builds(_Append, ids, kinds, small, st.integers(0, 2)),
    step("remember_key", ids, names, small, words),
    st.builds(_AddSlot, ids, st.tuples(names, names)),
    step("put_claims", ids, st.lists(claims, max_size=3)),
    step("drop_claims", ids, small),
    step("put_facts", ids, st.lists(facts, max_size=3)),
    step("drop_facts", ids, st.lists(facts, max_size=2)),
    step("clear_slots", ids, st.lists(ids, max_size=2)),
    step("clear_projection", ids),
    step("add_pending", ids, small),
    step("save_pending", pending),
    step("drop_pending", ids, small),
    step("lease", names, moments, moments, st.lists(names, max_size=1), st.lists(ids, max_size=2)),
    step("lease_scope", ids, names, moments, moments, st.lists(names, max_size=1)),
    step("renew", ids, names, moments),
    step("release", ids, names),
    step("owners"),
    step("beat", workers),
    step("drop_worker", names),
    step("add_usage", ids, uses),
    step("index", ids, texts, small),
    step("clear_index", ids),
)
transactions = st.lists(st.tuples(st.lists(steps, max_size=8), st.booleans()), max_size=5)


class Undo(Exception):
    pass


@law_settings
@given(transactions)
def test_the_same_transactions_leave_the_same_state(given: list[tuple[list[Step], bool]]) -> None:
    plain, sqlite = PlainStore(), SqliteStore(":memory:")
    try:
        for store in (plain, sqlite):
            with store.write() as tx:
                for scope in SCOPES:
                    tx.open_scope(scope)
        for steps, is_kept in given:
            answers = []
            for store in (plain, sqlite):
                given_back: list[Any] = []
                with suppress(Undo), store.write() as tx:
                    given_back += [step(tx) for step in steps]
                    if not is_kept:
                        raise Undo
                answers.append(given_back)
            assert answers[0] == answers[1]
            assert everything(plain) == everything(sqlite)
    finally:
        sqlite.close()


def test_a_store_that_forgets_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, sqlite = PlainStore(), SqliteStore(":memory:")
    for store in (plain, sqlite):
        with store.write() as tx:
            tx.open_scope(SCOPES[0])
    assert everything(plain) == everything(sqlite)
    with plain.write() as tx:
        tx.remember_key(1, "a", 1, "")
    assert everything(plain) != everything(sqlite)
    sqlite.close()

"""The stores are equals: the same transactions leave the same state in each of them and in the plain reference."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.model.entry import Entry, EntryKind
from tensemem.model.moment import FOREVER
from tensemem.model.scope import Scope
from tensemem.ports import ClaimRow, FactRow, Head, PendingRow, SlotRow, Store, UsageRow, WorkerRow, Writer
from tensemem.store.plain import PlainStore
from tensemem.store.sqlite import SqliteStore
from tests.settings import every_store_settings, law_settings
from tests.store.dump import everything, unnumbered
from tests.store.shelves import Shelf

SCOPES = [Scope("default", "alice"), Scope("default", "bob"), Scope("default", "")]

Ids = dict[Scope, int]
"""The number that each scope has in the store at hand."""

slots = st.integers(1, 3)
small = st.integers(0, 5)
words = st.sampled_from(["", "delhi", "paris", "rome"])
texts = st.lists(st.tuples(st.sampled_from(["e1", "e2", "e3"]), st.lists(words, max_size=4).map(" ".join)), max_size=3)
names = st.sampled_from(["a", "b"])
moments = st.integers(-1, 10)
runs = st.builds(FactRow, slots, st.just(0), words, moments, moments | st.just(FOREVER), st.just("[1]"))
waits = st.builds(FactRow, slots, st.integers(1, 2), words, moments, st.just(FOREVER), st.just("[1]"))
facts = runs | waits
outcomes = st.sampled_from(["admitted", "refused"])
claims = st.builds(
    ClaimRow, slots, small, small, small, st.sampled_from(["value", "deny"]), outcomes, words, st.just("[]")
)
workers = st.builds(WorkerRow, names, words, small, words, moments)
kinds = st.sampled_from(EntryKind)
used = st.builds(UsageRow, names, names, small, small, small, small)


@dataclass(frozen=True)
class Step:
    """One call of a writer; ``in_scope`` tells whether the scope of the transaction comes first."""

    method: str
    given: tuple[Any, ...]
    in_scope: bool = True

    def __call__(self, tx: Writer, id: int, ids: Ids) -> Any:
        return getattr(tx, self.method)(*([id] if self.in_scope else []), *self.given)


@dataclass(frozen=True)
class SavePending(Step):
    def __call__(self, tx: Writer, id: int, ids: Ids) -> Any:
        tx.save_pending(PendingRow(id, *self.given))


@dataclass(frozen=True)
class Lease(Step):
    """A lease is of whichever scope is next; those to skip are drawn by name."""

    def __call__(self, tx: Writer, id: int, ids: Ids) -> Any:
        owner, now, until, dead, skip = self.given
        found = tx.lease(owner, now, until, dead, [ids[scope] for scope in skip])
        return unnumbered(found) if isinstance(found, Head) else found


@dataclass(frozen=True)
class Append(Step):
    """Append the next entry, as the log of a scope grows: rev by rev, never back in recorded time."""

    def __call__(self, tx: Writer, id: int, ids: Ids) -> Any:
        kind, seq, later = self.given
        last = max(tx.entries(id), key=lambda entry: entry.rev, default=None)
        rev, at = (0, 0) if last is None else (last.rev, last.recorded_at)
        extraction = 1 if kind is EntryKind.EXTRACTION else 0
        tx.append(id, Entry(kind, rev + 1, seq, at + later, at, extraction, {"x": [rev]}))


@dataclass(frozen=True)
class AddSlot(Step):
    def __call__(self, tx: Writer, id: int, ids: Ids) -> Any:
        return tx.slot(id, *self.given) or tx.add_slot(id, SlotRow(0, *self.given, *self.given))


@dataclass(frozen=True)
class Transaction:
    """Steps in one scope, kept or undone."""

    scope: Scope
    steps: list[Step]
    is_kept: bool = True


def step(method: str, *arguments: st.SearchStrategy[Any], made: Callable[..., Step] = Step) -> st.SearchStrategy[Step]:
    return st.tuples(*arguments).map(lambda given: made(method, given))


def beside(method: str, *arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(*arguments).map(lambda given: Step(method, given, in_scope=False))


of_a_scope = st.one_of(
    beside("set_meta", names, words),
    step("append", kinds, small, st.integers(0, 2), made=Append),
    step("remember_key", names, small, words),
    step("add_slot", names, names, made=AddSlot),
    step("put_claims", st.lists(claims, max_size=3)),
    step("drop_claims", small),
    step("put_facts", st.lists(facts, max_size=3)),
    step("drop_facts", st.lists(facts, max_size=2)),
    step("clear_slots", st.lists(slots, max_size=2)),
    step("clear_projection"),
    step("add_pending", small),
    step("save_pending", small, st.sampled_from(["waiting", "failed"]), small, moments, words, made=SavePending),
    step("drop_pending", small),
    step("lease_scope", names, moments, moments, st.lists(names, max_size=1)),
    step("renew", names, moments),
    step("release", names),
    step("add_usage", used),
    step("index", texts, small),
    step("clear_index"),
)
of_a_worker = st.one_of(
    step(
        "lease", names, moments, moments, st.lists(names, max_size=1), st.lists(st.sampled_from(SCOPES), max_size=2),
        made=Lease,
    ),
    beside("owners"),
    beside("beat", workers),
    beside("drop_worker", names),
)  # fmt: skip
steps = st.lists(of_a_scope, max_size=8) | st.lists(of_a_worker, min_size=1, max_size=1)
transactions = st.lists(st.builds(Transaction, st.sampled_from(SCOPES), steps, st.booleans()), max_size=8)


class Undo(Exception):
    pass


@law_settings
@given(transactions)
def test_the_same_transactions_leave_the_same_state(given: list[Transaction]) -> None:
    with closing(SqliteStore(":memory:")) as sqlite:
        assert_equal(sqlite, given)


@every_store_settings
@given(given=transactions)
def test_the_same_transactions_leave_the_same_state_in_every_store(shelf: Shelf, given: list[Transaction]) -> None:
    shelf.clear()
    with closing(shelf.store()) as store:
        assert_equal(store, given)


def assert_equal(store: Store, given: list[Transaction]) -> None:
    plain = PlainStore()
    ids = [opened(plain), opened(store)]
    for number, transaction in enumerate(given):
        plain_answers, answers = (done(one, transaction, known) for one, known in zip((plain, store), ids, strict=True))
        assert answers == plain_answers, (number, transaction)
        assert everything(store) == everything(plain), (number, transaction)


def opened(store: Store) -> Ids:
    """Open the scopes; gives their numbers."""
    ids = {}
    for scope in SCOPES:
        with store.write() as tx:
            ids[scope] = tx.open_scope(scope).id
    return ids


def done(store: Store, transaction: Transaction, ids: Ids) -> list[Any]:
    """Run a transaction; gives what each of its steps gave."""
    answers: list[Any] = []
    with suppress(Undo), store.write() as tx:
        answers += [step(tx, ids[transaction.scope], ids) for step in transaction.steps]
        if not transaction.is_kept:
            raise Undo
    return answers


Given = list[list[tuple[str, str]]]
indexed = st.lists(st.tuples(st.sampled_from([f"e{n}" for n in range(9)]), st.lists(words, max_size=9).map(" ".join)))


@every_store_settings
@given(given=st.lists(indexed, max_size=3), terms=st.lists(words, min_size=1, max_size=4))
def test_texts_rank_alike_in_every_store(shelf: Shelf, given: Given, terms: list[str]) -> None:
    """As SQLite ranks them; the reference counts words only, and finds the same."""
    shelf.clear()
    with closing(SqliteStore(":memory:")) as sqlite, closing(shelf.store()) as store:
        ranked = [ranking(one, given, terms) for one in (sqlite, store)]
        if isinstance(store, PlainStore):
            assert {name for name, _ in ranked[1]} == {name for name, _ in ranked[0]}
            return
        assert [name for name, _ in ranked[1]] == [name for name, _ in ranked[0]]
        assert [score for _, score in ranked[1]] == pytest.approx([score for _, score in ranked[0]])


def ranking(store: Store, given: Given, terms: list[str]) -> list[tuple[str, float]]:
    for number, texts in enumerate(given, start=1):
        with store.write() as tx:
            tx.index(tx.open_scope(SCOPES[0]).id, texts, number)
    with store.read() as reader:
        head = reader.head(SCOPES[0])
        return [] if head is None else reader.search(head.id, terms, 99)


def test_a_store_that_forgets_would_be_noticed(shelf: Shelf) -> None:
    plain = PlainStore()
    with closing(shelf.store()) as store:
        opened(plain)
        ids = opened(store)
        assert everything(plain) == everything(store)
        with store.write() as tx:
            tx.remember_key(ids[SCOPES[0]], "a", 1, "")
        assert everything(plain) != everything(store)


def test_a_store_that_answers_otherwise_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.store.plain.PlainWriter.renew", lambda *_: True)
    with closing(SqliteStore(":memory:")) as sqlite, pytest.raises(AssertionError):
        assert_equal(sqlite, [Transaction(SCOPES[0], [Step("renew", ("a", 5))])])

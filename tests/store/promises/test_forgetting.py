"""What every store promises of forgetting: whose rows go, what stays, and how often a line is kept."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tensemem.model.scope import Scope
from tensemem.ports import ForgottenRow, Store
from tensemem.store.sqlite import SqliteStore
from tests.store.dump import everything
from tests.store.promises.rows import ALICE, BOB, fill

LINE = ForgottenRow("scope", "aa", "aa", 3, 2, 100)


def remove(store: Store, scope: Scope, limit: int = 2) -> dict[str, int]:
    """Remove a scope, some rows at a time; gives how many of each table went."""
    with store.write() as tx:
        head = tx.head(scope)
        assert head is not None
        gone = dict(tx.remove_scope(head))
    while True:
        with store.write() as tx:
            more = tx.remove_rows(head.id, limit)
        if not more:
            return {table: rows for table, rows in gone.items() if rows and table not in ("queue", "leases")}
        assert sum(more.values()) <= limit
        for table, rows in more.items():
            gone[table] = gone.get(table, 0) + rows


def test_all_rows_of_a_scope_go_and_no_others(store: Store) -> None:
    fill(store, BOB)
    before = everything(store)
    fill(store, ALICE)
    counts = remove(store, ALICE)
    assert counts.pop("postings", 1) == 1
    assert counts == {"pending": 1, "entries": 1, "claims": 1, "facts": 1, "slots": 1, "texts": 1, "keys": 1}
    assert everything(store) == before
    with store.read() as reader:
        assert reader.removals() == []
        assert reader.counts("default") == {
            "scopes": 1, "entries": 1, "episodes": 1, "facts": 1, "claims": 1, "pending": 1, "failed": 0,
        }  # fmt: skip


def test_a_scope_is_gone_at_once_and_may_begin_anew_while_its_rows_go(store: Store) -> None:
    fill(store, ALICE)
    with store.write() as tx:
        head = tx.head(ALICE)
        assert head is not None
        assert tx.lease("worker", 1, 2, [], []) is not None
        tx.remove_scope(head)
    with store.read() as reader:
        assert reader.head(ALICE) is None
        assert reader.scope_of_tag(ALICE.tag) is None
        assert reader.all_pending("default", 10) == []
        assert not reader.is_work_due(10)
        assert reader.owners() == []
    fill(store, ALICE)
    with store.read() as reader:
        left = reader.removals()
    for number in left:
        with store.write() as tx:
            while tx.remove_rows(number, 1):
                pass
    with store.read() as reader:
        again = reader.head(ALICE)
        assert again is not None
        assert again.id not in left
        assert len(list(reader.entries(again.id))) == 1
        assert reader.search(again.id, ["delhi"], 5) != []
        assert reader.removals() == []


def test_a_head_keeps_where_its_log_begins(store: Store) -> None:
    with store.write() as tx:
        head = tx.open_scope(ALICE)
        head.rev, head.seq, head.base_rev, head.base_seq = 9, 5, 8, 4
        tx.save_head(head)
    with store.read() as reader:
        assert reader.head(ALICE) == head
        assert reader.scopes("default", "", None, 5) == [head]
        assert reader.head_and_registry(ALICE) == (head, 0)


def test_a_line_is_kept_once_and_found_by_its_scope(store: Store) -> None:
    other = LINE._replace(scope="bb", mark="bb")
    value = LINE._replace(kind="value", mark="cc", data='{"x":1}')
    for _ in range(2):
        with store.write() as tx:
            tx.keep_forgotten("default", [other, LINE, value])
    with store.read() as reader:
        assert reader.forgotten(None, 10) == [LINE, value, other]
        assert reader.forgotten(LINE, 1) == [value]
        assert reader.forgotten_of("aa") == [LINE, value]
        assert reader.forgotten_of("cc") == []


def test_a_database_has_a_key_for_its_marks(store: Store) -> None:
    with store.read() as reader:
        assert len(bytes.fromhex(reader.meta("forget_key") or "")) == 32


def test_two_databases_have_two_keys(tmp_path: Path) -> None:
    found = set()
    for name in ("one.db", "two.db"):
        with closing(SqliteStore(tmp_path / name)) as opened, opened.read() as reader:
            found.add(reader.meta("forget_key"))
    assert len(found) == 2

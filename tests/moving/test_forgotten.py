"""Who was forgotten stays forgotten: in exports, imports, backups and what is restored; and comes back by talking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine import purging
from tensemem.errors import StoreCorruptError
from tensemem.model.scope import Scope
from tests.copying.filled import CALM, Troubled
from tests.copying.looking import kept
from tests.moving.lines import changed, exported, place_of


def opened(path: Path, **options: Any) -> Memory:
    return Memory(path, llm=Troubled(), **{**CALM, **options})


def removed(mem: Memory) -> None:
    """Take away all sorts of things, and go on."""
    mem.forget("ann", predicate="languages")
    mem.erase("ann", 1)
    mem.set("ann", "languages", "Zig")
    mem.forget("bob")
    mem.add("bob", "I live in Rome again")
    mem.add("carl", "I live in Oslo", said_at="2026-01-02")
    mem.add("dora", "hello", extract=False, said_at="2026-01-02")
    mem.erase("dora", 1)
    mem.flush("carl")
    mem.purge("2026-05-01")


def test_what_is_left_of_a_memory_moves_as_it_is(one: Memory, other: Memory) -> None:
    removed(one)
    lines = exported(one)
    other.import_(lines)
    assert kept(other) == kept(one)
    assert exported(other) == lines
    assert other.verify().identical
    for mem in (one, other):  # what was forgotten does not come back there either, from what was said before
        mem.add("ann", "I know Go and Rust", said_at="2026-02-01")
        mem.flush("ann")
    assert kept(other) == kept(one)
    heads = []
    for mem in (one, other):
        with mem._engine.store.read() as reader:
            heads.append(reader.head(Scope("default", "bob")))
    assert heads[0] is not None
    assert heads[1] is not None
    assert (heads[0].base_rev, heads[0].base_seq) == (heads[1].base_rev, heads[1].base_seq) == (2, 2)


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        ("scope", lambda line: line.update(base_rev=1), "revision 3 stands where 2 should"),
        ("scope", lambda line: line.update(base_seq=9), "stands where 10 should"),
        ("scope", lambda line: line.update(base_rev=-1), "base_rev must be a whole number"),
        ("entry", lambda line: line.update(seq=0), "it has no seq"),
    ],
)
def test_a_life_that_does_not_begin_where_it_says_is_refused(
    one: Memory, other: Memory, kind: str, change: Callable[[dict[str, Any]], Any], says: str
) -> None:
    removed(one)
    lines = exported(one)
    place = place_of(lines, "scope", b'"bob"') + (kind == "entry")
    with pytest.raises(StoreCorruptError, match=says):
        other.import_(changed(lines, place, change))
    assert "bob" not in [info.user_id for info in other.scopes()]


def test_an_older_export_revives_nobody(one: Memory) -> None:
    lines = exported(one)
    one.forget("ann")
    report = one.import_(lines)
    assert (report.forgotten, report.unchanged, report.imported) == (2, 1, 0)
    assert [info.user_id for info in one.scopes()] == ["bob"]
    one.set("ann", "lives_in", "Goa")
    assert one.import_(lines).forgotten == 2
    assert one.get("ann", "lives_in") == "Goa"
    assert len(one.history("ann").facts) == 1


def test_an_export_of_the_new_life_comes_in(one: Memory, other: Memory) -> None:
    one.forget("ann")
    one.set("ann", "lives_in", "Goa")
    lines = exported(one)
    assert one.import_(lines).unchanged == 2
    assert other.import_(lines).imported == 2
    assert other.set("ann", "lives_in", "Rome").fact_ids == one.set("ann", "lives_in", "Rome").fact_ids


def test_an_older_backup_revives_nobody(one: Memory, tmp_path: Path) -> None:
    dest = tmp_path / "source.db"
    one.backup(tmp_path / "b.db")
    one.forget("ann", agent_id="")
    one.close()
    report = Memory.restore(tmp_path / "b.db", dest, force=True)
    assert (report.forgotten, report.scopes) == (1, 2)
    assert b"another Ann" not in dest.read_bytes()
    with opened(dest) as mem:
        assert [(info.user_id, info.agent_id) for info in mem.scopes()] == [("ann", "guide"), ("bob", "")]
        assert mem.verify().identical
        mem.set("ann", "lives_in", "Goa")
        mem.backup(tmp_path / "c.db")
    assert Memory.restore(tmp_path / "c.db", dest, force=True).forgotten == 0
    with opened(dest) as mem:
        assert mem.get("ann", "lives_in") == "Goa"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b.db", "c.db", "source.db", "source.db-forgotten"]


def test_a_backup_carries_the_ledger_of_its_memory(one: Memory, tmp_path: Path) -> None:
    lines = exported(one)
    one.forget("ann")
    one.backup(tmp_path / "b.db")
    Memory.restore(tmp_path / "b.db", tmp_path / "r.db")
    with opened(tmp_path / "r.db") as mem:
        assert mem.import_(lines).forgotten == 2


def test_a_backup_holds_nothing_of_who_is_being_forgotten(one: Memory, tmp_path: Path) -> None:
    with one._engine.store.write() as tx:  # as far as a process came that was killed then
        head = tx.head(Scope("default", "ann"))
        assert head is not None
        tx.remove_scope(head)
        assert tx.removals() == [head.id]
    one.backup(tmp_path / "b.db")
    assert b"another Ann" not in (tmp_path / "b.db").read_bytes()
    with opened(tmp_path / "b.db") as mem, mem._engine.store.read() as reader:
        assert reader.removals() == []
        assert [info.user_id for info in mem.scopes()] == ["ann", "bob"]


def test_an_older_backup_brings_back_no_slot_value_or_text(one: Memory, tmp_path: Path) -> None:
    dest = tmp_path / "source.db"
    one.backup(tmp_path / "b.db")
    one.forget("ann", predicate="languages")
    one.erase("ann", 1)
    one.close()
    assert Memory.restore(tmp_path / "b.db", dest, force=True).scopes == 3
    raw = dest.read_bytes()
    assert b"I live in Delhi" not in raw
    assert b"Rust" not in raw
    with opened(dest) as mem:
        assert mem.get("ann", "languages") is None
        assert mem.get("ann", "lives_in") == "Pune"
        assert mem.verify().identical
        mem.add_value("ann", "languages", "Rust")
        assert mem.get("ann", "languages") == ("Rust",)


def test_of_many_purges_only_the_last_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, copy, done = tmp_path / "m.db", tmp_path / "copy.db", list[int]()
    with opened(path) as mem:
        mem.register_predicate("lives_in")
        for day in range(1, 9):
            mem.add("carl", f"I live in Oslo{day}", said_at=f"2026-01-0{day}")
        mem.flush()
        mem.backup(copy)
        for day in range(2, 7):
            mem.purge(f"2026-01-0{day}", keep_quotes=day % 2 == 0)
    purge_scope = purging.purge_scope

    def purge(*given: Any) -> Any:
        done.append(given[2])
        return purge_scope(*given)

    monkeypatch.setattr(purging, "purge_scope", purge)
    Memory.restore(copy, path, force=True)
    assert len(done) == 2  # the last that left no quotes, and the last that left some
    with opened(path) as mem:
        assert [message.gone for message in mem.messages("carl")] == ["purged"] * 5 + [""] * 3
        assert [bool(fact.evidence[0].quote) for fact in mem.history("carl").facts] == [False] * 4 + [True] * 4

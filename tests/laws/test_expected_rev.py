"""A conditional write is refused if, and only if, its slot changed: what the log says of it, entry by entry, tells."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tensemem import FakeExtractor, Memory, Operation
from tensemem.core.registry import Registry
from tensemem.engine.logfold import LoggedSlot, read_log
from tensemem.engine.reproject import open_scope
from tensemem.engine.write import check_expected
from tensemem.errors import ConflictError
from tensemem.model.scope import Scope
from tensemem.ports import Head, Reader
from tests.laws.law import law
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Scenario, scenarios
from tests.settings import some_settings

Keys = tuple[str, str]


def changed_at(reader: Reader, head: Head, registry: Registry) -> dict[Keys, list[int]]:
    """The revisions at which each slot gained or lost a claim or an amendment, worked out plainly."""
    found: dict[Keys, list[int]] = {}
    before: dict[Keys, LoggedSlot] = {}
    for rev in range(1, head.rev + 1):
        after = read_log(reader.entries(head.id, 0, rev), registry).slots
        for keys in before.keys() | after.keys():
            revs = found.setdefault(keys, [])
            if _said(before.get(keys), registry) != _said(after.get(keys), registry):
                revs.append(rev)
        before = after
    return found


def _said(slot: LoggedSlot | None, registry: Registry) -> Any:
    if slot is None:
        return {}, []
    log = slot.log(registry)
    return {claim.id: claim for claim in log.claims}, list(log.amendments)


@some_settings
@law(scenario=scenarios(rereads=True))
def test_a_conditional_write_is_refused_where_its_slot_changed_and_nowhere_else(scenario: Scenario) -> None:
    with Player(scenario) as player:
        player.play_all()
        engine = player.engine
        with engine.store.write() as tx:
            head, registry = open_scope(engine, tx, player.scope)
            tx.save_head(head)
            for keys, revs in changed_at(tx, head, registry).items():
                for rev in range(head.rev + 1):
                    wanted = any(changed > rev for changed in revs)
                    assert is_refused(tx, head, registry, keys, rev) == wanted, (keys, rev, revs)


@some_settings
@law(scenario=scenarios(rereads=True))
def test_what_changes_tells_of_a_slot_is_never_overwritten_unseen(scenario: Scenario) -> None:
    with Player(scenario) as player:
        player.play_all()
        engine = player.engine
        told = {(change.subject, change.predicate, change.rev) for change in player.mem.changes(USER)}
        with engine.store.write() as tx:
            head, registry = open_scope(engine, tx, player.scope)
            tx.save_head(head)
            for subject, predicate, rev in told:
                keys = (registry.subject(subject)[0], registry.predicate_key(predicate))
                assert is_refused(tx, head, registry, keys, rev - 1)


NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = "I live in Delhi, speak Hindi and work at Acme"
OPERATIONS = {
    "lives_in": Operation("set", "lives_in", "Delhi", quote="Delhi"),
    "speaks": Operation("add", "speaks", "Hindi", quote="Hindi"),
    "works_at": Operation("set", "works_at", "Acme", quote="nowhere to be found"),  # refused
}
readings = st.lists(st.tuples(st.integers(0, 1), st.sets(st.sampled_from(sorted(OPERATIONS)))), max_size=6)


@some_settings
@law(readings=readings)
def test_however_often_messages_are_read_again_only_what_changed_is_refused(
    readings: list[tuple[int, set[str]]],
) -> None:
    def reading(names: set[str]) -> FakeExtractor:
        return FakeExtractor({TEXT: [OPERATIONS[name] for name in sorted(names)]})

    with Memory(":memory:", llm=reading(set(OPERATIONS)), worker=False, clock=lambda: NOW, durability="process") as mem:
        for name in OPERATIONS:
            mem.register_predicate(name, "many" if name == "speaks" else "one")
        for days in (2, 1):
            mem.add("ann", TEXT, said_at=NOW - timedelta(days=days))
        mem.flush()
        for place, names in readings:
            mem.reextract("ann", reading(names), from_seq=place + 1, limit=1, dry_run=False)
        with mem._engine.store.write() as tx:
            head, registry = open_scope(mem._engine, tx, Scope("default", "ann"))
            for keys, revs in changed_at(tx, head, registry).items():
                for rev in range(head.rev + 1):
                    wanted = any(changed > rev for changed in revs)
                    assert is_refused(tx, head, registry, keys, rev) == wanted, (keys, rev, revs)


def is_refused(reader: Reader, head: Head, registry: Registry, keys: Keys, rev: int) -> bool:
    try:
        check_expected(reader, head, registry, [keys], rev)
    except ConflictError:
        return True
    return False

"""What the checker holds reads against: at every revision it is what the memory says was known then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tensemem import Memory, Operation
from tensemem.engine.core import registry_at
from tensemem.model.moment import to_moment
from tensemem.model.scope import Scope
from tests.histories.asker import told_freshness, told_state
from tests.histories.prefix import Prefix
from tests.histories.records import OK, Observed, told_facts
from tests.histories.rules_reads import wrong_freshness
from tests.histories.script import Script

ANN = Scope("default", "ann")


def test_at_every_revision_it_is_what_was_known(tmp_path: Path) -> None:
    days = iter(range(1, 200))

    def clock() -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=next(days))

    with Memory(
        tmp_path / "memory.db", llm=Script(lambda _: None), worker=False, clock=clock, durability="process"
    ) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("languages", "many")
        mem.set("ann", "lives_in", "delhi")
        mem.add("ann", "now lives_in rome")
        mem.add_value("ann", "languages", "python")
        mem.flush("ann")
        mem.record("ann", "lives_in", "oslo", valid_from="2026-06-01")
        mem.replace_values("ann", "languages", ["rust", "go"])
        mem.add("ann", "maybe lives_in lima")
        mem.add("ann", "plan lives_in paris")
        mem.flush("ann")
        fact = mem.state("ann").fact("lives_in")
        assert fact is not None
        mem.correct(fact.id)
        mem.reinstate(fact.id)
        mem.write("ann", [Operation("retract", "lives_in"), Operation("add", "languages", "c")])
        mem.add("ann", "hello", extract=False)
        with mem._engine.store.read() as reader:
            head = reader.head(ANN)
            assert head is not None
            entries = list(reader.entries(head.id))
            prefix = Prefix(ANN, registry_at(reader, "default", reader.registry_rev("default")))
        assert len(entries) > 12
        for entry in entries:
            prefix.append(entry)
            state = mem.state("ann", known_at=entry.rev)
            shown, told = prefix.shown(to_moment(state.at)), told_state(state)
            assert [shown.facts, shown.planned, shown.candidates] == [
                told["facts"], told["planned"], told["candidates"]
            ]  # fmt: skip
            fresh = {"fresh": told_freshness(state.freshness)}
            assert wrong_freshness(prefix, Observed("a", "state", "ann", 0, {}, OK, 1, fresh)) is None
            known = mem.history("ann", "lives_in", known_at=entry.rev)
            assert prefix.history("lives_in") == sorted((f[2:6] for f in told_facts(known.facts)), key=str)

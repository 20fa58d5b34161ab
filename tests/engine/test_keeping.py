"""Keeping: the registry, rebuilding what is damaged, and the sizes of a namespace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.errors import PredicateConflictError, ReadOnlyError
from tests.engine.bench import ANN, Clock, Told, day, lives, opened, refused, revs, speaks


def test_registering_the_same_again_writes_nothing(mem: Memory) -> None:
    mem.register_predicate("diet", choices=["vegan", "kosher"], ttl="30d", aliases=["food", "eats"])
    mem.register_entity("PostgreSQL", aliases=["pg"])
    before = revs(mem)
    mem.register_predicate("Diet", choices=["vegan", "kosher"], ttl="30d", aliases=["eats", "food"])
    mem.register_predicate("lives_in")
    mem.register_entity("PostgreSQL", aliases=["pg"])
    mem.register_entity("PostgreSQL")
    assert revs(mem) == before


def test_another_definition_needs_to_be_asked_for(mem: Memory) -> None:
    with refused(mem, PredicateConflictError):
        mem.register_predicate("lives_in", "many")
    mem.set("ann", "lives_in", "Delhi")
    mem.register_predicate("lives_in", "many", update=True)
    assert mem.get("ann", "lives_in") == ("Delhi",)
    assert mem.verify().identical


def test_a_name_belongs_to_one_predicate_and_to_one_entity(mem: Memory) -> None:
    with refused(mem, PredicateConflictError):
        mem.register_predicate("home", aliases=["lives_in"])
    mem.register_entity("PostgreSQL", aliases=["pg"])
    with refused(mem, PredicateConflictError):
        mem.register_entity("Pigeon", aliases=["PG"])


def test_a_profile_is_registered_as_a_whole_or_not_at_all(mem: Memory, tmp_path: Path) -> None:
    profile = tmp_path / "profile.toml"
    profile.write_text('[predicates.diet]\n[predicates.lives_in]\ncardinality = "many"\n', encoding="utf-8")
    with refused(mem):
        mem.register(profile)
    assert {predicate.name for predicate in mem.predicates()} == {"lives_in", "languages"}


def test_an_alias_learnt_today_joins_yesterdays_facts(mem: Memory, clock: Clock) -> None:
    mem.replace_values("ann", "languages", ["pg", "Go"])
    mem.set("ann", "lives_in", "Dilli")
    clock.now = day(1)
    mem.set("ann", "lives_in", "Delhi")
    mem.register_entity("PostgreSQL", aliases=["pg"])
    mem.register_entity("Delhi", aliases=["Dilli"])
    assert mem.get("ann", "languages") == ("Go", "PostgreSQL")
    assert [fact.value for fact in mem.history("ann", "lives_in")] == ["Delhi"]
    assert mem.verify().identical


def test_a_subject_that_turns_out_to_be_another_brings_its_facts(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", subject="Mimi")
    mem.add_value("ann", "languages", "Go", subject="Mira")
    mem.register_entity("Mira", aliases=["Mimi"])
    assert mem.state("ann").by_subject == {"Mira": {"lives_in": "Delhi", "languages": ("Go",)}}
    assert mem.get("ann", "lives_in", subject="mimi") == "Delhi"
    assert mem.verify().identical


def test_a_predicate_registered_late_admits_what_was_proposed_for_it(mem: Memory, told: Told) -> None:
    told.answers["I am tall and strong"] = [Operation("set", "height", "tall"), Operation("add", "traits", "strong")]
    mem.add("ann", "I am tall and strong")
    mem.add("bob", "I am tall and strong")
    mem.flush()
    proposed = [(proposal.predicate, proposal.count, proposal.cardinality) for proposal in mem.proposals()]
    assert proposed == [("height", 2, "one"), ("traits", 2, "many")]
    mem.register_predicate("height")
    assert [p.predicate for p in mem.proposals()] == ["traits"]
    mem.register_predicate("traits", "many")
    for user in ("ann", "bob"):
        assert mem.state(user).values == {"height": "tall", "traits": ("strong",)}
    assert mem.verify().identical


# --- rebuilding ---------------------------------------------------------------------------------------------------


def damaged(mem: Memory, damage: str) -> None:
    """Spoil the projection behind the engine's back."""
    with mem._engine.store.write() as tx:
        head = tx.head(ANN)
        assert head is not None
        slot = tx.slots(head.id)[0]
        match damage:
            case "a fact is missing":
                tx.drop_facts(head.id, tx.facts(head.id, slot.id)[:1])
            case "a fact is another":
                (fact, *_) = tx.facts(head.id, slot.id)
                tx.put_facts(head.id, [type(fact)(fact.slot, 0, "goa", fact.start - 5, fact.start, fact.body)])
            case "a claim is missing":
                tx.drop_claims(head.id, 1)
            case "the slots are missing":
                tx.clear_projection(head.id)
            case "a slot is remembered wrongly":
                slot.horizon -= 1
                tx.save_slot(head.id, slot)
            case _:
                (fact, *_) = tx.facts(head.id, slot.id)
                tx.put_facts(head.id, [type(fact)(fact.slot, 0, fact.key, fact.start, fact.end, "no body")])


DAMAGES = (
    "a fact is missing", "a fact is another", "a claim is missing", "the slots are missing",
    "a slot is remembered wrongly", "a fact cannot be read",
)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_projection_is_found_and_repaired(mem: Memory, clock: Clock, damage: str) -> None:
    mem.write("ann", [lives("Delhi")])
    clock.now = day(1)
    mem.write("ann", [lives("Pune")])
    mem.set("bob", "lives_in", "Goa")
    digest, shown = mem.digest("ann"), mem.history("ann").facts
    damaged(mem, damage)
    report = mem.verify()
    assert (report.identical, report.different, report.digest == digest) == (False, ("ann",), False)
    assert mem.verify("bob").identical
    assert not mem.verify("ann").identical
    rebuilt = mem.rebuild("ann")
    assert not rebuilt.identical
    assert rebuilt.digest == digest == mem.digest("ann")
    assert mem.history("ann").facts == shown
    assert mem.verify().identical
    assert mem.rebuild().identical


def test_a_report_counts_scopes_and_entries(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.add("ann", "hello", extract=False)
    mem.set("ann", "lives_in", "Goa", agent_id="coach")
    mem.set("bob", "lives_in", "Goa")
    report = mem.verify()
    assert (report.identical, report.scopes, report.entries, report.different) == (True, 3, 5, ())
    assert mem.verify("ann").scopes == 2
    assert mem.verify("ann").entries == 4
    assert mem.verify("nobody").scopes == 0


def test_a_rebuild_writes_no_entry_and_asks_nobody(mem: Memory, told: Told) -> None:
    told.answers["I live in Delhi"] = [lives("Delhi")]
    mem.add("ann", "I live in Delhi")
    mem.flush()
    before = revs(mem)
    mem.rebuild()
    assert revs(mem) == before
    assert len(told.asked) == 1


def test_equal_logs_have_equal_digests_and_others_do_not() -> None:
    digests = set()
    for place in ("Delhi", "Delhi", "Pune"):
        with opened() as mem:
            mem.set("ann", "lives_in", place)
            digests.add(mem.digest("ann"))
    assert len(digests) == 2
    with opened() as mem:
        assert mem.digest("ann") != mem.digest("bob")


def test_a_memory_that_only_reads_refuses_to_write_and_sees_new_names(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path) as mem:
        mem.replace_values("ann", "languages", ["pg", "Go"])
        fact_id = mem.set("ann", "lives_in", "Delhi").fact_id
        assert fact_id is not None
        with opened(path, read_only=True) as reader:
            mem.register_entity("PostgreSQL", aliases=["pg"])
            assert reader.get("ann", "languages") == ("Go", "PostgreSQL")
            assert reader.digest("ann") == mem.digest("ann")
            calls: list[Any] = [
                lambda: reader.set("ann", "lives_in", "Pune"), lambda: reader.add("ann", "hello"),
                lambda: reader.correct(fact_id), lambda: reader.register_predicate("x"),
                lambda: reader.dismiss("ann", 1), lambda: reader.rebuild() if damaged_in(mem) else None,
            ]  # fmt: skip
            for call in calls:
                with refused(reader, ReadOnlyError):
                    call()


def damaged_in(mem: Memory) -> bool:
    damaged(mem, "the slots are missing")
    return True


def test_stats_count_what_there_is(mem: Memory, told: Told) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.write("bob", [speaks("Go"), speaks("SQL")])
    mem.add("bob", "hello there")
    stats = mem.stats()
    assert (stats["scopes"], stats["pending"], stats["failed"], stats["facts"]) == (2, 1, 0, 3)
    assert stats["namespace"] == "default"
    mem.flush()
    assert mem.stats()["pending"] == 0
    (ann, bob) = mem.scopes()
    assert (ann.user_id, ann.latest_seq, ann.pending) == ("ann", 1, 0)
    assert (bob.user_id, bob.rev, bob.latest_seq) == ("bob", 3, 2)


def test_hooks_hear_what_happens_without_the_words_and_cannot_do_harm(mem: Memory, told: Told) -> None:
    heard: list[tuple[str, Any]] = []

    def hook(event: str, fields: Any) -> None:
        heard.append((event, fields))
        raise RuntimeError("a hook that fails")

    mem.on(hook)
    told.answers["I live in Delhi"] = [lives("Delhi")]
    mem.add("ann", "I live in Delhi")
    mem.flush()
    mem.correct(mem.state("ann").facts[0].id)
    mem.rebuild()
    assert [event for event, _ in heard] == ["added", "extracted", "correction", "rebuilt"]
    assert "Delhi" not in repr(heard)

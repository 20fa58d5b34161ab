"""Forgetting a person: all of it goes, nothing of others, and what comes later is another life."""

from __future__ import annotations

import asyncio
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import AsyncMemory, Memory, Removal
from tensemem.engine import forgetting, ledger
from tensemem.errors import ReadOnlyError, UnknownFactError
from tensemem.model.scope import Scope
from tests.engine.bench import ANN, Clock, Gate, Told, beside, day, lives, opened, revs, speaks
from tests.settings import costly_settings
from tests.store.dump import everything

SAID = "I live in Delhi"


def tell(mem: Memory, user: str = "ann", **options: Any) -> None:
    """Give a scope some of everything."""
    mem.add(user, SAID, said_at=day(0), idempotency_key=f"k-{user}", **options)
    mem.set(user, "lives_in", "Rome", **options)
    mem.add_value(user, "languages", "Go", **options)
    fact = mem.state(user, **options).fact("lives_in")
    assert fact is not None
    mem.correct(fact.id, "Oslo", user_id=user, **options)
    mem.search(user, "Oslo", **options)


def test_every_agents_memory_of_a_person_goes_and_others_stay(mem: Memory) -> None:
    tell(mem)
    tell(mem, agent_id="helper")
    tell(mem, "anna")
    tell(mem, "an")
    before = [mem.digest(user) for user in ("anna", "an")]
    removed = mem.forget("ann")
    assert (removed.scopes, removed.episodes, removed.entries, removed.keys) == (2, 8, 8, 4)
    assert (removed.facts > 0, removed.claims > 0, removed.texts > 0, removed.pending) == (True, True, True, 2)
    assert removed.scrubbed == (mem._engine.store.scrub() is None)
    assert [(one.user_id, one.agent_id) for one in mem.scopes()] == [("an", ""), ("anna", "")]
    assert [mem.digest(user) for user in ("anna", "an")] == before
    assert mem.verify().identical
    assert mem.state("ann").values == {}
    assert mem.history("ann").facts == ()
    assert mem.search("ann", "Oslo") == ()
    assert mem.changes("ann") == ()
    assert {job.user_id for job in mem.jobs()} == {"an", "anna"}


def test_one_agents_memory_goes_alone(mem: Memory) -> None:
    tell(mem)
    tell(mem, agent_id="helper")
    assert mem.forget("ann", agent_id="helper").scopes == 1
    assert mem.state("ann").values["lives_in"] == "Oslo"
    tell(mem, agent_id="helper")
    assert mem.for_user("ann").forget().scopes == 1
    assert mem.state("ann").values == {}
    assert mem.state("ann", agent_id="helper").values["lives_in"] == "Oslo"


def test_who_is_not_known_leaves_nothing_behind(mem: Memory) -> None:
    tell(mem, "bob")
    before = everything(mem._engine.store)
    found = mem.forget("ann")
    assert found == Removal(seconds=found.seconds)
    assert everything(mem._engine.store) == before
    assert ledger.lines_of(mem._engine.store) == []


def test_a_second_call_finds_nothing(mem: Memory) -> None:
    tell(mem)
    mem.forget("ann")
    lines = ledger.lines_of(mem._engine.store)
    assert mem.forget("ann").scopes == 0
    assert ledger.lines_of(mem._engine.store) == lines


def test_names_of_the_former_life_name_nothing_of_the_new_one(mem: Memory, clock: Clock) -> None:
    tell(mem)
    old_rev, old_seq, _ = revs(mem)
    ids = [fact.id for fact in mem.history("ann").facts]
    last = mem.changes("ann")[-1].rev
    page = mem.history("ann", limit=1).next
    mem.forget("ann")
    clock.advance(days=1)
    then = clock.now - timedelta(hours=1)
    made = mem.add("ann", SAID)
    mem.set("ann", "lives_in", "Lima")
    mem.add_value("ann", "languages", "C")
    assert (made.seq, made.rev) == (old_seq + 1, old_rev + 1)
    for id in ids:
        with pytest.raises(UnknownFactError):
            mem.explain(id)
        with pytest.raises(UnknownFactError):
            mem.correct(id, "Pune")
    for known_at in (1, old_rev, then):
        assert mem.state("ann", known_at=known_at).values == {}
        assert mem.history("ann", known_at=known_at).facts == ()
    assert [change.value for change in mem.changes("ann", last)] == ["Lima", "C"]
    with pytest.raises(UnknownFactError):
        mem.decisions("ann", 1)
    assert page is not None
    with pytest.raises(UnknownFactError):
        mem.history("ann", limit=1, after=page)
    assert mem.verify().identical
    assert mem.rebuild().identical


def test_a_duplicate_of_the_former_life_is_new_in_the_next(mem: Memory) -> None:
    tell(mem)
    mem.forget("ann")
    again = mem.add("ann", SAID, said_at=day(0), idempotency_key="k-ann")
    assert not again.duplicate


def test_what_is_forgotten_twice_counts_on_from_the_second_life(mem: Memory, clock: Clock) -> None:
    seqs = []
    for _ in range(3):
        clock.advance(days=1)
        seqs.append(mem.add("ann", SAID).seq)
        mem.forget("ann")
    assert seqs == [1, 2, 3]
    assert len(ledger.lines_of(mem._engine.store)) == 3


def test_a_memory_that_reads_only_forgets_nobody(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as mem:
        tell(mem)
    with opened(tmp_path / "m.db", read_only=True) as mem, pytest.raises(ReadOnlyError):
        mem.forget("ann")


def test_hooks_are_told_how_far_it_is(mem: Memory) -> None:
    tell(mem)
    events: list[tuple[str, Any]] = []
    mem.on(lambda event, fields: events.append((event, fields)))
    mem.forget("ann")
    *steps, last = events
    assert last == ("forgotten", {"scope": ANN, "entries": 4})
    removes_in_steps = mem._engine.store.ledger is not None or mem._engine.store.location == ":memory:"
    assert [event for event, _ in steps] == ["forgetting"] * removes_in_steps, "a server removes all of it at once"
    assert all(fields["scope"] == ANN for _, fields in steps)


def test_a_task_forgets_as_a_thread_does() -> None:
    async def forget() -> tuple[Removal, Any]:
        async with AsyncMemory(":memory:", worker=False) as mem:
            await mem.register_predicate("lives_in")
            await mem.set("ann", "lives_in", "Rome")
            return await mem.for_user("ann").forget(), (await mem.state("ann")).values

    removed, values = asyncio.run(forget())
    assert (removed.scopes, removed.facts, values) == (1, 1, {})


# Beside others


@pytest.mark.parametrize("comes_back", [False, True])
def test_an_extraction_under_way_appends_nothing(clock: Clock, comes_back: bool) -> None:
    gate = Gate([lives("Delhi", quote=SAID)])
    with opened(llm=gate, clock=clock) as mem:
        mem.add("ann", SAID)
        flushing = beside(lambda: mem.flush("ann"))
        assert gate.was_asked.wait(30)
        mem.forget("ann")
        clock.advance(seconds=1)
        if comes_back:
            mem.add("ann", "I am back", extract=False)
        before = everything(mem._engine.store)
        gate.may_answer.set()
        flushing.result(30)
        after = everything(mem._engine.store)
        for state in (before, after):
            del state["workers"], state["owners"]  # the flush counts as one until it ends
        assert after == before
        assert mem.state("ann").values == {}
        assert len(mem.scopes()) == comes_back


def test_what_another_memory_has_read_is_not_shown_any_more(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as one, opened(tmp_path / "m.db") as other:
        tell(one)
        assert other.state("ann").values["lives_in"] == "Oslo"
        fact = other.state("ann").fact("lives_in")
        assert fact is not None
        one.forget("ann")
        assert other.state("ann").values == {}
        assert len(other._engine.states) == 0
        with pytest.raises(UnknownFactError):
            other.correct(fact.id, "Pune")
        other.set("ann", "lives_in", "Lima")
        assert one.state("ann").values == {"lives_in": "Lima"}
        assert one.verify().identical


def test_who_comes_back_while_being_forgotten_stays(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(mem)
    tell(mem, agent_id="helper")
    take = forgetting._take

    def comes_back(engine: Any, scope: Scope, base: int) -> Any:
        taken = take(engine, scope, base)
        monkeypatch.setattr(forgetting, "_take", take)
        mem.set("ann", "lives_in", "Lima")
        return taken

    monkeypatch.setattr(forgetting, "_take", comes_back)
    assert mem.forget("ann").scopes == 2
    assert mem.state("ann").values == {"lives_in": "Lima"}


def test_a_scope_is_taken_once_however_often_that_is_tried(mem: Memory) -> None:
    """As where the answer to a COMMIT was lost: what began anew meanwhile is another life."""
    tell(mem)
    assert forgetting._take(mem._engine, ANN, 0) is not None
    assert forgetting._take(mem._engine, ANN, 0) is None
    mem.set("ann", "lives_in", "Lima")
    assert forgetting._take(mem._engine, ANN, 0) is None
    assert mem.state("ann").values == {"lives_in": "Lima"}


# Copies


@pytest.mark.of_files
def test_who_was_forgotten_does_not_come_back_from_a_copy_in_the_databases_place(tmp_path: Path, clock: Clock) -> None:
    path, copy = tmp_path / "m.db", tmp_path / "copy.db"
    with opened(path, clock=clock) as mem:
        tell(mem)
        tell(mem, "bob")
    shutil.copy(path, copy)
    with opened(path, clock=clock) as mem:
        mem.forget("ann")
    shutil.copy(copy, path)
    with opened(path, clock=clock) as mem:
        assert [one.user_id for one in mem.scopes()] == ["bob"]
        assert len(ledger.lines_of(mem._engine.store)) == 1
        clock.advance(days=1)
        assert mem.add("ann", SAID).seq > 4
    with opened(path, clock=clock) as mem:
        assert [one.user_id for one in mem.scopes()] == ["ann", "bob"]


@pytest.mark.of_files
def test_a_lost_ledger_is_written_anew(tmp_path: Path) -> None:
    path, kept = tmp_path / "m.db", tmp_path / "m.db-forgotten"
    with opened(path) as mem:
        tell(mem)
        mem.forget("ann")
    before = kept.read_text()
    kept.unlink()
    opened(path).close()
    assert kept.read_text() == before
    assert kept.stat().st_mode & 0o077 == 0


def test_a_copy_leaves_out_who_was_forgotten_at_its_destination(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "old.db", clock=clock) as old, opened(tmp_path / "new.db", clock=clock) as new:
        tell(old)
        tell(old, "bob")
        old.copy_to(new)
        new.forget("ann")
        report = old.copy_to(new)
        assert (report.forgotten, report.unchanged, report.copied) == (1, 1, 0)
        assert [one.user_id for one in new.scopes()] == ["bob"]


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_copy_has_its_destination_forget_who_was_forgotten_at_its_source(
    tmp_path: Path, clock: Clock, comes_back: bool
) -> None:
    with opened(tmp_path / "new.db", clock=clock) as new, opened(tmp_path / "old.db", clock=clock) as old:
        tell(new)
        tell(new, "bob")
        new.copy_to(old)
        new.forget("ann")
        clock.advance(days=1)
        if comes_back:
            new.set("ann", "lives_in", "Lima")
        new.copy_to(old)
        assert old.state("ann").values == ({"lives_in": "Lima"} if comes_back else {})
        assert revs(old)[:2] == revs(new)[:2]
        assert old.verify().identical
        assert old.digest("ann") == new.digest("ann")
        assert new.copy_to(old).copied == 0


# Laws

ACTS = st.lists(
    st.tuples(
        st.sampled_from(["set", "record", "add_value", "remove_value", "retract", "add"]),
        st.sampled_from(["Delhi", "Rome", "Oslo"]),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=8,
)


def do(mem: Memory, clock: Clock, user: str, acts: list[tuple[str, str, int]]) -> None:
    for verb, value, number in acts:
        clock.advance(hours=1)
        said: Any = {"said_at": clock.now - timedelta(days=number)}
        if verb == "add":
            mem.add(user, f"I live in {value}", **said)
        elif verb == "record":
            mem.record(user, "lives_in", value, valid_from=day(number), **said)
        elif verb == "retract":
            mem.retract(user, "lives_in", value, **said)
        else:
            getattr(mem, verb)(user, "lives_in" if verb == "set" else "languages", value, **said)
    mem.flush()


def shown(mem: Memory, user: str) -> list[Any]:
    """What a history shows; facts without dates stand in the order of their ids, which are others in another life."""
    facts = mem.history(user).facts
    return sorted([(f.subject, f.predicate, f.value, f.status, f.valid_from, f.valid_to) for f in facts], key=repr)


@costly_settings
@given(former=ACTS, others=ACTS, later=ACTS)
def test_a_new_life_is_what_a_first_one_would_be_and_others_stay_as_they_are(
    former: list[Any], others: list[Any], later: list[Any]
) -> None:
    told, clock = Told(), Clock()
    for place in ("Delhi", "Rome", "Oslo"):
        told.answers[f"I live in {place}"] = [lives(place, quote=place), speaks(place, quote=place)]
    with opened(llm=told, clock=clock) as mem, opened(llm=told, clock=clock) as fresh:
        do(mem, clock, "ann", former)
        do(mem, clock, "bob", others)
        bob, rev, seq = mem.digest("bob"), *revs(mem)[:2]
        mem.forget("ann")
        assert everything(mem._engine.store)["counts"]["scopes"] == 1
        assert mem.digest("bob") == bob
        clock.advance(days=1)
        now = clock.now
        do(mem, clock, "ann", later)
        clock.now = now
        do(fresh, clock, "ann", later)
        assert shown(mem, "ann") == shown(fresh, "ann")
        assert mem.state("ann").values == fresh.state("ann").values
        new = revs(mem)
        again = revs(fresh)
        assert (new[0] - rev, new[1] - seq) == again[:2]
        assert mem.verify().identical
        assert mem.rebuild().identical
        assert mem.digest("bob") == bob

"""Runs of retention: what goes and what stays, how often, by one process at a time, and what a broken one leaves."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory, Operation
from tensemem.engine import removing, retaining
from tensemem.engine.retaining import SCOPES_AT_ONCE, Keeper, look, run_due
from tensemem.engine.retention import kept
from tensemem.errors import StoreError
from tensemem.model.scope import Scope, registry_scope
from tests.engine.bench import DAY_ZERO, Clock, Told, day, lives, opened
from tests.store.shelves import Shelf, opening_in

MESSAGE = "I live in Delhi"


def never() -> bool:
    return False


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told() -> Told:
    told = Told()
    told.answers[MESSAGE] = [lives("Delhi", quote=MESSAGE)]
    return told


@pytest.fixture
def mem(clock: Clock, told: Told) -> Iterator[Memory]:
    with opened(clock=clock, llm=told) as memory:
        yield memory


def texts(mem: Memory, user: str = "ann") -> list[str]:
    return [message.content for message in mem.messages(user)]


# Texts


def test_texts_go_when_they_are_older_and_what_was_learned_stays(mem: Memory, clock: Clock) -> None:
    mem.add("ann", MESSAGE, said_at=day(0))
    mem.flush()
    before = mem.state("ann").facts[0]
    mem.retain(texts="90d")
    clock.now = day(90)
    assert mem.apply_retention().last_run.texts == 0  # type: ignore[union-attr]
    assert texts(mem) == [MESSAGE]
    clock.now = day(90.5)
    mem.add("ann", "hello", said_at=day(90.4))
    run = mem.apply_retention().last_run
    assert run is not None
    assert (run.scopes, run.texts, run.facts, run.failed) == (1, 1, 0, 0)
    assert MESSAGE not in texts(mem)
    assert "hello" in texts(mem)
    after = mem.state("ann").facts[0]
    assert (after.id, after.value, after.valid_from) == (before.id, "Delhi", before.valid_from)
    assert after.evidence[0].quote == ""
    assert mem.verify().identical


def test_facts_keep_their_quotes_where_that_is_said(mem: Memory, clock: Clock) -> None:
    mem.add("ann", MESSAGE, said_at=day(0))
    mem.flush()
    mem.retain(texts="90d", keep_quotes=True)
    clock.now = day(200)
    mem.apply_retention()
    assert MESSAGE not in texts(mem)
    assert mem.state("ann").facts[0].evidence[0].quote == MESSAGE


def test_what_waits_keeps_its_text(mem: Memory, clock: Clock) -> None:
    mem.add("ann", MESSAGE, said_at=day(0))
    mem.retain(texts="90d")
    clock.now = day(200)
    mem.apply_retention()
    assert texts(mem) == [MESSAGE]


# Values


def test_a_value_is_forgotten_when_it_ended_long_enough_ago(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi", said_at=day(0))
    clock.now = day(10)
    mem.set("ann", "lives_in", "Pune", said_at=day(10))
    mem.retain(facts={"lives_in": "1y"})
    clock.now = day(374)
    assert mem.apply_retention().last_run.facts == 0  # type: ignore[union-attr]
    clock.now = day(376)
    assert mem.apply_retention().last_run.facts == 1  # type: ignore[union-attr]
    assert [fact.value for fact in mem.history("ann", "lives_in").facts] == ["Pune"]
    assert mem.get("ann", "lives_in") == "Pune"
    assert mem.verify().identical
    clock.now = day(400)
    assert mem.apply_retention().last_run.facts == 0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "again",
    [
        lambda mem: mem.set("ann", "lives_in", "Delhi", said_at=day(399)),
        lambda mem: mem.record("ann", "lives_in", "Delhi", valid_from=day(500), said_at=day(20)),
        lambda mem: mem.record("ann", "lives_in", "Delhi", valid_from=day(11), valid_to=day(12), said_at=day(399)),
        lambda mem: mem.write("ann", [lives("Delhi", modality="planned", valid_from=day(450))], said_at=day(20)),
    ],
    ids=["holds again", "scheduled", "spoken of since", "planned"],
)
def test_a_value_that_is_alive_in_any_way_stays_as_a_whole(mem: Memory, clock: Clock, again: Any) -> None:
    clock.now = day(400)
    mem.set("ann", "lives_in", "Delhi", said_at=day(0))
    mem.set("ann", "lives_in", "Pune", said_at=day(10))
    again(mem)
    before = mem.history("ann").facts
    mem.retain(facts={"lives_in": "1y"})
    assert mem.apply_retention().last_run.facts == 0  # type: ignore[union-attr]
    assert mem.history("ann").facts == before


def test_what_expired_by_its_ttl_counts_from_then(mem: Memory, clock: Clock) -> None:
    mem.register_predicate("mood", ttl="1d")
    mem.set("ann", "mood", "merry", said_at=day(0))
    mem.retain(facts={"mood": "2d"})
    clock.now = day(2.9)
    assert mem.apply_retention().last_run.facts == 0  # type: ignore[union-attr]
    clock.now = day(3.1)
    assert mem.apply_retention().last_run.facts == 1  # type: ignore[union-attr]
    assert mem.history("ann", "mood").facts == ()


def test_only_the_predicates_that_were_named_or_all_but_those(mem: Memory, clock: Clock) -> None:
    mem.register_predicate("diet")
    for place, diet in (("Delhi", "vegan"), ("Pune", "none")):
        mem.set("ann", "lives_in", place, said_at=clock.now)
        mem.set("ann", "diet", diet, said_at=clock.now)
        clock.advance(days=1)
    clock.now = day(400)
    mem.retain(facts={"*": "1y", "diet": None})
    mem.apply_retention()
    assert [fact.value for fact in mem.history("ann", "lives_in").facts] == ["Pune"]
    assert [fact.value for fact in mem.history("ann", "diet").facts] == ["vegan", "none"]
    mem.retain(facts={"diet": "1y"})
    mem.apply_retention()
    assert [fact.value for fact in mem.history("ann", "diet").facts] == ["none"]


def test_values_that_were_corrected_overridden_or_held_go_too(mem: Memory, clock: Clock) -> None:
    wrong = mem.set("ann", "lives_in", "Goa", said_at=day(0)).fact_id
    clock.now = day(2)
    mem.correct(str(wrong), said_at=day(1))
    mem.write("ann", [lives("Rome", modality="reported")], said_at=day(1))
    mem.record("ann", "lives_in", "Lima", valid_from=day(-9), valid_to=day(-8), said_at=day(1))
    mem.set("ann", "lives_in", "Pune", said_at=day(2))
    assert len(mem.history("ann").facts) == 4
    mem.retain(facts={"lives_in": "30d"})
    clock.now = day(40)
    assert mem.apply_retention().last_run.facts == 3  # type: ignore[union-attr]
    assert [fact.value for fact in mem.history("ann").facts] == ["Pune"]
    assert mem.verify().identical


def test_each_value_of_many_goes_by_itself(mem: Memory, clock: Clock) -> None:
    for language in ("Go", "C", "SQL"):
        mem.add_value("ann", "languages", language, said_at=day(0))
    clock.now = day(1)
    mem.remove_value("ann", "languages", "C", said_at=day(1))
    mem.retain(facts={"languages": "30d"})
    clock.now = day(40)
    mem.apply_retention()
    assert mem.get("ann", "languages") == ("Go", "SQL")
    assert {fact.value for fact in mem.history("ann", "languages").facts} == {"Go", "SQL"}


def test_every_user_and_agent_of_the_namespace_and_no_other(clock: Clock, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", clock=clock) as mem:
        mem.register_predicate("lives_in", namespace="other")
        for number in range(SCOPES_AT_ONCE + 3):
            for namespace in ("default", "other"):
                clock.now = day(1)
                mem.set(f"u{number:03}", "lives_in", "Delhi", said_at=day(0), agent_id="a", namespace=namespace)
                mem.set(f"u{number:03}", "lives_in", "Pune", said_at=day(1), agent_id="a", namespace=namespace)
        mem.retain(facts={"*": "30d"})
        clock.now = day(60)
        run = mem.apply_retention().last_run
        assert run is not None
        assert (run.scopes, run.facts) == (SCOPES_AT_ONCE + 3, SCOPES_AT_ONCE + 3)
        assert len(mem.history("u000", agent_id="a", namespace="other").facts) == 2
        assert mem.retention(namespace="other").last_run is None


# When


def test_a_run_is_due_once_in_a_while_by_the_memorys_clock(mem: Memory, clock: Clock) -> None:
    engine = mem._engine
    assert run_due(engine, "default", "w", never) is None
    mem.retain(texts="1d")
    assert run_due(engine, "default", "w", never) is not None
    assert run_due(engine, "default", "w", never) is None
    clock.advance(minutes=59)
    assert run_due(engine, "default", "w", never) is None
    clock.advance(minutes=1)
    assert run_due(engine, "default", "w", never) is not None
    clock.now = DAY_ZERO - timedelta(days=3)
    assert run_due(engine, "default", "w", never) is not None, "a clock that was wrong holds nothing up"


def test_another_policy_is_followed_at_once_in_the_midst_of_a_run_too(mem: Memory, clock: Clock) -> None:
    _fill(mem, clock, SCOPES_AT_ONCE * 2)
    mem.retain(facts={"*": "30d"})

    def changing() -> Iterator[bool]:
        for number in range(10**6):
            if number == SCOPES_AT_ONCE // 2:
                mem.retain(facts={"*": "30d"}, texts="1d")
            yield False

    asked = changing()
    run_due(mem._engine, "default", "w", lambda: next(asked))
    last = mem.retention().last_run
    assert last is not None
    assert last.ended_at is None
    done = run_due(mem._engine, "default", "w", never)
    assert done is not None
    assert done.scopes == SCOPES_AT_ONCE * 2


def _fill(mem: Memory, clock: Clock, users: int) -> None:
    clock.now = day(2)
    for number in range(users):
        mem.set(f"u{number:03}", "lives_in", "Delhi", said_at=day(0))
        mem.set(f"u{number:03}", "lives_in", "Pune", said_at=day(1))
    clock.now = day(60)


# Crashes and company


class Killed(BaseException):
    """What ends a process, so far as it can tell."""


def test_a_run_that_was_killed_is_taken_up_by_another_where_it_stopped(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = SCOPES_AT_ONCE * 2 + 5
    with opened(tmp_path / "m.db", clock=clock) as mem:
        _fill(mem, clock, users)
        mem.retain(facts={"*": "30d"})
        done: list[Scope] = []

        def dying(engine: Any, scope: Scope, *more: Any) -> Any:
            if len(done) == SCOPES_AT_ONCE + 7:
                raise Killed
            done.append(scope)
            return _slots(engine, scope, *more)

        _slots = retaining._slots_with_ended
        with monkeypatch.context() as patch:
            patch.setattr(retaining, "_slots_with_ended", dying)
            patch.setattr(retaining, "_release", lambda *_: None)  # who is killed gives nothing back
            with pytest.raises(Killed):
                run_due(mem._engine, "default", "killed", never)
    with opened(tmp_path / "m.db", clock=clock) as mem:
        broken = mem.retention()
        assert broken.last_run is not None
        assert (broken.last_run.scopes, broken.last_run.ended_at) == (SCOPES_AT_ONCE, None)
        assert broken.next_run_at == clock.now
        run = run_due(mem._engine, "default", "next", never)
        assert run is not None
        assert run.scopes == users
        gone = [len(mem.history(f"u{number:03}").facts) for number in range(users)]
        assert gone == [1] * users
        assert run.facts == users - 7, "the seven went before what was done of them was written down"
        assert mem.verify().identical


def test_two_processes_do_one_run_between_them(clock: Clock, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", clock=clock) as one, opened(tmp_path / "m.db", clock=clock) as two:
        _fill(one, clock, SCOPES_AT_ONCE + 1)
        one.retain(facts={"*": "30d"})
        beside: list[Any] = []

        def meanwhile() -> bool:
            with retaining._as_nobodys_worker(two._engine) as other:
                beside.append(run_due(two._engine, "default", other, never))
            return False

        with retaining._as_nobodys_worker(one._engine) as owner:
            run = run_due(one._engine, "default", owner, meanwhile)
        assert run is not None
        assert run.facts == SCOPES_AT_ONCE + 1
        assert set(beside) == {None}
        assert len(beside) > SCOPES_AT_ONCE
        assert two.apply_retention().last_run.facts == 0  # type: ignore[union-attr]
        with one._engine.store.read() as reader:
            assert reader.owners() == []
            assert reader.workers() == []


def test_who_does_a_run_by_hand_is_not_taken_for_an_extractor(mem: Memory) -> None:
    mem.add("ann", MESSAGE)
    with retaining._as_nobodys_worker(mem._engine):
        assert mem.state("ann").freshness.reason == "no_extractor"


def test_what_is_said_while_it_runs_is_not_lost(mem: Memory, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at a slot and the transaction that forgets, somebody says the value anew."""
    clock.now = day(60)
    mem.set("ann", "lives_in", "Delhi", said_at=day(0))
    mem.set("ann", "lives_in", "Pune", said_at=day(1))
    mem.retain(facts={"lives_in": "30d"})
    look_up = retaining._slots_with_ended

    def overtaken(*given: Any) -> Any:
        found = look_up(*given)
        assert len(found) == 1
        mem.set("ann", "lives_in", "Delhi", said_at=day(59))
        return found

    monkeypatch.setattr(retaining, "_slots_with_ended", overtaken)
    assert mem.apply_retention().last_run.facts == 0  # type: ignore[union-attr]
    assert mem.get("ann", "lives_in") == "Delhi"
    assert len(mem.history("ann").facts) == 3


def test_a_memory_that_fails_leaves_the_others_be_and_is_told(
    mem: Memory, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _fill(mem, clock, 3)
    mem.retain(facts={"*": "30d"})
    heard: list[tuple[str, Mapping[str, Any]]] = []
    mem.on(lambda event, fields: heard.append((event, fields)))
    forget = removing.forget_where

    def failing(engine: Any, scope: Scope, aim_of: Any) -> Any:
        if scope.user_id == "u001":
            raise StoreError("the disk said no")
        return forget(engine, scope, aim_of)

    with monkeypatch.context() as patch:
        patch.setattr(retaining, "forget_where", failing)
        run = mem.apply_retention().last_run
    assert run is not None
    assert (run.scopes, run.facts, run.failed) == (3, 2, 1)
    failed = [fields for event, fields in heard if event == "retention_failed"]
    assert [(one["scope"].user_id, one["error"]) for one in failed] == [("u001", "StoreError")]
    assert [fields["failed"] for event, fields in heard if event == "retained"] == [1]
    assert "retention of a scope failed" in caplog.text
    assert mem.apply_retention().last_run.facts == 1  # type: ignore[union-attr]


# Workers


def test_a_worker_sees_to_it_beside_extracting(clock: Clock, told: Told, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", clock=clock) as mem:
        _fill(mem, clock, 2)
        mem.retain(facts={"*": "30d"})
        mem.add("ann", MESSAGE)
    done = threading.Event()
    with Memory(tmp_path / "m.db", clock=clock, llm=FakeExtractor(), durability="process") as working:
        working.on(lambda event, _: done.set() if event == "retained" else None)
        for _ in range(3000):  # it may have been done before anybody could listen
            run = working.retention().last_run
            if done.is_set() or (run is not None and run.ended_at is not None):
                break
            done.wait(0.01)
        assert working.retention().last_run.facts == 2  # type: ignore[union-attr]
        assert working.state("ann", wait=20).values == {"lives_in": "Delhi"}


@pytest.mark.parametrize(("namespace", "looked_after"), [(None, {"default", "other"}), ("other", {"other"})])
def test_a_worker_looks_after_the_namespaces_it_works_for(
    clock: Clock, tmp_path: Path, namespace: str | None, looked_after: set[str]
) -> None:
    with opened(tmp_path / "m.db", clock=clock) as mem:
        for name in ("default", "other"):
            mem.retain(texts="1d", namespace=name)
    with Memory(tmp_path / "m.db", clock=clock, namespace=namespace, worker=False) as working:
        look(working._engine, "w", never)
        with working._engine.store.read() as reader:
            assert {name for name in ("default", "other") if kept(reader, name).done} == looked_after


def test_a_keeper_goes_on_whatever_fails_until_it_is_told_to_stop(
    mem: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(retaining, "look", lambda *_: 1 / 0)
    Keeper(mem._engine, "w", lambda: len(waits) == 3, waits.append).work()
    assert len(waits) == 3
    assert min(waits) >= retaining.LOOK_SECONDS
    assert caplog.text.count("could not see what is due") == 3
    monkeypatch.undo()
    mem.close()
    Keeper(mem._engine, "w", never, waits.append).work()


def test_one_namespace_that_fails_does_not_keep_the_others_from_their_turn(
    mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("default", "other"):
        mem.retain(texts="1d", namespace=name)
    saved = retaining._saved

    def failing(engine: Any, namespace: str, *more: Any) -> Any:
        if namespace == "default":
            raise StoreError("no")
        return saved(engine, namespace, *more)

    monkeypatch.setattr(retaining, "_saved", failing)
    heard: list[str] = []
    mem.on(lambda event, fields: heard.append(f"{event} {fields['namespace']}"))
    look(mem._engine, "w", never)
    assert heard == ["retention_failed default", "retained other"]


def test_it_can_be_stopped_between_two_memories(mem: Memory, clock: Clock) -> None:
    _fill(mem, clock, 10)
    mem.retain(facts={"*": "30d"})
    asked = iter(range(10**6))
    stopped = run_due(mem._engine, "default", "w", lambda: next(asked) >= 4)
    assert stopped is not None
    assert stopped.ended is None
    assert 0 < stopped.scopes < 10
    done = run_due(mem._engine, "default", "w", never)
    assert done is not None
    assert done.scopes == 10


def test_every_kind_of_store_keeps_policies_runs_and_leases(shelf: Shelf, clock: Clock) -> None:
    with opening_in(shelf), opened("m", clock=clock) as mem:
        _fill(mem, clock, 2)
        mem.add("u000", "hello", said_at=day(0), extract=False)
        kept = mem.retain(texts="40d", facts={"*": "30d"})
        assert mem.retention() == kept
        run = mem.apply_retention().last_run
        assert run is not None
        assert (run.scopes, run.texts, run.facts, run.failed) == (2, 1, 2, 0)
        assert mem.retention().last_run == run
        assert run_due(mem._engine, "default", "w", never) is None
        assert mem.verify().identical


def test_the_lease_is_no_ones_message(mem: Memory) -> None:
    """A registry is leased for its namespace's run, and is no scope that anybody extracts from."""
    mem.retain(texts="1d")
    with mem._engine.store.write() as tx:
        head = tx.head(registry_scope("default"))
        assert head is not None
        assert tx.lease_scope(head.id, "w", 0, 10**18, [])
    assert run_due(mem._engine, "default", "other", never) is not None, "w is no worker that lives"
    mem.write("ann", [Operation("set", "lives_in", "Delhi")])

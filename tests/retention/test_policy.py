"""What may be said about how long things are kept, where it is kept, and who sees it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Retention
from tensemem.core.registry import Registry
from tensemem.core.retention import Policy, make_policy, policy_in, policy_text
from tensemem.engine.retention import bring_policy, keep_policy, policy_of
from tensemem.errors import InvalidTimeError, InvalidValueError, ReadOnlyError, UnknownPredicateError
from tests.engine.bench import Clock, opened, revs


@pytest.fixture
def mem() -> Iterator[Memory]:
    with opened(clock=Clock()) as memory:
        yield memory


def test_nothing_goes_unless_somebody_says_so(mem: Memory) -> None:
    assert mem.retention() == Retention()
    assert mem.retention().is_empty
    assert mem.apply_retention() == Retention()
    assert mem.stats()["retention"] == {
        "texts": None, "keep_quotes": False, "facts": {}, "predicates": {}, "last_run": None, "next_run_at": None,
    }  # fmt: skip


def test_what_was_said_last_holds_and_no_revision_comes_of_it(mem: Memory) -> None:
    before = revs(mem)
    said = mem.retain(texts="90d", keep_quotes=True, facts={"lives_in": "1y", "*": None})
    assert said == mem.retention()
    assert (said.texts, said.keep_quotes) == (timedelta(days=90), True)
    assert said.facts == {"lives_in": timedelta(days=365), "*": None}
    assert not said.is_empty
    assert mem.retain(facts={"languages": timedelta(days=7)}).texts is None
    assert mem.retain().is_empty
    assert mem.retention() == Retention()
    assert revs(mem) == before


def test_the_same_again_writes_nothing(mem: Memory) -> None:
    mem.retain(texts="90d")
    events: list[str] = []
    mem.on(lambda event, _: events.append(event))
    mem.retain(texts=timedelta(days=90))
    assert events == []
    mem.retain(texts="91d")
    assert events == ["retention"]


def test_a_predicate_goes_by_any_of_its_names(mem: Memory) -> None:
    mem.register_predicate("diet", aliases=["food"])
    assert mem.retain(facts={"Food": "1y"}).facts == {"diet": timedelta(days=365)}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"texts": "soon"}, InvalidTimeError), ({"texts": "0d"}, InvalidTimeError), ({"texts": 90}, InvalidTimeError),
        ({"texts": timedelta(0)}, InvalidTimeError), ({"texts": "1y", "keep_quotes": "yes"}, InvalidValueError),
        ({"keep_quotes": True}, InvalidValueError), ({"facts": ["lives_in"]}, InvalidValueError),
        ({"facts": "lives_in=1y"}, InvalidValueError), ({"facts": {"lives_in": "never"}}, InvalidTimeError),
        ({"facts": {7: "1y"}}, InvalidValueError), ({"facts": {"lair": "1y"}}, UnknownPredicateError),
        ({"facts": {"lives_in": "1y", "Lives In": "2y"}}, InvalidValueError),
    ],
)  # fmt: skip
def test_what_says_nothing_is_refused_and_what_was_said_stays(
    mem: Memory, given: dict[str, Any], error: type[Exception]
) -> None:
    kept = mem.retain(texts="90d")
    with pytest.raises(error):
        mem.retain(**given)
    assert mem.retention() == kept


def test_it_outlives_the_process_and_shows_to_who_may_only_read(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as mem:
        kept = mem.retain(texts="90d")
    with Memory(tmp_path / "m.db", read_only=True, clock=Clock()) as mem:
        assert mem.retention() == kept
        with pytest.raises(ReadOnlyError):
            mem.retain(texts="80d")


def test_each_namespace_has_its_own(mem: Memory) -> None:
    mem.register_predicate("lives_in", namespace="other")
    mem.retain(texts="90d", namespace="other")
    assert mem.retention().is_empty
    assert mem.retention(namespace="other").texts == timedelta(days=90)


def test_one_that_has_never_been_used_may_have_one(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", namespace="new", worker=False) as mem:
        mem.retain(texts="90d")
        assert mem.apply_retention().last_run is not None
        assert mem.scopes() == ()


def test_statistics_tell_it_as_text_with_what_predicates_say_of_themselves(mem: Memory) -> None:
    mem.register_predicate("mood", ttl="1d")
    mem.register_predicate("job", review_after="180d")
    mem.retain(texts="90d", facts={"mood": "30d"})
    told = mem.stats()["retention"]
    assert json.loads(json.dumps(told)) == told
    assert told["predicates"] == {
        "job": {"ttl": None, "review_after": "P180D"}, "mood": {"ttl": "P1D", "review_after": None},
    }  # fmt: skip
    assert (told["texts"], told["facts"], told["next_run_at"]) == (
        "P90D", {"mood": "P30D"}, "2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def test_the_next_run_is_due_at_once_then_after_a_hundredth_of_what_is_shortest(mem: Memory) -> None:
    at = mem.retain(texts="10d").next_run_at
    assert at is not None
    assert at == mem._engine.clock()
    assert mem.apply_retention().next_run_at == at + timedelta(hours=2.4)
    assert Policy(timedelta(minutes=5)).pause == timedelta(hours=1)
    assert Policy(None, False, {"a": None, "b": timedelta(days=9000)}).pause == timedelta(days=1)
    assert mem.retain(texts="11d").next_run_at == at, "another policy is due at once"


def test_a_policy_survives_being_text() -> None:
    registry = Registry.build([])
    for policy in (Policy(), make_policy("90d", True, {"*": "2w"}, registry)):
        assert policy_in(policy_text(policy)) == make_policy(
            policy.texts, policy.keep_quotes, dict(policy.facts or {}), registry
        )
    for text in ("", "[]", "{}", '{"texts": "soon", "keep_quotes": false, "facts": {}}', "null"):
        with pytest.raises(InvalidValueError):
            policy_in(text)


# Copies


def test_it_goes_along_with_a_copy_and_never_over_another(tmp_path: Path) -> None:
    with opened(tmp_path / "a.db") as a:
        a.set("ann", "lives_in", "Delhi")
        a.retain(texts="90d", facts={"lives_in": "1y"})
        kept = a.retention()
        a.copy_to(tmp_path / "b.db")
        with Memory(tmp_path / "b.db", worker=False, clock=Clock()) as b:
            assert b.retention() == kept
            b.retain(texts="30d")
            a.copy_to(b)
            assert b.retention().texts == timedelta(days=30)


def test_exports_find_it_as_text_and_bring_it_back(mem: Memory, tmp_path: Path) -> None:
    mem.retain(texts="90d")
    with opened(tmp_path / "b.db") as other, mem._engine.store.read() as reader:
        text = policy_of(reader, "default")
        with other._engine.store.write() as tx:
            assert bring_policy(reader, tx, "default")
            assert not bring_policy(reader, tx, "default")
            assert policy_of(tx, "default") == text
            with pytest.raises(InvalidValueError):
                keep_policy(tx, "default", "nonsense")
        assert other.retention().texts == timedelta(days=90)

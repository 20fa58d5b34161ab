"""Whatever is done to a served memory through a client, and to one like it that is not served, comes to the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tensemem import Message, Operation
from tests.client.bench import Twins, twins
from tests.settings import law_settings

VALUES: dict[str, Any] = {
    "lives_in": st.sampled_from(["Oslo", "Rome", "Lima \u2028", ""]),
    "languages": st.sampled_from(["Thai", "Irish", "thai"]),
    "born": st.sampled_from([date(1990, 2, 3), "1991-01-01", "not a day"]),
    "weight": st.one_of(st.integers(-5, 5), st.decimals(allow_nan=False, allow_infinity=False, places=3)),
    "tags": st.recursive(st.none() | st.booleans() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=2)),
    "nonsense": st.just("x"),
}
MOMENTS = st.sampled_from([None, None, "2019", date(2026, 5, 1), "2026-05-20", "2031-01-01"])
NAMES = st.sampled_from([*VALUES])

statements = NAMES.flatmap(lambda name: st.tuples(st.just(name), VALUES[name]))
texts = st.sampled_from(["I live in Oslo.", "I moved to Rome.", "I am from Lima.", "hello", "", "\u00e9\x00"])


def _call(name: str, *args: Any, **keywords: Any) -> Any:
    return st.tuples(st.just(name), st.tuples(*args), st.fixed_dictionaries(keywords))


whole = st.one_of(
    statements.flatmap(lambda said: _call("set", *map(st.just, said), since=MOMENTS)),
    statements.flatmap(lambda said: _call("record", *map(st.just, said), valid_from=MOMENTS, valid_to=MOMENTS)),
    statements.flatmap(lambda said: _call("add_value", *map(st.just, said), until=MOMENTS)),
    statements.flatmap(lambda said: _call("retract", *map(st.just, said), since=MOMENTS)),
    statements.flatmap(lambda said: _call("deny", *map(st.just, said))),
    statements.flatmap(lambda said: _call("confirm", *map(st.just, said))),
    _call("replace_values", st.just("languages"), st.lists(VALUES["languages"], max_size=3)),
    _call("remove_value", st.just("languages"), VALUES["languages"]),
    _call("add", texts, said_at=MOMENTS, idempotency_key=st.sampled_from([None, None, "k1", "k2"])),
    _call("write", st.lists(statements.map(lambda said: Operation("set", *said)), max_size=3)),
    _call("flush"),
    _call("preview", st.lists(statements.map(lambda said: Operation("set", *said)), min_size=1, max_size=2)),
    _call("forget", predicate=st.sampled_from(["lives_in", "nonsense"])),
    _call("erase", st.integers(1, 4)),
    _call("dismiss", st.integers(1, 4)),
    _call("get", NAMES, at=MOMENTS, known_at=st.sampled_from([None, 1, 3, "2026", date(2026, 6, 1)])),
    _call("state", at=MOMENTS, known_at=st.sampled_from([None, 2, "2026-06"]), min_seq=st.sampled_from([None, 2, 99])),
    _call("history", st.none() | NAMES, limit=st.sampled_from([None, 1, 3])),
    _call("search", texts, limit=st.integers(1, 3)),
)
of_facts = st.tuples(
    st.sampled_from(["correct", "reinstate", "review", "explain"]), st.integers(0, 5), VALUES["lives_in"] | st.none()
)
READS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("state", {}), ("history", {}), ("context", {}), ("messages", {}), ("changes", {}), ("questions", {}), ("jobs", {}),
    ("digest", {}),
)  # fmt: skip


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with twins(tmp_path_factory.mktemp("twins")) as found:
        found.call("register_predicate", "lives_in", ttl=timedelta(days=400))
        found.call("register_predicate", "languages", "many")
        for name, kind in (("born", "date"), ("weight", "number"), ("tags", "json")):
            found.call("register_predicate", name, type=kind)
        yield found


users = (f"user {number} / ?&%00" for number in itertools.count())


def _law(both: Twins, steps: list[Any]) -> None:
    who = next(users)
    for step in steps:
        if step[0] in ("correct", "reinstate", "review", "explain"):
            _of_a_fact(both, who, *step)
        else:
            name, args, keywords = step
            both.call(name, who, *args, **keywords)
    for name, keywords in READS:
        both.call(name, who, **keywords)
    both.call("verify", who)


def _of_a_fact(both: Twins, who: str, name: str, place: int, value: Any) -> None:
    known = both.memory.history(who).facts
    fact_id = known[place % len(known)].id if known else "none"
    args = {"correct": (fact_id, value), "review": (fact_id, value is not None)}.get(name, (fact_id,))
    both.call(name, *args, user_id=who)


@settings(parent=law_settings, max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.lists(whole | of_facts, min_size=3, max_size=8))
def test_what_is_done_comes_to_the_same(both: Twins, steps: list[Any]) -> None:
    _law(both, steps)


@pytest.mark.slow
@settings(parent=law_settings, max_examples=300, suppress_health_check=list(HealthCheck))
@given(st.lists(whole | of_facts, min_size=3, max_size=12))
def test_much_that_is_done_comes_to_the_same(both: Twins, steps: list[Any]) -> None:
    _law(both, steps)


@settings(parent=law_settings, max_examples=5, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(texts, MOMENTS), max_size=6), st.integers(1, 4))
def test_many_messages_come_to_the_same(both: Twins, said: list[Any], batch: int) -> None:
    who = next(users)
    messages = [Message(f"{who} {n % 2}", text, said_at=moment) for n, (text, moment) in enumerate(said)]
    both.call("add_many", messages, batch=batch)
    for n in range(2):
        both.call("messages", f"{who} {n}")
        both.call("digest", f"{who} {n}")

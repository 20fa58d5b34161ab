"""A client gives what a memory gives: the same results in every field, and the same errors in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tensemem import Client, FakeExtractor, Message, Operation, errors
from tensemem.wire import NOT_SERVED
from tests.client.bench import TOKEN, Twins, between, same, served, twins

PREDICATES: dict[str, dict[str, Any]] = {
    "lives_in": {"aliases": ("city",), "ttl": timedelta(days=400), "description": "Where \"they\" live\\ now"},
    "languages": {"cardinality": "many", "examples": ["German"]},
    "born": {"type": "date"}, "seen": {"type": "datetime"}, "takes": {"type": "duration"}, "weight": {"type": "number"},
    "is_vegan": {"type": "bool"}, "tags": {"type": "json"}, "employer": {"type": "entity"},
    "mood": {"type": "enum", "choices": ["good", "bad"], "writers": ("user", "agent"), "trust": {"user": 2, "b": 1}},
}  # fmt: skip


@pytest.fixture(scope="module")
def module_twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with twins(tmp_path_factory.mktemp("twins")) as both:
        for name, options in PREDICATES.items():
            both.call("register_predicate", name, **options)
        both.call("register_entity", "Acme Corporation", aliases=("Acme", "ACME Inc."), kind="company")
        yield both


@pytest.fixture
def both(module_twins: Twins, request: pytest.FixtureRequest) -> Twins:
    return module_twins


def user(request: pytest.FixtureRequest) -> str:
    return request.node.name


# What verbs give


def test_everything_that_a_talk_comes_to_is_the_same(both: Twins) -> None:
    ann = "ann / ../ä%00? &=+"
    both.call("add", ann, "I live in Berlin.", session_id="s1", speaker=None, metadata={"channel": "chat", "n": 1})
    both.call("add", ann, [{"role": "user", "content": "I moved to Oslo."}, {"role": "assistant", "content": "Nice!"}])
    both.call("add", ann, [{"type": "text", "text": "in parts"}, {"type": "image_url", "image_url": {"url": b"x"}}])
    both.call("add", ann, None, role="tool", extract=False)
    both.call("jobs", ann)
    both.call("jobs")
    both.call("jobs", namespace="acme")
    both.call("stats", namespace="acme")
    both.call("flush", ann)
    moved = both.call("set", ann, "lives_in", "Rome", since=date(2026, 5, 1), source="form", metadata={"x": None})
    both.call("record", ann, "lives_in", "Paris", valid_from="2019", valid_to=datetime(2020, 2, 3, 4, 5, 6, 7, UTC))
    both.call("set", ann, "born", date(1990, 2, 3))
    both.call("set", ann, "seen", datetime(2026, 1, 2, 3, 4, 5, 678, UTC))
    both.call("set", ann, "takes", timedelta(days=1, seconds=5))
    both.call("set", ann, "weight", Decimal("70.123456789012345678"))
    both.call("set", ann, "is_vegan", True)
    both.call("set", ann, "tags", {"deep": [1, 2.5, None, {"x": "y"}]})
    both.call("set", ann, "employer", "acme")
    both.call("set", ann, "mood", "good", source="agent")
    both.call("add_value", ann, "languages", "German")
    both.call("add_value", ann, "languages", "Dutch", until="2027-01-01")
    both.call("replace_values", ann, "languages", {"Irish", "German"})
    both.call("remove_value", ann, "languages", "Irish")
    both.call("write", ann, [Operation("set", "lives_in", "Delhi", subject="bob"), Operation("deny", "mood", "bad")])
    both.call("confirm", ann, "lives_in")
    both.call("retract", ann, "mood", since="2026-06-01T11:00:00+00:00")
    both.call("deny", ann, "lives_in", "Madrid")
    for dry_run in (True, False):
        both.call("correct", moved.fact_id, "Milan", reason="a slip", user_id=ann, dry_run=dry_run)
    both.call("reinstate", moved.fact_id)
    both.call("record", ann, "lives_in", "Tokyo", valid_from="2030-01-01")
    for name in ("state", "history", "context", "questions", "messages", "changes", "digest"):
        both.call(name, ann)
    both.call("state", ann, at="2019-06", layers=["", "guide"])
    both.call("state", ann, known_at=4, predicates=["lives_in", "city"], subject="user")
    both.call("state", ann, known_at="2026", predicates=[], on_stale="raise")
    both.call("state", ann, at=date(2026, 5, 2), known_at=both.clock(), min_seq=3, wait=True)
    both.call("history", ann, "lives_in", between=("2018", date(2021, 1, 1)), limit=2)
    both.call("context", ann, "where does she live", max_tokens=30, format="xml", include_history=True)
    both.call("search", ann, "Oslo OR \"Berlin\" *", limit=3)
    both.call("messages", ann, session_id="s1", after=0, before=9, limit=5)
    both.call("changes", ann, 3, limit=4, wait=0)
    both.call("decisions", ann, 1)
    for fact in both.memory.state(ann).facts:
        both.call("explain", fact.id, user_id=ann)
    for name in ("predicates", "proposals", "stats", "retention", "scopes", "verify", "rebuild"):
        both.call(name)


@pytest.mark.parametrize("name", ["lives_in", "city"])
def test_a_value_comes_back_as_it_is(both: Twins, name: str) -> None:
    assert both.call("get", "cy", name) is None
    assert both.call("get", "cy", name, "nowhere", subject="eve") == "nowhere"
    both.call("set", "cy", name, "Bonn")
    assert both.call("get", "cy", name, 5) == "Bonn"
    both.call("retract", "cy", name)


def test_typed_and_many_values_come_back_as_they_are(both: Twins) -> None:
    both.call("set", "dee", "lives_in", Decimal("70.50"))
    both.call("retract", "dee", "lives_in")
    both.call("set", "dee", "born", "1990-02-03")
    assert both.call("get", "dee", "born") == date(1990, 2, 3)
    both.call("replace_values", "dee", "languages", ["Irish", "Thai"])
    assert both.call("get", "dee", "languages") == ("Irish", "Thai")
    assert both.call("state", "dee").values == {"born": date(1990, 2, 3), "languages": ("Irish", "Thai")}


def test_many_messages_are_logged_as_they_come(both: Twins) -> None:
    given = [Message(f"u{n % 3}", f"hello {n}", said_at=f"2026-05-0{n % 9 + 1}", agent_id="a") for n in range(25)]
    assert len(both.call("add_many", given, batch=10)) == 25
    assert all(one.duplicate for one in both.call("add_many", tuple(given), batch=7))


def test_a_file_of_definitions_a_model_and_a_ready_profile_are_registered(both: Twins, tmp_path: Path) -> None:
    class Pet(BaseModel):
        pet_name: str
        pet_age: int | None = None
        pet_foods: list[str] = []

    more = '[predicates.shoe_size]\ntype = "number"\n[entities.Rex]\naliases = ["the dog"]\n'
    (tmp_path / "more.toml").write_text(more, encoding="utf-8")
    both.call("register", Pet)
    both.call("register", [Pet, tmp_path / "more.toml"])
    both.call("register", "personal", namespace="elsewhere")
    both.call("predicates", namespace="elsewhere")
    both.call("predicates")
    both.call("set", "pia", "pet_name", "The Dog")


def test_what_is_forgotten_is_told_alike(both: Twins) -> None:
    for name in ("fay", "gus"):
        both.call("add", name, "I live in Lima.")
        both.call("flush", name)
        both.call("set", name, "mood", "good")
        both.call("set", name, "employer", "Acme")
    fact = both.memory.state("fay").fact("employer")
    assert fact is not None
    both.call("forget", fact_id=fact.id)
    both.call("forget", "fay", predicate="mood")
    both.call("erase", "fay", 1)
    both.call("purge", "2026-06-02", user_id="gus", keep_quotes=True)
    both.call("forget", "gus")
    both.call("retain", texts="P30D", facts={"*": None, "mood": timedelta(days=7)})
    both.call("apply_retention")
    both.call("retain")
    both.call("state", "gus")
    both.call("scopes", "g")


def test_what_is_previewed_and_extracted_again_is_told_alike(both: Twins) -> None:
    both.call("add", "hal", "I live in Cairo.")
    both.call("preview", "hal", "I live in Quito.")
    both.call("preview", "hal", [{"role": "user", "content": "I live in Kyiv."}])
    both.call("preview", "hal", [Message("hal", "I live in Riga.")])
    both.call("preview", "hal", [Operation("set", "lives_in", "Bern")])
    both.call("dismiss", "hal", 1)
    both.call("retry", "hal", 1)
    both.call("retry")


def test_difference_of_a_dry_run_is_what_is_written(both: Twins) -> None:
    both.client.add("ida", "I live in Bari.")
    both.client.flush("ida")
    both.memory.add("ida", "I live in Bari.")
    both.memory.flush("ida")
    plans = [kind.plan_reextract("ida", llm) for kind, llm in ((both.client, None), (both.memory, FakeExtractor()))]
    found = [kind.reextract("ida", llm) for kind, llm in ((both.client, None), (both.memory, FakeExtractor()))]
    kinds = (both.client, both.memory)
    written = [kind.reextract("ida", each, dry_run=False) for kind, each in zip(kinds, found, strict=True)]
    for mine, theirs in (plans, found, written):
        same(mine, theirs)
    both.call("digest", "ida")


# What is refused


def test_what_is_wrong_is_refused_in_the_same_words(both: Twins) -> None:
    wrong: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("set", ("joe", "nonsense", 1), {}),
        ("set", ("joe", "born", "not a day"), {}),
        ("set", ("joe", "is_vegan", date(2026, 1, 1)), {}),
        ("set", ("joe", "lives_in", None), {}),
        ("set", ("joe", "lives_in", "x"), {"since": "someday"}),
        ("set", ("joe", "lives_in", "x"), {"since": 5}),
        ("set", ("joe", "lives_in", "x"), {"said_at": "2031-01-01"}),
        ("set", ("joe", "lives_in", "x"), {"expected_rev": "0.0.0"}),
        ("record", ("joe", "lives_in", "x"), {"valid_from": None}),
        ("replace_values", ("joe", "languages", "Thai"), {}),
        ("state", ("",), {}),
        ("state", ("joe",), {"at": "yesterday, perhaps"}),
        ("state", ("joe",), {"predicates": ["nonsense"]}),
        ("state", ("joe",), {"min_seq": 1000, "on_stale": "raise"}),
        ("get", ("joe", "nonsense"), {}),
        ("explain", ("nonsense",), {}),
        ("correct", ("nonsense",), {}),
        ("correct", (7,), {}),
        ("answer", ("nonsense", "yes"), {}),
        ("decisions", ("joe", 5), {}),
        ("erase", ("joe", 5), {}),
        ("dismiss", ("joe", 5), {}),
        ("forget", (), {}),
        ("register_predicate", ("lives_in", "many"), {}),
        ("register_predicate", ("mood2",), {"type": "enum"}),
        ("register_predicate", ("mood2",), {"ttl": "a while"}),
        ("register_entity", ("I",), {}),
        ("register", (7,), {}),
        ("write", ("joe", []), {}),
        ("add", ("joe", 7), {}),
        ("add", ("joe", "hello"), {"role": "king"}),
        ("add", ("joe", "x" * 1_048_577), {}),
        ("retain", (), {"texts": "a while"}),
        ("purge", (5,), {}),
    ]
    for name, args, keywords in wrong:
        error = both.call(name, *args, **keywords)
        assert isinstance(error, errors.TensememError), name


@pytest.mark.parametrize("bad", [None, 5, b"ann", "x" * 513, "\ud800", " "])
def test_what_names_nobody_is_refused_alike(both: Twins, bad: Any) -> None:
    for name in ("state", "digest"):
        mine, theirs = (_error(getattr(kind, name), bad) for kind in (both.client, both.memory))
        assert mine is theirs is errors.InvalidScopeError


def _error(call: Any, *args: Any) -> type[Exception] | None:
    try:
        call(*args)
    except errors.TensememError as error:
        return type(error)
    return None


def test_what_is_too_long_for_a_request_is_said_to_be(both: Twins) -> None:
    with pytest.raises(errors.InvalidValueError, match="too long for a request"):
        both.client.search("ann", "word " * 20_000)
    both.call("explain", "x" * 100_000)


def test_a_known_key_with_other_words_is_refused(both: Twins) -> None:
    both.call("add", "kim", "hello", idempotency_key="k1")
    assert both.call("add", "kim", "hello", idempotency_key="k1").duplicate
    assert isinstance(both.call("add", "kim", "goodbye", idempotency_key="k1"), errors.IdempotencyConflictError)


def test_a_stale_memory_tells_how_stale_it_is(both: Twins) -> None:
    both.call("add", "lea", "I live in Turin.")
    error = both.call("state", "lea", on_stale="raise", wait=0)
    assert isinstance(error, errors.StaleMemoryError)
    assert error.freshness == both.memory.state("lea").freshness


def test_a_call_that_no_verb_takes_is_a_type_error(both: Twins) -> None:
    kinds: list[Any] = [both.client, both.memory]
    for kind in kinds:
        with pytest.raises(TypeError, match="colour"):
            kind.state("ann", colour="red")
        with pytest.raises(TypeError, match="user_id"):
            kind.state()


@pytest.mark.parametrize("name", [*NOT_SERVED, "restore"])
def test_a_verb_that_is_not_served_says_why(both: Twins, name: str) -> None:
    with pytest.raises(errors.AccessError, match=rf"^{name} is not served: .+ Memory has it"):
        getattr(both.client, name)("anything")


@pytest.mark.parametrize(
    ("name", "args", "what"),
    [
        ("preview", ("ann", "hello", "offline"), "asks its own extractor"),
        ("reextract", ("ann", "offline"), "operator chose"),
        ("plan_reextract", ("ann", "offline"), "operator chose"),
    ],
)
def test_a_server_asks_nobody_that_a_client_names(both: Twins, name: str, args: Any, what: str) -> None:
    with pytest.raises(errors.InvalidValueError, match=what):
        getattr(both.client, name)(*args)


# Bound to one scope, and in one block


def test_a_scope_a_turn_and_the_tools_of_a_loop_work_alike(both: Twins) -> None:
    for kind in (both.client, both.memory):
        mia = kind.for_user("mia", agent_id="guide")
        with mia.turn("I live in Ghent.", idempotency_key="t1") as turn:
            turn.answer = "I see."
        mia.flush()
        assert mia.get("lives_in") == "Ghent"
        assert [message.content for message in mia.messages()] == ["I live in Ghent.", "I see."]
        assert {tool["function"]["name"] for tool in mia.tools()} >= {"memory_set", "memory_correct"}
        assert "memory_set" not in mia.tools(read_only=True).names
    said = [
        ("memory_get", {"predicate": "lives_in"}), ("memory_context", {}), ("memory_search", {"query": "Ghent"}),
        ("memory_set", {"predicate": "born", "value": "1999-09-09"}), ("memory_get", {"predicate": "born"}),
        ("memory_why", {"predicate": "born", "value": "1999-09-09"}), ("memory_history", {"predicate": "lives_in"}),
        ("memory_correct", {"predicate": "lives_in", "wrong_value": "Ghent", "value": "Bruges"}),
        ("memory_retract", {"predicate": "born"}), ("memory_set", {"predicate": "nonsense", "value": "x"}),
        ("memory_dance", {}),
    ]  # fmt: skip
    for name, arguments in said:
        of_mia = [kind.for_user("mia", agent_id="guide") for kind in (both.client, both.memory)]
        mine, theirs = (bound.call(name, arguments) for bound in of_mia)
        assert (str(mine), mine.is_error) == (str(theirs), theirs.is_error)


def test_a_client_of_one_namespace_knows_no_other(tmp_path: Path) -> None:
    with served(tmp_path / "m.db") as server, Client(server.url, TOKEN, namespace="acme") as client:
        client.register_predicate("lives_in")
        client.set("ann", "lives_in", "Oslo")
        assert client.for_user("ann").namespace == "acme"
        with pytest.raises(errors.InvalidScopeError, match="pinned"):
            client.state("ann", namespace="default")
        assert client.stats()["namespace"] == "acme"
        assert client.stats()["facts"] == 1
        assert client.jobs() == ()
        with pytest.raises(errors.InvalidScopeError, match="pinned"):
            client.jobs(namespace="default")
        for call in (client.rebuild, client.verify):
            with pytest.raises(errors.InvalidScopeError, match="the server's own"):
                call()
        with pytest.raises(errors.InvalidScopeError, match="all there are"):
            client.backup(tmp_path / "b.db")
        with Client(server.url, TOKEN) as other:
            assert other.state("ann").values == {}
            assert other.get("ann", "lives_in", namespace="acme") == "Oslo"
        with Client(server.url, TOKEN, namespace="default") as home:
            assert home.stats()["namespace"] == "default"
            assert home.jobs() == ()


def test_nothing_of_what_a_call_needs_is_asked_twice(both: Twins) -> None:
    address = both.client._setting.address.url
    with between(address) as proxy, Client(proxy.url, TOKEN) as client:
        client.set("ned", "lives_in", "Oslo")
        client.get("ned", "lives_in")
        client.for_user("ned").state()
        assert proxy.seen == ["pass /v1/write", "pass /v1/get", "pass /v1/state"]

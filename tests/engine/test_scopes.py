"""Whose memory: handles bound to a scope, namespaces, agents, and layers of them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import ClosedError, InvalidScopeError, InvalidValueError, UnknownFactError, UnknownPredicateError
from tensemem.verbs.scoped import ScopedMemory, public_verbs
from tests.engine.bench import Told, lives, opened, refused, speaks

# What takes an id, as calls of a handle.
BY_ID: dict[str, Any] = {
    "correct": lambda handle, id, **o: handle.correct(id, **o),
    "correct with a value": lambda handle, id, **o: handle.correct(id, "Oslo", **o),
    "reinstate": lambda handle, id, **o: handle.reinstate(id, **o),
    "review": lambda handle, id, **o: handle.review(id, **o),
    "explain": lambda handle, id, **o: handle.explain(id, **o),
}


@pytest.fixture
def fact_id(mem: Memory) -> str:
    found = mem.set("ann", "lives_in", "Delhi").fact_id
    assert found is not None
    mem.set("bob", "lives_in", "Pune")
    mem.set("ann", "lives_in", "Goa", agent_id="coach")
    return found


@pytest.mark.parametrize("verb", BY_ID)
def test_ids_of_other_scopes_are_unknown_to_a_bound_handle(mem: Memory, fact_id: str, verb: str) -> None:
    for handle in (mem.for_user("bob"), mem.for_user("ann", agent_id="coach"), mem.for_user("ann", namespace="other")):
        with refused(mem, UnknownFactError):
            BY_ID[verb](handle, fact_id)


@pytest.mark.parametrize("verb", BY_ID)
def test_ids_of_other_users_and_agents_are_unknown_where_they_are_named(mem: Memory, fact_id: str, verb: str) -> None:
    for named in ({"user_id": "bob"}, {"agent_id": "coach"}, {"namespace": "other"}, {"user_id": "ANN"}):
        with refused(mem, UnknownFactError):
            BY_ID[verb](mem, fact_id, **named)


NO_IDS = ["", " ", "x", "a-1-1-0", "0123456789abcdef-1-0-0", 7, None, b"x", "\0", "\ud800", "x" * 10**5]


@pytest.mark.parametrize("verb", BY_ID)
def test_what_is_no_id_is_unknown(mem: Memory, fact_id: str, verb: str) -> None:
    for id in NO_IDS:
        with refused(mem, UnknownFactError):
            BY_ID[verb](mem, id)


def test_an_id_that_names_no_claim_is_unknown(mem: Memory, fact_id: str) -> None:
    tag = fact_id.partition("-")[0]
    for rest in ("99-0-0", "1-1-0", "1-0-1", "0-0-0", "1-0-0-9", "1-0", "1-0-0-0-0-0"):
        with refused(mem, UnknownFactError):
            mem.correct(f"{tag}-{rest}")


def test_an_id_alone_finds_its_scope(mem: Memory, fact_id: str) -> None:
    mem.correct(fact_id)
    assert mem.get("ann", "lives_in") is None
    assert mem.get("bob", "lives_in") == "Pune"
    assert mem.get("ann", "lives_in", agent_id="coach") == "Goa"


def test_a_bound_handle_has_the_verbs_without_their_scope(mem: Memory) -> None:
    handle = mem.for_user("ann", agent_id="coach")
    assert (handle.user_id, handle.agent_id) == ("ann", "coach")
    for name, verb in public_verbs().items():
        concerns_a_scope = {"user_id", "agent_id"} <= set(inspect.signature(verb).parameters)
        assert hasattr(handle, name) == concerns_a_scope, name
        if concerns_a_scope:
            own = inspect.signature(getattr(ScopedMemory, name)).parameters
            assert not {"user_id", "agent_id", "namespace"} & set(own), name


def test_a_bound_handle_writes_and_reads_its_scope(mem: Memory, told: Told) -> None:
    handle = mem.for_user("ann", agent_id="coach")
    handle.set("lives_in", "Goa")
    handle.add_value("languages", "Go")
    told.answers["I live in Delhi"] = [lives("Delhi")]
    seq = handle.add("I live in Delhi").seq
    assert handle.flush().is_current
    assert handle.state().values == {"lives_in": "Delhi", "languages": ("Go",)}
    assert handle.get("lives_in") == "Delhi"
    assert [fact.value for fact in handle.history("lives_in")] == ["Goa", "Delhi"]
    assert [one.outcome for one in handle.decisions(seq)] == ["admitted"]
    assert handle.digest() == mem.digest("ann", agent_id="coach")
    assert mem.state("ann").facts == ()


@pytest.mark.parametrize("name", ["user_id", "agent_id", "namespace"])
def test_a_bound_handle_cannot_be_led_elsewhere(mem: Memory, name: str) -> None:
    handle: Any = mem.for_user("ann")
    with pytest.raises(TypeError):
        handle.set("lives_in", "Delhi", **{name: "bob"})
    with pytest.raises(TypeError):
        handle.state(**{name: "bob"})


# --- namespaces ---------------------------------------------------------------------------------------------------


def test_namespaces_are_walls(mem: Memory, fact_id: str) -> None:
    with refused(mem, UnknownPredicateError):
        mem.set("ann", "lives_in", "Oslo", namespace="other")
    mem.register_predicate("lives_in", "many", namespace="other")
    mem.set("ann", "lives_in", "Oslo", namespace="other")
    assert mem.get("ann", "lives_in") == "Delhi"
    assert mem.get("ann", "lives_in", namespace="other") == ("Oslo",)
    assert {predicate.name for predicate in mem.predicates(namespace="other")} == {"lives_in"}
    assert [scope.user_id + scope.agent_id for scope in mem.scopes()] == ["ann", "anncoach", "bob"]
    other = mem.state("ann", namespace="other").facts[0].id
    with refused(mem, UnknownFactError):
        mem.correct(other)
    with refused(mem, UnknownFactError):
        mem.explain(other)
    assert mem.correct(other, namespace="other").changed


def test_counts_and_jobs_are_of_ones_own_namespace(mem: Memory, fact_id: str) -> None:
    mem.add("eve", "hello there", namespace="other")
    assert mem.jobs() == ()
    assert mem.stats()["pending"] == 0
    assert mem.stats()["scopes"] == 3


def test_a_flush_of_all_is_of_ones_own_namespace(mem: Memory, told: Told) -> None:
    mem.add("eve", "hello there", namespace="other")
    mem.flush()
    assert told.asked == []
    mem.flush("eve", namespace="other")
    assert told.asked == ["hello there"]


def test_entities_of_another_namespace_mean_nothing_here(mem: Memory) -> None:
    mem.register_entity("Delhi", aliases=["Dilli"], namespace="other")
    mem.set("ann", "lives_in", "Dilli")
    assert mem.get("ann", "lives_in") == "Dilli"


@pytest.mark.parametrize("user", ["Ann", "ann ", " ann", "ann\u0301", "a%", "a_n", "*", "ann/x", "ann:x"])
def test_users_are_exact_strings(mem: Memory, user: str) -> None:
    mem.set("ann", "lives_in", "Delhi")
    assert mem.state(user).facts == ()
    mem.set(user, "lives_in", "Pune")
    assert (mem.get(user, "lives_in"), mem.get("ann", "lives_in")) == ("Pune", "Delhi")


def test_user_and_agent_are_not_run_together(mem: Memory) -> None:
    mem.set("ab", "lives_in", "Delhi", agent_id="c")
    mem.set("a", "lives_in", "Pune", agent_id="bc")
    assert mem.get("ab", "lives_in", agent_id="c") == "Delhi"
    assert mem.get("a", "lives_in", agent_id="bc") == "Pune"


def test_scopes_are_paged(mem: Memory) -> None:
    for user in ("a", "b", "ba", "c"):
        mem.set(user, "lives_in", "Delhi")
    first = mem.scopes(limit=3)
    assert [scope.user_id for scope in first] == ["a", "b", "ba"]
    assert [scope.user_id for scope in mem.scopes(after=first[-1].cursor)] == ["c"]
    assert [scope.user_id for scope in mem.scopes("b")] == ["b", "ba"]


# --- layers -------------------------------------------------------------------------------------------------------


def test_the_first_layer_that_shows_something_in_a_slot_wins_it(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.add_value("ann", "languages", "Go")
    mem.add_value("ann", "languages", "SQL")
    mem.add_value("ann", "languages", "Rust", agent_id="coach")
    assert mem.state("ann", layers=["coach", ""]).values == {"lives_in": "Delhi", "languages": ("Rust",)}
    assert mem.state("ann", layers=["", "coach"]).values == {"lives_in": "Delhi", "languages": ("Go", "SQL")}
    assert mem.state("ann", layers=["coach"]).values == {"languages": ("Rust",)}
    assert "Rust" in mem.context("ann", layers=["coach", ""]).text


def test_layers_are_current_only_if_each_is(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.add("ann", "hello there", agent_id="coach")
    assert mem.state("ann").freshness.is_current
    joined = mem.state("ann", layers=["", "coach"]).freshness
    assert (joined.is_current, joined.pending, joined.reason) == (False, 1, "no_extractor")


# --- names --------------------------------------------------------------------------------------------------------

BAD_NAMES = ["", " ", "\t\n", "a\0b", "\ud800", "x" * 513, None, 7, b"ann", ["ann"], True]

SCOPED: dict[str, Any] = {
    "add": lambda mem, **o: mem.add(content="hello", **o),
    "set": lambda mem, **o: mem.set(predicate="lives_in", value="Delhi", **o),
    "record": lambda mem, **o: mem.record(predicate="lives_in", value="Delhi", valid_from="2025", **o),
    "add_value": lambda mem, **o: mem.add_value(predicate="languages", value="Go", **o),
    "remove_value": lambda mem, **o: mem.remove_value(predicate="languages", value="Go", **o),
    "replace_values": lambda mem, **o: mem.replace_values(predicate="languages", values=["Go"], **o),
    "retract": lambda mem, **o: mem.retract(predicate="lives_in", **o),
    "deny": lambda mem, **o: mem.deny(predicate="lives_in", value="Delhi", **o),
    "confirm": lambda mem, **o: mem.confirm(predicate="lives_in", value="Delhi", **o),
    "write": lambda mem, **o: mem.write(operations=[speaks("Go")], **o),
    "preview": lambda mem, **o: mem.preview(messages_or_operations=[speaks("Go")], **o),
    "state": lambda mem, **o: mem.state(**o),
    "get": lambda mem, **o: mem.get(predicate="lives_in", **o),
    "history": lambda mem, **o: mem.history(**o),
    "decisions": lambda mem, **o: mem.decisions(seq=1, **o),
    "context": lambda mem, **o: mem.context(**o),
    "search": lambda mem, **o: mem.search(query="Delhi", **o),
    "changes": lambda mem, **o: mem.changes(**o),
    "dismiss": lambda mem, **o: mem.dismiss(seq=1, **o),
    "digest": lambda mem, **o: mem.digest(**o),
    "for_user": lambda mem, **o: mem.for_user(**o),
}


@pytest.mark.parametrize("verb", SCOPED)
def test_what_names_no_user_is_refused(mem: Memory, verb: str) -> None:
    for name in BAD_NAMES:
        with refused(mem, InvalidScopeError):
            SCOPED[verb](mem, user_id=name)
    assert mem.scopes() == ()


@pytest.mark.parametrize("verb", SCOPED)
def test_what_names_no_agent_or_namespace_is_refused(mem: Memory, verb: str) -> None:
    for name in (" ", "a\0b", "\ud800", "x" * 513, 7):
        with refused(mem, InvalidScopeError):
            SCOPED[verb](mem, user_id="ann", agent_id=name)
        with refused(mem, InvalidScopeError):
            SCOPED[verb](mem, user_id="ann", namespace=name)
    assert mem.scopes() == ()


@pytest.mark.parametrize("layers", [7, [""] * 3 + [" "], [None], ["a\0"]])
def test_what_names_no_layers_is_refused(mem: Memory, layers: Any) -> None:
    with refused(mem, InvalidScopeError, InvalidValueError):
        mem.state("ann", layers=layers)
    with refused(mem, InvalidScopeError, InvalidValueError):
        mem.context("ann", layers=layers)


@pytest.mark.parametrize("verb", SCOPED)
def test_a_closed_memory_says_so(verb: str) -> None:
    mem = opened()
    mem.set("ann", "lives_in", "Delhi")
    mem.close()
    mem.close()
    with pytest.raises(ClosedError):
        SCOPED[verb](mem, user_id="ann")


@pytest.mark.parametrize("verb", BY_ID)
def test_a_closed_memory_says_so_to_an_id_too(verb: str) -> None:
    mem = opened()
    fact_id = mem.set("ann", "lives_in", "Delhi").fact_id
    mem.close()
    with pytest.raises(ClosedError):
        BY_ID[verb](mem, fact_id)


@pytest.mark.parametrize(
    "call",
    [
        lambda mem: mem.jobs(), lambda mem: mem.retry(), lambda mem: mem.stats(), lambda mem: mem.scopes(),
        lambda mem: mem.flush(), lambda mem: mem.verify(), lambda mem: mem.rebuild(), lambda mem: mem.predicates(),
        lambda mem: mem.proposals(), lambda mem: mem.register_predicate("x"), lambda mem: mem.register_entity("x"),
        lambda mem: list(mem.add_many([])), lambda mem: mem.register("profile.toml"),
    ],
)  # fmt: skip
def test_a_closed_memory_says_so_to_verbs_of_the_whole(call: Any) -> None:
    mem = opened()
    mem.close()
    with pytest.raises(ClosedError):
        call(mem)

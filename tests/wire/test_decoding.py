"""Requests are arguments of a verb, exactly, or are refused in words that say which and why."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tensemem import Operation
from tensemem.errors import InvalidValueError
from tensemem.model.operation import Message
from tensemem.wire import SERVED, decode, encode, query_of

IN_QUERIES: list[tuple[str, list[tuple[str, str]], dict[str, Any]]] = [
    ("state", [("user_id", "u1")], {"user_id": "u1"}),
    ("state", [("user_id", "")], {"user_id": ""}),
    ("state", [("user_id", "/../\0%00"), ("layers", ""), ("layers", "a1")],
     {"user_id": "/../\0%00", "layers": ["", "a1"]}),
    ("state", [("user_id", "u1"), ("known_at", "12")], {"user_id": "u1", "known_at": 12}),
    ("state", [("user_id", "u1"), ("known_at", "time:2026")], {"user_id": "u1", "known_at": "2026"}),
    ("state", [("user_id", "u1"), ("known_at", "2026-03")], {"user_id": "u1", "known_at": "2026-03"}),
    ("state", [("user_id", "12"), ("at", "2026")], {"user_id": "12", "at": "2026"}),
    ("state", [("user_id", "u1"), ("wait", "true"), ("min_seq", "7")], {"user_id": "u1", "wait": True, "min_seq": 7}),
    ("state", [("user_id", "u1"), ("wait", "2.5"), ("on_stale", "raise")],
     {"user_id": "u1", "wait": 2.5, "on_stale": "raise"}),
    ("history", [("user_id", "u1"), ("between", "2026"), ("between", "2027")],
     {"user_id": "u1", "between": ("2026", "2027")}),
    ("history", [("user_id", "u1"), ("subject", "")], {"user_id": "u1", "subject": None}),
    ("history", [("user_id", "u1"), ("subject", "null")], {"user_id": "u1", "subject": "null"}),
    ("search", [("user_id", "u1"), ("query", "12"), ("include_history", "false")],
     {"user_id": "u1", "query": "12", "include_history": False}),
    ("doctor", [], {}),
    ("scopes", [("after", "u1\0a1"), ("limit", "5")], {"after": "u1\0a1", "limit": 5}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "wanted"), IN_QUERIES)
def test_a_query_is_arguments(name: str, given: list[tuple[str, str]], wanted: dict[str, Any]) -> None:
    found = decode(SERVED[name], given)
    assert found == wanted
    assert {key: type(value) for key, value in found.items()} == {key: type(value) for key, value in wanted.items()}


IN_BODIES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("set", {"user_id": "u1", "predicate": "p", "value": [1, None, {"a": 2.5}]},
     {"user_id": "u1", "predicate": "p", "value": [1, None, {"a": 2.5}]}),
    ("retract", {"user_id": "u1", "predicate": "p", "value": None}, {"user_id": "u1", "predicate": "p", "value": None}),
    ("record", {"user_id": "u1", "predicate": "p", "value": 1, "valid_from": None, "valid_to": "2026"},
     {"user_id": "u1", "predicate": "p", "value": 1, "valid_from": None, "valid_to": "2026"}),
    ("add", {"user_id": "u1", "content": [{"role": "user", "content": "hi"}], "wait": 3, "extract": False},
     {"user_id": "u1", "content": [{"role": "user", "content": "hi"}], "wait": 3.0, "extract": False}),
    ("write", {"user_id": "u1", "operations": [{"op": "set", "predicate": "p", "value": "2026-03-05",
                                                "value_type": "date", "since": "2026"}]},
     {"user_id": "u1", "operations": [Operation("set", "p", date(2026, 3, 5), since="2026")]}),
    ("add_many", {"messages": [{"user_id": "u1", "content": "hi"}], "batch": 5},
     {"messages": [Message("u1", "hi")], "batch": 5}),
    ("preview", {"user_id": "u1", "messages_or_operations": [{"op": "deny", "predicate": "p", "value": 1}]},
     {"user_id": "u1", "messages_or_operations": [Operation("deny", "p", 1)]}),
    ("preview", {"user_id": "u1", "messages_or_operations": [{"role": "user", "content": "hi"}]},
     {"user_id": "u1", "messages_or_operations": [{"role": "user", "content": "hi"}]}),
    ("preview", {"user_id": "u1", "messages_or_operations": "hi"}, {"user_id": "u1", "messages_or_operations": "hi"}),
    ("register_predicate", {"name": "p", "ttl": "30d", "trust": {"crm": 2}, "choices": None},
     {"name": "p", "ttl": "30d", "trust": {"crm": 2}, "choices": None}),
    ("register_predicate", {"name": "p", "trust": ["crm", "user"], "min_confidence": 1},
     {"name": "p", "trust": ["crm", "user"], "min_confidence": 1.0}),
    ("retain", {"texts": "30d", "facts": {"*": None, "p": "1d"}}, {"texts": "30d", "facts": {"*": None, "p": "1d"}}),
    ("register", {"source": "personal"}, {"source": "personal"}),
    ("register", {"source": "/etc/passwd"}, {"source": "/etc/passwd\n"}),
    ("plan_reextract", {"user_id": "u1", "since": "2026"}, {"user_id": "u1", "since": "2026"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "wanted"), IN_BODIES)
def test_a_body_is_arguments(name: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert decode(SERVED[name], given) == wanted


U = {"user_id": "u1"}
REFUSED_BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("set", {"user_id": "u1", "predicate": "p"}, "set needs value"),
    ("set", {**U, "predicate": "p", "value": 1, "valeu": 2}, "takes no 'valeu'; it takes user_id, predicate"),
    ("set", {**U, "predicate": 5, "value": 1}, "predicate: give text, not a int"),
    ("set", {**U, "predicate": None, "value": 1}, "predicate: give text, not null"),
    ("set", {**U, "predicate": "p", "value": "\ud800"}, "value: the text has half a surrogate"),
    ("set", {**U, "predicate": "p", "value": {"\ud800": 1}}, "value: the text has half a surrogate"),
    ("set", {**U, "predicate": "p", "value": [float("inf")]}, "value: JSON has no such number"),
    ("set", {**U, "predicate": "p", "value": 1, "expected_rev": 10**30}, "expected_rev: give a number from 0 to"),
    ("set", {**U, "predicate": "p", "value": 1, "expected_rev": -1}, "expected_rev: give a number from 0 to"),
    ("set", {**U, "predicate": "p", "value": 1, "expected_rev": True}, "expected_rev: give text, not a bool"),
    ("set", {**U, "predicate": "p", "value": 1, "metadata": []}, "metadata: give an object, not a list"),
    ("add", {**U, "content": "hi", "wait": float("nan")}, "wait: JSON has no such number"),
    ("add", {**U, "content": "hi", "extract": "no"}, "extract: give true or false, not 'no'"),
    ("replace_values", {**U, "predicate": "p", "values": "abc"}, "values: give a list, not 'abc'"),
    ("write", {**U, "operations": [{"op": "set"}]}, r"operations\[0\]: the field predicate is missing"),
    ("write", {**U, "operations": [{"op": "drop", "predicate": "p"}]}, r"operations\[0\].op: give one of set, add"),
    ("write", {**U, "operations": [{"op": "set", "predicate": "p", "vale": 1}]}, r"operations\[0\]: 'vale' is"),
    ("write", {**U, "operations": [7]}, r"operations\[0\]: give an object, not a int"),
    ("add_many", {"messages": [{"content": "hi"}]}, r"messages\[0\]: the field user_id is missing"),
    ("preview", {**U, "messages_or_operations": 7}, "messages_or_operations: give text, messages or operations"),
    ("register_predicate", {"name": "p", "cardinality": "some"}, "cardinality: give one of one, many, not 'some'"),
    ("reextract", {**U, "difference": {"added": 5}}, "difference"),
]


@pytest.mark.parametrize(("name", "given", "why"), REFUSED_BODIES)
def test_a_body_that_can_not_be_taken_is_refused_with_the_reason(name: str, given: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidValueError, match=why):
        decode(SERVED[name], given)


REFUSED_QUERIES: list[tuple[str, list[tuple[str, str]], str]] = [
    ("state", [], "state needs user_id: give it in the query"),
    ("state", [("user_id", "u1"), ("user_id", "u2")], "user_id: give it once"),
    ("state", [("user_id", "u1"), ("min_seq", "x")], "min_seq: 'x' is no whole number"),
    ("state", [("user_id", "u1"), ("min_seq", "9" * 5000)], "min_seq: '9999"),
    ("state", [("user_id", "u1"), ("min_seq", "-1")], "min_seq: give a number from 0"),
    ("state", [("user_id", "u1"), ("min_seq", "²")], "min_seq"),
    ("state", [("user_id", "u1"), ("known_at", "9" * 30)], "known_at"),
    ("state", [("user_id", "u1"), ("wait", "inf")], "wait: JSON has no such number"),
    ("state", [("user_id", "u1"), ("wait", "soon")], "wait: 'soon' is no number"),
    ("state", [("user_id", "u1"), ("on_stale", "ignore")], "on_stale: give one of flag, raise"),
    ("history", [("user_id", "u1"), ("between", "2026")], "between: give a list of 2"),
    ("doctor", [("quick", "yes")], "quick: give true or false"),
    ("doctor", [("user_id", "u1")], "doctor takes no 'user_id'; it takes quick, thorough"),
    ("stats", [("x", "")], "stats takes no 'x'; it takes namespace"),
    ("get", [("user_id", "u1"), ("predicate", "p"), ("default", "x")], "get takes no 'default'"),
]


@pytest.mark.parametrize(("name", "given", "why"), REFUSED_QUERIES)
def test_a_query_that_can_not_be_taken_is_refused_with_the_reason(
    name: str, given: list[tuple[str, str]], why: str
) -> None:
    with pytest.raises(InvalidValueError, match=why):
        decode(SERVED[name], given)


@pytest.mark.parametrize(("name", "given", "wanted"), IN_QUERIES)
def test_arguments_are_encoded_as_the_query_they_came_from(
    name: str, given: list[tuple[str, str]], wanted: dict[str, Any]
) -> None:
    served = SERVED[name]
    assert decode(served, query_of(served, encode(served, wanted))) == wanted


@pytest.mark.parametrize(("name", "given", "wanted"), IN_BODIES)
def test_arguments_are_encoded_as_the_body_they_came_from(
    name: str, given: dict[str, Any], wanted: dict[str, Any]
) -> None:
    served = SERVED[name]
    assert decode(served, encode(served, wanted)) == {
        key: value for key, value in wanted.items() if value is not None or served.parameter(key).required  # type: ignore[union-attr]
    }


def test_what_python_has_types_for_is_encoded_as_text() -> None:
    given = {
        "user_id": "u1", "predicate": "p", "value": Decimal("2.5"), "since": date(2026, 3, 5),
        "until": datetime(2026, 3, 6, tzinfo=UTC), "subject": "user",
    }  # fmt: skip
    assert encode(SERVED["set"], given) == {
        "user_id": "u1", "predicate": "p", "value": 2.5, "since": "2026-03-05", "until": "2026-03-06T00:00:00+00:00",
    }  # fmt: skip
    assert encode(SERVED["retain"], {"texts": timedelta(days=30)}) == {"texts": "P30D"}


def test_no_predicates_are_asked_for_by_the_name_alone_and_no_layers_are_the_usual_ones() -> None:
    served = SERVED["state"]
    assert query_of(served, {"user_id": "u1", "predicates": []}) == [("user_id", "u1"), ("predicates", "")]
    assert decode(served, [("user_id", "u1"), ("predicates", "")]) == {"user_id": "u1", "predicates": []}
    assert query_of(served, {"user_id": "u1", "layers": []}) == [("user_id", "u1")]
    assert decode(served, [("user_id", "u1"), ("layers", "")]) == {"user_id": "u1", "layers": [""]}


def test_a_body_of_any_depth_is_looked_through() -> None:
    deep: Any = "\ud800"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidValueError, match="surrogate"):
        decode(SERVED["set"], {"user_id": "u1", "predicate": "p", "value": deep})

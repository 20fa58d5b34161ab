"""The flat form: a schema every strict mode takes, and the way from it to operations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.extract.answers import Malformed, read_answer
from tensemem.extract.models import flat
from tensemem.extract.models.flat import Unreadable, read_flat
from tensemem.model.operation import MODALITIES, OPS, Operation
from tensemem.model.predicate import Predicate
from tests.extract.models.wires import REQUEST, answer, operation


def read(*operations: dict[str, Any]) -> list[Any]:
    return read_flat(answer(*operations), REQUEST)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)


# The schema


def test_every_property_is_required_and_no_map_is_open() -> None:
    found = list(objects(flat.schema()))
    assert len(found) == 2
    for schema in found:
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False


def test_the_schema_uses_only_what_all_strict_modes_know() -> None:
    text = json.dumps(flat.schema())
    assert not [word for word in ("anyOf", "oneOf", "allOf", "$ref", "default", "pattern", "format") if word in text]
    fields = flat.schema()["properties"]["operations"]["items"]["properties"]
    for rule in fields.values():
        kinds = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
        assert "object" not in kinds
        assert len(set(kinds) - {"null"}) == 1


def test_a_schema_that_an_sdk_changes_is_not_everybody_s() -> None:
    flat.schema()["properties"]["operations"]["items"]["properties"]["value"]["type"] = "number"
    flat.schema()["properties"].clear()
    assert flat.schema()["properties"]["operations"]["items"]["properties"]["value"]["type"] == ["string", "null"]


# From flat to operations


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"value": "Delhi", "quote": "I live in Delhi"}, {"value": "Delhi", "quote": "I live in Delhi"}),
        ({"value": "Delhi", "values": None}, {"value": "Delhi"}),
        ({"value": "Delhi", "values": []}, {"value": "Delhi"}),
        ({"value": "", "since": "", "subject": ""}, {"value": None, "since": None, "subject": None}),
        ({"op": "retract"}, {"op": "retract", "value": None}),
        ({"op": "replace", "values": ["a", "b"]}, {"op": "replace", "value": ["a", "b"]}),
        ({"op": "replace", "values": ["a"], "value": "a"}, {"op": "replace", "value": ["a"]}),
        ({"op": "replace", "value": "a"}, {"op": "replace", "value": ["a"]}),
        ({"op": "replace"}, {"op": "replace", "value": None}),
        ({"since": "2026-03", "confidence": 0.4}, {"since": "2026-03", "confidence": 0.4, "value": None}),
        ({"value": 12, "message": 1}, {"value": 12, "message": 1}),
    ],
)
def test_what_is_empty_or_null_is_absent(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    (found,) = read(operation(**given))
    assert {name: found.get(name) for name in wanted} == wanted
    assert None not in [field for name, field in found.items() if name != "value"]


def test_several_values_at_once_are_an_operation_each() -> None:
    found = read(operation(op="add", value="Go", values=["Rust", "Go", "C"]))
    assert [item["value"] for item in found] == ["Go", "Rust", "C"]
    assert {item["op"] for item in found} == {"add"}


def test_the_only_message_is_meant_whatever_its_number_is_said_to_be() -> None:
    request = type(REQUEST)(REQUEST.messages[:1])
    found = read_flat(answer(operation(message=3), operation(message=None)), request)
    assert [item["message"] for item in found] == [0, 0]
    assert read(operation(message=3))[0]["message"] == 3


@pytest.mark.parametrize("name", ["prefs", "Prefs", "settings"])
def test_a_json_value_is_read_as_json(name: str) -> None:
    request = type(REQUEST)(REQUEST.messages, predicates=(Predicate("prefs", type="json", aliases=("settings",)),))
    given = answer(operation(predicate=name, value='{"a": [1]}'), operation(predicate=name, value="plain words"))
    assert [item["value"] for item in read_flat(given, request)] == [{"a": [1]}, "plain words"]
    assert read(operation(value='{"a": [1]}'))[0]["value"] == '{"a": [1]}'


def test_what_is_no_operation_is_passed_on_to_be_named() -> None:
    found = read_flat('{"operations": ["x", 3, null, [], {"op": "set", "predicate": "", "colour": 1}]}', REQUEST)
    judged = read_answer(found, 2)
    assert len(judged) == 5
    assert all(isinstance(item, Malformed) for item in judged)


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "  {}\n", "{}"])
def test_a_code_fence_around_the_answer_is_taken_away(fence: str) -> None:
    assert read_flat(fence.replace("{}", answer(operation(value="x"))), REQUEST)[0]["value"] == "x"


def test_a_list_alone_is_understood() -> None:
    assert read_flat('[{"op": "set", "predicate": "p"}]', REQUEST) == [{"op": "set", "predicate": "p", "value": None}]


@pytest.mark.parametrize(
    "text",
    ["", "no", "{", "3", '"x"', "null", "{}", '{"operations": {}}', '{"operations": null}', "[" * 100_000, "```",
     '{"operations": [], "x": ' + "9" * 5000 + "}", "\ud800"],
)  # fmt: skip
def test_what_is_no_answer_is_said_to_be_none(text: str) -> None:
    with pytest.raises(Unreadable):
        read_flat(text, REQUEST)


def test_an_endless_answer_is_not_read() -> None:
    with pytest.raises(Unreadable, match="characters"):
        read_flat(" " * (flat.MAX_ANSWER + 1), REQUEST)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(flat.FIELDS) | st.text(), inner),
    max_leaves=20,
)


@given(st.lists(JSON, max_size=5))
def test_whatever_the_list_holds_ends_as_operations_or_as_what_is_wrong(items: list[Any]) -> None:
    found = read_flat(json.dumps({"operations": items}), REQUEST)
    assert len(found) >= len(items)
    assert all(isinstance(item, Operation | Malformed) for item in read_answer(found, 2))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9).filter(lambda t: t.strip("\0 \t"))


@given(
    st.sampled_from([op for op in OPS if op != "replace"]), TEXT, st.sampled_from(MODALITIES), st.integers(0, 1),
    st.sampled_from([{}, {"since": "2026"}, {"valid_from": "2015", "valid_to": "2017-03"}, {"until": "2026-03-05"}]),
    st.floats(0, 1),
)  # fmt: skip
def test_an_operation_written_flat_is_read_as_itself(
    op: Any, value: str, modality: Any, message: int, times: dict[str, str], confidence: float
) -> None:
    meant = Operation(
        op, "lives_in", value, quote="q", message=message, modality=modality, confidence=confidence, **times
    )
    given = {name: getattr(meant, name) for name in flat.FIELDS if name != "values"}
    assert read_answer(read(operation(**given)), 2) == (meant,)

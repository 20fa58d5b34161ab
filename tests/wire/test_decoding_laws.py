"""Whatever is sent, it becomes arguments of the verb or is refused as an invalid value; nothing else happens."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tensemem.errors import InvalidValueError
from tensemem.verbs.scoped import public_verbs
from tensemem.wire import SERVED, Parameter, Served, decode, encode, query_of
from tests.settings import law_settings
from tests.wire.going_round import sent

TEXTS = st.text(max_size=8) | st.sampled_from(
    ["u1", "2026", "time:2026", "9" * 30, "-1", "true", "nan", "1e999", "\ud800", "\x00", "٣", "²", " 7 ", "flag"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "op": st.sampled_from(["set", "add", "drop"]), "predicate": TEXTS, "value": JSON, "value_type": TEXTS,
            "user_id": TEXTS, "content": JSON, "role": TEXTS, "since": JSON, "message": JSON,
        },
    ),
    max_size=3,
)  # fmt: skip


GOOD: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(["u1", "2026", "flag", "markdown", "one", "tensemem"]), "integer": st.integers(0, 99),
    "number": st.floats(0, 99) | st.integers(0, 99), "boolean": st.booleans(), "null": st.none(),
    "array": st.lists(st.sampled_from(["a1", ""]), max_size=2), "object": st.dictionaries(TEXTS, JSON, max_size=2),
}  # fmt: skip
OPERATIONS = st.fixed_dictionaries(
    {"op": st.sampled_from(["set", "add"]), "predicate": TEXTS},
    optional={"value": st.just("2026-01-01"), "value_type": st.sampled_from(["date", "text", None]), "since": TEXTS},
)
MESSAGES = st.fixed_dictionaries(
    {"user_id": TEXTS, "content": JSON}, optional={"role": TEXTS, "extract": st.booleans()}
)  # fmt: skip


def given_for(parameter: Parameter) -> st.SearchStrategy[Any]:
    """What a parameter may take most of the time, and now and then anything."""
    kinds = parameter.schema.get("type", [])
    good = [GOOD[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if parameter.name in ("operations", "messages", "messages_or_operations"):
        good = [st.lists(OPERATIONS, max_size=2), st.lists(MESSAGES, max_size=2)]
    return st.one_of(*(good or [JSON]) * 4, JSON, ROWS)


@st.composite
def bodies(draw: st.DrawFn) -> tuple[Served, dict[str, Any]]:
    served = draw(st.sampled_from(list(SERVED.values())))
    needed = {one.name: given_for(one) for one in served.parameters if one.required}
    rest = {one.name: given_for(one) for one in served.parameters if not one.required}
    if draw(st.integers(0, 9)) == 0:
        rest["other"] = JSON
    return served, draw(st.fixed_dictionaries(needed, optional=rest))


@st.composite
def queries(draw: st.DrawFn) -> tuple[Served, list[tuple[str, str]]]:
    served = draw(st.sampled_from(list(SERVED.values())))
    names = [parameter.name for parameter in served.parameters] or ["other"]
    needed = [(one.name, draw(TEXTS)) for one in served.parameters if one.required]
    return served, needed + draw(st.lists(st.tuples(st.sampled_from(names), TEXTS), max_size=4))


def fits_the_verb(served: Served, arguments: dict[str, Any]) -> None:
    """What was decoded can be given to the verb, but for what the server itself adds."""
    inspect.signature(public_verbs()[served.name]).bind_partial(None, **arguments)


def without_defaults(served: Served, arguments: dict[str, Any]) -> dict[str, Any]:
    """What has to be said: an argument that is the default says nothing."""
    usual = {one.name: one.default for one in served.parameters if not one.required}
    return {name: value for name, value in arguments.items() if name not in usual or not same(value, usual[name])}


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


@law_settings
@given(case=bodies())
def test_a_body_is_decoded_or_refused(case: tuple[Served, dict[str, Any]]) -> None:
    served, body = case
    try:
        found = decode(served, body)
    except InvalidValueError as error:
        str(error).encode()  # the words can be sent, whatever was
        return
    fits_the_verb(served, found)
    if "difference" not in body:
        assert decode(served, sent(encode(served, found))) == without_defaults(served, found)


@law_settings
@given(case=queries())
def test_a_query_is_decoded_or_refused(case: tuple[Served, list[tuple[str, str]]]) -> None:
    served, query = case
    try:
        found = decode(served, query)
    except InvalidValueError as error:
        str(error).encode()
        return
    fits_the_verb(served, found)
    assert decode(served, query_of(served, encode(served, found))) == without_defaults(served, found)


def test_the_laws_are_tried_on_what_is_taken_too() -> None:
    """Most of what is tried would be refused otherwise, and the laws would say little."""
    taken = 0

    @settings(max_examples=200, database=None, derandomize=True, deadline=None, phases=[Phase.generate])
    @given(case=bodies())
    def count(case: tuple[Served, dict[str, Any]]) -> None:
        nonlocal taken
        with suppress(InvalidValueError):
            decode(*case)
            taken += 1

    count()
    assert taken > 20

"""How an answer is read: whatever it is, what can be used of it is, and the rest is told apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.operations import encode_operation
from tensemem.errors import ExtractorOutputError
from tensemem.extract.calling import Malformed, read_answer
from tensemem.model.operation import MODALITIES, OPS, Operation
from tests.settings import law_settings

DELHI = Operation("set", "lives_in", "Delhi", quote="I live in Delhi", message=0)


class Broken:
    """Raises wherever it is touched."""

    def __init__(self, error: type[BaseException] = ValueError) -> None:
        object.__setattr__(self, "error", error)

    def __getattribute__(self, name: str) -> Any:
        raise object.__getattribute__(self, "error")

    def __iter__(self) -> Iterator[Any]:
        raise object.__getattribute__(self, "error")

    __repr__ = __str__ = __len__ = __bool__ = __eq__ = __hash__ = __iter__  # type: ignore[assignment]


def why(item: object, messages: int = 1) -> str:
    """What is wrong with an item, which takes its neighbours nowhere."""
    first, read, last = read_answer([DELHI, item, DELHI], messages)
    assert first == last == DELHI
    assert isinstance(read, Malformed)
    return read.why


def kept(item: object, messages: int = 1) -> Operation:
    (read,) = read_answer([item], messages)
    assert isinstance(read, Operation)
    return read


@pytest.mark.parametrize(
    "answer",
    [None, "text", b"bytes", bytearray(), {"operations": []}, {}, {DELHI}, frozenset(), 3, True, DELHI, object()],
    ids=lambda answer: type(answer).__name__,
)
def test_what_is_no_sequence_is_an_output_error_that_names_the_type(answer: object) -> None:
    with pytest.raises(ExtractorOutputError, match=type(answer).__name__):
        read_answer(answer, 1)


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_what_can_t_be_touched_is_told_like_anything_else(error: type[BaseException]) -> None:
    with pytest.raises(ExtractorOutputError, match="Broken"):
        read_answer(Broken(error), 1)
    assert "can't be read" in why(Broken(error))
    assert "can't be read" in why(Operation("set", "x", Broken(error)))


@pytest.mark.parametrize("make", [list, tuple, iter, lambda items: (item for item in items)])
def test_any_sequence_of_operations_is_taken_in_its_order(make: Callable[[Any], Any]) -> None:
    operations = (DELHI, Operation("add", "languages", "Go"))
    assert read_answer(make(operations), 1) == operations
    assert read_answer(make(()), 1) == ()


def test_a_failure_while_an_answer_is_read_is_an_output_error() -> None:
    def failing() -> Iterator[Operation]:
        yield DELHI
        raise ConnectionError("gone")

    with pytest.raises(ExtractorOutputError, match="gone"):
        read_answer(failing(), 1)


def test_an_operation_is_kept_as_it_is() -> None:
    full = Operation(
        "retract", "lives_in", None, subject="user.wife", quote="x", message=1, modality="planned",
        since="2015", until=date(2027, 1, 1), confidence=0.5,
    )  # fmt: skip
    row = Operation("set", "x", {"a": [1, 2.5]}, valid_from=datetime(2015, 1, 1, tzinfo=UTC), valid_to="2017")
    assert read_answer([full, row], 2) == (full, row)


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("modality", MODALITIES)
def test_a_mapping_of_the_same_fields_is_an_operation(op: Any, modality: Any) -> None:
    given_ = {"op": op, "predicate": "x", "value": 1, "modality": modality, "message": 0, "since": "2015"}
    assert kept(given_) == Operation(op, "x", 1, modality=modality, message=0, since="2015")


def test_null_in_a_mapping_is_the_default() -> None:
    names = (
        "value",
        "subject",
        "quote",
        "message",
        "modality",
        "since",
        "until",
        "valid_from",
        "valid_to",
        "confidence",
    )
    assert kept({"op": "retract", "predicate": "x", **dict.fromkeys(names)}) == Operation("retract", "x")


def test_blank_text_is_no_time() -> None:
    assert kept(Operation("set", "x", 1, since="")).since is None


class Loud(StrEnum):
    SET = "set"


def test_what_is_kept_holds_plain_text() -> None:
    read = kept({"op": Loud.SET, "predicate": Loud.SET, "value": 1})
    assert type(read.op) is str
    assert type(read.predicate) is str


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    "value",
    [None, "", "x", 0, -1, 2**1000, 1.5, True, date(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=1),
     Decimal("1.10"), Colour.RED, [], ["a", ["b"]], ("a",), {"a"}, {"a": {"b": None}}],
    ids=repr,
)  # fmt: skip
def test_a_value_the_log_can_keep_is_taken(value: Any) -> None:
    read = kept(Operation("set", "x", value))
    assert read.value == value
    json.dumps(encode_operation(read), allow_nan=False)


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def doubled(times: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(times):
        value = [value, value]
    return value


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (object(), "value is object"),
        (b"x", "value is bytes"),
        (float("nan"), "no number"),
        (float("inf"), "no number"),
        (Decimal("NaN"), "no number"),
        (10**5000, "no number"),
        ("\ud800", "surrogate"),
        (["ok", "\udfff"], "surrogate"),
        ({"\ud800": 1}, "surrogate"),
        ({1: 2}, "a key of the value is int"),
        (nested(40), "nested"),
        (CYCLE, "nested"),
        (doubled(30), "parts"),
    ],
    ids=lambda part: part if isinstance(part, str) and part.isascii() else type(part).__name__,
)
def test_a_value_the_log_can_t_keep_makes_the_operation_malformed(value: Any, complaint: str) -> None:
    assert complaint in why(Operation("set", "x", value))


NOTHING: dict[Any, Any] = {}
X: dict[Any, Any] = {"op": "set", "predicate": "x", "value": 1}


@pytest.mark.parametrize(
    ("item", "complaint"),
    [
        (None, "NoneType is no operation"),
        ("set", "str is no operation"),
        ([], "list is no operation"),
        (NOTHING, "no op"),
        ({"op": "set"}, "no predicate"),
        ({**X, "valid_form": "2015"}, "no field 'valid_form'"),
        ({**X, 3: 4}, "no field 3"),
        ({**X, "op": "SET"}, "op is 'SET'; it must be one of set, add"),
        ({**X, "op": ["set"]}, "op is list"),
        ({**X, "op": None}, "op is NoneType"),
        ({**X, "predicate": ""}, "predicate is blank"),
        ({**X, "predicate": " \n"}, "predicate is blank"),
        ({**X, "predicate": "a\0b"}, "NUL"),
        ({**X, "predicate": "a\ud800"}, "predicate holds half a surrogate pair"),
        ({**X, "predicate": "x" * 129}, "predicate has 129 characters; 128 are allowed"),
        ({**X, "predicate": 3}, "predicate is int"),
        ({**X, "subject": ""}, "subject is blank"),
        ({**X, "subject": "a\0"}, "NUL"),
        ({**X, "subject": "x" * 513}, "subject has 513"),
        ({**X, "quote": 3}, "quote is int"),
        ({**X, "quote": "\udc00"}, "quote holds half"),
        ({**X, "modality": "certain"}, "modality is 'certain'"),
        ({**X, "confidence": "1"}, "confidence is str"),
        ({**X, "confidence": True}, "confidence is bool"),
        ({**X, "confidence": 1.01}, "between 0 and 1"),
        ({**X, "confidence": -0.1}, "between 0 and 1"),
        ({**X, "confidence": float("nan")}, "between 0 and 1"),
        ({**X, "confidence": float("inf")}, "between 0 and 1"),
        ({**X, "confidence": 10**400}, "between 0 and 1"),
        ({**X, "since": 2015}, "since is int"),
        ({**X, "until": "\ud800"}, "until holds half"),
        ({**X, "valid_to": ["2015"]}, "valid_to is list"),
        ({**X, "since": "2015", "valid_to": "2017"}, "can't both be given"),
        ({**X, "message": -1}, "message is -1; 1 were asked about"),
        ({**X, "message": 1}, "message is 1; 1 were asked about"),
        ({**X, "message": True}, "message is bool"),
        ({**X, "message": "0"}, "message is str"),
        ({**X, "message": 0.0}, "message is float"),
        (Operation("set", "x", 1, quote=None), "quote is NoneType"),  # type: ignore[arg-type]
        (Operation("set", "x", 1, since="2015", valid_from="2015"), "can't both be given"),
    ],
    ids=lambda part: part if isinstance(part, str) and part.isascii() else type(part).__name__,
)
def test_a_malformed_operation_says_what_is_wrong_and_takes_no_other_with_it(item: object, complaint: str) -> None:
    assert complaint in why(item)


def test_the_longest_names_are_taken() -> None:
    assert kept({**X, "predicate": "x" * 128, "subject": "y" * 512}).predicate == "x" * 128


def test_what_is_malformed_is_kept_as_text_that_can_be_written() -> None:
    long, odd, deep, broken = read_answer(
        [{**X, "op": "x" * 10_000}, {**X, "op": "\ud800"}, nested(100_000), Broken()], 1
    )
    assert isinstance(long, Malformed)
    assert len(long.raw) == 500
    assert long.raw.startswith("{'op': 'xxx")
    for read in (long, odd, deep, broken):
        assert isinstance(read, Malformed)
        assert read.raw
        read.raw.encode()
        read.why.encode()


@pytest.mark.parametrize("answer", [nested(100_000), CYCLE, [doubled(30)]], ids=["deep", "cycle", "wide"])
def test_an_answer_without_end_is_read_to_the_depth_that_is_shown(answer: list[Any]) -> None:
    (read,) = read_answer(answer, 1)
    assert isinstance(read, Malformed)
    assert read.raw.startswith("[[[[")
    assert len(read.raw) <= 500


def test_a_malformed_operation_still_names_its_message_where_it_can_be_read() -> None:
    named, lost, wrong = read_answer([{**X, "op": "?", "message": 1}, 3, {**X, "message": 7}], 2)
    assert [getattr(read, "message", "") for read in (named, lost, wrong)] == [1, None, None]


def test_a_thousand_operations_are_taken_and_the_rest_is_counted() -> None:
    numbered = [Operation("set", "n", number) for number in range(1200)]
    assert read_answer(numbered[:1000], 1) == tuple(numbered[:1000])
    *taken, cut = read_answer(numbered, 1)
    assert taken == numbered[:1000]
    assert isinstance(cut, Malformed)
    assert cut.why.startswith("200 operations were cut")
    *_, cut = read_answer([DELHI] * 50_000, 1)
    assert isinstance(cut, Malformed)
    assert cut.why.startswith("49000 operations were cut")


_names = st.sampled_from([*(f for f in Operation.__dataclass_fields__), "extra", ""])
_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters()), st.binary(), st.dates(),
    st.decimals(), st.sampled_from([*OPS, *MODALITIES, "user", "\ud800", "\0", DELHI, int, Ellipsis, 10**4000]),
    st.builds(Broken), st.builds(Broken, st.just(SystemExit)), st.builds(object),
)  # fmt: skip
_things = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(_names, inner)
        | st.lists(inner).map(iter)
        | st.builds(
            Operation, inner, inner, inner, subject=inner, quote=inner, message=inner, since=inner, confidence=inner
        )
    ),
    max_leaves=12,
)


@law_settings
@given(_things, st.integers(0, 3))
def test_reading_any_object_gives_what_can_be_used_or_an_output_error(answer: object, messages: int) -> None:
    try:
        read = read_answer(answer, messages)
    except ExtractorOutputError:
        return
    for item in read:
        if isinstance(item, Malformed):
            json.dumps([item.raw, item.why]).encode()
            assert len(item.raw) <= 500
        else:
            assert item.op in OPS
            assert item.modality in MODALITIES
            assert 0 <= item.confidence <= 1
            assert item.message is None or 0 <= item.message < messages
            json.dumps(encode_operation(item), allow_nan=False, ensure_ascii=False).encode()


def test_reading_never_swallows_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        read_answer(Broken(KeyboardInterrupt), 1)

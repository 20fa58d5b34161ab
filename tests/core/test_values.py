"""Values: what is compared, what is kept, what is shown."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, getcontext, localcontext
from enum import Enum, IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.operations import encode_value
from tensemem.core.registry import Registry, make_entity, make_predicate
from tensemem.core.values import as_text, check_metadata, parse_value, shown
from tensemem.errors import InvalidValueError
from tensemem.model.claim import Held
from tests.settings import law_settings

EMPTY = Registry()
POSTGRES = Registry(entities={"postgresql": make_entity("PostgreSQL", aliases=["Postgres", "pg"])})
CYCLE: list = []
CYCLE.append(CYCLE)


class Size(IntEnum):
    SMALL = 1


class Diet(Enum):
    VEGAN = "vegan"


def held(raw, type="text", *, registry=EMPTY, zone="UTC", **policy) -> Held:
    return parse_value(raw, make_predicate("p", type=type, **policy), registry, zone)


def seen(raw, type="text", *, registry=EMPTY, zone="UTC", **policy):
    predicate = make_predicate("p", type=type, **policy)
    return shown(parse_value(raw, predicate, registry, zone).stored, predicate, registry)


@pytest.mark.parametrize(
    ("raw", "key", "stored"),
    [
        ("Delhi", "delhi", "Delhi"),
        ("  New \n Delhi ", "new delhi", "New \n Delhi"),
        ("Del\u00adhi", "delhi", "Del\u00adhi"),
        ("C++", "c++", "C++"),
        ("10²", "10²", "10²"),
        (31, "31", "31"),
        (-5, "-5", "-5"),
        (2.5, "2.5", "2.5"),
        (Decimal("1.10"), "1.10", "1.10"),
        (Diet.VEGAN, "vegan", "vegan"),
    ],
)
def test_text_is_kept_as_given_and_compared_by_its_key(raw, key, stored):
    assert held(raw) == Held(key, stored)
    assert held(raw, "entity") == Held(key, stored)


NO_TEXT = [
    None, "", "  ", "\u200b\ufeff", "a\0b", "\ud800", True, False, float("nan"), float("inf"), Decimal("sNaN"), [],
    ["a"],
    {"a": 1}, b"Delhi", date(2026, 1, 1), 10**5000, object(),
]  # fmt: skip


@pytest.mark.parametrize("raw", NO_TEXT, ids=range(len(NO_TEXT)))
def test_what_is_no_text_is_refused(raw):
    with pytest.raises(InvalidValueError, match=r"^p: .*\. "):
        held(raw)


def test_spellings_of_another_case_are_the_same_value_and_keep_their_spelling():
    assert held("mcdonald").key == held("McDonald").key
    assert seen("McDonald") == ("McDonald", "McDonald")


def test_an_alias_has_its_entitys_key_is_kept_as_given_and_shown_as_the_entity():
    assert held(" PG ", registry=POSTGRES) == Held("postgresql", "PG")
    assert held("PG") == Held("pg", "PG")
    assert seen("PG", registry=POSTGRES) == ("PostgreSQL", "PostgreSQL")
    assert seen("MySQL", "entity", registry=POSTGRES) == ("MySQL", "MySQL")


@pytest.mark.parametrize(
    ("raw", "key", "value", "text"),
    [
        (25, "25", 25, "25"),
        (25.0, "25", 25.0, "25"),
        ("25", "25", 25, "25"),
        ("25.0", "25", 25.0, "25"),
        (" +025 ", "25", 25, "25"),
        (Decimal("2.5e1"), "25", 25, "25"),
        ("2.5E1", "25", 25, "25"),
        ("२५", "25", 25, "25"),
        ("２５．５", "25.5", 25.5, "25.5"),
        ("٢٥٫٥", "25.5", 25.5, "25.5"),
        ("−3", "-3", -3, "-3"),
        (".5", "0.5", 0.5, "0.5"),
        ("5.", "5", 5, "5"),
        (0.1, "0.1", 0.1, "0.1"),
        (Decimal("0.10"), "0.1", 0.1, "0.1"),
        (-0.0, "0", 0.0, "0"),
        ("-0", "0", 0, "0"),
        ("0e5", "0", 0.0, "0"),
        (1e300, "1e300", 1e300, "1e300"),
        (1.5e-9, "1.5e-9", 1.5e-9, "1.5e-9"),
        (0.0001, "0.0001", 0.0001, "0.0001"),
        (2**53 + 1, "9007199254740993", 2**53 + 1, "9007199254740993"),
        ("9007199254740993", "9007199254740993", 2**53 + 1, "9007199254740993"),
        ("9007199254740993.0", "9007199254740993", 2**53 + 1, "9007199254740993"),
        ("0.12345678901234567890", "0.1234567890123456789", 0.12345678901234568, "0.1234567890123456789"),
        (10**40, "1e40", 10**40, "1e40"),
    ],
)
def test_a_number_is_one_value_however_it_is_written(raw, key, value, text):
    assert held(raw, "number").key == key
    found = seen(raw, "number")
    assert (found, type(found[0])) == ((value, text), type(value))


@pytest.mark.parametrize(
    "raw",
    [None, "", "abc", "1,234.5", "1.234,5", "1 234", "1_000", "0x10", "1e", "e5", "--1", "½", "²", "nan", "inf",
     "Infinity",
     "1e400", "-1e400", "1e-400", "1e99999", "9" * 2000, True, False, float("nan"), float("-inf"), Decimal("NaN"),
     Decimal("Infinity"), Decimal("1e999999"), 10**400, [1], "25 years", "२५ वर्ष"],
)  # fmt: skip
def test_what_is_no_number_is_refused(raw):
    with pytest.raises(InvalidValueError, match=r"^p: "):
        held(raw, "number")


def test_numbers_do_not_depend_on_the_decimal_context_of_the_caller():
    with localcontext() as context:
        context.prec = 2
        context.traps = dict.fromkeys(getcontext().traps, True)
        assert held("123456.789", "number").key == "123456.789"
        assert held(0.1, "number").key == "0.1"


@given(st.integers(-(10**300), 10**300) | st.floats(allow_nan=False, allow_infinity=False) | st.decimals(-1e9, 1e9))
@law_settings
def test_a_numbers_key_read_again_is_that_key_and_what_is_stored_is_stable(number):
    try:
        first = held(number, "number")
    except InvalidValueError:
        return
    assert held(first.key, "number").key == first.key
    assert held(first.stored, "number") == first
    assert json.loads(json.dumps(first.stored)) == first.stored


@pytest.mark.parametrize(
    "raw", [True, "true", "True", " YES ", "on", "ja", "sí", "Si", "是", "はい", "да", "हाँ", "oui"]
)
def test_yes_is_true_in_every_language(raw):
    assert held(raw, "bool") == Held("true", True)
    assert seen(raw, "bool") == (True, "true")


@pytest.mark.parametrize("raw", [False, "false", "No", "off", "nein", "non", "否", "いいえ", "нет", "नहीं"])
def test_no_is_false_in_every_language(raw):
    assert held(raw, "bool") == Held("false", False)


@pytest.mark.parametrize("raw", [0, 1, "", "maybe", "1", None, [], 1.0])
def test_what_is_neither_true_nor_false_is_refused(raw):
    with pytest.raises(InvalidValueError):
        held(raw, "bool")


def test_a_date_is_a_day():
    assert held(" 2026-03-05 ", "date") == held(date(2026, 3, 5), "date") == Held("2026-03-05", "2026-03-05")
    assert seen("2026-03-05", "date") == (date(2026, 3, 5), "2026-03-05")
    assert held(date(1, 2, 3), "date").key == "0001-02-03"


@pytest.mark.parametrize(
    "raw",
    ["2026-02-30", "2026", "2026-03", "5 March", "20260305", "", 20260305, datetime(2026, 3, 5, tzinfo=UTC), None],
)
def test_what_is_no_date_is_refused(raw):
    with pytest.raises(InvalidValueError, match=r"^p: "):
        held(raw, "date")


def test_a_datetime_is_an_instant_shown_in_utc():
    there = datetime(2026, 3, 5, 10, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    expected = Held("2026-03-05T05:00:00Z", "2026-03-05T05:00:00Z")
    assert held(there, "datetime") == expected
    assert held("2026-03-05T10:30+05:30", "datetime") == expected
    assert held("2026-03-05 10:30", "datetime", zone="Asia/Kolkata") == expected
    assert held(there.replace(tzinfo=None), "datetime", zone="Asia/Kolkata") == expected
    assert seen(there, "datetime") == (datetime(2026, 3, 5, 5, tzinfo=UTC), "2026-03-05T05:00:00Z")
    assert seen(there, "datetime")[0].tzinfo is UTC


@pytest.mark.parametrize("raw", ["2026-03-05", "2026", "soon", "", 1780000000, date(2026, 3, 5), True])
def test_what_is_no_datetime_is_refused(raw):
    with pytest.raises(InvalidValueError, match="Give a date with a time") as caught:
        held(raw, "datetime", zone="America/Havana")
    assert str(caught.value).count("Give") == 1


def test_a_duration_is_a_timedelta():
    assert held("24h", "duration") == held(timedelta(days=1), "duration") == Held("P1D", "P1D")
    assert seen("90m", "duration") == (timedelta(minutes=90), "PT1H30M")
    for raw in ("0d", "soon", -1, 30, None, timedelta(0)):
        with pytest.raises(InvalidValueError, match=r"^p: "):
            held(raw, "duration")


def test_an_enum_is_stored_as_its_choice():
    choices = ["Vegan", "Ordinary Food", 5]
    assert held(" vegan ", "enum", choices=choices) == Held("vegan", "Vegan")
    assert held("ordinary  food", "enum", choices=choices).stored == "Ordinary Food"
    assert held(5, "enum", choices=choices) == held("5", "enum", choices=choices) == Held("5", 5)
    assert seen(Diet.VEGAN, "enum", choices=choices) == ("Vegan", "Vegan")
    with pytest.raises(
        InvalidValueError, match=r"p: 'keto' is none of its choices\. Give one of 'Vegan', 'Ordinary Food', 5"
    ):
        held("keto", "enum", choices=choices)


def test_any_type_may_have_choices():
    assert held("1.0", "number", choices=[1, 2]) == Held("1", 1)
    assert held("pg", choices=["PostgreSQL"], registry=POSTGRES) == Held("postgresql", "PostgreSQL")
    assert seen("postgresql", choices=["pg"], registry=POSTGRES) == ("pg", "pg")
    assert held("2026-03-05", "date", choices=[date(2026, 3, 5)]).stored == "2026-03-05"
    assert held({"b": 1.0, "a": 2}, "json", choices=[{"a": 2, "b": 1}]).stored == {"a": 2, "b": 1}
    with pytest.raises(InvalidValueError, match="none of its choices"):
        held(3, "number", choices=[1, 2])


def test_json_is_compared_by_what_it_says():
    value = {"b": [1, 2.0, None, True], "a": {"x": "é"}}
    again = {"a": {"x": "é"}, "b": (1.0, 2, None, True)}
    assert held(value, "json").key == held(again, "json").key == '{"a":{"x":"é"},"b":[1,2,null,true]}'
    assert held(value, "json").stored == value
    assert seen(value, "json")[0] == value
    assert held([True], "json").key != held([1], "json").key
    assert held("x", "json") == Held('"x"', "x")
    assert held(0, "json").stored == 0
    assert held(Size.SMALL, "json").stored == 1


def test_what_is_stored_and_shown_of_json_is_a_copy():
    value = {"a": [1]}
    predicate = make_predicate("p", type="json")
    stored = parse_value(value, predicate, EMPTY, "UTC").stored
    shown(stored, predicate, EMPTY)[0]["a"].append(2)
    value["a"].append(3)
    assert stored == {"a": [1]}


def deep(levels: int) -> list:
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


def wide() -> list:
    value: list = [0]
    for _ in range(40):
        value = [value, value]
    return value


NOT_JSON = [
    CYCLE, {"a": CYCLE}, deep(100), deep(20_000), wide(), float("nan"), [float("inf")], {1: "a"}, {None: 1},
    {"a": {2: 3}},
    {"a": "\ud800"}, {"\ud800": 1}, ["a\0"], {"a": object()}, [b"x"], [{1, 2}], [date(2026, 1, 1)], [Decimal(1)],
    [10**5000],
]  # fmt: skip


@pytest.mark.parametrize("raw", NOT_JSON, ids=range(len(NOT_JSON)))
def test_what_json_can_not_carry_is_refused(raw):
    with pytest.raises(InvalidValueError, match=r"^p: "):
        held(raw, "json")
    with pytest.raises(InvalidValueError, match=r"^metadata: it "):
        check_metadata({"x": raw})


def test_a_value_that_contains_itself_is_told_so():
    with pytest.raises(InvalidValueError, match="p: it contains itself"):
        held(CYCLE, "json")


def test_a_value_that_stands_in_two_places_is_no_cycle():
    twice = [1]
    assert held([twice, twice], "json").stored == [[1], [1]]


def test_metadata_is_a_plain_object_or_none():
    given_ = {"a": (1, 2), "b": {"c": None}}
    assert check_metadata(None) is None
    assert check_metadata(given_) == {"a": [1, 2], "b": {"c": None}}
    others: tuple[object, ...] = ([], "x", 1, True)
    for wrong in others:
        with pytest.raises(InvalidValueError, match="metadata: give a mapping"):
            check_metadata(wrong)


@pytest.mark.parametrize("type", ["text", "number", "bool", "date", "datetime", "duration", "entity", "json"])
@pytest.mark.parametrize(
    "stored", ["x", 5, 1e300, True, None, ["a"], {"a": 1}, "2026-03-05", "2026-03-05T10:00:00Z", "P1D"]
)
def test_a_stored_value_of_another_type_is_still_shown(type, stored):
    value, text = shown(stored, make_predicate("p", type=type), EMPTY)
    assert isinstance(text, str)
    assert value is not None or stored is None


PLAIN_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
RAW = {
    "text": st.text() | st.integers() | st.floats(),
    "entity": st.text() | st.sampled_from(["PG", "postgres"]),
    "number": st.integers() | st.floats() | st.decimals(),
    "bool": st.booleans(),
    "date": st.dates(),
    "datetime": st.datetimes(timezones=st.timezones()),
    "duration": st.timedeltas(timedelta(days=-1), timedelta(days=90_000)),
    "json": PLAIN_JSON,
}


@pytest.mark.parametrize("type", RAW)
@given(st.data())
@law_settings
def test_a_value_read_from_the_log_again_is_the_same(type, data):
    raw = data.draw(RAW[type])
    predicate = make_predicate("p", type=type)
    try:
        first = parse_value(raw, predicate, POSTGRES, "Asia/Kolkata")
    except InvalidValueError:
        return
    logged = json.loads(json.dumps(encode_value(raw)))
    assert parse_value(logged, predicate, POSTGRES, "Asia/Kolkata") == first
    stored = json.loads(json.dumps(first.stored))
    assert parse_value(stored, predicate, POSTGRES, "UTC") == first
    value, text = shown(stored, predicate, POSTGRES)
    if type != "number":  # a float may hold fewer digits than were given; its text holds all
        assert parse_value(value, predicate, POSTGRES, "UTC").key == first.key
    if type != "json":
        assert parse_value(text, predicate, POSTGRES, "UTC").key == first.key


@pytest.mark.parametrize(
    ("raw", "type"),
    [
        ("Delhi", "text"), (31, "text"), (34.0, "number"), (2, "number"), ("1.50", "number"), (True, "bool"),
        (date(800, 1, 2), "date"), ("2026-03-05T10:30+02:00", "datetime"), (timedelta(days=1, minutes=3), "duration"),
        ({"b": [1, None], "a": "é"}, "json"), (False, "json"),
    ],
)  # fmt: skip
def test_a_typed_value_has_the_text_that_is_shown_of_it(raw, type):
    value, text = seen(raw, type)
    assert as_text(value) == text

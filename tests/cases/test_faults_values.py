"""Values, names and texts in every script: what is equal, what is different, and what is refused.

Left out: how fast a very large value is searched for secrets is measured, not tested.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory, Operation
from tensemem.errors import (
    ContentTooLargeError,
    InvalidScopeError,
    InvalidValueError,
    PredicateConflictError,
    TensememError,
    UnknownPredicateError,
)

from .bench import Desk, assert_rebuilt_alike, day, line, lives, speaks


@pytest.mark.parametrize(
    ("first", "second"), [("mcdonald", "McDonald"), ("/srv/Data/a.txt", "/srv/data/A.txt"), ("Köln", "KÖLN")]
)
def test_a_later_spelling_is_shown_and_changes_nothing_else(desk: Desk, first: str, second: str) -> None:
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", first)
    desk.hands.set(day(20))
    receipt = desk.mem.set("ann", "lives_in", second)
    assert line(desk.mem) == [(second, 10, None)]
    assert receipt.current
    assert second in desk.mem.context("ann").text
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000", "\u200b", "\u00ad\ufeff", None], ids=ascii)
@pytest.mark.parametrize("verb", ["set", "add_value", "replace_values", "deny"])
def test_a_value_of_nothing_is_refused(desk: Desk, verb: str, blank: str | None) -> None:
    predicate = "languages" if verb != "set" else "lives_in"
    with pytest.raises(InvalidValueError):
        getattr(desk.mem, verb)("ann", predicate, [blank] if verb == "replace_values" else blank)
    assert desk.mem.state("ann").rev == 0


def test_a_blank_value_from_a_model_is_refused_alone(desk: Desk) -> None:
    seq = desk.say("I know Go", speaks(" "), speaks("Go"), speaks("\u200b"))
    assert desk.mem.get("ann", "languages") == ("Go",)
    assert [one.reason for one in desk.mem.decisions("ann", seq)] == ["bad_value", "", "bad_value"]


@pytest.mark.parametrize("verb", ["replace_values", "retract"])
def test_a_many_valued_slot_can_be_cleared(desk: Desk, verb: str) -> None:
    for language in "ABC":
        desk.mem.add_value("ann", "languages", language)
    receipt = desk.mem.replace_values("ann", "languages", []) if verb == "replace_values" else desk.mem.retract(
        "ann", "languages"
    )  # fmt: skip
    assert desk.mem.get("ann", "languages") is None
    assert (receipt.changed, receipt.current, len(receipt.changes)) == (True, True, 3)
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize("name", ["", " ", "!!!", "...", "\0", "\u200b", "x" * 10_000], ids=ascii)
def test_a_name_that_says_nothing_is_no_predicate(desk: Desk, name: str) -> None:
    before = desk.mem.predicates()
    with pytest.raises(InvalidValueError):
        desk.mem.register_predicate(name)
    assert desk.mem.predicates() == before


@pytest.mark.parametrize(
    "names",
    [("😀", "🎉"), ("c++", "c#", "c"), ("काम", "कम"), ("शहर", "शहरी"), ("k²", "k2"), ("日本", "日本語")],
    ids=str,
)
def test_different_names_are_different_predicates(desk: Desk, names: tuple[str, ...]) -> None:
    for name in names:
        desk.mem.register_predicate(name)
        desk.mem.set("ann", name, f"value of {name}")
    assert desk.mem.state("ann").values == {name: f"value of {name}" for name in names}
    assert set(names) <= {predicate.name for predicate in desk.mem.predicates()}


def test_another_definition_is_refused_or_applied_but_never_ignored(desk: Desk) -> None:
    same = desk.mem.register_predicate("lives_in")
    assert desk.mem.register_predicate("lives_in") == same
    with pytest.raises(PredicateConflictError):
        desk.mem.register_predicate("lives_in", "many")
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.mem.register_predicate("lives_in", "many", update=True)
    desk.mem.set("ann", "lives_in", "Pune")
    assert desk.mem.get("ann", "lives_in") == ("Delhi", "Pune")
    assert_rebuilt_alike(desk.mem)


def test_a_subject_does_not_lend_its_spelling_to_a_value(desk: Desk) -> None:
    desk.mem.register_predicate("works_at")
    desk.mem.register_predicate("colour")
    desk.mem.set("ann", "colour", "red", subject="apple")
    desk.say("I work at Apple", Operation("set", "works_at", "Apple"))
    assert desk.mem.state("ann").by_subject == {"user": {"works_at": "Apple"}, "apple": {"colour": "red"}}


@pytest.mark.parametrize("name", ["user", "User", " USER ", "wife", "my wife", "user.wife", "me"])
def test_nothing_else_may_take_the_name_of_the_user(desk: Desk, name: str) -> None:
    with pytest.raises(InvalidValueError):
        desk.mem.register_entity(name, aliases=["usr"])
    with pytest.raises(InvalidValueError):
        desk.mem.register_entity("someone", aliases=[name])
    desk.mem.set("ann", "lives_in", "Pune")
    desk.mem.set("ann", "lives_in", "Delhi", subject="usr")
    assert desk.mem.get("ann", "lives_in") == "Pune"


def test_a_predicate_goes_by_each_of_its_names(desk: Desk) -> None:
    desk.mem.register_predicate("home_city", aliases=["hometown"])
    desk.hands.set(day(10))
    desk.mem.set("ann", "home_city", "Delhi")
    desk.hands.set(day(20))
    desk.mem.set("ann", "hometown", "Pune")
    assert desk.mem.state("ann").values == {"home_city": "Pune"}
    for name in ("home_city", "hometown", "Hometown", "HOME_CITY"):
        assert desk.mem.get("ann", name) == "Pune"
        assert line(desk.mem, name) == [("Delhi", 10, 20), ("Pune", 20, None)]
        assert desk.mem.state("ann", predicates=[name]).values == {"home_city": "Pune"}
    desk.mem.retract("ann", "hometown", "Pune")
    assert desk.mem.get("ann", "home_city") is None
    assert_rebuilt_alike(desk.mem)


def test_a_name_learned_later_joins_what_was_proposed_under_it(desk: Desk) -> None:
    desk.hands.set(day(10))
    desk.say("My hometown is Delhi", Operation("set", "hometown", "Delhi"))
    assert desk.mem.state("ann").values == {}
    desk.mem.register_predicate("home_city")
    desk.hands.set(day(20))
    desk.mem.set("ann", "home_city", "Pune")
    desk.mem.register_predicate("home_city", aliases=["hometown"], update=True)
    assert line(desk.mem, "home_city") == [("Delhi", 10, 20), ("Pune", 20, None)]
    assert_rebuilt_alike(desk.mem)


def test_an_entity_s_name_learned_later_joins_facts_and_corrections(desk: Desk) -> None:
    desk.mem.register_predicate("database", type="entity")
    desk.hands.set(day(10))
    desk.mem.set("ann", "database", "pg")
    desk.hands.set(day(20))
    desk.mem.set("ann", "database", "Postgres")
    assert len(desk.mem.history("ann", "database").facts) == 2
    desk.mem.register_entity("PostgreSQL", aliases=["pg", "Postgres"])
    assert line(desk.mem, "database") == [("PostgreSQL", 10, None)]
    desk.mem.correct(desk.fact("database").id)
    desk.mem.set("ann", "database", "Postgres", said_at=day(15))
    assert desk.mem.get("ann", "database") is None
    assert_rebuilt_alike(desk.mem)


@pytest.mark.parametrize(
    "spelling",
    ["Del\u200bhi", "Del\u00adhi", "\ufeffDelhi", "Delhi\u200d", " Delhi ", "D\u2060elhi", "Delhi\u200e", "ＤＥＬＨＩ"],
    ids=ascii,
)
def test_a_value_is_the_same_with_what_nobody_sees(desk: Desk, spelling: str) -> None:
    desk.hands.set(day(10))
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.hands.set(day(20))
    desk.mem.set("ann", "lives_in", spelling)
    desk.hands.set(day(30))
    desk.mem.set("ann", "lives_in", "Delhi")
    assert line(desk.mem) == [("Delhi", 10, None)]
    desk.mem.retract("ann", "lives_in", spelling)
    assert desk.mem.get("ann", "lives_in") is None


@pytest.mark.parametrize("spelling", ["I\u0307stanbul", "i\u0307stanbul", "İSTANBUL"], ids=ascii)
def test_a_dotted_capital_i_is_equal_to_itself_in_any_form(desk: Desk, spelling: str) -> None:
    desk.mem.set("ann", "lives_in", "İstanbul")
    desk.mem.set("ann", "lives_in", spelling)
    assert len(desk.mem.history("ann", "lives_in").facts) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("C", "C++"), ("C", "C#"), ("10²", "102"), ("½", "12"), ("An Nguyen", "Nguyen"), ("x_1", "x1"), ("a-b", "ab")],
)
def test_different_values_stay_different(desk: Desk, one: str, other: str) -> None:
    desk.mem.add_value("ann", "languages", one)
    desk.mem.add_value("ann", "languages", other)
    assert set(desk.mem.get("ann", "languages")) == {one, other}


@given(st.text(min_size=1, max_size=20))
def test_composed_and_decomposed_forms_are_one_value(text: str) -> None:
    with Memory(":memory:", worker=False) as mem:
        mem.register_predicate("lives_in")
        try:
            mem.set("ann", "lives_in", unicodedata.normalize("NFC", text))
            mem.set("ann", "lives_in", unicodedata.normalize("NFD", text))
        except InvalidValueError:
            return
        assert len(mem.history("ann", "lives_in").facts) == 1


def test_a_predicate_keeps_its_name_in_any_script(desk: Desk) -> None:
    for name in ("निवास_स्थान", "استان", "都市", "μετρό", "city-of birth"):
        desk.mem.register_predicate(name)
        desk.mem.set("ann", name, "Delhi")
        assert name in desk.mem.state("ann").values
        assert name in desk.mem.context("ann").text


def test_tokens_of_a_script_without_spaces_are_not_counted_by_spaces(desk: Desk) -> None:
    text = "東京の下町に住んでいて毎朝隅田川沿いを散歩します。" * 10
    assert len(text) >= 240
    desk.mem.set("ann", "lives_in", text[:240])
    with_it = desk.mem.context("ann").token_count
    desk.mem.set("ann", "lives_in", "Delhi")
    assert 140 <= with_it - desk.mem.context("ann").token_count <= 300


@pytest.mark.parametrize("budget", [0, 10, 40, 60, 100, 400])
def test_a_budget_is_kept(desk: Desk, budget: int) -> None:
    desk.mem.set("ann", "lives_in", "東京の下町に住んでいて毎朝隅田川沿いを散歩します")
    for number in range(20):
        desk.mem.add_value("ann", "languages", f"言語その{number}")
    found = desk.mem.context("ann", max_tokens=budget)
    assert found.token_count <= budget
    assert len(found.facts_used) + found.omitted == 21


def test_half_a_character_is_refused_alone(desk: Desk) -> None:
    half = "Del\ud800hi"
    for write in (desk.mem.set, desk.mem.retract):
        with pytest.raises(InvalidValueError, match="surrogate"):
            write("ann", "lives_in", half)
    with pytest.raises(InvalidValueError, match="surrogate"):
        desk.mem.add("ann", half)
    seq = desk.say("I live in Delhi and know Go", lives(half), speaks("Go"), speaks("Go", quote=half))
    assert desk.mem.state("ann").values == {"languages": ("Go",)}
    assert [one.outcome for one in desk.mem.decisions("ann", seq)] == ["refused", "admitted", "refused"]
    assert desk.mem.state("ann").freshness.is_current


def test_a_value_of_many_megabytes_is_refused_or_shown_and_never_silently_absent(desk: Desk) -> None:
    try:
        desk.mem.set("ann", "lives_in", "long street " * 900_000)
    except (ContentTooLargeError, InvalidValueError):
        assert desk.mem.state("ann").rev == 0
        return
    found = desk.mem.context("ann", max_tokens=2000)
    assert "long street" in found.text
    assert "…" in found.text


def test_a_message_over_the_limit_is_refused_with_a_clear_error(desk: Desk) -> None:
    with pytest.raises(ContentTooLargeError, match="1048576"):
        desk.mem.add("ann", "a" * 1_048_577)
    with pytest.raises(ContentTooLargeError):
        desk.mem.add("ann", "é" * 600_000)
    assert desk.mem.add("ann", "a" * 1_048_576).seq == 1


def test_of_many_values_those_that_fit_are_shown_and_the_others_counted(desk: Desk) -> None:
    with desk.open() as mem:
        mem.replace_values("ann", "languages", [f"language number {number}" for number in range(150)])
        whole, part = mem.context("ann"), mem.context("ann", max_tokens=300)
    assert (len(whole.facts_used), whole.omitted) == (150, 0)
    assert 0 < len(part.facts_used) < 150
    assert part.omitted == 150 - len(part.facts_used)
    assert str(part.omitted) in part.text


def test_a_person_s_id_is_taken_exactly_as_it_is(desk: Desk) -> None:
    composed, decomposed = unicodedata.normalize("NFC", "José"), unicodedata.normalize("NFD", "José")
    ids = ["ann", " ann", "ann ", "Ann", "ann\u200b", composed, decomposed, "ann/bob", "ann%", "100"]
    written: dict[str, Any] = {}
    for place, user in enumerate(ids):
        try:
            desk.mem.set(user, "lives_in", f"place {place}")
        except InvalidScopeError:
            continue
        written[user] = f"place {place}"
    assert "ann" in written
    assert {user: desk.mem.get(user, "lives_in") for user in written} == written
    assert sorted(info.user_id for info in desk.mem.scopes()) == sorted(written)


@pytest.mark.parametrize("user", ["", " ", "\t", "\0", "a\0b", "\ud800", "x" * 600, None, 7, b"ann"], ids=ascii)
def test_what_cannot_name_a_person_is_refused(desk: Desk, user: Any) -> None:
    with pytest.raises(InvalidScopeError):
        desk.mem.set(user, "lives_in", "Delhi")
    with pytest.raises(InvalidScopeError):
        desk.mem.set("ann", "lives_in", "Delhi", agent_id=user or "\0")


@pytest.mark.parametrize("verb", ["set", "get", "retract"])
def test_an_unknown_predicate_is_named_in_the_error(desk: Desk, verb: str) -> None:
    with pytest.raises(UnknownPredicateError, match="hair"):
        getattr(desk.mem, verb)("ann", "hair", "red")


@pytest.mark.parametrize(
    ("definition", "good", "bad"),
    [
        ({"type": "number"}, [("25", 25), (2.5, 2.5), ("२५", 25), ("-3", -3)], ["many", "", "1 2", float("nan"), True]),
        ({"type": "bool"}, [(True, True), ("true", True), ("no", False)], ["perhaps", 7]),
        ({"choices": ["red", "blue"]}, [("red", "red"), ("RED", "red")], ["green", ""]),
        ({"type": "json"}, [({"a": [1, None]}, {"a": [1, None]})], [float("inf")]),
    ],
    ids=str,
)
def test_a_value_parses_as_its_type_or_is_refused(
    desk: Desk, definition: dict[str, Any], good: list[tuple[Any, Any]], bad: list[Any]
) -> None:
    desk.mem.register_predicate("thing", **definition)
    for given_value, value in good:
        desk.mem.set("ann", "thing", given_value)
        found = desk.mem.get("ann", "thing")
        assert (found, type(found)) == (value, type(value))
    for refused in bad:
        with pytest.raises(TensememError):
            desk.mem.set("ann", "thing", refused)
    assert_rebuilt_alike(desk.mem)

"""How examples are written, and what they are read as."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tensemem import OfflineExtractor
from tests.extract.offline.asking import predicate, read, said, short, times

DRIVES = [predicate("drives", "I drive a {value}")]
MOVED = [predicate("city", "{subject} moved from {old} to {value}", "I live in {value}")]


@pytest.mark.parametrize(
    "text",
    ["I drive a Volvo", "i now drive a Volvo", "I'm driving a Volvo", "I drive an old Volvo", "We drive a Volvo"],
)
def test_an_example_in_the_first_person_is_read_in_its_other_forms(text: str) -> None:
    assert [each.removesuffix("Volvo") for each in said(text, DRIVES)] in (["set drives="], ["set drives=old "])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My wife drives a Volvo", "user.wife: set drives=Volvo"),
        ("my mom drives a Volvo", "user.mother: set drives=Volvo"),
        ("Mom drives a Volvo", "user.mother: set drives=Volvo"),
        ("My older brother drives a Volvo", "user.brother: set drives=Volvo"),
        ("My wife Anna drives a Volvo", "user.wife: set drives=Volvo"),
        ("my friend Ola drives a Volvo", "Ola: set drives=Volvo"),
        ("My wife and I drive a Volvo", "set drives=Volvo"),
        ("My wife doesn't drive a Volvo", "user.wife: retract drives=Volvo"),
    ],
)
def test_what_the_user_says_of_people_around_them_is_of_these(text: str, expected: str) -> None:
    assert said(text, DRIVES) == [expected]


@pytest.mark.parametrize(
    "text", ["He drives a Volvo", "They drive a Volvo", "Ola drives a Volvo", "The man next door drives a Volvo"]
)
def test_what_is_said_of_strangers_says_nothing(text: str) -> None:
    assert said(text, DRIVES) == []


def test_a_named_subject_is_read_where_it_is_declared() -> None:
    assert said("Mira moved from Oslo to Bergen", MOVED) == ["Mira: set city=Bergen"]
    assert said("I moved from Oslo to Bergen", MOVED) == ["set city=Bergen"]
    assert said("Mira lives in Oslo", MOVED) == []


def test_the_old_value_of_a_many_valued_predicate_is_taken_away() -> None:
    tools = [predicate("tools", "I switched from {old} to {value}", cardinality="many")]
    assert said("I switched from Emacs to Helix", tools) == ["remove tools=Emacs", "add tools=Helix"]


def test_a_fixed_value_stands_behind_an_arrow() -> None:
    smokes = [predicate("smokes", "I smoke => true", "I don't smoke => false", type="bool")]
    assert said("I smoke, sadly", smokes) == ["set smokes=true"]
    assert "set smokes=false" in said("I don't smoke", smokes)


def test_a_negative_example_says_nothing() -> None:
    lives = [predicate("city", "I live in {value}", "!I live in the moment")]
    assert said("I live in the moment", lives) == []
    assert said("I live in Oslo", lives) == ["set city=Oslo"]


def test_an_ending_example_takes_the_value_away() -> None:
    works = [predicate("works_at", "I work at {value:org}", "-I was laid off from {value:org}")]
    assert said("I was laid off from Dropbox", works) == ["retract works_at=Dropbox"]
    assert said("I wasn't laid off from Dropbox", works) == []


def test_alternatives_and_what_may_be_left_out() -> None:
    drives = [predicate("drives", "I (drive|ride) (a|an|) {value}")]
    assert said("I ride a Vespa", drives) == ["set drives=Vespa"]
    assert said("My dad rides Vespas", drives) == ["user.father: set drives=Vespas"]


def test_an_example_in_an_unknown_language_is_read_where_it_begins_a_clause() -> None:
    home = [predicate("city", "J'habite à {value:place}")]
    assert said("J'habite à Lyon", home) == ["set city=Lyon"]
    assert said("Il dit que j'habite à Lyon", home) == []


@pytest.mark.parametrize(
    ("example", "why"),
    [
        ("I live somewhere", "no {value}"),
        ("{value}", "no words"),
        ("I live in {place}", "no slot"),
        ("I live in {value:planet}", "no kind"),
        ("x" * 401, "more than 400"),
    ],
)
def test_an_example_that_cannot_be_read_is_told(example: str, why: str) -> None:
    told = OfflineExtractor().unread([predicate("city", example)])
    assert [(name, text) for name, text, _ in told] == [("city", example)]
    assert why in told[0][2]
    assert said("I live in Oslo", [predicate("city", example, "I live in {value}")]) == ["set city=Oslo"]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ({"type": "number"}, "My size is 44", "44"),
        ({"type": "number"}, "My size is forty two", "42"),
        ({"type": "date"}, "My size is 3 May 1990", "1990-05-03"),
        ({"choices": ("small", "large")}, "My size is Large", "large"),
        ({"choices": ("small", "large")}, "My size is huge", None),
        ({"type": "number"}, "My size is unknown", None),
        ({}, "My size is rather large", "large"),
    ],
)
def test_the_type_says_what_fits_in_a_slot(kind: dict[str, object], text: str, value: str | None) -> None:
    found = read(text, [predicate("size", "My size is {value}", **kind)])
    assert [operation.value for operation in found] == ([] if value is None else [value])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I live in New York", "New York"),
        ("I live in New York now", "New York"),
        ("I live in New York these days, sadly", "New York"),
        ("I live in New York with my wife", "New York"),
        ("I live in New York because of work", "New York"),
        ("I live in New York and I work at SAP", "New York"),
        ("I live in Portland, Oregon", "Portland, Oregon"),
        ("I live in Portland, Oregon, with my dog", "Portland"),
        ("I live in St. Louis.", "St. Louis"),
        ("I live in Washington, D.C.", "Washington, D.C."),
        ("I live in Rio de Janeiro since 2015", "Rio de Janeiro"),
        ("I live in Frankfurt am Main.", "Frankfurt am Main"),
    ],
)
def test_where_a_place_ends(text: str, value: str) -> None:
    assert [operation.value for operation in read(text) if operation.predicate == "lives_in"] == [value]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I speak English, Hindi and a bit of German", ["English", "Hindi", "German"]),
        ("I speak English and Hindi, and I live in Delhi", ["English", "Hindi"]),
        ("我会说粤语和普通话", ["粤语", "普通话"]),
        ("我会说粤语、普通话、英语", ["粤语", "普通话", "英语"]),
        ("Hablo catalán, castellano y un poco de alemán", ["catalán", "castellano", "alemán"]),
        ("Ich spreche Deutsch, Englisch und etwas Polnisch", ["Deutsch", "Englisch", "Polnisch"]),
        ("I speak English, my wife doesn't", ["English"]),
    ],
)
def test_a_many_valued_slot_is_a_list(text: str, values: list[str]) -> None:
    assert [operation.value for operation in read(text) if operation.predicate == "languages"] == values


def test_a_list_of_plain_text_goes_on_only_where_it_ends_with_and() -> None:
    assert said("I like tea, rain and long walks") == ["add likes=tea", "add likes=rain", "add likes=long walks"]
    assert said("I hate mornings, coffee helps") == ["add dislikes=mornings"]


def test_only_makes_a_replacement() -> None:
    assert [(o.op, o.value) for o in read("I only speak English and Hindi")] == [("replace", ["English", "Hindi"])]


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("I live in Oslo", {}),
        ("I have lived in Oslo since 2015", {"since": "2015"}),
        ("I moved to Oslo last week", {"since": "2026-W20"}),
        ("I moved to Oslo yesterday", {"since": "2026-05-19"}),
        ("I moved to Oslo in March", {"since": "2026-03"}),
        ("I live in Oslo until Friday", {"until": "2026-05-22"}),
        ("From 2015 to 2017 I lived in Oslo", {"valid_from": "2015", "valid_to": "2017"}),
        ("I lived in Oslo in 2015", {"valid_from": "2015", "valid_to": "2015"}),
        ("I lived in Oslo until 2020", {"valid_to": "2020"}),
        ("I'm moving to Oslo next month", {"valid_from": "2026-06"}),
        ("Ich wohne seit 2015 in Oslo", {"since": "2015"}),
        ("Ab dem 1. November wohne ich in Oslo", {"valid_from": "2026-11-01"}),
        ("Ich bin letztes Jahr nach Oslo gezogen", {"since": "2025"}),
        ("Vivo en Oslo desde 2015", {"since": "2015"}),
        ("我2015年搬到了奥斯陆", {"since": "2015"}),
    ],
)
def test_times_are_filled_in_as_the_evidence_rule_names_them(text: str, given: dict[str, str]) -> None:
    assert [times(operation) for operation in read(text) if operation.predicate == "lives_in"] == [given]


def test_a_time_is_counted_in_the_zone_of_the_message() -> None:
    late = datetime(2026, 9, 10, 0, 20, tzinfo=ZoneInfo("Asia/Shanghai"))
    moved = [predicate("moved_in_on", "我{value}搬进新家", type="date")]
    assert [short(operation) for operation in read("我今天搬进新家了。", moved, said_at=late)] == [
        "set moved_in_on=2026-09-10"
    ]

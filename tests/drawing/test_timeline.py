"""What a drawing holds: every fact once, text that stays text, and a way in for keyboards and screen readers."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Fact, FactStatus, Statement, errors
from tensemem.drawing import style, timeline
from tests.drawing.making import (
    NOON,
    SVG,
    ZONES,
    any_facts,
    any_statements,
    day,
    drawn_ids,
    fact,
    history,
    moments,
    quoted,
    root_of,
    statement,
    texts_of,
    with_class,
)
from tests.settings import law_settings

OUR_ELEMENTS = {"svg", "g", "title", "defs", "pattern", "path", "rect", "line", "text"}
OUR_ATTRIBUTES = re.compile(
    r"class|id|[xy][12]?|d|width|height|viewBox|role|tabindex|transform|fill|stroke-dasharray|text-anchor|patternUnits"
    r"|aria-(?:label|hidden)|data-[a-z-]+"
)


@law_settings
@given(any_facts(), any_statements(), moments, st.sampled_from(ZONES), st.integers(280, 1500))
def test_whatever_is_drawn_is_well_formed_and_holds_every_fact_and_statement_once(
    facts: list[Fact], statements: list[Statement], now: datetime, zone: str, width: int
) -> None:
    svg = timeline(facts, statements, now=now, zone=zone, width=width)
    root = root_of(svg)
    assert sorted(drawn_ids(root)) == sorted(one.id for one in facts)
    signs = with_class(root, "tm-statement")
    assert sum(int(sign.get("data-count", "0")) for sign in signs) == len(statements)
    for one in root.iter():
        assert one.tag.removeprefix(SVG) in OUR_ELEMENTS
        assert all(OUR_ATTRIBUTES.fullmatch(name) for name in one.attrib)
        assert not (one.get("fill") or "").startswith("url(") or one.get("fill", "").startswith("url(#tm")
    assert svg == timeline(facts, statements, now=now, zone=zone, width=width)


@given(any_facts(), st.integers(280, 1500))
def test_nothing_lies_outside_the_drawing(facts: list[Fact], width: int) -> None:
    root = root_of(timeline(facts, now=NOON, width=width))
    height = float(root.get("height", "0"))
    for box in with_class(root, "tm-box"):
        numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", box.get("d", ""))]
        assert all(-1 <= x <= width + 1 for x in numbers[::2])
        assert all(-1 <= y <= height + 1 for y in numbers[1::2])


@pytest.mark.parametrize("status", list(FactStatus))
def test_a_bar_can_be_reached_and_tells_its_value_status_times_and_quote(status: FactStatus) -> None:
    one = fact("f-1", "Delhi", day(3), day(9), status=status, evidence=quoted("I live in Delhi"))
    (bar,) = with_class(root_of(timeline([one], now=NOON)), "tm-bar")
    assert (bar.get("data-fact"), bar.get("data-status")) == ("f-1", status.value)
    assert (bar.get("tabindex"), bar.get("role")) == ("0", "button")
    name = bar.get("aria-label") or ""
    assert all(word in name for word in ("lives_in", "Delhi", status.value, "2026-01-04", "2026-01-10"))
    told = bar.findtext(f"{SVG}title") or ""
    assert all(word in told for word in ("Delhi", status.value, "“I live in Delhi”", "message 7", "2026-06-01 12:00"))


def test_every_status_has_a_mark_that_works_without_colour() -> None:
    facts = [fact(f"f-{status}", "A", day(1), day(90), status=status) for status in FactStatus]
    root = root_of(timeline(facts, now=NOON))
    marks = set()
    for bar in with_class(root, "tm-bar"):
        icon = next(one for one in bar.iter() if one.get("class") == "tm-icon")
        box = next(one for one in bar.iter() if one.get("class") == "tm-box")
        fill = next((one.get("fill", "") for one in bar.iter() if one.get("class") == "tm-fill"), "")
        marks.add((icon.get("d"), box.get("stroke-dasharray"), fill))
    assert len({path for path, _, _ in marks}) == len(marks) == len(FactStatus)
    assert {status.value for status in FactStatus} <= set(texts_of(root))


def test_the_legend_names_what_is_there_and_nothing_else() -> None:
    told = history(fact("f", "A", day(1), day(5)), statements=(statement("s", said_at=day(3)),))
    root = root_of(timeline(told, now=day(6)))
    words = {"".join(one.itertext()) for one in with_class(root, "tm-key")}
    assert words == {"active", "taken back"}
    torn = fact("f", "A", None, day(5), status=FactStatus.RETRACTED)
    root = root_of(timeline([torn, fact("g", "B", day(7))], now=day(9)))
    words = {"".join(one.itertext()) for one in with_class(root, "tm-key")}
    assert words == {"active", "retracted", "no end", "unknown start"}


def test_what_is_in_doubt_is_folded_at_its_corner_and_says_so() -> None:
    facts = [fact("f", "A", day(1), contested=True), fact("g", "B", day(1), predicate="b")]
    root = root_of(timeline(facts, now=NOON))
    folded = {bar.get("data-fact"): bool(with_class(bar, "tm-doubt")) for bar in with_class(root, "tm-bar")}
    assert folded == {"f": True, "g": False}
    assert "in doubt" in texts_of(root)
    assert (with_class(root, "tm-bar")[1].get("aria-label") or "").endswith(", in doubt")


def test_a_long_value_is_cut_in_its_bar_and_whole_in_its_title() -> None:
    value = "Bengaluru " * 1000
    root = root_of(timeline([fact("f", value, day(1))], now=NOON))
    (bar,), (words,) = with_class(root, "tm-bar"), with_class(root, "tm-words")
    (label,) = texts_of(words)
    assert label.startswith("Bengaluru")
    assert label.endswith("…")
    assert value in (bar.findtext(f"{SVG}title") or "")
    assert len(bar.get("aria-label") or "") < 400


@pytest.mark.parametrize("char", ["\x00", "\x08", "\x1b", "\x7f", "\ud800", "\ufffe", "\uffff", "\u202e"])
def test_what_xml_forbids_or_nobody_sees_is_shown_by_its_number(char: str) -> None:
    (words,) = with_class(root_of(timeline([fact("f", f"a{char}b", day(1), source=char)], now=NOON)), "tm-words")
    assert texts_of(words) == [f"a\\u{ord(char):04x}b"]


def test_facts_without_dates_have_a_strip_of_their_own() -> None:
    undated = fact("u", "Paris", status=FactStatus.RETRACTED)
    root = root_of(timeline([undated, fact("f", "Delhi", day(1))], now=NOON))
    (strip,) = with_class(root, "tm-undated")
    assert drawn_ids(strip) == ["u"]
    assert texts_of(strip) == ["without dates", "lives_in: Paris"]


def test_slots_stand_apart_the_users_first() -> None:
    facts = [fact("a", "1", day(1), subject="Mira"), fact("b", "2", day(1)), fact("c", "3", day(1), predicate="diet")]
    slots = with_class(root_of(timeline(facts, now=NOON)), "tm-slot")
    assert [(one.get("data-subject"), one.get("data-predicate"), drawn_ids(one)) for one in slots] == [
        ("user", "diet", ["c"]),
        ("user", "lives_in", ["b"]),
        ("Mira", "lives_in", ["a"]),
    ]


def test_the_present_is_a_line_where_it_was_told_to_be() -> None:
    facts = [fact("f", "A", day(0), day(100), status=FactStatus.EXPIRED)]
    (now,) = with_class(root_of(timeline(facts, now=day(50), zone="Asia/Kolkata")), "tm-now")
    line = next(one for one in now if one.get("class") == "tm-now-line")
    assert line.get("x1") == line.get("x2") == "450"
    assert now.findtext(f"{SVG}title") == "now: 2026-02-20 05:30"


def test_without_a_present_the_last_moment_told_is_one() -> None:
    facts = [fact("f", "A", day(0), said_at=day(9), recorded_at=day(9), last_evidence_at=day(9))]
    (now,) = with_class(root_of(timeline(facts)), "tm-now")
    assert now.findtext(f"{SVG}title") == "last told: 2026-01-10"
    assert texts_of(now) == ["last told"]
    assert root_of(timeline([])).get("data-facts") == "0"


def test_the_present_of_a_history_is_when_it_was_read() -> None:
    (now,) = with_class(root_of(timeline(replace(history(fact("f", "A", day(0))), at=day(300)))), "tm-now")
    assert now.findtext(f"{SVG}title") == "now: 2026-10-28"


def test_a_drawing_that_stands_alone_has_its_style_and_bars_that_promise_no_click() -> None:
    facts = [fact("f", "A", day(0))]
    alone, placed = timeline(facts, now=NOON, standalone=True), timeline(facts, now=NOON)
    assert (root_of(alone).findtext(f"{SVG}style") or "").startswith(style())
    assert with_class(root_of(alone), "tm-bar")[0].get("role") == "img"
    assert with_class(root_of(timeline(facts, now=NOON, role="img")), "tm-bar")[0].get("role") == "img"
    assert not any(word in placed for word in ("<style", " style=", "<script", "href"))


def test_two_drawings_on_one_page_share_no_ids() -> None:
    ids = [
        {one.get("id") for one in root_of(timeline([fact(name, "A", day(1))], now=NOON)).iter() if one.get("id")}
        for name in ("a", "b")
    ]
    assert ids[0]
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("number", [1, 5, 200, 5000])
def test_any_number_of_facts_stays_usable_and_none_is_lost(number: int) -> None:
    facts = [
        fact(f"f-{n}", f"v{n % 50}", day(n), day(n + 1), status=FactStatus.SUPERSEDED) for n in range(number)
    ]
    svg = timeline(facts, now=day(number))
    root = root_of(svg)
    bars = with_class(root, "tm-bar")
    assert sum(int(bar.get("data-count", "1")) for bar in bars) == number
    assert len(bars) <= 600
    assert len(svg) < 1_500_000
    notes = [text for text in texts_of(root) if "share a bar" in text]
    assert bool(notes) == any(bar.get("data-count") for bar in bars)


def test_of_very_many_attributes_the_first_are_drawn_and_the_rest_is_told() -> None:
    facts = [fact(f"f-{n}", "A", day(1), predicate=f"p{n:04d}") for n in range(1000)]
    root = root_of(timeline(facts, [statement("s", predicate="p0999")], now=NOON))
    assert len(drawn_ids(root)) == 60
    assert root.get("data-left-out") == "940"
    assert "Not drawn: 940 facts of 940 more attributes; name an attribute to see its own." in texts_of(root)
    assert "Not drawn: 1 statement about them." in texts_of(root)


def test_nothing_is_said_to_be_nothing() -> None:
    assert "No facts." in texts_of(root_of(timeline([], now=NOON)))


@pytest.mark.parametrize("width", [0, 279, 20_001, True, "900", float("nan")])
def test_a_width_that_is_none_is_refused(width: Any) -> None:
    with pytest.raises(errors.InvalidValueError, match="width must be a number of pixels from 280 to 20,000"):
        timeline([], now=NOON, width=width)


@pytest.mark.parametrize("now", [NOON.replace(tzinfo=None), "2026-01-01"])
def test_a_present_without_a_zone_is_refused(now: Any) -> None:
    with pytest.raises(errors.InvalidTimeError, match="now must be a datetime with a zone"):
        timeline([], now=now)


def test_a_zone_that_is_none_is_refused() -> None:
    with pytest.raises(errors.InvalidTimeError):
        timeline([], now=NOON, zone="Mars/Olympus")


def test_a_mark_for_what_was_taken_away_stands_where_it_was_said() -> None:
    facts = [fact("f", "A", day(0), day(100), status=FactStatus.RETRACTED)]
    away = statement("s", said_at=day(25), quote="not there any more")
    said = (away, statement("t", said_at=day(75), in_force=False))
    signs = with_class(root_of(timeline(facts, said, now=day(100))), "tm-statement")
    assert [one.get("data-statement") for one in signs[:2]] == ["s", "t"]
    places = [next(icon.get("transform", "") for icon in sign if icon.get("class") == "tm-icon") for sign in signs[:2]]
    assert [re.findall(r"[\d.]+", place)[0] for place in places] == ["229", "671"]
    assert "“not there any more”" in (signs[0].findtext(f"{SVG}title") or "")
    assert "tm-void" not in signs[0].get("class", "")
    assert "tm-void" in signs[1].get("class", "")
    assert "without effect" in (signs[1].get("aria-label") or "")


def test_a_corrected_statement_says_so_though_it_would_be_in_force() -> None:
    away = statement("s", said_at=day(25), corrected=True)
    root = root_of(timeline([fact("f", "A", day(0), day(100))], [away], now=day(100)))
    (sign,) = (one for one in with_class(root, "tm-statement") if one.get("data-statement"))
    assert (sign.get("aria-label") or "").endswith(", corrected")
    assert "tm-void" in sign.get("class", "")


def test_ends_that_nobody_told_have_a_shape_of_their_own() -> None:
    told = {
        "whole": fact("whole", "A", day(0), day(9), predicate="a"), "open": fact("open", "B", day(0), predicate="b"),
        "torn": fact("torn", "C", None, day(9), predicate="c"),
    }  # fmt: skip
    corners = {}
    for bar in with_class(root_of(timeline(told.values(), now=day(10))), "tm-bar"):
        box = next(one for one in bar.iter() if one.get("class") == "tm-box")
        corners[bar.get("data-fact")] = len(re.findall("[ML]", box.get("d", "")))
    assert corners == {"whole": 4, "open": 5, "torn": 7}


def test_statements_at_one_moment_are_drawn_as_one_where_they_are_many() -> None:
    said = [statement(f"s-{n}", said_at=day(5) + timedelta(seconds=n)) for n in range(40)]
    signs = with_class(root_of(timeline([fact("f", "A", day(0), day(100))], said, now=NOON)), "tm-statement")
    counts = [int(one.get("data-count", "0")) for one in signs if one.get("data-count")]
    assert sum(counts) == 40
    assert max(counts) > 1


def test_times_in_titles_are_as_fine_as_they_were_told() -> None:
    told = [
        fact("a", "A", datetime(2015, 1, 1, tzinfo=UTC), precision="year"),
        fact("b", "B", datetime(2015, 3, 1, tzinfo=UTC), precision="month", predicate="b"),
        fact("c", "C", datetime(2015, 3, 5, tzinfo=UTC), precision="day", predicate="c"),
        fact("d", "D", datetime(2015, 3, 5, 1, 2, 3, 4000, tzinfo=UTC), predicate="d"),
        fact("e", "E", None, datetime(33, 3, 5, tzinfo=UTC), predicate="e", status=FactStatus.EXPIRED),
    ]
    names = {bar.get("data-fact"): bar.get("aria-label") for bar in with_class(root_of(timeline(told)), "tm-bar")}
    assert [(names[one] or "").partition(": ")[2] for one in "abcde"] == [
        "A, active, since 2015",
        "B, active, since 2015-03",
        "C, active, since 2015-03-05",
        "D, active, since 2015-03-05 01:02:03.004",
        "E, expired, from an unknown start until 0033-03-05",
    ]

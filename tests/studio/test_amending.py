"""Putting right: wrong, it was X, still true, undo; each with what it would change before it is done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.bench import Served, alice
from tests.studio.watched import go, person, until_shown


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person())


def value(studio: Served, predicate: str = "lives_in") -> Any:
    return studio.mem.get("alice", predicate)


def preview(page: Any) -> Any:
    return page.get_by_role("dialog").get_by_role("region", name="What would change")


def shown(page: Any, predicate: str, value: str) -> None:
    page.get_by_role("article", name=predicate).first.get_by_text(value, exact=True).wait_for()


@pytest.mark.on_postgres
def test_wrong_shows_the_state_before_it_is_done_then_does_it_and_undoes_it(studio: Served, page: Any) -> None:
    rev = studio.mem.state("alice").rev
    page.get_by_role("button", name="lives_in: Bangalore was never true").click()
    until_shown(preview(page), "Bangalore does not hold", "Delhi", "Then, now: lives_in is Delhi.")
    assert studio.mem.state("alice").rev == rev, "a preview writes nothing"
    page.get_by_label("Why (kept with the correction)").fill("another Alice")
    page.get_by_role("button", name="It was never true").click()
    shown(page, "lives_in", "Delhi")
    assert value(studio) == "Delhi"
    assert studio.mem.changes("alice")[-1].reason == "another Alice"
    page.get_by_role("region", name="What was just done").get_by_role("button", name="Undo").click()
    shown(page, "lives_in", "Bangalore")
    assert value(studio) == "Bangalore"


@pytest.mark.on_postgres
def test_it_was_another_value(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="lives_in: Bangalore was something else").click()
    page.get_by_label("It was", exact=True).fill("Pune")
    page.keyboard.press("Enter")
    until_shown(preview(page), "Pune holds")
    assert value(studio) == "Bangalore"
    page.get_by_role("button", name="Correct it").click()
    shown(page, "lives_in", "Pune")
    assert value(studio) == "Pune"
    assert studio.mem.get("alice", "lives_in", at="2026-02-01") == "Delhi", "nothing else has moved"
    page.get_by_role("button", name="Undo").click()
    shown(page, "lives_in", "Bangalore")


def test_a_value_with_choices_is_chosen_and_a_date_is_a_date(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="diet: vegan was something else").click()
    page.get_by_label("It was", exact=True).select_option(label="vegetarian")
    page.get_by_role("button", name="Correct it").click()
    page.get_by_text("Corrected.").first.wait_for()
    assert value(studio, "diet") == "vegetarian"
    page.get_by_role("button", name="State something").click()
    page.get_by_label("Attribute").select_option("birthday")
    page.get_by_label("Value", exact=True).fill("1991-07-14")
    page.get_by_role("button", name="Preview").click()
    until_shown(preview(page), "1991-07-14")
    page.get_by_role("button", name="State it").click()
    page.get_by_role("article", name="birthday").wait_for()
    assert str(value(studio, "birthday")) == "1991-07-14"


def test_still_true_is_newer_evidence(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="works_at: Acme is still true").click()
    page.get_by_role("button", name="It is still true").click()
    page.locator(".toast").get_by_text("Confirmed: works_at").wait_for()
    fact = studio.mem.state("alice").fact("works_at")
    assert fact is not None
    assert (fact.value, fact.due_for_review) == ("Acme", False)


def test_what_is_refused_is_told_in_words_and_nothing_is_done(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person(), may_fail=True)
    page.get_by_role("button", name="lives_in: Bangalore was never true").click()
    preview(page).wait_for()
    studio.mem.correct(next(fact.id for fact in studio.mem.state("alice").facts if fact.object == "Bangalore"))
    page.get_by_role("button", name="It was never true").click()
    until_shown(page.get_by_role("dialog").get_by_role("alert"), "Undo takes that correction back")
    page.keyboard.press("Escape")


def test_a_correction_is_undone_from_the_timeline_too(studio: Served, page: Any) -> None:
    studio.mem.correct(next(fact.id for fact in studio.mem.state("alice").facts if fact.object == "Bangalore"))
    go(page, person(tab="timeline", predicate="lives_in"))
    page.get_by_role("button", name="Undo the correction of lives_in: Bangalore").click()
    page.get_by_text("Undone.").first.wait_for()
    assert value(studio) == "Bangalore"

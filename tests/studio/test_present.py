"""A person's present: every slot with its value, since when, last evidence and why; the two clocks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tensemem import Operation
from tests.studio.bench import Served, alice
from tests.studio.watched import go, person, until_address, until_focus_is_on, until_shown


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person())


def slot(page: Any, name: str) -> Any:
    return page.get_by_role("article", name=name, exact=True)


@pytest.mark.on_postgres
def test_each_slot_tells_its_value_since_when_its_evidence_and_words(page: Any) -> None:
    home = slot(page, "lives_in").first
    until_shown(home, "Bangalore", "10 Mar 2026", "moved to Bangalore", "by the user")
    until_shown(home, "in doubt")  # Lisbon waits for review
    until_shown(slot(page, "works_at").first, "due for review")
    expect(slot(page, "languages").locator(".value")).to_have_text(["French", "Hindi"])


def test_plans_and_candidates_stand_apart(page: Any) -> None:
    until_shown(page.get_by_role("region", name="Planned"), "Globex")
    until_shown(page.get_by_role("region", name="Waits for review"), "Lisbon")


def test_a_plan_is_due_once_its_date_has_passed(studio: Served, page: Any) -> None:
    plan = page.get_by_role("region", name="Planned")
    until_shown(plan, "Globex")
    expect(plan.get_by_text("due", exact=True)).to_have_count(0)
    studio.clock.advance(days=90)
    page.reload()
    plan.get_by_text("due", exact=True).wait_for()


@pytest.mark.on_postgres
def test_why_shows_the_chain_from_message_to_fact(page: Any) -> None:
    page.get_by_role("button", name="Why lives_in: Bangalore?").click()
    dialog = page.get_by_role("dialog")
    for place, name in enumerate(("Message", "Operation", "Decision", "Fact")):
        expect(dialog.locator(".link-name").nth(place)).to_have_text(name)
    expect(dialog.locator("mark")).to_have_text("moved to Bangalore")
    until_shown(dialog, "admitted")
    until_shown(dialog.get_by_role("region", name="What it displaced"), "Delhi")
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    until_focus_is_on(page, "Why lives_in: Bangalore?")


@pytest.mark.on_postgres
def test_the_slider_of_valid_time_reads_as_of_then_and_stands_in_the_address(studio: Served, page: Any) -> None:
    page.get_by_label("True on, as a date").fill("2026-02-10")
    slot(page, "lives_in").get_by_text("Delhi", exact=True).wait_for()
    until_address(page, has="at=2026-02-10")
    expect(page.get_by_role("button", name="never true")).to_have_count(0)  # the past is not changed from here
    expected = studio.mem.state("alice", at="2026-02-10").values
    assert expected["lives_in"] == "Delhi"
    expect(slot(page, "diet")).to_have_count(int("diet" in expected))
    slider = page.get_by_label("True on", exact=True)
    slider.focus()
    expect(slider).to_have_attribute("aria-valuetext", "10 Feb 2026")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "9 Feb 2026")
    until_address(page, has="at=2026-02-09")
    page.get_by_role("button", name="Back to now").click()
    slot(page, "lives_in").first.get_by_text("Bangalore", exact=True).wait_for()
    until_address(page, lacks="at=")


@pytest.mark.on_postgres
def test_the_slider_of_knowledge_time_reads_as_of_then(studio: Served, page: Any) -> None:
    latest = studio.mem.state("alice").rev
    slider = page.get_by_label("As known at", exact=True)
    expect(slider).to_have_attribute("max", str(latest))
    slider.focus()
    page.keyboard.press("Home")
    page.get_by_text("Nothing was known then").wait_for()
    until_address(page, has="known_at=0")
    go(page, person(known_at="2"))
    slot(page, "lives_in").get_by_text("Delhi", exact=True).wait_for()
    assert studio.mem.state("alice", known_at=2).values == {"lives_in": "Delhi"}
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_label("As known at", exact=True)).to_have_attribute("max", str(latest))
    until_shown(page.locator("output"), "revision 2 of")


def test_both_clocks_together_answer_what_was_believed_then_about_then(studio: Served, page: Any) -> None:
    rev = next(change.rev for change in studio.mem.changes("alice") if change.value == "Bangalore") - 1
    go(page, person(at="2026-04-01", known_at=str(rev)))
    slot(page, "lives_in").get_by_text("Delhi", exact=True).wait_for()
    go(page, person(at="2026-04-01"))
    slot(page, "lives_in").get_by_text("Bangalore", exact=True).wait_for()


def test_an_empty_memory_says_why_and_what_to_do(studio: Served, open_page: Any) -> None:
    studio.mem.add("bob", "I live in Rome")
    page = open_page(person("bob"))
    page.get_by_text("they wait for an extractor").wait_for()
    page.get_by_text("1 waiting").wait_for()
    page.get_by_text("no extractor is at work").wait_for()
    page.get_by_role("link", name="Look at the log").click()
    page.get_by_text("I live in Rome").wait_for()


def test_another_subject_has_its_own_part(studio: Served, open_page: Any) -> None:
    said = Operation("set", "lives_in", "Oslo", subject="user.sister", quote="lives in Oslo")
    studio.says("bob", "My sister lives in Oslo", said)
    page = open_page(person("bob"))
    until_shown(page.get_by_role("region", name="Their sister"), "Oslo")

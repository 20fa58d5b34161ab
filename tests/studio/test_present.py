"""A person's present: every slot with its value, since when, last evidence and why; the two clocks."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Operation
from tests.studio.bench import Served, alice
from tests.studio.watched import go, person


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person())


def slot(page: Any, name: str) -> Any:
    return page.get_by_role("article", name=name, exact=True)


def test_each_slot_tells_its_value_since_when_its_evidence_and_words(page: Any) -> None:
    text = slot(page, "lives in").first.inner_text()
    assert "Bangalore" in text
    assert "10 Mar 2026" in text
    assert "moved to Bangalore" in text
    assert "by the user" in text
    assert "in doubt" in text, "Lisbon waits for review"
    assert "due for review" in slot(page, "works at").first.inner_text()
    assert {"French", "Hindi"} <= set(slot(page, "languages").inner_text().split("\n"))


def test_plans_and_candidates_stand_apart(page: Any) -> None:
    assert "Globex" in page.get_by_role("region", name="Planned").inner_text()
    assert "Lisbon" in page.get_by_role("region", name="Waits for review").inner_text()


def test_a_plan_is_due_once_its_date_has_passed(studio: Served, page: Any) -> None:
    plan = page.get_by_role("region", name="Planned")
    assert "due" not in plan.inner_text().split()
    studio.clock.advance(days=90)
    page.reload()
    plan.get_by_text("due", exact=True).wait_for()


def test_why_shows_the_chain_from_message_to_fact(page: Any) -> None:
    page.get_by_role("button", name="Why lives in: Bangalore?").click()
    dialog = page.get_by_role("dialog")
    dialog.locator(".chain-step").first.wait_for()
    names = [name.inner_text() for name in dialog.locator(".link-name").all()]
    assert names[:4] == ["Message", "Operation", "Decision", "Fact"]
    assert dialog.locator("mark").inner_text() == "moved to Bangalore"
    assert "admitted" in dialog.inner_text()
    assert "Delhi" in dialog.get_by_role("region", name="What it displaced").inner_text()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Why lives in: Bangalore?"


def test_the_slider_of_valid_time_reads_as_of_then_and_stands_in_the_address(studio: Served, page: Any) -> None:
    page.get_by_label("True on, as a date").fill("2026-02-10")
    slot(page, "lives in").get_by_text("Delhi", exact=True).wait_for()
    assert "at=2026-02-10" in page.url
    assert page.get_by_role("button", name="never true").count() == 0, "the past is not changed from here"
    expected = studio.mem.state("alice", at="2026-02-10").values
    assert expected["lives_in"] == "Delhi"
    assert slot(page, "diet").count() == ("diet" in expected)
    slider = page.get_by_label("True on", exact=True)
    slider.focus()
    before = slider.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") != before
    page.wait_for_function("() => location.hash.includes('at=2026-02-09')")
    page.get_by_role("button", name="Back to now").click()
    slot(page, "lives in").first.get_by_text("Bangalore", exact=True).wait_for()
    assert "at=" not in page.url


def test_the_slider_of_knowledge_time_reads_as_of_then(studio: Served, page: Any) -> None:
    latest = studio.mem.state("alice").rev
    slider = page.get_by_label("As known at", exact=True)
    assert slider.get_attribute("max") == str(latest)
    slider.focus()
    page.keyboard.press("Home")
    page.get_by_text("Nothing was known then").wait_for()
    assert "known_at=0" in page.url
    go(page, person(known_at="2"))
    slot(page, "lives in").get_by_text("Delhi", exact=True).wait_for()
    assert studio.mem.state("alice", known_at=2).values == {"lives_in": "Delhi"}
    assert page.get_by_role("article").count() == 1
    assert page.get_by_label("As known at", exact=True).get_attribute("max") == str(latest)
    assert "revision 2 of" in page.locator("output").inner_text()


def test_both_clocks_together_answer_what_was_believed_then_about_then(studio: Served, page: Any) -> None:
    rev = next(change.rev for change in studio.mem.changes("alice") if change.value == "Bangalore") - 1
    go(page, person(at="2026-04-01", known_at=str(rev)))
    slot(page, "lives in").get_by_text("Delhi", exact=True).wait_for()
    go(page, person(at="2026-04-01"))
    slot(page, "lives in").get_by_text("Bangalore", exact=True).wait_for()


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
    assert "Oslo" in page.get_by_role("region", name="Their sister").inner_text()

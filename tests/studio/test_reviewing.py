"""The review queue, the questions, and the proposals to register."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import Served, alice
from tests.studio.watched import go, person, until_shown


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person(tab="review"))


def held(page: Any, name: str) -> Any:
    return page.locator("ol.queue > li").filter(has_text=name)


@pytest.mark.on_postgres
def test_a_candidate_is_accepted_after_a_look_at_what_would_change(studio: Served, page: Any) -> None:
    held(page, "Lisbon").get_by_role("button", name="Accept").click()
    ahead = page.get_by_role("dialog").get_by_role("region", name="What would change")
    until_shown(ahead, "Lisbon holds")
    assert studio.mem.get("alice", "lives_in") == "Bangalore"
    page.get_by_role("dialog").get_by_role("button", name="Accept").click()
    held(page, "Lisbon").wait_for(state="detached")
    assert studio.mem.get("alice", "lives_in") == "Lisbon"
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Taken back.").first.wait_for()
    assert studio.mem.get("alice", "lives_in") == "Bangalore"


def test_the_queue_is_worked_off_by_keys_alone(studio: Served, page: Any) -> None:
    page.locator("ol.queue > li").first.focus()
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("ol.queue > li:focus")).to_contain_text("Lisbon")
    page.keyboard.press("r")
    page.get_by_role("dialog").get_by_role("region", name="What would change").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Reject").press("Enter")
    held(page, "Lisbon").wait_for(state="detached")
    assert [fact.object for fact in studio.mem.state("alice").candidates] == []
    held(page, "Globex").focus()
    page.keyboard.press("w")
    page.get_by_role("dialog").locator(".chain-step").first.wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.get_by_role("dialog").get_by_role("button", name="Accept").press("Enter")
    held(page, "Globex").wait_for(state="detached")
    assert [fact.object for fact in studio.mem.state("alice").planned] == []


@pytest.mark.on_postgres
def test_a_question_is_answered(studio: Served, page: Any) -> None:
    text = next(question.text for question in studio.mem.questions("alice") if question.kind == "contested")
    article = page.get_by_role("article", name=text)
    assert "Lisbon" in text
    article.get_by_role("button", name="No:").click()
    article.wait_for(state="detached")
    assert studio.mem.get("alice", "lives_in") == "Bangalore"
    assert not studio.mem.state("alice").candidates


def test_nothing_to_decide_says_so(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    open_page(person("bob", tab="review")).get_by_text("Nothing waits for a decision").wait_for()


@pytest.mark.on_postgres
def test_a_proposal_is_registered_and_what_was_proposed_is_admitted(studio: Served, page: Any) -> None:
    go(page, "#/registry")
    page.get_by_role("button", name="Register favourite_tea").click()
    page.get_by_role("button", name="What would it touch?").click()
    touched = page.get_by_role("region", name="What it would touch")
    until_shown(touched, "1 statement proposed as favourite_tea")
    page.get_by_role("button", name="Register it").click()
    page.get_by_role("region", name="Proposals").wait_for(state="detached")
    assert studio.mem.get("alice", "favourite_tea") == "Assam"

"""The difference between two moments, the text an agent is given, and what reading again would change."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tensemem import Operation
from tests.studio.bench import MOVED, Served, alice
from tests.studio.watched import go, person, until, until_address, until_shown


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person(tab="compare"))


def test_the_difference_between_two_moments(page: Any) -> None:
    page.get_by_role("group", name="Before").get_by_label("True on").fill("2026-02-10")
    page.get_by_role("button", name="Compare").click()
    shown = page.get_by_role("region", name="From true on 2026-02-10 to true now")
    until_shown(shown, "lives_in changes: Delhi", "Bangalore", "works_at begins: Acme")
    expect(shown).not_to_contain_text("languages")  # they are the same
    until_address(page, has="at1=2026-02-10")
    page.get_by_role("button", name="Swap").click()
    until_shown(page.get_by_role("region", name="From true now to true on 2026-02-10"), "works_at ends: Acme")


@pytest.mark.on_postgres
def test_the_difference_between_what_was_known(page: Any) -> None:
    page.get_by_role("group", name="Before").get_by_label("As known at").fill("2")
    page.get_by_role("button", name="Compare").click()
    shown = page.get_by_role("region", name="From true now as known at revision 2 to true now")
    until_shown(shown, "languages begins: Hindi")


def test_the_context_is_exactly_what_an_agent_is_given(studio: Served, page: Any) -> None:
    go(page, person(tab="context"))
    text = "document.querySelector('pre.context-text')?.textContent"
    given = studio.mem.context("alice")
    until(page, text, given.text)
    until_shown(page.locator(".tab-body"), f"{given.token_count} token")
    expect(page.locator("ul.used > li")).to_have_count(len(given.facts_used))
    page.get_by_label("Most tokens").fill("60")
    page.get_by_label("Form").select_option("xml")
    page.get_by_role("button", name="Show", exact=True).click()
    given = studio.mem.context("alice", max_tokens=60, format="xml")
    assert given.omitted > 0
    page.get_by_text(f"{given.omitted} left out").wait_for()
    until(page, text, given.text)


@pytest.mark.on_postgres
def test_reading_again_is_previewed_then_written_as_it_was_seen(studio: Served, page: Any) -> None:
    studio.told.answers[MOVED] = [Operation("set", "lives_in", "Bangalore", quote="moved to Bangalore")]
    go(page, person(tab="reread"))
    page.get_by_role("button", name="What would it cost?").click()
    page.get_by_text("3 messages would be read again").wait_for()
    page.get_by_role("button", name="Preview the difference").first.click()
    shown = page.get_by_role("region", name="What would change")
    until_shown(shown, "works_at ends: Acme")
    assert studio.mem.get("alice", "works_at") == "Acme"
    asked = len(studio.told.requests)
    page.get_by_role("button", name="Write this").click()
    page.get_by_text("Written:").first.wait_for()
    assert studio.mem.get("alice", "works_at") is None
    assert len(studio.told.requests) == asked, "what was seen is written; nobody is asked again"

"""A slot's timeline: drawn, pointed at, opened, and the same in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import MOVED, Served, alice
from tests.studio.watched import person, until_shown


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    studio.mem.correct(next(fact.id for fact in studio.mem.history("alice", "lives_in") if fact.object == "Paris"))
    page = open_page(person(tab="timeline", predicate="lives_in"))
    page.locator("svg.tm-timeline").wait_for()
    return page


def bar(page: Any, studio: Served, value: str) -> Any:
    fact = next(fact for fact in studio.mem.history("alice", "lives_in") if fact.object == value)
    return page.locator(f"[data-fact='{fact.id}']")


@pytest.mark.on_postgres
def test_every_fact_has_its_bar_with_a_mark_of_its_status(studio: Served, page: Any) -> None:
    for fact in studio.mem.history("alice", "lives_in"):
        drawn = page.locator(f"[data-fact='{fact.id}']")
        expect(drawn).to_have_attribute("data-status", str(fact.status))
        expect(drawn).to_have_attribute("aria-label", re.compile(re.escape(str(fact.object))))
    statuses = {str(fact.status) for fact in studio.mem.history("alice", "lives_in")}
    assert statuses == {"corrected", "superseded", "active", "scheduled", "candidate"}


def test_hovering_shows_the_quote_in_its_message(studio: Served, page: Any) -> None:
    bar(page, studio, "Bangalore").hover()
    card = page.locator(".hover-card")
    expect(card.locator("mark")).to_have_text("moved to Bangalore")
    until_shown(card, MOVED)


@pytest.mark.on_postgres
def test_focus_shows_it_too_and_enter_opens_the_chain(studio: Served, page: Any) -> None:
    bar(page, studio, "Delhi").focus()
    card = page.locator(".hover-card")
    expect(card.locator("mark")).to_have_text("I live in Delhi")
    page.keyboard.press("ArrowRight")
    card.get_by_text("moved to Bangalore").wait_for()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("mark")).to_have_text("moved to Bangalore")


def test_a_click_opens_the_chain_and_a_write_says_that_no_message_is_behind_it(studio: Served, page: Any) -> None:
    bar(page, studio, "Berlin").click()
    dialog = page.get_by_role("dialog")
    until_shown(dialog, "Stated by a program")


def test_the_same_stands_there_in_words(studio: Served, page: Any) -> None:
    rows = page.get_by_role("table", name="Every fact").get_by_role("row")
    facts = list(studio.mem.history("alice", "lives_in"))
    expect(rows).to_contain_text(["Value", *(str(fact.object) for fact in facts)])
    expect(rows).to_have_count(len(facts) + 1)


def test_what_a_bar_may_not_have_stays_out_of_the_page(page: Any) -> None:
    drawn = page.evaluate("""async () => {
        const { imported } = await import("/studio/parts/drawing.js");
        const made = imported(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)" viewBox="0 0 1 1">
            <script>alert(1)</script><style>*{}</style>
            <foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>
            <a href="javascript:alert(1)"><text>in a link</text></a><image href="http://192.0.2.1/x"/>
            <rect fill="url(http://192.0.2.1/x)" onclick="alert(1)" aria-label="url(kept)" style="x:y" x="1"/></svg>`);
        return [made.outerHTML, imported("<p>no drawing</p>")];
    }""")
    assert drawn[0].replace("\n", "").replace("  ", "") == (
        '<svg viewBox="0 0 1 1"><rect aria-label="url(kept)" x="1"></rect></svg>'
    )
    assert drawn[1] is None
    page.watched.forgive()  # the policy says of each of these that it was not let through, even while it was read

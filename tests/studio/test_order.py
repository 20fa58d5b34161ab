"""Answers that come in another order than they were asked for: what was asked last is what the page shows.

What is on the page once the late answer is there is looked at once: a page looks again by itself after some seconds,
and would put right by then what must not be wrong for a moment.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.studio.bench import Served, alice, crowd
from tests.studio.held import held_back
from tests.studio.watched import GO, go, person, until, until_shown


def test_of_two_searches_the_later_is_shown(studio: Served, open_page: Any) -> None:
    crowd(studio.mem, 3)
    alice(studio)
    page = open_page()
    search = page.get_by_label("Find by the beginning of a name")
    held = held_back(page, "prefix=per", lambda: search.fill("per"))
    search.fill("ali")
    expect(page.locator("a.person-link")).to_have_text(["alice"])
    held.let_through()
    assert page.locator("a.person-link").all_inner_texts() == ["alice"]


def test_a_tab_that_is_answered_late_does_not_take_the_place_of_the_next(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person())
    for tab, verb in (("review", "/v1/questions"), ("timeline", "/v1/history"), ("log", "/v1/messages"),
                      ("context", "/v1/context")):  # fmt: skip
        held = held_back(page, verb, lambda tab=tab: page.evaluate(GO, person(tab=tab)))  # type: ignore[misc]
        go(page, person())
        page.get_by_role("article", name="lives_in").first.wait_for()
        held.let_through()
        assert page.get_by_role("heading", name="What holds").count() == 1
        assert page.locator("form.filters, .timeline-frame, ol.queue, .context-text").count() == 0


def test_of_two_filters_of_the_log_the_later_is_shown(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person(tab="log"))
    conversation = page.get_by_label("In the conversation")
    held = held_back(page, "session_id=second", lambda: conversation.fill("second"))
    conversation.fill("first")
    expect(page.locator("li.message")).to_have_count(2)
    held.let_through()
    assert page.locator("li.message").count() == 2


def test_of_two_moments_the_later_is_shown(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person())
    home = page.get_by_role("article", name="lives_in").first
    held = held_back(page, "at=2026-02-10", lambda: page.evaluate(GO, person(at="2026-02-10")))
    go(page, person())
    until_shown(home, "Bangalore")
    held.let_through()
    assert "Bangalore" in home.inner_text()
    assert page.locator(".past").count() == 0


def test_a_tab_that_is_opened_while_its_moment_is_asked_for_shows_that_moment(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person(tab="context"))
    held = held_back(page, "/v1/state?user_id=alice&at=", lambda: page.evaluate(GO, person(at="2026-02-10", tab="log")))
    page.evaluate(GO, person(at="2026-02-10"))
    held.let_through()
    until_shown(page.get_by_role("article", name="lives_in"), "Delhi")
    until_shown(page.locator(".past"), "what was true on 10 Feb 2026")


def test_what_was_read_before_a_write_does_not_come_back_after_it(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person())
    page.get_by_role("button", name="diet: vegan was never true").click()
    page.get_by_role("dialog").get_by_role("region", name="What would change").wait_for()
    held = held_back(page, "/v1/state", lambda: studio.mem.set("alice", "lives_in", "Oslo"))
    page.get_by_role("button", name="It was never true").click()
    page.get_by_role("article", name="diet").wait_for(state="detached")
    held.let_through()
    assert page.get_by_role("article", name="diet").count() == 0
    until_shown(page.get_by_role("article", name="lives_in").first, "Oslo")


def test_what_a_change_would_touch_is_of_the_definition_that_is_there(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page("#/registry")
    page.get_by_role("button", name="Change lives_in").click()
    page.get_by_label("Other names").fill("town")
    ask = page.get_by_role("button", name="What would it touch?")
    held = held_back(page, "/v1/proposals", ask.click)
    page.get_by_label("Other names").fill("city, home")
    held.let_through()
    expect(page.get_by_role("button", name="Save the change")).to_have_count(0)
    ask.click()
    until_shown(page.get_by_role("region", name="What it would touch"), "other names: city → city, home")


def test_the_list_of_people_does_not_wait_for_the_sums(studio: Served, open_page: Any) -> None:
    crowd(studio.mem, 3)
    page = open_page(person("person-001"))
    held = held_back(page, "/v1/stats", lambda: page.evaluate(GO, "#/people"))
    expect(page.locator("a.person-link")).to_have_count(3)
    expect(page.locator(".sum")).to_have_count(0)
    held.let_through()
    until_shown(page.locator(".sums"), "3 memories")


def test_a_turn_shows_nothing_once_it_is_over_whatever_is_done_with_its_signal(open_page: Any) -> None:
    page = open_page()
    shown = page.evaluate("""async () => {
        const { afterwards, fillWith, giveUp, put } = await import("/studio/parts/turns.js");
        const place = document.createElement("div");
        const life = new AbortController();
        const asked = [];
        const ask = () => new Promise((answer, fail) => asked.push({ answer, fail }));
        const put_one = () => fillWith(place, life, ask, (text) => text);
        const [first, second, third] = [put_one(), put_one(), put_one()];
        const seen = [];
        const note = () => seen.push(`${place.textContent} ${place.hasAttribute("aria-busy")}`);
        asked[1].answer("second"); await second; note();
        asked[2].answer("third"); await third; note();
        asked[0].fail(new Error("first")); await first; note();
        const fourth = put_one();
        giveUp(place); note();
        asked[3].answer("fourth"); await fourth; note();
        const fifth = put_one();
        let again = 0;
        afterwards(place, () => { again += 1; });
        afterwards(place, () => { again += 10; });
        seen.push(again);
        asked[4].answer("fifth"); await fifth; note();
        seen.push(again);
        afterwards(place, () => { again += 100; });
        seen.push(again);
        const sixth = put_one();
        life.abort();
        asked[5].answer("sixth"); await sixth;
        seen.push(place.textContent);
        let failed = "";
        await put(place, null, () => { throw new Error("at once"); }, () => {}, (error) => { failed = error.message; });
        seen.push(failed);
        return seen;
    }""")
    assert shown == [
        " true", "third false", "third false", "third false", "third false", 0, "fifth false", 10, 110, "fifth",
        "at once",
    ]  # fmt: skip
    until(page, "document.querySelectorAll('h1').length", 1)

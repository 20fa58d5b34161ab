"""What happens beside the page: the log grows, the server goes away and comes back, the token is no good any more."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import TOKEN, Served, alice, served
from tests.studio.watched import Watched, person, until, until_focus_is_on


@pytest.mark.on_postgres
def test_the_present_follows_the_log_and_the_keyboard_stays_where_it_was(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person())
    page.get_by_text("live", exact=True).wait_for()
    button = page.get_by_role("button", name="Why diet: vegan?")
    button.focus()
    studio.mem.set("alice", "lives_in", "Oslo")
    page.get_by_role("article", name="lives_in").first.get_by_text("Oslo", exact=True).wait_for()
    until_focus_is_on(page, "Why diet: vegan?")
    page.wait_for_function("() => document.getElementById('spoken').textContent.includes('lives_in')")


@pytest.mark.on_postgres
def test_what_only_waits_is_seen_too(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    page = open_page(person("bob"))
    page.get_by_text("up to date").wait_for()
    studio.mem.add("bob", "I live in Naples")
    page.get_by_text("1 waiting").wait_for()


def test_a_form_somebody_fills_in_is_left_alone(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page(person())
    page.get_by_role("button", name="lives_in: Bangalore was something else").click()
    page.get_by_label("It was", exact=True).fill("Pu")
    studio.mem.set("alice", "diet", "vegetarian")
    page.get_by_role("article", name="diet").get_by_text("vegetarian", exact=True).wait_for(state="attached")
    expect(page.get_by_label("It was", exact=True)).to_have_value("Pu")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.getAttribute('aria-label')?.startsWith('lives_in')")


def test_the_token_is_taken_out_of_the_address_and_kept_for_this_tab_alone(studio: Served, open_page: Any) -> None:
    page = open_page()
    expect(page).to_have_url(f"{studio.url}/studio/#/people")
    until(page, "sessionStorage.length", 1)
    assert page.evaluate("Object.values(localStorage)") == []
    assert page.context.cookies() == []
    page.reload()
    page.get_by_role("heading", name="People").wait_for()
    assert TOKEN not in page.evaluate("JSON.stringify(performance.getEntries().map((one) => one.name)).split('#')[0]")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Open the studio").wait_for()
    until(page, "sessionStorage.length", 0)


def test_the_file_that_the_command_opens_leads_into_the_studio(studio: Served, open_page: Any) -> None:
    from tensemem.adapters.cli.looking import leading_to
    from tensemem.adapters.studio import address

    page = open_page(token="")
    with leading_to(address(studio.url, TOKEN)) as file:
        page.watched.own = file
        page.goto(file)
        page.get_by_role("heading", name="People").wait_for()
    expect(page).to_have_url(f"{studio.url}/studio/#/people")


def test_without_a_token_it_is_asked_for_and_a_wrong_one_is_refused_in_words(studio: Served, open_page: Any) -> None:
    page = open_page(token="", may_fail=True)
    page.get_by_role("heading", name="Open the studio").wait_for()
    page.get_by_label("Token").fill("a-wrong-token-0123456789")
    page.keyboard.press("Enter")
    page.get_by_text("The server does not know this token.").wait_for()
    page.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="People").wait_for()


def test_a_token_that_is_good_no_more_is_asked_for_again(studio: Served, open_page: Any) -> None:
    page = open_page(may_fail=True)
    page.get_by_role("heading", name="People").wait_for()
    page.evaluate("sessionStorage.setItem('tensemem-token', 'revoked-token-0123456789')")
    page.reload()
    page.get_by_text("The server does not know this token, or it has expired.").wait_for()


@pytest.mark.on_postgres
def test_a_server_that_goes_away_and_comes_back(browser: Any, tmp_path: Any, clock: Any, told: Any) -> None:
    place = tmp_path / "other"
    place.mkdir()
    with served(place / "m.db", clock, told) as first:
        first.mem.set("bob", "lives_in", "Rome")
        watched = Watched(browser, first, may_fail=True)
        page = watched.goes_to(person("bob"))
        page.get_by_role("article", name="lives_in").wait_for()
    banner = page.locator("#connection")
    banner.get_by_text("The connection to the server is lost").wait_for()
    port = int(first.url.rpartition(":")[2])
    with served(place / "m.db", clock, told, port=port) as second:
        banner.wait_for(state="hidden")
        second.mem.set("bob", "lives_in", "Naples")
        page.get_by_role("article", name="lives_in").get_by_text("Naples", exact=True).wait_for()
        assert watched.end() == []


@pytest.mark.parametrize("status", [429, 503])
def test_what_is_shown_stays_where_the_server_has_no_time_to_be_looked_at_again(
    studio: Served, open_page: Any, status: int
) -> None:
    alice(studio)
    page = open_page(person(tab="forget"), may_fail=True)
    page.get_by_text("live", exact=True).wait_for()
    page.get_by_label("What", exact=True).select_option(label="All of languages")
    refused = {"status": status, "content_type": "application/problem+json", "body": BUSY}
    page.route("**/v1/state?*", lambda route: route.fulfill(**refused))
    with page.expect_response(lambda answer: answer.status == status):
        studio.mem.set("alice", "lives_in", "Oslo")
    page.unroute("**/v1/state?*")
    rev = studio.mem.state("alice").rev
    page.get_by_text(f"revision {rev}", exact=True).wait_for()
    until(page, "document.querySelector('.tab-body select').selectedOptions[0].textContent", "All of languages")


BUSY = '{"type": "urn:tensemem:problem:store-busy", "title": "The store is busy", "detail": "ask again"}'

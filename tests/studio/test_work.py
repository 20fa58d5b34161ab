"""The first useful view costs what it shows, however much is remembered: counted in requests and bytes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tensemem import Message, Operation
from tests.studio.bench import Served
from tests.studio.held import held_back
from tests.studio.watched import GO, go, person, until_address, until_shown

FILES = 40
"""How many files of its own the studio may load for a first view."""


def asked_of_the_server(page: Any) -> list[str]:
    return [asked.url.partition("/v1/")[2].partition("?")[0] for asked in page.watched.asked if "/v1/" in asked.url]


def bytes_of(asked: list[Any]) -> int:
    """Count the bytes of answers, each question once: looking again after some seconds is no part of a view."""
    first = {request.url: request for request in reversed(asked) if "/v1/" in request.url}
    answers = [request.response() for url, request in first.items() if "/v1/changes" not in url]  # a stream
    found = [len(answer.body()) for answer in answers if answer is not None and answer.status == 200]
    assert all(found)
    return sum(found)


@pytest.mark.parametrize("many", [60, 3000])
def test_the_list_costs_one_page_however_many_there_are(studio: Served, open_page: Any, many: int) -> None:
    for _ in studio.mem.add_many(Message(f"person-{number:05d}", "hello", extract=False) for number in range(many)):
        pass
    page = open_page()
    page.locator("a.person-link").nth(49).wait_for()
    page.locator(".sums").get_by_text("memories").wait_for()
    assert asked_of_the_server(page)[:2] == ["scopes", "stats"], "people first"
    assert bytes_of(page.watched.asked) < 12_000
    assert len([request for request in page.watched.asked if "/studio/" in request.url]) < FILES
    assert page.locator("main *").count() < 1500


@pytest.mark.parametrize("versions", [20, 2000])
def test_a_present_costs_what_it_shows_however_long_its_history_is(
    studio: Served, open_page: Any, versions: int
) -> None:
    for number in range(versions // 20):
        studio.mem.write("bob", [_set(f"city {number} {part}") for part in range(20)])
    page = open_page(person("bob"))
    page.get_by_role("article", name="lives_in").wait_for()
    page.get_by_text("live", exact=True).wait_for()
    assert set(asked_of_the_server(page)) - {"scopes", "stats"} == {"changes", "predicates", "state"}
    assert bytes_of(page.watched.asked) < 40_000
    assert page.locator("main *").count() < 1500


def test_of_many_values_that_hold_at_once_a_part_is_drawn(studio: Served, open_page: Any) -> None:
    studio.mem.replace_values("bob", "languages", [f"language {number:04d}" for number in range(1200)])
    page = open_page(person("bob"))
    page.get_by_role("article", name="languages").wait_for()
    expect(page.locator("main .fact")).to_have_count(20)
    page.get_by_role("button", name="Show 20 more of 1,180 others").click()
    expect(page.locator("main .fact")).to_have_count(40)


def test_what_is_soon_read_is_shown_first(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    studio.mem.add_value("bob", "languages", "Hindi")
    page = open_page()
    held = held_back(page, "/v1/state?user_id=bob", lambda: page.evaluate(GO, person("bob")), but="subject=user")
    until_shown(page.get_by_role("article", name="lives_in"), "Rome")
    page.get_by_text("Reading the rest").wait_for()
    expect(page.get_by_role("article")).to_have_count(1)
    held.let_through()
    until_shown(page.get_by_role("article", name="languages"), "Hindi")
    expect(page.get_by_text("Reading the rest")).to_have_count(0)


MANY = 5000
"""Values of which the state has more bytes than are read unasked."""


def test_of_a_large_memory_some_is_read_until_more_is_asked_for(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    studio.mem.replace_values("bob", "languages", [f"language {number:04d}" for number in range(MANY)])
    studio.says("bob", "Tom says I am living in Lisbon.",
                Operation("set", "lives_in", "Lisbon", quote="living in Lisbon", modality="reported"))  # fmt: skip
    page = open_page(person("bob"))
    more = page.get_by_role("region", name="More than is shown")
    more.wait_for()
    home = page.get_by_role("article", name="lives_in").first
    until_shown(home, "Rome")
    expect(page.locator("main .fact")).to_have_count(2)  # and what waits for review
    before = len(page.watched.asked)
    studio.mem.set("bob", "lives_in", "Naples")
    until_shown(home, "Naples")
    again = [request for request in page.watched.asked[before:] if "/v1/state" in request.url]
    assert again
    assert all("subject=user" in request.url for request in again), "what is large is not read again"
    more.get_by_label("Show all of one attribute").select_option("languages")
    page.get_by_role("button", name="Show 20 more of 4,980 others").wait_for()
    until_address(page, has="only=languages")
    expect(page.get_by_role("article")).to_have_count(1)
    page.get_by_role("button", name="Show the others too").click()
    until_shown(home, "Naples")
    go(page, person("bob", tab="review"))
    until_shown(page.locator("ol.queue"), "Lisbon")
    go(page, person("bob"))
    page.get_by_role("button", name="Show 20 more of 4,980 others").wait_for()
    expect(more).to_have_count(0)


@pytest.mark.parametrize("tab", ["log", "compare", "context", "reread"])
def test_a_tab_without_facts_reads_no_state_of_a_large_memory(studio: Served, open_page: Any, tab: str) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    studio.mem.replace_values("bob", "languages", [f"language {number:04d}" for number in range(MANY)])
    page = open_page(person("bob", tab=tab))
    page.get_by_text("revision 2", exact=True).wait_for()
    asked = [request.url for request in page.watched.asked if "/v1/state" in request.url]
    assert asked
    assert all("subject=user" in url and "languages" not in url for url in asked)
    go(page, person("bob"))
    page.get_by_role("region", name="More than is shown").wait_for()


def test_of_a_large_memory_a_part_is_compared_until_more_is_asked_for(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    studio.mem.replace_values("bob", "languages", [f"language {number:04d}" for number in range(MANY)])
    studio.mem.set("bob", "lives_in", "Naples")
    page = open_page(person("bob", tab="compare", known1="1"))
    more = page.get_by_role("region", name="More than is compared")
    more.wait_for()
    shown = page.get_by_role("region", name="From true now as known at revision 1 to true now")
    until_shown(shown, "1 value changes", "Rome")
    urls = [request.url for request in page.watched.asked]
    asked = [url for url in urls if "/v1/state" in url and "subject" not in url]
    assert len(asked) == 2, "the one moment, and as much of the other as tells that it is too much"
    more.get_by_role("button", name="Compare everything").click()
    until_shown(shown, "1 value changes", "5,000 values come")
    expect(more).to_have_count(0)


def test_everything_is_shown_to_who_asks_for_it(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    studio.mem.replace_values("bob", "languages", [f"language {number:04d}" for number in range(MANY)])
    page = open_page(person("bob"))
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Show 20 more of 4,980 others").wait_for()
    expect(page.get_by_role("region", name="More than is shown")).to_have_count(0)


def _set(value: str) -> Any:
    return Operation("set", "lives_in", value)


def test_of_a_long_life_one_attribute_is_drawn_until_all_are_asked_for(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "diet", "vegan")
    for number in range(1500):
        studio.mem.set("bob", "lives_in", f"city {number % 3}")
    page = open_page(person("bob", tab="timeline"))
    page.locator("svg.tm-timeline").wait_for()
    asked = [request.url for request in page.watched.asked if "/v1/history" in request.url]
    assert len(asked) == 2, "as facts, and drawn"
    assert all("predicate=diet" in url for url in asked)
    page.get_by_label("Attribute", exact=True).select_option("Everything")
    expect(page.locator(".tm-slot")).to_have_count(2)

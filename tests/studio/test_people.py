"""People: the list, its pages, finding somebody, who waits and who failed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import Served, alice, crowd, fails
from tests.studio.watched import until_address, until_shown


def are_listed(page: Any, names: list[str]) -> None:
    expect(page.locator("a.person-link")).to_have_text(names)


def part_of_crowd(first: int, behind: int) -> list[str]:
    return [f"person-{number:03d}" for number in range(first, behind)]


@pytest.mark.on_postgres
def test_a_page_of_people_at_a_time(studio: Served, open_page: Any) -> None:
    crowd(studio.mem, 120)
    page = open_page()
    are_listed(page, part_of_crowd(0, 50))
    page.get_by_role("link", name="Next page").click()
    are_listed(page, part_of_crowd(50, 100))
    page.get_by_role("link", name="Next page").click()
    are_listed(page, part_of_crowd(100, 120))
    expect(page.get_by_role("link", name="Next page")).to_have_count(0)
    page.go_back()
    are_listed(page, part_of_crowd(50, 100))
    page.get_by_role("link", name="First page").click()
    are_listed(page, part_of_crowd(0, 50))


@pytest.mark.on_postgres
def test_finding_somebody_by_the_beginning_of_a_name(studio: Served, open_page: Any) -> None:
    crowd(studio.mem, 30)
    alice(studio)
    page = open_page()
    search = page.get_by_label("Find by the beginning of a name")
    search.fill("ali")
    are_listed(page, ["alice"])
    until_address(page, has="prefix=ali")
    search.fill("nobody of this name")
    page.wait_for_selector("text=Nobody’s name begins with")
    page.get_by_role("link", name="Show everybody").click()
    are_listed(page, ["alice", *part_of_crowd(0, 30)])


@pytest.mark.on_postgres
def test_freshness_and_counts_are_seen_at_a_glance(studio: Served, open_page: Any) -> None:
    alice(studio)
    studio.mem.add("bob", "I live in Rome")
    fails(studio, "carol", "I live in Rome, too")
    page = open_page()
    row = {name: page.get_by_role("row").filter(has_text=name) for name in ("alice", "bob", "carol")}
    until_shown(row["alice"], "up to date")
    expect(row["alice"].get_by_text(str(studio.mem.state("alice").rev), exact=True).first).to_be_visible()
    until_shown(row["bob"], "1 waiting")
    until_shown(row["carol"], "1 failed")
    page.wait_for_selector(".sums >> text=3 memories")
    page.wait_for_selector(".sums >> text=1 failed")


@pytest.mark.on_postgres
def test_another_namespace_has_its_own_people_and_stays_along_the_way(studio: Served, open_page: Any) -> None:
    studio.mem.set("alice", "lives_in", "Delhi")
    studio.mem.register_predicate("lives_in", namespace="acme")
    studio.mem.set("wile", "lives_in", "the desert", namespace="acme")
    page = open_page()
    page.locator("a.person-link").get_by_text("alice").wait_for()
    page.get_by_text("Another namespace").click()
    page.get_by_label("Namespace").fill("acme")
    page.get_by_role("button", name="Show its people").click()
    page.locator("a.person-link").get_by_text("wile").click()
    page.get_by_role("article", name="lives_in").get_by_text("the desert", exact=True).wait_for()
    page.get_by_role("link", name="Registry").click()
    page.get_by_role("button", name="Change lives_in").wait_for()
    until_address(page, has="namespace=acme")


def test_the_list_follows_the_memory(studio: Served, open_page: Any) -> None:
    page = open_page()
    page.wait_for_selector("text=Nobody is remembered yet")
    studio.mem.set("zoe", "lives_in", "Oslo")
    page.wait_for_selector("a.person-link >> text=zoe")

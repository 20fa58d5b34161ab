"""People: the list, its pages, finding somebody, who waits and who failed."""

from __future__ import annotations

from typing import Any

from tests.studio.bench import Served, alice, crowd, fails


def names(page: Any) -> list[str]:
    return [link.inner_text() for link in page.locator("a.person-link").all()]


def test_a_page_of_people_at_a_time(studio: Served, open_page: Any) -> None:
    crowd(studio.mem, 120)
    page = open_page()
    page.wait_for_selector("a.person-link")
    assert names(page) == [f"person-{number:03d}" for number in range(50)]
    page.get_by_role("link", name="Next page").click()
    page.wait_for_selector("text=person-099")
    assert names(page)[0] == "person-050"
    page.get_by_role("link", name="Next page").click()
    page.wait_for_selector("text=person-119")
    assert page.get_by_role("link", name="Next page").count() == 0
    page.go_back()
    page.wait_for_selector("text=person-099")
    page.get_by_role("link", name="First page").click()
    page.wait_for_selector("text=person-000")


def test_finding_somebody_by_the_beginning_of_a_name(studio: Served, open_page: Any) -> None:
    crowd(studio.mem, 30)
    alice(studio)
    page = open_page()
    search = page.get_by_label("Find by the beginning of a name")
    search.fill("ali")
    page.wait_for_function("() => document.querySelectorAll('a.person-link').length === 1")
    assert names(page) == ["alice"]
    assert "prefix=ali" in page.url
    search.fill("nobody of this name")
    page.wait_for_selector("text=Nobody’s name begins with")
    page.get_by_role("link", name="Show everybody").click()
    page.wait_for_selector("text=person-000")


def test_freshness_and_counts_are_seen_at_a_glance(studio: Served, open_page: Any) -> None:
    alice(studio)
    studio.mem.add("bob", "I live in Rome")
    fails(studio, "carol", "I live in Rome, too")
    page = open_page()
    row = {name: page.get_by_role("row").filter(has_text=name).inner_text() for name in ("alice", "bob", "carol")}
    assert "up to date" in row["alice"]
    assert str(studio.mem.state("alice").rev) in row["alice"].split()
    assert "1 waiting" in row["bob"]
    assert "1 failed" in row["carol"]
    page.wait_for_selector(".sums >> text=3 memories")
    page.wait_for_selector(".sums >> text=1 failed")


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
    page.get_by_role("article", name="lives in").get_by_text("the desert", exact=True).wait_for()
    page.get_by_role("link", name="Registry").click()
    page.get_by_role("button", name="Change lives_in").wait_for()
    assert "namespace=acme" in page.url


def test_the_list_follows_the_memory(studio: Served, open_page: Any) -> None:
    page = open_page()
    page.wait_for_selector("text=Nobody is remembered yet")
    studio.mem.set("zoe", "lives_in", "Oslo")
    page.wait_for_selector("a.person-link >> text=zoe")

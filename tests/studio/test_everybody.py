"""For everybody: without a mouse, with a screen reader, on a phone, in the dark."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import Served, alice, fails
from tests.studio.watched import arrived, go, person, until

AXE = "axe.min.js"
PLACES = {
    "people": "#/people", "waiting": "#/waiting", "registry": "#/registry", "present": person(),
    "the past": person(at="2026-02-10", known_at="6"), "timeline": person(tab="timeline"),
    "a slot": person(tab="timeline", predicate="lives_in"), "review": person(tab="review"), "log": person(tab="log"),
    "changes": person(tab="log", of="changes"), "search": person(tab="log", of="search", words="Delhi"),
    "compare": person(tab="compare", at1="2026-02-10"), "context": person(tab="context"),
    "reread": person(tab="reread"), "forget": person(tab="forget"),
}  # fmt: skip
DIALOGS = {
    "why": "Why lives_in: Bangalore?", "wrong": "lives_in: Bangalore was never true",
    "other": "lives_in: Bangalore was something else", "state": "State something",
}  # fmt: skip


def faults(page: Any) -> list[str]:
    """What axe finds, by its rule and the first place of it."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(files("axe_playwright_python").joinpath(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("""async () => {
        const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
        const { violations } = await axe.run(document, { runOnly: rules });
        return violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary}`);
    }""")
    return list(found)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_any_view_or_dialog(studio: Served, open_page: Any, dark: bool) -> None:
    alice(studio)
    fails(studio, "bob", "something odd")
    page = open_page(dark=dark)
    found = {}
    for name, place in PLACES.items():
        go(page, place)
        found[name] = faults(page)
    go(page, person())
    for name, label in DIALOGS.items():
        page.get_by_role("button", name=label).click()
        page.get_by_role("dialog").wait_for()
        arrived(page)
        found[name] = faults(page)
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("name", PLACES)
def test_a_phone_shows_it_without_scrolling_sideways(studio: Served, open_page: Any, name: str) -> None:
    alice(studio)
    fails(studio, "bob", "something odd")
    page = open_page(PLACES[name], width=360, height=740)
    until(page, "document.documentElement.scrollWidth", 360)


def test_the_whole_way_from_the_list_to_a_correction_without_a_mouse(studio: Served, open_page: Any) -> None:
    alice(studio)
    page = open_page()
    page.locator("a.person-link").first.wait_for()
    page.keyboard.press("Tab")
    until(page, "document.activeElement.id", "skip")
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id", "main")
    expect(page).to_have_url(f"{studio.url}/studio/#/people")
    tab_to(page, "alice")
    page.keyboard.press("Enter")
    page.get_by_role("article", name="lives_in").first.wait_for()
    tab_to(page, "lives_in: Bangalore was never true")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("region", name="What would change").wait_for()
    tab_to(page, "It was never true")
    page.keyboard.press("Enter")
    page.get_by_role("article", name="lives_in").first.get_by_text("Delhi", exact=True).wait_for()
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    page.get_by_role("article", name="lives_in").first.get_by_text("Bangalore", exact=True).wait_for()


def tab_to(page: Any, name: str) -> None:
    """Press Tab until something of that name has the focus; what has it can always be seen to have it."""
    for _ in range(150):
        page.keyboard.press("Tab")
        focused = page.evaluate("""() => {
            const one = document.activeElement;
            const look = getComputedStyle(one);
            const isSeen = look.outlineStyle !== "none" || one.matches("svg *, body");
            return [one.getAttribute("aria-label") ?? one.textContent, isSeen];
        }""")
        assert focused[1], f"{focused[0]} has the focus, and nobody sees it"
        if focused[0] == name:
            return
    raise AssertionError(f"nothing called {name} can be reached")


def test_the_theme_is_the_systems_until_somebody_chooses(studio: Served, open_page: Any) -> None:
    page = open_page(dark=True)
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.get_by_role("button", name="Use light colours").click()
    page.get_by_role("button", name="Use dark colours").wait_for()
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    page.get_by_role("heading", name="People").wait_for()
    until(page, paper, light)

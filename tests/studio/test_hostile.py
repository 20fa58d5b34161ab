"""What people write is text, whatever it looks like: in names, values, messages, reasons, attributes, errors."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tensemem import Operation
from tests.studio.bench import Served, fails
from tests.studio.watched import arrived, go, person, until, until_address, until_shown

MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script><b id="planted">'
HOSTILE = {
    "markup": MARKUP,
    "a link": "javascript:alert(1)//https://192.0.2.1/",
    "right to left": "\u202egnirts desrever\u202c \u2067\u05e9\u05dc\u05d5\u05dd",
    "control characters": "tab\there\x07bell\u200bnothing\ufeff\x85",
    "long": "a" * 3000,
    "without spaces": "\u732b" * 900,
    "quotes": """'"`${alert(1)}\\u003cb\\u003e &lt;b&gt;""",
    "emoji": "\U0001f469\u200d\U0001f469\u200d\U0001f467 e\u0301\u0301\u0301",
}
PLACES = ("present", "timeline", "review", "log", "compare", "context", "reread", "forget")


def fill(studio: Served, text: str, user: str) -> None:
    mem = studio.mem
    said = f"I love {text}!"
    mem.register_predicate("note", description=text[:200])
    mem.set("somebody", "note", text, source=text[:60])
    mem.set(user, "note", text)
    studio.says(user, said, Operation("set", "lives_in", text, quote=said), Operation("set", "hobby", text, quote=said),
                Operation("set", "works_at", text, quote=said, modality="reported"), session_id=text[:60])  # fmt: skip
    wrong = mem.set(user, "lives_in", text + "2").fact_id
    assert wrong is not None
    mem.correct(wrong, text + "3", reason=text[:300])
    fails(studio, user, said + "!")


def names_of(kind: str) -> str:
    return HOSTILE[kind][:400].strip()


@pytest.mark.parametrize("kind", HOSTILE)
def test_every_view_shows_it_as_text(studio: Served, open_page: Any, kind: str) -> None:
    user = names_of(kind)
    fill(studio, HOSTILE[kind], user)
    page = open_page()
    page.locator("a.person-link").first.wait_for()
    check(page)
    tabs = [person(user, tab=tab) for tab in PLACES]
    for place in ("#/waiting", "#/registry", *tabs, person(user, tab="log", of="changes")):
        go(page, place)
        expect(page.locator("main [role='alert']")).to_have_count(0)
        check(page)
    go(page, person(user, tab="present"))
    page.get_by_role("button", name="Why").first.click()
    page.get_by_role("dialog").locator(".chain-step").first.wait_for()
    check(page)


def check(page: Any) -> None:
    """Nothing was planted, nothing is wider than the page, and nothing turns the page's own direction."""
    found = """({
        planted: document.querySelectorAll("#planted, main script, main img, main b").length,
        links: [...document.querySelectorAll("a")].filter((one) => !one.href.startsWith(location.origin)).length,
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        bare: [...document.querySelectorAll("main *")].filter((one) => one.childElementCount === 0
            && /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\ufeff\\x07\\x85]/.test(one.textContent)
            && !one.closest("pre, svg, select")).length,
    })"""
    until(page, found, {"planted": 0, "links": 0, "over": 0, "bare": 0})


def test_what_is_typed_into_the_studios_own_forms_is_text_too(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome")
    page = open_page(person("bob"), may_fail=True)
    page.get_by_role("button", name="lives_in: Rome was something else").click()
    page.get_by_label("It was", exact=True).fill(MARKUP)
    page.get_by_label("Why (kept with the correction)").fill(MARKUP)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("dialog").locator(".difference").wait_for()
    check(page)
    page.get_by_role("button", name="Correct it").click()
    page.get_by_text("Corrected.").first.wait_for()
    check(page)
    for place, label in (("#/people", "Find by the beginning of a name"), (person("bob", tab="log"), "With the words")):
        go(page, place)
        page.get_by_label(label).fill(MARKUP)
        until_address(page, has="onerror")
        arrived(page)
        check(page)
    go(page, "#/registry")
    page.get_by_role("button", name="Register an attribute").click()
    page.get_by_label("Name", exact=True).fill(MARKUP)
    page.get_by_label("Description").fill(MARKUP)
    page.get_by_role("button", name="What would it touch?").click()
    page.get_by_role("button", name="Register it").click()
    page.get_by_role("dialog").locator("[role='alert'], .difference").first.wait_for()
    check(page)


def test_what_can_not_be_seen_is_named(studio: Served, open_page: Any) -> None:
    studio.mem.set("bob", "lives_in", "Rome\u202e\u0007")
    page = open_page(person("bob"))
    until_shown(page.get_by_role("article", name="lives_in").locator(".value"), "U+202E", "U+0007")


def test_names_that_look_like_paths_or_addresses_are_names(studio: Served, open_page: Any) -> None:
    for user in ("..", "a/b", "%2e%2e", "?x=1&user=eve", "#/people", "per cent %", "plus + plus", "\u00e9", "null"):
        studio.mem.set(user, "lives_in", f"home of {user}")
    page = open_page()
    for user in ("..", "a/b", "%2e%2e", "?x=1&user=eve", "#/people", "per cent %", "plus + plus", "\u00e9", "null"):
        go(page, "#/people")
        page.locator("a.person-link").get_by_text(user, exact=True).click()
        page.get_by_text(f"home of {user}", exact=True).wait_for()

"""Keys that may do a part: nothing is offered that the server would refuse, and what is missing has its reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tensemem.access import Access
from tests.studio.bench import Served, alice, fails
from tests.studio.watched import arrived, go, person, until_address, until_shown

TABS = ("present", "timeline", "review", "log", "compare", "context", "reread", "forget")
KEYS = {
    "read": {"role": "read"},
    "write": {"role": "write"},
    "one user, write": {"role": "write", "users": ["alice"]},
    "one user, admin": {"role": "admin", "users": ["alice"]},
    "two users": {"role": "write", "users": ["bob", "alice"]},
    "a namespace": {"role": "write", "namespaces": ["acme"]},
    "two namespaces": {"role": "write", "namespaces": ["acme", "umbrella"]},
    "both": {"role": "write", "namespaces": ["acme"], "users": ["wile"]},
}
BUTTONS = """() => [...document.querySelectorAll("main button:enabled")].filter(one => one.checkVisibility())
  .map(one => one.getAttribute("aria-label") || one.textContent)"""
PRESS = """name => {
  const found = [...document.querySelectorAll("main button:enabled")]
    .find(one => (one.getAttribute("aria-label") || one.textContent) === name);
  found?.click();
  return Boolean(found);
}"""
GO_THROUGH = """() => {
  for (const one of document.querySelectorAll("dialog[open] input[type='text']")) {
    one.value = document.querySelector("dialog .phrase") ? "no" : "x";
    one.dispatchEvent(new Event("input", { bubbles: true }));
  }
  for (const one of document.querySelectorAll("dialog[open] .actions button:enabled")) one.click();
}"""
QUIET = "() => !document.querySelector('.loading, [aria-busy]')"


def token_of(studio: Served, **limits: Any) -> str:
    with Access.open(studio.keys) as keys:
        return keys.mint("a key of the tests", **limits)[1]


def peopled(studio: Served) -> None:
    alice(studio)
    fails(studio, "alice", "I live in Rome")
    fails(studio, "bob", "I live in Rome, too")
    for namespace in ("acme", "umbrella"):
        studio.mem.register_predicate("lives_in", namespace=namespace)
        studio.mem.set("wile", "lives_in", "the desert", namespace=namespace)


def refusals(page: Any) -> list[str]:
    """Give the list that all answers of 403 are put in, from now on."""
    found: list[str] = []
    page.on("response", lambda answer: found.append(answer.url) if answer.status == 403 else None)
    return found


@pytest.mark.parametrize("limits", list(KEYS.values()), ids=list(KEYS))
def test_no_view_shows_an_error_and_no_button_is_refused(
    studio: Served, open_page: Any, limits: dict[str, Any]
) -> None:
    peopled(studio)
    page = open_page(token=token_of(studio, **limits), may_fail=True)
    refused = refusals(page)
    user, namespace = ("wile", "acme") if "namespaces" in limits else ("alice", "")
    of = {"namespace": namespace} if len(limits.get("namespaces", ())) > 1 else {}
    query = f"?namespace={namespace}" if of else ""
    views = [f"#/{view}{query}" for view in ("people", "waiting", "registry")]
    for place in (*views, *(person(user, tab=tab, **of) for tab in TABS)):
        go(page, "#/nowhere" + query)
        go(page, place)
        expect(page.locator("main .trouble, .toast.bad")).to_have_count(0)
        for name in page.evaluate(BUTTONS):
            go(page, "#/nowhere" + query)
            go(page, place)
            if page.evaluate(PRESS, name):
                page.wait_for_function(QUIET)
                page.evaluate(GO_THROUGH)
                page.wait_for_function(QUIET)
    assert refused == []


def test_a_key_that_may_only_read_is_offered_nothing_else_and_told_why(studio: Served, open_page: Any) -> None:
    peopled(studio)
    page = open_page(person(), token=token_of(studio, role="read"))
    page.get_by_role("article", name="lives_in").wait_for()
    until_shown(page.get_by_role("note"), "This key may read, and change nothing.")
    expect(page.get_by_role("button", name="Why lives_in: Bangalore?")).to_be_visible()
    for name in ("was never true", "was something else", "State something", "Accept", "Reject"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.locator("a.tab")).to_have_text(["Present", "Timeline", "Review2", "Log", "Compare", "Context"])
    go(page, "#/registry")
    page.get_by_text("With this key the registry is only looked at").wait_for()
    page.get_by_role("heading", name="favourite_tea").wait_for()
    expect(page.locator("main button")).to_have_count(0)
    go(page, "#/waiting")
    page.get_by_role("link", name="bob").wait_for()
    expect(page.locator("main button")).to_have_count(0)


def test_a_key_that_may_write_corrects_and_does_not_forget(studio: Served, open_page: Any) -> None:
    peopled(studio)
    page = open_page(person(), token=token_of(studio, role="write"))
    page.get_by_role("button", name="lives_in: Bangalore was never true").wait_for()
    until_shown(page.locator("#key-limits"), "take an administrator’s key")
    expect(page.locator("a.tab").get_by_text("Forget")).to_have_count(0)
    go(page, person(tab="log"))
    page.get_by_role("button", name="What was made of episode 1", exact=True).wait_for()
    expect(page.get_by_role("button", name="Erase")).to_have_count(0)


def test_a_key_for_some_people_lists_just_them(studio: Served, open_page: Any) -> None:
    peopled(studio)
    studio.mem.set("alice", "lives_in", "Goa", agent_id="tutor")
    page = open_page(token=token_of(studio, role="write", users=["bob", "alice"]))
    people = page.locator("a.person-link")
    expect(people).to_have_text(["alice", "bob"])
    until_shown(page.get_by_role("row").filter(has_text="bob"), "1 failed")
    until_shown(page.locator("#key-limits"), "is for “bob”, “alice” only")
    page.get_by_label("Find by the beginning of a name").fill("b")
    expect(people).to_have_text(["bob"])
    page.get_by_text("As one agent remembers them").click()
    page.get_by_label("Person").select_option("alice")
    page.get_by_label("Agent").fill("tutor")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("article", name="lives_in").get_by_text("Goa", exact=True).wait_for()
    go(page, "#/waiting")
    expect(people).to_have_text(["bob", "alice"])
    page.get_by_role("button", name="Try all again").click()
    until_shown(page.locator(".toast"), "2 messages put back in the queue.")
    go(page, person("wile"))
    page.get_by_text("This key is for other people.").wait_for()


def test_many_people_of_a_key_come_a_page_at_a_time(studio: Served, open_page: Any) -> None:
    names = [f"person-{number:03d}" for number in range(60)]
    page = open_page(token=token_of(studio, role="read", users=list(reversed(names))))
    people = page.locator("a.person-link")
    expect(people).to_have_text(names[:50])
    page.get_by_role("link", name="Next page").click()
    expect(people).to_have_text(names[50:])
    expect(page.get_by_role("link", name="Next page")).to_have_count(0)
    until_shown(page.locator("#key-limits"), "and 55 more only")


def test_a_key_for_namespaces_stays_in_them(studio: Served, open_page: Any) -> None:
    peopled(studio)
    page = open_page(token=token_of(studio, role="read", namespaces=["umbrella", "acme"]))
    until_address(page, has="namespace=umbrella")
    expect(page.locator("a.person-link")).to_have_text(["wile"])
    page.get_by_label("Namespace").select_option("acme")
    page.get_by_role("button", name="Show its people").click()
    until_address(page, has="namespace=acme")
    expect(page.locator("a.person-link")).to_have_text(["wile"])
    go(page, "#/registry?namespace=default")
    page.get_by_text("This key is for other namespaces.").wait_for()
    page.get_by_role("link", name="Go to acme").click()
    page.get_by_role("heading", name="lives_in").wait_for()


def test_the_own_token_may_all_and_another_key_after_it_is_asked_for_anew(studio: Served, open_page: Any) -> None:
    peopled(studio)
    page = open_page()
    expect(page.locator("#key-limits")).to_be_hidden()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").fill(token_of(studio, role="read", users=["bob"]))
    page.get_by_role("button", name="Open").click()
    arrived(page)
    expect(page.locator("a.person-link")).to_have_text(["bob"])
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#key-limits")).to_be_hidden()


def test_what_the_server_refuses_all_the_same_is_told(studio: Served, open_page: Any) -> None:
    """The studio guards nothing: were it told wrongly what a key may do, the server would refuse."""
    studio.mem.set("bob", "lives_in", "Rome")
    page = open_page(token="", may_fail=True)
    everything = {"role": "admin", "label": "", "namespace": "default", "namespaces": None, "users": None,
                  "verbs": ["set", "correct", "scopes", "stats"]}  # fmt: skip
    page.route("**/whoami", lambda route: route.fulfill(body=json.dumps(everything), content_type="application/json"))
    page.get_by_label("Token").fill(token_of(studio, role="read", users=["bob"]))
    page.get_by_role("button", name="Open").click()
    page.get_by_text("This key may not do that").wait_for()
    go(page, person("bob"))
    page.get_by_role("button", name="lives_in: Rome was never true").click()
    page.get_by_role("dialog").get_by_text("This key may not do that").wait_for()

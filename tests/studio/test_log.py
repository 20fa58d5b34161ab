"""The log with its filters, what was made of a message, and erasing one."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import MOVED, Served, alice
from tests.studio.watched import go, person, until, until_address, until_shown


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person(tab="log"))


def messages(page: Any) -> Any:
    return page.locator("li.message .message-text")


def changes(page: Any) -> Any:
    return page.locator("li.change")


@pytest.mark.on_postgres
def test_messages_newest_first_and_by_who_said_them_where_and_how(studio: Served, page: Any) -> None:
    expect(messages(page)).to_have_text([message.content for message in reversed(studio.mem.messages("alice"))])
    page.get_by_label("Said by").select_option("assistant")
    expect(messages(page)).to_have_text(["Noted."])
    page.get_by_label("Said by").select_option("")
    page.get_by_label("In the conversation").fill("second")
    expect(messages(page)).to_have_text([MOVED])
    page.get_by_label("In the conversation").fill("")
    expect(messages(page)).to_have_count(4)
    page.get_by_label("With the words").press_sequentially("DELHI")
    until_address(page, has="words=DELHI", lacks="session")
    expect(messages(page)).to_have_text(["Hi! I live in Delhi."])
    until(page, "document.activeElement.value", "DELHI")


def test_what_was_made_of_a_message(page: Any) -> None:
    page.get_by_role("button", name="What was made of episode 3").click()
    expect(page.locator("ul.decisions > li")).to_contain_text(["Bangalore", "Acme"])
    expect(page.locator("ul.decisions > li")).to_contain_text(["admitted", "admitted"])


def test_older_messages_are_a_page_away(studio: Served, page: Any) -> None:
    for number in range(60):
        studio.mem.add("bob", f"message {number}", extract=False)
    go(page, person("bob", tab="log"))
    expect(messages(page)).to_have_text([f"message {number}" for number in range(59, 9, -1)])
    page.get_by_role("button", name="Older messages").click()
    expect(messages(page)).to_have_text([f"message {number}" for number in range(9, -1, -1)])


@pytest.mark.on_postgres
def test_changes_by_attribute_kind_and_cause(studio: Served, page: Any) -> None:
    def are_shown(*, predicate: str = "", kind: str = "", why: str = "") -> None:
        wanted = [
            f"rev {change.rev}{change.predicate} {change.value} "
            for change in reversed(studio.mem.changes("alice"))
            if predicate in ("", change.predicate) and kind in ("", change.kind) and why in ("", change.why)
        ]
        assert wanted
        expect(changes(page)).to_contain_text(wanted)
        expect(changes(page)).to_have_count(len(wanted))

    page.get_by_role("button", name="Changes").click()
    are_shown()
    page.get_by_label("Of the attribute").fill("lives")
    are_shown(predicate="lives_in")
    page.get_by_label("Kind").select_option("ended")
    are_shown(predicate="lives_in", kind="ended")
    page.get_by_label("Kind").select_option("")
    page.get_by_label("Because of").select_option("extraction")
    are_shown(predicate="lives_in", why="extraction")


@pytest.mark.on_postgres
def test_searching_finds_facts_and_messages(page: Any) -> None:
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Words").fill("Bangalore")
    found = page.locator("li.message")
    expect(found.filter(has_text="fact").first).to_be_visible()
    expect(found.filter(has_text=MOVED).first).to_be_visible()


@pytest.mark.on_postgres
def test_a_message_is_erased_after_a_question(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="Erase episode 3").click()
    until_shown(page.get_by_role("dialog"), MOVED)
    page.get_by_role("button", name="Erase it").click()
    page.get_by_text("Erased:").first.wait_for()
    expect(page.locator("main")).not_to_contain_text(MOVED)
    assert studio.mem.get("alice", "lives_in") == "Delhi"

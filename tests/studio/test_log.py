"""The log with its filters, what was made of a message, and erasing one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.bench import MOVED, Served, alice
from tests.studio.watched import go, person


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person(tab="log"))


def said(page: Any) -> list[str]:
    return [text.inner_text() for text in page.locator("li.message .message-text").all()]


def until_there_are(page: Any, count: int, what: str = "li.message") -> None:
    page.wait_for_function(f"() => document.querySelectorAll('{what}').length === {count}")


def test_messages_newest_first_and_by_who_said_them_where_and_how(studio: Served, page: Any) -> None:
    until_there_are(page, 4)
    assert said(page) == [message.content for message in reversed(studio.mem.messages("alice"))]
    page.get_by_label("Said by").select_option("assistant")
    until_there_are(page, 1)
    assert said(page) == ["Noted."]
    page.get_by_label("Said by").select_option("")
    page.get_by_label("In the conversation").fill("second")
    until_there_are(page, 1)
    assert said(page) == [MOVED]
    page.get_by_label("In the conversation").fill("")
    until_there_are(page, 4)
    page.get_by_label("With the words").press_sequentially("DELHI")
    page.wait_for_function("() => location.hash.includes('words=DELHI') && !location.hash.includes('session')")
    until_there_are(page, 1)
    assert said(page) == ["Hi! I live in Delhi."]
    assert page.evaluate("document.activeElement.value") == "DELHI"


def test_what_was_made_of_a_message(page: Any) -> None:
    page.get_by_role("button", name="What was made of episode 3").click()
    page.locator("ul.decisions > li").first.wait_for()
    text = page.locator("ul.decisions").inner_text()
    assert "Bangalore" in text
    assert "Acme" in text
    assert text.count("admitted") == 2


def test_older_messages_are_a_page_away(studio: Served, page: Any) -> None:
    for number in range(60):
        studio.mem.add("bob", f"message {number}", extract=False)
    go(page, person("bob", tab="log"))
    until_there_are(page, 50)
    page.get_by_role("button", name="Older messages").click()
    until_there_are(page, 10)
    assert said(page)[-1] == "message 0"


def test_changes_by_attribute_kind_and_cause(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="Changes").click()
    until_there_are(page, len(studio.mem.changes("alice")), "li.change")
    page.get_by_label("Of the attribute").fill("lives")
    mine = [change for change in studio.mem.changes("alice") if change.predicate == "lives_in"]
    until_there_are(page, len(mine), "li.change")
    page.get_by_label("Kind").select_option("ended")
    until_there_are(page, sum(change.kind == "ended" for change in mine), "li.change")
    page.get_by_label("Kind").select_option("")
    page.get_by_label("Because of").select_option("extraction")
    until_there_are(page, sum(change.why == "extraction" for change in mine), "li.change")


def test_searching_finds_facts_and_messages(page: Any) -> None:
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Words").fill("Bangalore")
    page.locator("li.message").first.wait_for()
    kinds = page.locator("li.message").all_inner_texts()
    assert any("fact" in text for text in kinds)
    assert any(MOVED in text for text in kinds)


def test_a_message_is_erased_after_a_question(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="Erase episode 3").click()
    assert MOVED in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Erase it").click()
    page.get_by_text("Erased:").first.wait_for()
    page.wait_for_function(f"() => !document.querySelector('main').innerText.includes({MOVED!r})")
    assert studio.mem.get("alice", "lives_in") == "Delhi"

"""Forgetting: only after it was typed what is meant, and with a receipt."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import Served, alice
from tests.studio.watched import person


@pytest.fixture
def page(studio: Served, open_page: Any) -> Any:
    alice(studio)
    return open_page(person(tab="forget"))


@pytest.mark.on_postgres
def test_a_person_is_forgotten_once_their_name_is_typed(studio: Served, page: Any) -> None:
    page.get_by_role("button", name="Forget this person").click()
    sure = page.get_by_role("button", name="Forget for good")
    expect(sure).to_be_disabled()
    page.get_by_label("Confirmation").fill("alic")
    expect(sure).to_be_disabled()
    page.keyboard.press("Enter")
    assert studio.mem.scopes("alice")
    page.get_by_label("Confirmation").fill("alice")
    sure.click()
    page.get_by_text("Forgotten:").first.wait_for()
    page.get_by_text("Nobody is remembered yet").wait_for()
    assert not studio.mem.scopes("alice")


@pytest.mark.on_postgres
def test_an_attribute_is_forgotten_and_the_rest_stays(studio: Served, page: Any) -> None:
    page.get_by_label("What", exact=True).select_option(label="All of diet")
    page.get_by_role("button", name="Forget this part").click()
    page.get_by_label("Confirmation").fill("forget")
    page.get_by_role("button", name="Forget for good").click()
    page.get_by_role("table", name="What was removed").wait_for()
    assert studio.mem.get("alice", "diet") is None
    assert studio.mem.get("alice", "lives_in") == "Bangalore"


def test_one_value_is_forgotten(studio: Served, page: Any) -> None:
    page.get_by_label("What", exact=True).select_option(label="Only languages: Hindi")
    page.get_by_role("button", name="Forget this part").click()
    page.get_by_label("Confirmation").fill("forget")
    page.get_by_role("button", name="Forget for good").click()
    page.get_by_role("table", name="What was removed").wait_for()
    assert studio.mem.get("alice", "languages") == ("French",)


def test_a_name_that_nobody_can_type_is_confirmed_otherwise(studio: Served, open_page: Any) -> None:
    user = "eve\u202e\n"
    studio.mem.set(user, "lives_in", "Rome")
    page = open_page(person(user, tab="forget"))
    page.get_by_role("button", name="Forget this person").click()
    page.get_by_label("Confirmation").fill("forget 1")
    page.get_by_role("button", name="Forget for good").click()
    page.get_by_text("Forgotten:").first.wait_for()
    assert not studio.mem.scopes("eve")

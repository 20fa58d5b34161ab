"""The registry's editor: what a change would touch, before it is saved."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import Served, alice, crowd
from tests.studio.watched import until_shown


def touched(page: Any) -> Any:
    page.get_by_role("button", name="What would it touch?").click()
    return page.get_by_role("region", name="What it would touch")


@pytest.mark.on_postgres
def test_a_change_tells_what_differs_and_whose_values_would_not_fit(studio: Served, open_page: Any) -> None:
    alice(studio)
    crowd(studio.mem, 30)
    page = open_page("#/registry")
    page.get_by_role("button", name="Change lives_in").click()
    page.get_by_label("Choices").fill("Oslo\nLima\nKyoto")
    until_shown(
        touched(page), "choices: nothing → Oslo, Lima, Kyoto", "Of the first 20 memories, 20 hold",
        "1 memory would not fit any more", "alice",
    )  # fmt: skip
    page.get_by_role("button", name="Look at 20 more").click()
    page.get_by_text("Of the first 31 memories, 31 hold").wait_for()
    page.get_by_label("Choices").fill("")
    expect(page.get_by_role("button", name="Save the change")).to_have_count(0)  # another change, another question
    page.get_by_label("Other names").fill("city, town")
    until_shown(touched(page), "other names: city → city, town")
    page.get_by_role("button", name="Save the change").click()
    page.get_by_text("Changed: lives_in.").first.wait_for()
    saved = next(one for one in studio.mem.predicates() if one.name == "lives_in")
    assert (saved.aliases, saved.choices, saved.description) == (("city", "town"), None, "the city somebody lives in")


def test_a_new_attribute_and_a_new_name(studio: Served, open_page: Any) -> None:
    page = open_page("#/registry")
    page.get_by_role("button", name="Register an attribute").click()
    page.get_by_label("Name", exact=True).fill("height")
    page.get_by_label("Type").select_option("number")
    page.get_by_label("Due for review after").fill("365d")
    until_shown(touched(page), "Nobody’s memory")
    page.get_by_role("button", name="Register it").click()
    page.get_by_text("Registered: height.").first.wait_for()
    assert next(one for one in studio.mem.predicates() if one.name == "height").type == "number"
    page.get_by_role("button", name="Register a name").click()
    page.get_by_label("Name", exact=True).fill("PostgreSQL")
    page.get_by_label("Other names").fill("pg, Postgres")
    page.get_by_role("button", name="Register it").click()
    page.get_by_text("Registered: PostgreSQL.").first.wait_for()


def test_a_definition_that_can_not_be_is_refused_in_words(open_page: Any) -> None:
    page = open_page("#/registry", may_fail=True)
    page.get_by_role("button", name="Register an attribute").click()
    page.get_by_label("Name", exact=True).fill("height")
    page.get_by_label("Holds for").fill("for ever and a day")
    touched(page).wait_for()
    page.get_by_role("button", name="Register it").click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()
    page.keyboard.press("Escape")

"""What waits and what failed: try again, dismiss."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.bench import Served, fails
from tests.studio.watched import until_shown


@pytest.mark.on_postgres
def test_a_failed_message_is_tried_again_or_dismissed(studio: Served, open_page: Any) -> None:
    fails(studio, "alice", "something odd")
    fails(studio, "bob", "something odder")
    studio.mem.add("carol", "I live in Rome")
    page = open_page("#/waiting")
    rows = page.get_by_role("table").get_by_role("row")
    until_shown(rows.filter(has_text="alice"), "the answer was no JSON")
    expect(rows.filter(has_text="alice")).not_to_contain_text("no extractor is at work")
    until_shown(rows.nth(3), "carol", "no extractor is at work")  # who failed comes first
    page.get_by_role("button", name="Try episode 1 of alice again").click()
    page.get_by_text("1 message put back in the queue").first.wait_for()
    assert {job.user_id: job.state for job in studio.mem.jobs()}["alice"] != "failed"
    page.get_by_role("button", name="Dismiss episode 1 of bob").click()
    page.get_by_role("button", name="Dismiss it").click()
    page.get_by_text("Dismissed:").first.wait_for()
    expect(page.get_by_role("table")).not_to_contain_text("bob")
    assert {job.user_id for job in studio.mem.jobs()} == {"alice", "carol"}


@pytest.mark.on_postgres
def test_all_are_tried_again(studio: Served, open_page: Any) -> None:
    for user in ("alice", "bob"):
        fails(studio, user, "something odd")
    page = open_page("#/waiting")
    page.get_by_role("button", name="Try all again").click()
    page.get_by_text("2 messages put back in the queue").first.wait_for()
    assert {job.state for job in studio.mem.jobs()} == {"waiting"}


def test_nothing_waits(open_page: Any) -> None:
    open_page("#/waiting").get_by_text("Nothing waits.").wait_for()

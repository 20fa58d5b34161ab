"""A memory of several tenants: what is looked at, and done, is of the namespace that the address names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from tensemem.access import Access
from tensemem.errors import ExtractorOutputError
from tests.studio.bench import Served
from tests.studio.watched import Watched, arrived, until_shown

ODD = "something odd"
OURS, THEIRS = (None, "acme")


@pytest.fixture
def both(studio: Served) -> Served:
    """The same people in both namespaces, of whom another number failed and waits in each."""
    studio.told.answers[ODD] = ExtractorOutputError("the answer was no JSON")
    failed: Sequence[tuple[str, str | None]] = (("alice", OURS), ("alice", THEIRS), ("bob", THEIRS))
    for user, namespace in failed:
        studio.mem.add(user, ODD, namespace=namespace)
    studio.mem.set("alice", "lives_in", "Delhi")
    for _ in range(20):
        studio.mem.flush()
        for user in ("alice", "bob"):
            studio.mem.flush(user, namespace=THEIRS)
        studio.clock.advance(hours=3)
    assert states(studio, OURS) == {"alice": "failed"}
    assert states(studio, THEIRS) == {"alice": "failed", "bob": "failed"}
    return studio


def states(studio: Served, namespace: str | None) -> dict[str, str]:
    return {job.user_id: job.state for job in studio.mem.jobs(namespace=namespace)}


def asked_of(page: Any) -> list[str]:
    return [request.url for request in page.watched.asked if "/v1/" in request.url]


@pytest.mark.on_postgres
def test_what_waits_is_that_of_the_namespace(both: Served, open_page: Any) -> None:
    page = open_page("#/waiting?namespace=acme")
    rows = page.get_by_role("table").get_by_role("row")
    until_shown(rows.filter(has_text="bob"), "the answer was no JSON")
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="Waiting").click()
    expect(rows).to_have_count(3)
    assert "namespace=acme" in rows.filter(has_text="alice").get_by_role("link").get_attribute("href")


@pytest.mark.on_postgres
def test_what_is_tried_again_or_dismissed_is_that_of_the_namespace(both: Served, open_page: Any) -> None:
    page = open_page("#/waiting?namespace=acme")
    page.get_by_role("button", name="Try episode 1 of alice again").click()
    page.get_by_text("1 message put back in the queue").first.wait_for()
    assert states(both, THEIRS) == {"alice": "waiting", "bob": "failed"}
    page.get_by_role("button", name="Dismiss episode 1 of alice").click()
    page.get_by_role("button", name="Dismiss it").click()
    page.get_by_text("Dismissed:").first.wait_for()
    expect(page.get_by_role("table")).not_to_contain_text("alice")
    assert states(both, THEIRS) == {"bob": "failed"}
    with page.expect_response(lambda found: "/retry" in found.url):  # what was told before may still stand there
        page.get_by_role("button", name="Try all again").click()
    assert states(both, THEIRS) == {"bob": "waiting"}
    assert states(both, OURS) == {"alice": "failed"}


def test_what_keeps_messages_waiting_is_told_of_the_namespace(both: Served, open_page: Any) -> None:
    both.mem.add("carol", "I live in Rome", namespace=THEIRS)
    page = open_page("#/waiting?namespace=acme")
    until_shown(page.get_by_role("table").get_by_role("row").filter(has_text="carol"), "no extractor is at work")
    glances = [url for url in asked_of(page) if "user_id=carol" in url]
    assert glances
    assert all("namespace=acme" in url for url in glances)


@pytest.mark.on_postgres
def test_the_sums_above_people_are_of_the_same_people(both: Served, open_page: Any) -> None:
    both.mem.register_predicate("lives_in", namespace=THEIRS)
    for user in ("carol", "dan"):
        both.mem.set(user, "lives_in", "Rome", namespace=THEIRS)
    page = open_page("#/people?namespace=acme")
    until_shown(page.locator(".sums"), "4 memories", "2 facts", "2 failed")
    page.locator(".sums a").get_by_text("2 failed").click()
    arrived(page)
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(3)
    page = open_page("#/people")
    until_shown(page.locator(".sums"), "1 memory", "1 fact", "1 failed")


@pytest.mark.on_postgres
def test_everything_that_is_asked_and_written_names_the_namespace(both: Served, open_page: Any) -> None:
    page = open_page("#/waiting?namespace=acme")
    page.get_by_role("button", name="Try episode 1 of alice again").click()
    page.get_by_text("1 message put back in the queue").first.wait_for()
    page.get_by_role("link", name="People").click()
    until_shown(page.locator(".sums"), "2 memories")
    page.locator("a.person-link").get_by_text("bob").click()
    arrived(page)
    page.get_by_role("link", name="Registry").click()
    arrived(page)
    at_home = page.watched.asked[: [r.url.partition("namespace=acme")[1] != "" for r in page.watched.asked].index(True)]
    rest = [one for one in page.watched.asked if "/v1/" in one.url and one not in at_home]
    assert len(rest) > 5
    for one in rest:
        assert "namespace=acme" in one.url or '"namespace":"acme"' in (one.post_data or ""), one.url


def test_a_key_of_one_namespace_sees_what_waits_there(both: Served, browser: Any) -> None:
    with Access.open(both.keys) as access:
        token = access.mint("acme", "write", namespaces=[THEIRS])[1]
    watched = Watched(browser, both, token=token)
    page = watched.goes_to("#/waiting?namespace=acme")
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(3)
    page.get_by_role("button", name="Try all again").click()
    page.get_by_text("2 messages put back in the queue").first.wait_for()
    assert states(both, OURS) == {"alice": "failed"}
    assert watched.end() == []

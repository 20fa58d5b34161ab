"""The pictures of the documentation: made here, so that they show the studio as it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.studio.bench import Served, alice, crowd, fails
from tests.studio.watched import person

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "how-to" / "look-after-a-memory-in-the-studio.md"
IMAGES = PAGE.parent.parent / "images"
MOST_BYTES = 150_000

def ask(page: Any, name: str, until: str) -> None:
    page.get_by_role("button", name=name).click()
    page.get_by_role("dialog").locator(until).first.wait_for()


def point_at_a_bar(page: Any) -> None:
    page.locator("[data-status='active']").first.hover()
    page.locator(".hover-card mark").wait_for()


PICTURES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "studio-people": ("#/people", lambda page: page.locator("a.person-link").first.wait_for()),
    "studio-present": (person(), lambda page: page.get_by_role("article", name="lives_in").first.wait_for()),
    "studio-timeline": (person(tab="timeline", predicate="lives_in"), point_at_a_bar),
    "studio-why": (person(), lambda page: ask(page, "Why lives_in: Bangalore?", ".chain-step")),
    "studio-wrong": (person(), lambda page: ask(page, "lives_in: Bangalore was never true", ".difference")),
    "studio-review": (person(tab="review"), lambda page: page.locator("ol.queue > li").first.wait_for()),
    "studio-registry": ("#/registry", lambda page: page.get_by_role("region", name="Proposals").wait_for()),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_shown_on_the_page(studio: Served, open_page: Any, tmp_path: Path, name: str) -> None:
    place, until_ready = PICTURES[name]
    alice(studio)
    crowd(studio.mem, 6)
    fails(studio, "bob", "something odd")
    page = open_page(place, width=1040, height=760, dark=name == "studio-review")
    page.get_by_text("live", exact=True).wait_for() if "person" in place else None
    until_ready(page)
    taken = page.screenshot(path=tmp_path / f"{name}.png")
    assert 5_000 < len(taken) < MOST_BYTES
    assert f"](../images/{name}.png)" in PAGE.read_text(encoding="utf-8")
    if os.environ.get("TENSEMEM_PICTURES"):
        (IMAGES / f"{name}.png").write_bytes(taken)
    assert (IMAGES / f"{name}.png").stat().st_size < MOST_BYTES

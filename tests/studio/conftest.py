"""The studio as a person meets it: a served memory, and a page of a real browser that is watched all the time.

What a page shows comes when it comes, so tests wait for what they expect of it, by `expect` or what stands beside it
in `tests.studio.watched`; they never look once after something that the view before may have satisfied too. To see
that they do, and that the studio never lets an older answer stand in the place of a newer one, run them with

    TENSEMEM_STUDIO_DELAYS=SEED      every answer comes late, by another while each time, of up to 700 milliseconds;
                                     SEED:MOST for another number of them
    TENSEMEM_STUDIO_SLOWER=4         the browser's processor is that many times slower

`TENSEMEM_TEST_STORE=postgres18` has the memories in PostgreSQL; of what is marked `on_postgres` this is done always.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.bench import Clock, Told
from tests.studio.bench import NOON, Served, served
from tests.studio.watched import PATIENCE, Watched

HAS_BROWSER = importlib.util.find_spec("playwright") is not None and bool(os.environ.get("TENSEMEM_CHROMIUM"))
NEEDS_NONE = {"test_files.py"}
if not HAS_BROWSER:  # `make test-studio` has one
    collect_ignore = [path.name for path in Path(__file__).parent.glob("test_*.py") if path.name not in NEEDS_NONE]


@pytest.fixture
def clock() -> Clock:
    return Clock(NOON)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def studio(tmp_path: Path, clock: Clock, told: Told) -> Iterator[Served]:
    """A served memory, with a second handle on it: what an agent beside the studio does with it."""
    with served(tmp_path / "m.db", clock, told) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=os.environ["TENSEMEM_CHROMIUM"], args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Any, studio: Served) -> Iterator[Callable[..., Any]]:
    """Open a page of the studio, as ``open_page("#/people", width=360)``; what goes wrong in it fails the test."""
    opened: list[Watched] = []

    def open_one(place: str = "#/people", **look: Any) -> Any:
        watched = Watched(browser, studio, **look)
        opened.append(watched)
        return watched.goes_to(place)

    yield open_one
    faults = [fault for watched in opened for fault in watched.end()]
    assert faults == []

"""A history page by page is the history told at once, whatever it is of; that one is folded from all claims."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tensemem import History, Memory
from tests.laws.law import law
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Scenario, day, scenarios
from tests.settings import costly_settings


def pages_of(mem: Memory, size: int, **asked: Any) -> list[History]:
    pages = [mem.history(USER, limit=size, **asked)]
    while pages[-1].next is not None:
        pages.append(mem.history(USER, limit=size, after=pages[-1].next, **asked))
    return pages


@costly_settings
@law(
    scenario=scenarios(rereads=True, removals=True), size=st.integers(1, 4),
    between=st.none() | st.tuples(st.integers(0, 6), st.integers(6, 12)),
)  # fmt: skip
def test_pages_put_together_are_the_history(scenario: Scenario, size: int, between: tuple[int, int] | None) -> None:
    with Player(scenario) as player:
        mem = player.play_all().mem
        period = None if between is None else (day(between[0]), day(between[1]))
        for subject in (*player.subjects(), None):
            for predicate in (None, *(one.name for one in mem.predicates())):
                asked: dict[str, Any] = {"predicate": predicate, "subject": subject, "between": period}
                told = mem.history(USER, **asked)
                pages = pages_of(mem, size, **asked)
                assert tuple(fact for page in pages for fact in page.facts) == told.facts
                assert all(len(page.facts) == size for page in pages[:-1])
                assert {page.retractions for page in pages} == {told.retractions}

"""The oracle agrees with every written-out consequence of correction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.oracle.fold import History
from tests.oracle.saying import (
    ABA,
    after,
    correct,
    correct_entry,
    deny,
    lines,
    no_longer,
    one,
    only,
    row,
    runs,
    say,
    several,
    take_back,
)

CORRECT = [
    pytest.param(
        after(
            several(only("Python", "Go", said=10), only("Rust", "C", said=20)),
            correct("Rust"),
            correct("C"),
        ),
        "Go 10-, Python 10-",
        id="correct all that a REPLACE brought in",
    ),
    pytest.param(
        after(several(only("Python", "Go", said=10), only("Rust", "C", said=20)), correct("Rust")),
        "Go 10-20, Python 10-20, C 20-",
        id="correct one of two that a REPLACE brought in",
    ),
    pytest.param(
        after(several(say("Go", 10), say("Python", 15), only("Go", "Rust", said=20)), correct("Rust")),
        "Go 10-, Python 15-",
        id="what a REPLACE kept does not hold it up",
    ),
    pytest.param(
        after(several(say("Go", 10), only("Rust", said=20), deny("Rust", 30))),
        "Go 10-",
        id="a REPLACE whose only value is denied",
    ),
    pytest.param(
        after(one(say("Delhi", 10)), correct("Delhi", to="Delhi")),
        "Delhi 10-",
        id="replaced by the same value",
    ),
    pytest.param(
        after(one(row("A", 10, stated=50), row("B", 20, stated=51)), correct("B")),
        "A 10-",
        id="the newer row",
    ),
    pytest.param(
        after(one(row("B", 20, stated=50), row("A", 10, stated=51)), correct("B")),
        "A 10-",
        id="the newer row, recorded first",
    ),
    pytest.param(
        after(one(say("A", 10), say("B", 20)), correct("B"), take_back(1)),
        "A 10-20, B 20-",
        id="a correction taken back",
    ),
    pytest.param(
        after(one(say("A", 10), say("B", 20)), correct("B", to="C"), take_back(1)),
        "A 10-20, B 20-",
        id="a replacement taken back",
    ),
    pytest.param(after(one(say("A", 10), say("B", 20)), correct("A", start=5)), "A 5-20, B 20-", id="an earlier start"),
    pytest.param(after(one(say("A", 10), say("B", 20)), correct("A", end=15)), "A 10-15, B 20-", id="an earlier end"),
    pytest.param(
        after(one(say("A", 10), say("B", 20), say("C", 30)), correct("B", to="D")),
        "A 10-20, D 20-30, C 30-",
        id="fixing the past does not touch the present",
    ),
    pytest.param(after(one(say("A", 10), no_longer("A", 20)), correct_entry(2)), "A 10-", id="correct a retraction"),
    pytest.param(after(one(say("A", 10), deny("A", 20)), correct_entry(2)), "A 10-", id="correct a denial"),
]


@pytest.mark.parametrize(("history", "wanted"), CORRECT)
def test_a_correction_shows_what_the_wrong_fact_had_displaced(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)


def test_correcting_the_same_run_twice_is_correcting_it_once() -> None:
    once = after(ABA, correct("A", 2))
    twice = once._replace(fixes=(*once.fixes, replace(once.fixes[0], seq=9, said=99)))
    assert runs(twice) == runs(once)

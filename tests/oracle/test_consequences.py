"""The oracle agrees with every written-out consequence of the evidence rule."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from tests.oracle.fold import History
from tests.oracle.saying import (
    ABA,
    ABC,
    ONLY_RUST,
    ROME,
    TWICE,
    VISIT,
    after,
    correct,
    correct_entry,
    late,
    lines,
    no_longer,
    one,
    row,
    runs,
    say,
    since,
)

CONSEQUENCES = [
    pytest.param(one(say("A", 10), say("B", 20)), "A 10-20, B 20-", id="the newest statement wins"),
    pytest.param(one(say("B", 20), say("A", 10)), "A 10-20, B 20-", id="the order of recording does not count"),
    pytest.param(one(say("A", 10), say("B", 20)), "A 10-20, B 20-", id="a message extracted late keeps its place"),
    pytest.param(
        one(since("Paris", 1, said=5), say("Delhi", 15), since("Bangalore", 10, said=60)),
        "Paris 1-10, Bangalore 10-",
        id="a dated move overrides what was said after its date",
    ),
    pytest.param(one(say("Delhi", 15), since("Bangalore", 10, said=60)), "Bangalore 10-", id="Delhi is overridden"),
    pytest.param(
        one(say("Delhi", 50), row("Paris", 20, stated=60)),
        "Paris 20-50, Delhi 50-",
        id="a row never overwrites what is known about later times",
    ),
    pytest.param(one(row("Blr", 90, stated=30), say("Delhi", 40)), "Delhi 40-90, Blr 90-", id="a scheduled row waits"),
    pytest.param(
        after(one(row("Blr", 90, stated=30), say("Delhi", 40)), correct("Blr")),
        "Delhi 40-",
        id="correcting a scheduled row cancels it",
    ),
    pytest.param(ROME, "Paris 10-30, Rome 30-60, Paris 60-", id="a row yields to what was vouched for later"),
    pytest.param(VISIT, "Delhi 10-20, Paris 20-30, Delhi 30-", id="a past period leaves the present alone"),
    pytest.param(one(say("Delhi", 10), no_longer("Delhi", 40)), "Delhi 10-40", id="a retraction ends"),
    pytest.param(
        one(say("Bangalore", 10), no_longer("Delhi", 40)),
        "Bangalore 10-",
        id="a retraction of another value changes nothing",
    ),
    pytest.param(
        one(say("Delhi", 10), no_longer("Delhi", 40), row("Paris", 20, stated=50)),
        "Delhi 10-20, Paris 20-",
        id="a retraction is no evidence against another value",
    ),
    pytest.param(
        one(say("Delhi", 15), say("Bangalore", 60, start=1, range_stop=100)),
        "Delhi 15-16, Bangalore 16-",
        id="an imprecise start is narrowed",
    ),
    pytest.param(after(ABA, correct("A", 2)), "A 10-20, B 20-", id="correct the second A"),
    pytest.param(after(ABA, correct("A", 2), correct("B")), "A 10-", id="correct the second A, then B"),
    pytest.param(after(ABC, correct("B")), "A 10-30, C 30-", id="correct the middle"),
    pytest.param(after(ABC, correct("B"), correct("C")), "A 10-", id="correct the middle, then the last"),
    pytest.param(after(VISIT, correct("Delhi", 2)), "Delhi 10-20, Paris 20-30", id="correct what follows a visit"),
    pytest.param(after(VISIT, correct("Delhi", 1)), "Paris 20-30, Delhi 30-", id="correct what precedes a visit"),
    pytest.param(
        after(TWICE, correct("Delhi", 2)),
        "Delhi 10-20, Paris 20-30",
        id="correct what two statements support",
    ),
    pytest.param(after(ROME, correct("Paris", 1)), "Rome 30-60, Paris 60-", id="correct one of two runs of a claim"),
    pytest.param(
        after(one(say("A", 51)), correct("A"), late(say("A", 40))),
        "A 40-51",
        id="a late message does not bring back what was corrected",
    ),
    pytest.param(
        after(one(say("B", 20), say("A", 30)), correct("A"), correct("B"), late(say("A", 10))),
        "A 10-",
        id="a message extracted after the corrections is not lost",
    ),
    pytest.param(after(ONLY_RUST, correct("Rust")), "Python 10-, Go 20-", id="correcting what a REPLACE brought in"),
    pytest.param(after(ONLY_RUST, correct_entry(3)), "Python 10-, Go 20-", id="correcting a REPLACE"),
]


@pytest.mark.parametrize(("history", "wanted"), CONSEQUENCES)
def test_a_consequence_of_the_evidence_rule_holds(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)


@pytest.mark.parametrize(("history", "wanted"), CONSEQUENCES)
def test_the_order_in_which_entries_are_listed_does_not_count(history: History, wanted: str) -> None:
    listed = history._replace(sts=history.sts[::-1], fixes=history.fixes[::-1])
    assert runs(listed) == lines(wanted)


@pytest.mark.parametrize("rows", list(itertools.permutations([("C", 40), ("A", 10), ("B", 20)])))
def test_rows_may_be_recorded_in_any_order(rows: Sequence[tuple[str, int]]) -> None:
    history = one(*(row(value, start, stated=50 + n) for n, (value, start) in enumerate(rows)))
    assert runs(history) == lines("A 10-20, B 20-40, C 40-")

"""What each kind of statement paints, where the tables of consequences do not show it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.oracle.fold import Fix, History, Run, St, Undo, fold, timeline
from tests.oracle.saying import (
    TWICE,
    VISIT,
    after,
    confirm,
    correct,
    correct_entry,
    deny,
    late,
    lines,
    no_longer,
    one,
    only,
    period,
    row,
    runs,
    say,
    several,
    since,
)

STATEMENTS = [
    pytest.param(one(say("A", 10), say("B", 20), deny("B", 30)), "A 10-", id="a denial voids"),
    pytest.param(one(say("A", 10), deny("A", 20), say("A", 30)), "A 30-", id="a denial spares what follows"),
    pytest.param(several(say("A", 10), say("B", 20), deny("A", 30)), "B 20-", id="a denial among many"),
    pytest.param(
        one(say("A", 10), confirm("A", 30), row("B", 20, stated=40)),
        "A 10-20, B 20-30, A 30-",
        id="a confirmation is evidence",
    ),
    pytest.param(
        one(say("A", 10), say("B", 20), confirm("A", 30)),
        "A 10-20, B 20-",
        id="a confirmation of what is not shown is ignored",
    ),
    pytest.param(one(say("A", 10, through=49, end=50), confirm("A", 30)), "A 10-50", id="a confirmation keeps the end"),
    pytest.param(
        one(say("A", 10, expires=40), confirm("A", 30), replace(confirm("A", 35), expires=65)),
        "A 10-",
        id="a confirmation does not inherit an expiry",
    ),
    pytest.param(
        one(say("A", 10, expires=40), replace(confirm("A", 30), expires=60)),
        "A 10-60",
        id="a confirmation refreshes an expiry",
    ),
    pytest.param(
        one(say("A", 10), period("B", 20, 50, said=20)),
        "A 10-20, B 20-50, A 50-",
        id="what lies beneath a stated end shows again",
    ),
    pytest.param(
        one(say("A", 10), say("B", 20, expires=50)),
        "A 10-20, B 20-50, A 50-",
        id="what lies beneath an expired end shows again",
    ),
    pytest.param(
        one(say("A", 10), replace(say("B", 5), rank=1), say("C", 90)),
        "B 5-",
        id="a lower rank does not displace a higher one",
    ),
    pytest.param(
        one(say("A", 50), replace(row("B", 20, stated=5), rank=1)),
        "B 20-",
        id="evidence of a lower rank protects nothing",
    ),
    pytest.param(one(say("A", 10), no_longer(None, 20), say("B", 30)), "A 10-20, B 30-", id="any value"),
    pytest.param(
        one(period("A", 20, 60, said=50), row("C", 30, stated=70)),
        "A 20-30, C 30-",
        id="a stated end protects no moment by being vouched for",
    ),
    pytest.param(
        after(one(since("A", 10, said=50), since("B", 30, said=60)), correct("A"), correct("B")),
        "A 30-",
        id="a claim that vouches beyond the corrected run is barred and not void",
    ),
    pytest.param(
        one(say("A", 10), say("A", 20, through=49, end=50), confirm("A", 30), row("B", 25, stated=40)),
        "A 10-25, B 25-30, A 30-50, B 50-",
        id="a confirmation takes the end of the latest-stated claim that shows its value",
    ),
    pytest.param(
        one(row("B", 60, stated=20), say("A", 30, start=5, through=99, end=100), no_longer("A", 40)),
        "A 5-40, B 100-",
        id="another value does not hold up a retraction",
    ),
    pytest.param(
        one(row("B", 40, stated=20), since("A", 35, said=50), row("C", 36, stated=60)),
        "A 35-36, C 36-40, A 40-",
        id="evidence that is overridden still protects",
    ),
    pytest.param(
        after(one(say("B", 40), say("A", 50), row("C", 30, stated=60)), correct("B")),
        "C 30-50, A 50-",
        id="void evidence does not protect",
    ),
    pytest.param(
        after(
            one(since("B", 20, said=40), period("A", 50, 60, said=65)),
            correct("B", 2),
            late(row("C", 30, stated=70)),
        ),
        "B 20-30, C 30-40, B 40-50, A 50-60, C 60-",
        id="evidence does not protect where it is barred",
    ),
    pytest.param(
        one(no_longer("B", 20), say("A", 60, start=1, range_stop=50)),
        "A 21-",
        id="an imprecise start is narrowed by a retraction of another value",
    ),
    pytest.param(
        several(say("B", 10), no_longer("B", 20), say("A", 60, start=1, range_stop=50)),
        "A 1-, B 10-20",
        id="among many only by a retraction of the same value",
    ),
    pytest.param(
        several(say("A", 5), no_longer("A", 20), say("A", 60, start=1, range_stop=50)),
        "A 5-20, A 21-",
        id="an imprecise start among many",
    ),
    pytest.param(
        one(say("B", 60), say("A", 60, start=1, range_stop=90)), "A 1-", id="never after the moment vouched for"
    ),
    pytest.param(
        one(say("B", 5), say("A", 60, start=20, range_stop=50)),
        "B 5-20, A 20-",
        id="what lies before the range narrows nothing",
    ),
    pytest.param(
        one(since("B", 10, said=59), say("A", 60, start=1, range_stop=90)),
        "B 10-60, A 60-",
        id="narrowed to the moment vouched for",
    ),
    pytest.param(
        after(
            one(since("B", 10, said=40), period("C", 20, 50, said=50)),
            correct("B", 1),
            late(say("A", 60, start=5, range_stop=16)),
        ),
        "A 5-",
        id="a start that is barred narrows nothing",
    ),
    pytest.param(
        one(row("A", 90, stated=10), say("A", 20), no_longer("A", 40)),
        "A 20-40, A 90-",
        id="a retraction spares what is scheduled",
    ),
    pytest.param(several(say("A", 10), say("B", 10), only(said=20)), "A 10-20, B 10-20", id="replaced by nothing"),
]


@pytest.mark.parametrize(("history", "wanted"), STATEMENTS)
def test_a_statement_paints_what_it_says(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)


def test_what_a_replace_brought_in_is_judged_as_it_stood_when_stated() -> None:
    history = several(say("Go", 10), only("Go", "Rust", said=20))
    gone = after(history, correct("Go"))
    # Go was in before the REPLACE: correcting it must not make it something the REPLACE newly brought in.
    assert fold(*gone[1:], many=True).brought == {(2, 0): frozenset({"Rust"})}
    assert runs(after(gone, correct("Rust"))) == []


def test_two_corrections_do_the_same_in_either_order() -> None:
    # What both together have taken from a claim leaves it nothing to vouch for: it is void, whichever came first.
    first = after(VISIT, correct("Delhi", 1), correct("Delhi", 1))
    second = after(VISIT, correct("Delhi", 2), correct("Delhi", 1))
    assert runs(first) == runs(second) == lines("Paris 20-30")
    for history in (first, second):
        listed = history._replace(fixes=history.fixes[::-1])
        assert (1, 0, "Delhi") in fold(*listed[1:], many=False).void
        assert runs(after(history, correct("Paris"))) == []


def test_a_later_correction_does_not_change_what_a_replace_had_brought_in() -> None:
    history = several(say("Python", 5), only("Go", said=10), only("Go", "Rust", said=20))
    # Go was in when the second REPLACE was stated, though what had brought it in is corrected before Rust is.
    assert runs(after(history, correct_entry(2), correct("Rust"))) == lines("Python 5-")


def test_support_names_every_claim_behind_a_run() -> None:
    folded = fold(*TWICE[1:], many=False)
    assert folded.support == {
        Run("Delhi", 10, 20): frozenset({(1, 0), (2, 0)}),
        Run("Paris", 20, 30): frozenset({(3, 0)}),
        Run("Delhi", 30, None): frozenset({(1, 0), (2, 0)}),
    }


def test_a_correction_is_worked_out_without_what_is_stated_after_it() -> None:
    sts = (St(1, 10, "value", "A"), St(3, 30, "value", "A"))
    fixes = (Fix(2, 20, "A", 10, None),)
    assert timeline(sts, fixes, many=False) == lines("A 30-")
    assert timeline(sts, fixes, (Undo(4, 2),), many=False) == lines("A 10-")

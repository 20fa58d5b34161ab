"""The oracle agrees with every written-out consequence of the evidence rule and of correction."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.oracle.fold import (
    Fix,
    History,
    Run,
    St,
    Undo,
    correct_run,
    correct_statement,
    fold,
    timeline,
    undo,
)
from tests.oracle.strategies import histories

Step = Callable[[History], History]


# --- saying things -----------------------------------------------------------------------------------------


def say(value: str, said: int, **spans: Any) -> St:
    return St(0, said, "value", value, **spans)


def row(value: str, start: int, stated: int) -> St:
    return say(value, stated, start=start, through=start)


def since(value: str, start: int, said: int) -> St:
    return say(value, said, start=start)


def period(value: str, start: int, end: int, said: int) -> St:
    return say(value, said, start=start, through=end - 1, end=end)


def no_longer(value: str | None, said: int, **spans: Any) -> St:
    return St(0, said, "retract", value, **spans)


def deny(value: str, said: int) -> St:
    return St(0, said, "deny", value)


def confirm(value: str, said: int) -> St:
    return St(0, said, "confirm", value)


def only(*values: str, said: int) -> St:
    return St(0, said, "replace", values=values)


def one(*sts: St) -> History:
    """A single-valued slot whose statements were recorded in the order given."""
    return _numbered(False, sts)


def several(*sts: St) -> History:
    """A many-valued slot whose statements were recorded in the order given."""
    return _numbered(True, sts)


def _numbered(many: bool, sts: Sequence[St]) -> History:
    return History(many, tuple(replace(st, seq=seq) for seq, st in enumerate(sts, start=1)))


def late(st: St) -> Step:
    """A statement recorded after what is already there."""

    def step(history: History) -> History:
        seqs = [entry.seq for part in history[1:] for entry in part]
        return history._replace(sts=(*history.sts, replace(st, seq=max(seqs) + 1)))

    return step


def correct(value: str, number: int = 1, to: str | None = None, **times: int) -> Step:
    """The correction of the ``number``-th run of a value."""

    def step(history: History) -> History:
        shown = [run for run in runs(history) if run.value == value]
        return correct_run(history, shown[number - 1], value=to, **times)

    return step


def correct_entry(seq: int) -> Step:
    return lambda history: correct_statement(history, (seq, 0))


def take_back(fix_number: int) -> Step:
    return lambda history: undo(history, history.fixes[fix_number - 1].seq)


def after(history: History, *steps: Step) -> History:
    for step in steps:
        history = step(history)
    return history


def runs(history: History) -> list[Run]:
    return timeline(*history[1:], many=history.many)


def lines(text: str) -> list[Run]:
    """``"A 10-20, B 20-"`` as runs."""
    found = []
    for part in filter(None, text.split(", ")):
        value, _, span = part.rpartition(" ")
        start, _, end = span.partition("-")
        found.append(Run(value, int(start), int(end) if end else None))
    return found


# --- the table of consequences -----------------------------------------------------------------------------

ABA = one(say("A", 10), say("B", 20), say("A", 30))
ABC = one(say("A", 10), say("B", 20), say("C", 30))
VISIT = one(say("Delhi", 10), period("Paris", 20, 30, said=60))
TWICE = one(say("Delhi", 10), say("Delhi", 15), period("Paris", 20, 30, said=60))
ROME = one(since("Paris", 10, said=60), row("Rome", 30, stated=70))
ONLY_RUST = several(say("Python", 10), say("Go", 20), only("Rust", said=30))

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


# --- order and rebuild -------------------------------------------------------------------------------------

ORDER = [
    pytest.param(one(say("Delhi", 10), say("Bangalore", 20)), "Delhi 10-20, Bangalore 20-", id="queue, then set"),
    pytest.param(one(say("Delhi", 10), no_longer("Delhi", 20)), "Delhi 10-20", id="queue, then retract"),
    pytest.param(
        one(no_longer("Delhi", 20), say("Delhi", 10)),
        "Delhi 10-20",
        id="a retraction recorded before its claim",
    ),
    pytest.param(several(say("Python", 10), no_longer("Python", 20)), "Python 10-20", id="remove_value"),
    pytest.param(several(say("Python", 10), no_longer(None, 20)), "Python 10-20", id="retract without a value"),
    pytest.param(
        after(one(say("Delhi", 10), say("Bangalore", 20)), correct("Bangalore", to="Pune")),
        "Delhi 10-20, Pune 20-",
        id="a replacement",
    ),
    pytest.param(
        after(
            one(say("Delhi", 10), say("Bangalore", 20)),
            correct("Bangalore", to="Pune"),
            late(say("Bangalore", 15)),
        ),
        "Delhi 10-15, Bangalore 15-20, Pune 20-",
        id="a late message after a replacement",
    ),
    pytest.param(
        after(one(say("Delhi", 10), say("Bangalore", 20)), correct("Bangalore"), late(say("Bangalore", 90))),
        "Delhi 10-90, Bangalore 90-",
        id="a new statement of a corrected value counts",
    ),
]


@pytest.mark.parametrize(("history", "wanted"), ORDER)
def test_neither_order_of_recording_nor_rebuild_changes_the_timeline(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)
    for sts in itertools.permutations(history.sts):
        assert runs(history._replace(sts=sts, fixes=history.fixes[::-1])) == lines(wanted)


# --- time --------------------------------------------------------------------------------------------------

TIME = [
    pytest.param(
        one(say("Bangalore", 60), say("Delhi", 24)),
        "Delhi 24-60, Bangalore 60-",
        id="what was said earlier and arrives later is older",
    ),
    pytest.param(
        one(say("Bangalore", 60), period("Delhi", 19, 20, said=61)),
        "Delhi 19-20, Bangalore 60-",
        id="a past year leaves the present alone",
    ),
    pytest.param(
        one(since("Delhi", 20, said=70), since("Delhi", 26, said=71), row("Pune", 23, stated=72)),
        "Delhi 20-23, Pune 23-26, Delhi 26-",
        id="a value stated again with a later date holds a row up there",
    ),
    pytest.param(
        one(since("Delhi", 20, said=70), since("Delhi", 26, said=71), period("Pune", 23, 24, said=72)),
        "Delhi 20-23, Pune 23-24, Delhi 24-",
        id="a past period within a long stay",
    ),
    pytest.param(
        one(row("Delhi", 20, stated=70), row("Delhi", 26, stated=71), row("Pune", 23, stated=72)),
        "Delhi 20-23, Pune 23-26, Delhi 26-",
        id="a row does not pass the next one",
    ),
    pytest.param(
        one(say("Delhi", 30), row("Goa", 90, stated=31)),
        "Delhi 30-90, Goa 90-",
        id="a row in the future waits",
    ),
    pytest.param(
        one(since("Delhi", 24, said=24), no_longer("Delhi", 60, start=19, through=19)),
        "Delhi 24-",
        id="a retraction that speaks of an earlier time changes nothing",
    ),
    pytest.param(
        one(since("Delhi", 24, said=50), no_longer("Delhi", 60, start=19)),
        "",
        id="a retraction that speaks of the present since an earlier time wins",
    ),
    pytest.param(
        one(row("X", 26, stated=70), row("Q", 22, stated=71), row("R", 20, stated=72)),
        "R 20-22, Q 22-26, X 26-",
        id="late rows end where the next begins",
    ),
    pytest.param(
        one(say("X", 26), say("Q", 22), say("R", 20)),
        "R 20-22, Q 22-26, X 26-",
        id="late messages end where the next begins",
    ),
]


@pytest.mark.parametrize(("history", "wanted"), TIME)
def test_time_is_what_was_spoken_of_and_not_when_it_arrived(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)


# --- correct() ---------------------------------------------------------------------------------------------

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


# --- statements the tables do not show ---------------------------------------------------------------------

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


# --- laws of correction ------------------------------------------------------------------------------------


@given(histories(), st.integers(0, 11))
def test_a_corrected_value_shows_nowhere_in_its_run(history: History, pick: int) -> None:
    shown = runs(history)
    assume(shown)
    wrong = shown[pick % len(shown)]
    kept = runs(correct_run(history, wrong))
    assert not [run for run in kept if run.value == wrong.value and _overlap(run, wrong)]


@given(histories(), st.integers(0, 11), st.sampled_from((None, "A", "B", "C")))
def test_a_correction_taken_back_leaves_no_trace(history: History, pick: int, to: str | None) -> None:
    shown = runs(history)
    assume(shown)
    corrected = correct_run(history, shown[pick % len(shown)], value=to)
    assert fold(*undo(corrected, corrected.fixes[-1].seq)[1:], many=history.many) == fold(
        *history[1:], many=history.many
    )


@given(histories(many=False))
def test_a_single_valued_slot_shows_one_value_at_a_moment(history: History) -> None:
    for before, following in itertools.pairwise(runs(history)):
        assert before.end is not None
        assert before.end <= following.start


@given(histories(max_corrections=0), st.randoms(use_true_random=False))
def test_when_moments_differ_arrival_does_not_count(history: History, random: Random) -> None:
    episodes = {one.said: one.seq for one in history.sts}
    assume(len(episodes) == len({one.seq for one in history.sts}))
    seqs = sorted(episodes.values())
    random.shuffle(seqs)
    arrived = dict(zip(episodes, seqs, strict=True))
    shuffled = tuple(replace(one, seq=arrived[one.said]) for one in history.sts)
    assert runs(history._replace(sts=shuffled)) == runs(history)


@given(histories(), st.integers(0, 11), st.integers(0, 99))
def test_a_late_message_does_not_bring_a_corrected_value_back(history: History, pick: int, said: int) -> None:
    shown = runs(history)
    assume(shown)
    wrong = shown[pick % len(shown)]
    corrected = correct_run(history, wrong)
    assume(said < corrected.fixes[-1].said)
    kept = runs(after(corrected, late(say(wrong.value, said))))
    assert not [run for run in kept if run.value == wrong.value and _overlap(run, wrong)]


def _overlap(run: Run, other: Run) -> bool:
    return (other.end is None or run.start < other.end) and (run.end is None or other.start < run.end)

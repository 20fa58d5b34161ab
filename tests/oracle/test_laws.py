"""Laws of correction, which the oracle itself has to obey."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.oracle.fold import History, Run, correct_run, fold, undo
from tests.oracle.saying import after, late, runs, say
from tests.oracle.strategies import histories


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

"""Slots as they are said: statements, corrections, and the runs that should come of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.oracle.fold import History, Run, St, correct_run, correct_statement, timeline, undo

Step = Callable[[History], History]


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


ABA = one(say("A", 10), say("B", 20), say("A", 30))
ABC = one(say("A", 10), say("B", 20), say("C", 30))
VISIT = one(say("Delhi", 10), period("Paris", 20, 30, said=60))
TWICE = one(say("Delhi", 10), say("Delhi", 15), period("Paris", 20, 30, said=60))
ROME = one(since("Paris", 10, said=60), row("Rome", 30, stated=70))
ONLY_RUST = several(say("Python", 10), say("Go", 20), only("Rust", said=30))

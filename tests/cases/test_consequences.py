"""What follows from the evidence rule, row by row, through the public verbs: stated by writes, and said in messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tensemem import Operation

from .bench import Desk, assert_rebuilt_alike, day, line


@dataclass(frozen=True)
class Stated:
    """Something about a place, stated on a day; ``heard`` is the day it was recorded, where that is later."""

    said: float
    value: str | None
    op: str = "set"
    since: Any = None
    valid_from: float | None = None
    valid_to: float | None = None
    heard: float | None = None

    def operation(self) -> Operation:
        dates: dict[str, Any] = {
            "since": day(self.since) if isinstance(self.since, int) else self.since,
            "valid_from": None if self.valid_from is None else day(self.valid_from),
            "valid_to": None if self.valid_to is None else day(self.valid_to),
        }
        return Operation(self.op, "lives_in", self.value, **dates)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fix:
    """The n-th fact of a value in the history was never true."""

    value: str
    number: int = 0


def lived(said: float, value: str, **dates: Any) -> Stated:
    return Stated(said, value, **dates)


def left(said: float, value: str | None, **dates: Any) -> Stated:
    return Stated(said, value, "retract", **dates)


Row = tuple[str, tuple[Stated | Fix, ...], list[tuple[str, float, float | None]]]

ROWS: tuple[Row, ...] = (
    ("one after the other", (lived(10, "A"), lived(20, "B")), [("A", 10, 20), ("B", 20, None)]),
    ("the first arrives late", (lived(20, "B"), lived(10, "A", heard=30)), [("A", 10, 20), ("B", 20, None)]),
    (
        "rows in any order",
        (lived(90, "C", valid_from=40), lived(91, "A", valid_from=10), lived(92, "B", valid_from=20)),
        [("A", 10, 20), ("B", 20, 40), ("C", 40, None)],
    ),
    ("a dated move covers an older word", (lived(15, "Delhi"), lived(60, "Bangalore", since=10)),
     [("Bangalore", 10, None)]),
    ("a row does not reach over later words", (lived(50, "Delhi"), lived(60, "Paris", valid_from=20)),
     [("Paris", 20, 50), ("Delhi", 50, None)]),
    ("a scheduled row outlasts a word before its day", (lived(30, "Blr", valid_from=90), lived(40, "Delhi")),
     [("Delhi", 40, 90), ("Blr", 90, None)]),
    ("a cancelled row", (lived(30, "Blr", valid_from=90), lived(40, "Delhi"), Fix("Blr")), [("Delhi", 40, None)]),
    ("a row inside what was vouched for", (lived(60, "Paris", since=10), lived(70, "Rome", valid_from=30)),
     [("Paris", 10, 30), ("Rome", 30, 60), ("Paris", 60, None)]),
    ("a period over an open value", (lived(10, "Delhi"), lived(60, "Paris", valid_from=20, valid_to=30)),
     [("Delhi", 10, 20), ("Paris", 20, 30), ("Delhi", 30, None)]),
    ("a departure", (lived(10, "Delhi"), left(40, "Delhi")), [("Delhi", 10, 40)]),
    ("a departure from elsewhere", (lived(10, "Bangalore"), left(40, "Delhi")), [("Bangalore", 10, None)]),
    ("a departure, then a row before it", (lived(10, "Delhi"), left(40, "Delhi"), lived(50, "Paris", valid_from=20)),
     [("Delhi", 10, 20), ("Paris", 20, None)]),
    ("there, away and back: the second time was wrong",
     (lived(10, "A"), lived(20, "B"), lived(30, "A"), Fix("A", 1)), [("A", 10, 20), ("B", 20, None)]),
    ("there, away and back: and the time between",
     (lived(10, "A"), lived(20, "B"), lived(30, "A"), Fix("A", 1), Fix("B")), [("A", 10, None)]),
    ("the middle of three", (lived(10, "A"), lived(20, "B"), lived(30, "C"), Fix("B")),
     [("A", 10, 30), ("C", 30, None)]),
    ("the middle of three, then the last", (lived(10, "A"), lived(20, "B"), lived(30, "C"), Fix("B"), Fix("C")),
     [("A", 10, None)]),
    ("after a period", (lived(10, "Delhi"), lived(60, "Paris", valid_from=20, valid_to=30), Fix("Delhi", 1)),
     [("Delhi", 10, 20), ("Paris", 20, 30)]),
    ("before a period", (lived(10, "Delhi"), lived(60, "Paris", valid_from=20, valid_to=30), Fix("Delhi", 0)),
     [("Paris", 20, 30), ("Delhi", 30, None)]),
    ("after a period, said twice before it",
     (lived(10, "Delhi"), lived(15, "Delhi"), lived(60, "Paris", valid_from=20, valid_to=30), Fix("Delhi", 1)),
     [("Delhi", 10, 20), ("Paris", 20, 30)]),
    ("the first half of what was vouched for",
     (lived(60, "Paris", since=10), lived(70, "Rome", valid_from=30), Fix("Paris", 0)),
     [("Rome", 30, 60), ("Paris", 60, None)]),
    ("a late copy of what was wrong", (lived(51, "A"), Fix("A"), lived(40, "A", heard=80)), [("A", 40, 51)]),
    ("a value taken back before it was known", (left(40, "Delhi"), lived(10, "Delhi", heard=50)), [("Delhi", 10, 40)]),
    ("the end of a stated stay", (lived(10, "Delhi"), lived(20, "Paris", valid_from=20, valid_to=25), lived(22, "Goa")),
     [("Delhi", 10, 20), ("Paris", 20, 22), ("Goa", 22, None)]),
)  # fmt: skip


@pytest.mark.parametrize("is_said", [False, True], ids=["written", "said"])
@pytest.mark.parametrize(("name", "steps", "timeline"), ROWS, ids=[row[0] for row in ROWS])
def test_the_evidence_rule_gives_the_timeline(
    desk: Desk, name: str, steps: tuple[Stated | Fix, ...], timeline: list[Any], is_said: bool
) -> None:
    for number, step in enumerate(steps):
        if isinstance(step, Fix):
            desk.hands.advance(days=1)
            correct(desk, step)
            continue
        desk.hands.set(day(max(step.heard or step.said, (desk.hands.now - day(0)).days)))
        if is_said:
            text = f"{number}: as for {step.value}"
            desk.say(text, step.operation(), said_at=day(step.said))
        else:
            desk.mem.write("ann", [step.operation()], said_at=day(step.said))
    desk.hands.set(day(200))
    assert line(desk.mem) == timeline
    assert_rebuilt_alike(desk.mem)


def correct(desk: Desk, fix: Fix) -> None:
    shown = ("active", "superseded", "retracted", "expired", "scheduled")
    facts = [fact for fact in desk.mem.history("ann", "lives_in") if fact.value == fix.value and fact.status in shown]
    desk.mem.correct(facts[fix.number].id)


def test_an_imprecise_start_begins_after_the_last_word_against_it(desk: Desk) -> None:
    desk.hands.set(day(15))
    desk.mem.set("ann", "lives_in", "Delhi")
    desk.hands.set(day(60))
    desk.mem.set("ann", "lives_in", "Bangalore", since="2026")
    [delhi, bangalore] = desk.mem.history("ann", "lives_in").facts
    assert delhi.valid_from == day(15)
    assert delhi.valid_to == bangalore.valid_from
    assert (bangalore.valid_from or day(0)) - day(15) == (day(15) - day(15)).resolution
    assert_rebuilt_alike(desk.mem)

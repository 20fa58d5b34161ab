"""How each status and each kind of statement is drawn: a mark of its own that works without colour, and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model.fact import Fact, FactStatus, Statement


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign of 12 by 12 pixels around its middle, as a path; what it means; and the family whose colours it takes.

    ``pattern`` names what fills the bar beside its colour; ``dashes`` how its outline is drawn.
    """

    name: str
    meaning: str
    family: str
    path: str
    pattern: str = ""
    dashes: str = ""


_RING = "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z"

_CLOCK, _HOURGLASS = f"{_RING}M0-2.8V0L2 1.6", "M-4-5h8L-4 5h8z"
_DIAMOND = "M0-5.5L5.5 0L0 5.5L-5.5 0z"
_QUESTION = "M-2.6-2.4a2.6 2.6 0 1 1 3.9 2.2q-1.3.8-1.3 2.2M0 4.6v.4"
_SQUARE = "M-5-5h10v10h-10z"
_ARROWS = "M-5-2.5h9M1.5-5L4-2.5L1.5 0M5 2.5h-9M-1.5 0L-4 2.5L-1.5 5"

MARKS: Mapping[FactStatus, Mark] = {
    FactStatus.ACTIVE: Mark("active", "holds now", "now", f"{_RING}M-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"),
    FactStatus.SUPERSEDED: Mark("superseded", "held until another value did", "past", _RING),
    FactStatus.RETRACTED: Mark("retracted", "held until it was taken back", "past", f"{_RING}M-2.5 0h5", "", "7 2"),
    FactStatus.EXPIRED: Mark("expired", "held until its time ran out", "past", _HOURGLASS, "dots"),
    FactStatus.SCHEDULED: Mark("scheduled", "will hold from its date on", "ahead", _CLOCK, "upright"),
    FactStatus.PLANNED: Mark("planned", "is planned; holds only once confirmed", "ahead", _DIAMOND, "", "5 3"),
    FactStatus.CANDIDATE: Mark("candidate", "waits for review", "waiting", _QUESTION, "", "2 2"),
    FactStatus.CORRECTED: Mark("corrected", "was wrong, and was corrected", "wrong", "M-4-4L4 4M4-4L-4 4", "slanted"),
    FactStatus.DENIED: Mark("denied", "was said never to have held", "wrong", f"{_RING}M-3.2 3.2L3.2-3.2", "crossed"),
    FactStatus.OVERRIDDEN: Mark(
        "overridden", "never shown: a later statement covers its time", "hidden", "M-5 1q2.5-5 5 0t5 0", "level"
    ),
}
"""By status, in the order of the legend."""

STATEMENTS: Mapping[str, Mark] = {
    "retract": Mark("retract", "taken back", "statement", f"{_SQUARE}M-2.8 0h5.6"),
    "remove": Mark("remove", "removed from several", "statement", "M-5 0L0-5L5 0L0 5zM-2 0h4"),
    "deny": Mark("deny", "denied: never held", "statement", f"{_SQUARE}M-5 5L5-5"),
    "replace": Mark("replace", "all values replaced", "statement", _ARROWS),
    "confirm": Mark("confirm", "confirmed", "statement", "M-5 0L-1.5 3.5L5-4"),
}
"""By the kind of a statement, in the order of the legend."""

_OTHER = Mark("other", "another statement", "statement", "M-3 0h6M0-3v6")

SHOWN = frozenset(
    {
        FactStatus.ACTIVE,
        FactStatus.SUPERSEDED,
        FactStatus.RETRACTED,
        FactStatus.EXPIRED,
        FactStatus.SCHEDULED,
    }
)
"""Statuses of facts that are, were or will be the state; the others wait, or count for nothing."""
WAITING = frozenset({FactStatus.PLANNED, FactStatus.CANDIDATE})


def mark_of(thing: Fact | Statement) -> Mark:
    """Give how a fact or a statement is drawn."""
    return MARKS[thing.status] if isinstance(thing, Fact) else STATEMENTS.get(thing.kind, _OTHER)

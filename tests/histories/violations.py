"""What a history does not explain, told with no more than is needed to see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tensemem.model.entry import Entry
from tests.histories.records import Observed

_WIDEST = 240


@dataclass(frozen=True, slots=True)
class Violation:
    """One promise that was broken: which one, whose log it is about, and what shows it.

    ``rule`` is a short name that tests look for; ``observed`` and ``entries`` are the few things it follows from.
    """

    rule: str
    user: str
    says: str
    observed: tuple[Observed, ...] = ()
    entries: tuple[Entry, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.rule} ({self.user}): {self.says}"]
        lines += [f"    {_seen(one, self.observed[0].began)}" for one in self.observed]
        lines += [f"    log: {_logged(entry)}" for entry in self.entries]
        return "\n".join(lines)


def _seen(one: Observed, since: int) -> str:
    """Say an observation in one line, with times in milliseconds after the first one's beginning."""
    begin = (one.began - since) / 1e6
    end = "-" if one.ended is None else f"{(one.ended - since) / 1e6:.3f}"
    return _cut(f"{one.op} {one.verb} [{begin:.3f}, {end} ms] {one.outcome} {dict(one.asked)} -> {dict(one.told)}")


def _logged(entry: Entry) -> str:
    return _cut(f"rev {entry.rev} seq {entry.seq} {entry.kind.value} said_at {entry.said_at} {dict(entry.body)}")


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def report(violations: Sequence[Violation], most: int = 5) -> str:
    """Say the first few of each rule, and how many there are of it; an empty text where there are none."""
    lines: list[str] = []
    for rule in dict.fromkeys(one.rule for one in violations):
        own = [one for one in violations if one.rule == rule]
        lines += [str(one) for one in own[:most]]
        if len(own) > most:
            lines.append(f"{rule}: and {len(own) - most} more")
    return "\n".join(lines)


def rules_of(violations: Iterable[Violation]) -> set[str]:
    """Give the names of the broken rules."""
    return {one.rule for one in violations}

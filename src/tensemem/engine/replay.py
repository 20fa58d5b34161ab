"""One slot, revision by revision: what each entry changed in its runs, without folding it anew for every one.

A slot is folded once, as it was before the first entry that is asked about. From there on a claim in order is
appended as a write appends it, which looks at no more than what it ends or joins; anything else folds the slot again.
Both tell the rows that differ, and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..core.fold import Run, SlotLog, fold_slot
from ..model.claim import Amendment, Claim, ClaimKind, Outcome
from ..model.moment import FOREVER
from ..ports import FactRow, Reader, SlotRow
from . import rows
from .append import append_claim, fresh_run
from .project import Touched, summarise

Lasting = Run | FactRow
"""A run as the fold gives it, made a row once it is needed."""

Differing = tuple[list[FactRow], list[FactRow]]
"""The rows that differ before and after an entry."""


@dataclass(slots=True)
class _Shown:
    """The runs of a slot, track by track in order of time; what an append asks of a store it is given from here."""

    many: bool
    slot: int
    tracks: dict[str, list[Lasting]] = field(default_factory=dict)
    ahead: set[str] = field(default_factory=set)
    wanted: str | None = None

    @classmethod
    def of_runs(cls, many: bool, slot: int, runs: Iterable[Run]) -> _Shown:
        """Take in what a fold shows; its runs come in order of their starts."""
        shown = cls(many, slot)
        for run in runs:
            shown.tracks.setdefault(run.value.key if many else "", []).append(run)
        shown.ahead = set(shown.tracks)
        return shown

    def tail(self, scope_id: int, slot: int, after: int) -> list[FactRow]:  # noqa: ARG002 -- as a store's is called
        """Give the runs that end after a moment; moments asked for only grow, so what lies behind is let go of."""
        if self.many and self.wanted is not None:
            found = self._after(self.wanted, after)
        else:
            found = [row for name in sorted(self.ahead) for row in self._after(name, after)]
        return sorted(found, key=lambda row: (row.key, row.start))

    def put_facts(self, scope_id: int, facts: Sequence[FactRow]) -> None:  # noqa: ARG002 -- as a store's is called
        """Put runs at the ends of their tracks, or in place of the last ones."""
        for row in sorted(facts, key=lambda row: row.start):
            name = row.key if self.many else ""
            track = self.tracks.setdefault(name, [])
            if track and _where(track[-1]) == (row.key, row.start):
                track[-1] = row
            else:
                track.append(row)
            self.ahead.add(name)

    def _after(self, name: str, after: int) -> list[FactRow]:
        track = self.tracks.get(name, [])
        found: list[FactRow] = []
        for place in range(len(track) - 1, -1, -1):
            if _end(track[place]) <= after:
                break
            row = track[place] = self._row(track[place])
            found.append(row)
        if not found:
            self.ahead.discard(name)
        return found

    def differing(self, other: _Shown) -> Differing:
        """Give the rows of both that are not alike in value, start and end."""
        mine, theirs = self._places(), other._places()
        gone = [self._row(one) for where, one in mine.items() if _differs(one, theirs.get(where))]
        come = [other._row(one) for where, one in theirs.items() if _differs(one, mine.get(where))]
        return gone, come

    def _places(self) -> Mapping[tuple[str, int], Lasting]:
        return {_where(one): one for track in self.tracks.values() for one in track}

    def _row(self, one: Lasting) -> FactRow:
        return one if isinstance(one, FactRow) else rows.run_row(self.slot, one)


def _where(one: Lasting) -> tuple[str, int]:
    return (one.key if isinstance(one, FactRow) else one.value.key), one.start


def _end(one: Lasting) -> int:
    return FOREVER if one.end is None else one.end


def _differs(one: Lasting, other: Lasting | None) -> bool:
    return other is None or _end(one) != _end(other)


class Replay:
    """A slot as it was at a revision, which only moves on."""

    def __init__(self, slot: SlotRow, log: SlotLog, upto_rev: int) -> None:
        self._many, self._claims, self._amendments = log.many, log.claims, log.amendments
        self._slot = SlotRow(slot.id, slot.subject_key, slot.predicate_key, slot.subject, slot.predicate)
        self._shown = self._folded(upto_rev)
        self._later = _by_rev((*log.claims, *log.amendments), upto_rev)

    def step(self, rev: int) -> Differing:
        """Go on to the revision of an entry that speaks of the slot; gives what differs behind it."""
        stated = self._later.pop(rev, [])
        if not stated:
            return [], []  # all that it said was refused
        if len(stated) == 1 and isinstance(stated[0], Claim):
            claim = stated[0]
            self._shown.wanted = claim.key
            touched = Touched(self._slot)
            if append_claim(self._shown, 0, touched, claim, many=self._many):
                return touched.before, touched.after
        before, self._shown = self._shown, self._folded(rev)
        return before.differing(self._shown)

    def _folded(self, rev: int) -> _Shown:
        claims = [claim for claim in self._claims if claim.rev <= rev]
        amendments = [amendment for amendment in self._amendments if amendment.rev <= rev]
        log = SlotLog(self._many, claims, amendments)
        fold = fold_slot(log)
        summarise(self._slot, log, fold)
        return _Shown.of_runs(self._many, self._slot.id, fold.runs)


def appended_at(reader: Reader, scope_id: int, slot: SlotRow, claim: Claim, *, many: bool) -> Differing:
    """Give what differs behind a claim that came in order, from the facts that are kept: it alone can have begun the
    runs of its values that start where it does, and have ended those that end there.
    """
    if claim.outcome is not Outcome.ADMITTED:
        return [], []
    stated = [(claim.key or "", claim)] if claim.kind is ClaimKind.VALUE else [
        (value.key, replace(claim, id=id, kind=ClaimKind.VALUE, value=value, values=())) for id, value in claim.parts
    ]  # fmt: skip
    touching = reader.touching(scope_id, slot.id, claim.start, [key for key, _ in stated])
    begun = {row.key for row in touching if row.start == claim.start}
    ended = [row for row in touching if row.end == claim.start and _may_end(claim, row.key, many=many)]
    after = [fresh_run(one, slot.id, FOREVER) for key, one in stated if key in begun]
    return [row._replace(end=FOREVER) for row in ended], [*ended, *after]


def _may_end(claim: Claim, key: str, *, many: bool) -> bool:
    if many and claim.kind is not ClaimKind.REPLACE:
        return claim.kind is ClaimKind.RETRACT and key == claim.key
    return True


def _by_rev(stated: Iterable[Claim | Amendment], after: int) -> dict[int, list[Claim | Amendment]]:
    found: dict[int, list[Claim | Amendment]] = {}
    for one in stated:
        if one.rev > after:
            found.setdefault(one.rev, []).append(one)
    return found

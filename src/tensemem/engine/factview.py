"""Fact rows as facts: reading what the projection keeps, without folding anything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..core.ids import format_id
from ..core.registry import Registry
from ..core.shape import is_due, waiting_text
from ..core.values import shown
from ..model.claim import ClaimId, ClaimKind
from ..model.fact import Evidence, Fact, FactStatus
from ..model.moment import FOREVER, to_datetime
from ..model.predicate import Predicate
from ..ports import FactRow, SlotRow
from . import rows

_ENDED = {"s": FactStatus.SUPERSEDED, "r": FactStatus.RETRACTED, "e": FactStatus.EXPIRED, "": FactStatus.RETRACTED}


@dataclass(frozen=True, slots=True)
class FactView:
    """Gives facts from rows: the scope's tag, the registry of today, and the moment of the read."""

    tag: str
    registry: Registry
    moment: int

    def id_of(self, row: FactRow) -> str:
        """Give a run's id."""
        body = rows.short_run_body(row)
        return format_id(self.tag, ClaimId(*body[0]), None if body[1] else row.start)

    def predicate(self, slot: SlotRow) -> Predicate:
        """Give a slot's predicate; a slot of one no longer known is shown as text."""
        return self.registry.predicate(slot.predicate) or Predicate(slot.predicate)

    def value(self, row: FactRow, slot: SlotRow) -> Any:
        """Give only a run's typed value; the cheap way to what a state shows."""
        return shown(rows.decode_body(row)[2], self.predicate(slot), self.registry)[0]

    def of_row(self, row: FactRow, slot: SlotRow) -> Fact:
        """Give a run, candidate or plan as a fact."""
        return self._of_run(row, slot) if row.kind == 0 else self._of_waiting(row, slot)

    def _of_run(self, row: FactRow, slot: SlotRow) -> Fact:
        predicate = self.predicate(slot)
        (first, at_home, stored, recorded_at, rev, last_said, evidence, ending, _, grain, unknown, confidence,
         paraphrased, doubts, _) = rows.run_body(row)  # fmt: skip
        value, text = shown(stored, predicate, self.registry)
        began, claim_ids = to_datetime(row.start), tuple([self._claim_id(item) for item in evidence])

        def when(moment: int) -> datetime:
            return began if moment == row.start else to_datetime(moment)  # most often they are one

        return Fact(
            id=format_id(self.tag, ClaimId(*first), None if at_home else row.start),
            claim_ids=claim_ids,
            subject=slot.subject,
            predicate=predicate.name,
            value=value,
            object=text,
            status=self._status(row, ending),
            valid_from=None if unknown else began,
            valid_to=None if row.end == FOREVER else to_datetime(row.end),
            precision=grain,
            said_at=when(evidence[0][3]),
            recorded_at=when(recorded_at),
            recorded_rev=rev,
            last_evidence_at=when(last_said),
            confidence=confidence,
            paraphrased=paraphrased,
            contested=any(start <= self.moment < stop for start, stop in doubts),
            due_for_review=is_due(predicate, last_said, self.moment),
            source=evidence[-1][4],
            evidence=tuple([_evidence(item, id, when(item[3])) for item, id in zip(evidence, claim_ids, strict=True)]),
        )

    def _status(self, row: FactRow, ending: str) -> FactStatus:
        if row.start > self.moment:
            return FactStatus.SCHEDULED
        return FactStatus.ACTIVE if self.moment < row.end else _ENDED[ending]

    def _of_waiting(self, row: FactRow, slot: SlotRow) -> Fact:
        predicate = self.predicate(slot)
        (first, kind, stored, recorded_at, rev, last_said, evidence, start, end, grain, confidence, paraphrased, _,
         said_at) = rows.decode_body(row)  # fmt: skip
        value, text = (None, "") if stored is None else shown(stored, predicate, self.registry)
        text = waiting_text(ClaimKind(kind), text)
        claim_ids = tuple([self._claim_id(item) for item in evidence])
        return Fact(
            id=format_id(self.tag, ClaimId(*first)),
            claim_ids=claim_ids,
            subject=slot.subject,
            predicate=predicate.name,
            value=value,
            object=text,
            status=FactStatus.PLANNED if row.kind == 2 else FactStatus.CANDIDATE,
            valid_from=None if start is None else to_datetime(start),
            valid_to=None if end is None else to_datetime(end),
            precision=grain,
            said_at=to_datetime(said_at),
            recorded_at=to_datetime(recorded_at),
            recorded_rev=rev,
            last_evidence_at=to_datetime(last_said),
            confidence=confidence,
            paraphrased=paraphrased,
            contested=False,
            due_for_review=is_due(predicate, last_said, self.moment),
            source=evidence[-1][4],
            evidence=tuple(
                [_evidence(item, id, to_datetime(item[3])) for item, id in zip(evidence, claim_ids, strict=True)]
            ),
        )

    def _claim_id(self, item: list[Any]) -> str:
        part = item[5] if len(item) > 5 else 0
        return format_id(self.tag, ClaimId(item[0], item[1], item[2], part))


def _evidence(item: list[Any], claim_id: str, said_at: datetime) -> Evidence:
    quote, begin, stop = item[6:9] if len(item) > 8 else ("", 0, 0)
    return Evidence(item[0], claim_id, said_at, item[4], quote, begin, stop)

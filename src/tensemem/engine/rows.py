"""Claims, amendments and runs as rows: compact JSON, the same bytes for the same content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core.fold import Ending, Run, Waiting
from ..model.claim import (
    Amendment,
    Claim,
    ClaimId,
    ClaimKind,
    Correction,
    Held,
    Outcome,
    Reinstatement,
    Review,
)
from ..model.jsontext import decode, encode
from ..model.moment import FOREVER
from ..ports import ClaimRow, FactRow

EVIDENCE_SHOWN = 32
"""How many statements a fact carries with it: the first and the newest ones."""


def place_of(id: ClaimId) -> int:
    """Give a claim's place in its log as one number, in log order."""
    return (id.seq << 24) + (min(id.extraction, 1023) << 14) + min(id.number, 16383)


def place_of_row(row: ClaimRow) -> int:
    """Give the same for a claim's row."""
    return place_of(ClaimId(row.seq, row.extraction, row.number))


def claim_row(slot: int, claim: Claim) -> ClaimRow:
    """Give a claim as a row; times are kept as distances from said_at."""
    key = claim.key if claim.value is not None else ""
    return ClaimRow(
        slot, *claim.id[:3], claim.kind.value, claim.outcome.value, key or "", encode(_claim_body(claim))
    )


def _claim_body(claim: Claim) -> list[Any]:
    said = claim.said_at
    body = [
        said, claim.start - said, claim.through - said, claim.rank,
        None if claim.value is None else claim.value.stored,
        claim.source, claim.rev, claim.recorded_at - said,
        claim.quote, claim.begin, claim.stop,
        None if claim.end is None else claim.end - said,
        claim.stated_end + 2 * claim.unknown_start + 4 * claim.paraphrased,
        None if claim.range_stop is None else claim.range_stop - said,
        claim.grain, claim.reason, claim.confidence,
        [[value.key, value.stored] for value in claim.values],
    ]  # fmt: skip
    return _trimmed(body, _DEFAULTS)


def _trimmed(body: list[Any], defaults: tuple[Any, ...]) -> list[Any]:
    """Leave out what ends a body and is as it nearly always is."""
    size = len(body)
    while body[size - 1] == defaults[size - 1]:
        size -= 1
    del body[size:]
    return body


_DEFAULTS: tuple[Any, ...] = (..., ..., ..., ..., ..., ..., ..., ..., "", 0, 0, None, 0, None, "instant", "", 1.0, [])


_KINDS = {kind.value: kind for kind in ClaimKind}
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def claim_of(row: ClaimRow) -> Claim:
    """Read a claim row."""
    return _claim(ClaimId(row.seq, row.extraction, row.number), row, decode(row.body))


def _claim(id: ClaimId, row: ClaimRow, body: list[Any]) -> Claim:
    body.extend(_DEFAULTS[len(body) :])
    said, start, through, rank, stored, source, rev, recorded, quote, begin, stop, end, flags, *rest = body
    range_stop, grain, reason, confidence, values = rest
    has_value = stored is not None or row.value_key != ""
    return Claim(
        id, _KINDS[row.kind], rank, said, said + start, said + through,
        None if end is None else said + end, bool(flags & 1),
        None if range_stop is None else said + range_stop, bool(flags & 2), grain,
        Held(row.value_key, stored) if has_value else None,
        tuple(Held(key, value) for key, value in values),
        _OUTCOMES[row.outcome], reason, bool(flags & 4), confidence, source,
        quote, begin, stop, rev, said + recorded,
    )  # fmt: skip


_AMENDMENTS = ("correction", "reinstatement", "review")


def is_amendment(row: ClaimRow) -> bool:
    """Tell whether a row holds a correction, a reinstatement or a review rather than a claim."""
    return row.kind in _AMENDMENTS


def amendment_row(slot: int, amendment: Amendment) -> ClaimRow:
    """Give an amendment as a row of its slot."""
    match amendment:
        case Correction():
            key = amendment.value.key if amendment.value else ""
            return ClaimRow(slot, amendment.seq, 0, 0, "correction", "", key, encode(_correction_body(amendment)))
        case Reinstatement():
            body = [amendment.corrects, amendment.said_at, amendment.rev]
            return ClaimRow(slot, amendment.seq, 0, 0, "reinstatement", "", "", encode(body))
        case Review():
            a = amendment
            review = [a.said_at, a.target, a.key, a.accept, a.rev, a.meant]
            return ClaimRow(slot, amendment.seq, 0, 0, "review", "", amendment.key or "", encode(review))


def _correction_body(c: Correction) -> list[Any]:
    replacement = None
    if c.replacement is not None:
        row = claim_row(0, c.replacement)
        replacement = [row.kind, row.outcome, row.value_key, decode(row.body)]
    return [
        c.said_at, c.target, None if c.value is None else [c.value.key, c.value.stored], c.start, c.end,
        [list(id) for id in c.shown], c.unknown_start, c.grain, None if c.statement is None else c.statement.value,
        c.waiting, replacement, c.because, c.rev, c.recorded_at, c.meant, c.lapsed,
    ]  # fmt: skip


def amendment_of(row: ClaimRow) -> Amendment:
    """Read an amendment row."""
    body = decode(row.body)
    if row.kind == "reinstatement":
        return Reinstatement(row.seq, *body)
    if row.kind == "review":
        return Review(row.seq, *body)
    said, target, value, start, end, shown, unknown, grain, statement, waiting, replacement, *rest = body
    return Correction(
        row.seq, said, target, None if value is None else Held(*value), start, end,
        tuple(ClaimId(*id) for id in shown), unknown, grain,
        None if statement is None else ClaimKind(statement), waiting,
        None if replacement is None else _replacement(row.seq, replacement), *rest,
    )  # fmt: skip


def _replacement(seq: int, packed: Sequence[Any]) -> Claim:
    kind, outcome, key, body = packed
    return _claim(ClaimId(seq, 0, 0), ClaimRow(0, seq, 0, 0, kind, outcome, key, ""), body)


def run_row(slot: int, run: Run) -> FactRow:
    """Give a run as a row."""
    end = FOREVER if run.end is None else run.end
    return FactRow(slot, 0, run.value.key, run.start, end, encode(_run_body(run)))


def _run_body(run: Run) -> list[Any]:
    first, claims, start = run.first, run.claims, run.start
    body = [
        list(first.id), run.at_home, run.value.stored, first.recorded_at - start, first.rev,
        max([claim.said_at for claim in claims]) - start,
        evidence_of(claims, start),
        run.ending.value[0] if run.ending else "", list(run.ended_by) if run.ended_by else None,
        run.grain, run.unknown_start, max([claim.confidence for claim in claims]),
        all(claim.paraphrased for claim in claims), [list(doubt) for doubt in run.doubts], len(claims),
    ]  # fmt: skip
    return _trimmed(body, RUN_DEFAULTS)


RUN_DEFAULTS: tuple[Any, ...] = (..., ..., ..., ..., ..., ..., ..., "", None, "instant", False, 1.0, False, [], 1)


def evidence_of(claims: Sequence[Claim], start: int = 0) -> list[list[Any]]:
    """Give the statements a fact carries: the first and the newest, EVIDENCE_SHOWN at most; times from a start."""
    if len(claims) > EVIDENCE_SHOWN:
        claims = [claims[0], *claims[1 - EVIDENCE_SHOWN :]]
    return [_evidence(claim, start) for claim in claims]


def _evidence(claim: Claim, start: int) -> list[Any]:
    short = [*claim.id[:3], claim.said_at - start, claim.source, claim.id.part, claim.quote, claim.begin, claim.stop]
    return short if claim.quote else short[:6] if claim.id.part else short[:5]


def short_run_body(row: FactRow) -> list[Any]:
    """Read a run row's body, its defaults filled in; times are distances from the run's start."""
    body: list[Any] = decode(row.body)
    body.extend(RUN_DEFAULTS[len(body) :])
    return body


def run_body(row: FactRow) -> list[Any]:
    """Read a run row's body as it is meant: with times as moments."""
    body, start = short_run_body(row), row.start
    body[3] += start
    body[5] += start
    for item in body[6]:
        item[3] += start
    return body


def shorten_run(body: list[Any]) -> str:
    """Give a run row's body, with times as distances from its start, as text again."""
    return encode(_trimmed(body, RUN_DEFAULTS))


ENDINGS = {ending.value[0]: ending for ending in Ending}


def waiting_row(slot: int, waiting: Waiting) -> FactRow:
    """Give a candidate or plan as a row; it stays while it waits."""
    first, newest = waiting.claims[0], waiting.claims[-1]
    kind = newest.kind.value
    key = newest.key or ""
    body = [
        list(first.id), kind, None if waiting.value is None else waiting.value.stored,
        first.recorded_at, first.rev, max(claim.said_at for claim in waiting.claims),
        evidence_of(waiting.claims), newest.start if newest.reason != "undated" else None,
        newest.end, newest.grain, max(claim.confidence for claim in waiting.claims),
        all(claim.paraphrased for claim in waiting.claims), newest.reason, first.said_at,
    ]  # fmt: skip
    where = f"{kind}:{key}" if kind != ClaimKind.VALUE.value else key
    return FactRow(slot, 2 if waiting.planned else 1, where, 0, FOREVER, encode(body))


def decode_body(row: FactRow) -> list[Any]:
    """Read a waiting row's body."""
    found: list[Any] = decode(row.body)
    return found


def fact_rows(slot: int, runs: Iterable[Run], waiting: Iterable[Waiting]) -> list[FactRow]:
    """Give all rows of a slot's projection."""
    return [*(run_row(slot, run) for run in runs), *(waiting_row(slot, w) for w in waiting)]

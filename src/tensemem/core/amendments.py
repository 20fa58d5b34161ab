"""Reading corrections, reinstatements and reviews from their entries, through the registry of today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import InvalidValueError
from ..model.claim import GAP, Amendment, Claim, ClaimId, ClaimKind, Correction, Held, Outcome, Reinstatement, Review
from ..model.entry import Entry, EntryKind
from ..model.predicate import Predicate
from .findings import GONE
from .forgotten import Forgotten, slot_names, value_names
from .registry import Registry
from .text import comparison_key
from .values import parse_value


def amendment_in(
    entry: Entry, registry: Registry, forgotten: Forgotten | None = None
) -> tuple[str, str, str, str, Amendment]:
    """Give (subject key, subject, predicate key, predicate, amendment) of an amending entry.

    A value that a correction states instead, and that was forgotten since, is refused.
    """
    body = entry.body
    name = str(body["predicate"])
    predicate = registry.predicate(name)
    subject_key, subject = registry.subject(str(body.get("subject", "user")))
    names = subject_key, subject, registry.predicate_key(name), predicate.name if predicate else name
    match entry.kind:
        case EntryKind.REINSTATEMENT:
            return *names, Reinstatement(entry.seq, int(body["corrects"]), entry.said_at, entry.rev)
        case EntryKind.REVIEW:
            held = held_in(body, "value", predicate, registry)
            key = None if held is None else held.key
            meant = str(body.get("meant", ""))
            return *names, Review(entry.seq, entry.said_at, body["target"], key, bool(body["accept"]), entry.rev, meant)
        case _:
            return *names, _correction(entry, predicate, registry, forgotten)


def held_in(body: Mapping[str, Any], name: str, predicate: Predicate | None, registry: Registry) -> Held | None:
    """Give a value an entry keeps, with the comparison key it has today; None where it names none."""
    if name not in body:
        return None
    stored = body[name]
    if predicate is not None:
        try:
            return parse_value(stored, predicate, registry, str(body.get("zone", "UTC")))
        except InvalidValueError:
            pass  # the predicate's type has changed since: the value is still the one that was corrected
    return Held(comparison_key(str(stored)), stored)


def _correction(
    entry: Entry, predicate: Predicate | None, registry: Registry, forgotten: Forgotten | None
) -> Correction:
    body = entry.body
    statement = body.get("statement")
    value = GAP if GONE in body else held_in(body, "value", predicate, registry)
    return Correction(
        seq=entry.seq,
        said_at=entry.said_at,
        target=body["target"],
        value=value,
        start=body["start"],
        end=body.get("end"),
        shown=tuple(ClaimId(*id) for id in body.get("shown", ())),
        unknown_start=bool(body.get("unknown_start")),
        grain=body.get("grain", "instant"),
        statement=None if statement is None else ClaimKind(statement),
        waiting=bool(body.get("waiting")),
        replacement=_unless_forgotten(_replacement(entry, predicate, registry), entry, registry, forgotten),
        because=body.get("reason") or "",
        rev=entry.rev,
        recorded_at=entry.recorded_at,
        meant=str(body.get("meant", "")),
        lapsed=bool(body.get("lapsed")),
    )


def _unless_forgotten(
    claim: Claim | None, entry: Entry, registry: Registry, forgotten: Forgotten | None
) -> Claim | None:
    if claim is None or forgotten is None:
        return claim
    name = str(entry.body["predicate"])
    names = slot_names(registry.subject(str(entry.body.get("subject", "user")))[0], name, registry)
    zone = str(entry.body.get("zone", "UTC"))
    values = value_names(entry.body["new"]["value"], registry.predicate(name), registry, zone)
    is_gone = forgotten.covers_slot(names, entry.seq, entry.said_at)
    if is_gone or forgotten.covers_value(names, values, entry.seq, entry.said_at):
        return replace(claim, outcome=Outcome.REFUSED, reason="forgotten", value=GAP)
    return claim


def _replacement(entry: Entry, predicate: Predicate | None, registry: Registry) -> Claim | None:
    """Give the value stated instead, over the times given, vouching no further than the corrected fact did."""
    new = entry.body.get("new")
    if new is None:
        return None
    source = entry.body.get("source") or "application"
    ranks = [predicate.rank_of(label) for label in (source, *entry.body.get("sources", ()))] if predicate else [0]
    return Claim(
        id=ClaimId(entry.seq, 0, 0),
        kind=ClaimKind.VALUE,
        rank=max(ranks),
        said_at=entry.said_at,
        start=new["start"],
        through=new["through"],
        end=new.get("end"),
        stated_end=new.get("end") is not None,
        unknown_start=bool(new.get("unknown_start")),
        grain=new.get("grain", "instant"),
        value=held_in({"zone": entry.body.get("zone", "UTC"), **new}, "value", predicate, registry),
        outcome=Outcome.PLANNED if new.get("planned") else Outcome.ADMITTED,
        reason="undated" if new.get("planned") == "undated" else "",
        source=source,
        rev=entry.rev,
        recorded_at=entry.recorded_at,
    )

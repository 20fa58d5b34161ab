"""Admission: from a proposed operation to a claim, or to a refusal with its reason.

A pure function of (operation, message, registry); it never touches a store. Asked in this order:

| question                                                | if not                                  |
|---------------------------------------------------------|-----------------------------------------|
| is the predicate known, by name or alias?               | refused, unknown_predicate              |
| may this speaker write it?                              | refused, not_allowed                    |
| is the quote in that message, two characters or more?   | refused, no_quote                       |
| outside recalled text? outside quoted regions?          | refused, echo; held, quoted_region      |
| is a first-person statement about the one who speaks?   | moved, or refused, speaker_mismatch     |
| is it asserted?                                         | planned; held, reported; refused        |
| does the value parse, do the times agree?               | refused, bad_value; refused, bad_time   |
| is the value grounded in the user's words?              | held, not_in_words; marked paraphrased  |
| is the confidence at the threshold?                     | held, low_confidence                    |
| is the subject declared, where subjects must be?        | held, undeclared_subject                |
| was it stated after its slot, or its value, was forgotten? | refused, forgotten                   |

Explicit writes go through the same gate, except quote and speaker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InvalidTimeError, InvalidValueError
from ..model.claim import GAP, Claim, ClaimId, ClaimKind, Held, Outcome
from ..model.moment import SECOND
from ..model.predicate import DEFAULT_WRITERS, ROLES, Predicate
from .findings import GONE, LOST, PLACED, is_bare, quote_found, raw_values, shares, speaks_of_oneself
from .forgotten import SlotNames, slot_names, value_names
from .periods import parse_period
from .registry import Registry
from .said import Said
from .spans import Times, planned_span, span_of
from .subjects import is_relation_or_user
from .values import parse_value

DEFAULT_CONFIDENCE = 0.5
"""The threshold of a predicate that names none."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What admission says: the slot the proposal speaks of, and the claim with its outcome and reason."""

    subject_key: str
    subject: str
    predicate_key: str
    predicate: str
    claim: Claim
    message: str = ""


class _RefusedError(Exception):
    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(reason)
        self.reason, self.message = reason, message


def admit(operation: Mapping[str, Any], number: int, said: Said, registry: Registry) -> Ruling:
    """Rule on one operation as the log keeps it. Never raises for what is proposed: it refuses."""
    name = str(operation.get("predicate", ""))
    predicate = registry.predicate(name)
    try:
        if GONE in operation:
            raise _RefusedError("forgotten", _WHY_FORGOTTEN)
        if "malformed" in operation:
            raise _RefusedError("malformed", str(operation["malformed"]))
        subject_key, subject = _subject(operation, said, registry)
        if predicate is None:
            raise _RefusedError("unknown_predicate", f"register it: register_predicate({name!r})")
        claim = _claim(operation, number, said, predicate, registry)
        claim = _undeclared(claim, subject_key, said, registry)
        message = ""
    except _RefusedError as refused:
        subject_key, subject = _subject_or_user(operation, registry)
        claim = Claim(**_place(said, number), start=said.said_at, through=said.said_at, **_refusal(refused.reason))
        message = refused.message
    predicate_key = registry.predicate_key(name)
    ruling = Ruling(subject_key, subject, predicate_key, predicate.name if predicate else name, claim, message)
    if said.forgotten is None or not has_slot(ruling):
        return ruling
    return _unless_forgotten(ruling, operation, said, registry)


_WHY_FORGOTTEN = "it was forgotten; what is said after that counts"


def has_slot(ruling: Ruling) -> bool:
    """Tell whether a proposal speaks of a slot at all: what is malformed, or gone, has its decision, and no place."""
    return ruling.claim.reason != "malformed" and ruling.predicate_key != ""


def _unless_forgotten(ruling: Ruling, operation: Mapping[str, Any], said: Said, registry: Registry) -> Ruling:
    """Refuse what speaks of a slot, or names a value, that was forgotten since; of a REPLACE the other values stay."""
    names = slot_names(ruling.subject_key, str(operation.get("predicate", "")), registry)
    claim = ruling.claim
    raws = raw_values(operation)
    gone = forgotten_values(operation, names, said, registry)
    if said.forgotten is not None and not said.forgotten.covers_slot(names, said.seq, said.said_at):
        if not gone:
            return ruling
        if claim.kind is ClaimKind.REPLACE and claim.outcome is not Outcome.REFUSED and len(gone) < len(raws):
            predicate = registry.predicate(ruling.predicate_key)
            kept = {
                _parsed(raw, predicate, registry, said).key
                for place, raw in enumerate(raws)
                if predicate is not None and place not in gone
            }
            values = tuple(value if value.key in kept else GAP for value in claim.values)
            if any(value is not GAP for value in values):
                return replace(ruling, claim=replace(claim, values=values))
    place = {name: getattr(claim, name) for name in ("id", "said_at", "source", "rev", "recorded_at")}
    refused = Claim(**place, start=said.said_at, through=said.said_at, **_refusal("forgotten"))
    return replace(ruling, claim=refused, message=_WHY_FORGOTTEN)


def forgotten_values(
    operation: Mapping[str, Any], names: SlotNames, said: Said, registry: Registry
) -> tuple[int, ...]:
    """Give the places of an operation's values that were forgotten in its slot after it was stated."""
    forgotten = said.forgotten
    if forgotten is None:
        return ()
    predicate = registry.predicate(str(operation.get("predicate", "")))
    keys = (value_names(raw, predicate, registry, said.zone) for raw in raw_values(operation))
    return tuple(
        place for place, found in enumerate(keys) if forgotten.covers_value(names, found, said.seq, said.said_at)
    )


def _place(said: Said, number: int) -> dict[str, Any]:
    """Give what a claim has of where it stands."""
    return {
        "id": ClaimId(said.seq, said.extraction, number),
        "said_at": said.said_at,
        "source": said.source,
        "rev": said.rev,
        "recorded_at": said.recorded_at,
    }


def _refusal(reason: str) -> dict[str, Any]:
    return {"kind": ClaimKind.VALUE, "rank": 0, "outcome": Outcome.REFUSED, "reason": reason}


def _subject(operation: Mapping[str, Any], said: Said, registry: Registry) -> tuple[str, str]:
    """Give the subject's key and name; another speaker's "I" is that speaker."""
    key, shown_name = _plain_subject(operation, registry)
    if said.text is None or said.speaker is None:
        return key, shown_name
    try:
        speaker_key, speaker = registry.subject(said.speaker)
    except InvalidValueError as error:
        raise _RefusedError("speaker_mismatch", str(error)) from None
    if speaker_key == "user" or not (key == "user" or key.startswith("user.")):
        return key, shown_name
    if not speaks_of_oneself(operation, said):
        raise _RefusedError("speaker_mismatch", "another speaker can't state what holds for the user")
    return speaker_key + key[4:], speaker + shown_name[4:]


def _subject_or_user(operation: Mapping[str, Any], registry: Registry) -> tuple[str, str]:
    try:
        return _plain_subject(operation, registry)
    except _RefusedError:
        return "user", "user"


def _plain_subject(operation: Mapping[str, Any], registry: Registry) -> tuple[str, str]:
    try:
        return registry.subject(str(operation.get("subject", "user")))
    except InvalidValueError as error:
        raise _RefusedError("bad_subject", str(error)) from None


def _claim(
    operation: Mapping[str, Any], number: int, said: Said, predicate: Predicate, registry: Registry
) -> Claim:
    """Ask the questions of the gate in order; the first hold is the claim's outcome unless it is refused later."""
    _check_writer(said, predicate)
    sure = operation.get("confidence")
    found: dict[str, Any] = {
        **_place(said, number),
        "rank": predicate.rank_of(said.source),
        "confidence": 1.0 if sure is None else float(sure),
    }
    held = _quoted(operation, said, found) if said.text is not None else ""
    planned, reported = _modality(operation)
    held = held or reported
    _value(operation, said, predicate, registry, found)
    _time(operation, said, predicate, planned, found)
    claim = Claim(**found)
    if said.text is not None:
        claim, loose = _grounded(claim, operation, said, predicate, registry)
        held = held or loose
        threshold = DEFAULT_CONFIDENCE if predicate.min_confidence is None else predicate.min_confidence
        held = held or ("low_confidence" if claim.confidence < threshold else "")
    if held:
        return replace(claim, outcome=Outcome.HELD, reason=held)
    return claim


def may_write(predicate: Predicate, role: str, source: str) -> bool:
    """Tell whether a role, or a source label the predicate names, may write it.

    A label that is a role's name gives no rights: what a tool says stays the tool's, however it is labelled.
    """
    writers = DEFAULT_WRITERS if predicate.writers is None else predicate.writers
    return role in writers or (source in writers and source not in ROLES)


def _check_writer(said: Said, predicate: Predicate) -> None:
    if not may_write(predicate, said.role, said.source):
        writers = DEFAULT_WRITERS if predicate.writers is None else predicate.writers
        message = f"{said.source} may not write {predicate.name}; writers: {', '.join(writers)}"
        raise _RefusedError("not_allowed", message)


def _quoted(operation: Mapping[str, Any], said: Said, found: dict[str, Any]) -> str:
    """Find the quote; prefer a place outside recalled text, then one outside quoted regions. Gives what holds it."""
    quote, place, against = quote_found(operation, said)
    if against == "no_quote":
        raise _RefusedError("no_quote", "the quote is not in the message")
    if place is None:
        raise _RefusedError("echo", "the quote only repeats recalled text")
    if quote:
        found.update(quote=quote, begin=place[0], stop=place[1])
    return against


def _modality(operation: Mapping[str, Any]) -> tuple[bool, str]:
    modality = operation.get("modality", "asserted")
    if modality in ("hypothetical", "question"):
        raise _RefusedError(str(modality), "it is not asserted")
    return modality == "planned", "reported" if modality == "reported" else ""


_KINDS = {
    "set": ClaimKind.VALUE,
    "add": ClaimKind.VALUE,
    "remove": ClaimKind.RETRACT,
    "retract": ClaimKind.RETRACT,
    "replace": ClaimKind.REPLACE,
    "deny": ClaimKind.DENY,
    "confirm": ClaimKind.CONFIRM,
}


def _value(
    operation: Mapping[str, Any], said: Said, predicate: Predicate, registry: Registry, found: dict[str, Any]
) -> None:
    """Parse the value. Whether it is one or many belongs to the registry, not to the operation's name."""
    op, raw = operation.get("op"), operation.get("value")
    found["kind"] = kind = _KINDS[str(op)]
    if kind is ClaimKind.REPLACE:
        _replacement(operation, said, predicate, registry, found)
    elif raw is not None:
        found["value"] = _parsed(raw, predicate, registry, said)
    elif op != "retract" and (op != "remove" or predicate.is_many):
        raise _RefusedError("bad_value", f"{op} needs a value")


def _replacement(
    operation: Mapping[str, Any], said: Said, predicate: Predicate, registry: Registry, found: dict[str, Any]
) -> None:
    raw = operation.get("value")
    given = list(raw) if isinstance(raw, (list, tuple)) else [] if raw is None else [raw]
    held = [_parsed(item, predicate, registry, said) for item in given]
    values = {one.key: one for one in held}
    if predicate.is_many:
        ordered = _in_place(held) if PLACED in operation else [values[key] for key in sorted(values)]
        found["values"] = _with_gaps(ordered, operation)
    elif len(values) > 1:
        raise _RefusedError("bad_value", f"{predicate.name} holds one value; {len(values)} were given")
    elif values:
        found.update(kind=ClaimKind.VALUE, value=next(iter(values.values())))
    else:
        found["kind"] = ClaimKind.RETRACT


def _in_place(held: Sequence[Held]) -> list[Held]:
    """Give values in their places; where one is named again, in other words perhaps, a gap keeps the others' places."""
    first: dict[str, int] = {}
    for place, one in enumerate(held):
        first.setdefault(one.key, place)
    return [one if first[one.key] == place else GAP for place, one in enumerate(held)]


def _with_gaps(values: list[Held], operation: Mapping[str, Any]) -> tuple[Held, ...]:
    """Give a REPLACE's values in their order, with gaps where forgotten ones stood."""
    for number in sorted(operation.get(LOST, ())):
        values.insert(number - 1, GAP)
    return tuple(values)


def _parsed(raw: Any, predicate: Predicate, registry: Registry, said: Said) -> Held:
    try:
        return parse_value(raw, predicate, registry, said.zone)
    except InvalidValueError as error:
        raise _RefusedError("bad_value", str(error)) from None


def _time(
    operation: Mapping[str, Any], said: Said, predicate: Predicate, planned: bool, found: dict[str, Any]
) -> None:
    times = _times(operation, said)
    if times.is_empty and not planned and predicate.ttl is None:
        found.update(start=said.said_at, through=said.said_at)
        return
    ttl = None if predicate.ttl is None else round(predicate.ttl.total_seconds() * SECOND)
    takes_away = found["kind"] in (ClaimKind.RETRACT, ClaimKind.DENY)
    try:
        if planned:
            span = planned_span(times, said.said_at)
        else:
            is_message = said.text is not None
            span = span_of(times, said.said_at, is_message=is_message, takes_away=takes_away, ttl=ttl)
    except InvalidTimeError as error:
        raise _RefusedError("bad_time", str(error)) from None
    found.update({name: getattr(span, name) for name in _SPAN})
    if planned:
        undated = times.since is None and times.valid_from is None
        found.update(outcome=Outcome.PLANNED, reason="undated" if undated else "")


_SPAN = ("start", "through", "end", "stated_end", "range_stop", "unknown_start", "grain")
_NO_TIMES = Times()


def _times(operation: Mapping[str, Any], said: Said) -> Times:
    if operation.keys().isdisjoint(_TIMES):
        return _NO_TIMES
    given = {name: operation[name] for name in _TIMES if operation.get(name) is not None}
    if not given:
        return _NO_TIMES
    try:
        return Times(**{name: parse_period(when, said.zone, name=name) for name, when in given.items()})
    except InvalidTimeError as error:
        raise _RefusedError("bad_time", str(error)) from None


_TIMES = ("since", "until", "valid_from", "valid_to")


def _grounded(
    claim: Claim, operation: Mapping[str, Any], said: Said, predicate: Predicate, registry: Registry
) -> tuple[Claim, str]:
    """Look for the value's words in the user's own; numbers, dates, booleans and choices are exempt."""
    values = [value for _, value in claim.parts] or ([] if claim.value is None else [claim.value])
    if is_bare(operation, said):
        return claim, "not_in_words"  # a bare yes or no to somebody's guess sets and takes away nothing
    if predicate.type not in ("text", "entity") or predicate.choices is not None or predicate.verbatim is False:
        return claim, ""
    plain, own = shares(values, operation, said, predicate, registry)
    if "none" in plain:
        return claim, "not_in_words" if "none" in own else "quoted_region"
    return replace(claim, paraphrased="some" in plain), ""


def _undeclared(claim: Claim, subject_key: str, said: Said, registry: Registry) -> Claim:
    if not said.declared_only or is_relation_or_user(subject_key) or registry.entity(subject_key) is not None:
        return claim
    return replace(claim, outcome=Outcome.HELD, reason=claim.reason or "undeclared_subject")

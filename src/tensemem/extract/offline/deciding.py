"""From a match to an operation, or to nothing: what tense and the words around it make of a statement.

| what stands there                                   | becomes                                    |
|-----------------------------------------------------|--------------------------------------------|
| doubt, a wish, a visit                              | nothing                                    |
| a plan: "will", "going to", a time ahead            | planned                                    |
| "no longer", "used to"                              | retract                                    |
| "never" with a past tense                           | deny                                       |
| "not" with a present tense                          | retract                                    |
| "not" with a past tense                             | nothing                                    |
| a past tense the example has too: "I moved to"      | asserted, since its time                   |
| another past tense with a period: "in 2015"         | a dated row                                |
| another past tense without one                      | nothing                                    |
| a perfect tense, with a time since                  | asserted, since then                       |
| present                                             | asserted, since and until as said          |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ...core.timewords.value import TimeValue
from ...model.operation import Modality, Op
from .matching import Match
from .timing import Timed, when_of


@dataclass(frozen=True)
class Verdict:
    """What becomes of a match: the operation, its modality, and its times by their argument's name."""

    op: Op
    modality: Modality = "asserted"
    times: dict[str, str] = field(default_factory=dict)


_PRESENT = frozenset({"present1", "present3", "presentp"})
_PAST = frozenset({"past", "past1", "past3", "imperfect"})
_NEVER_HELD = frozenset({"doubt", "wish", "visit", "untrue", "pastperfect"})


def decide(match: Match, said_at: datetime) -> Verdict | None:
    """Give what a match proposes; None for nothing."""
    effects = match.effects
    if effects & _NEVER_HELD:
        return None
    if match.pattern.is_ending or effects & _TAKING:
        return _taken(match)
    if "planned" in effects or _is_future_form(match):
        return _planned(match, said_at)
    if "wasdoing" in effects or ("spell" in effects and "perfect" not in effects and not match.pattern.is_change):
        return None
    times = _times(match.times, said_at)
    if times.get("ahead"):
        return _planned(match, said_at)
    return _put(match, times)


_TAKING = frozenset({"not", "never", "ended", "used"})
"""Effects by which a statement takes away, or says nothing."""


def _taken(match: Match) -> Verdict | None:
    effects = match.effects
    takes: Op = "remove" if match.pattern.predicate.is_many else "retract"
    is_past = _is_past(match) or bool(effects & {"perfect", "past"})
    if "planned" in effects or _is_future_form(match):
        return None
    if match.pattern.is_ending:
        return None if effects & _TAKING else Verdict(takes)
    if effects & {"ended", "used"}:
        return Verdict(takes)
    if "never" in effects:
        return Verdict("deny") if is_past or not match.tags else None
    return None if is_past or "wasdoing" in effects or match.pattern.is_change else Verdict(takes)


def _put(match: Match, times: dict[str, Any]) -> Verdict | None:
    is_many, is_change = match.pattern.predicate.is_many, match.pattern.is_change
    put: Op = "replace" if is_many and "only" in match.effects else "add" if is_many else "set"
    if is_change:
        return Verdict(put, times=_present(times, with_point=True))
    if _is_past(match):
        return _dated(put, times)
    if "perfect" in match.effects:
        return Verdict(put, times=_present(times)) if _lasts(match) else None
    return None if times.get("at") and not times["holds_now"] else Verdict(put, times=_present(times))


def _is_past(match: Match) -> bool:
    """Whether the verb's form can only be read as a past one, or as a participle that the example doesn't have."""
    if not match.tags or match.tags & match.pattern.tags:
        return (
            bool(match.tags & _PAST)
            and not match.tags & _PRESENT
            and not match.pattern.tags & _PRESENT
            and (not match.pattern.is_change)
        )
    if "part" in match.tags and "perfect" in match.effects:
        return False
    return not match.tags & _PRESENT and bool(match.tags & (_PAST | {"part"})) and "did" not in match.effects


def _is_future_form(match: Match) -> bool:
    """Whether a verb of change stands in the present, so that the change is to come: "I'm moving", "she starts at"."""
    own = match.pattern.tags
    if not match.pattern.is_change or own & _PRESENT or match.effects & {"perfect", "did"}:
        return (
            "ing" in match.tags and match.pattern.is_change and not match.tags & own and "perfect" not in match.effects
        )
    return bool(match.tags & (_PRESENT | {"ing"})) and not match.tags & own


def _lasts(match: Match) -> bool:
    """Whether a perfect tense reaches the present: a time since, a duration, "always", or a progressive."""
    return not match.effects.isdisjoint({"doing", "since", "spell"}) or any(
        getattr(timed.value, "kind", "") == "since" for timed in match.times
    )


def _planned(match: Match, said_at: datetime) -> Verdict:
    """Give a plan with its date: of the readings of "on Friday" the one that is to come."""
    put: Op = "add" if match.pattern.predicate.is_many else "set"
    for timed in match.times:
        value = timed.value
        starts = [value.start, *(start for start, _ in value.alternatives)]
        ahead = next((start for start in starts if start is not None and start > said_at), None)
        when = when_of(ahead, value.grain)
        if when is not None:
            return Verdict(put, "planned", {"valid_from": when})
    return Verdict(put, "planned")


def _times(found: Sequence[Timed], said_at: datetime) -> dict[str, Any]:
    """Give since, until, or a period, as the table of the evidence rule names them, and whether it lies ahead."""
    times: dict[str, Any] = {}
    for timed in found:
        value = timed.value
        start, end, kind = value.start, value.end, value.kind
        if kind == "until":
            times["until"] = _last_of(value)
        elif kind == "since":
            if start is not None and (start > said_at or _starts_then(value, said_at)):
                times["ahead"] = True
            times["since"] = when_of(start, value.grain)
        elif kind == "range":
            if start is not None and start > said_at:
                times["ahead"] = True
            times["from"], times["to"] = when_of(start, value.grain), _last_of(value)
            times["range_is_over"] = end is not None and end <= said_at
        elif start is not None:
            if start > said_at:
                times["ahead"] = True
            times["at"] = when_of(start, value.grain)
            times["holds_now"] = start <= said_at and (end is None or said_at < end)
    return times


def _starts_then(value: TimeValue, said_at: datetime) -> bool:
    """Whether "from … on" means what is to come, where it could: "ab dem 1. November"."""
    is_from = value.quote.casefold().startswith(_FROM)
    return is_from and any(start is not None and start > said_at for start, _ in value.alternatives)


_FROM = ("ab ", "from ", "starting ", "a partir ", "as of ", "beginning ", "从", "從", "自")


def _last_of(value: TimeValue) -> str | None:
    """Give a period's end as an operation names it: the last day, month or year that it covers."""
    if value.end is None:
        return None
    if value.grain in ("instant", "minute", "hour"):
        return str(value.end.isoformat())
    return when_of(value.end - timedelta(microseconds=1), value.grain)


def _present(times: dict[str, Any], *, with_point: bool = False) -> dict[str, str]:
    """Give since and until; a single time is the start of what a change began, and says nothing more of a state."""
    found: dict[str, str] = {}
    since = times.get("since") or times.get("from") or (times.get("at") if with_point else None)
    if since:
        found["since"] = since
    until = times.get("until") or (times.get("to") if not times.get("range_is_over") else None)
    if until:
        found["until"] = until
    return found


def _dated(put: Op, times: dict[str, Any]) -> Verdict | None:
    if times.get("from") and times.get("to"):
        return Verdict(put, times={"valid_from": times["from"], "valid_to": times["to"]})
    if times.get("since") and times.get("until"):
        return Verdict(put, times={"valid_from": times["since"], "valid_to": times["until"]})
    if times.get("until"):
        return Verdict(put, times={"valid_to": times["until"]})
    if times.get("at"):
        return Verdict(put, times={"valid_from": times["at"], "valid_to": times["at"]})
    return None

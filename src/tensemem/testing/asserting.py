"""Assertions about a memory; one that fails says what was wanted, what is there, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from ..core.periods import parse_period
from ..errors import InvalidValueError
from ..model.fact import Fact, FactStatus
from ..model.moment import SECOND, to_moment
from ..model.operation import When
from ..model.state import State
from .reading import Reader, Verbs, moment, span

ON_TIMELINE = frozenset(
    {FactStatus.ACTIVE, FactStatus.SUPERSEDED, FactStatus.RETRACTED, FactStatus.EXPIRED, FactStatus.SCHEDULED}
)
"""What held, holds or will hold; the other facts never did, or wait."""


def assert_state(
    memory: Verbs, user_id: str, wanted: Mapping[str, Any], *, at: When | None = None,
    known_at: When | int | None = None, subject: str = "user", exact: bool = True, settle: bool = True,
    agent_id: str = "", namespace: str | None = None,
) -> None:  # fmt: skip
    """Assert that a subject has these values now, or at a moment.

    ``wanted`` maps predicates to values: of a many-valued one a list, tuple or set, in any order; None means that it
    has no value. Text also equals a typed value that is written so (``"1990-01-02"``). With ``exact`` other predicates
    must have no value. With ``settle`` messages that wait are extracted first. ``memory`` may be an AsyncMemory; the
    assertion is not awaited.

    Raises AssertionError, with what became of every proposal that could have made a difference; InvalidValueError where
    ``wanted`` is no mapping.
    """
    __tracebackhide__ = True
    if not isinstance(wanted, Mapping):
        raise InvalidValueError("wanted must map predicates to values, as in {'lives_in': 'Delhi'}")
    reader = Reader(memory, user_id, agent_id, namespace)
    trouble = reader.settle() if settle else ""
    state: State = reader.ask("state", at=at, known_at=known_at, subject=subject)
    shown: dict[str, list[Fact]] = {}
    for fact in state.facts:
        shown.setdefault(fact.predicate, []).append(fact)
    names = [*wanted, *(name for name in shown if exact and name not in wanted)]
    wrong = [name for name in names if not _is_as_wanted(wanted.get(name), shown.get(name, []), name in state.many)]
    if not wrong:
        return
    whose = user_id if subject == "user" else f"{user_id}, {subject}"
    lines = [f"the state of {whose} at {moment(state.at, 'now')} is not as wanted:"]
    for name in wrong:
        lines += _difference(name, wanted.get(name), shown.get(name, []), name in state.many)
    right = [name for name in names if name not in wrong]
    if right:
        lines.append(f"as wanted: {', '.join(right)}")
    why = _why(reader, set(wrong), state, trouble, subject)
    raise AssertionError("\n".join([*lines, *why]))


def assert_history(
    memory: Verbs, user_id: str, predicate: str, wanted: Iterable[Sequence[Any]], *, subject: str = "user",
    known_at: When | int | None = None, settle: bool = True, agent_id: str = "", namespace: str | None = None,
) -> None:  # fmt: skip
    """Assert that a slot held these values, in valid-time order: ``("Delhi", "2026-01-01", "2026-03-01")``.

    A row is (value, valid_from, valid_to) with an optional status; None is an unknown start, or an end that is not
    there. Ends are half-open, as facts have them. A date, or another period, is any moment of it; a datetime or text
    with seconds is any moment of that second. What never held (corrected, denied, overridden) and what waits
    (candidate, planned) is left out, unless a row names that status.

    Raises AssertionError as ``assert_state`` does, InvalidValueError for a row of another shape, and
    UnknownPredicateError.
    """
    __tracebackhide__ = True
    rows = [_row(given) for given in wanted]
    reader = Reader(memory, user_id, agent_id, namespace)
    trouble = reader.settle() if settle else ""
    kinds = ON_TIMELINE | {FactStatus(row.status) for row in rows if row.status is not None}
    found = reader.ask("history", predicate, subject=subject, known_at=known_at)
    facts = [fact for fact in found.facts if fact.status in kinds]
    is_same = [row.is_of(fact) for row, fact in zip(rows, facts, strict=False)]
    if len(rows) == len(facts) and all(is_same):
        return
    whose = user_id if subject == "user" else f"{user_id}, {subject}"
    lines = [f"the history of {predicate} of {whose} is not as wanted:"]
    lines += _side_by_side([str(row) for row in rows], [_fact_row(fact) for fact in facts], is_same)
    others = [_fact_row(fact) for fact in found.facts if fact.status not in kinds]
    if others:
        lines += ["not on the timeline:", *(f"  {line}" for line in others)]
    state: State = reader.ask("state", known_at=known_at, subject=subject)
    why = _why(reader, {fact.predicate for fact in found.facts} | {predicate}, state, trouble, None)
    raise AssertionError("\n".join([*lines, *why]))


def _is_as_wanted(wanted: Any, facts: Sequence[Fact], is_many: bool) -> bool:
    if wanted is None:
        return not facts
    if not is_many:
        return len(facts) == 1 and _is_value(wanted, facts[0])
    if not isinstance(wanted, Collection) or isinstance(wanted, (str, bytes, Mapping)):
        return bool(wanted == tuple(fact.value for fact in facts))  # a matcher of the caller's
    left = list(facts)
    for value in wanted:
        found = next((fact for fact in left if _is_value(value, fact)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _is_value(wanted: Any, fact: Fact) -> bool:
    is_truth = isinstance(wanted, bool) or isinstance(fact.value, bool)
    if is_truth and type(wanted) is not type(fact.value) and isinstance(wanted, (bool, int, float)):
        return False  # 1 is not True here
    return bool(wanted == fact.value) or (isinstance(wanted, str) and wanted == fact.object)


def _difference(name: str, wanted: Any, facts: Sequence[Fact], is_many: bool) -> list[str]:
    given = "nothing" if wanted is None else repr(wanted)
    note = "" if wanted is None or not is_many or not isinstance(wanted, str) else "  (many-valued: give a list)"
    lines = [f"  {name}", f"    wanted  {given}{note}"]
    if not facts:
        return [*lines, "    got     nothing"]
    for number, fact in enumerate(facts):
        said = fact.evidence[-1].quote if fact.evidence else ""
        by = f"said in {said!r}" if said else f"written by the {fact.source}"
        doubt = ", contested" if fact.contested else ""
        lines.append(f"    {'got   ' if not number else '      '}  {fact.value!r}  {span(fact)} {by}{doubt}")
    return lines


def _why(reader: Reader, predicates: set[str], state: State, trouble: str, subject: str | None) -> list[str]:
    lines = [trouble] if trouble else []
    unknown = sorted(predicates - reader.registered())
    lines += [f"{name} is not registered: register_predicate({name!r})" for name in unknown]
    lines += reader.reasons(predicates, state.freshness.latest_seq)
    lines += [f"planned: {_fact_row(fact)}" for fact in state.planned if fact.predicate in predicates]
    lines += [f"waits for review: {_fact_row(fact)}" for fact in state.candidates if fact.predicate in predicates]
    if subject is not None:
        for name in sorted(predicates - set(unknown)):
            lines += [
                f"history of {name}: {_fact_row(fact)}"
                for fact in reader.ask("history", name, subject=subject).facts[-6:]
                if fact.status not in (FactStatus.ACTIVE, FactStatus.CANDIDATE, FactStatus.PLANNED)
            ]
    return ["why:", *(f"  {line}" for line in lines or ["nothing was ever proposed for it"])]


def _fact_row(fact: Fact) -> str:
    return f"{fact.value!r} {span(fact)} {fact.status}"


@dataclass(frozen=True, slots=True)
class _Row:
    """A wanted row of a history."""

    value: Any
    valid_from: When | None
    valid_to: When | None
    status: str | None

    def is_of(self, fact: Fact) -> bool:
        """Whether a fact is as this row wants it."""
        is_status = self.status is None or self.status == fact.status
        times = _is_within(fact.valid_from, self.valid_from) and _is_within(fact.valid_to, self.valid_to)
        return is_status and times and _is_value(self.value, fact)

    def __str__(self) -> str:
        shown = [_as_text(self.valid_from, "?"), _as_text(self.valid_to, "still")]
        status = "" if self.status is None else f" {self.status}"
        return f"{self.value!r} [{shown[0]}, {shown[1]}){status}"


def _row(given: Any) -> _Row:
    is_row = isinstance(given, Sequence) and not isinstance(given, (str, bytes)) and len(given) in (3, 4)
    if not is_row:
        raise InvalidValueError(f"a row of a history is (value, valid_from, valid_to) or with a status; not {given!r}")
    value, begins, ends, status = (*given, None)[:4]
    if status is not None and status not in list(FactStatus):
        raise InvalidValueError(f"{status!r} is no status; there are {', '.join(FactStatus)}")
    for name, when in (("valid_from", begins), ("valid_to", ends)):
        if when is not None:
            parse_period(when, "UTC", name=name)
    return _Row(value, begins, ends, status)


def _is_within(found: datetime | None, wanted: When | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    period = parse_period(wanted, "UTC", name="wanted")
    moment, stop = to_moment(found), period.stop
    if period.is_exact:
        # Messages of one frozen moment are a microsecond apart, which nobody wants to count.
        stop = period.start + (1 if period.start % SECOND else SECOND)
    return period.start <= moment < stop


def _as_text(when: When | None, otherwise: str) -> str:
    return when if isinstance(when, str) else moment(when, otherwise) if isinstance(when, date) else otherwise


def _side_by_side(wanted: Sequence[str], got: Sequence[str], is_same: Sequence[bool]) -> list[str]:
    lines: list[str] = []
    for number in range(max(len(wanted), len(got))):
        if number < len(is_same) and is_same[number]:
            lines.append(f"    {got[number]}")
            continue
        if number < len(wanted):
            lines.append(f"  - {wanted[number]}")
        if number < len(got):
            lines.append(f"  + {got[number]}")
    return [*lines, "  (- wanted, + got)"]

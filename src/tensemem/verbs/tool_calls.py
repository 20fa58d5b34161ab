"""What each tool of an agent's loop does, told in words that a model can act on.

A call is a generator that yields what the verbs of a bound memory give, so that one text serves both a plain memory,
whose verbs give results, and an awaited one, whose verbs give coroutines.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from ..errors import InvalidValueError, UnknownFactError
from ..model.fact import Fact
from ..model.freshness import Freshness
from ..model.results import WriteResult

Call = Generator[Any, Any, str]
SOURCE = "agent"
"""The label of what an agent's tools write: a predicate's ``trust`` and ``writers`` may name it."""
MOST_FACTS = 50


def lag(freshness: Freshness) -> str:
    """Give one line that says what a read lags behind; "" where it lags behind nothing."""
    if freshness.is_current:
        return ""
    waiting = f"{freshness.pending} recent message(s) are not learnt from yet" if freshness.pending else ""
    failed = f"{freshness.failed} message(s) could not be read" if freshness.failed else ""
    return f"Memory is behind: {' and '.join(filter(None, [waiting, failed]))}. What was just said may not be in it."


def context(memory: Any, query: str | None = None) -> Call:
    """Everything that is known now."""
    found = yield memory.context(query)
    return _joined(found.text or "Nothing is known yet.", lag(found.freshness))


def get(memory: Any, predicate: str, subject: str = "user") -> Call:
    """What holds now in one slot."""
    found = yield memory.state(predicates=[predicate], subject=subject)
    lines = [_shown(fact) for fact in found.facts]
    lines += [f"Planned, not yet so: {fact.object}{_times(fact)}" for fact in found.planned]
    lines += [f"Unconfirmed, ask the user: {fact.object}" for fact in found.candidates]
    return _joined(*(lines or [f"Nothing is known of {predicate} of {subject}."]), lag(found.freshness))


def history(memory: Any, predicate: str, subject: str = "user") -> Call:
    """Every value of one slot."""
    found = yield memory.history(predicate, subject=subject)
    lines = [f"{fact.object}: {fact.status.value}{_times(fact)}" for fact in found.facts[-MOST_FACTS:]]
    hidden = len(found.facts) - len(lines)
    before = f"({hidden} older values are not shown)" if hidden else ""
    return _joined(before, *(lines or [f"{predicate} of {subject} has no history."]), lag(found.freshness))


def why(memory: Any, predicate: str, subject: str = "user", value: Any = None) -> Call:
    """Where a fact comes from."""
    fact = yield from _fact(memory, predicate, subject, value)
    found = yield memory.explain(fact.id)
    return str(found)


def search(memory: Any, query: str) -> Call:
    """Facts and messages that hold some words."""
    hits = yield memory.search(query)
    lines = [
        f"{hit.text}{' (corrected since: not true)' if hit.corrected else ''}" if hit.fact is None else str(hit.fact)
        for hit in hits
    ]
    return _joined(*(lines or ["Nothing found."]))


def set_value(memory: Any, predicate: str, value: Any, subject: str = "user", since: str | None = None) -> Call:
    """Write what holds now."""
    done = yield memory.set(predicate, value, subject=subject, since=since, source=SOURCE)
    return _written(done)


def correct(
    memory: Any,
    predicate: str,
    value: Any = None,
    subject: str = "user",
    wrong_value: Any = None,
    reason: str | None = None,
) -> Call:
    """Say that a value was never true."""
    fact = yield from _fact(memory, predicate, subject, wrong_value)
    done = yield memory.correct(fact.id, value, reason=reason, source=SOURCE)
    return _joined(f"Corrected: {fact.object} was never true.", _written(done))


def retract(memory: Any, predicate: str, value: Any = None, subject: str = "user") -> Call:
    """Say that a value no longer holds."""
    done = yield memory.retract(predicate, value, subject=subject, source=SOURCE)
    if not done.changed:
        return f"Nothing changed: {'that value' if value is not None else predicate} does not hold now."
    return _written(done)


CALLS: Mapping[str, Callable[..., Call]] = {
    "memory_context": context, "memory_search": search, "memory_get": get, "memory_history": history,
    "memory_why": why, "memory_set": set_value, "memory_correct": correct, "memory_retract": retract,
}  # fmt: skip


def _fact(memory: Any, predicate: str, subject: str, value: Any) -> Generator[Any, Any, Fact]:
    """Give the fact that is meant: the one shown, or of the value named, shown now or once."""
    found = yield memory.state(predicates=[predicate], subject=subject)
    facts: list[Fact] = [*found.facts, *found.planned, *found.candidates]
    if value is None and len(found.facts) > 1:
        shown = ", ".join(fact.object for fact in found.facts)
        raise InvalidValueError(f"{predicate} has several values ({shown}): name one")
    if value is not None:
        past = yield memory.history(predicate, subject=subject)
        facts = [fact for fact in (*facts, *reversed(past.facts)) if _is(fact, value)]
    if not facts:
        what = f"{predicate} of {subject}" + ("" if value is None else f" with the value {value}")
        raise UnknownFactError(f"Memory holds no {what}. memory_history shows what it holds.")
    return facts[0]


def _is(fact: Fact, value: Any) -> bool:
    return bool(fact.value == value) or fact.object.casefold() == str(value).strip().casefold()


def _written(done: WriteResult) -> str:
    told = {
        "began": "{what}: {value} holds", "ended": "{what}: {value} no longer holds",
        "moved": "{what}: {value} holds at other times",
    }  # fmt: skip
    lines = [
        told[change.kind].format(what=_what(change.predicate, change.subject), value=change.value)
        for change in done.changes
    ]
    if done.shown is not None:
        lines.append(f"Memory now says: {_shown(done.shown)}")
    if not done.changes:
        lines.insert(0, "Nothing changed.")
    return _joined(*lines)


def _what(predicate: str, subject: str) -> str:
    return predicate if subject == "user" else f"{predicate} of {subject}"


def _shown(fact: Fact) -> str:
    doubts = " IN DOUBT: a newer statement disagrees; ask the user." if fact.contested else ""
    due = " Not confirmed for long; ask the user." if fact.due_for_review else ""
    return f"{_what(fact.predicate, fact.subject)} = {fact.object}{_times(fact)}{doubts}{due}"


def _times(fact: Fact) -> str:
    since = "" if fact.valid_from is None else f" from {fact.valid_from:%Y-%m-%d}"
    until = "" if fact.valid_to is None else f" until {fact.valid_to:%Y-%m-%d}"
    return since + until


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)

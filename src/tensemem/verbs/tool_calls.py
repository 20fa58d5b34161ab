"""What each tool of an agent's loop does, told in words that a model can act on.

A call is a generator that yields what the verbs of a bound memory give, so that one text serves both a plain memory,
whose verbs give results, and an awaited one, whose verbs give coroutines. What people said stands in an answer on one
line and cut to a bounded length, so that no value can pass for a line of the tool's own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from ..core.admission import may_write
from ..core.lines import LONGEST_VALUE, shown
from ..core.registry import Registry
from ..core.text import comparison_key
from ..core.tool_forms import given_value
from ..core.values import as_text, parse_value
from ..errors import AlreadyCorrectedError, InvalidValueError, UnknownFactError
from ..model.fact import Fact, FactStatus
from ..model.freshness import Freshness
from ..model.predicate import Predicate
from ..model.results import SearchHit, WriteResult

Call = Generator[Any, Any, str]
SOURCE = "agent"
"""The label of what an agent's tools write: a predicate's ``trust`` and ``writers`` may name it."""
MOST_FACTS = 50
_TAKEN_BACK = (FactStatus.CORRECTED, FactStatus.DENIED)
_HELD = (FactStatus.ACTIVE, FactStatus.SUPERSEDED, FactStatus.RETRACTED, FactStatus.EXPIRED)


def lag(freshness: Freshness) -> str:
    """Give one line that says what a read lags behind; "" where it lags behind nothing."""
    if freshness.is_current:
        return ""
    parts = [
        f"{_messages(freshness.pending, 'recent message')} not learnt from yet" if freshness.pending else "",
        f"{_counted(freshness.failed, 'message')} could not be read" if freshness.failed else "",
    ]
    behind = " and ".join(filter(None, parts)) or "a later message was asked for than any that is here"
    told = f"Memory is behind: {behind}. What was just said may not be in it."
    return told + (" Nobody is reading it now." if freshness.reason == "no_extractor" else "")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _messages(number: int, thing: str) -> str:
    return f"{_counted(number, thing)} {'is' if number == 1 else 'are'}"


def context(memory: Any, query: str | None = None) -> Call:
    """Everything that is known now."""
    found = yield memory.context(query)
    return _joined(found.text or "Nothing is known yet.", lag(found.freshness))


def get(memory: Any, predicate: str, subject: str = "user") -> Call:
    """What holds now in one slot."""
    found = yield memory.state(predicates=[predicate], subject=subject)
    lines = [_shown(fact) for fact in found.facts]
    lines += [f"Planned, not yet so: {_line(fact.object)}{_times(fact)}" for fact in found.planned]
    lines += [f"Unconfirmed, ask the user: {_line(fact.object)}" for fact in found.candidates]
    return _joined(*(lines or [f"Nothing is known of {_asked(predicate, subject)}."]), lag(found.freshness))


def history(memory: Any, predicate: str, subject: str = "user") -> Call:
    """Every value of one slot."""
    found = yield memory.history(predicate, subject=subject)
    lines = [f"{_line(fact.object)}: {fact.status.value}{_times(fact)}" for fact in found.facts[-MOST_FACTS:]]
    hidden = len(found.facts) - len(lines)
    before = f"({hidden} older values are not shown)" if hidden else ""
    return _joined(before, *(lines or [f"{_asked(predicate, subject)} has no history."]), lag(found.freshness))


def why(memory: Any, predicate: str, subject: str = "user", value: Any = None) -> Call:
    """Where a fact comes from."""
    fact, *_ = yield from _facts(memory, predicate, subject, value)
    found = yield memory.explain(fact.id)
    fact = found.fact
    told = f"{_what(fact.predicate, fact.subject)} = {_line(fact.object)}, {fact.status.value}{_times(fact)}"
    return _joined(told, *(f"  {step.kind}: {_line(step.text)}" for step in found.steps))


def search(memory: Any, query: str) -> Call:
    """Facts and messages that hold some words."""
    hits = yield memory.search(query)
    return _joined(*(map(_hit, hits) if hits else ["Nothing found."]))


def set_value(memory: Any, predicate: str, value: Any, subject: str = "user", since: str | None = None) -> Call:
    """Write what holds now."""
    registry = yield from _registry(memory)
    value = given_value(registry.predicate(predicate), value)
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
    fact, *others = yield from _facts(memory, predicate, subject, wrong_value)
    if fact.status is FactStatus.CORRECTED:
        raise AlreadyCorrectedError(f"{_line(fact.object)} was taken back already: memory does not hold it as true.")
    registry = yield from _registry(memory)
    known = registry.predicate(predicate)
    if known is not None:
        _check_may_correct(known, fact)
    value = None if value is None else given_value(known, value)
    if value is not None and _worded(value) == fact.object:
        raise InvalidValueError(f"{_line(fact.object)} is what memory holds: say what was true instead, or nothing")
    done = yield memory.correct(fact.id, value, reason=reason, source=SOURCE)
    more = [f"It also held{_times(other)}: that stands." for other in others if other.status in _HELD and _times(other)]
    return _joined(f"Corrected: {_line(fact.object)} was never true.", *more, _written(done))


def retract(memory: Any, predicate: str, value: Any = None, subject: str = "user") -> Call:
    """Say that a value no longer holds."""
    registry = yield from _registry(memory)
    value = None if value is None else given_value(registry.predicate(predicate), value)
    done = yield memory.retract(predicate, value, subject=subject, source=SOURCE)
    if not done.changed:
        return f"Nothing changed: {'that value' if value is not None else _line(predicate)} does not hold now."
    return _written(done)


CALLS: Mapping[str, Callable[..., Call]] = {
    "memory_context": context, "memory_search": search, "memory_get": get, "memory_history": history,
    "memory_why": why, "memory_set": set_value, "memory_correct": correct, "memory_retract": retract,
}  # fmt: skip


def _facts(memory: Any, predicate: str, subject: str, value: Any) -> Generator[Any, Any, list[Fact]]:
    """Give the facts that may be meant, the likeliest first: of a value, the one shown, then the latest that held.

    Raises InvalidValueError where several are shown and none is named, UnknownFactError where there is none.
    """
    found = yield memory.state(predicates=[predicate], subject=subject)
    facts: list[Fact] = [*found.facts, *found.planned, *found.candidates]
    if value is None and len(found.facts) > 1:
        named = ", ".join(_line(fact.object) for fact in found.facts)
        raise InvalidValueError(f"{predicate} has several values ({named}): name one")
    if value is None:
        facts = facts[:1]
    else:
        past = yield memory.history(predicate, subject=subject)
        registry, zone, _ = yield from _standing(memory)
        known = {fact.id: fact for fact in (*facts, *_latest_first(past.facts))}
        wanted = _key(registry, predicate, value, zone)
        facts = [fact for fact in known.values() if _key(registry, predicate, fact.value, zone) == wanted]
        facts = [fact for fact in facts if fact.status not in _TAKEN_BACK] or facts[:1]
    if not facts:
        what = _asked(predicate, subject) + ("" if value is None else f" with the value {_line(_worded(value))}")
        raise UnknownFactError(f"Memory holds no {what}. memory_history shows what it holds.")
    return facts


def _check_may_correct(predicate: Predicate, fact: Fact) -> None:
    """Refuse what an agent may not write, and what somebody more trusted said. Raises InvalidValueError."""
    if not may_write(predicate, "application", SOURCE):
        raise InvalidValueError(f"{SOURCE} may not write {predicate.name}, so it can't correct it either")
    rank = predicate.rank_of(SOURCE)
    above = [evidence.source for evidence in fact.evidence if predicate.rank_of(evidence.source) > rank]
    if above:
        raise InvalidValueError(f"{_line(above[0])} said so, who is trusted more than {SOURCE} for {predicate.name}")


def _latest_first(facts: Sequence[Fact]) -> list[Fact]:
    """Order a history, which ends in the facts without dates: those come last."""
    dated = [fact for fact in facts if fact.valid_from is not None]
    return [*reversed(dated), *(fact for fact in facts if fact.valid_from is None)]


def _registry(memory: Any) -> Generator[Any, Any, Registry]:
    """Give the registry of today."""
    return (yield from _standing(memory))[0]


def _standing(memory: Any) -> Generator[Any, Any, tuple[Registry, str, bool]]:
    """Give what is gone by today: the registry, which the engine keeps where it has just been read, and the zone."""
    while True:
        known = yield memory._memory.predicates(namespace=memory.namespace)
        registry, zone, is_read_only = memory._memory._standing(memory.namespace, known)
        if registry is not None:  # else another thread took something back just now, and nothing is kept
            return registry, zone, is_read_only


def _key(registry: Registry, predicate: str, value: Any, zone: str) -> str:
    """Give what a value is compared by; for what is no value of the predicate, its text."""
    known = registry.predicate(predicate)
    if known is not None:
        try:
            return parse_value(given_value(known, value), known, registry, zone).key
        except InvalidValueError:
            pass
    return f"(none) {comparison_key(_worded(value))}"


def _worded(value: Any) -> str:
    """Give any value as text, also one that can't be kept."""
    try:
        return as_text(value)
    except (ValueError, TypeError, RecursionError):
        return f"a {type(value).__name__} that can't be kept"


def _written(done: WriteResult) -> str:
    told = {
        "began": "{what}: {value} holds", "ended": "{what}: {value} no longer holds",
        "moved": "{what}: {value} holds at other times",
    }  # fmt: skip
    lines = [
        told[change.kind].format(what=_what(change.predicate, change.subject), value=_line(as_text(change.value)))
        for change in done.changes
    ]
    if done.shown is not None:
        lines.append(f"Memory now says: {_shown(done.shown)}")
    if any(decision.outcome == "held" for decision in done.decisions):
        lines.insert(0, "Kept as unconfirmed, it does not hold yet: ask the user.")
    elif not done.changes:
        lines.insert(0, "Nothing changed.")
    return _joined(*lines)


def _what(predicate: str, subject: str) -> str:
    return predicate if subject == "user" else _asked(predicate, subject)


def _asked(predicate: str, subject: str) -> str:
    return f"{_line(predicate)} of {_line(subject)}"


def _line(text: str) -> str:
    return shown(text, LONGEST_VALUE)


def _hit(hit: SearchHit) -> str:
    """Tell a hit; who said a message, so that its words are not taken for a fact."""
    if hit.fact is not None:
        return _line(str(hit.fact))
    when = "" if hit.said_at is None else f" on {hit.said_at:%Y-%m-%d}"
    corrected = " (corrected since: not true)" if hit.corrected else ""
    return f"{hit.role or 'somebody'} said{when}: {_line(hit.text)}{corrected}"


def _shown(fact: Fact) -> str:
    doubts = " IN DOUBT: a newer statement disagrees; ask the user." if fact.contested else ""
    due = " Not confirmed for long; ask the user." if fact.due_for_review else ""
    return f"{_what(fact.predicate, fact.subject)} = {_line(fact.object)}{_times(fact)}{doubts}{due}"


def _times(fact: Fact) -> str:
    since = "" if fact.valid_from is None else f" from {fact.valid_from.date().isoformat()}"
    until = "" if fact.valid_to is None else f" until {fact.valid_to.date().isoformat()}"
    return since + until


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)

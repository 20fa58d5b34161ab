"""Reading back what a trial's memory holds: slots, decisions by reason, proposals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..core.text import comparison_key
from ..memory import Memory
from ..model.fact import Fact
from ..model.results import Decision
from .findings import Example, Held, Quote, Refusals, Slot, Unknown
from .playing import Played, chosen_evidence
from .reasons import meaning_of

EXAMPLES = 5
"""Examples of each reason that are kept."""
_LONG = 300
"""Characters of a message's words that are kept where they are shown."""


def slots_of(played: Played) -> tuple[Slot, ...]:
    """Give every slot of every user, those of the user's own first, with its facts by time."""
    cardinality = {predicate.name: predicate.cardinality for predicate in played.mem.predicates()}
    found = []
    for scope in played.scopes():
        groups: dict[tuple[str, str], list[Fact]] = {}
        for fact in played.history(scope.user_id):
            groups.setdefault((fact.subject, fact.predicate), []).append(fact)
        for (subject, predicate), facts in sorted(groups.items(), key=lambda item: _reading_order(*item[0])):
            held = tuple(_held(played, scope.user_id, fact) for fact in facts)
            found.append(Slot(scope.user_id, subject, predicate, cardinality.get(predicate, "one"), held))
    return tuple(found)


def _reading_order(subject: str, predicate: str) -> tuple[bool, str, str]:
    return subject != "user", subject, predicate


def _held(played: Played, user: str, fact: Fact) -> Held:
    quotes = tuple(
        Quote(cut_short(one.quote), one.said_at, played.place_of(user, one.seq))
        for one in chosen_evidence(fact.evidence)
    )
    return Held(
        _plain(fact.value), fact.object, fact.status.value, fact.valid_from, fact.valid_to, fact.precision,
        fact.contested, quotes,
    )  # fmt: skip


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool, list, dict)) or value is None else str(value)


def cut_short(text: str) -> str:
    """Give a text that is not too long to be shown."""
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def decisions_of(played: Played) -> tuple[int, tuple[Refusals, ...]]:
    """Give how many operations were admitted, and all others (and those with a remark) by outcome and reason."""
    admitted = 0
    counts: dict[tuple[str, str], int] = {}
    examples: dict[tuple[str, str], list[Example]] = {}
    for user, seq, decision in _decided(played):
        admitted += decision.outcome == "admitted"
        if decision.outcome == "admitted" and not decision.reason:
            continue
        key = (decision.outcome, decision.reason or decision.outcome)
        counts[key] = counts.get(key, 0) + 1
        kept = examples.setdefault(key, [])
        if len(kept) < EXAMPLES:
            kept.append(_example(played, user, seq, decision))
    order = {"refused": 0, "held": 1, "planned": 2, "admitted": 3}
    groups = (
        Refusals(outcome, reason, meaning_of(reason), count, tuple(examples[outcome, reason]))
        for (outcome, reason), count in counts.items()
    )
    return admitted, tuple(sorted(groups, key=lambda one: (order.get(one.outcome, 9), -one.count, one.reason)))


def _decided(played: Played) -> Iterable[tuple[str, int, Decision]]:
    for user, seq in sorted(set(played.with_operations)):
        for decision in played.mem.decisions(user, seq):
            if decision.operation:
                yield user, seq, decision


def _example(played: Played, user: str, seq: int, decision: Decision) -> Example:
    quote = cut_short(str(decision.operation.get("quote", "")))
    return Example(user, operation_text(decision.operation), quote, played.place_of(user, seq))


def operation_text(operation: Mapping[str, Any]) -> str:
    """Tell an operation as it was proposed: ``set lives_in = Rome``."""
    if "predicate" not in operation:
        return cut_short(str(operation.get("raw", "")))
    subject = str(operation.get("subject", "user"))
    slot = str(operation["predicate"]) if subject == "user" else f"{subject} {operation['predicate']}"
    value = operation.get("value")
    shown = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return cut_short(f"{operation.get('op', '')} {slot}" + ("" if value is None else f" = {shown}"))


def unknown_of(mem: Memory) -> tuple[Unknown, ...]:
    """Give the attributes that were proposed and are not registered, the most frequent first."""
    found = (Unknown(one.predicate, one.count, one.examples) for one in mem.proposals())
    return tuple(sorted(found, key=lambda one: (-one.count, one.predicate)))


def slot_key(user: str, subject: str, predicate: str) -> tuple[str, str, str]:
    """Give what tells that two slots are one, however the subject is spelt."""
    return user, comparison_key(subject), predicate

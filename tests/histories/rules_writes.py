"""What must hold of writes: those acknowledged are in the log as asked, those refused are not, others once at most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tensemem.model.entry import Entry, EntryKind
from tests.histories.history import History, key_of
from tests.histories.records import OK, REFUSED, Observed
from tests.histories.violations import Violation

NATURAL = frozenset(
    {
        "ConflictError", "AlreadyCorrectedError", "UnknownFactError", "UnknownPredicateError",
        "FutureTimestampError", "InvalidTimeError", "StoreError", "StoreBusyError", "StoreRetryError",
        "ExtractorError", "ExtractorUnavailable",
    }
)  # fmt: skip
"""Errors that a run's operations may well meet: others took something first, the clock stepped, the store was full."""


def write_violations(history: History) -> Iterator[Violation]:
    """Give the writes whose outcome the log belies."""
    for one in history.writes:
        left = history.by_op.get(one.op, [])
        if len(left) > 1:
            yield Violation("twice", history.user, f"{one.op} is in the log {len(left)} times", (one,), tuple(left[:2]))
        if one.outcome == OK and one.told.get("duplicate"):
            yield from _duplicate(history, one, left)
        elif one.outcome == OK:
            yield from _acknowledged(history, one, left)
        elif one.outcome == REFUSED and left:
            says = f"{one.op} was refused with {one.told.get('error')} and yet it is in the log"
            yield Violation("refused but kept", history.user, says, (one,), tuple(left))
        yield from _content(history, one, left)
    for one in history.refused():
        yield from _reason(history, one)


def _acknowledged(history: History, one: Observed, left: list[Entry]) -> Iterator[Violation]:
    if not left:
        says = f"{one.op} was acknowledged as seq {one.told['seq']}, rev {one.told['rev']}, and the log has it not"
        there = history.entry(one.told["rev"])
        yield Violation("lost write", history.user, says, (one,), () if there is None else (there,))
        return
    if (left[0].seq, left[0].rev) != (one.told["seq"], one.told["rev"]):
        says = f"the receipt says seq {one.told['seq']}, rev {one.told['rev']}, the log says otherwise"
        yield Violation("receipt", history.user, says, (one,), (left[0],))
    if one.told.get("settled") and one.told["seq"] not in history.settlements:
        says = f"message {one.told['seq']} is settled, says the receipt, and the log has no settlement"
        yield Violation("receipt", history.user, says, (one,), (left[0],))
    yield from _condition(history, one, left[0])


def _duplicate(history: History, one: Observed, left: list[Entry]) -> Iterator[Violation]:
    """A retry that was told that it is one: the entry it stands for is there, and none of its own."""
    first = history.by_seq.get(one.told["seq"])
    if first is None or key_of(first) != one.asked.get("key") or first.rev != one.told["rev"]:
        says = f"{one.op} was told that seq {one.told['seq']} is its own, and the log has no such entry"
        yield Violation("lost write", history.user, says, (one,), () if first is None else (first,))
    elif left:
        says = f"{one.op} was told that it is a retry, and has an entry of its own"
        yield Violation("twice", history.user, says, (one,), (first, *left))


def _content(history: History, one: Observed, left: list[Entry]) -> Iterator[Violation]:
    """What is in the log is what was asked for."""
    for entry in left:
        wanted = one.asked["body"]
        is_same = entry.kind.value == one.asked["kind"] and (_is_within(wanted, entry.body) or _is_meant(wanted, entry))
        said = one.asked.get("said_at")
        if not is_same or said not in (None, entry.said_at):
            yield Violation("content", history.user, f"{one.op} asked for something else", (one,), (entry,))


def _is_within(wanted: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    return all(body.get(name) == value for name, value in wanted.items())


def _is_meant(wanted: Mapping[str, Any], entry: Entry) -> bool:
    """Whether a correction is of the fact that the claim asked for supports by now: its id may be another one's."""
    id, _, _ = str(wanted.get("target", "")).partition("@")
    claim = [int(part) for part in id.split("-")[1:4]]
    return entry.kind is EntryKind.CORRECTION and claim in [shown[:3] for shown in entry.body.get("shown", ())]


def _condition(history: History, one: Observed, entry: Entry) -> Iterator[Violation]:
    """A write on condition that a slot has not changed was made only where it had not."""
    expected = one.asked.get("expected_rev")
    if expected is None:
        return
    for other in history.entries[expected : entry.rev - 1]:
        if not one.asked["slot"] or one.asked["slot"] in slots_of(other):
            says = f"{one.op} was made although {one.asked['slot']} had changed after revision {expected}"
            yield Violation("lost update", history.user, says, (one,), (other, entry))
            return


def _reason(history: History, one: Observed) -> Iterator[Violation]:
    """What is refused is refused for a reason there was."""
    error, expected = one.told.get("error"), one.asked.get("expected_rev")
    if error not in NATURAL:
        yield Violation("error", history.user, f"{one.op} met {error}: {one.told.get('says')}", (one,))
    elif error == "ConflictError" and expected is not None and one.ended is not None:
        newer = history.entries[expected : history.newest_by(one.ended)]
        if not any(one.asked["slot"] in slots_of(entry) for entry in newer):
            says = f"{one.op} was refused, and {one.asked['slot']} had not changed after revision {expected}"
            yield Violation("error", history.user, says, (one,))


def slots_of(entry: Entry) -> set[str]:
    """The predicates whose slots an entry speaks of; all of a run's entries are about the user."""
    if entry.kind in (EntryKind.WRITE, EntryKind.EXTRACTION):
        return {str(operation["predicate"]) for operation in entry.body.get("ops", ())}
    return {str(entry.body["predicate"])} if "predicate" in entry.body else set()

"""Facts, changes and decisions as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from tensemem import AddResult, Change, Decision, Fact, FactStatus, State, StateDiff, WriteResult

from .moments import Moments, moments_of
from .text import Cell, Look, counted, short, table

MARKS = {
    FactStatus.ACTIVE: ("now", "green"),
    FactStatus.SUPERSEDED: ("past", ""),
    FactStatus.RETRACTED: ("past", ""),
    FactStatus.EXPIRED: ("past", ""),
    FactStatus.SCHEDULED: ("coming", "yellow"),
    FactStatus.PLANNED: ("coming", "yellow"),
    FactStatus.CANDIDATE: ("waiting", "yellow"),
    FactStatus.CORRECTED: ("wrong", "red"),
    FactStatus.DENIED: ("wrong", "red"),
    FactStatus.OVERRIDDEN: ("hidden", "dim"),
}
"""The sign before each status, which tells it without colour, and its colour."""


def status_cell(fact: Fact, look: Look) -> Cell:
    """Give a fact's status with its sign."""
    sign, colour = MARKS[fact.status]
    return Cell(f"{look.drawn(sign)} {fact.status.value}", colour)


def slot_of(subject: str, predicate: str, look: Look) -> str:
    """Name a slot: the predicate, behind its subject where that is not the user."""
    name = short(predicate, look)
    return name if subject == "user" else f"{short(subject, look)} {name}"


def value_text(fact: Fact, look: Look) -> str:
    """Give a fact's value for a table."""
    return short(fact.object, look) or "(no value)"


def span_text(fact: Fact, moments: Moments, look: Look) -> str:
    """Give from when until when a fact holds."""
    dash = look.drawn("dash")
    if fact.valid_from is None and fact.valid_to is None:
        return "no dates"
    end = moments.text(fact.valid_to) or ("still" if fact.status is FactStatus.ACTIVE else "open")
    return f"{moments.start_of(fact)} {dash} {end}"


def fact_line(fact: Fact, look: Look, zone: tzinfo) -> str:
    """Tell one fact in a line, its id last."""
    span = span_text(fact, moments_of([fact], zone), look)
    status = status_cell(fact, look)
    slot = slot_of(fact.subject, fact.predicate, look)
    return f"{slot} = {value_text(fact, look)}  {span}  {look.painted(status.text, status.colour)}  {fact.id}"


def marks_of(fact: Fact) -> str:
    """Name what is special about a fact."""
    flags = {"contested": fact.contested, "due": fact.due_for_review, "paraphrased": fact.paraphrased}
    return ", ".join(name for name, is_set in flags.items() if is_set)


def state_lines(state: State, look: Look, zone: tzinfo) -> Iterator[str]:
    """Show a state: what holds, what is planned, what waits for review."""
    at = Moments(zone, [state.at, state.at.replace(hour=0, minute=0, second=0, microsecond=0)])
    yield look.painted(f"{short(state.user_id, look)} at {at.text(state.at)[:16]}, revision {state.rev}", "bold")
    if not state.facts:
        yield "  nothing known" if state.rev else "  nothing known; nothing was ever said here"
    yield from _facts_table(state.facts, look, zone)
    for title, facts in (("planned", state.planned), ("waiting for review", state.candidates)):
        if facts:
            yield title
            yield from _facts_table(facts, look, zone)
    if state.next_change_at is not None:
        yield f"changes by itself at {Moments(zone, [state.next_change_at]).text(state.next_change_at)}"


def _facts_table(facts: Sequence[Fact], look: Look, zone: tzinfo) -> list[str]:
    said = Moments(zone, (fact.last_evidence_at for fact in facts))
    moments = moments_of(facts, zone)
    rows = [
        (
            "" if fact.subject == "user" else short(fact.subject, look), short(fact.predicate, look),
            Cell(value_text(fact, look), "bold"), moments.start_of(fact), moments.text(fact.valid_to),
            said.text(fact.last_evidence_at), Cell(marks_of(fact), "yellow"), Cell(fact.id, "dim"),
        )
        for fact in facts
    ]  # fmt: skip
    return table(("about", "predicate", "value", "since", "until", "last said", "marks", "id"), rows, look)


_KINDS = {"began": ("+", "green"), "ended": ("-", "red"), "moved": ("~", "yellow")}


def change_lines(changes: Sequence[Change], look: Look, zone: tzinfo, *, with_rev: bool = False) -> list[str]:
    """Show what changed: ``+`` shown since, ``-`` no longer shown, ``~`` the same value over other times."""
    moments = Moments(zone, (moment for change in changes for moment in (change.valid_from, change.valid_to)))
    rows = [_change_row(change, moments, look, with_rev) for change in changes]
    header = ("rev", "by", "", "value", "valid", "because", "id")
    found = table(header, rows, look)
    return found if with_rev else found[1:]


def _change_row(change: Change, moments: Moments, look: Look, with_rev: bool) -> Sequence[str | Cell]:
    sign, colour = _KINDS.get(change.kind, ("*", ""))
    slot = slot_of(change.subject, change.predicate, look)
    span = f"{moments.text(change.valid_from, '?')} {look.drawn('dash')} {moments.text(change.valid_to, 'open')}"
    return (
        str(change.rev) if with_rev else "", short(change.why, look) if with_rev else "", Cell(sign, colour),
        f"{slot} = {short(_as_text(change.value), look)}", span, short(change.reason or "", look),
        Cell(change.fact_id, "dim"),
    )  # fmt: skip


def _as_text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    return "" if value is None else str(value)


def decision_lines(decisions: Iterable[Decision], look: Look) -> list[str]:
    """Show what became of each operation, and why."""
    colours = {"admitted": "green", "refused": "red"}
    rows = [
        (
            str(decision.seq), Cell(decision.outcome, colours.get(decision.outcome, "yellow")),
            operation_text(decision.operation, look), short(decision.reason, look), short(decision.message, look, 100),
            short(decision.operation.get("quote", ""), look), Cell(decision.claim_id or "", "dim"),
        )
        for decision in decisions
    ]  # fmt: skip
    return table(("seq", "outcome", "operation", "reason", "more", "quote", "id"), rows, look)


def operation_text(operation: Mapping[str, Any], look: Look) -> str:
    """Tell an operation as it was proposed."""
    if "predicate" not in operation:
        return short(operation.get("raw", ""), look)
    slot = slot_of(str(operation.get("subject", "user")), str(operation["predicate"]), look)
    value = operation.get("value")
    return f"{operation.get('op', '')} {slot}" + ("" if value is None else f" = {short(_as_text(value), look)}")


def write_lines(result: WriteResult, look: Look, zone: tzinfo, *, is_dry: bool = False) -> Iterator[str]:
    """Show the receipt of a write: what it changed, and what is shown now where that is something else.

    A dry one is of a write that did not happen: it tells what it would change.
    """
    if result.duplicate:
        yield f"known already as seq {result.seq}; nothing was written"
        return
    yield _dry_line(result) if is_dry else _done_line(result)
    yield from change_lines(result.changes, look, zone)
    if not result.changed:
        reasons = ", ".join(sorted({decision.reason for decision in result.decisions if decision.reason}))
        if reasons:
            yield f"  reason: {short(reasons, look)}"
    if result.shown is not None and not any(change.fact_id == result.shown.id for change in result.changes):
        yield f"  {'would be shown' if is_dry else 'shown now'}: {fact_line(result.shown, look, zone)}"
    yield from redaction_lines(result.redactions, is_dry=is_dry)


def _done_line(result: WriteResult) -> str:
    done = "changed" if result.changed else "no value changed"
    return f"revision {result.rev}, seq {result.seq}: {done}; {durability_text(result.durability)}"


def _dry_line(result: WriteResult) -> str:
    done = "this would change" if result.changed else "no value would change"
    return f"would be revision {result.rev}, seq {result.seq}: {done}; nothing was written"


def durability_text(durability: str) -> str:
    """Say what an acknowledged write survives."""
    return "it survives power loss" if durability == "power" else "it survives a killed process"


def redaction_lines(redactions: Mapping[str, int], *, is_dry: bool = False) -> Iterator[str]:
    """Say which secrets were replaced, or would be, before anything was written."""
    if redactions:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(redactions.items()))
        replaced = "would be replaced" if is_dry else "replaced"
        yield f"  {counted(sum(redactions.values()), 'secret')} {replaced} before writing: {kinds}"


def receipt_line(result: AddResult) -> str:
    """Tell where the messages of a receipt stand in the log."""
    if result.duplicate:
        return f"known already as seq {result.seq}; nothing was written"
    return f"logged as seq {result.seq}, revision {result.rev}; {durability_text(result.durability)}"


def difference_lines(diff: StateDiff, look: Look, zone: tzinfo) -> Iterator[str]:
    """Show the difference between two states, and what was decided about every proposal."""
    if diff.is_empty:
        yield "nothing would change"
    for sign, facts, colour in (("+", diff.added, "green"), ("-", diff.removed, "red")):
        for fact in facts:
            yield f"{look.painted(sign, colour)} {fact_line(fact, look, zone)}"
    for before, after in diff.changed:
        slot = slot_of(after.subject, after.predicate, look)
        values = f"{value_text(before, look)} {look.drawn('arrow')} {value_text(after, look)}"
        yield f"{look.painted('~', 'yellow')} {slot}: {values}"
    yield from decision_lines(diff.decisions, look)

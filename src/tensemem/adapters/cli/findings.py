"""What a trial found, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from tensemem.trial import Findings
from tensemem.trial.advice import next_steps
from tensemem.trial.bars import KINDS
from tensemem.trial.findings import Cost, Input, OldStore, Refusals, Slot

from .moments import Moments
from .text import Cell, Look, counted, safe, short, table

_SLOTS, _EXAMPLES, _FAULTS, _VALUES, _ROWS = 40, 3, 5, 5, 20
"""How many of each are told; the page and ``--json`` have more."""


def findings_lines(found: Findings, look: Look, zone: tzinfo, page: Path | None) -> Iterator[str]:
    """Show what a trial found: what was read, what is known, what was refused, what it cost, what to do next."""
    yield from _input_lines(found.inputs, look, zone)
    yield from _slot_lines(found, look, zone)
    if found.old is not None:
        yield from _old_lines(found.old, look)
    yield from _refusal_lines(found.refusals, look)
    yield from _unknown_lines(found, look)
    yield from _cost_lines(found, look)
    yield look.painted("next", "bold")
    if page is not None:
        yield f"  {safe(page)} shows all of it as a timeline: open it in a browser"
    for step in next_steps(found):
        yield f"  {safe(step)}"


def _input_lines(inputs: Sequence[Input], look: Look, zone: tzinfo) -> Iterator[str]:
    for one in inputs:
        yield look.painted(f"{safe(one.name)}: {one.form}, {counted(one.messages, 'message')}", "bold")
        if one.first is not None:
            days = Moments(zone)
            yield f"  said {' to '.join(dict.fromkeys((days.text(one.first), days.text(one.last))))}"
        if one.dated:
            yield f"  {safe(one.dated)}"
        if one.taken:
            yield f"  {safe(one.taken)}"
        if one.others:
            yield f"  {counted(one.others, 'message')} of others left out"
        if one.duplicates:
            yield f"  {counted(one.duplicates, 'message')} there twice, counted once"
        if one.faulty:
            yield look.painted(f"  {one.faulty} not readable; the rest is used", "yellow")
            yield from (f"    {safe(fault.file)}:{fault.line}: {short(fault.why, look, 160)}"
                        for fault in one.faults[:_FAULTS])  # fmt: skip
            if one.faulty > _FAULTS:
                yield f"    {one.faulty - min(_FAULTS, len(one.faults))} more"


def _slot_lines(found: Findings, look: Look, zone: tzinfo) -> Iterator[str]:
    title = f"{counted(len(found.slots), 'slot')}, {counted(found.admitted, 'statement')} counted"
    yield look.painted(f"{title}, {counted(found.superseded, 'fact')} superseded", "bold")
    several = len(found.users) > 1
    moments = Moments(zone, (_since(slot) for slot in found.slots[:_SLOTS]))
    rows = [_slot_row(slot, moments, look, several) for slot in found.slots[:_SLOTS]]
    yield from table(("of", "about", "attribute", "now", "since", "before", "waiting"), rows, look)
    if len(found.slots) > _SLOTS:
        yield f"  {counted(len(found.slots) - _SLOTS, 'more slot')}; --json has them all"


def _since(slot: Slot) -> datetime | None:
    return slot.now[0].since if len(slot.now) == 1 else None


def _slot_row(slot: Slot, moments: Moments, look: Look, several: bool) -> Sequence[str | Cell]:
    now = [fact.text for fact in slot.now]
    before = [fact.text for fact in slot.facts if fact.status in ("superseded", "retracted", "expired")]
    waiting = [f"{fact.text} ({fact.status})" for fact in slot.facts if KINDS.get(fact.status) == "wait"]
    return (
        short(slot.user, look, 20) if several else "", "" if slot.subject == "user" else short(slot.subject, look, 20),
        short(slot.predicate, look), Cell(_some(now, look), "green"), moments.text(_since(slot)),
        _some(list(dict.fromkeys(reversed(before))), look), Cell(_some(waiting, look), "yellow"),
    )  # fmt: skip


def _some(values: Sequence[str], look: Look) -> str:
    more = f" and {len(values) - _VALUES} more" if len(values) > _VALUES else ""
    return ", ".join(short(value, look, 40) for value in values[:_VALUES]) + more


def _old_lines(old: OldStore, look: Look) -> Iterator[str]:
    verdicts = ", ".join(f"{count} {name}" for name, count in sorted(old.verdicts.items()))
    told = f"old store {safe(old.file)}: {counted(old.memories, 'memory')}" + (f" ({verdicts})" if verdicts else "")
    yield look.painted(told, "bold")
    yield from (f"  not readable: {short(fault.why, look, 160)}" for fault in old.faults[:_FAULTS])
    if len(old.faults) > _FAULTS:
        yield f"  {len(old.faults) - _FAULTS} more not readable"
    if not old.contradictions:
        yield "  no two of them contradict each other in a single-valued attribute"
    for one in old.contradictions[:_ROWS]:
        slot = safe(one.predicate) if one.subject == "user" else f"{safe(one.subject)} {safe(one.predicate)}"
        yield look.painted(f"  {safe(one.user)} {slot}: {len(one.sides)} values side by side", "red")
        for side in one.sides:
            memory = side.memories[0]
            more = f" and {len(side.memories) - 1} more" if len(side.memories) > 1 else ""
            quote = f'"{short(memory.text, look)}", {memory.at:%Y-%m-%d}{more}'
            yield f"    {short(side.value, look)}: {quote}"
        yield f"    tensemem: {short(one.holds, look) or 'nothing now'}, by {short(one.because, look, 100)}"
    if len(old.contradictions) > _ROWS:
        yield f"  {counted(len(old.contradictions) - _ROWS, 'more contradiction')}"


def _refusal_lines(groups: Sequence[Refusals], look: Look) -> Iterator[str]:
    if not groups:
        yield look.painted("nothing was refused or held", "bold")
    for group in groups:
        title = group.outcome if group.reason == group.outcome else f"{group.outcome}, {group.reason}"
        yield look.painted(f"{title}: {group.count}", "bold") + f"  {group.meaning}"
        for one in group.examples[:_EXAMPLES]:
            yield f'  {short(one.operation, look)}  "{short(one.quote, look)}"  {safe(one.where)}'


def _unknown_lines(found: Findings, look: Look) -> Iterator[str]:
    if found.unknown:
        yield look.painted("proposed, and registered by nobody", "bold")
        rows = [
            (short(one.predicate, look), str(one.count), _some(one.examples, look)) for one in found.unknown[:_ROWS]
        ]
        yield from table(("attribute", "times", "values"), rows, look)


def _cost_lines(found: Findings, look: Look) -> Iterator[str]:
    cost = found.cost
    who = safe(f"{found.extractor} {found.model}".strip())
    yield look.painted("cost", "bold")
    asked = f"{counted(cost.asked, 'text')} read in {counted(cost.requests, 'request')}"
    yield f"  {asked} by {who}; {_tokens(cost)}"
    if cost.unanswered:
        yield look.painted(f"  {counted(cost.unanswered, 'message')} without a usable answer", "yellow")
    if cost.unread:
        yield look.painted(f"  {counted(cost.unread, 'message')} not reached", "yellow")
    yield from (f"    {short(error, look, 160)}" for error in cost.errors)
    if found.redactions:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(found.redactions.items()))
        yield f"  {counted(sum(found.redactions.values()), 'secret')} replaced before anything was written: {kinds}"


def _tokens(cost: Cost) -> str:
    if cost.is_estimated:
        return f"about {counted(cost.input_tokens, 'token')} of text (a model is sent the prompt as well)"
    return f"{counted(cost.input_tokens, 'token')} in, {cost.output_tokens} out"

"""The findings as one HTML page that stands alone: no script, nothing loaded, every word of a person escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from functools import cache
from importlib.resources import files
from string import Template
from zoneinfo import ZoneInfo

from .advice import next_steps
from .bars import KINDS, bars
from .findings import Contradiction, Cost, Findings, Held, Input, OldMemory, OldStore, Refusals, Slot
from .markup import day, element, listed, minute, ours, quoted, table, told

MOST_SLOTS = 300
"""Slots that are drawn; ``--json`` has all."""
MOST_FACTS = 50
"""Facts of a slot that are listed: the newest."""
MOST_ROWS = 200
"""Rows of other lists."""


def page(findings: Findings) -> str:
    """Give the page as text, to be written as UTF-8."""
    parts = _Parts(findings)
    sections = [(anchor, title, inside) for anchor, title, inside in parts.all() if inside]
    return Template(_packaged("page.html")).substitute(
        style=_packaged("page.css"),
        made=parts.made(),
        stopped=parts.stopped(),
        tiles=listed(parts.tiles()),
        links=listed(f'<a href="#{anchor}">{ours(title)}</a>' for anchor, title, _ in sections),
        sections="\n".join(
            f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{ours(title)}</h2>\n{inside}\n</section>'
            for anchor, title, inside in sections
        ),
    )


@cache
def _packaged(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


class _Parts:
    """The parts of the page, each made from the findings it shows."""

    def __init__(self, findings: Findings) -> None:
        self._found = findings
        self._zone: tzinfo = UTC if findings.zone == "UTC" else ZoneInfo(findings.zone)
        self._begin = min((one.first for one in findings.inputs if one.first is not None), default=None)

    def all(self) -> Iterator[tuple[str, str, str]]:
        """Give anchor, title and HTML of every section; what has nothing to show is empty."""
        found = self._found
        yield "slots", "What is known", self._slots()
        if found.old is not None:
            yield "contradictions", "Contradictions in the old store", self._contradictions(found.old)
            yield "beside", "The old store beside this one", self._beside(found.old)
        yield "refusals", "What did not simply count", self._refusals(found.refusals)
        yield "unknown", "Attributes nobody registered", self._unknown()
        yield "inputs", "What was read", self._inputs(found.inputs)
        yield "cost", "What it cost", self._cost(found.cost)
        yield "next", "What to do next", element("ul", listed(told(step) for step in next_steps(found)))

    def made(self) -> str:
        found = self._found
        who = f"{told(found.extractor)}{' ' + told(found.model) if found.model else ''}"
        return f"Read on {ours(minute(found.at, self._zone))} ({ours(found.zone)}) by {who}."

    def stopped(self) -> str:
        stopped = self._found.stopped
        return f'<p class="alarm">Reading ended early: {told(stopped)}</p>' if stopped else ""

    def tiles(self) -> Iterator[str]:
        found = self._found
        refused = sum(one.count for one in found.refusals if one.outcome == "refused")
        waiting = sum(one.count for one in found.refusals if one.outcome in ("held", "planned"))
        numbers = [(found.cost.messages, "messages"), (len(found.slots), "slots"), (found.superseded, "superseded"),
                   (refused, "refused"), (waiting, "waiting")]  # fmt: skip
        if found.old is not None:
            numbers.append((len(found.old.contradictions), "contradictions"))
        for number, name in numbers:
            yield f"<strong>{number:,}</strong> {name}"

    def _slots(self) -> str:
        found = self._found
        if not found.slots:
            return element("p", "Nothing was found. What to do next says what may help.")
        several = len(found.users) > 1
        # What changed comes first: that is what a memory of states is for.
        ordered = sorted(found.slots, key=lambda slot: (slot.user, -sum(not fact.is_now for fact in slot.facts)))
        cards = [self._slot(slot, several) for slot in ordered[:MOST_SLOTS]]
        return "\n".join([*cards, _left_out(len(found.slots) - MOST_SLOTS, "slot")])

    def _slot(self, slot: Slot, several: bool) -> str:
        owner = f"{told(slot.user)} · " if several else ""
        subject = "" if slot.subject == "user" else f"{told(slot.subject)} "
        shown = ", ".join(told(fact.text) for fact in slot.now[:20]) or '<span class="soft">nothing now</span>'
        since = slot.now[0].since if len(slot.now) == 1 else None
        dated = f' <span class="soft small">since {ours(day(since, self._zone))}</span>' if since else ""
        head = _head(f"{owner}{subject}{told(slot.predicate)}", f'<span class="value">{shown}</span>{dated}')
        left_out = len(slot.facts) - MOST_FACTS
        facts = listed(self._fact(fact) for fact in slot.facts[-MOST_FACTS:])
        drawn = bars(slot.facts, self._begin, self._found.at, self._zone)
        inside = f"{head}\n{drawn}\n{_left_out(left_out, 'older fact')}"
        return element("article", f'{inside}<ol class="facts">\n{facts}\n</ol>', "card")

    def _fact(self, fact: Held) -> str:
        tag = element("span", ours(fact.status), f"tag {KINDS.get(fact.status, 'past')}")
        contested = ' <span class="alarm">contested</span>' if fact.contested else ""
        quotes = "".join(quoted(one.text, minute(one.said_at, self._zone), one.where) for one in fact.quotes)
        dates = f'<span class="soft small">{ours(self._dates(fact))}</span>'
        return f"{tag} <strong>{told(fact.text)}</strong> {dates}{contested}{quotes}"

    def _dates(self, fact: Held) -> str:
        if fact.since is None and fact.until is None:
            return "no dates"
        short = fact.since is not None and fact.until is not None and (fact.until - fact.since).days < 2
        shown = minute if short else day
        since = "?" if fact.since is None else shown(fact.since, self._zone)
        until = ("now" if fact.is_now else "open") if fact.until is None else shown(fact.until, self._zone)
        return f"{since} – {until}"

    def _contradictions(self, old: OldStore) -> str:
        if not old.contradictions:
            return element("p", "None: no two of its memories say different things of a single-valued attribute.")
        cards = [self._contradiction(one) for one in old.contradictions[:MOST_ROWS]]
        return "\n".join([*cards, _left_out(len(old.contradictions) - MOST_ROWS, "contradiction")])

    def _contradiction(self, one: Contradiction) -> str:
        subject = "" if one.subject == "user" else f"{told(one.subject)} "
        holds = told(one.holds) if one.holds else "nothing now"
        title = f"{told(one.user)} · {subject}{told(one.predicate)}"
        head = _head(title, f'tensemem: <span class="value">{holds}</span>')
        head += element("p", told(one.because), "soft small")
        sides = listed(
            f"<strong>{told(side.value)}</strong>"
            + "".join(quoted(memory.text, minute(memory.at, self._zone), memory.id) for memory in side.memories[:10])
            for side in one.sides
        )
        return element("article", f'{head}<ol class="facts">\n{sides}\n</ol>', "card")

    def _beside(self, old: OldStore) -> str:
        lines = [element("p", f"{ours(_counts(old))} · {told(old.file)}")]
        rows = [self._beside_row(one) for one in old.beside[:MOST_ROWS]]
        if rows:
            lines.append(table("Old memories", ("old memory", "created", "says", "verdict", "here now"), rows))
        lines.append(_left_out(len(old.beside) - MOST_ROWS, "memory"))
        lines.extend(element("p", told(fault.why), "small alarm") for fault in old.faults[:20])
        return "\n".join(lines)

    def _beside_row(self, one: OldMemory) -> Sequence[str]:
        subject = "" if one.subject in ("", "user") else f"{told(one.subject)} "
        says = f"{subject}{told(one.predicate)} = {told(one.value)}" if one.predicate else ""
        return told(one.text), ours(day(one.at, self._zone)), says, ours(one.verdict), told(one.ours)

    def _refusals(self, groups: Sequence[Refusals]) -> str:
        if not groups:
            return element("p", "Every operation that was proposed counts.")
        return "\n".join(self._group(group) for group in groups)

    def _group(self, group: Refusals) -> str:
        reason = "" if group.reason == group.outcome else f": <code>{ours(group.reason)}</code>"
        title = f"{ours(group.outcome)}{reason}"
        head = _head(title, f'<span class="value">{group.count:,}</span>')
        head += element("p", ours(group.meaning), "soft small")
        examples = listed(
            f"<code>{told(one.operation)}</code>{quoted(one.quote, '', one.where)}" for one in group.examples
        )
        return element("article", f'{head}<ol class="facts">\n{examples}\n</ol>', "card")

    def _unknown(self) -> str:
        rows = [
            (told(one.predicate), f"{one.count:,}", ", ".join(told(example) for example in one.examples[:5]))
            for one in self._found.unknown[:MOST_ROWS]
        ]
        return table("Unknown attributes", ("attribute", "proposed", "values"), rows) if rows else ""

    def _inputs(self, inputs: Sequence[Input]) -> str:
        rows = [
            (told(one.name), ours(one.form), f"{one.messages:,}", ours(self._when(one)), told(_remarks(one)))
            for one in inputs
        ]
        lines = [table("Inputs", ("file", "read as", "messages", "said", "remarks"), rows)] if rows else []
        for one in inputs:
            if one.faults:
                inside = listed(
                    f"{told(fault.file)}:{fault.line}: {told(fault.why)}" for fault in one.faults[:MOST_ROWS]
                )
                title = element("summary", f"{one.faulty:,} not readable in {told(one.name)}")
                lines.append(element("details", f"{title}<ul>{inside}</ul>"))
        return "\n".join(lines)

    def _when(self, one: Input) -> str:
        if one.first is None:
            return one.dated
        span = f"{day(one.first, self._zone)} – {day(one.last, self._zone)}"
        return f"{span}; {one.dated}" if one.dated else span

    def _cost(self, cost: Cost) -> str:
        tokens = f"{cost.input_tokens:,} tokens in, {cost.output_tokens:,} out"
        if cost.is_estimated:
            tokens = f"about {cost.input_tokens:,} tokens of text; a model is sent the prompt with each request as well"
        lines = [f"{cost.messages:,} messages; {cost.asked:,} texts read in {cost.requests:,} requests", tokens]
        if cost.unanswered:
            lines.append(f"{cost.unanswered:,} without a usable answer")
        if cost.unread:
            lines.append(f"{cost.unread:,} not reached")
        return element("ul", listed([*map(ours, lines), *map(told, cost.errors)]))


def _head(title: str, beside: str) -> str:
    """Give the top of a card; both are HTML."""
    return f'<div class="head"><h3>{title}</h3><div>{beside}</div></div>'


def _counts(old: OldStore) -> str:
    verdicts = ", ".join(f"{count} {name}" for name, count in sorted(old.verdicts.items()))
    return f"{old.memories} memories: {verdicts}" if verdicts else f"{old.memories} memories"


def _remarks(one: Input) -> str:
    counts = ((one.faulty, "not readable"), (one.others, "of others, left out"), (one.duplicates, "known already"))
    parts = [f"{count:,} {what}" for count, what in counts if count]
    return ", ".join([*parts, one.taken] if one.taken else parts)


def _left_out(count: int, thing: str) -> str:
    if count <= 0:
        return ""
    plural = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return element("p", f"{count:,} more {thing if count == 1 else plural}; --json has them all.", "soft")

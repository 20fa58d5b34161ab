"""A history as one HTML page that stands alone: its drawing, every fact with its evidence, and what took away.

The page runs nothing and loads nothing, and says so to the browser. Bars lead to the rows of their facts.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from hashlib import sha256
from itertools import groupby
from string import Template

from ..model.fact import Evidence, Fact, Statement
from ..model.results import History
from .drawing import latest, packaged, style, timeline, zone_of
from .marks import Mark, mark_of
from .svg import element
from .telling import flags_of, force_text, slot_text, statement_value, value_text
from .words import counted, line_of, markup_of, moment_text

_WIDE, _NARROW = 960.0, 344.0
"""Pixels of the two drawings, for a desk and for a pocket."""
_FACTS = ("value", "status", "holds", "last said", "because")
_STATEMENTS = ("what", "value", "said", "counts", "words")
_LONG = 160
"""Characters of a value above which it is folded."""
_QUOTES = 5
"""Quotes of a fact that are shown at once; more are folded."""


def page(
    history: History, *, now: datetime | None = None, zone: str | tzinfo = "UTC", predicate: str | None = None,
    note: str = "",
) -> str:  # fmt: skip
    """Give a history as a page of HTML, to be written as UTF-8.

    ``now`` and ``zone`` are as in ``timeline``; ``predicate`` names the attribute where the history is of one only, and
    ``note`` says what else was asked for, such as ``as known at revision 7``. Raises InvalidTimeError.
    """
    shown = now or history.at or latest(history.facts, history.retractions)
    inside, looks = zone_of(zone), style() + packaged("page.css")
    if predicate is not None and history.facts:
        predicate = history.facts[0].predicate  # it may have been asked for by another of its names
    subject = history.user_id if predicate is None else f"{history.user_id} · {predicate}"
    digest = b64encode(sha256(looks.encode()).digest()).decode()
    wide, narrow = (
        timeline(history, now=shown, zone=inside, width=width, role="link") for width in (_WIDE, _NARROW)
    )
    return Template(packaged("page.html")).substitute(
        title=markup_of(line_of(f"{subject}: what held, and when", 200)),
        heading=_told(line_of(subject, 200)),
        summary=_summary(history, shown, inside, note),
        stale=_stale(history),
        digest=f"sha256-{digest}",
        style=looks,
        wide=wide,
        narrow=narrow,
        facts="\n".join(_slots(history.facts, inside)) or element("p", "No facts."),
        statements=_statements(history.retractions, inside),
    )


def _summary(history: History, now: datetime, zone: tzinfo, note: str) -> str:
    facts = history.facts
    slots = {(fact.subject, fact.predicate) for fact in facts}
    parts = [
        f"{counted(len(facts), 'fact')} of {counted(len(slots), 'attribute')}",
        f"as of {_second(now, zone)}, times in {zone}",
    ]
    if note:
        parts.append(line_of(note, 200))
    if history.next is not None:
        parts.append("cut by a limit: there is more")
    return markup_of("; ".join(parts))


def _stale(history: History) -> str:
    fresh = history.freshness
    if fresh.is_current:
        return ""
    waiting = [f"{counted(fresh.pending, 'message')} pending"] if fresh.pending else []
    failed = [f"{fresh.failed:,} failed"] if fresh.failed else []
    return element("p", markup_of(f"Not current: {', '.join([*waiting, *failed]) or 'a later write was asked for'}."),
                   class_="alarm")  # fmt: skip


def _slots(facts: Sequence[Fact], zone: tzinfo) -> Iterator[str]:
    seen = set[str]()  # an id may stand for what was shown and for what was corrected: links lead to the first
    order = sorted(facts, key=lambda fact: (fact.subject != "user", fact.subject, fact.predicate))
    for (subject, predicate), group in groupby(order, key=lambda fact: (fact.subject, fact.predicate)):
        name = line_of(slot_text(subject, predicate), 200)
        rows = list[str]()
        for fact in group:
            rows.append(_row(fact, zone, None if fact.id in seen else f"fact-{fact.id}"))
            seen.add(fact.id)
        yield element("h3", _told(name))
        yield _table(name, _FACTS, rows)


def _row(fact: Fact, zone: tzinfo, anchor: str | None) -> str:
    flags = flags_of(fact)
    beside = element("div", markup_of(", ".join(flags)), class_="where") if flags else ""
    id = element("div", markup_of(fact.id), class_="id")
    cells = [
        ([_value(value_text(fact)), beside], "value"),
        ([_sign(mark_of(fact)), markup_of(fact.status.value)], "status"),
        (_span(fact, zone), "time"),
        (markup_of(_second(fact.last_evidence_at, zone)), "time"),
        ([_evidence(fact.evidence, zone), id], "words"),
    ]
    return _table_row(_FACTS, cells, anchor)


def _span(fact: Fact, zone: tzinfo) -> str:
    if fact.valid_from is None and fact.valid_to is None:
        return "no dates"
    begin = "unknown start"
    if fact.valid_from is not None:
        begin = f"from {moment_text(fact.valid_from.replace(microsecond=0), zone, fact.precision)}"
    end = "no end" if fact.valid_to is None else f"until {_second(fact.valid_to, zone)}"
    return f"{markup_of(begin)} <br>{markup_of(end)}"


def _evidence(evidence: Sequence[Evidence], zone: tzinfo) -> str:
    quotes = [_quote(one, zone) for one in reversed(evidence)]
    shown, folded = quotes[:_QUOTES], quotes[_QUOTES:]
    if folded:
        shown.append(element("details", [element("summary", f"{len(folded):,} earlier"), *folded]))
    return "".join(shown)


def _quote(one: Evidence, zone: tzinfo) -> str:
    where = f"{_second(one.said_at, zone)}, {line_of(one.source, 100)}, seq\N{NO-BREAK SPACE}{one.seq}"
    if not one.quote:
        return element("div", markup_of(f"written {where}"), class_="where")
    return element("blockquote", [_told(one.quote), " ", element("span", markup_of(where), class_="where")])


def _statements(statements: Sequence[Statement], zone: tzinfo) -> str:
    if not statements:
        return ""
    rows = [_statement(one, zone) for one in statements]
    heading = element("h2", "What was taken away", id="taken")
    return element("section", [heading, _table("What was taken away", _STATEMENTS, rows)], aria_labelledby="taken")


def _statement(one: Statement, zone: tzinfo) -> str:
    quote = element("blockquote", _told(one.quote)) if one.quote else ""
    cells = [
        ([_sign(mark_of(one)), markup_of(one.kind)], "status"),
        ([_told(slot_text(one.subject, one.predicate)), ": ", _value(statement_value(one))], "value"),
        (markup_of(_second(one.said_at, zone)), "time"),
        (markup_of(force_text(one)), "status"),
        ([quote, element("div", markup_of(one.id), class_="id")], "words"),
    ]
    return _table_row(_STATEMENTS, cells, f"statement-{one.id}")


def _table(name: str, header: Sequence[str], rows: Iterable[str]) -> str:
    """Give a table; the roles stay what they are where a narrow page stacks its cells."""
    top = element("tr", [element("th", markup_of(one), scope="col", role="columnheader") for one in header], role="row")
    parts = [element("thead", top, role="rowgroup"), element("tbody", rows, role="rowgroup")]
    return element("table", parts, role="table", aria_label=name)


def _table_row(header: Sequence[str], cells: Sequence[tuple[Sequence[str], str]], anchor: str | None) -> str:
    found = [
        element("td", inside, class_=kind, role="cell", data_name=name)
        for name, (inside, kind) in zip(header, cells, strict=True)
    ]
    return element("tr", found, id=anchor, role="row")


def _second(moment: datetime, zone: tzinfo) -> str:
    return moment_text(moment.replace(microsecond=0), zone)


def _value(value: str) -> str:
    if len(value) <= _LONG:
        return _told(value)
    return element("details", [element("summary", _told(line_of(value, _LONG))), _told(value)])


def _sign(mark: Mark) -> str:
    drawn = element("path", d=mark.path)
    return element("svg", drawn, class_="sign", viewBox="-7 -7 14 14", aria_hidden="true")


def _told(text: str) -> str:
    """Give what somebody said: in a direction of its own, and never markup."""
    return element("bdi", markup_of(text), dir="auto")

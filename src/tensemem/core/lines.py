"""One fact as text: what is told of it, and the line that says so.

A line says what is known and since when, never how old that is: the same fact always gives the same bytes, so that
prompt caches keep working and an echo of the line is recognised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from ..model.fact import Fact, FactStatus
from .fence import neutralise, one_line, visible

LONGEST_VALUE = 500
"""Characters of a value that are shown; a longer one ends in `…`."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told of one fact, fit for any format: on one line, nothing hidden, of bounded length.

    ``dates`` are pairs such as ``("last_said", "2026-02-01")``. ``marks`` are pairs of a flag and what more there is
    to say about it, such as ``("paraphrased", "")``.
    """

    subject: str
    predicate: str
    value: str
    dates: tuple[tuple[str, str], ...]
    marks: tuple[tuple[str, str], ...]


def rendered_lines_of(fact: Fact, many: bool, *, zone: tzinfo = UTC, tag: str = "tensemem-000000") -> tuple[str, ...]:
    """Return the lines the renderer prints for a fact in markdown, wherever in the text it stands.

    The fact alone does not say which newer statement contests it: such a line differs in this mark. Lines printed
    before its last statement differ in the dates. `echo_key` looks past both. ``many`` tells whether the predicate is
    many-valued; ``zone`` and ``tag`` are those of the rendering.
    """
    return (markdown_line(tell(fact, many=many, zone=zone), tag),)


def echo_key(skeleton: str) -> str | None:
    """Return what a rendered line, given as its `line_skeleton`, says apart from dates and marks.

    Two lines about one value of one attribute have equal keys, whenever they were printed. A line without dates as the
    renderer writes them, such as an ordinary "lives in: Delhi", has none (None).
    """
    found = _DETAILS.search(skeleton)
    return skeleton[: found.start()] if found else None


def markdown_line(telling: Telling, tag: str) -> str:
    """Return the line of one fact: `- lives_in: Bangalore (since 2026-01-10; last said 2026-02-01)`."""
    about = [] if telling.subject == "user" else [_label(telling.subject)]
    name = " · ".join([*about, _label(telling.predicate)])
    details = "; ".join(f"{_words(key)} {text}" for key, text in telling.dates)
    marks = "".join(f" [{_words(key)}{': ' if text else ''}{text}]" for key, text in telling.marks)
    # The line as a whole, for an imitation of the fence might be spread over its parts.
    return neutralise(f"- {name}: {_unmistakable(telling.value)} ({details}){marks}", tag)


def tell(fact: Fact, *, many: bool, newer: str | None = None, zone: tzinfo = UTC) -> Telling:
    """Return what is told of a fact. ``newer`` is the value that a newer statement in the same slot gives, if known."""
    return Telling(
        subject=shown(fact.subject, 100),
        predicate=shown(fact.predicate, 100),
        value=shown(fact.object, LONGEST_VALUE) or "(no value)",
        dates=tuple(_dates(fact, zone)),
        marks=tuple(_marks(fact, many, newer)),
    )


def shown(text: str, limit: int) -> str:
    """Return the text on one line with nothing hidden in it, cut visibly after ``limit`` characters."""
    window = text[: 8 * limit]  # what is invisible there makes room for what follows, but not without end
    is_plain = window.isascii() and window.isprintable()  # as nearly all are: nothing hidden, one line
    line = window.strip() if is_plain else one_line(visible(window)).strip()
    if len(line) <= limit and len(window) == len(text):
        return line
    return line[: limit - 1].rstrip() + "…"


def _dates(fact: Fact, zone: tzinfo) -> list[tuple[str, str]]:
    said = _day(fact.last_evidence_at, zone).isoformat()
    begins = None if fact.valid_from is None else _period(_day(fact.valid_from, zone), fact.precision)
    dates: list[tuple[str, str]] = []
    if fact.status is FactStatus.PLANNED:
        dates.append(("planned_for", begins or "an unknown date"))
    elif begins is not None:
        dates.append(("from" if fact.status is FactStatus.SCHEDULED else "since", begins))
    if fact.valid_to is not None:
        # The end is excluded; people name the last day that is covered.
        dates.append(("until", _day(_just_before(fact.valid_to), zone).isoformat()))
    if said != begins:
        dates.append(("last_said", said))
    return dates


def _just_before(when: datetime) -> datetime:
    try:
        return when - timedelta(microseconds=1)
    except OverflowError:  # the first moment of the calendar
        return when


def _day(when: datetime, zone: tzinfo) -> date:
    try:
        return when.astimezone(zone).date()
    except OverflowError:  # the first or the last day of the calendar
        return when.date()


def _period(day: date, precision: str) -> str:
    """Return a start as precisely as it is known: "in 2015" does not become the first of January."""
    match precision:
        case "decade":
            return f"{day.year // 10 * 10:04}s"
        case "year":
            return f"{day.year:04}"
        case "quarter":
            return f"{day.year:04}-Q{(day.month + 2) // 3}"
        case "month":
            return f"{day.year:04}-{day.month:02}"
        case _:
            return day.isoformat()


def _marks(fact: Fact, many: bool, newer: str | None) -> list[tuple[str, str]]:
    marks: list[tuple[str, str]] = []
    if fact.contested and fact.status is FactStatus.ACTIVE:
        marks.append(("contested", _doubt(many, newer)))
    if fact.due_for_review and fact.status is FactStatus.ACTIVE:
        marks.append(("due_for_review", ""))
    if fact.paraphrased:
        marks.append(("paraphrased", ""))
    if fact.status in _ENDED:
        marks.append((fact.status.value, _ENDED[fact.status]))
    return marks


def _doubt(many: bool, newer: str | None) -> str:
    if many:
        return "may no longer hold"  # one value of many is not contested by another one
    if newer is None:
        return ""
    return f'a newer statement says "{shown(newer, 80)}" and waits for review'


_ENDED = {
    FactStatus.RETRACTED: "",
    FactStatus.EXPIRED: "",
    FactStatus.OVERRIDDEN: "",
    FactStatus.CORRECTED: "was never true",
    FactStatus.DENIED: "was never true",
}
_DATES = "since|until|last said|planned for|from"
_MARKS = "|".join(("contested", "due for review", "paraphrased", *(status.value for status in _ENDED)))
_DETAILS = re.compile(rf" \((?:{_DATES}) [^()]*\)(?: \[(?:{_MARKS}).*)?$")
# A value that might be read as what the renderer says about it, and a name that might be read as two.
_MISTAKABLE_VALUE = re.compile(rf'^"| *(?:\((?:{_DATES}) |\[(?:{_MARKS}))', re.IGNORECASE)
_MISTAKABLE_NAME = re.compile(r'^"|: | ·|· |:$')


def _unmistakable(value: str) -> str:
    return _quoted(value) if _MISTAKABLE_VALUE.search(value) else value


def _label(name: str) -> str:
    return _quoted(name) if _MISTAKABLE_NAME.search(name) else name


def _quoted(text: str) -> str:
    escaped = text.replace('"', r"\"")
    return f'"{escaped}"'


def _words(key: str) -> str:
    return key.replace("_", " ")

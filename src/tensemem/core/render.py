"""Facts as text for a prompt: fenced, within a budget, the same bytes for the same state.

The text is a function of the material alone. It holds dates but no ages and no clock, so it stays as it is until the
state changes. Which facts a budget leaves out is decided here too, and told in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cache
from itertools import groupby
from typing import Literal

from ..model.fact import Fact
from ..model.moment import FOREVER, to_moment
from .formats import FORMATS, Format, Section
from .lines import LONGEST_VALUE, echo_key, rendered_lines_of, shown, tell
from .text import comparison_key

__all__ = ["Material", "Rendered", "echo_key", "render", "rendered_lines_of"]


@dataclass(frozen=True, slots=True)
class Material:
    """Everything a text may speak of, from one snapshot.

    ``facts`` are shown now, of one or several subjects. ``planned`` are plans and scheduled facts (``valid_from`` is
    their date; None: undated); ``due_plans`` are the ids of those whose date has passed. ``past`` is history, where it
    was asked for. ``many`` names the many-valued predicates. ``descriptions`` say what predicates mean; they are shown
    after the facts if there is room. ``scores``, by fact id, tell how well a fact answers a query: under a budget the
    best come first. Dates are told in ``zone``.
    """

    facts: tuple[Fact, ...]
    planned: tuple[Fact, ...] = ()
    candidates: tuple[Fact, ...] = ()
    past: tuple[Fact, ...] = ()
    due_plans: frozenset[str] = frozenset()
    many: frozenset[str] = frozenset()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text with the facts it shows, in its order, how many it leaves out, and what it costs."""

    text: str
    used: tuple[Fact, ...]
    omitted: int
    token_count: int


def render(
    material: Material,
    *,
    tag: str,
    format: Literal["markdown", "xml", "json"] = "markdown",
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int],
) -> Rendered:
    """Return the material as text; ``""`` where there is nothing to say, or no room to say anything.

    The order in which facts are given does not matter. ``max_tokens`` is for the whole text, the fence included; None
    sets no limit. Facts are then taken as long as they fit: by score, or else the user's, those of other subjects,
    plans, candidates, history; and the first value of every attribute before the second of any.
    """
    page = _Page(material, FORMATS[format](tag))
    count = cache(count_tokens)  # each text is counted once; what is kept goes with this call
    chosen = page.entries if max_tokens is None else _fitting(page, max_tokens, count)
    text = page.text(chosen)
    if max_tokens is not None and count(text) > max_tokens:
        text = ""  # not even the frame fits
    if text and len(chosen) == len(page.entries):
        text = _with_meanings(page, text, max_tokens, count)
    used = tuple(entry.fact for entry in sorted(chosen, key=_place)) if text else ()
    return Rendered(text, used, len(page.entries) - len(used), count(text))


@dataclass(frozen=True, slots=True)
class _Entry:
    """One fact: its section, its place among all, and which value of its slot in the section it is."""

    section: Section
    fact: Fact
    place: int
    nth: int


def _place(entry: _Entry) -> int:
    return entry.place


class _Page:
    """All that may be said, in order; makes texts of some of it, each line worked out once."""

    def __init__(self, material: Material, format: Format) -> None:
        self.material = material
        self.format = format
        self.entries = _entries(material)
        self._lines: dict[int, str] = {}
        self._candidates: dict[tuple[str, str], list[Fact]] = {}
        for fact in material.candidates:
            self._candidates.setdefault((fact.subject, fact.predicate), []).append(fact)

    def line(self, entry: _Entry) -> str:
        if entry.place not in self._lines:
            fact = entry.fact
            many = fact.predicate in self.material.many
            newer = self._newer(fact) if fact.contested else None
            told = tell(fact, many=many, newer=newer, zone=self.material.zone)
            self._lines[entry.place] = self.format.line(fact, told)
        return self._lines[entry.place]

    def text(self, chosen: Sequence[_Entry], *more_parts: str) -> str:
        if not self.entries:
            return ""
        parts = [
            self.format.part(section, [self.line(entry) for entry in entries])
            for section, entries in groupby(sorted(chosen, key=_place), key=lambda entry: entry.section)
        ]
        return self.format.whole([*parts, *more_parts], len(self.entries) - len(chosen))

    def _newer(self, fact: Fact) -> str | None:
        """Return the value that the newest candidate against the fact gives."""
        same = ("", _key(fact))
        rivals = [
            rival
            for rival in self._candidates.get((fact.subject, fact.predicate), ())
            if rival.last_evidence_at >= fact.last_evidence_at and _key(rival) not in same
        ]
        newest = max(rivals, key=lambda rival: (rival.last_evidence_at, rival.object), default=None)
        return None if newest is None else newest.object


def _entries(material: Material) -> list[_Entry]:
    """Return every fact once, in an order that does not depend on the material's."""
    told = {fact.id for fact in (*material.facts, *material.planned, *material.candidates)}
    sections: dict[Section, list[Fact]] = {
        Section.CURRENT: list(material.facts),
        Section.PLANNED: [plan for plan in material.planned if plan.id not in material.due_plans],
        Section.DUE: [plan for plan in material.planned if plan.id in material.due_plans],
        Section.UNCONFIRMED: list(material.candidates),
        Section.EARLIER: [fact for fact in material.past if fact.id not in told],
    }
    entries: list[_Entry] = []
    for section, facts in sections.items():
        facts.sort(key=_by_value if section is Section.CURRENT else _by_time)
        for _, slot in groupby(facts, key=lambda fact: (fact.subject, fact.predicate)):
            entries += [_Entry(section, fact, len(entries) + nth, nth) for nth, fact in enumerate(list(slot))]
    return entries


def _by_value(fact: Fact) -> tuple[object, ...]:
    return (fact.subject != "user", fact.subject, fact.predicate, _key(fact), fact.object, fact.id)


def _by_time(fact: Fact) -> tuple[object, ...]:
    start = FOREVER if fact.valid_from is None else to_moment(fact.valid_from)
    return (fact.subject != "user", fact.subject, fact.predicate, start, fact.object, fact.id)


def _key(fact: Fact) -> str:
    return comparison_key(fact.object[:LONGEST_VALUE])


def _fitting(page: _Page, max_tokens: int, count_tokens: Callable[[str], int]) -> list[_Entry]:
    """Return the entries that a budget has room for, the most wanted first.

    Lines are counted one by one, so the work is that of what is shown. How tokens run over line breaks is the counter's
    secret: the whole is counted in the end, and the least wanted entries go until it fits.
    """
    wanted = sorted(page.entries, key=lambda entry: _rank(entry, page.material.scores))
    chosen, is_all_seen = _affordable(page, wanted, max_tokens, count_tokens)
    if is_all_seen and count_tokens(page.text(wanted)) <= max_tokens:
        return wanted
    surplus = 1
    while chosen and count_tokens(page.text(chosen)) > max_tokens:
        chosen = chosen[:-surplus]
        surplus *= 2  # few counts, even for a counter that has no rule
    return chosen


def _affordable(
    page: _Page, wanted: Sequence[_Entry], max_tokens: int, count_tokens: Callable[[str], int]
) -> tuple[list[_Entry], bool]:
    """Return the entries whose lines seem to fit, and whether every entry was looked at."""
    left = max_tokens - count_tokens(page.format.whole([], len(wanted)))
    unopened = {section: count_tokens(page.format.part(section, [])) for section in Section}
    chosen: list[_Entry] = []
    misses = 0
    for entry in wanted:
        if left <= 0 or misses > _MISSES:
            return chosen, False
        cost = count_tokens(page.line(entry) + page.format.separator) + unopened.get(entry.section, 0)
        if cost > left:
            misses += 1
            continue
        left -= cost
        unopened.pop(entry.section, None)
        chosen.append(entry)
    return chosen, True


_MISSES = 50
"""Lines that may be too long before a shorter one is no longer looked for."""


def _rank(entry: _Entry, scores: Mapping[str, float]) -> tuple[float, int, int, bool, int]:
    """Return the order in which facts are wanted: see `render`. What is contested comes before what is not."""
    fact = entry.fact
    is_own = entry.section is Section.CURRENT and fact.subject == "user"
    rank = 0 if is_own else _RANKS[entry.section]
    return (-scores.get(fact.id, 0.0), rank, entry.nth, not fact.contested, entry.place)


_RANKS = {
    Section.CURRENT: 1,
    Section.PLANNED: 2,
    Section.DUE: 2,
    Section.UNCONFIRMED: 3,
    Section.EARLIER: 4,
}


def _with_meanings(page: _Page, text: str, max_tokens: int | None, count_tokens: Callable[[str], int]) -> str:
    """Return the text with what its predicates mean, or as it is where there is no room for that."""
    names = sorted({entry.fact.predicate for entry in page.entries})
    described = {name: page.material.descriptions.get(name, "").strip() for name in names}
    meanings = {shown(name, 100): shown(meaning, 200) for name, meaning in described.items() if meaning}
    if not meanings:
        return text
    longer = page.text(page.entries, page.format.meanings(meanings))
    return longer if max_tokens is None or count_tokens(longer) <= max_tokens else text

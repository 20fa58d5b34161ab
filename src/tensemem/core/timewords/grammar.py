"""The engine: a text becomes a row of items, and rules make larger items of smaller ones, pass by pass.

Each item has a category, and each category a character, so a row of items is a string too: a rule is a regular
expression over it, and matching runs at the speed of `re`. A pass goes once from left to right and never looks at what
it has just made, so it is linear in the number of items as long as every rule is of bounded length; `parse`
knows no unbounded repetition.

A rule's pattern is written in words:

    "count:count unit:unit ago"      three items; the first two are handed to the builder by name
    "the? month|month_soft"          optional, and one of several categories
    "( on the? )? day:ordinal"       groups; "( a | b )" is a choice
    "in [ bare:bare ]"               only what is between brackets is replaced (and quoted); the rest is looked at
    "!word"                          not followed by

Names such as `count` in the table MACROS stand for several categories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from .reading import Setting

CATEGORIES = (
    # what nothing is known about
    "word", "function", "punct", "measure", "break",
    "comma", "dot", "slash", "hyphen", "open", "close", "quote", "equals", "more",
    # numbers
    "small", "fullyear", "number", "decimal", "cardinal", "few", "hundred", "thousand", "ordinal", "ordinal_word", "a",
    "shortyear",
    # dates and clocks written in digits
    "written", "pair", "dotpair", "yearmonth", "hhmm", "stamp",
    # words of the language
    "the", "month", "month_soft", "month_low", "weekday", "weekday_soft", "unit", "clock_unit", "weekend", "relday",
    "now", "last", "next", "this", "each", "ago", "later", "in", "on", "at", "of", "for", "and", "or", "from", "since",
    "until", "before", "after", "between", "to", "by", "within", "part", "part_noun", "around", "season", "half_word",
    "fiscal", "calendar", "daypart", "ampm", "oclock", "holiday", "decade_word", "decade_suffix", "quarter_mark",
    "half_mark", "fiscal_mark", "week_mark", "ordinal_mark", "working", "onwards", "hence", "than", "earlier", "mark1",
    "mark2", "mark3", "relyear", "minute_word", "second_word", "half_part", "dayparted", "last_word", "year_part",
    "first_word", "roman", "month_part", "era", "day_word", "year_word", "month_word", "during", "past_word",
    "week_begin", "weekday_many", "own", "warmth",
    # what rules have made
    "date", "bare", "bareyear", "moment", "clock", "clocks", "found", "month_of", "offset",
)  # fmt: skip

_LETTERS = "".join(chr(code) for code in (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B)))
_LETTERS += "".join(chr(code) for code in range(0xC0, 0x100))
CODE = dict(zip(CATEGORIES, _LETTERS[: len(CATEGORIES)], strict=True))
"""The character of each category; all lie below U+0100, where `re` has its fastest tables."""

MACROS = {
    "count": "small|number|fullyear|cardinal|few|decimal|a",
    "whole": "small|number|cardinal",
    "day": "small|ordinal|ordinal_word|cardinal",
    "dayno": "small|ordinal|ordinal_word",
    "nth": "ordinal|ordinal_word",
    "year": "fullyear",
    "anymonth": "month|month_soft|month_low",
    "cuedmonth": "month|month_soft",
    "anyweekday": "weekday|weekday_soft",
    "two": "small|shortyear",
    "anyunit": "unit|year_word",
    "sep": "comma|hyphen|slash",
    "anchor": "date|bare|bareyear",
    "datelike": "date|bare",
    "rel": "last|next|this",
    "prep": "in|on|at|of|for|from|since|until|before|after|between|by|around|to",
}


class Item:
    """One piece of the row: its category's character, what it means, and where it stands in the text."""

    __slots__ = ("begin", "code", "stop", "value")

    def __init__(self, code: str, value: Any, begin: int, stop: int) -> None:
        self.code = code
        self.value = value
        self.begin = begin
        self.stop = stop


Made = tuple[str, Any]
"""A category and a value."""


class Values(dict[str, Any]):
    """The values that a rule has named; None for those that did not occur."""

    __slots__ = ()

    def __missing__(self, name: str) -> None:
        return None


Builder = Callable[[Setting, Values], "Made | None"]
"""Makes an item of the values a rule has named; None: this is no time after all."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over categories, and what to make of a match."""

    pattern: str
    build: Builder


class Pass:
    """Rules that are tried together, the first that fits winning; compiled once.

    For each category there is one expression of the rules that can begin with it, and most categories have none.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        compiled = [Compiled(rule) for rule in rules]
        self.rules = compiled
        self._by_first: dict[str, tuple[re.Pattern[str], list[Compiled]]] = {}
        for first in sorted({letter for rule in compiled for letter in rule.shape.first}):
            fitting = [rule for rule in compiled if first in rule.shape.first]
            self._by_first[first] = re.compile("|".join(f"({rule.shape.plain})" for rule in fitting)), fitting
        self._firsts = re.compile(f"[{''.join(self._by_first)}]")

    def run(self, setting: Setting, items: list[Item]) -> list[Item]:
        """Give the row with each match replaced by what was made of it."""
        codes = "".join([item.code for item in items])
        start = self._firsts.search(codes)
        if start is None:
            return items
        made: list[Item] = []
        done = 0
        while start is not None:
            at = start.start()
            whole = self._apply(setting, items, codes, at, done)
            if whole is None:
                start = self._firsts.search(codes, at + 1)
                continue
            item, begin, stop = whole
            made.extend(items[done:begin])
            made.append(item)
            done = stop
            start = self._firsts.search(codes, stop)
        made.extend(items[done:])
        return made

    def _apply(
        self, setting: Setting, items: list[Item], codes: str, at: int, done: int
    ) -> tuple[Item, int, int] | None:
        scan, rules = self._by_first[codes[at]]
        found = scan.match(codes, at)
        if found is None:
            return None
        for rule in rules[(found.lastindex or 1) - 1 :]:
            match = rule.pattern.match(codes, at)
            if match is None:
                continue
            values = {name: items[match.start(name)].value for name in rule.names if match.start(name) >= 0}
            try:
                result = rule.build(setting, Values(values))
            except (OverflowError, ValueError):  # beyond the calendar, or no such day: no time
                result = None
            if result is not None:
                start, stop = match.span("q") if rule.is_partial else match.span()
                if rule.takes_article and start > done and codes[start - 1] == ARTICLE:
                    start -= 1
                category, value = result
                return Item(CODE[category], value, items[start].begin, items[stop - 1].stop), start, stop
        return None


ARTICLE = CODE["the"]


class Compiled:
    """A rule ready to be matched.

    A pattern that begins with ``the?`` is tried from its second item on, and takes an article before it when it has
    matched: articles are frequent, and rules that begin with one would all be tried at each of them.
    """

    __slots__ = ("build", "is_partial", "names", "pattern", "shape", "takes_article")

    def __init__(self, rule: Rule) -> None:
        self.takes_article = rule.pattern.startswith("the? ")
        self.shape = parse(rule.pattern.removeprefix("the? "))
        self.pattern = _compiled(self.shape.named)
        self.names = [name for name in self.pattern.groupindex if name != "q"]
        self.is_partial = "q" in self.pattern.groupindex
        self.build = rule.build


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@dataclass(frozen=True, slots=True)
class Shape:
    """A part of a pattern as a regular expression, with and without names, and what it can begin with."""

    named: str
    plain: str
    first: frozenset[str]
    optional: bool


_TOKEN = re.compile(r"(?P<ahead>!)?(?:(?P<name>[a-z_0-9]+):)?(?P<what>[a-z_0-9|]+)(?P<maybe>\?)?")


def parse(pattern: str) -> Shape:
    """Give the regular expression over categories' characters that a pattern stands for."""
    tokens = pattern.split()
    shape, stop = _choice(tokens, 0)
    if stop != len(tokens):
        raise ValueError(f"{pattern!r} closes what it did not open")
    return shape


def _choice(tokens: list[str], at: int) -> tuple[Shape, int]:
    shape, at = _row(tokens, at)
    choices = [shape]
    while at < len(tokens) and tokens[at] == "|":
        shape, at = _row(tokens, at + 1)
        choices.append(shape)
    if len(choices) == 1:
        return choices[0], at
    return Shape(
        "|".join(choice.named for choice in choices),
        "|".join(choice.plain for choice in choices),
        frozenset().union(*(choice.first for choice in choices)),
        any(choice.optional for choice in choices),
    ), at


def _row(tokens: list[str], at: int) -> tuple[Shape, int]:
    parts: list[Shape] = []
    while at < len(tokens) and tokens[at] not in {"|", ")", ")?", "]"}:
        if tokens[at] in {"(", "["}:
            part, end = _choice(tokens, at + 1)
            parts.append(_closed(part, tokens[at], tokens[end]))
            at = end
        else:
            parts.append(_one(tokens[at]))
        at += 1
    first: frozenset[str] = frozenset()
    for part in parts:
        first |= part.first
        if not part.optional:
            break
    return Shape(
        "".join(part.named for part in parts),
        "".join(part.plain for part in parts),
        first,
        all(part.optional for part in parts),
    ), at


def _closed(part: Shape, opened: str, closed: str) -> Shape:
    if opened == "[":
        return Shape(f"(?P<q>{part.named})", f"(?:{part.plain})", part.first, part.optional)
    maybe = "?" if closed == ")?" else ""
    return Shape(f"(?:{part.named}){maybe}", f"(?:{part.plain}){maybe}", part.first, part.optional or bool(maybe))


def _one(token: str) -> Shape:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(f"{token!r} is no part of a pattern")
    among = letters_of(match["what"])
    letters, maybe = f"[{among}]", match["maybe"] or ""
    if match["ahead"]:
        return Shape(f"(?!{letters})", f"(?!{letters})", frozenset(), True)
    named = f"(?P<{match['name']}>{letters})" if match["name"] else letters
    return Shape(named + maybe, letters + maybe, frozenset(among), bool(maybe))


def letters_of(what: str) -> str:
    """Give the characters of categories written as ``"a|b"``; macros are opened."""
    return "".join(CODE[name] for macro in what.split("|") for name in MACROS.get(macro, macro).split("|"))

"""The engine: a text becomes a row of items, and rules make larger items of smaller ones, pass by pass.

Each item has a category, and each category a character, so a row of items is a string too: a rule is a regular
expression over it, and matching runs at the speed of `re`. A pass goes once from left to right and never looks at what
it has just made, so it is linear in the number of items as long as every rule is of bounded length; `compile_rule`
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .reading import Setting

CATEGORIES = (
    # what nothing is known about
    "word", "function", "punct", "bracket", "measure", "break",
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
    "mark2", "mark3", "era", "day_word", "year_word", "month_word", "during", "past_word", "week_begin",
    # what rules have made
    "date", "bare", "bareyear", "moment", "clock", "clockish", "clocks", "found", "month_of", "offset",
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

Builder = Callable[[Setting, Mapping[str, Any]], "Made | None"]
"""Makes an item of the values a rule has named; None: this is no time after all."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over categories, and what to make of a match."""

    pattern: str
    build: Builder


class Pass:
    """Rules that are tried together, the first that fits winning; compiled once."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = [(re.compile(compile_rule(rule.pattern)), rule.build) for rule in rules]
        self.scan = re.compile("|".join(f"({compile_rule(rule.pattern, named=False)})" for rule in rules))

    def run(self, setting: Setting, items: list[Item]) -> list[Item]:
        """Give the row with each match replaced by what was made of it."""
        codes = "".join([item.code for item in items])
        found = self.scan.search(codes)
        if found is None:
            return items
        made: list[Item] = []
        done = 0
        while found is not None:
            at = found.start()
            whole = self._apply(setting, items, codes, at, found.lastindex or 1)
            if whole is None:
                found = self.scan.search(codes, at + 1)
                continue
            item, start, stop = whole
            made.extend(items[done:start])
            made.append(item)
            done = stop
            found = self.scan.search(codes, stop)
        made.extend(items[done:])
        return made

    def _apply(
        self, setting: Setting, items: list[Item], codes: str, at: int, index: int
    ) -> tuple[Item, int, int] | None:
        for pattern, build in self.rules[index - 1 :]:
            match = pattern.match(codes, at)
            if match is None:
                continue
            values = {
                name: items[match.start(name)].value if match.start(name) >= 0 else None for name in pattern.groupindex
            }
            try:
                result = build(setting, values)
            except (OverflowError, ValueError):  # beyond the calendar, or no such day: no time
                result = None
            if result is not None:
                start, stop = match.span("q") if "q" in pattern.groupindex else match.span()
                category, value = result
                return Item(CODE[category], value, items[start].begin, items[stop - 1].stop), start, stop
        return None


_TOKEN = re.compile(r"(?P<ahead>!)?(?:(?P<name>[a-z_0-9]+):)?(?P<what>[a-z_0-9|]+)(?P<maybe>\?)?")


def compile_rule(pattern: str, *, named: bool = True) -> str:
    """Give the regular expression over categories' characters that a pattern stands for."""
    parts = []
    for token in pattern.split():
        if token in {"(", "|", ")", ")?"}:
            parts.append("(?:" if token == "(" else token)
        elif token in {"[", "]"}:
            parts.append(("(?P<q>" if named else "(?:") if token == "[" else ")")
        else:
            parts.append(_one(token, named))
    return "".join(parts)


def _one(token: str, named: bool) -> str:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(f"{token!r} is no part of a pattern")
    letters = f"[{letters_of(match['what'])}]"
    if match["ahead"]:
        return f"(?!{letters})"
    if match["name"] and named:
        letters = f"(?P<{match['name']}>{letters})"
    return letters + (match["maybe"] or "")


def letters_of(what: str) -> str:
    """Give the characters of categories written as ``"a|b"``; macros are opened."""
    return "".join(CODE[name] for macro in what.split("|") for name in MACROS.get(macro, macro).split("|"))

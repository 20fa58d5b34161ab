"""What is common to all kinds of slots: a value found, and how far it may reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...model.predicate import Predicate
from .language import Language, phrase_at
from .timing import Timed
from .tokens import Token

MOST_IN_A_NAME = 6


class Found(NamedTuple):
    """A value, the tokens it covers, and where it stops."""

    value: Any
    begin: int
    stop: int


@dataclass(frozen=True)
class Reading:
    """Where a value is looked for: tokens of one sentence, up to a limit, in a language, for a predicate."""

    text: str
    tokens: Sequence[Token]
    limit: int
    language: Language
    predicate: Predicate
    times: Mapping[int, Timed]
    is_bounded: bool = False
    start: int = 0

    def surface(self, begin: int, stop: int) -> str:
        """Give the text of tokens as it stands."""
        first, last = self.tokens[begin].begin, self.tokens[stop - 1].stop
        # The full stop of an abbreviation belongs to it: "Apple Inc.", "Washington, D.C."
        is_short = self.text[last : last + 1] == "." and _SHORT.search(self.text, max(first, last - 5), last)
        return self.text[first : last + 1 if is_short else last]

    def ends_at(self, place: int) -> bool:
        """Whether a value certainly ends before a token: at the limit, at punctuation, a time, a stop."""
        if place >= self.limit:
            return True
        token = self.tokens[place]
        if token.kind in "q|" or (token.kind == "p" and token.low not in INNER):
            return True
        return place in self.times or phrase_at(self.language.stopping, self.tokens, place) is not None

    def follows(self, place: int) -> bool:
        """Whether what stands at a place may follow a finished name."""
        if self.is_bounded or self.ends_at(place):
            return True
        lists = self.language.words_of
        low = self.tokens[place].low
        return (
            low in lists["conjunctions"]
            or low in lists["joiners"]
            or phrase_at(self.language.following, self.tokens, place) is not None
            or phrase_at(self.language.skips, self.tokens, place) is not None
            or phrase_at(self.language.behind, self.tokens, place) is not None
        )


_SHORT = re.compile(r"(?:[A-Z](?:\.[A-Z])+|\b(?:Inc|Ltd|Co|Corp|Jr|Sr|Bros))$")


INNER = frozenset("&+/'’-–·・’")


Kind = Callable[[Reading, int], "Found | None"]


def without_articles(reading: Reading, place: int) -> int:
    lists = reading.language.words_of
    begin = place
    while begin < reading.limit and begin - place < 3:
        skipped = phrase_at(reading.language.skips, reading.tokens, begin)
        if skipped is not None and skipped[1] == "" and skipped[0] < reading.limit:
            begin = skipped[0]
        elif reading.tokens[begin].low in lists["articles"] and not _is_of_a_name(reading, begin):
            begin += 1
        else:
            break
    return begin


def _is_of_a_name(reading: Reading, place: int) -> bool:
    """Whether an article has a capital in the middle of a sentence: "The Beatles"."""
    after = place + 1
    return place > 0 and reading.tokens[place].is_capital and after < reading.limit and reading.tokens[after].is_capital


def may_begin(reading: Reading, begin: int) -> bool:
    token = reading.tokens[begin]
    lists = reading.language.words_of
    return token.kind in "wcnx" and not any(token.low in lists[name] for name in ("empties", "my", "me", "group"))


def begins_clause(reading: Reading, place: int) -> bool:
    if place >= reading.limit:
        return True
    lists = reading.language.words_of
    low = reading.tokens[place].low
    return (
        low in lists["me"]
        or low in lists["my"]
        or low in lists["group"]
        or low in lists["empties"]
        or (reading.language.knows_verb(low))
    )


def covering(reading: Reading, begin: int, stop: int) -> Found | None:
    return Found(reading.surface(begin, stop), begin, stop) if stop > begin else None


def listed_word(reading: Reading, place: int, known: frozenset[str]) -> Found | None:
    """Give the longest listed name at a place."""
    key = ""
    best = 0
    for at in range(place, min(reading.limit, place + 5)):
        token = reading.tokens[at]
        glue = "" if token.kind == "c" or not key or token.begin == reading.tokens[at - 1].stop else " "
        key += glue + token.low
        if key in known:
            best = at + 1
    return covering(reading, place, best) if best else None

"""Slots of any words: a short text, a noun phrase, a rule, the rest of a sentence, a subject."""

from __future__ import annotations

from collections.abc import Mapping

from . import lexicon
from .language import phrase_at
from .slots import MOST_IN_A_NAME, Found, Reading, begins_clause, covering, listed_word, may_begin, without_articles
from .tokens import words_in

MOST_WORDS = 8
"""Words a value of plain text may have."""


MOST_CHARACTERS = 14
"""Characters it may have in a script written without spaces."""


def any_text(reading: Reading, place: int) -> Found | None:
    """Any words up to a border: for what has no form of its own."""
    return unspaced_text(reading, place) if reading.language.unspaced else _spaced_text(reading, place)


def _spaced_text(reading: Reading, place: int) -> Found | None:
    begin = without_articles(reading, place)
    lists = reading.language.words_of
    if reading.ends_at(begin) or not may_begin(reading, begin):
        return None
    stop = begin
    while stop < reading.limit and not (stop > begin and _text_ends(reading, stop)):
        stop += 1
        if stop - begin > (MOST_WORDS if not reading.is_bounded else 3 * MOST_WORDS):
            return None
    stop = with_apposition(reading, stop)
    while stop > begin and _is_loose(reading, stop - 1, lists):
        stop -= 1
    if any(token.low in _YOU for token in reading.tokens[begin:stop]):
        return None
    return covering(reading, begin, stop)


_YOU = words_in("you your yours u dich dir dein deine deinen euch te tu tus ti usted 你 您")
"""Who speaks to somebody tells no taste of their own: "I enjoy working with you"."""
_SHORT_THINGS = frozenset("辣甜酸苦茶酒花书歌雨雪海山她他")


def _text_ends(reading: Reading, place: int) -> bool:
    if reading.ends_at(place):
        return True
    lists = reading.language.words_of
    token = reading.tokens[place]
    if token.low in lists["conjunctions"] and token.low not in lists["joiners"]:
        return True
    if token.low in lists["joiners"]:
        return reading.predicate.is_many or begins_clause(reading, place + 1)
    skipped = phrase_at(reading.language.behind, reading.tokens, place)
    if skipped is not None:
        return True
    trailing = phrase_at(reading.language.skips, reading.tokens, place)
    return trailing is not None and reading.ends_at(trailing[0])


def _is_loose(reading: Reading, place: int, lists: Mapping[str, frozenset[str]]) -> bool:
    token = reading.tokens[place]
    return token.kind == "p" or token.low in lists["connectors"] or token.low in lists["joiners"]


def with_apposition(reading: Reading, stop: int) -> int:
    """Go on behind a comma where a name does: "Portland, Oregon", "Hall, Baron Hall of Birkenhead", "D.C."."""
    if reading.predicate.is_many or stop + 1 >= reading.limit or reading.tokens[stop].low != ",":
        return stop
    if not reading.tokens[stop - 1].is_capital:
        return stop
    at = stop + 1
    while at < reading.limit and at - stop <= MOST_IN_A_NAME and _is_in_name(reading, at, at == stop + 1):
        at += 1
    is_whole = reading.ends_at(at) and at > stop + 1 and (at >= reading.limit or reading.tokens[at].low != ",")
    return at if is_whole and at not in reading.times else stop


def _is_in_name(reading: Reading, place: int, is_first: bool) -> bool:
    token = reading.tokens[place]
    if place in reading.times or token.low in reading.language.words_of["me"]:
        return False
    return token.is_capital or (not is_first and token.low in reading.language.words_of["connectors"])


def unspaced_text(reading: Reading, place: int) -> Found | None:
    begin = place
    articles = reading.language.words_of["articles"]
    while begin < reading.limit and reading.tokens[begin].low in articles:
        begin += 1
    if reading.ends_at(begin) or not may_begin(reading, begin):
        return None
    stop = begin
    while stop < reading.limit and not (stop > begin and _unspaced_ends(reading, stop)):
        stop += 1
        if stop - begin > MOST_CHARACTERS:
            return None
    is_short = stop - begin == 1 and reading.tokens[begin].kind == "c"
    if is_short and reading.tokens[begin].low not in _SHORT_THINGS and reading.tokens[begin].low not in lexicon.ANIMALS:
        return None
    if any(token.low in _YOU for token in reading.tokens[begin:stop]):
        return None
    return covering(reading, begin, stop)


def _unspaced_ends(reading: Reading, place: int) -> bool:
    if reading.ends_at(place):
        return True
    low = reading.tokens[place].low
    lists = reading.language.words_of
    if low in lists["joiners"]:
        return reading.predicate.is_many
    return phrase_at(reading.language.behind, reading.tokens, place) is not None


def noun_phrase(reading: Reading, place: int) -> Found | None:
    """A noun phrase of up to five words: for a trade after "I work as a"."""
    found = any_text(reading, place)
    if found is not None and not reading.language.unspaced:
        stop = found.begin + 1
        while stop < found.stop and reading.tokens[stop].low not in _PREPOSITIONS:
            stop += 1
        found = covering(reading, found.begin, stop)
    return (
        found
        if found is not None and found.stop - found.begin <= (5 if not reading.language.unspaced else 10)
        else None
    )


_PREPOSITIONS = words_in(
    """at for in with by from on near and but while during here now bei beim in im am an für und aber seit mit en
        para con por y desde pero"""
)


def the_rest(reading: Reading, place: int) -> Found | None:
    """All that is left of the sentence."""
    stop = reading.limit
    colons = [at for at in range(place, stop) if reading.tokens[at].low in ":："]
    place = colons[0] + 1 if colons else place
    while stop > place and reading.tokens[stop - 1].kind == "p":
        stop -= 1
    return covering(reading, place, stop)


def rule(reading: Reading, place: int) -> Found | None:
    """What is done with branches, from the word that says always or never on: the whole clause."""
    begin = reading.start
    lists = reading.language.words_of
    while begin < place and reading.tokens[begin].low in lists["group"]:
        begin += 1
    stop = begin
    while stop < reading.limit and reading.tokens[stop].low not in _CLAUSE_ENDS:
        stop += 1
    words = {token.low for token in reading.tokens[begin:stop]}
    whole = reading.surface(begin, stop).casefold() if stop > begin else ""
    is_rule = bool(words & lexicon.RULE_WORDS) or any(word in whole for word in lexicon.RULE_SIGNS)
    is_binding = bool(words & lexicon.BINDING) or any(word in whole for word in lexicon.BINDING_SIGNS)
    return covering(reading, begin, stop) if is_rule and is_binding and stop - begin <= 40 and stop > place else None


def avoided(reading: Reading, place: int) -> Found | None:
    """What somebody doesn't eat, with the words that say so: "don't eat pork or beef"."""
    begin = reading.start
    while begin < place and reading.tokens[begin].low in reading.language.words_of["me"]:
        begin += 1
    stop = place
    while stop < reading.limit and (
        listed_word(reading, stop, lexicon.FOODS) is not None
        or (stop > place and reading.tokens[stop].low in _OR and stop + 1 < reading.limit)
    ):
        found = listed_word(reading, stop, lexicon.FOODS)
        stop = stop + 1 if found is None else found.stop
    return covering(reading, begin, stop) if stop > place and reading.follows(stop) else None


_OR = words_in("or and nor ni o y oder und noch")


_CLAUSE_ENDS = frozenset(",;，；。")


def one_word(reading: Reading, place: int) -> Found | None:
    if place >= reading.limit or reading.tokens[place].kind not in "wnx":
        return None
    return covering(reading, place, place + 1) if reading.follows(place + 1) else None


def named_subject(reading: Reading, place: int) -> Found | None:
    """Whatever a ``{subject}`` may be: words up to what stands behind it; no pronoun, no stranger without a name."""
    lists = reading.language.words_of
    if not reading.is_bounded or reading.limit - place > 3 * MOST_WORDS:
        return None
    begin = place
    if begin < reading.limit and reading.tokens[begin].low in lists["articles"] and reading.limit - begin > 1:
        begin += 0 if reading.tokens[begin].is_capital else 1
    covered = reading.tokens[begin : reading.limit]
    if not covered or any(token.kind in "q|" for token in covered) or covered[0].kind == "p":
        return None
    head = covered[0].low
    if head in lists["empties"] and not covered[0].is_capital:
        return None
    if len(covered) == 1 and head in lists["empties"]:
        return None
    return covering(reading, begin, reading.limit)


def anything(reading: Reading, place: int) -> Found | None:
    """Up to five words that don't matter."""
    if not reading.is_bounded or reading.limit - place > 7:
        return None
    for at in range(place, reading.limit):
        token = reading.tokens[at]
        is_clause = at > place and reading.tokens[at - 1].low in reading.language.words_of["conjunctions"]
        if token.kind == "p" or (is_clause and begins_clause(reading, at)):
            return None
    return Found("", place, reading.limit)

"""Slots of names: places, people, employers, schools. Words with capitals, or listed ones."""

from __future__ import annotations

import re

from ...core.text import comparison_key
from . import lexicon
from .language import phrase_at
from .slot_text import unspaced_text, with_apposition
from .slots import INNER, MOST_IN_A_NAME, Found, Reading, covering, listed_word, may_begin
from .tokens import words_in


def _proper(reading: Reading, place: int, *, known: frozenset[str] = frozenset(), strict: bool = True) -> Found | None:
    """A run of words with capitals, or a known name; in an unspaced script, text that doesn't look like a phrase."""
    if reading.language.unspaced:
        return _unspaced_name(reading, place, known)
    begin = place
    lists = reading.language.words_of
    if begin < reading.limit and reading.tokens[begin].low in lists["articles"]:
        if reading.tokens[begin].low in _INDEFINITE:
            return None
        begin += 1
        if begin >= reading.limit or not reading.tokens[begin].is_capital:
            return None
    listed = listed_word(reading, begin, known) if known else None
    stop = _capitals(reading, begin)
    if listed is not None and listed.stop >= stop:
        return listed if reading.follows(listed.stop) else None
    if stop == begin or not may_begin(reading, begin):
        return None
    return covering(reading, begin, stop) if not strict or reading.follows(stop) else None


_INDEFINITE = words_in("""a an some any my ein eine einen einem einer ne nen un una unos unas algún alguna""")


def _capitals(reading: Reading, begin: int) -> int:
    """Give where a run of capitalised words ends; small words such as "of" may stand inside, marks join."""
    stop = at = begin
    lists = reading.language.words_of
    while at < reading.limit and at - begin <= MOST_IN_A_NAME and at not in reading.times:
        token = reading.tokens[at]
        if token.is_capital or (token.kind == "n" and at > begin):
            if token.low in lists["me"] and at > begin:
                break
            stop = at = at + 1
        elif token.low == "'s" and at == stop > begin and (at + 1 >= reading.limit or reading.ends_at(at + 1)):
            stop = at = at + 1
        elif (at > begin and (token.low in lists["connectors"] or (token.kind == "p" and token.low in INNER))) or (
            token.low == "'s" and at > begin and at + 1 < reading.limit and reading.tokens[at + 1].is_capital
        ):
            at += 1
        else:
            break
    return stop


def _unspaced_name(reading: Reading, place: int, known: frozenset[str]) -> Found | None:
    listed = None
    while place < reading.limit and reading.tokens[place].low in reading.language.words_of["articles"]:
        place += 1
    for at in range(min(reading.limit, place + 8), place, -1):
        if known and "".join(token.low for token in reading.tokens[place:at]) in known:
            listed = covering(reading, place, at)
            break
    if listed is not None and (reading.is_bounded or name_may_end(reading, listed.stop)):
        return listed
    found = unspaced_text(reading, place)
    if found is None:
        return None
    covered = reading.tokens[found.begin : found.stop]
    lists = reading.language.words_of
    if any(token.low in lists["near"] for token in covered) or covered[0].kind == "n":
        return None
    return found if 2 <= len(covered) <= 10 or covered[0].kind == "w" else None


def name_may_end(reading: Reading, place: int) -> bool:
    return reading.follows(place) or reading.tokens[place].low in "市省区县州的郊"


def place_name(reading: Reading, place: int) -> Found | None:
    known = lexicon.PLACES
    found = _proper(reading, place, known=known)
    if found is None or reading.language.unspaced:
        return found
    key = comparison_key(found.value)
    if key in lexicon.NO_PLACES or key in lexicon.ZONES or _is_month_or_day(key) or re.search(r"\d", key):
        return None
    has_article = found.begin > place and reading.language.nouns_are_capital
    if has_article and key not in lexicon.PLACES:
        return None
    stop = with_apposition(reading, found.stop)
    return covering(reading, found.begin, stop)


def _is_month_or_day(key: str) -> bool:
    return key in lexicon.CALENDAR


def known_place(reading: Reading, place: int) -> Found | None:
    """A place that is listed, where the words around it say too little by themselves."""
    found = place_name(reading, place)
    return found if found is not None and comparison_key(found.value) in lexicon.PLACES else None


def name(reading: Reading, place: int) -> Found | None:
    """A person's name with capitals; in an unspaced script two to four characters."""
    if reading.language.unspaced:
        return _unspaced_person(reading, place)
    if place < reading.limit and reading.tokens[place].low in reading.language.words_of["articles"]:
        return None
    found = _proper(reading, place)
    if found is None or found.stop - found.begin > 4:
        return None
    words = [token.low for token in reading.tokens[found.begin : found.stop]]
    if any(word in lexicon.NO_NAMES for word in words) or found.value in ("I", "OK"):
        return None
    return found


def _unspaced_person(reading: Reading, place: int) -> Found | None:
    found = unspaced_text(reading, place)
    if found is None or any(
        token.low in reading.language.words_of["near"] for token in reading.tokens[place : found.stop]
    ):
        return None
    length = found.stop - found.begin
    latin = all(token.kind == "w" for token in reading.tokens[found.begin : found.stop])
    return found if latin or 2 <= length <= 5 else None


def anyname(reading: Reading, place: int) -> Found | None:
    """A name after words that leave no doubt ("my name is …"): one to three words, in small letters too."""
    found = name(reading, place)
    if found is not None or reading.language.unspaced:
        return found
    stop = place
    while stop < reading.limit and stop - place < 3 and not reading.ends_at(stop) and reading.tokens[stop].kind == "w":
        if phrase_at(reading.language.skips, reading.tokens, stop) or _is_conjunction(reading, stop):
            break
        stop += 1
    words = [token.low for token in reading.tokens[place:stop]]
    lists = reading.language.words_of
    is_name = bool(words) and not any(word in lexicon.NO_NAMES or word in lists["empties"] for word in words)
    is_name = is_name and not any(word in lists["articles"] or word in lists["my"] for word in words)
    return covering(reading, place, stop) if is_name and reading.follows(stop) else None


def _is_conjunction(reading: Reading, place: int) -> bool:
    lists = reading.language.words_of
    return reading.tokens[place].low in lists["conjunctions"] | lists["joiners"]


def first_name(reading: Reading, place: int) -> Found | None:
    """A name that is listed, or begins with a listed surname in Chinese: after words as weak as "this is"."""
    found = name(reading, place)
    if found is None:
        return None
    if reading.language.unspaced and reading.tokens[place].kind == "c":
        head = reading.tokens[place].low
        is_name = head in lexicon.SURNAMES and 2 <= found.stop - place <= 3
        return found if is_name and not any(found.value.endswith(role) for role in lexicon.ROLES_UNSPACED) else None
    is_listed = reading.tokens[found.begin].low in lexicon.FIRST_NAMES
    return found if is_listed and (reading.is_bounded or _is_signed(reading, found.stop)) else None


def _is_signed(reading: Reading, place: int) -> bool:
    """Whether nothing goes on behind a name but what may: "it's Max here", not "it's Max who broke it"."""
    if place >= reading.limit or reading.tokens[place].kind == "p":
        return True
    return reading.tokens[place].low in _BEHIND_A_NAME or place in reading.times


_BEHIND_A_NAME = words_in("here again speaking and from und aus von y de now writing jetzt wieder aquí otra")


def organisation(reading: Reading, place: int) -> Found | None:
    found = _proper(reading, place, known=lexicon.COMPANIES)
    if found is None:
        return None
    key = comparison_key(found.value)
    if reading.language.nouns_are_capital and key not in lexicon.COMPANIES and not _is_distinct(reading, found):
        return None
    if key in lexicon.COMPANIES or key in lexicon.SCHOOLS:
        return found
    return None if _is_month_or_day(key) or any(key in other for other in _NO_EMPLOYERS) else found


_NO_EMPLOYERS = (
    lexicon.NO_ORGS, lexicon.PLACES, lexicon.RUNTIMES, lexicon.FRAMEWORKS, lexicon.DATABASES, lexicon.FIRST_NAMES,
)  # fmt: skip


def _is_distinct(reading: Reading, found: Found) -> bool:
    """Whether a capital says more than that a word is a noun: an acronym, several words, or no article before it."""
    if found.stop - found.begin > 1 or re.search(r"[A-Z].*[A-Z]|[\d&+-]", found.value):
        return True
    before = reading.tokens[found.begin - 1].low if found.begin else ""
    return before in _TOWARDS and reading.tokens[found.begin].low not in lexicon.FIRST_NAMES


_TOWARDS = frozenset({"bei", "zu"})


def known_org(reading: Reading, place: int) -> Found | None:
    """An employer that is listed."""
    found = organisation(reading, place)
    return found if found is not None and comparison_key(found.value) in lexicon.COMPANIES else None


def school(reading: Reading, place: int) -> Found | None:
    """A school by its name: with a word such as "university", or an acronym."""
    found = _proper(reading, place, known=lexicon.SCHOOLS)
    if found is None:
        return None
    key = comparison_key(found.value)
    is_named = any(word in key for word in lexicon.SCHOOL_WORDS) or re.fullmatch(r"[A-Z]{2,5}", found.value) is not None
    return found if is_named or key in lexicon.SCHOOLS else None


def proper_noun(reading: Reading, place: int) -> Found | None:
    return _proper(reading, place)

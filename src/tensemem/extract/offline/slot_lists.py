"""Slots of listed words: languages, diets, animals, trades, choices."""

from __future__ import annotations

from ...core.text import comparison_key
from . import lexicon
from .slot_names import name_may_end
from .slot_text import unspaced_text
from .slots import Found, Kind, Reading, covering, listed_word, may_begin, without_articles


def of_list(known: frozenset[str], *, modified: bool = False, alone: bool = False) -> Kind:
    def read(reading: Reading, place: int) -> Found | None:
        begin = without_articles(reading, place)
        found = listed_word(reading, begin, known)
        if found is None and modified:
            found = _modified(reading, begin, known)
        if found is None and reading.language.unspaced:
            return None
        if found is None or (alone and found.stop < len(reading.tokens) and reading.tokens[found.stop].low in _WITHIN):
            return None
        return found if _list_may_end(reading, found) else None

    return read


_WITHIN = frozenset({"in", "on", "of", "at", "en", "im"})
"""What makes an animal part of an idiom or a picture: "a dog in this fight"."""


def _list_may_end(reading: Reading, found: Found) -> bool:
    """A listed word must not be the first half of another thing: "Spanish food", "dog person"."""
    if reading.language.unspaced:
        return reading.is_bounded or name_may_end(reading, found.stop)
    return reading.follows(found.stop)


def _modified(reading: Reading, begin: int, known: frozenset[str]) -> Found | None:
    """A listed word with up to three words before it: "senior software engineer", "black cat"."""
    for start in range(begin + 1, min(reading.limit, begin + 4)):
        token = reading.tokens[start - 1]
        if reading.ends_at(start - 1) or token.kind not in "wcn" or not may_begin(reading, start - 1):
            return None
        listed = listed_word(reading, start, known)
        if listed is not None:
            return covering(reading, begin, listed.stop)
    return None


def role(reading: Reading, place: int) -> Found | None:
    """A profession: a listed one, with up to three words before it."""
    begin = without_articles(reading, place)
    if reading.language.unspaced:
        found = unspaced_text(reading, begin)
        if found is None or (found.stop < len(reading.tokens) and reading.tokens[found.stop].low == "的"):
            return None
        return found if any(found.value.endswith(role) for role in lexicon.ROLES_UNSPACED) else None
    best: Found | None = None
    for start in range(begin, min(reading.limit, begin + 4)):
        if start > begin and (reading.ends_at(start - 1) or not may_begin(reading, start - 1)):
            break
        listed = listed_word(reading, start, lexicon.ROLES) or _compound(reading, start)
        if listed is not None:
            best = covering(reading, begin, listed.stop)
    if best is not None and reading.language.code == "es" and best.stop + 1 < reading.limit:
        best = _with_field(reading, best)
    return best if best is not None and reading.follows(best.stop) else None


def _compound(reading: Reading, place: int) -> Found | None:
    """A trade that is written as one word with what it is of: "Mathelehrerin"."""
    if not reading.language.nouns_are_capital or not reading.tokens[place].is_capital:
        return None
    low = reading.tokens[place].low
    tails = (low[at:] for at in range(2, max(2, len(low) - 6)))
    return covering(reading, place, place + 1) if any(tail in lexicon.ROLES for tail in tails) else None


def allergy(reading: Reading, place: int) -> Found | None:
    """An allergy that is one word: "Nussallergie"."""
    begin = without_articles(reading, place)
    is_one = begin < reading.limit and reading.tokens[begin].low.endswith(
        ("allergie", "intoleranz", "unverträglichkeit")
    )
    is_named = is_one and len(reading.tokens[begin].low) > len("unverträglichkeit") - 6
    return covering(reading, begin, begin + 1) if is_named and reading.follows(begin + 1) else None


def _with_field(reading: Reading, found: Found) -> Found:
    """Go on over what a trade is of: "profe de música"."""
    word = reading.tokens[found.stop + 1]
    is_field = reading.tokens[found.stop].low in ("de", "del") and word.kind == "w" and not word.is_capital
    return (covering(reading, found.begin, found.stop + 2) or found) if is_field else found


def choice(reading: Reading, place: int) -> Found | None:
    begin = without_articles(reading, place)
    choices = reading.predicate.choices
    known = {comparison_key(str(choice)): choice for choice in (choices if choices is not None else ("true", "false"))}
    found = listed_word(reading, begin, frozenset(known))
    return (
        None if found is None else Found(known.get(comparison_key(found.value), found.value), found.begin, found.stop)
    )


def pronouns(reading: Reading, place: int) -> Found | None:
    return listed_word(reading, place, lexicon.PRONOUNS)

"""What fits in a slot, and where it ends: a place, a name, a language, a number, any short text …

Each kind reads tokens from one place and gives the value and where it stops, or None. Where a name of its kind could
go on in a way the language's table doesn't know, nothing is given: a value cut in the wrong place is a false one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...core.text import comparison_key
from ...model.predicate import Predicate
from . import lexicon
from .language import Language, phrase_at
from .timing import Timed
from .tokens import Token, words_in

MOST_WORDS = 8
"""Words a value of plain text may have."""
MOST_CHARACTERS = 14
"""Characters it may have in a script written without spaces."""
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
        if token.kind in "q|" or (token.kind == "p" and token.low not in _INNER):
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
_INNER = frozenset("&+/'’-–·・’")
Kind = Callable[[Reading, int], "Found | None"]


def kind_of(predicate: Predicate, slot: str, *, is_of_others: bool = False) -> str:
    """Give what fits in a slot that doesn't say: the predicate's choices, its type, or what its name tells.

    A sentence with a ``{subject}`` is a record rather than talk: there a value is whatever stands to the end.
    """
    if slot == "subject":
        return "subject"
    if slot == "any":
        return "any"
    if predicate.choices is not None:
        return "choice"
    by_type = {"number": "number", "date": "date", "datetime": "date", "bool": "choice"}.get(predicate.type)
    if by_type is not None:
        return by_type
    if is_of_others:
        return "text"
    words = set(re.split(r"[\W_]+", predicate.name.casefold()))
    return next((kind for kind, cues in _CUES.items() if words & cues), "text")


_CUES = {
    "place": {"city", "town", "country", "place", "lives", "residence", "location", "hometown", "village", "address"},
    "email": {"email", "mail"},
    "phone": {"phone", "mobile", "telephone"},
    "version": {"version"},
    "name": {"name", "nickname", "surname", "partner", "spouse", "wife", "husband"},
}


def _text(reading: Reading, place: int) -> Found | None:
    """Any words up to a border: for what has no form of its own."""
    return _unspaced_text(reading, place) if reading.language.unspaced else _spaced_text(reading, place)


def _spaced_text(reading: Reading, place: int) -> Found | None:
    begin = _without_articles(reading, place)
    lists = reading.language.words_of
    if reading.ends_at(begin) or not _may_begin(reading, begin):
        return None
    stop = begin
    while stop < reading.limit and not (stop > begin and _text_ends(reading, stop)):
        stop += 1
        if stop - begin > (MOST_WORDS if not reading.is_bounded else 3 * MOST_WORDS):
            return None
    stop = _with_apposition(reading, stop)
    while stop > begin and _is_loose(reading, stop - 1, lists):
        stop -= 1
    return _found(reading, begin, stop)


def _text_ends(reading: Reading, place: int) -> bool:
    if reading.ends_at(place):
        return True
    lists = reading.language.words_of
    token = reading.tokens[place]
    if token.low in lists["conjunctions"] and token.low not in lists["joiners"]:
        return True
    if token.low in lists["joiners"]:
        return reading.predicate.is_many or _begins_clause(reading, place + 1)
    skipped = phrase_at(reading.language.behind, reading.tokens, place)
    if skipped is not None:
        return True
    trailing = phrase_at(reading.language.skips, reading.tokens, place)
    return trailing is not None and reading.ends_at(trailing[0])


def _begins_clause(reading: Reading, place: int) -> bool:
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


def _is_loose(reading: Reading, place: int, lists: Mapping[str, frozenset[str]]) -> bool:
    token = reading.tokens[place]
    return token.kind == "p" or token.low in lists["connectors"] or token.low in lists["joiners"]


def _with_apposition(reading: Reading, stop: int) -> int:
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


def _unspaced_text(reading: Reading, place: int) -> Found | None:
    begin = place
    articles = reading.language.words_of["articles"]
    while begin < reading.limit and reading.tokens[begin].low in articles:
        begin += 1
    if reading.ends_at(begin) or not _may_begin(reading, begin):
        return None
    stop = begin
    while stop < reading.limit and not (stop > begin and _unspaced_ends(reading, stop)):
        stop += 1
        if stop - begin > MOST_CHARACTERS:
            return None
    return _found(reading, begin, stop)


def _unspaced_ends(reading: Reading, place: int) -> bool:
    if reading.ends_at(place):
        return True
    low = reading.tokens[place].low
    lists = reading.language.words_of
    if low in lists["joiners"]:
        return reading.predicate.is_many
    return phrase_at(reading.language.behind, reading.tokens, place) is not None


def _without_articles(reading: Reading, place: int) -> int:
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


def _may_begin(reading: Reading, begin: int) -> bool:
    token = reading.tokens[begin]
    lists = reading.language.words_of
    return token.kind in "wcnx" and not any(token.low in lists[name] for name in ("empties", "my", "me", "group"))


def _found(reading: Reading, begin: int, stop: int) -> Found | None:
    return Found(reading.surface(begin, stop), begin, stop) if stop > begin else None


# Names


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
    listed = _listed(reading, begin, known) if known else None
    stop = _capitals(reading, begin)
    if listed is not None and listed.stop >= stop:
        return listed if reading.follows(listed.stop) else None
    if stop == begin or not _may_begin(reading, begin):
        return None
    return _found(reading, begin, stop) if not strict or reading.follows(stop) else None


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
        elif (at > begin and (token.low in lists["connectors"] or (token.kind == "p" and token.low in _INNER))) or (
            token.low == "'s" and at > begin and at + 1 < reading.limit and reading.tokens[at + 1].is_capital
        ):
            at += 1
        else:
            break
    return stop


def _listed(reading: Reading, place: int, known: frozenset[str]) -> Found | None:
    """Give the longest listed name at a place."""
    key = ""
    best = 0
    for at in range(place, min(reading.limit, place + 5)):
        token = reading.tokens[at]
        glue = "" if token.kind == "c" or not key or token.begin == reading.tokens[at - 1].stop else " "
        key += glue + token.low
        if key in known:
            best = at + 1
    return _found(reading, place, best) if best else None


def _unspaced_name(reading: Reading, place: int, known: frozenset[str]) -> Found | None:
    listed = None
    while place < reading.limit and reading.tokens[place].low in reading.language.words_of["articles"]:
        place += 1
    for at in range(min(reading.limit, place + 8), place, -1):
        if known and "".join(token.low for token in reading.tokens[place:at]) in known:
            listed = _found(reading, place, at)
            break
    if listed is not None and (reading.is_bounded or _name_may_end(reading, listed.stop)):
        return listed
    found = _unspaced_text(reading, place)
    if found is None:
        return None
    covered = reading.tokens[found.begin : found.stop]
    lists = reading.language.words_of
    if any(token.low in lists["near"] for token in covered) or covered[0].kind == "n":
        return None
    return found if 2 <= len(covered) <= 10 or covered[0].kind == "w" else None


def _name_may_end(reading: Reading, place: int) -> bool:
    return reading.follows(place) or reading.tokens[place].low in "市省区县州的郊"


def _place(reading: Reading, place: int) -> Found | None:
    known = lexicon.PLACES
    found = _proper(reading, place, known=known)
    if found is None or reading.language.unspaced:
        return found
    key = comparison_key(found.value)
    if key in lexicon.NO_PLACES or _is_month_or_day(key):
        return None
    stop = _with_apposition(reading, found.stop)
    return _found(reading, found.begin, stop)


def _is_month_or_day(key: str) -> bool:
    return key in lexicon.CALENDAR


def _name(reading: Reading, place: int) -> Found | None:
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
    found = _unspaced_text(reading, place)
    if found is None or any(
        token.low in reading.language.words_of["near"] for token in reading.tokens[place : found.stop]
    ):
        return None
    length = found.stop - found.begin
    latin = all(token.kind == "w" for token in reading.tokens[found.begin : found.stop])
    return found if latin or 2 <= length <= 5 else None


def _anyname(reading: Reading, place: int) -> Found | None:
    """A name after words that leave no doubt ("my name is …"): one to three words, in small letters too."""
    found = _name(reading, place)
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
    return _found(reading, place, stop) if is_name and reading.follows(stop) else None


def _is_conjunction(reading: Reading, place: int) -> bool:
    lists = reading.language.words_of
    return reading.tokens[place].low in lists["conjunctions"] | lists["joiners"]


def _org(reading: Reading, place: int) -> Found | None:
    found = _proper(reading, place, known=lexicon.COMPANIES)
    if found is None:
        return None
    key = comparison_key(found.value)
    if reading.language.nouns_are_capital and key not in lexicon.COMPANIES and not _is_distinct(reading, found):
        return None
    return None if key in lexicon.NO_ORGS or key in lexicon.PLACES or _is_month_or_day(key) else found


def _is_distinct(reading: Reading, found: Found) -> bool:
    """Whether a capital says more than that a word is a noun: an acronym, several words, or no article before it."""
    if found.stop - found.begin > 1 or re.search(r"[A-Z].*[A-Z]|[\d&+-]", found.value):
        return True
    before = reading.tokens[found.begin - 1].low if found.begin else ""
    return before in _TOWARDS and reading.tokens[found.begin].low not in lexicon.FIRST_NAMES


_TOWARDS = frozenset({"bei", "zu"})


def _known_org(reading: Reading, place: int) -> Found | None:
    """An employer that is listed."""
    found = _org(reading, place)
    return found if found is not None and comparison_key(found.value) in lexicon.COMPANIES else None


def _school(reading: Reading, place: int) -> Found | None:
    """A school by its name: with a word such as "university", or an acronym."""
    found = _proper(reading, place, known=lexicon.SCHOOLS)
    if found is None:
        return None
    key = comparison_key(found.value)
    is_named = any(word in key for word in lexicon.SCHOOL_WORDS) or re.fullmatch(r"[A-Z]{2,5}", found.value) is not None
    return found if is_named or key in lexicon.SCHOOLS else None


def _known_place(reading: Reading, place: int) -> Found | None:
    """A place that is listed, where the words around it say too little by themselves."""
    found = _place(reading, place)
    return found if found is not None and comparison_key(found.value) in lexicon.PLACES else None


def _first_name(reading: Reading, place: int) -> Found | None:
    """A name that is listed, or begins with a listed surname in Chinese: after words as weak as "this is"."""
    found = _name(reading, place)
    if found is None:
        return None
    if reading.language.unspaced and reading.tokens[place].kind == "c":
        head = reading.tokens[place].low
        is_name = head in lexicon.SURNAMES and 2 <= found.stop - place <= 3
        return found if is_name and not any(found.value.endswith(role) for role in lexicon.ROLES_UNSPACED) else None
    return found if reading.tokens[found.begin].low in lexicon.FIRST_NAMES else None


def _proper_noun(reading: Reading, place: int) -> Found | None:
    return _proper(reading, place)


# Listed words


def _of_list(known: frozenset[str], *, modified: bool = False, alone: bool = False) -> Kind:
    def read(reading: Reading, place: int) -> Found | None:
        begin = _without_articles(reading, place)
        found = _listed(reading, begin, known)
        if found is None and modified:
            found = _modified(reading, begin, known)
        if found is None and reading.language.unspaced:
            return None
        if found is None or (alone and found.stop < len(reading.tokens) and reading.tokens[found.stop].low in _WITHIN):
            return None
        return found if _list_may_end(reading, found) else None

    return read


_WITHIN = frozenset({"in", "on", "of", "at"})
"""What makes an animal part of an idiom or a picture: "a dog in this fight"."""


def _list_may_end(reading: Reading, found: Found) -> bool:
    """A listed word must not be the first half of another thing: "Spanish food", "dog person"."""
    if reading.language.unspaced:
        return reading.is_bounded or _name_may_end(reading, found.stop)
    return reading.follows(found.stop)


def _modified(reading: Reading, begin: int, known: frozenset[str]) -> Found | None:
    """A listed word with up to three words before it: "senior software engineer", "black cat"."""
    for start in range(begin + 1, min(reading.limit, begin + 4)):
        token = reading.tokens[start - 1]
        if reading.ends_at(start - 1) or token.kind not in "wcn" or not _may_begin(reading, start - 1):
            return None
        listed = _listed(reading, start, known)
        if listed is not None:
            return _found(reading, begin, listed.stop)
    return None


def _role(reading: Reading, place: int) -> Found | None:
    """A profession: a listed one, with up to three words before it."""
    begin = _without_articles(reading, place)
    if reading.language.unspaced:
        found = _unspaced_text(reading, begin)
        if found is None or (found.stop < len(reading.tokens) and reading.tokens[found.stop].low == "的"):
            return None
        return found if any(found.value.endswith(role) for role in lexicon.ROLES_UNSPACED) else None
    best: Found | None = None
    for start in range(begin, min(reading.limit, begin + 4)):
        if start > begin and (reading.ends_at(start - 1) or not _may_begin(reading, start - 1)):
            break
        listed = _listed(reading, start, lexicon.ROLES)
        if listed is not None:
            best = _found(reading, begin, listed.stop)
    if best is not None and reading.language.code == "es" and best.stop + 1 < reading.limit:
        best = _with_field(reading, best)
    return best if best is not None and reading.follows(best.stop) else None


def _with_field(reading: Reading, found: Found) -> Found:
    """Go on over what a trade is of: "profe de música"."""
    word = reading.tokens[found.stop + 1]
    is_field = reading.tokens[found.stop].low in ("de", "del") and word.kind == "w" and not word.is_capital
    return (_found(reading, found.begin, found.stop + 2) or found) if is_field else found


def _phrase(reading: Reading, place: int) -> Found | None:
    """A noun phrase of up to five words: for a trade after "I work as a"."""
    found = _text(reading, place)
    if found is not None and not reading.language.unspaced:
        stop = found.begin + 1
        while stop < found.stop and reading.tokens[stop].low not in _PREPOSITIONS:
            stop += 1
        found = _found(reading, found.begin, stop)
    return (
        found
        if found is not None and found.stop - found.begin <= (5 if not reading.language.unspaced else 10)
        else None
    )


_PREPOSITIONS = words_in(
    """at for in with by from on near and but while during here now bei beim in im am an für und aber seit mit en
        para con por y desde pero"""
)


def _rest(reading: Reading, place: int) -> Found | None:
    """All that is left of the sentence."""
    stop = reading.limit
    colons = [at for at in range(place, stop) if reading.tokens[at].low in ":："]
    place = colons[0] + 1 if colons else place
    while stop > place and reading.tokens[stop - 1].kind == "p":
        stop -= 1
    return _found(reading, place, stop)


def _rule(reading: Reading, place: int) -> Found | None:
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
    return _found(reading, begin, stop) if is_rule and is_binding and stop - begin <= 40 and stop > place else None


_CLAUSE_ENDS = frozenset(",;，；。")


# Numbers, dates, addresses


def _number(reading: Reading, place: int) -> Found | None:
    if place >= reading.limit:
        return None
    token = reading.tokens[place]
    if token.kind == "n":
        plain = token.low.replace(",", "")
        return Found(plain, place, place + 1) if re.fullmatch(r"-?\d{1,15}(?:\.\d{1,9})?", plain) else None
    return _number_words(reading, place)


def _number_words(reading: Reading, place: int) -> Found | None:
    words = reading.language.number_words
    total, stop = None, place
    while stop < min(reading.limit, place + 4):
        low = reading.tokens[stop].low
        if low == "-" and total is not None and stop + 1 < reading.limit:
            stop += 1
            low = reading.tokens[stop].low
        value = _hyphened(low, words)
        if value is None or (total is not None and (total % 10 or value > 9) and not reading.language.unspaced):
            break
        total = _joined(total, value, reading.language.unspaced)
        stop += 1
    return None if total is None else Found(str(total), place, stop)


def _hyphened(word: str, words: Mapping[str, int]) -> int | None:
    if word in words:
        return words[word]
    first, mark, second = word.partition("-")
    if mark and first in words and second in words:
        return words[first] + words[second]
    return None


def _joined(total: int | None, value: int, unspaced: bool) -> int:
    if total is None:
        return value
    if unspaced:
        return total * 10 if value == 10 else total + value
    return total + value


def _age(reading: Reading, place: int) -> Found | None:
    found = _number(reading, place)
    if found is None or not str(found.value).isdigit() or not 3 <= int(found.value) <= 119:
        return None
    after = found.stop
    if after < len(reading.tokens) and reading.tokens[after].low in _UNITS:
        return None
    return found if reading.is_bounded or reading.follows(after) else None


_UNITS = words_in("""% $ € £ ¥ minutes minuten minutos min km percent prozent kg am pm uhr euro eur usd""")


def _email(reading: Reading, place: int) -> Found | None:
    is_one = place < reading.limit and reading.tokens[place].kind == "x" and "@" in reading.tokens[place].low
    return Found(reading.surface(place, place + 1), place, place + 1) if is_one else None


def _phone(reading: Reading, place: int) -> Found | None:
    stop = place
    while (
        stop < reading.limit
        and stop - place < 8
        and (reading.tokens[stop].kind == "n" or reading.tokens[stop].low in ("+", "-", "(", ")", "/"))
    ):
        stop += 1
    if stop == place:
        return None
    shown = reading.surface(place, stop)
    digits = sum(char.isdigit() for char in shown)
    return Found(shown.rstrip(" -/("), place, stop) if 6 <= digits <= 16 and not re.search("[A-Za-z]", shown) else None


def _version(reading: Reading, place: int) -> Found | None:
    """A name with a number ("Python 3.12", "Node 20 LTS"), or the number alone."""
    stop = place
    while stop < reading.limit and stop - place < 3 and reading.tokens[stop].kind == "w" and not reading.ends_at(stop):
        stop += 1
    if stop < reading.limit and reading.tokens[stop].kind == "n":
        known = stop == place or _listed(reading, place, lexicon.RUNTIMES) is not None
        number = reading.tokens[stop].low
        return _found(reading, place, stop + 1) if known and re.fullmatch(r"v?\d[\w.]*", number) else None
    listed = _listed(reading, place, lexicon.RUNTIMES)
    if listed is not None and re.search(r"\d", listed.value) and reading.follows(listed.stop):
        return listed
    return None


def _date(reading: Reading, place: int) -> Found | None:
    """A day as the time grammar reads it: as ISO text where the predicate's type is a date, else in its own words."""
    at = place
    while at < reading.limit and at - place < 3 and at not in reading.times:
        at += 1
    timed = reading.times.get(at)
    if timed is None or timed.stop > reading.limit or timed.value.grain != "day" or timed.value.start is None:
        return None
    if reading.predicate.type in ("date", "datetime"):
        return Found(timed.value.start.date().isoformat(), at, timed.stop)
    shown = reading.surface(at, timed.stop)
    # "next Friday" is a day too, but nobody's birthday by that name.
    return Found(timed.value.quote, at, timed.stop) if any(char.isdigit() for char in shown) else None


def _choice(reading: Reading, place: int) -> Found | None:
    begin = _without_articles(reading, place)
    choices = reading.predicate.choices
    known = {comparison_key(str(choice)): choice for choice in (choices if choices is not None else ("true", "false"))}
    found = _listed(reading, begin, frozenset(known))
    return (
        None if found is None else Found(known.get(comparison_key(found.value), found.value), found.begin, found.stop)
    )


def _word(reading: Reading, place: int) -> Found | None:
    if place >= reading.limit or reading.tokens[place].kind not in "wnx":
        return None
    return _found(reading, place, place + 1) if reading.follows(place + 1) else None


def _pronouns(reading: Reading, place: int) -> Found | None:
    found = _listed(reading, place, lexicon.PRONOUNS)
    return found


def _timezone(reading: Reading, place: int) -> Found | None:
    begin = _without_articles(reading, place)
    listed = _listed(reading, begin, lexicon.ZONES)
    if listed is not None:
        return listed
    if begin < reading.limit and re.fullmatch(r"[A-Za-z]{2,12}/[A-Za-z_]{2,20}", reading.surface(begin, begin + 1)):
        return _found(reading, begin, begin + 1)
    head = reading.tokens[begin].low if begin < reading.limit else ""
    stop = begin + 1
    if re.fullmatch(r"(?:utc|gmt)[+-]\d{1,2}", head):
        return _found(reading, begin, stop)
    if head in ("utc", "gmt"):
        while stop < reading.limit and (reading.tokens[stop].low in "+-−" or reading.tokens[stop].kind == "n"):
            stop += 1
        return _found(reading, begin, stop)
    return None


def _subject(reading: Reading, place: int) -> Found | None:
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
    return _found(reading, begin, reading.limit)


def _any(reading: Reading, place: int) -> Found | None:
    """Up to five words that don't matter."""
    if not reading.is_bounded or reading.limit - place > 7:
        return None
    for at in range(place, reading.limit):
        token = reading.tokens[at]
        is_clause = at > place and reading.tokens[at - 1].low in reading.language.words_of["conjunctions"]
        if token.kind == "p" or (is_clause and _begins_clause(reading, at)):
            return None
    return Found("", place, reading.limit)


KINDS: Mapping[str, Kind] = {
    "text": _text, "phrase": _phrase, "rest": _rest, "rule": _rule, "word": _word, "any": _any, "subject": _subject,
    "place": _place, "knownplace": _known_place, "firstname": _first_name, "name": _name, "anyname": _anyname, "org": _org, "knownorg": _known_org, "school": _school, "proper": _proper_noun,
    "number": _number, "age": _age, "date": _date, "email": _email, "phone": _phone, "version": _version,
    "choice": _choice, "role": _role, "pronouns": _pronouns, "timezone": _timezone,
    "language": _of_list(lexicon.LANGUAGES), "diet": _of_list(lexicon.DIETS),
    "animal": _of_list(lexicon.ANIMALS, modified=True, alone=True), "allergen": _of_list(lexicon.ALLERGENS, modified=True),
    "database": _of_list(lexicon.DATABASES), "framework": _of_list(lexicon.FRAMEWORKS),
    "packager": _of_list(lexicon.PACKAGE_MANAGERS), "ci": _of_list(lexicon.CI),
    "license": _of_list(lexicon.LICENSES), "target": _of_list(lexicon.TARGETS),
}  # fmt: skip
"""Every kind of slot by its name."""

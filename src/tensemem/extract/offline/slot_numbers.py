"""Slots of numbers: ages, days, versions, and the addresses that look like them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from . import lexicon
from .slots import Found, Reading, covering, listed_word, without_articles
from .tokens import words_in


def number(reading: Reading, place: int) -> Found | None:
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


def age(reading: Reading, place: int) -> Found | None:
    found = number(reading, place)
    if found is None or not str(found.value).isdigit() or not 3 <= int(found.value) <= 119:
        return None
    after = found.stop
    if after < len(reading.tokens) and reading.tokens[after].low in _UNITS:
        return None
    return found if reading.is_bounded or reading.follows(after) else None


_UNITS = words_in("""
    % $ € £ ¥ weeks months days hours times people wochen monate tage semanas meses días minutes minuten minutos
    min km percent prozent kg am pm uhr euro eur usd""")


def year_old(reading: Reading, place: int) -> Found | None:
    """An age that is one word: "28-year-old"."""
    low = reading.tokens[place].low if place < reading.limit else ""
    joined = re.fullmatch(r"(\d{1,3})-?(?:year-old|jährige[rnsm]?)", low)
    return None if joined is None else Found(joined[1], place, place + 1)


def email(reading: Reading, place: int) -> Found | None:
    is_one = place < reading.limit and reading.tokens[place].kind == "x" and "@" in reading.tokens[place].low
    return Found(reading.surface(place, place + 1), place, place + 1) if is_one else None


def phone(reading: Reading, place: int) -> Found | None:
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


def version(reading: Reading, place: int) -> Found | None:
    """A name with a number ("Python 3.12", "Node 20 LTS"), or the number alone."""
    stop = place
    while stop < reading.limit and stop - place < 3 and reading.tokens[stop].kind == "w" and not reading.ends_at(stop):
        stop += 1
    if stop < reading.limit and reading.tokens[stop].kind == "n":
        known = stop == place or listed_word(reading, place, lexicon.RUNTIMES) is not None
        number = reading.tokens[stop].low
        return covering(reading, place, stop + 1) if known and re.fullmatch(r"v?\d[\w.]*", number) else None
    listed = listed_word(reading, place, lexicon.RUNTIMES)
    if listed is not None and re.search(r"\d", listed.value) and reading.follows(listed.stop):
        return listed
    return None


def day(reading: Reading, place: int) -> Found | None:
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


def _is_zone(key: str) -> bool:
    """Whether the time zone database has a zone of this name."""
    if not re.fullmatch(r"[A-Za-z]{2,12}(?:/[A-Za-z_+-]{2,30}){1,2}", key):
        return False
    try:
        ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def timezone(reading: Reading, place: int) -> Found | None:
    begin = without_articles(reading, place)
    listed = listed_word(reading, begin, lexicon.ZONES)
    if listed is not None:
        return listed
    if begin < reading.limit and _is_zone(reading.surface(begin, begin + 1)):
        return covering(reading, begin, begin + 1)
    placed = listed_word(reading, begin, lexicon.PLACES)
    if placed is not None and placed.stop < reading.limit and reading.tokens[placed.stop].low == "time":
        return covering(reading, begin, placed.stop + 1)
    head = reading.tokens[begin].low if begin < reading.limit else ""
    stop = begin + 1
    if re.fullmatch(r"(?:utc|gmt)[+-]\d{1,2}", head):
        return covering(reading, begin, stop)
    if head in ("utc", "gmt"):
        while stop < reading.limit and (reading.tokens[stop].low in "+-−" or reading.tokens[stop].kind == "n"):
            stop += 1
        return covering(reading, begin, stop)
    return None

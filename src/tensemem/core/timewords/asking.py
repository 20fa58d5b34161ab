"""The question as it is asked: arguments checked, languages chosen, answers merged."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import cache
from importlib import import_module

from tensemem.errors import InvalidTimeError, InvalidValueError

from .finding import times_in
from .lexing import lowered
from .reading import Setting
from .tables import Language
from .value import TimeValue

MODULES = {
    "en": "english",
    "zh": "chinese",
    "es": "spanish",
    "de": "german",
    "fr": "french",
    "ja": "japanese",
    "pt": "portuguese",
    "it": "italian",
    "hi": "hindi",
}
"""Each language and the module that holds its table; loaded when it is first asked for."""

LATIN = ("en", "es", "de", "fr", "pt", "it")
_JAPANESE = re.compile(
    "[\u3041-\u30ff曜]|以降|平成|令和|昭和|先週|今週|来週|先月|来月|再来|翌[週月年日]|週間|昨年|明後日|一昨"
)
"""What Chinese does not write: kana, and words of time that are Japanese only."""
_WITHOUT_KANA = 24
"""Japanese texts that are longer than this have kana."""
_HAN = re.compile("[\u3400-\u9fff]")
_DEVANAGARI = re.compile("[\u0900-\u097f]")
_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
_WORDS = re.compile(r"[^\W\d_]+")
WEEK_STARTS = {"monday": 0, "sunday": 6}
PREFERENCES = ("past", "future")


def times_of(
    text: str,
    *,
    reference: datetime,
    language: str | None,
    prefer: str,
    day_first: bool | None,
    week_start: str,
    fiscal_year_start: int,
) -> tuple[TimeValue, ...]:
    """Answer `tensemem.times.find`, whose docstring describes it."""
    _check(text, reference, prefer, day_first, week_start, fiscal_year_start)
    found: list[TimeValue] = []
    for code in languages_of(text) if language is None else (_known(language),):
        if found and language is None and code == "ja" and not _JAPANESE.search(text):
            break  # characters alone are Chinese if they read as Chinese
        table = load(code)
        setting = Setting(
            reference=reference,
            now=reference.replace(tzinfo=None),
            today=date(reference.year, reference.month, reference.day),
            zone=reference.tzinfo,  # type: ignore[arg-type]
            future=prefer == "future",
            day_first=table.day_first if day_first is None else day_first,
            first_weekday=WEEK_STARTS[week_start],
            fiscal_month=fiscal_year_start,
        )
        found = merged(found, times_in(text, setting, table))
    return tuple(found)


def merged(found: list[TimeValue], more: list[TimeValue]) -> list[TimeValue]:
    """Give what two languages found in one text, in order; where they overlap, the longer quote, else the first."""
    if not found or not more:
        return found or more
    kept: list[TimeValue] = []
    for value in sorted([*found, *more], key=lambda value: value.begin):
        if not kept or kept[-1].stop <= value.begin:
            kept.append(value)
        elif value.stop - value.begin > kept[-1].stop - kept[-1].begin:
            kept[-1] = value
    return kept


@cache
def load(code: str) -> Language:
    """Give a language's table."""
    module = import_module(f"{__package__}.{MODULES[code]}")
    table: Language = module.LANGUAGE
    return table


def languages_of(text: str) -> tuple[str, ...]:
    """Give the languages that the script of a text allows, and of those in Latin script the ones it has words of."""
    if text.isascii():
        return _latin(text)
    found: tuple[str, ...] = ()
    if _JAPANESE.search(text):
        found = ("ja",)
    elif _HAN.search(text):
        found = ("zh", "ja") if len(text) <= _WITHOUT_KANA else ("zh",)
    if _DEVANAGARI.search(text):
        found = (*found, "hi")
    if _LETTER.search(text) or not found:
        found = (*found, *_latin(text))
    return found


def _latin(text: str) -> tuple[str, ...]:
    """Give the languages most of whose known words are in a text; English where none has any."""
    words = set(_WORDS.findall(lowered(text)))
    counts = [len(words & load(code).familiar) for code in LATIN]
    most = max(counts)
    if most == 0:
        return ("en",)
    return tuple(code for code, count in zip(LATIN, counts, strict=True) if count == most)


def _known(language: object) -> str:
    if isinstance(language, str) and language in MODULES:
        return language
    names = ", ".join(repr(code) for code in MODULES)
    raise InvalidValueError(f"language: {language!r:.60} is not known. Give one of {names}, or None to try them.")


def _check(
    text: object, reference: object, prefer: object, day_first: object, week_start: object, fiscal_year_start: object
) -> None:
    if not isinstance(text, str):
        raise InvalidValueError(f"text: give text (str), not {type(text).__name__}.")
    if not isinstance(reference, datetime) or reference.utcoffset() is None:
        raise InvalidTimeError(
            "reference: give the aware datetime at which the text was said, "
            "such as datetime(2026, 3, 5, 10, 0, tzinfo=ZoneInfo('Europe/Berlin'))."
        )
    if prefer not in PREFERENCES:
        raise InvalidValueError(f"prefer: {prefer!r:.60} is neither 'past' nor 'future'.")
    if day_first is not None and not isinstance(day_first, bool):
        raise InvalidValueError("day_first: give True, False, or None to go by the language.")
    if not isinstance(week_start, str) or week_start not in WEEK_STARTS:
        raise InvalidValueError(f"week_start: {week_start!r:.60} is neither 'monday' nor 'sunday'.")
    if type(fiscal_year_start) is not int or not 1 <= fiscal_year_start <= 12:
        raise InvalidValueError("fiscal_year_start: give the number of a month, 1 to 12.")

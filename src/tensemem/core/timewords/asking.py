"""The question as it is asked: arguments checked, languages chosen, answers merged."""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from importlib import import_module

from tensemem.errors import InvalidTimeError, InvalidValueError

from .finding import times_in
from .reading import Setting
from .tables import Language
from .value import TimeValue

MODULES = {"en": "english", "zh": "chinese", "ja": "japanese", "de": "german", "es": "spanish", "fr": "french"}
"""Each language and the module that holds its table; loaded when it is first asked for."""

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
    found: list[list[TimeValue]] = []
    for code in languages_of(text) if language is None else (_known(language),):
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
        found.append(times_in(text, setting, table))
    return tuple(found[0]) if len(found) == 1 else ()


@cache
def load(code: str) -> Language:
    """Give a language's table."""
    module = import_module(f"{__package__}.{MODULES[code]}")
    table: Language = module.LANGUAGE
    return table


def languages_of(text: str) -> tuple[str, ...]:
    """Give the languages that the script of a text allows."""
    return ("en",)


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

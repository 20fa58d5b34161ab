"""Points and periods: what makes a date of words and numbers. All functions are builders of `grammar.Rule`.

Where the words leave it open which one is meant ("Friday", "in March", "5/12"), the reading that `Setting.future` asks
for comes first and the others follow.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from .almanac import days, months
from .grammar import Made, Values
from .numerals import Pair, Written
from .reading import Fit, Reading, Setting, Span, unique


def yearly(setting: Setting, grain: str, fit: Fit, *, approximate: bool = False) -> Reading | None:
    """Give the time that comes back each year: the last one that has begun and the one after it."""
    begun, ahead = _around(setting, fit)
    spans = begun[-1:] + ahead[:1]
    still = bool(begun) and begun[-1][1] is not None and begun[-1][1] > setting.now
    if setting.future and not still:
        spans.reverse()
    if not spans:
        return None
    return Reading(tuple(spans), grain, approximate=approximate, in_year=fit, following=_following(fit))


def fitted(fit: Fit, year: int) -> Span | None:
    try:
        return fit(year)
    except (ValueError, OverflowError):
        return None


def _around(setting: Setting, fit: Fit) -> tuple[list[Span], list[Span]]:
    """Give the last span that has begun and the next one; a leap day may lie eight years away."""
    year, now = setting.today.year, setting.now
    begun: list[Span] = []
    ahead: list[Span] = []
    for step in range(9):
        if not begun:
            span = fitted(fit, year - step)
            begun = [span] if span is not None and span[0] is not None and span[0] <= now else []
        if not ahead:
            span = fitted(fit, year + step)
            ahead = [span] if span is not None and span[0] is not None and span[0] > now else []
        if begun and ahead:
            break
    return begun, ahead


def _following(fit: Fit) -> Callable[[date], Span | None]:
    def following(day: date) -> Span | None:
        for year in range(day.year, day.year + 9):
            span = fitted(fit, year)
            if span is not None and span[0] is not None and span[0].date() >= day:
                return span
        return None

    return following


def in_given_year(fit: Fit, year: int, grain: str, *, approximate: bool = False) -> Reading | None:
    """Give the time in one year."""
    span = fitted(fit, year)
    return None if span is None else Reading((span,), grain, approximate=approximate)


def shifted(setting: Setting, reading: Reading, steps: int) -> Reading | None:
    """Give "last" (-1), "this" (0) or "next" (1) of what comes back each year."""
    fit = reading.in_year
    if fit is None:
        return None
    year = setting.today.year
    this = fitted(fit, year)
    if steps == 0:
        return None if this is None else reading.with_spans([this])
    near = [span for span in (fitted(fit, year + step) for step in range(-3, 4)) if span is not None]
    if steps > 0:
        sides = [span for span in near if span[0] is not None and span[0] > setting.now]
        nearest, by_year = sides[steps - 1 : steps], fitted(fit, year + steps)
    else:
        sides = [span for span in near if span[1] is not None and span[1] <= setting.now]
        nearest, by_year = sides[steps : len(sides) + steps + 1], fitted(fit, year + steps)
    spans = nearest + ([by_year] if by_year is not None else [])
    return reading.with_spans(spans) if spans else None


def day_in(month: int, day: int) -> Fit:
    """Give the fit of a day of a month; in a year without it there is none."""
    return lambda year: days(date(year, month, day))


def day_month(setting: Setting, v: Values) -> Made | None:
    """A day and a month, with a year or without."""
    if v["dayunit"] not in {None, "day"}:
        return None
    reading = dated(setting, v["month"], v["day"], v)
    return None if reading is None else ("date", reading)


def dated(setting: Setting, month: int, day: int, v: Values) -> Reading | None:
    """Give a day of a month in the year that `v` names, if any."""
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    date(2000, month, day)
    years = years_of(setting, v)
    if years is None:
        return yearly(setting, "day", day_in(month, day))
    spans = [span for span in (fitted(day_in(month, day), year) for year in years) if span is not None]
    return Reading(tuple(spans), "day") if spans else None


def years_of(setting: Setting, v: Values) -> list[int] | None:
    """Give the years that were said: one, two for a short one ("of 87"), none."""
    if v["year"] is not None:
        return [int(v["year"])]
    if v["short"] is not None:
        return short_years(setting, v["short"])
    if v["steps"] is not None:
        return [setting.today.year + v["steps"]]
    return None


def short_years(setting: Setting, short: int) -> list[int]:
    """Give the years that two digits can mean, the nearest to the reference first (at most ten years ahead)."""
    century = setting.today.year // 100 * 100
    year = century + short
    return [year, year - 100] if year <= setting.today.year + 10 else [year - 100, year]


def month_in(month: int) -> Fit:
    """Give the fit of a month."""
    return lambda year: months(year, month)


def month_year(setting: Setting, v: Values) -> Made | None:
    """A month and a year."""
    years = years_of(setting, v)
    if years is None or not 1 <= v["month"] <= 12:
        return None
    return "date", Reading(unique([months(year, v["month"]) for year in years]), "month")


def month_alone(setting: Setting, v: Values) -> Made | None:
    """A month: only a time where something beside it says so."""
    reading = yearly(setting, "month", month_in(v["month"])) if 1 <= v["month"] <= 12 else None
    return None if reading is None else ("bare", reading)


def year_reading(year: int) -> Reading:
    """Give a year."""
    return Reading((months(year, 1, 12),), "year")


def year_alone(_: Setting, v: Values) -> Made | None:
    """Four digits: only a year where something beside them says so."""
    return ("bareyear", year_reading(v["year"])) if 1000 <= v["year"] <= 2999 else None


def year_named(_: Setting, v: Values) -> Made | None:
    """A year that is called so: "the year 2008"."""
    return "date", year_reading(v["year"])


def year_short(setting: Setting, v: Values) -> Made | None:
    """A year of two digits that is called so."""
    spans = [months(year, 1, 12) for year in short_years(setting, v["short"])]
    return "date", Reading(unique(spans[:1]), "year")


def written(setting: Setting, v: Values) -> Made | None:
    """A date in digits; which of two readings comes first, `Setting.day_first` says, and dots mean the day first."""
    value: Written = v["written"]
    by_day = setting.day_first or value.dotted
    order = (value.day_first, value.month_first) if by_day else (value.month_first, value.day_first)
    readings: list[Span] = []
    for ymd in order:
        if ymd is None:
            continue
        years = short_years(setting, ymd[0] % 100) if value.short_year else [ymd[0]]
        readings += [span for span in (fitted(day_in(ymd[1], ymd[2]), year) for year in years) if span is not None]
    if not readings:
        return None
    return "date", Reading(unique(readings), "day")


def pair(setting: Setting, v: Values) -> Made | None:
    """A day and a month in digits: "22/04"."""
    reading = pair_reading(setting, v["pair"], v)
    return None if reading is None else ("date", reading)


def pair_reading(setting: Setting, value: Pair, v: Values) -> Reading | None:
    """Give what two numbers can mean as day and month."""
    orders = [(value.right, value.left), (value.left, value.right)]
    if not setting.day_first and not value.dotted:
        orders.reverse()
    found = []
    for month, day in orders:
        try:
            reading = dated(setting, month, day, v)
        except ValueError:
            continue
        if reading is not None:
            found.append(reading)
    if not found:
        return None
    first = found[0]
    spans = [span for reading in found for span in reading.spans]
    return Reading(unique(spans), "day", in_year=first.in_year, following=first.following)


def yearmonth(_: Setting, v: Values) -> Made | None:
    """A year and a month in digits: "2015-3"."""
    year, month = v["ym"]
    return "date", Reading((months(year, month),), "month")


def shifted_anchor(setting: Setting, v: Values) -> Made | None:
    """ "last March", "next Christmas", "this 5/12"."""
    reading = shifted(setting, v["anchor"], v["steps"])
    return None if reading is None else ("date", reading)


def cued(_: Setting, v: Values) -> Made | None:
    """What needed a cue and has one."""
    return "date", v["anchor"]


def in_year_of(_: Setting, v: Values) -> Made | None:
    """ "March last year", "Q1 FY2026": what comes back each year, in the year of another time."""
    anchor: Reading = v["anchor"]
    other: Reading = v["other"]
    if anchor.in_year is None or other.grain != "year" or other.kind != "point":
        return None
    found = [_inside(anchor.in_year, anchor.grain, year) for year in other.spans]
    spans = [span for span in found if span is not None]
    return ("date", anchor.with_spans(spans)) if spans else None


def _inside(fit: Fit, grain: str, year: Span) -> Span | None:
    """Give what comes back each year, in a year that may begin with any month; quarters are counted from that month."""
    start, end = year
    if start is None or end is None or (end - start).days < 365:
        return None
    span = fitted(fit, start.year)
    if start.month == 1:
        return span
    if grain == "quarter" and span is not None and span[0] is not None and span[1] is not None:
        size = (span[1].year - span[0].year) * 12 + span[1].month - span[0].month
        return months(start.year, start.month + span[0].month - 1, size)
    if span is not None and span[0] is not None and span[0] >= start:
        return span
    return fitted(fit, start.year + 1)


def pair_alone(setting: Setting, v: Values) -> Made | None:
    """Two numbers with a slash: only a date where something beside them says so."""
    made = pair(setting, v)
    return None if made is None else ("bare", made[1])


def year_counted(setting: Setting, v: Values) -> Made | None:
    """A year counted from this one, in one word: "去年", "昨年"."""
    return "date", year_reading(setting.today.year + v["steps"])


def month_cued(setting: Setting, v: Values) -> Made | None:
    """A month where no cue is needed."""
    made = month_alone(setting, v)
    return None if made is None else ("date", made[1])


def day_month_rel(setting: Setting, v: Values) -> Made | None:
    """A day and a month of a year counted from this one: "el 5 de mayo del año pasado"."""
    return day_month(setting, v) if v["unit"] == "year" else None


def listed(_: Setting, v: Values) -> Made | None:
    """The next one in a list: "in February, March"."""
    return ("date", v["anchor"]) if v["other"].grain == v["anchor"].grain else None


def month_of_unit(setting: Setting, v: Values) -> Made | None:
    """ "im Monat März"."""
    return month_cued(setting, v) if v["unit"] == "month" else None


def year_named_if(setting: Setting, v: Values) -> Made | None:
    """A year beside the word for one."""
    return year_named(setting, v) if v["unit"] == "year" else None

"""Quarters, seasons, decades, weeks, what lies inside a period, and days with a name. Builders of `grammar.Rule`."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from . import almanac
from .almanac import days, month_start, months, period
from .anchors import day_in, fitted, month_alone, month_year, shifted, short_years, year_named, yearly, years_of
from .counted import relative_unit, this_unit
from .grammar import Made, Values
from .reading import Fit, Reading, Setting, Span, unique


def quarter_in(quarter: int) -> Fit:
    """Give the fit of a quarter."""
    return lambda year: months(year, 3 * quarter - 2, 3)


def half_in(half: int) -> Fit:
    """Give the fit of half a year."""
    return lambda year: months(year, 6 * half - 5, 6)


def quarter(setting: Setting, v: Values) -> Made | None:
    """ "Q3 2024", "the third quarter of next year"; without a year only where something beside it says so."""
    number = number_from_end(v["quarter"], 4)
    return part_of_year(setting, v, quarter_in(number), "quarter") if number else None


def half(setting: Setting, v: Values) -> Made | None:
    """ "H2 2024", "the first half of 2019"."""
    number = number_from_end(v["half"], 2)
    return part_of_year(setting, v, half_in(number), "quarter") if number else None


def number_from_end(number: int, last: int) -> int | None:
    """Give a number that counts from the end (-1) as it counts from the beginning; None where there is no such."""
    number = last if number == -1 else number
    return number if 1 <= number <= last else None


def part_of_year(setting: Setting, v: Values, fit: Fit, grain: str) -> Made | None:
    """Give what comes back each year, in the year that was said; without one the last and the next."""
    years = years_of(setting, v)
    if years is not None:
        return "date", Reading(unique([months_of for year in years if (months_of := fitted(fit, year))]), grain)
    reading = yearly(setting, grain, fit)
    return None if reading is None else ("date" if v["sure"] is not False else "bare", reading)


def quarter_alone(setting: Setting, v: Values) -> Made | None:
    """ "Q3" alone."""
    return quarter(setting, Values({**v, "sure": False}))


def half_alone(setting: Setting, v: Values) -> Made | None:
    """ "H1" alone."""
    return half(setting, Values({**v, "sure": False}))


SEASON_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def season_in(season: str) -> Fit:
    """Give the fit of a season of the northern half, three whole months; winter is told by the year it begins in."""
    return lambda year: months(year, SEASON_MONTH[season], 3)


def season_alone(setting: Setting, v: Values) -> Made | None:
    """A season: only a time where something beside it says so."""
    reading = yearly(setting, "season", season_in(v["season"]))
    return None if reading is None else ("bare", reading)


def season_year(setting: Setting, v: Values) -> Made | None:
    """ "summer 2019"; "winter 2019" is the one that begins then, or the one that ends."""
    years = years_of(setting, v)
    if years is None:
        return None
    fit = season_in(v["season"])
    spans = [fit(year) for year in years]
    if v["season"] == "winter":
        spans += [fit(year - 1) for year in years]
    return "date", Reading(unique([span for span in spans if span]), "season")


def decade(setting: Setting, v: Values) -> Made | None:
    """ "the 1990s", "the nineties"."""
    number = v["decade"]
    if number >= 1000:
        return _decade_from(number)
    if number % 10 or number > 90:
        return None
    starts = short_years(setting, number)
    return "date", Reading(tuple(months(start, 1, 120) for start in starts), "decade")


def _decade_from(year: int) -> Made | None:
    """ "the 1990s"; "the 1800s" are the whole century first."""
    if year % 10:
        return None
    spans = [months(year, 1, 120)]
    if year % 100 == 0 and year < 2000:
        spans.insert(0, months(year, 1, 1200))
    return "date", Reading(tuple(spans), "decade")


def century(_: Setting, v: Values) -> Made | None:
    """ "the 21st century": from its year 00, as most people count."""
    number = v["nth"]
    if v["unit"] != "century" or not 1 <= number <= 99:
        return None
    start = max(100 * number - 100, 1)
    return "date", Reading((months(start, 1, 100 * 12 if start > 1 else 99 * 12),), "decade")


def fiscal_year(setting: Setting, v: Values) -> Made | None:
    """ "FY2024", "fiscal year 2024": named by the year it ends in, unless it is the calendar year."""
    years = years_of(setting, v)
    if years is None:
        return None
    back = 0 if setting.fiscal_month == 1 else 1
    return "date", Reading(unique([months(year - back, setting.fiscal_month, 12) for year in years]), "year")


def unit_year(setting: Setting, v: Values) -> Made | None:
    """ "the year 2008", "fiscal year 2008"."""
    if v["unit"] == "fiscal":
        return fiscal_year(setting, v)
    return year_named(setting, v) if v["unit"] == "year" and v["year"] >= 1 else None


def week_number(setting: Setting, v: Values) -> Made | None:
    """ "week 10", "week 10 of 2019": weeks as ISO 8601 counts them."""
    number, years = v["week"], years_of(setting, v)
    if v["unit"] not in {None, "week"} or not 1 <= number <= 53:
        return None

    def fit(year: int) -> Span | None:
        monday = date.fromisocalendar(year, number, 1)
        return period(setting, "week", monday + timedelta(days=3))

    if years is not None:
        spans = [span for span in (fitted(fit, year) for year in years) if span is not None]
        return ("date", Reading(unique(spans), "week")) if spans else None
    this = fitted(fit, setting.today.year)
    reading = yearly(setting, "week", fit)
    if reading is None:
        return None
    return "date", reading.with_spans([*([this] if this else []), *reading.spans], in_year=fit)


def week_of(setting: Setting, v: Values) -> Made | None:
    """ "the week of 4 February"."""
    spans: list[Span] = []
    for start, _ in v["anchor"].spans:
        week = period(setting, "week", start.date()) if start is not None else None
        if week is not None:
            spans.append(week)
    return "date", v["anchor"].with_spans(spans, grain="week")


def weekend_of(setting: Setting, v: Values) -> Made | None:
    """ "the weekend of 4 July"."""
    if v["unit"] != "weekend":
        return None
    spans: list[Span] = []
    for start, _ in v["anchor"].spans:
        if start is not None:
            shift = (start.weekday() - 5 + 3) % 7 - 3
            spans.append(days(start.date() - timedelta(days=shift), 2))
    return "date", v["anchor"].with_spans(spans, grain="day")


def unit_of(setting: Setting, v: Values) -> Made | None:
    """ "the week of the 18th", "the weekend of 4 July"."""
    if v["anchor"].grain != "day":
        return None
    return week_of(setting, v) if v["unit"] == "week" else weekend_of(setting, v)


def nth_of(setting: Setting, v: Values) -> Made | None:
    """ "the first week of July", "the last three months of 2021", "the 15th day of next month"."""
    base: Reading = v["anchor"]
    count = int(v["count"] or 1)
    if base.grain in {"day", "instant", "minute", "hour"}:
        return None
    spans = [span for start, end in base.spans if (span := nth_in(setting, v["nth"], v["unit"], count, start, end))]
    return ("date", base.with_spans(spans, grain=almanac.grain_of(v["unit"]))) if spans else None


def nth_in(setting: Setting, nth: int, unit: str, count: int, start: Any, end: Any) -> Span | None:
    """Give the nth unit inside a span (-1: the last); weeks belong to the span that has their Thursday."""
    if start is None or end is None or unit in almanac.CLOCK:
        return None
    if unit in {"week", "workweek", "weekend"}:
        thursday = almanac.nth_weekday(start.date(), end.date(), 3, nth if nth > 0 or count == 1 else -count)
        if thursday is None:
            return None
        week = period(setting, unit, thursday)
        return (
            None
            if week is None or week[0] is None
            else days(week[0].date(), 7 * (count - 1) + {"weekend": 2, "workweek": 5}.get(unit, 7))
        )
    first = almanac.away(start, unit, nth - 1) if nth > 0 else almanac.away(end, unit, -count)
    last = almanac.away(first, unit, count)
    return (first, last) if start <= first and last <= end else None


def nth_of_unit(setting: Setting, v: Values) -> Made | None:
    """ "the last day of the month"."""
    anchor = this_unit(setting, v["outer"])
    return None if anchor is None else nth_of(setting, Values({**v, "anchor": anchor}))


def nth_weekday_of(_: Setting, v: Values) -> Made | None:
    """ "the third Monday of March"."""
    base: Reading = v["anchor"]
    spans: list[Span] = []
    for start, end in base.spans:
        if start is None or end is None or base.grain == "day":
            return None
        day = almanac.nth_weekday(start.date(), end.date(), v["weekday"], v["nth"])
        if day is not None:
            spans.append(days(day))
    return ("date", base.with_spans(spans, grain="day")) if spans else None


def nth_weekday_of_unit(setting: Setting, v: Values) -> Made | None:
    """ "the last Friday of the month"."""
    anchor = this_unit(setting, v["outer"])
    return None if anchor is None else nth_weekday_of(setting, Values({**v, "anchor": anchor}))


def day_of(setting: Setting, v: Values) -> Made | None:
    """ "the 15th of next month"."""
    return nth_of(setting, Values({"nth": v["day"], "unit": "day", "anchor": v["anchor"]}))


def holiday(setting: Setting, v: Values) -> Made | None:
    """A day with a name."""
    reading = yearly(setting, "day", holiday_in(v["holiday"]))
    return None if reading is None else ("date", reading)


def holiday_year(setting: Setting, v: Values) -> Made | None:
    """A day with a name in a year that was said."""
    years = years_of(setting, v)
    spans = [span for year in years or () if (span := fitted(holiday_in(v["holiday"]), year)) is not None]
    return ("date", Reading(unique(spans), "day")) if spans else None


def holiday_in(rule: tuple[Any, ...]) -> Fit:
    """Give the fit of a holiday: (month, day), ("easter", days after it), or (month, weekday, nth[, days after it])."""
    if rule[0] == "easter":
        return lambda year: days(almanac.easter(year) + timedelta(days=rule[1]))
    if len(rule) == 2:
        return day_in(rule[0], rule[1])
    more = rule[3] if len(rule) > 3 else 0

    def fit(year: int) -> Span | None:
        first = month_start(year, rule[0])
        day = almanac.nth_weekday(first, month_start(year, rule[0] + 1), rule[1], rule[2])
        return None if day is None else days(day + timedelta(days=more))

    return fit


def quarter_named(setting: Setting, v: Values) -> Made | None:
    """A quarter whose unit is written out."""
    return quarter(setting, v) if v["unit"] == "quarter" else None


def first_of(setting: Setting, v: Values) -> Made | None:
    """The first so many units of a period."""
    return nth_of(setting, Values({**v, "nth": 1}))


def nth_day_of(setting: Setting, v: Values) -> Made | None:
    """The last Monday of a period, said after it."""
    nth, weekday = v["nth_day"]
    return nth_weekday_of(setting, Values({"anchor": v["anchor"], "nth": nth, "weekday": weekday}))


def half_this_year(setting: Setting, v: Values) -> Made | None:
    """ "年の前半": of this year."""
    return half(setting, Values({"half": v["half"], "year": setting.today.year}))


def week_marked(setting: Setting, v: Values) -> Made | None:
    """ "KW 10"."""
    return week_number(setting, Values({**v, "unit": "week"}))


def nth_in_month(setting: Setting, v: Values) -> Made | None:
    """ "the last week of July": the unit before its month."""
    made = month_alone(setting, v) if v["year"] is None else month_year(setting, v)
    return None if made is None else nth_of(setting, Values({"nth": v["nth"], "unit": v["unit"], "anchor": made[1]}))


def fiscal_named(setting: Setting, v: Values) -> Made | None:
    """A fiscal year whose word stands after the one for a year."""
    return fiscal_year(setting, v) if v["unit"] == "year" else None


def decade_named(setting: Setting, v: Values) -> Made | None:
    """ "década de 1990", "années 90"."""
    if v["unit"] == "decade" or (v["unit"] == "year" and 20 <= v["decade"] <= 90):
        return decade(setting, v)
    return None


def season_rel(setting: Setting, v: Values) -> Made | None:
    """ "el verano pasado", "l'été dernier"."""
    made = season_alone(setting, v)
    reading = None if made is None else shifted(setting, made[1], v["steps"])
    return None if reading is None else ("date", reading)


def quarter_named_maybe(setting: Setting, v: Values) -> Made | None:
    """ "tercer trimestre de 2019"; without a year it needs a cue."""
    if v["year"] is None:
        return None
    if v["unit"] == "half":
        return half(setting, Values({"half": v["quarter"], "year": v["year"]}))
    return quarter(setting, v) if v["unit"] == "quarter" else None


def day_of_month(setting: Setting, v: Values) -> Made | None:
    """ "le 15 du mois prochain"."""
    return day_of(setting, v) if v["anchor"].grain == "month" else None


def decade_of_years(setting: Setting, v: Values) -> Made | None:
    """ "les années 1990"."""
    return decade(setting, v) if v["unit"] == "year" else None


def nth_weekday_in_month(setting: Setting, v: Values) -> Made | None:
    """ "the last Friday in January"."""
    made = month_alone(setting, v) if v["year"] is None else month_year(setting, v)
    if made is None:
        return None
    return nth_weekday_of(setting, Values({"nth": v["nth"], "weekday": v["weekday"], "anchor": made[1]}))


def nth_weekday_rel(setting: Setting, v: Values) -> Made | None:
    """ "the first Friday of next month"."""
    made = relative_unit(setting, Values({"steps": v["steps"], "unit": v["unit"]}))
    if made is None or v["unit"] in {"week", "day", "weekend"}:
        return None
    return nth_weekday_of(setting, Values({"nth": v["nth"], "weekday": v["weekday"], "anchor": made[1]}))


def half_rel(setting: Setting, v: Values) -> Made | None:
    """ "the first half of next year"."""
    return half(setting, v) if v["unit"] == "year" else None


def quarter_cued(setting: Setting, v: Values) -> Made | None:
    """ "in the third quarter"."""
    return quarter(setting, Values({"quarter": v["quarter"]})) if v["unit"] == "quarter" else None


def decade_bare(setting: Setting, v: Values) -> Made | None:
    """ "en los 90"."""
    return decade(setting, v) if 20 <= v["decade"] <= 90 else None


def holiday_alone(setting: Setting, v: Values) -> Made | None:
    """A day with a name before a word it may belong to: "Christmas tree"."""
    made = holiday(setting, v)
    return None if made is None else ("bare", made[1])


def nth_in_year(setting: Setting, v: Values) -> Made | None:
    """The nth unit of a year that is said before it."""
    anchor = Reading((months(v["year"], 1, 12),), "year")
    return nth_of(setting, Values({"nth": v["nth"], "unit": v["unit"], "anchor": anchor}))


def week_number_rel(setting: Setting, v: Values) -> Made | None:
    """ "semana 27 del año pasado"."""
    return week_number(setting, v) if v["outer"] == "year" else None

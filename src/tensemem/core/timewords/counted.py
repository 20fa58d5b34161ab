"""Times counted from the speaker's day or from another one. Builders of `grammar.Rule`, and what they share."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from . import almanac
from .almanac import days, midnight, period
from .grammar import Made, Values
from .numerals import Few
from .reading import Reading, Setting, Span, unique

FINER_UNIT = {
    "decade": "year",
    "century": "decade",
    "year": "month",
    "fiscal": "month",
    "half": "month",
    "quarter": "month",
}
"""What half a unit is told in."""


def relative_day(setting: Setting, v: Values) -> Made | None:
    """ "yesterday"."""
    return "date", Reading((days(setting.today + timedelta(days=v["offset"])),), "day")


def relative_unit(setting: Setting, v: Values) -> Made | None:
    """ "last week", "this year", "next quarter"."""
    span = period(setting, v["unit"], setting.today, v["steps"])
    return None if span is None else ("date", Reading((span,), almanac.grain_of(v["unit"])))


def relative_fiscal(setting: Setting, v: Values) -> Made | None:
    """ "last fiscal year", "this financial quarter"."""
    size = {"quarter": 3, "half": 6}.get(v["unit"])
    if size is not None:
        begun = (setting.today.month - setting.fiscal_month) % size
        span = almanac.months(setting.today.year, setting.today.month - begun + size * v["steps"], size)
        return "date", Reading((span,), almanac.grain_of(v["unit"]))
    return relative_unit(setting, Values({"steps": v["steps"], "unit": "fiscal" if v["unit"] == "year" else v["unit"]}))


def ago(setting: Setting, v: Values) -> Made | None:
    """ "three weeks ago"."""
    return _counted(setting, setting.today, v, -1)


def ahead(setting: Setting, v: Values) -> Made | None:
    """ "in three weeks"."""
    return _counted(setting, setting.today, v, 1)


def half_ago(setting: Setting, v: Values) -> Made | None:
    """ "half a year ago"."""
    return ago(setting, Values({"count": 0.5, "unit": v["unit"]}))


def more_half_ago(setting: Setting, v: Values) -> Made | None:
    """ "a year and a half ago"."""
    return ago(setting, Values({"count": (v["count"] or 1) + 0.5, "unit": v["unit"]}))


def _counted(setting: Setting, base: date, v: Values, sign: int) -> Made | None:
    reading = counted(setting, base, [(v["count"], v["unit"]), (v["count2"], v["unit2"])], sign)
    return None if reading is None else ("date", reading)


def counted(setting: Setting, base: date, amounts: list[tuple[Any, Any]], sign: int) -> Reading | None:
    """Give the period so many units away from a day: as coarse as the last unit; the very day is the other reading."""
    moment, unit, few = midnight(base), "day", False
    for count, name in amounts:
        if count is None:
            continue
        few = few or isinstance(count, Few)
        if name == "workday":
            moment = midnight(almanac.workdays_from(moment.date(), sign * int(count)))
            unit = "day"
            continue
        if name in almanac.CLOCK or abs(count) > 100000:
            return None
        moment = almanac.away(moment, name, sign * count)
        unit = name if count == int(count) else FINER_UNIT.get(name, "day")
    day = moment.date()
    exact = days(day)
    if unit == "day" and not few:
        return Reading((exact,), "day")
    around = period(setting, "week" if unit in {"weekend", "fortnight", "workweek"} else unit, day)
    spans = [span for span in (around, exact) if span is not None]
    return Reading(unique(spans), almanac.grain_of(unit), approximate=True)


def from_anchor(setting: Setting, v: Values, sign: int) -> Made | None:
    """ "two days after Christmas", "three weeks from tomorrow"."""
    base: Reading = v["anchor"]
    spans: list[Span] = []
    grain = "day"
    for start, _ in base.spans:
        if start is None:
            return None
        reading = counted(setting, start.date(), [(v["count"], v["unit"]), (v["count2"], v["unit2"])], sign)
        if reading is None:
            return None
        spans += reversed(reading.spans)
        grain = reading.grain
    coarse = grain if almanac.GRAIN_OF.get(base.grain, base.grain) != "day" else "day"
    return "date", base.with_spans(spans, grain=coarse, approximate=isinstance(v["count"], Few))


def after_anchor(setting: Setting, v: Values) -> Made | None:
    """So long after a day."""
    return from_anchor(setting, v, 1)


def before_anchor(setting: Setting, v: Values) -> Made | None:
    """So long before a day."""
    return from_anchor(setting, v, -1)


def this_unit(setting: Setting, unit: str) -> Reading | None:
    """Give the unit that the reference lies in: "the month"."""
    span = period(setting, unit, setting.today)
    return None if span is None else Reading((span,), almanac.grain_of(unit))


def the_unit(setting: Setting, v: Values) -> Made | None:
    """ "in the year": the one that the reference lies in."""
    if v["unit"] not in {"week", "month", "quarter", "year"}:
        return None
    reading = this_unit(setting, v["unit"])
    return None if reading is None else ("date", reading)


def to_day(setting: Setting, _: Values) -> Made | None:
    """The day of the reference: "to date"."""
    return "date", Reading((days(setting.today),), "day", about_now=True)


def month_counted(setting: Setting, v: Values) -> Made | None:
    """A month counted from this one, in one word: "上个月", "先月"."""
    return relative_unit(setting, Values({"steps": v["steps"], "unit": "month"}))


def half_year_ago(setting: Setting, v: Values) -> Made | None:
    """ "半年前"."""
    return ago(setting, Values({"count": 0.5, "unit": "year"})) if v["unit"] == "half" else None


def half_year_ahead(setting: Setting, v: Values) -> Made | None:
    """ "半年后"."""
    return ahead(setting, Values({"count": 0.5, "unit": "year"})) if v["unit"] == "half" else None


def week_counted(setting: Setting, v: Values) -> Made | None:
    """A week counted from this one, in one word: "先週"."""
    return relative_unit(setting, Values({"steps": v["steps"], "unit": "week"}))


def weekend_of_week(setting: Setting, v: Values) -> Made | None:
    """ "来週末": the weekend of a week counted from this one."""
    return relative_unit(setting, v) if v["unit"] == "weekend" else None


def after_day(setting: Setting, v: Values) -> Made | None:
    """So long after a day that is told from this one: "今日から2日後"."""
    return _counted(setting, setting.today + timedelta(days=v["offset"]), v, 1)


def before_day(setting: Setting, v: Values) -> Made | None:
    """So long before a day that is told from this one."""
    return _counted(setting, setting.today + timedelta(days=v["offset"]), v, -1)


def previous_unit(setting: Setting, v: Values) -> Made | None:
    """ "前の週": the one before this one."""
    return relative_unit(setting, Values({"steps": -1, "unit": v["unit"]}))


def this_workweek(setting: Setting, _: Values) -> Made | None:
    """ "unter der Woche": the working days of this week."""
    return relative_unit(setting, Values({"steps": 0, "unit": "workweek"}))


def this_one(setting: Setting, v: Values) -> Made | None:
    """ "ce mois-ci"."""
    return relative_unit(setting, Values({"steps": 0, "unit": v["unit"]}))


def after_next(setting: Setting, v: Values) -> Made | None:
    """ "the week after next"."""
    return relative_unit(setting, Values({"steps": 2, "unit": v["unit"]}))


def before_last(setting: Setting, v: Values) -> Made | None:
    """ "the week before last"."""
    return relative_unit(setting, Values({"steps": -2, "unit": v["unit"]}))


def weekend_or_part(setting: Setting, v: Values) -> Made | None:
    """ "今週末": what ends a week is its weekend."""
    if v["part"] != "late":
        return None
    return relative_unit(setting, Values({"steps": v["steps"], "unit": "weekend"}))


def either_side(setting: Setting, v: Values) -> Made | None:
    """ "कल": a day so far away on either side; which one comes first is what is preferred."""
    sides = (1, -1) if setting.future else (-1, 1)
    return "date", Reading(tuple(days(setting.today + timedelta(days=side * v["offset"])) for side in sides), "day")

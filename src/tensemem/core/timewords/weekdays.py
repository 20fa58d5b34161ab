"""Weekdays and days of the month. All public functions are builders of `grammar.Rule`, or give readings to them."""

from __future__ import annotations

from datetime import date, timedelta

from . import almanac
from .almanac import days
from .clocks import part_of_day
from .grammar import Made, Values
from .reading import Reading, Setting, Span, unique


def weekday_alone(setting: Setting, v: Values) -> Made | None:
    """A weekday: the last one and the next one, and today where it is that day."""
    return "bare", weekday_reading(setting, v["weekday"])


def weekday_reading(setting: Setting, weekday: int) -> Reading:
    """Give a weekday as it comes back each week."""
    back = (setting.today.weekday() - weekday) % 7
    last, ahead = setting.today - timedelta(days=back or 7), setting.today + timedelta(days=7 - back)
    order = [ahead, last] if setting.future else [last, ahead]
    if not back:
        order.append(setting.today)

    def following(day: date) -> Span:
        return days(day + timedelta(days=(weekday - day.weekday()) % 7))

    return Reading(tuple(days(day) for day in order), "day", following=following)


def weekday_relative(setting: Setting, v: Values) -> Made | None:
    """ "next Friday" is the one of next week, "last Friday" the one that was last; the other reading follows."""
    steps, weekday = v["steps"], v["weekday"]
    week = almanac.week_start(setting, setting.today) + timedelta(weeks=steps)
    by_week = week + timedelta(days=(weekday - setting.first_weekday) % 7)
    back = (setting.today.weekday() - weekday) % 7
    if steps == 0:
        return "date", Reading((days(by_week),), "day")
    if abs(steps) > 1:
        return "date", Reading((days(by_week),), "day")
    nearest = setting.today + timedelta(days=7 - back) if steps > 0 else setting.today - timedelta(days=back or 7)
    order = [by_week, nearest] if steps > 0 else [nearest, by_week]
    return "date", Reading(unique([days(day) for day in order]), "day")


def weekday_coming(setting: Setting, v: Values) -> Made | None:
    """ "the coming Friday", "this past Friday": the nearest one after or before today."""
    back = (setting.today.weekday() - v["weekday"]) % 7
    day = setting.today + timedelta(days=7 - back) if v["steps"] > 0 else setting.today - timedelta(days=back or 7)
    return "date", Reading((days(day),), "day")


def weekday_of_week(setting: Setting, v: Values) -> Made | None:
    """ "Tuesday of last week"."""
    if v["unit"] not in {None, "week"}:
        return None
    week = almanac.week_start(setting, setting.today) + timedelta(weeks=v["steps"])
    return "date", Reading((days(week + timedelta(days=(v["weekday"] - setting.first_weekday) % 7)),), "day")


def day_of_month(setting: Setting, v: Values) -> Made | None:
    """ "the 18th": of this month or of the one before or after it."""
    reading = monthly(setting, v["day"])
    return None if reading is None else ("bare", reading)


def monthly(setting: Setting, day: int) -> Reading | None:
    """Give a day of the month as it comes back each month."""
    if not 1 <= day <= 31:
        return None
    today, index = setting.today, setting.today.year * 12 + setting.today.month - 1
    near = [found for found in (_day_of(index + step, day) for step in range(-2, 3)) if found is not None]
    begun, ahead = [found for found in near if found <= today], [found for found in near if found > today]
    order = [*begun[-1:], *ahead[:1]]
    if setting.future and begun[-1] != today:
        order.reverse()

    def following(after: date) -> Span | None:
        first = after.year * 12 + after.month - 1
        found = [day_ for day_ in (_day_of(first + step, day) for step in range(3)) if day_ and day_ >= after]
        return days(found[0]) if found else None

    return Reading(tuple(days(found) for found in order), "day", following=following)


def _day_of(index: int, day: int) -> date | None:
    year, month = divmod(index, 12)
    try:
        return date(year, month + 1, day)
    except ValueError:
        return None


def weekday_and_day(setting: Setting, v: Values) -> Made | None:
    """ "Monday 21": the nearest months whose 21st is a Monday; this month's if it is one."""
    day, weekday = v["day"], v["weekday"]
    if not 1 <= day <= 31:
        return None
    index = setting.today.year * 12 + setting.today.month - 1
    here = _day_of(index, day)
    if here is not None and here.weekday() == weekday and (here >= setting.today or not setting.future):
        return "date", Reading((days(here),), "day") if here >= setting.today else _both_sides(setting, index, v)
    return "date", _both_sides(setting, index, v)


def _both_sides(setting: Setting, index: int, v: Values) -> Reading:
    def seek(steps: range) -> list[date]:
        for step in steps:
            found = _day_of(index + step, v["day"])
            if (
                found is not None
                and found.weekday() == v["weekday"]
                and (found <= setting.today if steps.step < 0 else found > setting.today)
            ):
                return [found]
        return []

    order = seek(range(0, -40, -1)) + seek(range(0, 40))
    if setting.future:
        order.reverse()
    return Reading(unique([days(day) for day in order]), "day")


def cued_day(setting: Setting, v: Values) -> Made | None:
    """ "on the 18th"."""
    reading = monthly(setting, v["day"])
    return None if reading is None else ("date", reading)


def day_in_month(setting: Setting, v: Values) -> Made | None:
    """A day of this, the last or the next month."""
    start = almanac.month_start(setting.today.year, setting.today.month + v["steps"])
    return "date", Reading((days(start.replace(day=v["day"])),), "day")


def weekday_cued(setting: Setting, v: Values) -> Made | None:
    """A weekday where no cue is needed."""
    return "date", weekday_reading(setting, v["weekday"])


def nth_weekday(_: Setting, v: Values) -> Made | None:
    """ "the last Monday", of what is still to be said or has been."""
    return "offset", (v["nth"], v["weekday"])


def sure_weekday(_: Setting, v: Values) -> Made | None:
    """A weekday of a language where its name means nothing else."""
    reading: Reading = v["anchor"]
    return ("date", reading) if reading.grain == "day" and reading.in_year is None and reading.following else None


def weekday_part(setting: Setting, v: Values) -> Made | None:
    """A weekday and a part of it in one word: "Dienstagabend"."""
    weekday, daypart = v["daypart"]
    return part_of_day(setting, Values({"anchor": weekday_reading(setting, weekday), "daypart": daypart}))


def sure_day(_: Setting, v: Values) -> Made | None:
    """A day with an article before it: "el 20/11"."""
    return ("date", v["anchor"]) if v["anchor"].grain == "day" else None


def day_called(setting: Setting, v: Values) -> Made | None:
    """ "el día 18"."""
    return cued_day(setting, v) if v["dayunit"] == "day" else None


def cued_season(_: Setting, v: Values) -> Made | None:
    """ "au printemps"."""
    return ("date", v["anchor"]) if v["anchor"].grain == "season" else None


def week_of_day(setting: Setting, v: Values) -> Made | None:
    """ "la semana del 18"."""
    reading = monthly(setting, v["day"]) if v["unit"] == "week" else None
    if reading is None:
        return None
    spans = [almanac.period(setting, "week", start.date()) for start, _ in reading.spans if start is not None]
    return "date", reading.with_spans([span for span in spans if span is not None], grain="week")


def weekday_morning(setting: Setting, v: Values) -> Made | None:
    """ "Dienstag Morgen"."""
    return weekday_part(setting, Values({"daypart": (v["weekday"], "morning")})) if v["next"] == 1 else None


def cued_period(_: Setting, v: Values) -> Made | None:
    """ "a marzo": a month or season after a word that needs no article."""
    return ("date", v["anchor"]) if v["anchor"].grain in {"month", "season"} else None

"""A day and how far from it: "Friday in two weeks", "a week from Friday". Builders of `grammar.Rule`."""

from __future__ import annotations

from datetime import date, timedelta

from . import almanac
from .almanac import days, period
from .counted import after_anchor
from .grammar import Made, Values
from .reading import Reading, Setting, Span, unique
from .weekdays import day_in_month

EIGHT_DAYS = {8: 1, 14: 2, 15: 2}
"""Weeks, where they are told in days of which the first and the last one count."""


def coming(setting: Setting, weekday: int) -> date:
    """Give the next day of that name after today."""
    return setting.today + timedelta(days=7 - (setting.today.weekday() - weekday) % 7)


def _of_week(setting: Setting, weekday: int, weeks: int) -> date:
    """Give the day of that name in the calendar week so many after this one."""
    week = almanac.week_start(setting, setting.today) + timedelta(weeks=weeks)
    return week + timedelta(days=(weekday - setting.first_weekday) % 7)


def _either(first: date, other: date) -> Made:
    return "date", Reading(unique([days(first), days(other)]), "day")


def soonest_weekday(setting: Setting, v: Values) -> Made | None:
    """ "el próximo viernes", "nächsten Freitag": the coming one; the one of next week is the other reading."""
    weeks: int = v["steps"]
    first = coming(setting, v["weekday"]) + timedelta(weeks=weeks - 1)
    return _either(first, _of_week(setting, v["weekday"], weeks))


def weekday_in(setting: Setting, v: Values) -> Made | None:
    """ "Friday in two weeks": so long after the coming one; the one of that calendar week is the other reading."""
    if v["unit"] != "week" or v["count"] != int(v["count"]):
        return None
    weeks = int(v["count"])
    return _either(coming(setting, v["weekday"]) + timedelta(weeks=weeks), _of_week(setting, v["weekday"], weeks))


def weekday_in_eight(setting: Setting, v: Values) -> Made | None:
    """ "Montag in acht Tagen", "el martes en ocho días": eight days are a week."""
    if v["unit"] != "day" or v["count"] not in EIGHT_DAYS:
        return None
    return weekday_in(setting, Values({"weekday": v["weekday"], "unit": "week", "count": EIGHT_DAYS[v["count"]]}))


def weekday_of_eight(setting: Setting, v: Values) -> Made | None:
    """ "lundi en huit": the one of next week; the one after the coming one is the other reading."""
    if v["count"] not in EIGHT_DAYS:
        return None
    weeks = EIGHT_DAYS[v["count"]]
    return _either(_of_week(setting, v["weekday"], weeks), coming(setting, v["weekday"]) + timedelta(weeks=weeks))


def weekday_week(setting: Setting, v: Values) -> Made | None:
    """ "Tuesday week": a week after the coming one."""
    return weekday_in(setting, Values({**v, "count": 1}))


def week_on_weekday(setting: Setting, v: Values) -> Made | None:
    """ "in two weeks on Friday": the one of that calendar week."""
    if v["unit"] != "week" or v["count"] != int(v["count"]):
        return None
    return "date", Reading((days(_of_week(setting, v["weekday"], int(v["count"]))),), "day")


def weeks_ago_on(setting: Setting, v: Values) -> Made | None:
    """ "two weeks ago on Friday"."""
    return week_on_weekday(setting, Values({**v, "count": -v["count"]}))


def weekdays_ago(setting: Setting, v: Values) -> Made | None:
    """ "two Fridays ago": the last one is one Friday ago."""
    count = v["count"]
    if count != int(count) or not 0 < count <= 1000:
        return None
    last = coming(setting, v["weekday"]) - timedelta(weeks=1)
    if last == setting.today:
        last -= timedelta(weeks=1)
    return "date", Reading((days(last - timedelta(weeks=int(count) - 1)),), "day")


def day_in(setting: Setting, v: Values) -> Made | None:
    """ "today in two weeks": the very day."""
    return _day_away(setting, v, 1)


def day_before(setting: Setting, v: Values) -> Made | None:
    """ "heute vor einem Jahr", "a year ago today": the very day."""
    return _day_away(setting, v, -1)


def day_in_eight(setting: Setting, v: Values) -> Made | None:
    """ "heute in acht Tagen", "aujourd'hui en huit": a week; eight days are the other reading."""
    count = v["count"]
    if v["unit"] not in {None, "day"} or count not in EIGHT_DAYS:
        return None
    base = setting.today + timedelta(days=v["offset"])
    return _either(base + timedelta(weeks=EIGHT_DAYS[count]), base + timedelta(days=int(count)))


def _day_away(setting: Setting, v: Values, sign: int) -> Made | None:
    if v["unit"] in almanac.CLOCK or not 0 < v["count"] <= 10000:
        return None
    base = setting.today + timedelta(days=v["offset"])
    if v["unit"] == "workday":
        day = almanac.workdays_from(base, sign * int(v["count"]))
    else:
        day = almanac.away(almanac.midnight(base), v["unit"], sign * v["count"]).date()
    return "date", Reading((days(day),), "day")


def after_coming(setting: Setting, v: Values) -> Made | None:
    """ "a week from Friday": from the coming one."""
    base: Reading = v["anchor"]
    if base.following is None:
        return after_anchor(setting, v)
    ahead = [span for span in base.spans if _is_ahead(setting, span)]
    rest = [span for span in base.spans if not _is_ahead(setting, span)]
    made = after_anchor(setting, Values({**v, "anchor": base.with_spans([*ahead, *rest])}))
    if made is None:
        return None
    reading: Reading = made[1]
    very = [span for span in reading.spans if span[0] is not None and span[1] == span[0] + almanac.DAY]
    return made[0], reading.with_spans([*very, *reading.spans])


def _is_ahead(setting: Setting, span: Span) -> bool:
    return span[0] is not None and span[0].date() > setting.today


def day_of_other_month(setting: Setting, v: Values) -> Made | None:
    """ "am 15. nächsten Monats"."""
    return day_in_month(setting, v) if v["unit"] == "month" else None


def next_unit(setting: Setting, v: Values) -> Made | None:
    """ "next weekend": the one of next week; one that is still to come this week is the other reading."""
    if v["unit"] != "weekend":
        return None
    near, far = period(setting, "weekend", setting.today), period(setting, "weekend", setting.today, 1)
    if near is None or far is None:
        return None
    return "date", Reading(unique([far, *([near] if _is_ahead(setting, near) else [])]), "day")


def weekend(setting: Setting, v: Values) -> Made | None:
    """ "周末": this one while it lasts, else the last and the next one, as a weekday is read."""
    if v["unit"] != "weekend":
        return None
    near = [period(setting, "weekend", setting.today, step) for step in (-1, 0, 1)]
    spans = [span for span in near if span is not None and span[0] is not None]
    begun = [span for span in spans if not _is_ahead(setting, span)]
    ahead = [span for span in spans if _is_ahead(setting, span)]
    is_on = bool(begun) and begun[-1][1] is not None and begun[-1][1] > setting.now
    order = ahead[:1] + begun[-1:] if setting.future and not is_on else begun[-1:] + ahead[:1]
    return "date", Reading(unique(order), "day")


def weekends(_: Setting, v: Values) -> Made | None:
    """ "两个周末": how many, not which."""
    return ("word", None) if v["unit"] == "weekend" else None

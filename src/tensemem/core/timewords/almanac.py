"""The calendar: which days a unit of time covers, and what lies so many units away. Naive local time throughout."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from .reading import Setting, Span

DAY = timedelta(days=1)
MONTHS_IN = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}
CLOCK = {"hour": timedelta(hours=1), "minute": timedelta(minutes=1), "second": timedelta(seconds=1)}
GRAIN_OF = {
    "weekend": "day",
    "workweek": "week",
    "workday": "day",
    "fortnight": "week",
    "half": "quarter",
    "century": "decade",
    "second": "instant",
    "fiscal": "year",
}


def grain_of(unit: str) -> str:
    """Give the grain in which a time said in a unit is told."""
    return GRAIN_OF.get(unit, unit)


def midnight(day: date) -> datetime:
    """Give a day's first moment."""
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001  (local wall time: the zone is attached at the end)


def days(first: date, count: int = 1) -> Span:
    """Give the span of so many days."""
    return midnight(first), midnight(first + timedelta(days=count))


def months(year: int, month: int, count: int = 1) -> Span:
    """Give the span of so many months; months below 1 or over 12 run into other years."""
    return midnight(month_start(year, month)), midnight(month_start(year, month + count))


def month_start(year: int, month: int) -> date:
    """Give the first day of a month; months below 1 or over 12 run into other years."""
    over, month = divmod(month - 1, 12)
    return date(year + over, month + 1, 1)


def week_start(setting: Setting, day: date) -> date:
    """Give the first day of the week that a day is in."""
    return day - timedelta(days=(day.weekday() - setting.first_weekday) % 7)


def period(setting: Setting, unit: str, day: date, steps: int = 0) -> Span | None:
    """Give the calendar unit so many steps after the one that a day is in; None for units without a calendar."""
    if unit == "day":
        return days(day + timedelta(days=steps))
    if unit in {"week", "workweek", "weekend"}:
        first = week_start(setting, day) + timedelta(weeks=steps)
        if unit == "week":
            return days(first, 7)
        monday = first + timedelta(days=-setting.first_weekday % 7)
        return days(monday, 5) if unit == "workweek" else days(monday + timedelta(days=5), 2)
    if unit == "fortnight":
        start = week_start(setting, day) + timedelta(weeks=2 * steps)
        return days(start, 14)
    if unit == "fiscal":
        start_year = day.year if day.month >= setting.fiscal_month else day.year - 1
        return months(start_year + steps, setting.fiscal_month, 12)
    if unit in MONTHS_IN:
        size = MONTHS_IN[unit]
        index = (day.year * 12 + day.month - 1) // size + steps
        return months(0, index * size + 1, size)
    return None


def away(moment: datetime, unit: str, count: float) -> datetime:
    """Give the local moment so many units later (earlier, if negative); a day that a month lacks is its last."""
    if unit in DAYS_IN:
        return moment + timedelta(days=DAYS_IN[unit] * count)
    if unit in {"weekend", "workweek"}:
        return moment + timedelta(weeks=count)
    size = 12 if unit == "fiscal" else MONTHS_IN[unit]
    whole = int(count * size)
    shifted = midnight(add_months(moment.date(), whole)) + (moment - midnight(moment.date()))
    return shifted + timedelta(days=round((count * size - whole) * 30))


def add_months(day: date, count: int) -> date:
    """Give the same day so many months later, or that month's last day."""
    first = month_start(day.year, day.month + count)
    last = month_start(first.year, first.month + 1) - DAY
    return first.replace(day=min(day.day, last.day))


def workdays_from(day: date, count: int) -> date:
    """Give the day after so many working days that follow a day (or precede it, if negative)."""
    step = DAY if count > 0 else -DAY
    weeks, left = divmod(abs(count), 5)
    day += 7 * weeks * step
    while left:
        day += step
        left -= day.weekday() < 5
    return day


def easter(year: int) -> date:
    """Give Easter Sunday of the Gregorian calendar."""
    golden, century = year % 19, year // 100
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    lead = (32 + 2 * (century % 4) + 2 * (year % 100 // 4) - moon - year % 100 % 4) % 7
    fix = (golden + 11 * moon + 22 * lead) // 451
    month, day = divmod(moon + lead - 7 * fix + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(first: date, end: date, weekday: int, nth: int) -> date | None:
    """Give the nth weekday from ``first`` on and before ``end``; -1 is the last one. None where there is none."""
    if nth > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    else:
        last = end - DAY
        day = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))
    return day if first <= day < end else None

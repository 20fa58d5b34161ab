"""A time as the texts that operations take for `since`, `until`, `valid_from` and `valid_to`."""

from __future__ import annotations

from datetime import datetime, timedelta

from .value import TimeValue


def iso_texts(value: TimeValue) -> tuple[str | None, str | None]:
    """Give a time's start and end as ISO 8601 texts, each a period as coarse as the grain; None where it is open.

    The texts mean what `core.periods.parse_period` says: ``"2026-03"`` as an end covers all of March. So "in March"
    gives ``("2026-03", "2026-03")``, "since 2019" ``("2019", None)``, "before March 2018" ``(None, "2018-02")``.
    For a state that began then and still holds, take the first as `since`; for one that is over, both as `valid_from`
    and `valid_to`; for one that ends, the second as `until`.
    """
    start = None if value.start is None else _text(_first_day(value.start, value), value.grain)
    end = None if value.end is None else _text(_last_moment(value.end, value.grain), value.grain)
    return start, end


def _first_day(start: datetime, value: TimeValue) -> datetime:
    """A week from Sunday to Saturday is told by the ISO week that begins the day after."""
    from_sunday = value.end is not None and start.weekday() == value.end.weekday() == 6
    return start + timedelta(days=1) if value.grain == "week" and from_sunday else start


def _last_moment(end: datetime, grain: str) -> datetime:
    return end if grain == "instant" else end - timedelta(microseconds=1)


def _text(moment: datetime, grain: str) -> str:
    match grain:
        case "decade" | "year":
            return f"{moment.year:04}"
        case "quarter":
            return f"{moment.year:04}-Q{(moment.month + 2) // 3}"
        case "season" | "month":
            return f"{moment.year:04}-{moment.month:02}"
        case "week":
            year, week, _ = moment.isocalendar()
            return f"{year:04}-W{week:02}"
        case "day":
            return moment.date().isoformat()
        case "hour":
            return moment.isoformat(timespec="hours")
        case "minute":
            return moment.isoformat(timespec="minutes")
    return moment.isoformat(timespec="seconds")

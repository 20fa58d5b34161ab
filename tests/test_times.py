"""`tensemem.times`: what it takes, what it refuses, and what zones do to it."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from tensemem import errors, times
from tests.core.timewords.reading_cases import REFERENCE, others, reading

BERLIN = ZoneInfo("Europe/Berlin")


def find_in(zone: ZoneInfo, text: str, *when: int) -> times.TimeValue:
    """Give the only time found in an English text said at a local time."""
    (value,) = times.find(text, reference=datetime(*when, tzinfo=zone), language="en")  # type: ignore[misc, arg-type]
    return value


# Arguments


def test_it_exports_two_names() -> None:
    assert times.__all__ == ["TimeValue", "find"]


def test_importing_the_library_does_not_load_it() -> None:
    code = (
        "import sys, tensemem; sys.exit(any('timewords' in name or name == 'tensemem.times' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, env={"PYTHONPATH": "src"}).returncode == 0


def test_a_language_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, tensemem.times as t, datetime as d; "
        "t.find('yesterday', reference=d.datetime(2025, 5, 14, tzinfo=d.UTC), language='en'); "
        "names = [n.rpartition('.')[2] for n in sys.modules]; "
        "sys.exit('english' not in names or 'chinese' in names)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, env={"PYTHONPATH": "src"}).returncode == 0


@pytest.mark.parametrize("reference", [datetime(2025, 5, 14), date(2025, 5, 14), "2025-05-14", None])  # noqa: DTZ001
def test_a_reference_that_is_no_aware_datetime_is_refused(reference: object) -> None:
    with pytest.raises(errors.InvalidTimeError, match="aware datetime"):
        times.find("yesterday", reference=reference)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ({"language": "tlh"}, "'en'"),
        ({"language": 3}, "'en'"),
        ({"prefer": "present"}, "'future'"),
        ({"prefer": []}, "'future'"),
        ({"day_first": "yes"}, "True, False, or None"),
        ({"week_start": "friday"}, "'sunday'"),
        ({"week_start": 0}, "'sunday'"),
        ({"fiscal_year_start": 0}, "1 to 12"),
        ({"fiscal_year_start": True}, "1 to 12"),
        ({"fiscal_year_start": "April"}, "1 to 12"),
    ],
)
def test_a_wrong_choice_is_refused_with_what_to_give(choice: dict[str, object], says: str) -> None:
    with pytest.raises(errors.InvalidValueError, match=says):
        times.find("yesterday", reference=REFERENCE, **choice)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, b"yesterday", 2019])
def test_what_is_not_text_is_refused(text: object) -> None:
    with pytest.raises(errors.InvalidValueError, match="give text"):
        times.find(text, reference=REFERENCE)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " ", "\n", "\ud800 yesterday \udfff", "\0", "yesterday\u200b"])
def test_odd_text_is_no_error(text: str) -> None:
    assert len(times.find(text, reference=REFERENCE)) <= 1


# Choices


def test_prefer_says_which_reading_comes_first_and_the_other_is_kept() -> None:
    past, future = (times.find("on Friday", reference=REFERENCE, prefer=side)[0] for side in ("past", "future"))
    assert (past.start, future.start) == (datetime(2025, 5, 9, tzinfo=UTC), datetime(2025, 5, 16, tzinfo=UTC))
    assert past.alternatives == ((future.start, future.end),)
    assert future.alternatives == ((past.start, past.end),)


def test_next_friday_keeps_the_nearest_friday_as_the_other_reading() -> None:
    (value,) = times.find("next Friday", reference=REFERENCE)
    assert others(value) == ["2025-05-16..2025-05-17"]


def test_day_first_says_how_digits_are_read_and_the_other_way_is_kept() -> None:
    day, month, usual = (
        times.find("on 3/4/2025", reference=REFERENCE, language="en", day_first=choice)[0]
        for choice in (True, False, None)
    )
    assert day.start == datetime(2025, 4, 3, tzinfo=UTC)
    assert month == usual
    assert month.start == datetime(2025, 3, 4, tzinfo=UTC)
    assert others(month) == ["2025-04-03..2025-04-04"]


def test_a_date_with_one_reading_has_no_other() -> None:
    (value,) = times.find("on 23/4/2025", reference=REFERENCE, day_first=False)
    assert (value.start, value.alternatives) == (datetime(2025, 4, 23, tzinfo=UTC), ())


def test_week_start_moves_the_week() -> None:
    assert reading("last week", week_start="sunday") == [("last week", "2025-05-04..2025-05-11 week")]
    assert reading("last week", week_start="monday") == [("last week", "2025-05-05..2025-05-12 week")]


def test_a_fiscal_year_is_named_after_the_year_it_ends_in() -> None:
    assert reading("in FY2024", fiscal_year_start=10) == [("FY2024", "2023-10-01..2024-10-01 year")]
    assert reading("last fiscal year", fiscal_year_start=4) == [("last fiscal year", "2024-04-01..2025-04-01 year")]


# Zones


def test_results_are_in_the_zone_of_the_reference() -> None:
    value = find_in(BERLIN, "yesterday", 2025, 5, 14, 10)
    assert value.start == datetime(2025, 5, 13, tzinfo=BERLIN)
    assert value.start is not None
    assert value.start.tzinfo is BERLIN


def test_a_day_may_have_23_or_25_hours() -> None:
    spring = find_in(BERLIN, "yesterday", 2025, 3, 31, 0, 30)
    autumn = find_in(BERLIN, "yesterday", 2025, 10, 27, 0, 30)
    assert [hours(spring), hours(autumn)] == [23, 25]


def hours(value: times.TimeValue) -> float:
    """Give how long a time lasts."""
    assert value.start is not None
    assert value.end is not None
    return (value.end.astimezone(UTC) - value.start.astimezone(UTC)) / timedelta(hours=1)


def test_hours_are_counted_in_elapsed_time() -> None:
    value = find_in(BERLIN, "two hours ago", 2025, 3, 30, 4)
    assert value.start == datetime(2025, 3, 30, 1, tzinfo=BERLIN)


def test_days_are_counted_on_the_wall() -> None:
    value = find_in(BERLIN, "yesterday at 10:00", 2025, 3, 30, 12)
    assert value.start == datetime(2025, 3, 29, 10, tzinfo=BERLIN)


def test_a_midnight_that_the_clocks_skip_is_the_moment_they_skip_to() -> None:
    beirut = ZoneInfo("Asia/Beirut")
    value = find_in(beirut, "today", 2025, 3, 30, 12)
    assert value.start == datetime(2025, 3, 30, 1, tzinfo=beirut)
    assert hours(value) == 23


def test_today_is_the_speakers_day() -> None:
    moment = datetime(2025, 5, 14, 22, 30, tzinfo=UTC)
    for zone, day in ((ZoneInfo("Asia/Tokyo"), 15), (ZoneInfo("America/Lima"), 14)):
        (value,) = times.find("today", reference=moment.astimezone(zone))
        assert value.start == datetime(2025, 5, day, tzinfo=zone)


def test_a_stamp_with_an_offset_is_told_in_the_speakers_zone() -> None:
    value = find_in(BERLIN, "at 2025-05-01T10:00:00Z", 2025, 5, 14)
    assert value.start == datetime(2025, 5, 1, 12, tzinfo=BERLIN)


# The ends of the calendar


@pytest.mark.parametrize("year", [1, 2, 9998, 9999])
@pytest.mark.parametrize(
    "text",
    [
        "yesterday", "tomorrow", "last week", "next week", "last year", "next year", "3000 years ago", "in 9000 years",
        "the last 30 years", "the next 30 years", "last Friday", "next Friday", "on Friday", "in March", "since March",
        "last summer", "in the winter", "next decade", "at 3pm", "two hours ago", "in 99999 hours", "on the 31st",
        "from Monday to Friday", "until Friday", "early March", "Monday 31", "week 53", "Easter", "next quarter",
        "on 29 February", "in the 99th century", "from March to January", "within 9000 years", "now",
    ],
)  # fmt: skip
def test_what_leaves_the_calendar_is_not_found_and_no_error(text: str, year: int) -> None:
    for zone in (UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))):
        for month, day in ((1, 1), (12, 31)):
            times.find(text, reference=datetime(year, month, day, 12, tzinfo=zone), language="en")

"""Times and durations as callers write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.periods import format_duration, parse_day, parse_duration, parse_period, parse_zone
from tensemem.errors import InvalidTimeError
from tensemem.model.moment import EARLIEST, LATEST, Period, to_datetime, to_moment
from tests.settings import law_settings

HOUR = 3_600_000_000
ZONES = st.sampled_from(["UTC", "Asia/Kolkata", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Pacific/Apia"])


def at(*parts: int, zone: str = "UTC", fold: int = 0) -> int:
    return to_moment(datetime(*parts, tzinfo=ZoneInfo(zone), fold=fold))  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("text", "start", "stop", "grain"),
    [
        ("2026", (2026, 1, 1), (2027, 1, 1), "year"),
        ("2026-03", (2026, 3, 1), (2026, 4, 1), "month"),
        ("2026-12", (2026, 12, 1), (2027, 1, 1), "month"),
        ("2026-03-05", (2026, 3, 5), (2026, 3, 6), "day"),
        ("2026-12-31", (2026, 12, 31), (2027, 1, 1), "day"),
        ("2024-02-29", (2024, 2, 29), (2024, 3, 1), "day"),
        ("2026-W10", (2026, 3, 2), (2026, 3, 9), "week"),
        ("2026-w01", (2025, 12, 29), (2026, 1, 5), "week"),
        ("2026-W10-4", (2026, 3, 5), (2026, 3, 6), "day"),
        ("2026-Q1", (2026, 1, 1), (2026, 4, 1), "quarter"),
        ("2026-q4", (2026, 10, 1), (2027, 1, 1), "quarter"),
        ("2026-03-05T10", (2026, 3, 5, 10), (2026, 3, 5, 11), "hour"),
        ("2026-03-05T10:30", (2026, 3, 5, 10, 30), (2026, 3, 5, 10, 31), "minute"),
        ("2026-03-05 10:30", (2026, 3, 5, 10, 30), (2026, 3, 5, 10, 31), "minute"),
        (" \t2026-03-05t10:30z\n", (2026, 3, 5, 10, 30), (2026, 3, 5, 10, 31), "minute"),
        ("2026-03-05T10:30+05:30", (2026, 3, 5, 5), (2026, 3, 5, 5, 1), "minute"),
        ("2026-03-05T23-02", (2026, 3, 6, 1), (2026, 3, 6, 2), "hour"),
    ],
)
def test_iso_text_names_a_period_of_its_grain(text, start, stop, grain):
    assert parse_period(text, "UTC", name="at") == Period(at(*start), at(*stop), grain)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-05T10:30:15", (2026, 3, 5, 10, 30, 15)),
        ("2026-03-05 10:30:15Z", (2026, 3, 5, 10, 30, 15)),
        ("2026-03-05T10:30:15.5", (2026, 3, 5, 10, 30, 15, 500_000)),
        ("2026-03-05T10:30:15,25", (2026, 3, 5, 10, 30, 15, 250_000)),
        ("2026-03-05T10:30:15.123456789Z", (2026, 3, 5, 10, 30, 15, 123_456)),
        ("2026-03-05T10:30:15+0530", (2026, 3, 5, 5, 0, 15)),
        ("2026-03-05 10:30:15 -05:00", (2026, 3, 5, 15, 30, 15)),
        ("2026-03-05T10:30:15+05:53:28", (2026, 3, 5, 4, 36, 47)),
    ],
)
def test_iso_text_with_seconds_is_an_instant(text, moment):
    assert parse_period(text, "UTC", name="at") == Period(at(*moment), at(*moment), "instant")


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "garbage", "now", "2026-13-45", "2026-02-30", "2025-02-29", "2026-00", "2026-13", "2026-W54",
        "2025-W53", "2026-W00", "2026-W10-8", "2026-Q5", "26", "226", "20260305", "1780000000", "1780000000.5",
        "2026-3-5",
        "2026-03-05T", "2026-03-05T24", "2026-03-05T10:60", "2026-03-05T10:30:60", "2026-03-05T10:30.5",
        "2026-03-05T10:30:15.",
        "2026-03-05T10:30+24:00", "2026-03-05T10:30+05:60", "2026-03-05+02:00", "2026-03-05  10:30", "0000",
        "0000-01-01", "10000-01-01", "-2026", "२०२६", "２０２６-03-05", "2026-03-0५", "2026-03-05T1٠", "2026\u201303",
        "2026-03-05\x00", "\ud800",
        "2026-03-05T10:30 Europe/Berlin", "9" * 100_000,
        True, False, 0, 1780000000, 2026, 1.5, float("nan"), None, b"2026", [], {}, timedelta(days=1), object(),
    ],
)  # fmt: skip
def test_anything_else_is_refused_by_the_name_of_its_argument(value):
    with pytest.raises(InvalidTimeError, match=r"^said_at: .+") as caught:
        parse_period(value, "UTC", name="said_at")
    assert len(str(caught.value)) < 300


def test_the_message_says_what_to_give():
    with pytest.raises(InvalidTimeError, match=r"since: 'garbage' is no time\. Give an aware datetime, a date, or ISO"):
        parse_period("garbage", "UTC", name="since")
    with pytest.raises(InvalidTimeError, match="'2026-02-30' is no such time: day is out of range"):
        parse_period("2026-02-30", "UTC", name="since")
    with pytest.raises(InvalidTimeError, match="since: a value of type int is no time"):
        parse_period(1780000000, "UTC", name="since")


def test_an_aware_datetime_is_that_instant_whatever_the_zone():
    when = datetime(2026, 3, 5, 10, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert parse_period(when, "America/Havana", name="at") == Period(at(2026, 3, 5, 5), at(2026, 3, 5, 5))


def test_a_naive_time_is_local_in_the_zone():
    expected = Period(at(2026, 3, 5, 5, 0, 7), at(2026, 3, 5, 5, 0, 7))
    assert parse_period(datetime(2026, 3, 5, 10, 30, 7), "Asia/Kolkata", name="at") == expected  # noqa: DTZ001
    assert parse_period("2026-03-05T10:30:07", "Asia/Kolkata", name="at") == expected


def test_a_date_is_that_day_in_the_zone():
    day = parse_period(date(2026, 3, 5), "Asia/Kolkata", name="at")
    assert day == Period(at(2026, 3, 4, 18, 30), at(2026, 3, 5, 18, 30), "day")


@pytest.mark.parametrize(("text", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)])
def test_a_day_on_which_the_clocks_change_is_shorter_or_longer(text, hours):
    day = parse_period(text, "Europe/Berlin", name="at")
    assert day.stop - day.start == hours * HOUR


def test_a_day_whose_midnight_the_clocks_skip_begins_when_they_do():
    day = parse_period("2018-11-04", "America/Sao_Paulo", name="at")
    assert (day.start, day.stop) == (at(2018, 11, 4, 3), at(2018, 11, 5, 2))


def test_a_day_with_two_midnights_begins_at_the_first():
    day = parse_period("2026-11-01", "America/Havana", name="at")
    assert (day.start, day.stop - day.start) == (at(2026, 11, 1, 4), 25 * HOUR)


def test_a_local_time_that_comes_twice_is_the_first():
    assert parse_period("2026-10-25T02:30:00", "Europe/Berlin", name="at").start == at(2026, 10, 25, 0, 30)
    again = datetime(2026, 10, 25, 2, 30, fold=1)  # noqa: DTZ001
    assert parse_period(again, "Europe/Berlin", name="at").start == at(2026, 10, 25, 1, 30)


def test_a_local_time_that_never_comes_is_read_with_the_offset_before():
    for text in ("2026-03-29T02:30:00", "2026-03-29T03:30:00"):
        assert parse_period(text, "Europe/Berlin", name="at").start == at(2026, 3, 29, 1, 30)
    hour = parse_period("2026-03-29T02", "Europe/Berlin", name="at")
    assert hour == Period(at(2026, 3, 29, 1), at(2026, 3, 29, 2), "hour")


def test_a_day_that_a_calendar_left_out_is_refused():
    with pytest.raises(InvalidTimeError, match="until: '2011-12-30' is a day that the calendar of Pacific"):
        parse_period("2011-12-30", "Pacific/Apia", name="until")


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/Havana"])
@pytest.mark.parametrize(
    "value", ["0001", "0001-01", "0001-01-01", "9999", "9999-12", "9999-Q4", "9999-12-31", date.min, date.max]
)
def test_the_first_and_the_last_years_stay_within_what_can_be_told(value, zone):
    period = parse_period(value, zone, name="at")
    assert EARLIEST <= period.start < period.stop <= LATEST
    assert to_datetime(period.as_end).year in (1, 2, 9999)


@pytest.mark.parametrize(
    "value",
    [
        datetime.max.replace(tzinfo=timezone(-timedelta(hours=5))),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=5))),
        "9999-12-31T23:59:59-01:00",
        "9999-12-31T23-05:00",
        "0001-01-01T00:00+05:00",
        "9999-W53",
    ],
)
def test_a_time_beyond_the_years_is_refused_and_overflows_nothing(value):
    with pytest.raises(InvalidTimeError):
        parse_period(value, "UTC", name="at")


def test_the_very_last_week_is_cut_and_not_an_overflow():
    assert parse_period("9999-W52", "UTC", name="at").stop == LATEST


def test_a_time_zone_of_the_callers_own_that_fails_is_an_invalid_time():
    class Broken(tzinfo):
        def utcoffset(self, when):
            raise RuntimeError("no")

        dst = tzname = utcoffset

    with pytest.raises(InvalidTimeError, match="can't be asked: no"):
        parse_period(datetime(2026, 1, 1, tzinfo=Broken()), "UTC", name="at")


@given(st.datetimes(timezones=st.just(UTC)), ZONES)
@law_settings
def test_an_instant_printed_is_the_same_instant(when, zone):
    printed = parse_period(when.isoformat(timespec="microseconds"), zone, name="at")
    assert printed == parse_period(when, zone, name="at")
    assert to_datetime(printed.start) == when


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), ZONES)
@law_settings
def test_days_follow_each_other_without_a_gap(day, zone):
    days = [parse_period(day + timedelta(days=n), zone, name="at") for n in (0, 1) if not _left_out(day, n, zone)]
    assert all(a.stop == b.start for a, b in pairwise(days))
    assert all(20 * HOUR <= d.stop - d.start <= 28 * HOUR or zone == "Pacific/Apia" for d in days)


def _left_out(day: date, n: int, zone: str) -> bool:
    return zone == "Pacific/Apia" and day + timedelta(days=n) == date(2011, 12, 30)


@given(st.text(max_size=30) | st.from_regex(r"[0-9WQTZ:+\-. ]{0,25}"))
@law_settings
def test_any_text_is_a_period_or_an_invalid_time(text):
    try:
        period = parse_period(text, "Europe/Berlin", name="at")
    except InvalidTimeError:
        return
    assert EARLIEST <= period.start <= period.stop <= LATEST


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
def test_an_iana_name_is_a_zone(zone):
    assert parse_zone(zone) == zone
    assert parse_zone(ZoneInfo(zone)) == zone
    assert parse_zone(UTC) == "UTC"


@pytest.mark.parametrize(
    "zone",
    ["", " ", "Mars/Base", "Europe", "../etc/passwd", "/etc/localtime", "localtime", "right/UTC", "posix/UTC", "UTC\0",
     "Europe/Berlín", "\ud800", None, 5, True, b"UTC", timezone(timedelta(hours=1))],
)  # fmt: skip
def test_what_is_no_zone_is_refused(zone):
    with pytest.raises(InvalidTimeError, match="Give an IANA name such as 'Europe/Berlin'"):
        parse_zone(zone)


def test_a_period_in_an_unknown_zone_is_refused():
    with pytest.raises(InvalidTimeError, match="no known time zone"):
        parse_period("2026", "Mars/Base", name="at")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("30d", timedelta(days=30)),
        ("12h", timedelta(hours=12)),
        ("90m", timedelta(minutes=90)),
        ("45s", timedelta(seconds=45)),
        ("2w", timedelta(weeks=2)),
        ("1y", timedelta(days=365)),
        ("1.5h", timedelta(minutes=90)),
        ("1h30m", timedelta(minutes=90)),
        (" 30 Days ", timedelta(days=30)),
        ("1 day 2 hours", timedelta(hours=26)),
        ("P30D", timedelta(days=30)),
        ("PT12H", timedelta(hours=12)),
        ("p1dt2h3m4.5s", timedelta(days=1, hours=2, minutes=3, seconds=4.5)),
        ("P2W", timedelta(weeks=2)),
        ("P1Y", timedelta(days=365)),
        ("PT86400S", timedelta(days=1)),
        (timedelta(microseconds=1), timedelta(microseconds=1)),
    ],
)
def test_a_duration_is_read(value, expected):
    assert parse_duration(value, name="ttl") == expected


@pytest.mark.parametrize(
    "value",
    ["", "d", "30", "0d", "-1d", "1mo", "6 months", "P1M", "P", "PT", "P1DT", "PT1D", "P1H", "PT45ſ", "1d,2h", "1..5h",
     "३०d", "1e3d", "9999999999y", "P999999999999999999Y", "9" * 50 + "d", "0.0000001s", "inf", "nan", "1d" * 1000,
     timedelta(0), timedelta(days=-1), timedelta.max, 30, 1.5, True, None, float("nan"), b"30d"],
)  # fmt: skip
def test_what_is_no_duration_is_refused_by_name(value):
    with pytest.raises(InvalidTimeError, match=r"^ttl: ") as caught:
        parse_duration(value, name="ttl")
    assert len(str(caught.value)) < 300


@given(st.timedeltas(min_value=timedelta(microseconds=1), max_value=timedelta(days=3_000_000)))
@law_settings
def test_a_duration_printed_is_the_same_duration(duration):
    assert parse_duration(format_duration(duration), name="ttl") == duration


def test_a_day_is_read_from_its_iso_text_only():
    assert parse_day(" 2026-03-05 ") == date(2026, 3, 5)
    others = ("2026-02-30", "20260305", "2026-W10-4", "2026-03", "२०२६-03-05", "")
    assert [parse_day(text) for text in others] == [None] * 6

"""The marks of the axis: whole units of a zone, with room for their words, from parts of a second to millennia."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.drawing.scale import scale_of
from tensemem.drawing.ticks import ROOM, ticks_of
from tensemem.model.moment import to_datetime, to_moment
from tests.drawing.making import ZONES, crowds, moments
from tests.settings import law_settings

told = st.lists(moments, max_size=8) | st.lists(crowds.map(to_datetime), max_size=8)


def labels(first: datetime, last: datetime, zone: str = "UTC", width: int = 500) -> list[tuple[str, str]]:
    scale = scale_of([to_moment(first), to_moment(last)], 0, width)
    return [(tick.label, tick.below) for tick in ticks_of(scale, ZoneInfo(zone))]


@law_settings
@given(told, st.sampled_from(ZONES), st.integers(280, 1500))
def test_marks_rise_leave_room_for_words_and_lie_on_the_axis(told: list[datetime], zone: str, width: int) -> None:
    scale = scale_of([to_moment(one) for one in told], 30, width - 30)
    ticks = ticks_of(scale, ZoneInfo(zone))
    assert ticks
    assert all(other.x - one.x >= ROOM for one, other in pairwise(ticks))
    assert all(30 <= tick.x <= width - 30 for tick in ticks)
    assert all(tick.label for tick in ticks)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (timedelta(seconds=4), [("09:59:58", "4 Mar 2026"), ("09:59:59", ""), ("10:00:00", ""), ("10:00:01", "")]),
        (timedelta(minutes=9), [("10:00", "4 Mar 2026"), ("10:02", ""), ("10:04", ""), ("10:06", "")]),
        (timedelta(hours=14), [("12:00", "4 Mar 2026"), ("15:00", ""), ("18:00", ""), ("21:00", "")]),
        (timedelta(days=5), [("5 Mar", "2026"), ("6 Mar", ""), ("7 Mar", ""), ("8 Mar", "")]),
        (timedelta(days=30), [("9 Mar", "2026"), ("16 Mar", ""), ("23 Mar", ""), ("30 Mar", "")]),
        (timedelta(days=400), [("Apr", "2026"), ("Jul", ""), ("Oct", ""), ("Jan", "2027")]),
        (timedelta(days=3000), [("2028", ""), ("2030", ""), ("2032", ""), ("2034", "")]),
        (timedelta(days=200_000), [("2100", ""), ("2200", ""), ("2300", ""), ("2400", "")]),
    ],
)
def test_marks_are_whole_units_of_the_size_that_fits(span: timedelta, expected: list[tuple[str, str]]) -> None:
    first = datetime(2026, 3, 4, 9, 59, 57, 500000, tzinfo=UTC)
    assert labels(first, first + span)[:4] == expected


def test_parts_of_a_second_are_told() -> None:
    first = datetime(2026, 3, 4, 9, 59, 59, 999000, tzinfo=UTC)
    assert labels(first, first + timedelta(milliseconds=5))[:3] == [
        (":59.999", "4 Mar 2026 09:59"),
        (":00", "4 Mar 2026 10:00"),
        (":00.001", ""),
    ]


def test_days_begin_at_midnight_of_the_zone() -> None:
    first = datetime(2026, 3, 4, 0, 0, tzinfo=UTC)
    scale = scale_of([to_moment(first), to_moment(first + timedelta(days=5))], 0, 500)
    (tick, *_) = ticks_of(scale, ZoneInfo("Asia/Kolkata"))
    assert tick.label == "5 Mar"
    assert tick.x == scale.x(to_moment(datetime(2026, 3, 4, 18, 30, tzinfo=UTC)))


@pytest.mark.parametrize("zone", ZONES)
def test_the_first_and_the_last_moments_can_be_marked(zone: str) -> None:
    ends = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
    assert labels(*ends, zone=zone)[0][0] in ("1", "1000")
    assert labels(ends[0], ends[0] + timedelta(days=2), zone=zone)
    assert labels(ends[1] - timedelta(days=2), ends[1], zone=zone)

"""A time as the ISO texts that operations take."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tensemem.core.periods import parse_period
from tensemem.core.timewords import iso_texts
from tensemem.model.moment import to_moment
from tensemem.times import find
from tests.core.timewords import test_english
from tests.core.timewords.reading_cases import REFERENCE

CASES = [
    ("in March", "2025-03", "2025-03"),
    ("in 2019", "2019", "2019"),
    ("in the 1990s", "1990", "1999"),
    ("in Q3 2024", "2024-Q3", "2024-Q3"),
    ("last summer", "2024-06", "2024-08"),
    ("last week", "2025-W19", "2025-W19"),
    ("yesterday", "2025-05-13", "2025-05-13"),
    ("tomorrow at 3pm", "2025-05-15T15+00:00", "2025-05-15T15+00:00"),
    ("tomorrow at 15:30", "2025-05-15T15:30+00:00", "2025-05-15T15:30+00:00"),
    ("since 2019", "2019", None),
    ("since Monday", "2025-05-12", None),
    ("until Friday", None, "2025-05-16"),
    ("before March 2018", None, "2018-02"),
    ("after 2016", "2017", None),
    ("from 2015 to 2017", "2015", "2017"),
    ("for the last three years", "2022", None),
    ("three years ago", "2022", "2022"),
    ("from 29 to 31 December 2024", "2024-12-29", "2024-12-31"),
]


@pytest.mark.parametrize(("text", "start", "end"), CASES)
def test_a_time_is_told_as_coarsely_as_it_was_said(text: str, start: str | None, end: str | None) -> None:
    (value,) = find(text, reference=REFERENCE, language="en")
    assert iso_texts(value) == (start, end)


def test_a_week_that_begins_on_sunday_is_told_by_the_iso_week_after_it() -> None:
    (value,) = find("last week", reference=REFERENCE, week_start="sunday")
    assert iso_texts(value) == ("2025-W19", "2025-W19")


@pytest.mark.parametrize("text", [case[0] for case in test_english.CASES])
@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kolkata"])
def test_the_texts_can_be_read_and_cover_the_time(text: str, zone: str) -> None:
    reference = datetime(2025, 5, 14, 10, tzinfo=ZoneInfo(zone))
    for value in find(text, reference=reference, language="en"):
        start, end = iso_texts(value)
        if start is not None and value.start is not None:
            assert parse_period(start, zone, name="since").start <= to_moment(value.start.astimezone(UTC))
        if end is not None and value.end is not None:
            assert parse_period(end, zone, name="until").stop >= to_moment(value.end.astimezone(UTC))

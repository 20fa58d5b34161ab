"""English time expressions, by kind."""

from __future__ import annotations

import pytest

from tests.core.timewords.reading_cases import reading

CASES = [
    # days
    ("I left yesterday", "yesterday", "2025-05-13..2025-05-14 day"),
    ("see you the day after tomorrow", "the day after tomorrow", "2025-05-16..2025-05-17 day"),
    ("It was on 5 March 2024.", "5 March 2024", "2024-03-05..2024-03-06 day"),
    ("signed March 5th, 2024 in Rome", "March 5th, 2024", "2024-03-05..2024-03-06 day"),
    ("the 3rd of June 1998", "the 3rd of June 1998", "1998-06-03..1998-06-04 day"),
    ("due 2024-12-31", "2024-12-31", "2024-12-31..2025-01-01 day"),
    ("due 31/12/2024", "31/12/2024", "2024-12-31..2025-01-01 day"),
    ("on Friday, 10 January 2025 we met", "Friday, 10 January 2025", "2025-01-10..2025-01-11 day"),
    ("I arrived on Monday", "Monday", "2025-05-12..2025-05-13 day"),
    ("three days ago", "three days ago", "2025-05-11..2025-05-12 day"),
    ("on the 20th", "the 20th", "2025-04-20..2025-04-21 day"),
    ("on twenty-first June", "twenty-first June", "2024-06-21..2024-06-22 day"),
    ("on Christmas 2019", "Christmas 2019", "2019-12-25..2019-12-26 day"),
    ("next Friday", "next Friday", "2025-05-23..2025-05-24 day"),
    ("last Friday", "last Friday", "2025-05-09..2025-05-10 day"),
    ("this Friday", "this Friday", "2025-05-16..2025-05-17 day"),
    ("Tuesday of last week", "Tuesday of last week", "2025-05-06..2025-05-07 day"),
    ("the last day of the month", "the last day of the month", "2025-05-31..2025-06-01 day"),
    ("the third Monday of March 2025", "the third Monday of March 2025", "2025-03-17..2025-03-18 day"),
    # weeks, months, quarters, years
    ("last week", "last week", "2025-05-05..2025-05-12 week"),
    ("two weeks ago", "two weeks ago", "~2025-04-28..2025-05-05 week"),
    ("the last week of July 2024", "the last week of July 2024", "2024-07-22..2024-07-29 week"),
    ("in week 10 of 2024", "week 10 of 2024", "2024-03-04..2024-03-11 week"),
    ("I moved in March", "March", "2025-03-01..2025-04-01 month"),
    ("I moved in May", "May", "2025-05-01..2025-06-01 month"),
    ("back in March 2021", "March 2021", "2021-03-01..2021-04-01 month"),
    ("next month", "next month", "2025-06-01..2025-07-01 month"),
    ("early March 2024", "early March 2024", "~2024-03-01..2024-03-11 month"),
    ("in mid-June", "mid-June", "~2024-06-11..2024-06-21 month"),
    ("the end of 2019", "the end of 2019", "~2019-09-01..2020-01-01 year"),
    ("around March 2020", "around March 2020", "~2020-03-01..2020-04-01 month"),
    ("revenue in Q3 2024", "Q3 2024", "2024-07-01..2024-10-01 quarter"),
    ("the first quarter of 2024", "the first quarter of 2024", "2024-01-01..2024-04-01 quarter"),
    ("last summer", "last summer", "2024-06-01..2024-09-01 season"),
    ("in the summer of 2019", "summer of 2019", "2019-06-01..2019-09-01 season"),
    ("I was born in 1990", "1990", "1990-01-01..1991-01-01 year"),
    ("three years ago", "three years ago", "~2022-01-01..2023-01-01 year"),
    ("half a year ago", "half a year ago", "~2024-11-01..2024-12-01 month"),
    ("in FY2024", "FY2024", "2024-01-01..2025-01-01 year"),
    ("in nineteen ninety six", "nineteen ninety six", "1996-01-01..1997-01-01 year"),
    ("in the 1990s", "the 1990s", "1990-01-01..2000-01-01 decade"),
    ("in the eighties", "the eighties", "1980-01-01..1990-01-01 decade"),
    # stretches
    ("from 2015 to 2017", "from 2015 to 2017", "2015-01-01..2018-01-01 year range"),
    ("between March and June 2024", "between March and June 2024", "2024-03-01..2024-07-01 month range"),
    ("from Monday to Friday", "from Monday to Friday", "2025-05-12..2025-05-17 day range"),
    ("9 to 12 June 2024", "9 to 12 June 2024", "2024-06-09..2024-06-13 day range"),
    ("in the last three months", "last three months", "2025-02-14..2025-05-14 month range"),
    ("over the next 3 days", "next 3 days", "2025-05-15..2025-05-18 day range"),
    ("for the last three years", "for the last three years", "2022-05-14.. year since"),
    ("since March", "since March", "2025-03-01.. month since"),
    ("since 2019", "since 2019", "2019-01-01.. year since"),
    ("after 2016", "after 2016", "2017-01-01.. year since"),
    ("from 2019 onwards", "from 2019 onwards", "2019-01-01.. year since"),
    ("until Friday", "until Friday", "..2025-05-17 day until"),
    ("by the end of June 2025", "by the end of June 2025", "~..2025-07-01 month until"),
    ("before 2018", "before 2018", "..2018-01-01 year until"),
    # clocks
    ("tomorrow at 3pm", "tomorrow at 3pm", "2025-05-15T15:00..2025-05-15T16:00 hour"),
    ("on 5 March 2024 at 15:30", "5 March 2024 at 15:30", "2024-03-05T15:30..2024-03-05T15:31 minute"),
    ("in 5 minutes", "in 5 minutes", "2025-05-14T10:05..2025-05-14T10:06 minute"),
    ("two hours ago", "two hours ago", "2025-05-14T08:00..2025-05-14T09:00 hour"),
    ("tomorrow morning", "tomorrow morning", "~2025-05-15T06:00..2025-05-15T12:00 day"),
    ("2024-03-05T15:30:00Z", "2024-03-05T15:30:00Z", "2024-03-05T15:30..2024-03-05T15:30:01 instant"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_english_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "en") == [(quote, meaning)]

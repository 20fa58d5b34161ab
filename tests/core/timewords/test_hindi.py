"""Hindi time expressions."""

from __future__ import annotations

import pytest

from tensemem.times import find
from tests.core.timewords.reading_cases import REFERENCE, others, reading

CASES = [
    ("मैं आज आया", "आज", "2025-05-14..2025-05-15 day"),
    ("5 मई 2024 को", "5 मई 2024", "2024-05-05..2024-05-06 day"),
    ("५ मई २०२४ को", "५ मई २०२४", "2024-05-05..2024-05-06 day"),
    ("पिछले महीने मैं आया", "पिछले महीने", "2025-04-01..2025-05-01 month"),
    ("अगले सोमवार को", "अगले सोमवार", "2025-05-19..2025-05-20 day"),
    ("मार्च 2021 में", "मार्च 2021", "2021-03-01..2021-04-01 month"),
    ("2019 में", "2019", "2019-01-01..2020-01-01 year"),
    ("2019 से", "2019 से", "2019-01-01.. year since"),
    ("2018 से पहले", "2018 से पहले", "..2018-01-01 year until"),
    ("2016 के बाद", "2016 के बाद", "2017-01-01.. year since"),
    ("2015 से 2017 तक", "2015 से 2017 तक", "2015-01-01..2018-01-01 year range"),
    ("मार्च और मई के बीच", "मार्च और मई के बीच", "2025-03-01..2025-06-01 month range"),
    ("तीन साल पहले", "तीन साल पहले", "~2022-01-01..2023-01-01 year"),
    ("दो सप्ताह बाद", "दो सप्ताह बाद", "~2025-05-26..2025-06-02 week"),
    ("पिछले तीन महीने", "पिछले तीन महीने", "2025-02-14..2025-05-14 month range"),
    ("1990 के दशक", "1990 के दशक", "1990-01-01..2000-01-01 decade"),
]


@pytest.mark.parametrize(("text", "quote", "meaning"), CASES)
def test_an_expression_is_read(text: str, quote: str, meaning: str) -> None:
    assert reading(text, "hi") == [(quote, meaning)]
    assert reading(text) == [(quote, meaning)]


def test_kal_is_yesterday_or_tomorrow() -> None:
    past, future = (find("कल", reference=REFERENCE, prefer=side)[0] for side in ("past", "future"))
    assert past.start is not None
    assert (past.start.day, others(past)) == (13, ["2025-05-15..2025-05-16"])
    assert future.start is not None
    assert (future.start.day, others(future)) == (15, ["2025-05-13..2025-05-14"])

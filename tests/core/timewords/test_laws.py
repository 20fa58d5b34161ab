"""What holds for every time found, in every language: laws, not cases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tensemem.core.timewords.asking import MODULES
from tensemem.core.timewords.value import GRAINS, KINDS
from tensemem.times import TimeValue, find
from tests.core.timewords import (
    test_chinese,
    test_english,
    test_french,
    test_german,
    test_italian,
    test_japanese,
    test_portuguese,
    test_spanish,
)
from tests.settings import law_settings

EXPRESSIONS = {
    "en": [case[0] for case in test_english.CASES],
    "zh": [case[0] for case in test_chinese.CASES],
    "ja": [case[0] for case in test_japanese.CASES],
    "es": [case[0] for case in test_spanish.CASES],
    "de": [case[0] for case in test_german.CASES],
    "fr": [case[0] for case in test_french.CASES],
    "pt": [case[0] for case in test_portuguese.CASES],
    "it": [case[0] for case in test_italian.CASES],
}
PAIRS = [(language, text) for language, texts in EXPRESSIONS.items() for text in texts]
FILLING = st.sampled_from(
    [
        " ", ", ", ". ", "\n", " and ", " - ", " 5 ", " the ", "、", "。", "的", "から", " x ", "2024", " of ", "/",
        ":",
        " last ", " next ", "à ", " bis ", " y ", "\u0301", "İ", "𝒳", "\u200b",
    ]
)  # fmt: skip
MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
RELATIVE = [
    "yesterday", "today", "tomorrow", "three days ago", "in 5 days", "the last 3 days", "the next 10 days",
    "the day before yesterday", "yesterday at 3pm", "tomorrow morning", "two hours ago", "until tomorrow",
]  # fmt: skip


def texts() -> st.SearchStrategy[str]:
    """Give texts made of expressions of all languages and what may stand between them."""
    parts = st.sampled_from([text for _, text in PAIRS]) | FILLING | st.text(max_size=6)
    return st.lists(parts, max_size=6).map("".join)


@law_settings
@given(texts(), st.sampled_from([None, *MODULES]), MOMENTS, st.booleans())
def test_times_are_in_order_apart_and_quoted(
    text: str, language: str | None, reference: datetime, future: bool
) -> None:
    found = find(text, reference=reference, language=language, prefer="future" if future else "past")
    ends = 0
    for value in found:
        assert ends <= value.begin < value.stop <= len(text)
        assert text[value.begin : value.stop] == value.quote
        ends = value.stop
        check(value, reference)
    assert found == find(text, reference=reference, language=language, prefer="future" if future else "past")


def check(value: TimeValue, reference: datetime) -> None:
    """What one value must be like."""
    assert value.grain in GRAINS
    assert value.kind in KINDS
    assert value.quote == value.quote.strip()
    for start, end in ((value.start, value.end), *value.alternatives):
        assert start is not None or end is not None
        assert start is None or end is None or start < end
        assert all(moment is None or moment.tzinfo is reference.tzinfo for moment in (start, end))
    assert (value.start, value.end) not in value.alternatives
    assert len(set(value.alternatives)) == len(value.alternatives)
    if value.kind in {"point", "range"}:
        assert value.start is not None
        assert value.end is not None
    assert value.kind != "since" or value.start is not None
    assert value.kind != "until" or value.end is not None


@law_settings
@given(st.sampled_from(PAIRS), MOMENTS)
def test_a_quote_is_read_again_as_it_was(pair: tuple[str, str], reference: datetime) -> None:
    language, text = pair
    for value in find(text, reference=reference, language=language):
        again = find(f"({value.quote})", reference=reference, language=language)
        assume(again)  # a bare month or year needs the cue that stood before it
        assert [(value.start, value.end, value.grain, value.kind)] == [
            (other.start, other.end, other.grain, other.kind) for other in again
        ]


@law_settings
@given(st.sampled_from(RELATIVE), MOMENTS, st.integers(-20000, 20000))
def test_days_counted_from_now_move_with_it(text: str, reference: datetime, shift: int) -> None:
    moved = reference + timedelta(days=shift)
    (here,), (there,) = find(text, reference=reference), find(text, reference=moved)
    assert [moment and moment + timedelta(days=shift) for moment in (here.start, here.end)] == [there.start, there.end]


@law_settings
@given(st.dates(datetime(1800, 1, 1).date(), datetime(2199, 1, 1).date()))  # noqa: DTZ001
def test_a_day_lies_in_its_month_and_that_in_its_year(day: object) -> None:
    iso = str(day)
    reference = datetime(2025, 5, 14, tzinfo=UTC)
    inner, month, year = (
        find(text, reference=reference, language="en")[0] for text in (iso, f"{iso[:7]}", f"the year {iso[:4]}")
    )
    starts = [value.start for value in (year, month, inner)]
    ends = [value.end for value in (inner, month, year)]
    assert starts == sorted(starts)  # type: ignore[type-var]
    assert ends == sorted(ends)  # type: ignore[type-var]
    assert [value.grain for value in (inner, month, year)] == ["day", "month", "year"]


@pytest.mark.parametrize(("language", "text"), PAIRS)
def test_the_likeliest_reading_follows_the_side_that_is_preferred(language: str, text: str) -> None:
    reference = datetime(2025, 5, 14, 10, tzinfo=UTC)
    past, future = (find(text, reference=reference, language=language, prefer=side) for side in ("past", "future"))
    assert [value.quote for value in past] == [value.quote for value in future]
    for one, other in zip(past, future, strict=True):
        assert {(one.start, one.end), *one.alternatives} == {(other.start, other.end), *other.alternatives}
        assert one.start is None or other.start is None or one.start <= other.start

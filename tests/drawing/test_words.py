"""Words in a drawing: cut to their room and never within a letter."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.drawing.words import clipped, line_of, markup_of, moment_text, width_of
from tests.drawing.making import texts


@given(texts, st.floats(1, 400))
def test_cut_words_fit_their_room_and_begin_as_they_did(text: str, room: float) -> None:
    cut = clipped(text, room)
    assert cut == text or width_of(cut) <= room + 0.001
    assert cut == text or text.startswith(cut.removesuffix("…"))


@pytest.mark.parametrize("letter", ["👨‍👩‍👧‍👦", "🇩🇪", "e\u0301", "👍🏽", "नि"])
def test_no_letter_is_cut_in_two(letter: str) -> None:
    whole = {letter * number for number in range(41)}
    for room in range(5, 300):
        assert clipped(letter * 40, room).removesuffix("…") in whole


def test_a_line_is_a_line() -> None:
    assert line_of("a\r\nb\tc\u2028d") == "a\\nb c\\nd"
    assert line_of("x" * 500, 3) == "xxx…"
    assert markup_of("a<b&\"c'>") == "a&lt;b&amp;&quot;c&#39;&gt;"


@pytest.mark.parametrize(
    ("zone", "grain", "text"),
    [
        ("UTC", "instant", "2026-03-04 23:30"),
        ("America/St_Johns", "instant", "2026-03-04 20:00"),
        ("Asia/Kolkata", "day", "2026-03-05 05:00"),
    ],
)
def test_a_moment_is_told_in_its_zone(zone: str, grain: str, text: str) -> None:
    assert moment_text(datetime(2026, 3, 4, 23, 30, tzinfo=UTC), ZoneInfo(zone), grain) == text

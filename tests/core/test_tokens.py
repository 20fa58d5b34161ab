"""The estimate of a text's tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.tokens import estimate_tokens
from tests.settings import law_settings


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        (" ", 0, 0),
        ("I", 1, 1),
        ("I live in Bangalore and work as a software engineer.", 10, 17),
        ("私は東京に住んでいます。" * 20, 160, 260),
        ("저는 서울에 살아요", 6, 12),
        ("Я живу в Москве и люблю кофе", 9, 16),
        ("मैं दिल्ली में रहता हूँ", 8, 20),
        ("أنا أعيش في القاهرة", 6, 12),
        ("ich wohne in München", 5, 8),
        ("1234567890", 4, 4),
        ("2026-09-18T10:00:00Z", 10, 16),
        ("{}[]();", 7, 7),
        ("👍🏽🎉", 6, 6),
        ("AKIAIOSFODNN7EXAMPLE", 6, 12),
        ("a1b2c3d4e5f6", 8, 12),
        ("getUserNameById", 4, 6),
        ("\n\n\n", 1, 1),
        ("if x:\n    return y\n", 7, 10),
    ],
)
def test_the_estimate_is_near_what_models_count(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_two_hundred_forty_japanese_characters_are_not_sixty_tokens() -> None:
    text = "明日の朝は駅前のカフェで友だちと会う約束がある。" * 10
    assert len(text) == 240
    assert 160 <= estimate_tokens(text) <= 260


@pytest.mark.parametrize(
    ("word", "tokens"), [("a", 1), ("abcd", 1), ("abcde", 2), ("abcdefghi", 3), ("élan", 2), ("HTTP", 2), ("Word", 1)]
)
def test_a_word_costs_one_for_every_four_letters_begun(word: str, tokens: int) -> None:
    assert estimate_tokens(word) == tokens


@law_settings
@given(st.text(), st.text())
def test_two_texts_cost_no_more_together_than_one_by_one_and_hardly_less(one: str, other: str) -> None:
    apart = estimate_tokens(one) + estimate_tokens(other)
    assert apart - 1 <= estimate_tokens(one + other) <= apart + 1


@law_settings
@given(st.lists(st.text(alphabet="abcdefghij", min_size=1), min_size=1))
def test_words_apart_cost_what_they_cost_one_by_one(words: list[str]) -> None:
    assert estimate_tokens(" ".join(words)) == sum(map(estimate_tokens, words))


@law_settings
@given(st.text())
def test_a_character_costs_two_at_most_and_a_quarter_at_least_if_it_is_visible(text: str) -> None:
    visible = sum(not char.isspace() for char in text)
    assert visible / 4 <= estimate_tokens(text) <= 2 * len(text)

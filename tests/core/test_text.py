"""Keys, quotes, words, grounding and search terms."""

from __future__ import annotations

import sys
import unicodedata
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tensemem.core.text import (
    INVISIBLE,
    FoldedText,
    clean,
    comparison_key,
    find_all_quotes,
    find_quote,
    grounded_whole,
    grounding,
    has_two_text_characters,
    is_valid_text,
    normalised,
    query_terms,
    search_terms,
    words,
)
from tests.settings import law_settings

# Dense in what interacts: marks of several classes, Hangul parts, joiners, white space, case pairs, exceptions.
TRICKY = "aAeEiIıİßẞσςΣéÅ\u212b\u0301\u0307\u0316\u0345\u034f\u1100\u1161\u11a8가ㅎㅏ\u200b\u200d\ufe0f\u00ad"
TRICKY += "\ufeff \t\n\u00a0\u3000²½₂ªﬁ㎡㎏①¨ǅ\u1fb3\u0344२५0C+#.'’के東あアｱﾞᏠꭰ\U0001f468\U000e0067\ud800"
tricky_text = st.text(alphabet=st.one_of(st.sampled_from(TRICKY), st.characters()), max_size=40)


@law_settings
@given(tricky_text)
def test_the_key_of_a_key_is_that_key(text: str) -> None:
    key = comparison_key(text)
    assert comparison_key(key) == key


def test_the_key_of_a_key_is_that_key_for_every_character_of_every_plane() -> None:
    for start in range(0, sys.maxunicode + 1, 4096):
        every = "x".join(map(chr, range(start, start + 4096)))
        key = comparison_key(every)
        assert comparison_key(key) == key


@law_settings
@given(tricky_text)
@example("α\u0345\u0301")  # the iota below becomes a letter, and must not take the accent with it
def test_composed_and_decomposed_text_have_one_key(text: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert comparison_key(composed) == comparison_key(decomposed) == comparison_key(text)


@law_settings
@given(tricky_text)
def test_case_and_white_space_do_not_change_a_key(text: str) -> None:
    assert comparison_key(text.casefold()) == comparison_key(text)
    assert comparison_key(f" \n{text}\u3000") == comparison_key(text)


@law_settings
@given(st.text(alphabet=st.characters(codec="ascii")))
def test_the_short_way_for_ascii_is_the_long_way(text: str) -> None:
    assert comparison_key(text) == comparison_key(text + "\u200b")


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u200c", "\u200d", "\u202e", "\U000e0061", "\ufe0f", "\u115f"]
)
def test_delhi_with_something_invisible_is_delhi(hidden: str) -> None:
    assert comparison_key(f"{hidden}Del{hidden}hi{hidden}") == comparison_key("Delhi")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("İstanbul", "i̇stanbul"),
        ("STRASSE", "straße"),
        ("New   York\n", "new york"),
        ("Ｔｏｋｙｏ", "tokyo"),
        ("ｶﾞ", "ガ"),
        ("10 ㎡", "10 m²"),
        ("ΟΔΟΣ", "οδος"),
        ("❤️", "❤"),
    ],
)
def test_spellings_of_one_value_are_equal(one: str, other: str) -> None:
    assert comparison_key(one) == comparison_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("C++", "C#"),
        ("10²", "102"),
        ("H₂O", "H2O"),
        ("½", "1/2"),
        ("½", "1⁄2"),
        ("10 ㎡", "10 m2"),
        ("An Nguyen", "Nguyen"),
        ("résumé", "resume"),
        ("कि", "का"),
        ("a.b", "ab"),
    ],
)
def test_different_values_stay_different(one: str, other: str) -> None:
    assert comparison_key(one) != comparison_key(other)


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\u3164", "\u2060 \ufeff"])
def test_a_text_of_nothing_visible_has_an_empty_key(text: str) -> None:
    assert comparison_key(text) == ""


def test_a_value_is_stored_as_given_without_white_space_around_it() -> None:
    assert clean("\u3000 An  Nguyen\n") == "An  Nguyen"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", None),
        ("Delhi \U0001f600", None),
        ("abc\ud800", "contains a lone surrogate at 3"),
        ("\0abc", "contains NUL at 0"),
        ("é\0\udfff", "contains NUL at 1"),
    ],
)
def test_text_that_cannot_be_stored_is_named(text: str, reason: str | None) -> None:
    assert is_valid_text(text) == reason


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@law_settings
@given(
    marks=st.lists(st.sampled_from("\u0301\u0316\u0344\u0345\u05b0\u3099\u0f71"), max_size=60), times=st.integers(1, 40)
)
def test_normalising_many_marks_gives_what_unicodedata_gives(
    form: Literal["NFC", "NFD"], marks: list[str], times: int
) -> None:
    text = "x" * 1000 + "e" + "".join(marks) * times + "y"
    assert normalised(form, text) == unicodedata.normalize(form, text)


def test_a_letter_under_half_a_million_marks_is_no_trouble() -> None:
    text = "a" + "\u0301\u0316" * 250_000
    assert find_quote(text, FoldedText(text)) == (0, len(text))
    assert len(comparison_key(text)) == len(text) - 1  # á took one


# Quotes


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("Delhi", "I live in Delhi.", "Delhi"),
        ("live  in\nDelhi", "I live in Delhi.", "live in Delhi"),
        ("live in Delhi", "I live\r\n   in\u00a0Delhi.", "live\r\n   in\u00a0Delhi"),
        (" in Delhi ", "I live in Delhi.", "in Delhi"),
        ("i LIVE in", "I live in Delhi.", "I live in"),
        ("caf\u00e9", "my cafe\u0301 is here", "cafe\u0301"),
        ("cafe\u0301", "my caf\u00e9 is here", "caf\u00e9"),
        ("Delhi", "in De\u00adl\u200bhi!", "De\u00adl\u200bhi"),
        ("서울", unicodedata.normalize("NFD", "저는 서울에 살아요"), unicodedata.normalize("NFD", "서울")),
        ("東京", "私は東京に住む", "東京"),
        ("STRASSE", "die Straße hier", "Straße"),
        ("I'm here", "yes, I’m here", "I’m here"),
        ("İstanbul'da", "evim İSTANBUL’DA", "İSTANBUL’DA"),
        ("👍🏽 ok", "so 👍🏽  ok", "👍🏽  ok"),
    ],
)
def test_a_quote_is_found_and_told_in_the_offsets_of_the_text(quote: str, text: str, found: str) -> None:
    span = find_quote(quote, text)
    assert span is not None
    assert text[span[0] : span[1]] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", "abc"),
        ("  ", "a b"),
        ("\u200b", "a\u200bb"),
        ("Pune", "Delhi"),
        ("e", "\u0065\u0301"),
        ("a b", "ab"),
        ("ab", "a b"),
    ],
)
def test_what_the_text_does_not_say_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None
    assert find_all_quotes(quote, text) == ()


def test_a_place_of_the_same_case_is_preferred() -> None:
    assert find_quote("Delhi", "delhi, Delhi") == (7, 12)
    assert find_all_quotes("Delhi", "delhi, Delhi, DELHI") == ((7, 12), (0, 5), (14, 19))


def test_places_of_a_quote_do_not_overlap() -> None:
    assert find_all_quotes("aa", "aaaaa") == ((0, 2), (2, 4))
    assert find_all_quotes("aa", "AaaA") == ((1, 3),)


@law_settings
@given(tricky_text, st.data())
def test_every_piece_of_a_text_between_words_is_found_in_it(text: str, data: st.DataObject) -> None:
    text = f"begin {text} stop"
    begin = data.draw(st.sampled_from([0, 5]))
    piece = text[begin:]
    span = find_quote(piece, text)
    assert span is not None
    assert comparison_key(text[span[0] : span[1]]) == comparison_key(piece)


@law_settings
@given(tricky_text, tricky_text)
def test_a_found_place_says_what_the_quote_says(quote: str, text: str) -> None:
    folded = FoldedText(f"{text}{quote}{text}")
    for begin, stop in find_all_quotes(quote, folded):
        assert 0 <= begin < stop <= len(folded.original)
        found = FoldedText(folded.original[begin:stop])
        assert FoldedText(quote).loose.text.strip() in found.loose.text


@law_settings
@given(tricky_text)
def test_folded_text_keeps_a_place_for_each_character_in_order(text: str) -> None:
    for folded in (FoldedText(text).exact, FoldedText(text).loose):
        assert len(folded.text) == len(folded.starts) == len(folded.stops)
        assert list(folded.starts) == sorted(folded.starts)
        assert all(begin < stop <= len(text) for begin, stop in zip(folded.starts, folded.stops, strict=True))


@pytest.mark.parametrize("quote", ["hi", "5k", "है", "東京", "서울", "a b", "é1"])
def test_two_characters_of_text_are_enough(quote: str) -> None:
    assert has_two_text_characters(quote)


@pytest.mark.parametrize("quote", ["", "a", "é", "e\u0301", "!!", "C#", "👍👍", "猫", "a \u200b\u115f."])
def test_fewer_are_not(quote: str) -> None:
    assert not has_two_text_characters(quote)


# Words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm in  New-York, 2nd St.", ("i", "m", "in", "new", "york", "2nd", "st")),
        ("lives_in", ("lives", "in")),
        ("मैं दिल्ली में", ("मैं", "दिल्ली", "में")),
        ("iPhoneを買った。2023年", ("iphone", "を買った", "2023", "年")),
        ("ジョン・スミス", ("ジョン", "スミス")),
        ("ฉันอยู่กรุงเทพ", ("ฉันอยู่กรุงเทพ",)),
        ("서울에 살아요", ("서울에", "살아요")),
        ("10² C++", ("10²", "c")),
        ("¨ ́ … 👍", ()),
    ],
)
def test_words_are_runs_of_letters_digits_and_marks(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


# Grounding


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Bangalore", "I moved to bangalore!"),
        ("New York", "york is new to me"),
        ("vegetarian", "We are vegetarians"),
        ("Python", "Я пишу на python-е"),
        ("Москва", "Я живу в Москве"),
        ("İstanbul", "İstanbul'da yaşıyorum"),
        ("하린", "하린이에요"),
        ("서울 강남구", "서울에 살아요, 강남구요"),
        ("東京", "私は東京に住んでいます"),
        ("กรุงเทพ", "ฉันอยู่กรุงเทพ"),
        ("25", "मैं २५ साल का हूँ"),
        ("२५", "I am 25"),
        ("25", "저는 25살이에요"),
        ("C++", "I like C++."),
        ("C#", "C#を書きます"),
        (".NET", "we use .net"),
        ("Yahoo!", "at yahoo"),
        ("1990s", "in 1990"),
        ("दिल्ली", "मैं दिल्ली में रहता हूँ"),
        ("👍", "I like 👍🏽"),
        ("De\u200blhi", "in Delhi"),
    ],
)
def test_a_value_is_grounded_if_each_of_its_words_stands_in_the_text(value: str, text: str) -> None:
    assert grounding(value, text) == "all"
    assert grounding(value, FoldedText(text)) == "all"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("C++", "I like C"),
        ("C", "I like C++ and C#"),
        ("Go", "good morning"),
        ("an", "and"),
        ("cat", "category"),
        ("2023", "in 2024"),
        ("12345", "12346"),
        ("Delhi", "yes"),
        ("東京都", "京都"),
        ("南京大学", "南京"),
        ("東京都", "東"),
        ("123456", "12345"),
        ("abc12345", "abc12"),
        ("roseraie", "rose"),
        ("👍", "fine"),
        ("", "anything"),
        ("\u200b", "anything"),
        ("Delhi", ""),
    ],
)
def test_a_value_of_none_of_the_words_is_not(value: str, text: str) -> None:
    assert grounding(value, text) == "none"


def test_a_value_of_some_of_the_words_is_partly_grounded() -> None:
    assert grounding("software engineer", "I engineer things") == "some"
    assert grounding("東京 Tower", "東京に住む") == "some"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Softwareentwickler", "ich schreibe Software"),
        ("Grundschullehrerin", "ich bin Lehrerin"),
        ("Vogelfotografie", "ich fotografiere Vögel, am liebsten Vogel für Vogel"),
        ("Zuericher", "zuerich"),
        ("camionero", "conduzco un camión"),
        ("東京都", "東京"),
        ("出租车司机", "我开出租车"),
        ("서울특별시", "서울특별"),
    ],
)
def test_a_part_of_a_word_grounds_the_value_partly_at_most(value: str, text: str) -> None:
    assert grounding(value, text) in ("some", "all")
    assert grounding(f"{value} Quux", text) == "some"


def test_short_words_tell_nothing_beside_longer_ones() -> None:
    assert grounding("the Philippines", "I'm from the Netherlands") == "none"
    assert grounding("La Habana", "somos de La Coruña") == "none"
    assert grounding("San Salvador", "in San Jose") == "none"
    assert grounding("the Netherlands", "I'm from the Netherlands") == "all"
    assert grounding("San Yo", "we were in San Jose") == "some"  # it has no longer ones
    assert grounding("東京 of", "out of 東") == "none"  # a run without spaces tells, however short


def test_a_shared_prefix_needs_sixty_per_cent_of_the_longer_word() -> None:
    assert grounding("parisian", "Paris") == "all"  # 5 of 8
    assert grounding("parade", "Paris") == "none"  # 3 of 6
    assert grounding("parisians", "Paris") == "some"  # 5 of 9: no inflection, but a word made with it
    assert grounding("romans", "Rome") == "none"  # 3 of 6


def test_an_alias_grounds_a_value_only_as_a_whole() -> None:
    assert grounding("PostgreSQL", "we run pg here", aliases=("Postgres", "pg")) == "all"
    assert grounding("PostgreSQL", "we run pg here", aliases=("pg server",)) == "none"
    assert grounding("New Delhi", "in Delhi", aliases=("ND",)) == "some"


@law_settings
@given(st.lists(st.text(alphabet=st.sampled_from(TRICKY), min_size=1, max_size=8), min_size=1, max_size=5))
def test_words_taken_from_a_text_are_grounded_in_it(parts: list[str]) -> None:
    text = " ".join(parts)
    for part in parts:
        if comparison_key(part).replace("\0", ""):
            assert grounding(part, f"so {text} then") == "all"
            assert grounded_whole(part, f"so {text} then")


@law_settings
@given(tricky_text, tricky_text)
def test_what_is_grounded_as_a_whole_is_grounded(value: str, text: str) -> None:
    if grounded_whole(value, text):
        assert grounding(value, text) == "all"


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("New York", "in new  york now", True),
        ("New York", "york is new", False),
        ("York", "Yorkshire", False),
        ("C", "C++", False),
        ("C++", "C++, please", True),
        ("iPhone", "私のiphoneは", True),
        ("하린", "하린이에요", True),
        ("東京", "東京都に", True),
        ("", "text", False),
        ("\0", "text", False),
    ],
)
def test_a_whole_value_stands_between_the_edges_of_words(value: str, text: str, expected: bool) -> None:
    assert grounded_whole(value, text) is expected


# Search


def test_spaced_scripts_are_indexed_by_words() -> None:
    assert search_terms("I live in Delhi; I do") == ["i", "live", "in", "delhi", "i", "do"]
    assert query_terms("Delhi, delhi  Я") == ["delhi", "я"]
    assert search_terms("cats") == ["cats"]


def test_scripts_without_spaces_are_indexed_by_characters_and_pairs() -> None:
    assert search_terms("東京都") == ["東", "京", "都", "東京", "京都"]
    assert query_terms("東京都") == ["東京", "京都"]
    assert query_terms("東") == ["東"]


def test_hangul_is_indexed_by_runs_as_well() -> None:
    assert search_terms("서울에") == ["서", "울", "에", "서울", "울에", "서울에"]
    assert search_terms("서울") == ["서", "울", "서울"]


def test_marks_stay_with_their_letters() -> None:
    assert search_terms("กิน") == ["กิ", "น", "กิน"]
    assert search_terms("दिल्ली") == ["दिल्ली"]


def test_arabic_is_indexed_without_vowel_signs_and_tatweel() -> None:
    assert search_terms("مُحَمَّد") == search_terms("محـــمد") == ["محمد"]


def test_digits_of_any_script_are_one() -> None:
    assert query_terms("२५ ٢٥ 25") == ["25"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("北京", "我住在北京市"),
        ("猫", "私の猫です"),
        ("서울", "저는 서울에 살아요"),
        ("김", "김하린"),
        ("दिल्ली", "मैं दिल्ली में"),
        ("МОСКВА", "Москва слезам"),
        ("القاهرة", "في القَاهِرَة"),
        ("กรุงเทพ", "ฉันอยู่กรุงเทพ"),
        ("iphone を買", "iPhoneを買った"),
    ],
)
def test_a_query_asks_only_for_terms_the_text_is_indexed_under(query: str, text: str) -> None:
    assert query_terms(query)
    assert set(query_terms(query)) <= set(search_terms(text))


@law_settings
@given(tricky_text)
def test_terms_hold_letters_digits_and_marks_only_and_begin_with_no_mark(text: str) -> None:
    terms = search_terms(text)
    assert set(query_terms(text)) <= set(terms)
    for term in terms:
        assert {unicodedata.category(char)[0] for char in term} <= set("LNM")
        assert unicodedata.category(term[0])[0] != "M"


def test_the_invisible_are_format_characters_and_fillers_only() -> None:
    import re

    pattern = re.compile(f"[{INVISIBLE}]")
    kinds = {unicodedata.category(chr(point)) for point in range(sys.maxunicode + 1) if pattern.match(chr(point))}
    assert kinds <= {"Cf", "Cn", "Mn", "Lo"}
    assert not pattern.match("가")

"""Cutting texts that are written without spaces: Chinese and Japanese."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .grammar import CODE, Item
from .lexing import SIGNS, STAMP, Entry, lowered
from .numerals import pieces

DIGITS = {
    char: value
    for value, chars in enumerate(("〇零", "一壹", "二贰两兩", "三", "四", "五", "六", "七", "八", "九"))
    for char in chars
}
SCALES = {"十": 10, "拾": 10, "百": 100, "千": 1000}
RUNS = {"廿": 20, "卅": 30}
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
"""Full-width letters, digits and signs, and their plain forms."""
_WIDE = re.compile("[\uff01-\uff5e\u3000]")
_UNKNOWN, _KNOWN, _NUMERAL, _STAMP, _DIGITS, _ADDRESS, _BREAK = range(1, 8)
_OTHERS = {_STAMP: "stamp", _ADDRESS: "word", _BREAK: "break"}
_NUMERALS = "".join([*DIGITS, *SCALES, *RUNS])
_LONGEST = 9
"""Numerals in a row that can be a number; more of them are none."""


class PackedLexicon:
    """The words of a language written without spaces; the longest that begins at a place is the one that counts."""

    def __init__(self, words: Mapping[str, Mapping[Any, str]], telling: frozenset[str]) -> None:
        """Take words as category -> value -> forms divided by "|"; ``telling`` are the categories times are made of."""
        self.known: dict[str, Entry] = {
            form: (CODE[category], value)
            for category, forms in words.items()
            for value, spelled in forms.items()
            for form in spelled.split("|")
        }
        starts = {word[0] for word in self.known} | set(SIGNS) | set(_NUMERALS)
        self.token = re.compile(
            rf"([^!-~\s{re.escape(''.join(sorted(starts)))}]+|[a-z]+)|({_among(self.known)})|([{_NUMERALS}]+)|({STAMP})"
            r"|(\d+(?:[.,:/-]\d+)*)|((?:https?://|www\.)[!-~]+)|(\n)|(.)",
            re.ASCII,
        )
        self._telling = re.compile(
            f"[0-9]|{_among([word for word, entry in self.known.items() if entry[0] in telling])}"
        )

    def may_hold(self, text: str) -> bool:
        """Whether a text has a digit or a word that times are made of."""
        return self._telling.search(plain(text)) is not None

    def items(self, text: str) -> list[Item]:
        """Give the items of a text, in order; what is unknown is one item as far as it goes."""
        items: list[Item] = []
        text = plain(text)
        for match in self.token.finditer(text):
            kind, shown, begin, stop = match.lastindex, match[0], match.start(), match.end()
            if kind == _UNKNOWN:
                _add(items, "word", None, begin, stop)
            elif kind == _KNOWN:
                code, value = self.known[shown]
                items.append(Item(code, value, begin, stop))
            elif kind == _NUMERAL:
                category, value = numeral(shown)
                items.append(Item(CODE[category], value, begin, stop))
            elif kind == _DIGITS:
                self._digits(text, shown, begin, items)
            elif not shown.isspace() or kind == _BREAK:
                category = _OTHERS.get(kind or 0) or SIGNS.get(shown, "word" if shown.isalnum() else "punct")
                _add(items, category, shown, begin, stop)
        return items

    def _digits(self, text: str, shown: str, begin: int, items: list[Item]) -> None:
        made = pieces(shown)
        after = text[begin + len(shown) : begin + len(shown) + 1]
        if made is None or (after.isascii() and after.isalpha() and after not in "apAP") or _is_attached(text, begin):
            _add(items, "word", None, begin, begin + len(shown))
            return
        for category, value, start, end in made:
            padded = category == "small" and end - start == 2 and shown[start] == "0"
            items.append(Item(CODE["shortyear" if padded else category], value, begin + start, begin + end))


def plain(text: str) -> str:
    """Give a text in lower case, with plain letters, digits and signs for full-width ones, in the same places."""
    folded = lowered(text)
    return folded.translate(FULL_WIDTH) if _WIDE.search(folded) else folded


def _is_attached(text: str, begin: int) -> bool:
    """Whether digits belong to a word, a price or a number in another form that stands before them."""
    before = text[begin - 1 : begin]
    if before in {".", ",", ":"}:
        return text[begin - 2 : begin - 1].isdigit()
    return before != "" and ((before.isascii() and before.isalnum() and before not in "qh") or before in "$€£¥#@_+\\&%")


def _add(items: list[Item], category: str, value: Any, begin: int, stop: int) -> None:
    code = CODE[category]
    if category == "word" and items and items[-1].code == code:
        items[-1].stop = stop
    else:
        items.append(Item(code, value, begin, stop))


def _among(words: Mapping[str, Any] | list[str]) -> str:
    """Give an expression for any of many words, the longest first, grouped by their first character for speed."""
    groups: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        groups.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(
        re.escape(first) + (f"(?:{'|'.join(rest)})" if rest != [""] else "") for first, rest in groups.items()
    )


def numeral(text: str) -> tuple[str, Any]:
    """Give what a run of numerals says: a number with places ("二十三") or digit by digit ("二〇一七")."""
    if len(text) > _LONGEST:
        return "word", None
    if all(char in DIGITS for char in text):
        value = int("".join(str(DIGITS[char]) for char in text))
        if len(text) == 2:
            return "shortyear", value
        return _sized(value, len(text))
    total = part = 0
    for char in text:
        if char in DIGITS:
            part = DIGITS[char]
        elif char in RUNS:
            total, part = total + RUNS[char], 0
        else:
            total, part = total + (part or 1) * SCALES[char], 0
    return _sized(total + part, len(str(total + part)))


def _sized(value: int, digits: int) -> tuple[str, Any]:
    if digits <= 2:
        return "small", value
    return ("fullyear" if digits == 4 else "number"), value

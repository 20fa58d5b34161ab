"""Cutting a text into the items that rules work on, with a language's words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .grammar import CODE, Item
from .numerals import pieces

Entry = tuple[str, Any]
"""A word's category character and its value."""

Phrase = tuple[tuple[str, ...], str, Any]
"""The words that must follow the first one, and the entry they make together."""

_DIGITS_OF_INDIA = {0x0966 + value: 0x30 + value for value in range(10)}

Token = tuple[int | None, str, int, int]
"""Which kind of token it is, its text in lower case, where it begins and stops."""

_STAMPED, _DIGITS, _ADDRESS, _LETTERS, _NEW_LINE, _SIGN = range(1, 7)
_WORDLIKE, _WHOLE = frozenset({_LETTERS, _SIGN}), frozenset({_NEW_LINE, _STAMPED})
STAMP = r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,6})?)?(?:[Zz]|[+-]\d\d:?\d\d)?(?![\w:.,/-])"
SIGNS = {
    ",": "comma", "、": "comma", "，": "comma", ".": "dot", "/": "slash", "-": "hyphen", "–": "hyphen", "—": "hyphen",
    "~": "hyphen", "～": "hyphen", "〜": "hyphen", "－": "hyphen", "−": "hyphen", "(": "open", ")": "close",
    "（": "open", "）": "close", "'": "quote", "’": "quote", "=": "equals", ">": "more", "%": "measure",
    "\n": "break",
}  # fmt: skip
_BEFORE_NO_DATE = frozenset("$€£¥₹#@_+\\&?^*")
_AFTER_NO_DATE = frozenset("$€£¥₹#@_+\\&%°^*‰")
_SPLIT_MARKS = frozenset(".,:/-–")
_COUNTING_IN = frozenset({"in", "from", "en", "dans", "em", "aus"})
"""Words that are followed by a year, or by so many things."""
_THINGS = re.compile("[a-zà-ÿ]{4,}(?<![sui])(?<!mo)s")
_CAPITAL_THINGS = re.compile(f"{_THINGS.pattern}|[A-ZÄÖÜ][a-zäöüß]{{2,}}[nres]")
"""What looks like a plural; with a capital only in languages that give nouns one."""
_NO_THINGS = frozenset(
    {
        "always", "sometimes", "perhaps", "besides", "towards", "afterwards", "overseas", "nowadays", "whereas",
        "entonces", "además", "después", "antes", "mientras", "apenas", "quizás", "todos", "toujours", "alors",
        "ailleurs", "parfois", "après", "depuis",
    }
)  # fmt: skip
_GLUED = frozenset(
    {
        "ordinal_mark", "ampm", "decade_suffix", "unit", "clock_unit", "oclock", "month", "month_soft", "month_low",
        "quarter_mark", "day_word", "year_word", "month_word", "half_mark", "hence",
    }
)  # fmt: skip
_GLUED_CODES = frozenset(CODE[name] for name in _GLUED)
_BEFORE_DIGITS = frozenset(
    CODE[name]
    for name in (
        "quarter_mark",
        "half_mark",
        "fiscal_mark",
        "week_mark",
        "month",
        "month_soft",
        "month_low",
        "calendar",
        "oclock",
    )
)


_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?(?![0-9])"
_ROW = re.compile(
    f"((?:{_NUMBER}[ ,;]{{1,2}}){{3}})((?:{_NUMBER}[ ,;]{{1,2}}){{3,}})(?={_NUMBER}[ ,;]{{1,2}}{_NUMBER})"
)
_SHORTEST_ROW = 16


def thinned(text: str) -> str:
    """Give a text of the same length, with one word for the middle of each row of numbers.

    What stands beside a row may make a time of its first or last numbers; those inside are data, and would cost as
    much to look at as words that mean something.
    """
    return _ROW.sub(_row_thinned, text) if len(text) >= _SHORTEST_ROW else text


def _row_thinned(row: re.Match[str]) -> str:
    return row[1] + "x" * (len(row[2]) - 1) + " "


class Lexicon:
    """The words of a language: what each means, alone and as the beginning of a phrase."""

    def __init__(
        self,
        words: Mapping[str, Mapping[Any, str]],
        low: Mapping[str, Mapping[Any, str]],
        telling: frozenset[str],
        letters: str = "",
        capital_nouns: bool = False,
    ) -> None:
        """Take words as category -> value -> forms divided by "|"; ``low`` holds what lower-case forms mean instead.

        ``telling`` are the characters of the categories that times are made of, ``letters`` are characters that belong
        to words though `re` does not count them as such. ``capital_nouns``: nouns begin with a capital.
        """
        letter = r"[^\W\d_]" if not letters else rf"(?:[^\W\d_]|[{letters}])"
        self.has_marks = letters != ""
        self.token = re.compile(rf"({STAMP})|(\d+(?:[.,:/-]\d+)*)|((?:https?://|www\.)\S+)|({letter}+)|(\n)|(\S)")
        self.things = _CAPITAL_THINGS if capital_nouns else _THINGS
        self.alone: dict[str, Entry] = {}
        self.phrases: dict[str, list[Phrase]] = {}
        self.low: dict[str, Entry] = {}
        for category, forms in words.items():
            for value, spelled in forms.items():
                for form in spelled.split("|"):
                    self._learn(form, CODE[category], value)
        for category, forms in low.items():
            for value, spelled in forms.items():
                self.low.update((form, (CODE[category], value)) for form in spelled.split("|"))
        self._quick = re.compile(rf"{letter}+|[0-9\u0966-\u096f]")
        self.telling = frozenset(
            [*"0123456789०१२३४५६७८९"]
            + [word for word, entry in self.alone.items() if _tells(entry, telling)]
            + [
                max((word, *phrase[0]), key=len)
                for word, phrases in self.phrases.items()
                for phrase in phrases
                if phrase[1] in telling
            ]
        )
        for phrases in self.phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))

    def _learn(self, form: str, code: str, value: Any) -> None:
        parts = [match[0] for match in self.token.finditer(form)]
        if len(parts) == 1:
            self.alone[parts[0]] = (code, value)
        else:
            self.phrases.setdefault(parts[0], []).append((tuple(parts[1:]), code, value))

    def may_hold(self, text: str) -> bool:
        """Whether a text has a digit or a word that times are made of; quick, for most texts have none."""
        return not self.telling.isdisjoint(self._quick.findall(lowered(text)))

    def items(self, text: str) -> list[Item]:
        """Give the items of a text, in order; unknown words that follow each other are one item."""
        folded = lowered(text).translate(_DIGITS_OF_INDIA) if self.has_marks else lowered(text)
        tokens = [(match.lastindex, match[0], match.start(), match.end()) for match in self.token.finditer(folded)]
        items: list[Item] = []
        skip = 0
        known, phrases_of = self.alone, self.phrases
        for index, (kind, word, begin, stop) in enumerate(tokens):
            if index < skip:
                continue
            if kind in _WORDLIKE:
                phrases = phrases_of.get(word)
                if phrases is not None:
                    found = _phrase_at(phrases, tokens, index + 1)
                    if found is not None:
                        skip = index + 1 + len(found[0])
                        items.append(Item(found[1], found[2], begin, tokens[skip - 1][3]))
                        continue
                entry = known.get(word)
                if entry is None:
                    if kind == _LETTERS:
                        _add_word(items, begin, stop)
                    else:
                        items.append(Item(CODE[SIGNS.get(word, "punct")], word, begin, stop))
                    continue
                if word in self.low and text[begin] == word[0]:
                    entry = self.low[word]
                items.append(Item(entry[0], entry[1], begin, stop))
            elif kind == _DIGITS:
                skip = index + 1 + self._digits(text, folded, tokens, index, items)
            elif kind in _WHOLE:
                category = "stamp" if kind == _STAMPED else "break"
                items.append(Item(CODE[category], text[begin:stop], begin, stop))
            else:
                _add_word(items, begin, stop)
        return items

    def _digits(self, original: str, text: str, tokens: list[Token], index: int, items: list[Item]) -> int:
        """Add what a run of digits is, and say how many further tokens went with it."""
        _, shown, begin, stop = tokens[index]
        if len(shown) == 4 and shown[2:] == "00" and self._counts_things(original, tokens, index):
            items.append(Item(CODE["number"], int(shown), begin, stop))
            return 0
        following = tokens[index + 1][1] if index + 1 < len(tokens) and tokens[index + 1][2] == stop else ""
        made = _pieces(shown) if len(shown) < 40 else None  # what is long is not worth remembering
        glued = self.alone.get(following) if following else None
        if glued is None and following in self.phrases:
            glued = (CODE["ampm"], None)
        letter_follows = following[:1].isalpha()
        if (
            made is None
            or (letter_follows and (glued is None or glued[0] not in _GLUED_CODES))
            or (following != "" and following[0] in _AFTER_NO_DATE)
            or self._is_attached(text, begin, items)
        ):
            _add_word(items, begin, stop)
            return 0
        if glued is not None and glued[0] == CODE["ordinal_mark"] and made[-1][0] in {"small", "number"}:
            for category, value, start, end in made[:-1]:
                items.append(Item(CODE[category], value, begin + start, begin + end))
            items.append(Item(CODE["ordinal"], made[-1][1], begin + made[-1][2], tokens[index + 1][3]))
            return 1
        for category, value, start, end in made:
            items.append(Item(CODE[category], value, begin + start, begin + end))
        return 0

    def _counts_things(self, text: str, tokens: list[Token], index: int) -> bool:
        """Whether a round number is no year but so many things: "in 2000 machines", not "In 2000 sales rose"."""
        if index == 0 or index + 1 >= len(tokens) or tokens[index - 1][1] not in _COUNTING_IN:
            return False
        kind, word, begin, stop = tokens[index + 1]
        if kind != _LETTERS or word in self.alone or word in _NO_THINGS or not self.things.fullmatch(text, begin, stop):
            return False
        if index + 2 >= len(tokens) or tokens[index + 2][0] != _LETTERS:
            return True
        after = self.alone.get(tokens[index + 2][1])
        if after is not None:
            return after[0] != _FUNCTION
        return index > 1 and tokens[index - 2][0] == _LETTERS

    def _is_attached(self, text: str, begin: int, items: list[Item]) -> bool:
        """Whether digits belong to what stands before them: a word, a price, a number in another form."""
        if begin == 0:
            return False
        before = text[begin - 1]
        if before.isalnum():
            return not items or items[-1].code not in _BEFORE_DIGITS
        if before in _BEFORE_NO_DATE:
            return True
        if before == "-" and len(items) > 1 and items[-2].code == _WORD:
            return items[-2].stop == begin - 1
        if before in _SPLIT_MARKS and begin > 1:
            return text[begin - 2].isdigit() and before in ".,:"
        return before == " " and begin > 1 and text[begin - 2] in "$€£¥₹#"


def _tells(entry: Entry, telling: frozenset[str]) -> bool:
    code, value = entry
    return code in telling and not (code in _COUNTING and value < 4)


def lowered(text: str) -> str:
    """Give a text in lower case and of the same length, so that places in one are places in the other."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join([low if len(low := char.lower()) == 1 else char for char in text])


def _add_word(items: list[Item], begin: int, stop: int) -> None:
    if items and items[-1].code == _WORD:
        items[-1].stop = stop
    else:
        items.append(Item(_WORD, None, begin, stop))


def _phrase_at(phrases: list[Phrase], tokens: list[Token], at: int) -> Phrase | None:
    if at >= len(tokens):
        return None
    following = tokens[at][1]
    for phrase in phrases:
        rest = phrase[0]
        if following == rest[0] and (
            len(rest) == 1 or rest == tuple([token[1] for token in tokens[at : at + len(rest)]])
        ):
            return phrase
    return None


_pieces = lru_cache(maxsize=512)(pieces)
_WORD, _FUNCTION = CODE["word"], CODE["function"]
_COUNTING = frozenset(CODE[name] for name in ("cardinal", "ordinal_word"))

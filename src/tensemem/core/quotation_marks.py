"""Stretches between quotation marks, of every language the library knows, that are more than a name.

A mark alone says little: `'` is an apostrophe far more often than it opens a quotation, `"` is an inch, `»` a bullet.
So a mark opens only where a word follows and none precedes, closes only where it follows a word or its punctuation,
and a pair of marks that can also be apostrophes stands within one paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from .first_person import speaks_as_i
from .text import UNSPACED, Span, words

LONG, LONG_WORDS, LONG_UNSPACED = 30, 4, 12
"""Characters, words, or characters of a script without spaces that make a quotation more than a name."""


def quotations(text: str) -> Iterator[Span]:
    """Return the stretches between matching marks that say something; what lies inside another is not looked at twice.

    They say something if they are long (30 characters, four words, or 12 characters of a script without spaces), or
    if they are what somebody says of himself: "I'm vegan". Other short ones are names and titles and stay. A mark that
    can only open, and a straight one where only an opening one can stand, quotes to the end of its paragraph where it
    is never closed.
    """
    done = 0
    for begin, stop in sorted(_pairs(text), key=lambda span: (span[0], -span[1])):
        if begin >= done:
            done = stop
            if _says_something(text[begin:stop]):
                yield begin, stop


def _says_something(quoted: str) -> bool:
    if len(quoted) >= LONG + 2 or len(UNSPACED.findall(quoted)) >= LONG_UNSPACED:
        return True
    said = words(quoted)
    if sum(not UNSPACED.match(word) for word in said) >= LONG_WORDS:
        return True
    return (len(said) > 1 or len(quoted) > LONG_WORDS) and not _is_title(quoted) and speaks_as_i(quoted)


def _is_title(quoted: str) -> bool:
    """Whether every word after the first begins with a capital: "I Am Legend"."""
    rest = [word for word in _SPELT.findall(quoted)[1:] if word[0].isupper() or word[0].islower()]
    return bool(rest) and all(word[0].isupper() for word in rest)


_SPELT = re.compile(r"[^\W\d_](?:[^\W\d_]|['’])*")

_ENTITIES = {
    "quot": '"', "#34": '"', "#x22": '"', "ldquo": "“", "rdquo": "”", "bdquo": "„", "laquo": "«", "raquo": "»",
    "lsaquo": "‹", "rsaquo": "›", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "#39": "'", "#x27": "'", "apos": "'",
}  # fmt: skip
_MARK = re.compile(
    "['’](?!(?<=[A-Za-z]['’])[A-Za-z])"  # not the one of "don't"
    "|[“”„‟«»‹›「」『』｢｣﹁﹂﹃﹄〝〞〟\"＂‘‚‛＇]|`+"
    rf"|&({'|'.join(_ENTITIES)});|\n[ \t\r]*\n",
    re.IGNORECASE,
)
_ASCII_WORD = re.compile("[0-9A-Za-z]")  # other scripts quote without a space outside the marks
_OPENING = "“„‟«»‹›「『｢﹁﹃〝"
_ONLY_OPENING = "“„‟«‹「『｢﹁﹃〝"
_CLOSES = {
    "”": "“„‟”", "“": "„", "»": "«»", "«": "»", "›": "‹›", "‹": "›", "」": "「", "』": "『", "｣": "｢", "﹂": "﹁",
    "﹄": "﹃", "〞": "〝", "〟": "〝",
}  # fmt: skip
_OWN_KIND = "”»›"
_STRAIGHT = '"＂`'
_SINGLE = "‘’‚‛'＇"
_BEGINS_SINGLE = {"'": "'", "＇": "'", "‘": "‘", "‛": "‘", "‚": "‚", "’": "’"}
_ENDS_SINGLE = {"'": "'", "＇": "'", "’": "‘‚’", "‘": "‚"}
# What stands for letters left out at the beginning of a word; one letter alone is taken for such a word too.
_ELIDED = frozenset(
    [
        "em", "cause", "cuz", "coz", "cos", "til", "till", "tis", "twas", "twere", "twill", "nd", "round", "bout",
        "nother", "nuff", "kay", "sup", "ere", "neath", "gainst", "fraid", "cept", "spect", "scuse", "hood", "ve",
        "ll", "re", "sto", "sta",
    ]
)  # fmt: skip
_NEXT_WORD = re.compile(r"[^\W\d_]{1,12}")


def _pairs(text: str) -> Iterator[Span]:
    pairing = _Pairing(text)
    for found in _MARK.finditer(text):
        yield from pairing.read(found)
    yield from pairing.left_open()


class _Pairing:
    """The marks that are open while a text is read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._opened: dict[str, list[int]] = {mark: [] for mark in _OPENING + _OWN_KIND}
        self._straight: dict[str, int] = {}
        self._single: dict[str, int] = {}
        self._breaks: list[int] = []
        self._alone: list[int] = []

    def read(self, found: re.Match[str]) -> Iterator[Span]:
        begin, stop = found.span()
        mark = _ENTITIES[found[1].lower()] if found[1] else found[0]
        if mark[0] == "\n":
            self._end_paragraph(begin)
            return
        before, after = self._text[max(begin - 1, 0) : begin] or " ", self._text[stop : stop + 1] or " "
        if mark[0] in _STRAIGHT:
            yield from self._read_straight(mark, begin, stop, before, after)
        elif mark in _SINGLE:
            yield from self._read_single(mark, begin, stop, before, after)
        else:
            yield from self._read_directed(mark, begin, stop, before, after)

    def left_open(self) -> Iterator[Span]:
        """Give what is never closed, from the first such mark of a paragraph to the paragraph's end."""
        self._end_paragraph(len(self._text))
        begun = [place for mark in _ONLY_OPENING for place in self._opened[mark]]
        done = -1
        for begin in sorted((*begun, *self._alone)):
            if begin >= done:
                place = bisect_left(self._breaks, begin)
                done = self._breaks[place]
                yield begin, done

    def _end_paragraph(self, place: int) -> None:
        """A mark that is also something else has its partner in its paragraph, or none."""
        self._breaks.append(place)
        self._alone += [begin for mark, begin in self._straight.items() if mark[0] != "`"]
        self._straight.clear()
        self._single.clear()

    def _read_straight(self, mark: str, begin: int, stop: int, before: str, after: str) -> Iterator[Span]:
        if mark in self._straight and not before.isspace() and not _ASCII_WORD.match(after):
            yield self._straight.pop(mark), stop
        elif not _ASCII_WORD.match(before) and not after.isspace():
            self._straight[mark] = begin

    def _read_single(self, mark: str, begin: int, stop: int, before: str, after: str) -> Iterator[Span]:
        opened = next((kind for kind in _ENDS_SINGLE.get(mark, "") if kind in self._single), None)
        if opened is not None and not before.isspace() and not _is_spelt(after):
            yield self._single.pop(opened), stop
        elif mark in _BEGINS_SINGLE and not _is_spelt(before) and self._begins_word(stop):
            self._single[_BEGINS_SINGLE[mark]] = begin

    def _read_directed(self, mark: str, begin: int, stop: int, before: str, after: str) -> Iterator[Span]:
        partner = next((other for other in _CLOSES.get(mark, "") if self._opened[other]), None)
        is_own = partner == mark
        if partner is not None and not (is_own and before.isspace()):
            yield self._opened[partner].pop(), stop
        elif mark in _ONLY_OPENING or (mark in _OWN_KIND and not _is_spelt(before) and not after.isspace()):
            self._opened[mark].append(begin)

    def _begins_word(self, place: int) -> bool:
        """Whether a word begins here that is whole: 'em and '90s are not."""
        found = _NEXT_WORD.match(self._text, place)
        if found is None:
            return False
        word = found[0].lower()
        return word not in _ELIDED and (len(word) > 1 or word in "ia" or UNSPACED.match(word) is not None)


def _is_spelt(char: str) -> bool:
    """Whether an apostrophe beside this character joins it to a word; scripts without spaces know no apostrophe."""
    return char.isalnum() and not UNSPACED.match(char)

"""How text is compared, quoted, grounded and searched.

One idea carries all of it: characters are folded one by one, from a table, and what a fold throws away is invisible
or white. So every function is linear in its text, keys are stable (the key of a key is that key), and a place found
in folded text can be told in the offsets of the text as it was given.

Folding follows the Unicode data of the running interpreter; characters it does not know yet stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

Grounding = Literal["all", "some", "none"]
Span = tuple[int, int]

# Unicode's default-ignorable characters, for use inside a character class: soft hyphen, grapheme joiner, zero-width
# space, joiners and non-joiners, bidirectional controls, word joiner, Hangul fillers, variation selectors, byte order
# mark, tag characters; and the interlinear marks. Nobody sees them, so no two values differ by them.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)


def comparison_key(text: str) -> str:
    """Return the form in which two spellings of one value are equal.

    NFKC, case-folded, white space collapsed and trimmed, invisible characters dropped. Superscripts, subscripts and
    fractions keep their form, so `10²` is not `102`; nothing else is stripped, so `C`, `C++` and `C#` differ. Joiners
    and variation selectors are dropped too: they choose a shape for a letter or an emoji, and a value copied through
    two programs must not become two values. Composed and decomposed spellings are equal, and the key of a key is that
    key. A text of nothing visible has the key `""`.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = normalised("NFD", text).translate(_KEY)
    return " ".join(normalised("NFC", folded).split())


def clean(text: str) -> str:
    """Return the value as it is stored: as given, without the white space around it."""
    return text.strip()


def is_valid_text(text: str) -> str | None:
    """Return why a text cannot be stored, such as "contains NUL at 0", or None if it can."""
    found = _UNSTORABLE.search(text)
    if found is None:
        return None
    return f"contains {'NUL' if found[0] == chr(0) else 'a lone surrogate'} at {found.start()}"


def normalised(form: Literal["NFC", "NFD"], text: str) -> str:
    """Return `unicodedata.normalize(form, text)`, in linear time even for one letter under many accents."""
    return unicodedata.normalize(form, _ordered(text))


class CharTable(dict[int, str]):
    """A table for `str.translate` that asks a function of one character, once for each."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        super().__init__()
        self._fold = fold

    def __missing__(self, point: int) -> str:
        folded = self._fold(chr(point))
        if len(self) < _TABLE_LIMIT:
            self[point] = folded
        return folded


@dataclass(frozen=True)
class FoldedText:
    """A text with its folded forms, each worked out once however much is looked for in it."""

    original: str

    @cached_property
    def exact(self) -> _Folded:
        """NFC, white space folded, invisible characters dropped."""
        return _fold_exactly(self.original)

    @cached_property
    def loose(self) -> _Folded:
        """The exact form without case; typographic quotation marks and apostrophes are plain ones."""
        return _fold_loosely(self.exact)

    @cached_property
    def vocabulary(self) -> _Vocabulary:
        """The words a value may be grounded in."""
        return _vocabulary(self.original)


def find_quote(quote: str, text: str | FoldedText) -> Span | None:
    """Return where the quote stands in the text, as offsets `(begin, stop)` into the text as given, or None.

    Runs of white space equal one space, composed and decomposed letters are equal, invisible characters do not count.
    A place with the same case is preferred to one without.
    """
    asked, folded = FoldedText(quote), _prepared(text)
    pairs = ((asked.exact, folded.exact), (asked.loose, folded.loose))
    return next((span for needle, hay in pairs for span in _spans(needle.text.strip(), hay)), None)


def find_all_quotes(quote: str, text: str | FoldedText) -> tuple[Span, ...]:
    """Return every place of the quote, none overlapping another; those of the same case come first."""
    asked, folded = FoldedText(quote), _prepared(text)
    exact = list(_spans(asked.exact.text.strip(), folded.exact))
    loose = _spans(asked.loose.text.strip(), folded.loose)
    return (*exact, *_apart(loose, exact))


def has_two_text_characters(quote: str) -> bool:
    """Whether at least two letters, digits, marks or ideographs stand in the quote."""
    classes = normalised("NFC", quote).translate(_CLASS)
    return sum(map(classes.count, "whum")) >= 2


def words(text: str) -> tuple[str, ...]:
    """Return the words of the text's comparison key: runs of letters, digits and the marks upon them.

    A script written without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) gives one item for each run of it.
    """
    key = comparison_key(text)
    return tuple(key[found.start() : found.end()] for found in _WORD.finditer(key.translate(_CLASS)))


def grounding(value: str, text: str | FoldedText, *, aliases: Iterable[str] = ()) -> Grounding:
    """Return whether all, some or none of the value's words stand in the text.

    A word stands there as a whole, or as an inflection: both share a prefix of at least three characters and of 60 %
    of the longer one, which holds all digits of both. Scripts without spaces, and Hangul with its particles, are
    looked for as substrings. Decimal digits of any script are equal. A word keeps the symbols attached to it, so
    `C++` is not grounded by `C`; a value of symbols alone is looked for as a substring. An alias all of whose words
    stand there grounds the value.

    For *some*, part of one word is enough: a word of the text, of five letters or more, with which it begins or ends,
    accents aside (a compound); of an unspaced run its first 60 %, two characters or more. But words under four
    characters (`the`, `San`) tell nothing, unless the value has no others.
    """
    vocabulary = _prepared(text).vocabulary
    share = _share(value, vocabulary)
    if share == "all" or any(_share(alias, vocabulary) == "all" for alias in aliases):
        return "all"
    return share


def grounded_whole(value: str, text: str | FoldedText) -> bool:
    """Whether the value's comparison key stands in that of the text, between the edges of words."""
    needle = _with_word_edges(_grounding_key(value))
    return bool(needle) and needle in _prepared(text).vocabulary.with_edges


def search_terms(text: str) -> list[str]:
    """Return the terms under which a text is indexed, in order, repeated as they are in the text.

    Spaced scripts give their words; Han, kana, Hangul, Thai and their like give single characters and pairs, and
    Hangul its runs as well. Arabic is without tatweel and vowel marks, digits are `0` to `9`. A term holds letters,
    digits and marks only.
    """
    terms: list[str] = []
    for run, units in _search_runs(text):
        terms.extend(units)
        terms.extend(_pairs(units))
        if not units or (len(units) > 2 and _HANGUL.match(run)):
            terms.append(run)
    return terms


def query_terms(text: str) -> list[str]:
    """Return the terms a query asks for, each once: words; of other runs the pairs, or the one character."""
    terms: list[str] = []
    for run, units in _search_runs(text):
        terms.extend(_pairs(units) or [run])
    return list(dict.fromkeys(terms))


_TABLE_LIMIT = 50_000  # more than living text uses: a text of every character must not fill the memory
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_UNSEEN = re.compile(f"[{INVISIBLE}]")
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>")


def _fold_char(char: str) -> str:
    if _UNSEEN.match(char):
        return ""
    folded = _compatible(char).casefold()
    return folded if folded == char else "".join(map(_fold_char, folded))


def _compatible(char: str) -> str:
    kind, _, points = unicodedata.decomposition(char).rpartition("> ")
    if not points or f"{kind}>" in _KEPT_FORMS:
        return char
    return "".join(chr(int(point, 16)) for point in points.split())


_KEY = CharTable(_fold_char)

_LONG_TEXT = 1_000
_MANY_MARKS = re.compile(rb"[^\0]{32,}")


def _ordered(text: str) -> str:
    """Put long runs of combining marks in canonical order, which `unicodedata` does in quadratic time."""
    if len(text) < _LONG_TEXT or text.isascii():
        return text
    parts, done = list[str](), 0
    for found in _MANY_MARKS.finditer(bytes(map(unicodedata.combining, text))):
        begin, stop = found.span()
        parts += text[done:begin], "".join(sorted(text[begin:stop], key=unicodedata.combining))
        done = stop
    return "".join((*parts, text[done:]))


_PIECE = re.compile(rf"(?P<gap>[\s{INVISIBLE}]+)|[^\s{INVISIBLE}]+")
_WHITE = re.compile(r"\s")
_UNEVEN_SPACE = re.compile(r"[^\S ]|  ")
_PLAIN_MARKS = str.maketrans("‘’‚‛ʼ′“”„‟″", "''''''\"\"\"\"\"")
# A combining mark, or a Hangul vowel or final, is folded together with what it follows.
_JOINS = CharTable(lambda c: "j" if unicodedata.category(c)[0] == "M" or "\u1160" <= c <= "\u11ff" else "s")
_CLUSTER = re.compile(".j*")


@dataclass(frozen=True)
class _Folded:
    """Folded text; character i of it was made of `[starts[i], stops[i])` of the original."""

    text: str
    starts: Sequence[int]
    stops: Sequence[int]


def _prepared(text: str | FoldedText) -> FoldedText:
    return FoldedText(text) if isinstance(text, str) else text


def _fold_exactly(text: str) -> _Folded:
    if text.isascii() and not _UNEVEN_SPACE.search(text):
        return _Folded(text, range(len(text)), range(1, len(text) + 1))
    parts: list[str] = []
    starts, stops = array("L"), array("L")
    for begin, stop, folded in _folded_pieces(text):
        parts.append(folded)
        if len(folded) == stop - begin:
            starts.extend(range(begin, stop))
            stops.extend(range(begin + 1, stop + 1))
        else:
            starts.extend([begin] * len(folded))
            stops.extend([stop] * len(folded))
    return _Folded("".join(parts), starts, stops)


def _folded_pieces(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _PIECE.finditer(text):
        begin, stop = found.span()
        piece = found[0]
        if found["gap"]:
            yield begin, stop, " " if _WHITE.search(piece) else ""
        elif unicodedata.is_normalized("NFC", piece):
            yield begin, stop, piece
        else:
            for cluster in _CLUSTER.finditer(piece.translate(_JOINS)):
                inside = piece[cluster.start() : cluster.end()]
                yield begin + cluster.start(), begin + cluster.end(), normalised("NFC", inside)


def _fold_loosely(exact: _Folded) -> _Folded:
    plain = exact.text.translate(_PLAIN_MARKS)
    folded = plain.casefold()
    if len(folded) == len(plain):
        return _Folded(folded, exact.starts, exact.stops)
    starts, stops = array("L"), array("L")
    for place, char in enumerate(plain):
        width = len(char.casefold())
        starts.extend([exact.starts[place]] * width)
        stops.extend([exact.stops[place]] * width)
    return _Folded(folded, starts, stops)


def _spans(needle: str, hay: _Folded) -> Iterator[Span]:
    place = hay.text.find(needle) if needle else -1
    while place >= 0:
        after = place + len(needle)
        yield hay.starts[place], hay.stops[after - 1]
        place = hay.text.find(needle, after)


def _apart(spans: Iterable[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """Those of the spans that overlap none of the taken ones; both are in order."""
    place = 0
    for begin, stop in spans:
        while place < len(taken) and taken[place][1] <= begin:
            place += 1
        if place == len(taken) or stop <= taken[place][0]:
            yield begin, stop


UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3035\u303b"
    "\u303c\u3041-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
    "\U0001aff0-\U0001b16f\U00020000-\U0003ffff]"
)
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff]")


def _class_of(char: str) -> str:
    """`w` a letter or digit of a spaced script, `h` Hangul, `u` of a script without spaces, `m` a mark."""
    category = unicodedata.category(char)
    if char in "+#.":
        return char
    if category[0] not in "LNM" or _UNSEEN.match(char):
        return " "
    if category[0] == "M":
        return "m"
    if _HANGUL.match(char):
        return "h"
    return "u" if category != "Nd" and UNSPACED.match(char) else "w"


# Python's `\w` knows no vowel signs. So the patterns below read one class letter for each character of the text.
_CLASS = CharTable(_class_of)
_WORD = re.compile("[wh][whm]*|u[um]*")
# With the symbols that make another word of it: C++, C#, .NET; "C++11" is "C++" with "11", and "a+b" is "a" with "b".
_TOKEN = re.compile(r"(?:(?<![^ ])\.)?w[wm]*(?:\+\++|[+#]+(?!w))?|[uh][uhm]*")
_SEARCH_RUN = re.compile("w[wm]*|h[hm]*|u[um]*")
_UNIT = re.compile("[uh]m*")


def _ascii_digit(char: str) -> str:
    return str(unicodedata.decimal(char)) if unicodedata.category(char) == "Nd" else char


# Signs above and below Arabic letters, and the line that stretches them, are written or left out at will.
_ARABIC_SIGNS = re.compile(
    "[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08d3-\u08ff]"
)
_DIGITS = CharTable(_ascii_digit)
_SEARCH = CharTable(lambda c: "" if _ARABIC_SIGNS.match(c) else _ascii_digit(c))


_LONGEST_INFLECTED = 64  # of longer words, which nobody inflects, the prefixes would cost a square
_MANY_TOKENS = 1_000  # each may be one search of the whole text; a value of more is compared run by run
_SHORTEST_TELLING, _SHORTEST_PART = 4, 5  # measured: tools/grounding_score.py
_ACCENTS = re.compile("[\u0300-\u036f]")
_TO_LAST_DIGIT = re.compile(r".*\d", re.DOTALL)


@dataclass(frozen=True)
class _Vocabulary:
    """A text's key, plain and with edges marked; its words; their prefixes; those that compounds are made of."""

    key: str
    with_edges: str
    words: frozenset[str]
    stems: frozenset[str]
    parts: frozenset[str]


def _vocabulary(text: str) -> _Vocabulary:
    key = _grounding_key(text)
    found = frozenset(_tokens(key))
    stems = frozenset(stem for word in found for stem in _stems(word))
    return _Vocabulary(key, _with_word_edges(key), found, stems, frozenset(map(_unaccented, found)))


def _grounding_key(text: str) -> str:
    return comparison_key(text).translate(_DIGITS).replace("\0", "")


def _tokens(key: str) -> Iterator[str]:
    return (key[found.start() : found.end()] for found in _TOKEN.finditer(key.translate(_CLASS)))


def _stems(word: str) -> Iterator[str]:
    """The prefixes long enough for this word: two words with one in common are inflections of one."""
    if len(word) <= _LONGEST_INFLECTED and not _is_unspaced(word) and word[0] != "." and word[-1] not in "+#":
        digits = _TO_LAST_DIGIT.match(word)
        shortest = max(3, -(-len(word) * 3 // 5), len(digits[0]) if digits else 0)
        yield from (word[:length] for length in range(shortest, len(word) + 1))


def _is_unspaced(word: str) -> bool:
    return bool(UNSPACED.match(word) or _HANGUL.match(word))


def _share(value: str, vocabulary: _Vocabulary) -> Grounding:
    key = _grounding_key(value)
    tokens = list(dict.fromkeys(_tokens(key)))
    if not tokens:
        return "all" if key and key in vocabulary.key else "none"
    is_searched = len(tokens) <= _MANY_TOKENS
    found = {token for token in tokens if _is_grounded(token, vocabulary, is_searched)}
    if len(found) == len(tokens):
        return "all"
    telling = [token for token in tokens if len(token) >= _SHORTEST_TELLING or _is_unspaced(token)] or tokens
    return "some" if any(t in found or _is_grounded_in_part(t, vocabulary, is_searched) for t in telling) else "none"


def _is_grounded(token: str, vocabulary: _Vocabulary, is_searched: bool) -> bool:
    if token in vocabulary.words:
        return True
    if _is_unspaced(token):
        return is_searched and token in vocabulary.key
    return any(stem in vocabulary.stems for stem in _stems(token))


def _is_grounded_in_part(token: str, vocabulary: _Vocabulary, is_searched: bool) -> bool:
    if _is_unspaced(token):
        return is_searched and token[: max(2, -(-len(token) * 3 // 5))] in vocabulary.key
    word = _unaccented(token)
    sizes = range(_SHORTEST_PART, len(word) + 1 if word.isalpha() and len(word) <= _LONGEST_INFLECTED else 0)
    return any(word[:size] in vocabulary.parts or word[-size:] in vocabulary.parts for size in sizes)


def _unaccented(word: str) -> str:
    return word if word.isascii() else _ACCENTS.sub("", normalised("NFD", word))


def _with_word_edges(key: str) -> str:
    """The key with a NUL on either side of each spaced word: its substrings between NULs are whole words."""
    parts, done = list[str](), 0
    for found in _TOKEN.finditer(key.translate(_CLASS)):
        begin, stop = found.span()
        if not _is_unspaced(key[begin]):
            parts += key[done:begin], "\0", key[begin:stop], "\0"
            done = stop
    return "".join((*parts, key[done:]))


def _search_runs(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each run of one kind of script, with its characters where it is indexed by characters."""
    key = comparison_key(text).translate(_SEARCH)
    classes = key.translate(_CLASS)
    for found in _SEARCH_RUN.finditer(classes):
        begin, stop = found.span()
        units = [key[unit.start() : unit.end()] for unit in _UNIT.finditer(classes, begin, stop)]
        yield key[begin:stop], units


def _pairs(units: Sequence[str]) -> list[str]:
    return [first + second for first, second in pairwise(units)]

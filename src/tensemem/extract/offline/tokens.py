"""A message as tokens and sentences.

A token is a word, a number, an address, a mark of punctuation, or one character of a script written without spaces.
English contractions are taken apart ("don't" is "do" and "not"), so that every later step sees words alone. What is
quoted, fenced or looks like a log is one barrier that nothing reaches across.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...core.fence import merge_spans, quoted_regions
from ...core.text import UNSPACED


def words_in(table: str) -> frozenset[str]:
    """Give the words of a table, which blanks separate."""
    return frozenset(table.split())


class Token(NamedTuple):
    """One token: its folded text, its place, and its kind.

    ``kind``: ``w`` word, ``n`` number, ``x`` e-mail or web address, ``c`` character of an unspaced script, ``p``
    punctuation, ``|`` end of a sentence or a line, ``q`` a quoted stretch.
    """

    low: str
    begin: int
    stop: int
    kind: str
    is_capital: bool = False


class Sentence(NamedTuple):
    """Tokens of one sentence or line, without its end mark, and whether it ends as a question."""

    tokens: tuple[Token, ...]
    is_question: bool


# Every repetition that may fail is bounded, so that no text makes a search start over and over.
_PIECE = re.compile(
    r"(?P<x>https?://[^\s\"'<>]{1,2000}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})"
    r"|(?P<n>[+]?\(?\d(?:[\d.,:/()\-]{0,30}\d)?(?:st|nd|rd|th|[a-zA-Z]{1,3}\d{0,3})?(?![a-zA-Z_]))"
    r"|(?P<w>\.?[^\W_](?:\w|[.&'’+/#@_-](?=[^\W_])){0,80}[+#]{0,2})"
    r"|(?P<end>[\r\n\v\f\x85\u2028\u2029]+|[.!?…。！？｡]+)"
    r"|(?P<p>\S)"
)
_LONGEST_ABBREVIATION = 6
_ABBREVIATED = words_in(
    """st mt ft dr mr mrs ms prof sr jr inc ltd co corp no vs etc e.g i.e approx nr bzw z.b d.h ca sra sta dra av
    dept"""
)
_LOG_LINE = re.compile(
    r"(?m)^[ \t]{0,8}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b"
    r"|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)\b"
    r"|\$ |>>> |// |\+\+\+ |--- |@@ |[\"']\w{1,40}[\"']\s{0,3}:|\w{1,40}\s{0,3}=\s{0,3}[\"'\[{]"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\s)"
    r"[^\n]{0,2000}"
)
_ORDINAL_OF_MONTH = re.compile(r" (?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")
_SINGLE_QUOTED = re.compile(r"(?<![\w'’‘])['‘‚](?=\S)[^'’‘\n]{2,300}?(?<=[^\s])['’](?!\w)")
_PAIR = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\"\n]{1,400}[“”\"]|«[^»\n]{1,400}»"
    r"|»[^«\n]{1,400}«|「[^」\n]{1,400}」|『[^』\n]{1,400}』"
)
_CONTRACTED = {
    "m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would", "s": "'s", "t": "not",
}  # fmt: skip
# As people type on a phone. "im" is a German word too, so it needs an English one behind it.
_WRITTEN_TOGETHER = {
    "dont": ("do", "not"), "doesnt": ("does", "not"), "didnt": ("did", "not"), "cant": ("can", "not"),
    "isnt": ("is", "not"), "wasnt": ("was", "not"), "ive": ("i", "have"), "wont": ("will", "not"),
}  # fmt: skip
_SAYS_I_AM = re.compile(
    r" (?:an?|the|not|from|at|on|allergic|based|vegan|vegetarian|still|now|also|really|originally|into|fluent|living"
    r"|working|moving|no longer|\d+)\b"
)
_ANSWERS_NO = re.compile(r"(?:^|\b)no\Z", re.IGNORECASE)
"""Number before a number, else an answer that ends there: "No. 5", "No. I live in Rome"."""
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}


def barriers(text: str) -> tuple[tuple[int, int], ...]:
    """Give the stretches that are quoted, fenced, attached or logged: nothing in them is the speaker's own statement.

    Between quotation marks two words are enough here; a single one is a name, as in: my name is "Sam".
    """
    if text.isascii() and not any(mark in text for mark in "\"'`>\n:=$[") and "  " not in text:
        return ()
    quoted = [found.span() for found in _PAIR.finditer(text) if _is_more_than_a_name(found[0])]
    single = [found.span() for found in _SINGLE_QUOTED.finditer(text) if _is_more_than_a_name(found[0])]
    logged = [found.span() for found in _LOG_LINE.finditer(text)]
    return merge_spans((*quoted_regions(text), *quoted, *single, *logged))


def _is_more_than_a_name(quoted: str) -> bool:
    inside = quoted[1:-1].strip()
    return " " in inside or (len(inside) > 3 and UNSPACED.search(inside) is not None)


def sentences(text: str) -> Iterator[Sentence]:
    """Give the sentences of a text in order. Never raises; linear in the text."""
    tokens: list[Token] = []
    for token in tokens_of(text):
        if token.kind == "|":
            if tokens:
                yield Sentence(tuple(tokens), "?" in token.low or "？" in token.low)
            tokens = []
        else:
            tokens.append(token)
    if tokens:
        yield Sentence(tuple(tokens), False)


def tokens_of(text: str) -> Iterator[Token]:
    """Give the tokens of a text in order; a full stop that ends no sentence is left out."""
    spans = barriers(text)
    stops = [stop for _, stop in spans]
    inside = -1
    for found in _PIECE.finditer(text):
        begin, stop = found.span()
        if spans:
            place = bisect_right(stops, begin)
            if place < len(spans) and spans[place][0] < stop:
                if place != inside:
                    inside = place
                    yield Token("\x00", spans[place][0], spans[place][1], "q")
                continue
        kind = found.lastgroup
        if kind in ("n", "p") and _is_list_mark(text, begin, stop):
            continue
        if kind == "w":
            yield from _words(text, begin, stop)
        elif kind == "end":
            if not _is_within(text, begin, stop):
                yield Token(found[0], begin, stop, "|")
        else:
            yield Token(found[0].casefold(), begin, stop, kind or "p")


def _is_list_mark(text: str, begin: int, stop: int) -> bool:
    """Whether a number or a bullet only counts a line: "12. The author of …"."""
    line = text.rfind("\n", max(0, begin - 8), begin) + 1
    if text[max(line, begin - 8) : begin].strip(" \t") or (not line and begin > 8):
        return False
    if text[begin:stop].isdigit():
        return stop - begin <= 4 and text[stop : stop + 2] in (". ", ") ")
    return text[begin:stop] in ("-", "*", "•", "–") and text[stop : stop + 1] == " "


def _words(text: str, begin: int, stop: int) -> Iterator[Token]:
    word = text[begin:stop]
    if not word.isascii() and UNSPACED.search(word):
        yield from _characters(text, begin, stop)
        return
    if word.casefold() in _WRITTEN_TOGETHER or (word in ("im", "Im") and _SAYS_I_AM.match(text, stop)):
        first, rest = _WRITTEN_TOGETHER.get(word.casefold(), ("i", "am"))
        cut = begin + max(1, len(word) - (3 if rest == "have" and len(word) > 3 else 2))
        yield Token(first, begin, cut, "w", word[0].isupper())
        yield Token(rest, cut, stop, "w")
        return
    head, mark, tail = word.replace("’", "'").rpartition("'")
    full = _CONTRACTED.get(tail.casefold()) if mark else None
    if full is None or not head:
        yield Token(word.casefold().replace("’", "'"), begin, stop, "w", word[0].isupper())
        return
    cut = begin + len(head)
    if full == "not":
        if head[-1:] not in "nN":
            yield Token(word.casefold(), begin, stop, "w", word[0].isupper())
            return
        head, cut = head[:-1], cut - 1
    low = head.casefold()
    yield Token(_STEMS.get(low, low) if full == "not" else low, begin, cut, "w", head[:1].isupper())
    yield Token(full, cut, stop, "w")


def _characters(text: str, begin: int, stop: int) -> Iterator[Token]:
    """Give each unspaced character by itself, and the runs of other letters between them as words."""
    start = begin
    for place in range(begin, stop):
        if UNSPACED.match(text, place):
            if start < place:
                yield _plain(text, start, place)
            yield Token(text[place], place, place + 1, "c")
            start = place + 1
    if start < stop:
        yield _plain(text, start, stop)


def _plain(text: str, begin: int, stop: int) -> Token:
    word = text[begin:stop]
    return Token(word.casefold(), begin, stop, "n" if word[0].isdigit() else "w", word[0].isupper())


def _is_within(text: str, begin: int, stop: int) -> bool:
    """Whether a full stop belongs to an abbreviation, an initial or a number rather than ending a sentence."""
    if text[begin:stop] != "." or stop >= len(text):
        return False
    following = text[stop : stop + 2].lstrip(" ")[:1]
    if not text[stop].isspace():
        return text[stop] not in "\"'”’)»" and not UNSPACED.match(text, stop)
    if text[stop] in "\r\n":
        return False
    if _ANSWERS_NO.search(text, max(0, begin - 3), begin):
        return following.isdigit()
    if following.islower() or following in ",;":
        return not _is_long_word(text, begin)
    head = text[max(0, begin - _LONGEST_ABBREVIATION - 1) : begin]
    last = re.split(r"[\s(]", head)[-1]
    if last.casefold() in _ABBREVIATED:
        return True
    if last.isdigit():
        is_listed = following.isalpha() and len(last) <= 3 and _begins_line(text, begin - len(last))
        return is_listed or _ORDINAL_OF_MONTH.match(text, stop) is not None
    is_initial = len(last) == 1 and last.isupper() and last != "I"
    return is_initial or bool(re.fullmatch(r"[A-Z](?:\.[A-Z])+", last) and following.islower())


def _is_long_word(text: str, begin: int) -> bool:
    """Whether a word too long for an abbreviation stands before: people also begin sentences with small letters."""
    head = text[max(0, begin - _LONGEST_ABBREVIATION) : begin]
    last = re.split(r"[\s(]", head)[-1]
    if last.isdigit():
        return True
    if last.casefold() in _ABBREVIATED or (len(last) <= 1) or "." in last:
        return False
    return not last[:1].isupper() or len(last) >= _LONGEST_ABBREVIATION


def _begins_line(text: str, place: int) -> bool:
    return place <= 0 or text[place - 1] in "\r\n"


def surface(text: str, tokens: Sequence[Token]) -> str:
    """Give the text that tokens cover, as it stands."""
    return text[tokens[0].begin : tokens[-1].stop] if tokens else ""

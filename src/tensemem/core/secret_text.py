"""The view of a text that the secrets filter searches: one byte per visible character.

Searching bytes is several times faster than searching text, and every rule becomes plain ASCII. So the text is
reduced once, keeping its length: invisible characters are left out (their places are remembered), characters that
stand for an ASCII one become that one, words for *password*, *key* and *card* in other scripts become control
characters, and whatever else is not ASCII becomes `OTHER`. Marks of earlier redactions become gaps that no rule can
look across; this is what makes redacting twice the same as redacting once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

GAP: Final = 0
OTHER: Final = 1
QUESTION_MARK: Final = 2
CUE_REST: Final = 3
PASSWORD_CUE: Final = 4
KEY_CUE: Final = 5
CARD_CUE: Final = 6
NEUTRAL: Final = 7

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class View:
    """A text reduced to bytes: `codes` as written, `lower` in lower case, equal in length."""

    source: str
    codes: bytes
    lower: bytes

    @property
    def is_whole(self) -> bool:
        """Whether offsets into the view are offsets into the source: no invisible character was left out."""
        return len(self.codes) == len(self.source)

    def blank(self, intervals: Iterable[Interval]) -> View:
        """This view with a gap over each interval."""
        codes, lower = bytearray(self.codes), bytearray(self.lower)
        for start, end in intervals:
            gap = bytes(end - start)
            codes[start:end] = gap
            lower[start:end] = gap
        return View(self.source, bytes(codes), bytes(lower))

    def to_source(self, intervals: list[Interval]) -> list[Interval]:
        """The same intervals as offsets into the source text, invisible characters inside included."""
        if self.is_whole or not intervals:
            return intervals
        shown = [index for index, char in enumerate(self.source) if char not in _INVISIBLE]
        return [(shown[start], shown[end - 1] + 1) for start, end in intervals]

    def from_source(self, intervals: list[Interval]) -> list[Interval]:
        """Offsets into the source text as offsets into this view."""
        if self.is_whole or not intervals:
            return intervals
        before, shown = [0], 0
        for char in self.source:
            shown += char not in _INVISIBLE
            before.append(shown)
        return [(before[start], before[end]) for start, end in intervals]


def view(text: str) -> View:
    """The view of a text; time is linear in its length."""
    codes = _ascii_codes(text) if text.isascii() else _folded_codes(text)
    if b"\\" in codes:
        for escape, plain in _ESCAPES:
            codes = codes.replace(escape, plain)
    if b"[" in codes and b"[redacted:" in codes:
        codes = _MARK.sub(lambda mark: bytes(len(mark[0])), codes)
    return View(text, codes, codes.lower())


def find_marks(text: str) -> list[Interval]:
    """Where marks of earlier redactions stand, and whatever looks like one."""
    return [found.span() for found in MARK.finditer(text)]


MARK: Final = re.compile(r"\[redacted:[a-z][a-z0-9_]{0,39}\]")
_MARK = re.compile(MARK.pattern.encode())

# Two characters for two, so that offsets stay: JSON inside JSON hides line ends and quotes this way.
_ESCAPES = ((b"\\n", b"\n\n"), (b"\\r", b"\n\n"), (b"\\t", b"  "), (b'\\"', b' "'))

_INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
_INVISIBLE_RUN = re.compile(f"[{''.join(sorted(_INVISIBLE))}]+")
_RESERVED = tuple(chr(code) for code in range(NEUTRAL))


def _cues(code: int, words: str) -> dict[str, str]:
    """Words as one control character each, filled up to their length, so that offsets stay."""
    return {word: chr(code) + chr(CUE_REST) * (len(word) - 1) for word in words.split()}


# From several characters to as many, so that offsets stay. A single character is found faster than a word, so one
# that is not ASCII is looked for first.
_FOLDS: tuple[tuple[str, str, str], ...] = tuple(
    (max(old), old, new)
    for old, new in {
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\uff0d", "-"),
        **dict.fromkeys("“”„«»「」『』＂", '"'),
        **dict.fromkeys("‘’‚＇", "'"),
        **_cues(PASSWORD_CUE, "密码 密碼 口令 パスワード 비밀번호 пароль Пароль पासवर्ड"),
        **_cues(KEY_CUE, "密钥 密鑰 令牌 トークン 토큰 токен Токен"),
        **_cues(CARD_CUE, "卡号 卡號 信用卡 银行卡 カード 카드 карт Карт"),
        **dict.fromkeys("：是为為は은는", ":"),
        "＝": "=",
        " é ": " = ",
        " è ": " = ",
        **dict.fromkeys("→⇒➜", ">"),
    }.items()
)

# A real question mark travels as a control character, because the encoder writes `?` for what is not ASCII.
_AFTER_ENCODING = bytes.maketrans(bytes([ord("?"), QUESTION_MARK]), bytes([OTHER, ord("?")]))
_WITHOUT_RESERVED = bytes.maketrans(bytes(range(NEUTRAL)), bytes([NEUTRAL] * NEUTRAL))


def _ascii_codes(text: str) -> bytes:
    codes = text.encode("ascii")
    return codes.translate(_WITHOUT_RESERVED)


def _folded_codes(text: str) -> bytes:
    # One search per character beats one search for any of them: a single character is found at memory speed.
    if any(char in text for char in _INVISIBLE):
        text = _INVISIBLE_RUN.sub("", text)
    for char in _RESERVED:
        text = text.replace(char, chr(NEUTRAL))
    for probe, old, new in _FOLDS:
        if probe in text:
            text = text.replace(old, new)
    return text.replace("?", chr(QUESTION_MARK)).encode("ascii", "replace").translate(_AFTER_ENCODING)

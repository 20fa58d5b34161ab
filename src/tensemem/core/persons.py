"""Of whom a sentence speaks: the one who says it, or the one it is said to.

"I told you I live in Pune" is about the speaker, "I think you live in Pune" about the listener: the word that stands
nearest before the value decides, and one after it only where none stands before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal

from .first_person import first_person_places, words_in
from .text import Span, comparison_key, find_quote

Person = Literal["speaker", "listener"]

REACH = 400
"""How far a sentence is looked at on either side of a quote, in characters."""


def person_meant(text: str, place: Span, value: str) -> Person | None:
    """Return of whom the sentence around a quote speaks where it gives a value; None if it says neither.

    ``place`` is the quote's in the text. "The user" is the listener: whoever speaks otherwise would say "I".
    """
    begin, stop = _sentence(text, place)
    sentence = text[begin:stop]
    quoted = text[place[0] : place[1]][: 2 * REACH]
    found = find_quote(value, quoted) if value else None
    middle = place[0] - begin + (len(quoted) if found is None else found[0])
    marks = _marks(sentence)
    before = bisect_right(marks, (middle, "~"))
    if before:
        return marks[before - 1][1]
    return marks[0][1] if marks else None


def person_of(text: str) -> Person | None:
    """Return of whom a text speaks that has words for one of the two only."""
    said = {person for _, person in _marks(text)}
    return said.pop() if len(said) == 1 else None


def _sentence(text: str, place: Span) -> Span:
    first, last = max(place[0] - REACH, 0), min(place[1], place[0] + 2 * REACH) + REACH
    ends = [end.end() for end in _END.finditer(text, first, place[0])]
    after = _END.search(text, min(place[1], last), last)
    return ends[-1] if ends else first, last if after is None else after.start()


def _marks(text: str) -> list[tuple[int, Person]]:
    first: list[tuple[int, Person]] = [(place, "speaker") for place in first_person_places(text)]
    second: list[tuple[int, Person]] = [(sign.start(), "listener") for sign in _SIGNS.finditer(text)]
    before = ""
    for place, word in words_in(text):
        if word.partition("'")[0] in _SECOND_PERSON and before not in _BEFORE_OBJECTS:
            second.append((place, "listener"))
        before = word
    return sorted([*first, *second])


def _keys(table: str) -> frozenset[str]:
    return frozenset(comparison_key(word) for word in table.split())


_END = re.compile(r"[.!?](?=\s)|[。！？\n]")
_SIGNS = re.compile("你|您|あなた|(?<![諸主暴细])君(?!主)|당신")
_SECOND_PERSON = _keys(
    """
    you your yours yourself user du dich dir dein deine deinen deiner deinem ihr euch euer eure sie ihnen tú usted
    ustedes tu tus te vous votre vos toi ton tes você vocês seu sua ты вы тебя тебе вас вам твой твоя твоё ваш ваша
    तुम आप तुम्हारा तुम्हारी आपका आपकी 너 너는 네가 أنت أنتِ
    """
)
# "I live with you in Pune" is still about the one who says it.
_BEFORE_OBJECTS = _keys(
    """
    with near to for like from beside behind than by of at mit bei zu für von neben con para cerca avec chez pour près
    com perto
    """
)

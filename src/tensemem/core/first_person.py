"""Whether a text speaks of the one who speaks: "I live in Pune", "ich wohne …", "私の妻は…"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text import comparison_key, normalised


def first_person(text: str) -> bool:
    """Whether the text has an explicit marker of the first person, in any language the library knows.

    Markers are whole words (in Chinese and Japanese: characters). Short ones in capitals are taken as names ("US",
    "EU", "ME") unless all of the text is in capitals, and those that are also English words ("soy", "mon") don't count
    in a text with English words around them.
    """
    if _UNSPACED.search(text):
        return True
    shouts = text.isupper()
    found = [word for _, word in _words(text, shouts) if _is_marker(word)]
    return any(word not in _ALSO_ENGLISH for word in found) or (bool(found) and not _looks_english(text))


def speaks_as_i(text: str) -> bool:
    """Whether somebody says "I" or "we" in the text, and not only "my": then it is a statement of one who speaks."""
    return _UNSPACED_I.search(text) is not None or any(
        word.partition("'")[0] in _PRONOUNS for _, word in _words(text, shouts=False)
    )


def first_person_places(text: str) -> list[int]:
    """Give where the markers stand that `first_person` looks for."""
    found = [(place, word) for place, word in _words(text, text.isupper()) if _is_marker(word)]
    if _looks_english(text):
        found = [(place, word) for place, word in found if word not in _ALSO_ENGLISH]
    return sorted([*(place for place, _ in found), *(sign.start() for sign in _UNSPACED.finditer(text))])


def words_in(text: str) -> Iterator[tuple[int, str]]:
    """Give each word as it is compared here, with its place; apostrophes join, and are plain ones."""
    return _words(text, shouts=True)


def _words(text: str, shouts: bool) -> Iterator[tuple[int, str]]:
    for found in _TOKEN.finditer(text):
        word = normalised("NFC", found[0]).translate(_APOSTROPHES).strip("'*_~`")
        if 0 < len(word) <= _LONGEST and (shouts or len(word) != 2 or not word.isupper()):
            yield found.start(), comparison_key(word)


def _is_marker(word: str) -> bool:
    head, mark, tail = word.partition("'")
    if mark and head in ("j", "m"):
        return tail[:1] in _VOWELS
    return word in _MARKERS or (bool(mark) and head in ("i", "we"))


def _looks_english(text: str) -> bool:
    return not _ENGLISH.isdisjoint(comparison_key(word) for word in _GAPS.split(text))


_LONGEST = 32  # letters of a marker, with what an apostrophe joins to it
_GAP = r"\s.,;:!?()\[\]{}\"“”„«»…/\\|<>=+—–、。，！？；：「」『』।॥؟،؛"
_GAPS = re.compile(f"[{_GAP}]+")
_TOKEN = re.compile(f"[^{_GAP}]+")
_APOSTROPHES = str.maketrans("’‘ʼ＇`´", "''''''")
_VOWELS = frozenset("aeiouyhàâäéèêëîïôöùûüœæ")
_UNSPACED = re.compile(
    "(?<![自本忘])我(?![国國])|俺|咱|私(?![立的服道有費费営营人家学學塾語鉄])|僕|わたし|わたくし|ぼく(?![さしじ])"
)


def _keys(table: str) -> frozenset[str]:
    return frozenset(comparison_key(word) for word in table.split())


_MARKERS = _keys(
    """
    i me my mine myself we our ours ourselves us ive
    ich mein meine meiner meinen meinem meines mir mich wir uns unser unsere unserer unseren unserem
    yo mi mis mío mía míos mías me conmigo soy estoy vivo tengo trabajo
    nosotros nosotras nuestro nuestra nuestros nuestras
    je mon ma mes moi nous notre nos
    io mio mia miei mie mi sono abito noi nostro nostra
    eu meu minha meus minhas mim comigo moro sou nós nosso nossa
    мой моя моё мое мои моего моей моему моим моих мне меня мной я мы наш наша наше наши нас нам
    मैं मै मैंने मेरा मेरी मेरे मुझे मुझको मुझसे हम हमारा हमारी हमारे हमें
    أنا انا وأنا نحن لي عندي لدي اسمي زوجتي زوجي أعيش أسكن أعمل
    나 나는 난 나의 나를 나도 나에게 내 내가 저 저는 전 제 제가 저의 저를 저도 우리 우리는 우리의 우리가
    """
)
_UNSPACED_I = re.compile(rf"(?:{_UNSPACED.pattern})(?![的の])")
_PRONOUNS = _keys(
    """
    i we ich wir yo soy estoy vivo nosotros nosotras je j nous io noi eu sou nós я мы मैं मै मैंने हम أنا انا نحن
    나는 난 저는 전 제가 내가 우리는 우리가
    """
)
_ALSO_ENGLISH = _keys("soy mon ma mie mi mir sono sou moro vivo nos uns noi")
_ENGLISH = _keys(
    """the is are were has have and of with from to lives works likes loves prefers uses moved she they his their user
    that this milk sauce"""
)

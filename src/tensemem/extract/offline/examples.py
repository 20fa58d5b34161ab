"""From an example sentence to patterns: what stands fixed in it, what may be inflected, and where its slots are.

``"I live in {value}"`` becomes: somebody who speaks (or whom the speaker names by relation), a form of "live", the
word "in", and a value. Between these may stand what the language's table allows, and nothing else.

How an example is written:

- ``{value}``, ``{subject}``, ``{old}`` are slots; ``{value:place}`` says what fits, else the predicate's type does.
  ``{any}`` is up to five words that don't matter.
- ``(live|reside)`` gives alternatives, ``(now|)`` something that may be left out.
- ``"I don't eat meat => vegetarian"`` states a fixed value.
- ``"-I was laid off from {value}"`` says that the value holds no longer.
- ``"!I live in the moment"`` is a sentence that says nothing of this predicate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from ...model.predicate import Predicate
from .kinds import KINDS, kind_of
from .language import Language
from .tokens import Token, tokens_of
from .unrecognised import UNRECOGNISED, has_own_letter, is_recognised

LONGEST_EXAMPLE = 400
"""Characters an example may have to be read."""
MOST_ALTERNATIVES = 600
"""Sentences that one example may stand for."""


class Element(NamedTuple):
    """One place of a pattern.

    ``kind``: ``subject`` the speaker or a relation; ``my`` a possessive; ``verb`` any of ``forms``; ``word`` one
    of ``words``; ``reflexive``; or a slot: ``value``, ``old``, ``named`` (the ``{subject}``), ``any``. ``glued`` tells
    that nothing may stand before it.
    """

    kind: str
    words: frozenset[str] = frozenset()
    forms: Mapping[str, frozenset[str]] = {}
    slot: str = ""
    glued: bool = False


@dataclass(frozen=True)
class Pattern:
    """An example, compiled. ``tags`` are those of the verb's form in the example itself."""

    predicate: Predicate
    language: Language
    elements: tuple[Element, ...]
    example: str
    constant: str | None = None
    is_negative: bool = False
    is_ending: bool = False
    tags: frozenset[str] = frozenset()
    is_change: bool = False
    needs_opener: bool = False
    needed: tuple[frozenset[str], ...] = field(default=(), compare=False)


class UnreadableError(Exception):
    """Says why an example can't be read."""


def patterns_of(predicate: Predicate, example: str, languages: Sequence[Language]) -> list[Pattern]:
    """Give the patterns of one example; raises UnreadableError with the reason where it has none."""
    if len(example) > LONGEST_EXAMPLE:
        raise UnreadableError(f"it has more than {LONGEST_EXAMPLE} characters")
    text = example.strip()
    is_negative = text.startswith("!")
    is_ending = text.startswith("-")
    text, arrow, constant = text.lstrip("!-").partition("=>")
    found: list[Pattern] = []
    for sentence in _alternatives(text):
        parts = _parts(sentence, predicate)
        slots = [part for part in parts if isinstance(part, Element)]
        if not is_negative and not arrow and not any(slot.kind == "value" for slot in slots):
            raise UnreadableError("it has no {value}, and no fixed value after =>")
        if all(isinstance(part, Element) for part in parts):
            raise UnreadableError("it has no words of its own")
        language = language_of(parts, languages)
        if language is None:
            raise UnreadableError("no language it could be in is known")
        base = Pattern(predicate, language, (), example, constant.strip() if arrow else None, is_negative, is_ending)
        found += _compiled(parts, base)
    return found


def _alternatives(text: str) -> Iterator[str]:
    """Give the sentences that a text with groups stands for; alternatives of one word each stay together."""
    pieces = _GROUP.split(text)
    choices = [_choices(piece.split("|")) if place % 2 else [piece] for place, piece in enumerate(pieces)]
    return ("".join(chosen) for chosen in islice(product(*choices), MOST_ALTERNATIVES))


def _choices(options: list[str]) -> list[str]:
    words = [option for option in options if _ONE_WORD.fullmatch(option)]
    others = [option for option in options if option not in words]
    return [f"\x01{'|'.join(words)}\x01", *others] if len(words) > 1 else options


# A pronoun or a possessive is more than a word, and an unspaced script has no words: those are written out.
_ONE_WORD = re.compile(
    r"(?!(?:i|my|our|we|ich|mein\w*|unsere?\w*|wir|yo|mis?|nuestr[oa]s?|me|se|mich|sich|im|am)$)"
    r"[a-zäöüßáéíóúñ]+(?:-[a-z]+)*",
    re.IGNORECASE,
)
_TOGETHER = re.compile("\x01([^\x01]+)\x01")


_GROUP = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_SLOTS = {"value": "value", "subject": "named", "old": "old", "any": "any"}


def _parts(sentence: str, predicate: Predicate) -> list[Token | Element]:
    pieces = _SLOT.split(sentence)
    parts: list[Token | Element] = []
    for place in range(0, len(pieces), 3):
        parts += _words_in(pieces[place])
        if place + 1 < len(pieces):
            name, kind = pieces[place + 1], pieces[place + 2]
            if name not in _SLOTS:
                raise UnreadableError(f"{{{name}}} is no slot; there are {', '.join(f'{{{slot}}}' for slot in _SLOTS)}")
            if kind is not None and kind not in KINDS:
                raise UnreadableError(f"{kind!r} is no kind of slot; there are {', '.join(sorted(KINDS))}")
            parts.append(
                Element(_SLOTS[name], slot=kind or kind_of(predicate, name, is_of_others="{subject}" in sentence))
            )
    return parts


@lru_cache(maxsize=4096)
def _words_in(text: str) -> tuple[Token, ...]:
    """Give the words of a piece of an example; alternatives are one token whose text has them all."""
    return tuple(_split(text))


def _split(text: str) -> Iterator[Token]:
    for place, piece in enumerate(_TOGETHER.split(text)):
        if place % 2:
            yield Token(piece.casefold(), 0, 0, "w")
        else:
            piece_at = piece.lstrip()
            is_genitive = piece_at.startswith(("'s ", "’s "))
            if is_genitive:
                yield Token("'s", 0, 0, "w")
            words = tokens_of(piece_at[2:] if is_genitive else piece)
            yield from (token for token in words if token.kind not in "|q" and token.low not in _DROPPED)


_DROPPED = frozenset(",.;!?。，！？、；")


def language_of(parts: Sequence[Token | Element], languages: Sequence[Language]) -> Language | None:
    """Give the language of an example: by its script, then by how many of its words a table knows.

    UNRECOGNISED where no word of it tells; None where no table could be its own.
    """
    words = [part for part in parts if isinstance(part, Token)]
    is_unspaced = any(word.kind == "c" for word in words)
    best, most = None, -1
    for language in languages:
        if language.unspaced != is_unspaced:
            continue
        known = language.words_of["words"] | language.words_of["me"] | language.words_of["my"]
        lows = [low for word in words for low in word.low.split("|")]
        score = sum(2 if low in known else language.knows_verb(low) for low in lows)
        score += has_own_letter(" ".join(lows), language)
        if score > most:
            best, most = language, score
    if best is not None and not is_recognised([low for word in words for low in word.low.split("|")], best):
        return UNRECOGNISED
    return best


def _compiled(parts: Sequence[Token | Element], base: Pattern) -> list[Pattern]:
    language = base.language
    elements, verb = _elements(parts, language)
    tags: frozenset[str] = frozenset()
    change = base.is_change
    if verb is not None:
        written = parts[verb.place]
        assert isinstance(written, Token)
        tags = frozenset().union(*(verb.forms[low] for low in written.low.split("|")))
        change = not (tags & _PRESENT) or not language.change_verbs.isdisjoint(verb.forms)
        change = change or (language.verb_second and _is_perfect(elements, verb, language))
        elements[verb.at] = Element("verb", forms=verb.forms)
    if language.unspaced:
        change = any(not element.words.isdisjoint(language.change_verbs) for element in elements)
    made = [_with(base, tuple(elements), tags, change)]
    if language.verb_second and verb is not None and elements[0].kind in ("subject", "my", "named"):
        made += _word_orders(made[0], verb.at)
    return made


def _is_perfect(elements: Sequence[Element], verb: _Verb, language: Language) -> bool:
    """Whether a helping verb and a word behind the slot make a perfect tense: "Ich bin nach {value} gezogen"."""
    is_helping = any(("perfect" in meaning) for form in verb.forms for _, meaning in language.skips.get(form, ()))
    return is_helping and elements[-1].kind == "word" and any(element.kind == "value" for element in elements[:-1])


_PRESENT = frozenset({"present1", "present3", "presentp", "inf"})


def _with(
    base: Pattern, elements: tuple[Element, ...], tags: frozenset[str], change: bool, fronted: bool = False
) -> Pattern:
    return Pattern(
        base.predicate, base.language, elements, base.example, base.constant, base.is_negative, base.is_ending, tags,
        change, fronted,
    )  # fmt: skip


def _word_orders(plain: Pattern, at: int) -> list[Pattern]:
    """Where the verb comes second: what is fronted pushes the subject behind it, a side clause the verb to the end."""
    head, verb, rest = plain.elements[:at], plain.elements[at], plain.elements[at + 1 :]
    inverted = (verb, *head, *rest)
    final = (*head, *rest, verb)
    topic = (*rest, verb, *head)
    orders = [] if not rest or head[0].kind != "subject" else [_with(plain, topic, plain.tags, plain.is_change)]
    return [
        *orders,
        _with(plain, inverted, plain.tags, plain.is_change, fronted=True),
        _with(plain, final, plain.tags, plain.is_change),
    ]


class _Verb(NamedTuple):
    at: int
    place: int
    forms: dict[str, frozenset[str]]


def _elements(parts: Sequence[Token | Element], language: Language) -> tuple[list[Element], _Verb | None]:
    lists = language.words_of
    verb_place = _verb_place(parts, language)
    elements: list[Element] = []
    verb: _Verb | None = None
    for place, part in enumerate(parts):
        glued = language.unspaced and place > 0 and bool(elements) and elements[-1].kind == "word"
        if isinstance(part, Element):
            elements.append(part)
        elif place == verb_place:
            if _subject_is_dropped(elements, language):
                elements.insert(0, Element("subject"))
            forms: dict[str, frozenset[str]] = {}
            for low in part.low.split("|"):
                for form, tags in language.forms_of(low).items():
                    forms[form] = forms.get(form, frozenset()) | tags
            verb = _Verb(len(elements), place, forms)
            elements.append(Element("verb", forms=forms))
        elif language.unspaced and part.low in ("们", "們") and elements and elements[-1].kind == "subject":
            continue
        elif part.low in lists["me"] and elements and elements[-1].words & lists["joiners"]:
            elements.append(_word(part, language))
        elif part.low in lists["me"] and not any(element.kind == "subject" for element in elements):
            elements.append(Element("subject"))
        elif part.low in lists["my"] and not language.unspaced:
            elements.append(Element("my"))
        elif language.reflexive and part.low in language.reflexive and verb_place is not None:
            elements.append(Element("reflexive"))
        else:
            elements.append(_word(part, language, glued))
    return elements, verb


def _word(token: Token, language: Language, glued: bool = False) -> Element:
    words = frozenset(token.low.split("|")) if "|" in token.low else frozenset({token.low})
    also = {other for word in words for other in language.same_words.get(word, ())} if not glued else set()
    return Element("word", words | also, glued=glued)


def _subject_is_dropped(elements: Sequence[Element], language: Language) -> bool:
    return language.drops_subject and all(element.kind == "reflexive" for element in elements)


def _verb_place(parts: Sequence[Token | Element], language: Language) -> int | None:
    """Find the word that is inflected: the one after the subject, else the first that is a listed verb."""
    if language.unspaced:
        return None
    lists = language.words_of
    first = parts[0]
    if isinstance(first, Token) and first.low in lists["me"] and len(parts) > 1:
        at = 1
        second = parts[at]
        while language.reflexive and isinstance(second, Token) and second.low in language.reflexive:
            at += 1
            second = parts[at]
        return at if isinstance(second, Token) and second.kind == "w" else None
    if language.drops_subject:
        at = 1 if language.reflexive and isinstance(first, Token) and first.low in language.reflexive else 0
        here = parts[at] if at < len(parts) else None
        if isinstance(here, Token) and here.kind == "w":
            tags = language.forms_of(here.low).get(here.low, frozenset())
            listed = language.knows_verb(here.low) or any(
                suffix and here.low.endswith(suffix) for suffix, _ in language.regular
            )
            if listed and tags & {"present1", "past1"}:
                return at
    starts_open = isinstance(first, Token) and first.low not in lists["my"]
    for place, part in enumerate(parts):
        if (
            isinstance(part, Token)
            and any(map(language.knows_verb, part.low.split("|")))
            and not (starts_open and place == 0)
        ):
            return place
    if not isinstance(first, Token) and len(parts) > 1:
        second = parts[1]
        return 1 if isinstance(second, Token) and second.kind == "w" else None
    return None

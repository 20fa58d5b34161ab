"""Examples in a language that no table knows: which they are, and how narrowly they are read.

Nothing of such a language is known: not how it negates, asks or plans, nor where a value ends. So a sentence is read
only where a clause begins with the example, word for word, where no word of any table that negates, doubts, plans or
sets a condition stands anywhere in it, and where a short value ends the clause.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .language import Language, Phrases, phrase_at

if TYPE_CHECKING:
    from .matching import Match
from .tokens import Sentence, Token, words_in

UNRECOGNISED = Language(code="")
"""The table of a language that is not known: nothing."""

_MOST_WORDS = 3
_CHANGING = frozenset({"not", "never", "ended", "used", "planned", "wish", "doubt", "pastperfect"})

# Words that several languages share, one of which may have no table, tell nothing of which one it is.
_SHARED = words_in(
    "a al as con da de del des die do du e el en es i in is la las le les lo los me mi no non o per por que se un una y"
)
_TELLING = words_in("es me mi")
"""Of these, the ones that tell in company of another."""
_OWNING: Mapping[str, frozenset[str]] = {"en": frozenset({"'s"})}
"""What tells a language behind a ``{subject}``: "{subject}'s child is {value}"."""
_FOREIGN_LETTERS = re.compile("[ãõàèìòùâêîôûçåæøœščžřćńłąęőűğışţ\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff\u0e00-\u0e7f]")
_OWN_LETTERS: Mapping[str, str] = {"es": "ñ¿¡", "de": "ß"}

_NEGATORS = words_in(
    """non ne pas jamais não nem mai niet geen nooit inte aldrig ikke aldri nie nikdy nu nici hiç değil ei ej
    presque quasi peut-être forse talvez misschien kanske måske не нет никогда ない ません"""
)
"""What negates or doubts in some languages that have no table."""


def is_recognised(words: Sequence[str], language: Language) -> bool:
    """Tell whether an example's words, folded, show that it is in a language: one that others don't share, or two."""
    text = " ".join(words)
    if _FOREIGN_LETTERS.search(text):
        return False
    if language.unspaced or has_own_letter(text, language):
        return True
    lists = language.words_of
    known = lists["words"] | lists["me"] | lists["my"] | lists["group"] | language.same_words.keys()
    told = {word for word in words if word in known or language.knows_verb(word)}
    if not _OWNING.get(language.code, frozenset()).isdisjoint(words):
        return True
    return bool(told - _SHARED or told & lists["me"]) or (len(told) > 1 and not told.isdisjoint(_TELLING))


def has_own_letter(text: str, language: Language) -> bool:
    """Tell whether a text has a letter or a mark that no other of the languages here has."""
    return any(letter in text for letter in _OWN_LETTERS.get(language.code, ""))


def is_beyond(match: Match, sentence: Sentence) -> bool:
    """Tell whether a match of an unrecognised example asks, goes on, or has a long value."""
    tokens = sentence.tokens
    if sentence.is_question or (match.stop < len(tokens) and tokens[match.stop].kind != "p"):
        return True
    return _may_go_on(tokens, match.stop) or any(found.stop - found.begin > _MOST_WORDS for found in match.values)


def is_barred(languages: Sequence[Language], sentence: Sentence, own: frozenset[str]) -> bool:
    """Tell whether a sentence has a word that negates, doubts, plans or sets a condition in any language.

    ``own`` are the example's words, which mean what they mean there.
    """
    if any(token.low in _NEGATORS - own for token in sentence.tokens):
        return True
    tables = [table for language in languages for table in (language.skips, language.gates, language.behind)]
    return any(_holds(table, sentence.tokens, own) for table in tables)


def _may_go_on(tokens: Sequence[Token], stop: int) -> bool:
    """Whether a value may go on behind a comma, as "Tobias Ferne, Duque de Alba" does."""
    return stop + 1 < len(tokens) and tokens[stop].low in ",，" and tokens[stop + 1].is_capital


def _holds(phrases: Phrases, tokens: Sequence[Token], own: frozenset[str]) -> bool:
    for place, token in enumerate(tokens):
        found = phrase_at(phrases, tokens, place)
        if found is None or (token.low in own and found[0] == place + 1):
            continue
        if found[1] in ("block", "void", "untrue") or not _CHANGING.isdisjoint(found[1].split("+")):
            return True
    return False

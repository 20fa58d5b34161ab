"""All patterns of a registry, found by the words that give them away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.predicate import Predicate
from .examples import Element, Pattern, UnreadableError, patterns_of
from .language import Language
from .unrecognised import UNRECOGNISED


@dataclass(frozen=True)
class Compiled:
    """Patterns by each form of their anchor: the word of a pattern that the fewest others have."""

    by_word: Mapping[str, tuple[Pattern, ...]]
    languages: tuple[Language, ...]
    unread: tuple[tuple[str, str, str], ...]
    unrecognised: tuple[tuple[str, str], ...]

    def at(self, word: str) -> tuple[Pattern, ...]:
        """Give the patterns whose anchor a word may be."""
        return self.by_word.get(word, ())


def compiled(predicates: Sequence[Predicate], languages: Sequence[Language]) -> Compiled:
    """Compile every example of every predicate."""
    found: list[Pattern] = []
    unread: list[tuple[str, str, str]] = []
    for predicate in predicates:
        for example in predicate.examples:
            try:
                found += patterns_of(predicate, example, languages)
            except UnreadableError as why:
                unread.append((predicate.name, example, str(why)))
    narrow = tuple(dict.fromkeys((one.predicate.name, one.example) for one in found if one.language is UNRECOGNISED))
    ready = [replace(pattern, needed=_needed(pattern)) for pattern in found]
    shares = Counter(form for pattern in ready for form in frozenset().union(*pattern.needed))
    by_word: dict[str, list[Pattern]] = {}
    for known in ready:
        for form in _anchor(known, shares):
            by_word.setdefault(form, []).append(known)
    return Compiled(
        {word: tuple(patterns) for word, patterns in by_word.items()}, tuple(languages), tuple(unread), narrow
    )


def _needed(pattern: Pattern) -> tuple[frozenset[str], ...]:
    """Give the words of which a sentence must have one, for each element that is a word."""
    return tuple(_forms(element) for element in pattern.elements if element.kind in ("word", "verb"))


def _forms(element: Element) -> frozenset[str]:
    forms = element.words | element.forms.keys()
    return forms | {"'s"} if "is" in forms else forms


def _anchor(pattern: Pattern, shares: Counter[str]) -> frozenset[str]:
    if not pattern.needed:
        lists = pattern.language.words_of
        return lists["my"] if any(element.kind == "my" for element in pattern.elements) else lists["me"]
    return min(pattern.needed, key=lambda forms: (sum(shares[form] for form in forms), -max(map(len, forms))))

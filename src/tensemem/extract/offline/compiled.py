"""All patterns of a registry, found by the words that give them away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.predicate import Predicate
from .examples import Element, Pattern, UnreadableError, patterns_of
from .language import Language


@dataclass(frozen=True)
class Compiled:
    """Patterns by each form of their anchor: the word of a pattern that the fewest others have."""

    by_word: Mapping[str, tuple[Pattern, ...]]
    languages: tuple[Language, ...]
    unread: tuple[tuple[str, str, str], ...]

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
    shares = Counter(form for pattern in found for form in {form for e in pattern.elements for form in _forms(e)})
    by_word: dict[str, list[Pattern]] = {}
    for pattern in found:
        for form in _anchor(pattern, shares):
            by_word.setdefault(form, []).append(pattern)
    return Compiled({word: tuple(patterns) for word, patterns in by_word.items()}, tuple(languages), tuple(unread))


def _forms(element: Element) -> Iterator[str]:
    from .matching import _EQUAL

    if element.kind == "verb":
        yield from element.forms
        if "is" in element.forms:
            yield "'s"
    elif element.kind == "word":
        yield element.word
        yield from _EQUAL.get(element.word, ())


def _anchor(pattern: Pattern, shares: Counter[str]) -> frozenset[str]:
    candidates = [frozenset(_forms(element)) for element in pattern.elements if element.kind in ("word", "verb")]
    if not candidates:
        lists = pattern.language.words_of
        return lists["my"] if any(element.kind == "my" for element in pattern.elements) else lists["me"]
    return min(candidates, key=lambda forms: (sum(shares[form] for form in forms), -max(map(len, forms))))

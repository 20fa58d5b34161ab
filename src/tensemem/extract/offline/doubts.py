"""What was not understood to its end: such a statement is proposed as hearsay, which waits for review.

A value that is listed, or of a form of its own, is what it is whatever stands around it. Any other one is asserted only
where the clause ends with it, but for what the language's tables know, and where no word within it says that it goes
on: a value cut in the wrong place would be a false one.
"""

from __future__ import annotations

from ...core.text import comparison_key
from ...model.operation import Op
from . import lexicon
from .clauses import View
from .matching import Match
from .slots import Found
from .tokens import words_in

_FORMED = frozenset(
    """email phone number age yearold date version choice pronouns timezone language diet allergen database framework
    packager ci license target knownplace knownorg firstname animal hobby role""".split()
)
"""Kinds of slots whose values are listed, or have a form that nothing else has."""

_LISTED = (
    lexicon.PLACES, lexicon.COMPANIES, lexicon.SCHOOLS, lexicon.FOODS, lexicon.HOBBIES, lexicon.ANIMALS, lexicon.ROLES,
    lexicon.LANGUAGES, lexicon.DIETS, lexicon.ALLERGENS, lexicon.DATABASES, lexicon.FRAMEWORKS, lexicon.TARGETS,
    lexicon.RUNTIMES,
)  # fmt: skip

_GOES_ON = words_in(
    """in at for with on by from while when where that which who because since to into as than if so but or
    en con para por cuando donde porque que desde sin si pero
    im bei beim mit für auf an am vom dass weil seit wenn wo als zum zur aber oder"""
)
"""Words within a value that tell that more is said than its name."""

_NO_PART = frozenset("了着得刚被把给让比较很太最还也都就才又再从向往对跟不没别吗呢吧啊想要会能可这那谁哪啥么几多")
"""Characters that a name or a thing seldom has, and a sentence nearly always."""


def is_doubtful(view: View, match: Match, op: Op, *, is_loose: bool) -> bool:
    """Tell whether more stands there than was understood; ``is_loose``: unknown words before the clause ends."""
    if _reads_into_a_time(view, match) or _is_weak_name(match):
        return True
    if op in ("retract", "remove", "deny") and (is_loose or match.who is None or match.who.person == "0"):
        return True  # what takes away has to say of whom, and nothing more
    slots = {element.slot for element in match.pattern.elements if element.kind == "value"}
    if not slots or slots <= _FORMED:
        return False
    return not all(_is_listed(found) or _is_whole(view, found, is_loose) for found in match.values)


def _is_weak_name(match: Match) -> bool:
    """Whether only "I am" or "this is" stands before a name that nobody listed: signs and trades have capitals too."""
    slots = {element.slot for element in match.pattern.elements if element.kind == "value"}
    literal = sum(element.kind in ("word", "verb") for element in match.pattern.elements)
    if "name" not in slots or literal > 1 or not match.values:
        return False
    value = match.values[0].value
    return isinstance(value, str) and comparison_key(value).partition(" ")[0] not in lexicon.FIRST_NAMES


def _reads_into_a_time(view: View, match: Match) -> bool:
    """Whether a word of the pattern is part of a time: the 上 of 上周."""
    own = {at for timed in match.times for at in range(timed.begin, timed.stop)}
    covered = {at for found in match.values for at in range(found.begin, found.stop)}
    for at in range(match.begin, match.stop):
        timed = view.times.at(at)
        if timed is not None and at not in own and timed.stop > at + 1 and not covered.isdisjoint(range(at, timed.stop)):
            return True
    return False


def _is_listed(found: Found) -> bool:
    return isinstance(found.value, str) and any(comparison_key(found.value) in known for known in _LISTED)


def _is_whole(view: View, found: Found, is_loose: bool) -> bool:
    if is_loose:
        return False
    words = [token.low for token in view.tokens[found.begin : found.stop]]
    if view.language.unspaced:
        return not any(char in _NO_PART for word in words for char in word)
    return not any(word in _GOES_ON for word in words[1:])

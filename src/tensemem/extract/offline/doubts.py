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

_OF_ITSELF = words_in(
    """email phone number age yearold date version choice pronouns timezone database framework packager ci license
    target"""
)
"""Kinds of slots whose values mean the same whatever is said behind them."""

_FORMED = _OF_ITSELF | words_in("language diet allergen knownplace knownorg firstname animal hobby role")
"""Those whose values are listed, or have a form that nothing else has; a diet is none "except when there is ham"."""

_LASTING = words_in("date number age yearold email phone pronouns")
"""Those that do not end by themselves: "not" says that such a value was wrong, and which one is right is not known."""

_MOST_UNSPACED = 4
"""Characters of a value that nobody listed, in a script without spaces: a longer one may be half a sentence."""

_LISTED = (
    lexicon.PLACES, lexicon.COMPANIES, lexicon.SCHOOLS, lexicon.FOODS, lexicon.HOBBIES, lexicon.ANIMALS, lexicon.ROLES,
    lexicon.LANGUAGES, lexicon.DIETS, lexicon.ALLERGENS, lexicon.DATABASES, lexicon.FRAMEWORKS, lexicon.TARGETS,
    lexicon.RUNTIMES,
)  # fmt: skip

_GOES_ON = words_in(
    """in at for with on by from while when where that which who because since to into as than if so but or
    en con para por cuando donde porque que desde sin si pero
    like very really quite into onto through across around about until after before during often
    como muy al hacia entre casi
    wie sehr nach über durch um zwischen
    im bei beim mit für auf an am vom dass weil seit wenn wo als zum zur aber oder"""
)
"""Words within a value that tell that more is said than its name."""

_NO_PART = frozenset("了着得刚被把给让比较很太最还也都就才又再从向往对跟不没别吗呢吧啊想要会能可这那谁哪啥么几多")
"""Characters that a name or a thing seldom has, and a sentence nearly always."""


def is_doubtful(view: View, match: Match, op: Op, *, is_loose: bool) -> bool:
    """Tell whether more stands there than was understood; ``is_loose``: unknown words before the clause ends."""
    if _reads_into_a_time(view, match) or _is_weak_name(match) or _is_count_of_named(view, match):
        return True
    if _is_one_of_several(view, match):
        return True
    slots = {element.slot for element in match.pattern.elements if element.kind == "value"}
    if op in ("retract", "remove", "deny") and (is_loose or not _says_so(view, match) or slots & _LASTING):
        return True
    if not slots or slots <= _FORMED:
        return is_loose and not slots <= _OF_ITSELF
    if _may_be_doing(view, match):
        return True
    return not all(_is_listed(found) or _is_whole(view, found, is_loose) for found in match.values)


def _says_so(view: View, match: Match) -> bool:
    """Whether a statement that takes away has its subject, or a verb that tells it."""
    is_told = match.who is not None and match.who.person != "0"
    return is_told or (view.language.drops_subject and bool(match.tags))


def _is_weak_name(match: Match) -> bool:
    """Whether only "I am", "this is" or "my wife" stands before a name that nobody listed.

    Signs, brands and trades have capitals too.
    """
    elements = match.pattern.elements
    slots = {element.slot for element in elements if element.kind == "value"}
    if slots.isdisjoint({"name", "anyname", "firstname"}) or not match.values:
        return False
    told = [element.words | element.forms.keys() for element in elements if element.kind in ("word", "verb")]
    is_strong = not any(element.kind == "my" for element in elements) and any(_BEING.isdisjoint(one) for one in told)
    if match.pattern.language.unspaced:
        is_strong = False  # without spaces and capitals, only a listed surname tells a name from a word
    value = match.values[0].value
    return not is_strong and not (isinstance(value, str) and _is_like_a_person(comparison_key(value)))


_BEING = words_in("am is are be this it here soy es somos aquí bin ist hier das 是 叫 这 位 人 本")
"""Words that say of something what it is, whatever it is."""


def _is_like_a_person(key: str) -> bool:
    if key.isascii() or key[:1] <= "\u2e7f":
        return key.partition(" ")[0] in lexicon.FIRST_NAMES
    return key[0] in lexicon.SURNAMES and 2 <= len(key) <= 3


def _reads_into_a_time(view: View, match: Match) -> bool:
    """Whether a time begins in the pattern's own words and goes on into the value: the 上 of 上周."""
    covered = {at for found in match.values for at in range(found.begin, found.stop)}
    for at in range(match.begin, match.stop):
        timed = view.times.at(at)
        if timed is not None and at not in covered and any(place in covered for place in range(at, timed.stop)):
            return True
    return False


def _is_one_of_several(view: View, match: Match) -> bool:
    """Whether "or" stands in or behind the values ("a Volvo or a Saab"), or a fixed value goes on behind."""
    tokens, place = view.tokens, match.stop
    begin = match.values[0].begin if match.values else place
    if any(token.low in _OR for token in tokens[begin : place + 1]):
        return True
    is_fixed = match.pattern.constant is not None and place < len(tokens)
    return is_fixed and (tokens[place].low in _NAMING or tokens[place].low in view.language.words_of["joiners"])


_OR = words_in("or oder o u 或")


def _is_count_of_named(view: View, match: Match) -> bool:
    """Whether a value is a number of things that are named behind it: "two cats, Milo and Otis"."""
    if not match.values:
        return False
    last, tokens = match.values[-1], view.tokens
    first = tokens[last.begin]
    is_counted = last.stop - last.begin > 1 and (
        first.low.isdigit() or view.language.number_words.get(first.low, 0) > 1
    )
    return is_counted and last.stop + 1 < len(tokens) and tokens[last.stop].low in _NAMING | {",", "，", "、"}


_NAMING = frozenset(":(：（–—")


def _may_be_doing(view: View, match: Match) -> bool:
    """Whether a 在 before a value may mean that something goes on ("在重启"), as the value is no listed place."""
    if not view.language.unspaced:
        return False
    return any(
        found.begin > 0
        and view.tokens[found.begin - 1].low in "在正"
        and any(token.kind == "c" for token in view.tokens[found.begin : found.stop])
        and not _is_listed(found)
        for found in match.values
    )


def _is_listed(found: Found) -> bool:
    return isinstance(found.value, str) and any(comparison_key(found.value) in known for known in _LISTED)


def _is_whole(view: View, found: Found, is_loose: bool) -> bool:
    if is_loose:
        return False
    words = [token.low for token in view.tokens[found.begin : found.stop]]
    if view.language.unspaced:
        return len(words) <= _MOST_UNSPACED and not any(char in _NO_PART for word in words for char in word)
    return not any(word in _GOES_ON for word in words[1:])

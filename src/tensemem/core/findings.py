"""What admission asks of a message's words, and the answers kept for the time when the words are gone.

When a message's text is purged, or goes because a fact made of it was forgotten, each operation that stays gets its
*findings*: what stands against its quote, whether its words are about the one who speaks, whether they are a bare
answer, and how far each value is grounded in them. From these admission comes to the same claims, with the same ids, as
it did from the text. A registry that changes later is applied as far as it can be without the text: another
``verbatim`` or another type is, a new alias can't ground a value any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..errors import InvalidValueError
from ..model.claim import Held
from ..model.predicate import Predicate
from .persons import person_meant
from .registry import Registry
from .said import Said
from .text import FoldedText, comparison_key, grounded_whole, grounding
from .values import parse_value, shown

SEEN = "seen"
"""Under this name an operation carries its findings."""

GONE = "gone"
"""What is left of a forgotten operation is this name and why; a message without its text carries it too."""

LOST = "lost"
"""Under this name a REPLACE keeps the numbers of its values that were forgotten, as its values are ordered."""

PLACED = "placed"
"""Marks a REPLACE whose values are numbered by their places in its list. Those of older logs are numbered by how they
compare, which is for the registry to say, and so would change with it.
"""

OUR_OWN = frozenset({SEEN, LOST, PLACED})
"""What an operation carries that nobody proposed."""

Place = tuple[int, int]
_SHARES = {"a": "all", "s": "some", "n": "none"}


def quote_found(operation: Mapping[str, Any], said: Said) -> tuple[str, Place | None, str]:
    """Give a quote as it stands in the message, its place, and what stands against it; as frozen, where it is.

    The place is None where the quote can't be used.
    """
    seen = operation.get(SEEN)
    if seen is not None:
        against = str(seen.get("against", ""))
        text, begin, stop = seen.get("quote", ("", 0, 0))
        return text, None if against in ("no_quote", "echo") else (begin, stop), against
    quote = operation.get("quote")
    place, against = said.place_of(quote if isinstance(quote, str) else "")
    return "" if place is None else (said.text or "")[place[0] : place[1]], place, against


def speaks_of_oneself(operation: Mapping[str, Any], said: Said) -> bool:
    """Tell whether the words that give the value are about the one who says them."""
    seen = operation.get(SEEN)
    if seen is not None:
        return bool(seen.get("self"))
    quote, value = operation.get("quote"), operation.get("value")
    place = said.place_of(quote if isinstance(quote, str) else "")[0]
    if place is None:
        return said.person == "speaker"
    meant = person_meant(said.text or "", place, value if isinstance(value, str) else "")
    return (meant or said.person) == "speaker"


def is_bare(operation: Mapping[str, Any], said: Said) -> bool:
    """Tell whether the message says nothing but yes or no."""
    seen = operation.get(SEEN)
    return said.is_bare_answer if seen is None else bool(seen.get("bare"))


def shares(
    values: Sequence[Held], operation: Mapping[str, Any], said: Said, predicate: Predicate, registry: Registry
) -> tuple[list[str], list[str]]:
    """Give how far each value is grounded in the speaker's own words, and in all of them but recalled text."""
    seen = operation.get(SEEN)
    if seen is not None:
        return _frozen_shares(values, operation, said, predicate, registry)
    plain = [_share(value, said.plain_words, predicate, registry) for value in values]
    if "none" not in plain:
        return plain, plain
    return plain, [_share(value, said.own_words, predicate, registry) for value in values]


def _share(value: Held, words: FoldedText, predicate: Predicate, registry: Registry) -> str:
    names = _names(value.stored, predicate, registry)
    if predicate.verbatim:
        return "all" if any(grounded_whole(name, words) for name in names) else "none"
    return grounding(str(value.stored), words, aliases=names)


def _names(stored: Any, predicate: Predicate | None, registry: Registry) -> tuple[str, ...]:
    text = str(stored) if predicate is None else shown(stored, predicate, registry)[1]
    return str(stored), text, *registry.names_of(comparison_key(text))


def frozen(
    operation: Mapping[str, Any], said: Said, registry: Registry, *, keep_quote: bool, without: Sequence[int] = ()
) -> dict[str, Any]:
    """Give an operation without its quote, and with what admission finds in the words now.

    ``without`` are places in a REPLACE's list of values that go as well; that they were grounded, or not, stays.
    """
    body = {name: value for name, value in operation.items() if name not in ("quote", SEEN)}
    seen = operation.get(SEEN)
    words = list(_letters(operation, said, registry) if seen is None else seen.get("words", ()))
    dropped = [] if seen is None else list(seen.get("dropped", ()))
    if without:
        given = raw_values(operation)
        body["value"] = [value for place, value in enumerate(given) if place not in without]
        dropped += [words[place] for place in without]
        words = [letters for place, letters in enumerate(words) if place not in without]
    text, place, against = quote_found(operation, said)
    found: dict[str, Any] = {
        "against": against,
        "self": said.speaker is not None and speaks_of_oneself(operation, said),
        "bare": is_bare(operation, said),
        "quote": [text, *place] if keep_quote and place is not None and text else None,
        "words": words,
        "dropped": dropped,
    }
    return {**body, SEEN: {name: value for name, value in found.items() if value}}


def numbered(operation: Mapping[str, Any]) -> dict[str, Any]:
    """Give an operation as it is logged: of a REPLACE each value has its number from its place, and with it its id."""
    return {**operation, PLACED: True} if len(raw_values(operation)) > 1 else dict(operation)


def as_proposed(operation: Mapping[str, Any]) -> dict[str, Any]:
    """Give what was proposed of an operation, without what the log carries beside it."""
    return {name: value for name, value in operation.items() if name not in OUR_OWN}


def raw_values(operation: Mapping[str, Any]) -> list[Any]:
    """Give the values an operation names, as it names them: of a REPLACE a list."""
    raw = operation.get("value")
    if raw is None:
        return []
    return list(raw) if operation.get("op") == "replace" and isinstance(raw, (list, tuple)) else [raw]


def _letters(operation: Mapping[str, Any], said: Said, registry: Registry) -> list[str]:
    """Give for each value how far it is grounded: by words and as a whole, in plain and in all own words."""
    predicate = registry.predicate(str(operation.get("predicate", "")))
    found: list[str] = []
    for raw in raw_values(operation):
        stored = raw
        if predicate is not None:
            # What is refused now is looked for as it is written, should the type change.
            with suppress(InvalidValueError):
                stored = parse_value(raw, predicate, registry, said.zone).stored
        names = _names(stored, predicate, registry)
        found.append("".join(_two(str(stored), names, words) for words in (said.plain_words, said.own_words)))
    return found


def _two(text: str, names: Sequence[str], words: FoldedText) -> str:
    whole = any(grounded_whole(name, words) for name in names)
    return grounding(text, words, aliases=names)[0] + ("a" if whole else "n")


def _frozen_shares(
    values: Sequence[Held], operation: Mapping[str, Any], said: Said, predicate: Predicate, registry: Registry
) -> tuple[list[str], list[str]]:
    seen = operation[SEEN]
    known: dict[str, str] = {}
    for raw, letters in zip(raw_values(operation), seen.get("words", ()), strict=False):
        known[parse_value(raw, predicate, registry, said.zone).key] = letters
    all_letters = [*(known.get(value.key, "nnnn") for value in values), *seen.get("dropped", ())]
    place = 1 if predicate.verbatim else 0
    return [_SHARES[one[place]] for one in all_letters], [_SHARES[one[place + 2]] for one in all_letters]

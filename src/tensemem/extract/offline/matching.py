"""Whether a pattern fits a sentence from one place on, and what stands in its slots.

Between two elements of a pattern may stand only what the language's table allows, a few phrases at most; each attempt
has a budget of steps. So the work for a sentence is bounded by its length and the number of patterns, whatever it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .clauses import Begin, View, Who
from .examples import Element, Pattern
from .kinds import KINDS
from .language import Phrases, phrase_at
from .slots import Found, Reading
from .timing import Timed

GAP = 5
"""Phrases that may stand between two elements."""
STEPS = 240
"""Steps of one attempt."""
REACH = 28
"""Tokens over which a slot looks for the word behind it."""
_LISTED = 24
_LABELS = frozenset(':=："“「『»„`*')


@dataclass(frozen=True)
class Match:
    """A pattern found in a sentence: tokens ``[begin, stop)``, its slots, and what stood in its gaps."""

    pattern: Pattern
    begin: int
    stop: int
    who: Who | None
    values: tuple[Found, ...]
    old: Found | None
    named: Found | None
    effects: frozenset[str]
    times: tuple[Timed, ...]
    tags: frozenset[str]


@dataclass
class _Trail:
    """What an attempt has gathered so far."""

    who: Who | None = None
    values: tuple[Found, ...] = ()
    old: Found | None = None
    named: Found | None = None
    effects: frozenset[str] = frozenset()
    times: tuple[Timed, ...] = ()
    tags: frozenset[str] = frozenset()
    verb: str = ""
    reflexive: str = ""


@dataclass
class Attempt:
    """One try of one pattern at one beginning."""

    view: View
    pattern: Pattern
    begin: Begin
    steps: int = field(default=0)

    def run(self) -> Match | None:
        """Give the match, or None."""
        if self.pattern.needs_opener and not (self.begin.is_opened or self.begin.raw > 0):
            return None
        trail = _Trail(effects=self.begin.effects, times=self.begin.times)
        found = self._from(0, self.begin.place, trail)
        if found is None:
            return None
        stop, done = found
        return Match(
            self.pattern, self.begin.place, stop, done.who, done.values, done.old, done.named, done.effects,
            done.times, done.tags,
        )  # fmt: skip

    def _from(self, at: int, place: int, trail: _Trail) -> tuple[int, _Trail] | None:
        elements = self.pattern.elements
        if at == len(elements):
            return (place, trail) if self._agrees(trail) else None
        element = elements[at]
        may_skip = at > 0 and not element.glued
        for _ in range(GAP + 1):
            self.steps += 1
            if self.steps > STEPS:
                return None
            for stop, further in self._one(element, at, place, trail):
                found = self._from(at + 1, stop, further)
                if found is not None:
                    return found
            step = (
                self._gap(place, element, at) if may_skip or (at > 0 and element.glued and self._soft(place)) else None
            )
            if step is None:
                return None
            place, effect, timed = step
            trail = replace(
                trail,
                effects=trail.effects.union(effect.split("+")) if effect else trail.effects,
                times=(*trail.times, timed) if timed else trail.times,
            )
        return None

    def _soft(self, place: int) -> bool:
        """Whether a sign of aspect stands within an unspaced phrase, where it changes nothing."""
        return self.view.language.unspaced and place < len(self.view.tokens) and self.view.tokens[place].low in "了过過"

    def _gap(self, place: int, element: Element, at: int) -> tuple[int, str, Timed | None] | None:
        tokens = self.view.tokens
        if place >= len(tokens):
            return None
        timed = self.view.times.at(place)
        if timed is not None:
            return timed.stop, "", timed
        skipped = phrase_at(self.view.language.skips, tokens, place)
        if skipped is not None:
            return skipped[0], skipped[1], None
        before = self.pattern.elements[at - 1]
        is_apposition = element.slot == "name" and before.kind in ("word", "verb") and place > 0
        is_aside = (before.kind, element.kind) in (("any", "word"), ("value", "any"))
        if tokens[place].low == "," and (is_aside or is_apposition):
            return place + 1, "", None
        if element.kind in ("value", "old") and before.kind in ("word", "verb") and tokens[place].low in _LABELS:
            return place + 1, "", None
        return None

    def _one(self, element: Element, at: int, place: int, trail: _Trail) -> Iterator[tuple[int, _Trail]]:
        """Give each way in which one element fits at a place."""
        tokens = self.view.tokens
        here = tokens[place] if place < len(tokens) else None
        if element.kind == "subject":
            yield from self._subject(at, place, trail)
        elif here is None:
            return
        elif element.kind == "word":
            if here.low in element.words:
                yield place + 1, trail
        elif element.kind == "verb":
            tags = element.forms.get(here.low)
            if tags is None and here.low == "'s" and "is" in element.forms:
                tags = element.forms["is"]
            if tags is not None:
                yield place + 1, replace(trail, tags=tags, verb=here.low)
        elif element.kind == "reflexive":
            if here.low in (self.view.language.reflexive or ()):
                yield place + 1, replace(trail, reflexive=here.low)
        elif element.kind == "my":
            yield from self._possessive(place, trail)
        else:
            who = self.view.who_at(place) if element.kind == "named" else None
            if who is not None:
                yield who.stop, replace(trail, who=who)
            else:
                yield from self._slot(element, at, place, trail)

    def _subject(self, at: int, place: int, trail: _Trail) -> Iterator[tuple[int, _Trail]]:
        who = self.view.who_at(place)
        if who is not None:
            yield who.stop, replace(trail, who=who)
            return
        following = self.pattern.elements[at + 1] if at + 1 < len(self.pattern.elements) else None
        is_leading = at == 0 and following is not None and following.kind in ("verb", "reflexive", "word")
        if is_leading:
            lent = self.view.lent_to(place) if self.begin.raw > 0 else None
            if lent is not None:
                yield place, replace(trail, who=lent._replace(stop=place))
            if self.view.language.drops_subject or self._is_short_chinese():
                yield place, replace(trail, who=Who(place, "user", "0"))

    def _is_short_chinese(self) -> bool:
        """Chinese leaves "I" out where it is clear: behind a subject of its own, or as the first word of all."""
        return self.view.language.unspaced

    def _possessive(self, place: int, trail: _Trail) -> Iterator[tuple[int, _Trail]]:
        tokens, language = self.view.tokens, self.view.language
        if tokens[place].low not in language.words_of["my"]:
            bare = phrase_at(language.bare_relations, tokens, place)
            if bare is not None and bare[0] < len(tokens) and tokens[bare[0]].low == language.possessive:
                yield bare[0] + 1, replace(trail, who=Who(bare[0] + 1, f"user.{bare[1]}", "3"))
            return
        yield place + 1, replace(trail, who=Who(place + 1, "user", "*"))
        who = self.view.who_at(place)
        if (
            who is not None
            and language.possessive
            and who.stop < len(tokens)
            and tokens[who.stop].low == language.possessive
        ):
            yield who.stop + 1, replace(trail, who=who._replace(person="*"))

    # Slots

    def _slot(self, element: Element, at: int, place: int, trail: _Trail) -> Iterator[tuple[int, _Trail]]:
        rest = self.pattern.elements[at + 1 :]
        if rest and rest[0].kind in ("any", "value", "named"):
            limits = [place + width for width in (1, 2, 3) if place + width < len(self.view.tokens)]
        else:
            limits = self._limits(rest[0], place) if rest else [len(self.view.tokens)]
        if not rest and element.kind == "any" and element.slot == "any":
            limits = [place + 1]
        for limit in limits:
            found = self._read(element, place, limit, is_bounded=bool(rest) or element.slot == "any")
            if found is None:
                continue
            if element.kind == "any":
                yield (limit if rest else found.stop), trail
            elif element.kind == "named":
                yield limit, replace(trail, named=found, who=Who(limit, found.value, "*"))
            elif element.kind == "old":
                yield found.stop, replace(trail, old=found)
            else:
                values = self._list(element, found, limit)
                yield values[-1].stop, replace(trail, values=values)

    def _limits(self, following: Element, place: int) -> list[int]:
        """Give where the next element may stand: the ends a slot before it may have."""
        tokens = self.view.tokens
        found = []
        for at in range(place + 1, min(len(tokens), place + REACH)):
            low = tokens[at].low
            is_here = (
                low in following.words
                or low in following.forms
                or (following.kind == "subject" and self.view.who_at(at) is not None)
            )
            if is_here:
                found.append(at)
                if len(found) == 3:
                    break
        return found

    def _read(self, element: Element, place: int, limit: int, is_bounded: bool) -> Found | None:
        view = self.view
        if place >= limit:
            return None
        reading = Reading(
            view.text, view.tokens, limit, view.language, self.pattern.predicate, view.times.by_place,
            is_bounded=is_bounded, start=self.begin.place,
        )  # fmt: skip
        found = KINDS[element.slot](reading, place)
        if found is None or (is_bounded and found.stop != limit and not self._is_gap(found.stop, limit)):
            return None
        return found

    def _is_gap(self, place: int, limit: int) -> bool:
        for _ in range(GAP):
            if place >= limit:
                break
            skipped = phrase_at(self.view.language.skips, self.view.tokens, place)
            timed = self.view.times.at(place)
            if timed is not None:
                place = timed.stop
            elif skipped is not None:
                place = skipped[0]
            else:
                return place < limit and self.pattern.predicate.is_many and self._joins(place) is not None
        return place == limit

    def _list(self, element: Element, first: Found, limit: int) -> tuple[Found, ...]:
        """Go on where a many-valued predicate's slot is a list: "English, Hindi and a bit of German"."""
        if not self.pattern.predicate.is_many:
            return (first,)
        values = [first]
        while len(values) < _LISTED:
            joined = self._joins(values[-1].stop)
            if joined is None or joined[0] >= limit:
                break
            place, is_comma = joined
            found = self._read(element, place, limit, is_bounded=False)
            if found is None or (is_comma and not self._goes_on(element, found)):
                break
            values.append(found)
        return tuple(values)

    def _joins(self, place: int) -> tuple[int, bool] | None:
        """Give where the next item of a list begins, and whether only a comma stands before it."""
        tokens, language = self.view.tokens, self.view.language
        at, is_comma = place, True
        if at < len(tokens) and tokens[at].low in (",", "，", "、"):
            is_comma = tokens[at].low != "、"
            at += 1
        joiners = language.words_of["joiners"]
        if at < len(tokens) and tokens[at].low in joiners:
            is_comma = False
            at += 1
        named = phrase_at(_SINGLED_OUT, tokens, at)
        if named is not None and at > place:
            at, is_comma = named[0], False
        return (at, is_comma) if at > place else None

    def _goes_on(self, element: Element, found: Found) -> bool:
        """Whether a comma was that of a list: words of a known kind, or a list that ends with "and"."""
        if element.slot in _SAFE_LISTS:
            return True
        place = found.stop
        for _ in range(_LISTED):
            joined = self._joins(place)
            if joined is None:
                return False
            if not joined[1]:
                return True
            further = self._read(element, joined[0], len(self.view.tokens), is_bounded=False)
            if further is None:
                return False
            place = further.stop
        return False

    # Agreement

    def _agrees(self, trail: _Trail) -> bool:
        """Whether the verb's form goes with the subject and with what stands before it."""
        if not trail.tags:
            return trail.who is None or trail.who.person != "0" or self.view.language.unspaced
        person = trail.who.person if trail.who is not None else "*"
        if trail.reflexive and self.view.language.reflexive:
            own, other = self.view.language.reflexive
            if trail.reflexive != (other if person == "3" else own) and person != "*":
                return False
        return any(self._form_fits(tag, person, trail) for tag in trail.tags)

    def _form_fits(self, tag: str, person: str, trail: _Trail) -> bool:
        effects = trail.effects
        if person == "0" and "third" in effects:
            return False
        if tag == "short1":
            return person in ("1", "*")
        if tag == "imperfect":
            return person != "0" or "used" in effects
        if tag in ("present1", "present3", "presentp"):
            if (
                effects & {"did", "perfect", "doing", "wasdoing"}
                and self.view.language.code == "en"
                and tag == "present3"
            ):
                return False
            wanted = "1" if person in ("0", "1") else person
            return (
                person == "*"
                or tag[-1] == wanted
                or (wanted == "p" and tag == "present1" and not self._has("presentp"))
            )
        if tag == "inf":
            is_helped = not effects.isdisjoint({"did", "planned", "wish", "used", "doubt"})
            return is_helped and (person != "0" or "planned" in effects)
        if tag == "ing":
            return bool(effects & {"doing", "wasdoing"}) or tag in self.pattern.tags
        if tag == "part":
            return bool(effects & {"perfect", "pastperfect"}) or tag in self.pattern.tags
        if tag in ("past1", "past3"):
            wanted = "1" if person in ("0", "1") else person
            return person == "*" or tag[-1] == wanted
        return person != "0"

    def _has(self, tag: str) -> bool:
        return any(tag in tags for element in self.pattern.elements for tags in element.forms.values())


_SINGLED_OUT: Phrases = {
    "especially": [(("especially",), "")], "particularly": [(("particularly",), "")],
    "sobre": [(("sobre", "todo"), "")], "especialmente": [(("especialmente",), "")],
    "besonders": [(("besonders",), "")], "vor": [(("vor", "allem"), "")],
    "尤": [(("尤", "其", "是"), ""), (("尤", "其"), "")], "特": [(("特", "别", "是"), "")],
}  # fmt: skip
"""What names one of several: the list goes on with it."""
_SAFE_LISTS = frozenset({"language", "animal", "allergen", "framework", "database", "diet", "choice", "email"})

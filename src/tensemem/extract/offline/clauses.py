"""Where statements may begin in a sentence, who speaks of whom there, and which gates stand before them.

All of it is per language and worked out once for a sentence, only when a pattern of that language might fit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .language import Language, phrase_at
from .timing import Timed, Times
from .tokens import Sentence, Token, words_in

CHAIN = 10
"""Phrases that may open a statement."""
_BREAKS = frozenset(",;:—–-(，；：、~～|/•·*…)")
_UNFIT = frozenset({"wish", "planned", "doubt", "not", "never", "ended", "used", "pastperfect", "only"})
_NEGATING = frozenset({"not", "never", "ended"})
_PAUSES = frozenset(",;:—–-(!，；：、~～…")
_LOOK = 5
"""Words behind an explicit subject that are looked at before it is lent to the next clause."""


class Begin(NamedTuple):
    """A place where a statement may begin: what opened it, and whether anything did."""

    place: int
    effects: frozenset[str]
    times: tuple[Timed, ...]
    is_opened: bool
    raw: int


class Who(NamedTuple):
    """A subject in the text: where it ends, whose it is, the person of its verb."""

    stop: int
    subject: str
    person: str
    is_clean: bool = True


@dataclass
class View:
    """One sentence in the eyes of one language."""

    text: str
    sentence: Sentence
    language: Language
    times: Times
    _who: dict[int, Who | None] = field(default_factory=dict)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The sentence's tokens."""
        return self.sentence.tokens

    @cached_property
    def _gates(self) -> tuple[tuple[int, ...], bool]:
        """Places of blocks in order, and whether the sentence is void."""
        blocks: list[int] = []
        is_void = False
        language, tokens = self.language, self.tokens
        place = 0
        while place < len(tokens):
            found = phrase_at(language.gates, tokens, place)
            opener = phrase_at(language.opening, tokens, place)
            if opener is not None and (found is None or opener[0] > found[0]):
                place = opener[0] if found is None and not language.unspaced else max(place + 1, opener[0])
                continue
            for words, name in language.gates.get(tokens[place].low, ()):
                if phrase_matches(words, tokens, place):
                    is_void |= name == "void"
                    if name == "block":
                        blocks.append(place)
            place += 1
        return tuple(blocks), is_void

    @property
    def is_void(self) -> bool:
        """Whether something in the sentence takes back all of it."""
        return self._gates[1]

    def is_blocked(self, place: int) -> bool:
        """Whether a block stands before a place, with nothing between that ends its reach."""
        if any(self._opening_reach < colon < place for colon in self._colons):
            return True
        before = [block for block in self._gates[0] if block < place]
        if not before:
            return False
        return not any(phrase_at(self.language.turns, self.tokens, at) for at in range(before[-1] + 1, place + 1))

    @cached_property
    def begins(self) -> tuple[Begin, ...]:
        """Every place where a statement may begin."""
        found: dict[int, Begin] = {}
        for raw in self._raw_starts():
            for begin in self._chain(raw):
                found.setdefault(begin.place, begin)
        return tuple(found[place] for place in sorted(found) if place < len(self.tokens))

    def _raw_starts(self) -> list[int]:
        starts = [0]
        reach = self._opening_reach
        for place, token in enumerate(self.tokens):
            if token.kind == "p" and token.low in _BREAKS:
                if token.low not in ":：" or place <= reach:
                    starts.append(place + 1)
            elif token.kind == "q":
                continue
            else:
                conjunction = phrase_at(self.language.beginnings, self.tokens, place)
                if conjunction is not None and not self.language.unspaced:
                    starts.append(conjunction[0])
        return [start for start in starts if start < len(self.tokens)]

    @cached_property
    def _colons(self) -> tuple[int, ...]:
        return tuple(at for at, token in enumerate(self.tokens[:-1]) if token.low in ":：" and token.kind == "p")

    @cached_property
    def _opening_reach(self) -> int:
        """Give how far the openers at the head of the sentence reach: only after them may a colon introduce."""
        chain = self._chain(0)
        return chain[-1].place

    def _chain(self, raw: int) -> list[Begin]:
        place, effects, times = raw, frozenset[str](), tuple[Timed, ...]()
        found = [Begin(place, effects, times, False, raw)]
        for _ in range(CHAIN):
            step = self._step(place, place > raw)
            if step is None:
                break
            place, effect, timed = step
            effects = effects.union(effect.split("+")) if effect else effects
            times = (*times, timed) if timed else times
            if place < len(self.tokens) and self._pauses_before(place):
                # An answer, which a pause sets off: "no, vivo en Lima", "not really, I live in Rome".
                effects -= _NEGATING
            found.append(Begin(place, effects, times, True, raw))
        return found

    def _step(self, place: int, has_opened: bool) -> tuple[int, str, Timed | None] | None:
        if place >= len(self.tokens):
            return None
        timed = self.times.at(place)
        if timed is not None:
            return timed.stop, "", timed
        opener = phrase_at(self.language.opening, self.tokens, place)
        skipped = phrase_at(self.language.skips, self.tokens, place)
        if skipped is not None and (opener is None or skipped[0] >= opener[0]):
            return skipped[0], skipped[1], None
        if opener is not None:
            return opener[0], "", None
        if has_opened and self.tokens[place].kind == "p" and self.tokens[place].low in ",，:：!！～~":
            return place + 1, "", None
        return None

    def _pauses_before(self, place: int) -> bool:
        """Whether punctuation stands at or before a token, or a blank in a script that has none."""
        token = self.tokens[place]
        if token.kind == "p" and token.low in _PAUSES:
            return True
        between = self.text[self.tokens[place - 1].stop : token.begin]
        return bool(between.strip()) or (self.language.unspaced and bool(between))

    def is_opening(self, raw: int) -> bool:
        """Whether all that stands before a clause only opens it, or speaks of the user by verbs without a subject."""
        return raw <= self._opening_reach + 1 or (raw < 8 and self.tokens[0].low in self.language.verb_rows)

    def who_at(self, place: int) -> Who | None:
        """Give the speaker, or somebody the speaker names by relation, where one stands at a place."""
        if place not in self._who:
            self._who[place] = self._subject(place)
        return self._who[place]

    def _subject(self, place: int) -> Who | None:
        tokens, lists = self.tokens, self.language.words_of
        if place >= len(tokens):
            return None
        low = tokens[place].low
        if self.language.unspaced:
            return self._unspaced_subject(place)
        bare = phrase_at(self.language.bare_relations, tokens, place)
        if low in lists["my"]:
            related = self._related(place + 1)
            return self._named(related) if related is not None else None
        if bare is not None:
            return Who(bare[0], f"user.{bare[1]}", "3")
        if low in lists["group"]:
            return Who(place + 1, "user", "p")
        if low in lists["me"] and not (
            tokens[place].is_capital and len(low) > 1 and place > 0 and self.language.code == "en"
        ):
            return Who(place + 1, "user", "1")
        return None

    def _related(self, place: int) -> tuple[int, str] | None:
        """Give where a relation word ends and its slug, after a possessive and up to two words such as "older"."""
        for at in range(place, min(place + 3, len(self.tokens))):
            found = phrase_at(self.language.relations, self.tokens, at)
            if found is not None:
                # "my kid brother": of two relations in a row, the last one is meant.
                return phrase_at(self.language.relations, self.tokens, found[0]) or found
            if self.tokens[at].low not in _QUALIFIERS:
                return None
        return None

    def _named(self, related: tuple[int, str]) -> Who:
        """Read a name in apposition: "my wife Anna", "mi mujer, Teresa,"; "my wife and I" is the speaker too."""
        stop, slug = related
        tokens = self.tokens
        begin = stop
        while (
            stop < len(tokens)
            and stop - begin < 2
            and tokens[stop].is_capital
            and tokens[stop].kind == "w"
            and tokens[stop].low not in self.language.words_of["me"]
        ):
            stop += 1
        name = self.text[tokens[begin].begin : tokens[stop - 1].stop] if stop > begin else ""
        if not name and begin + 2 < len(tokens) and tokens[begin].low == "," and tokens[begin + 1].is_capital:
            stop = begin + 3 if tokens[begin + 2].low == "," else stop
        if (
            stop + 1 < len(tokens)
            and tokens[stop].low in self.language.words_of["joiners"]
            and tokens[stop + 1].low in self.language.words_of["me"]
        ):
            return Who(stop + 2, "user", "p")
        subject = name if name and slug in _OF_MANY else f"user.{slug}"
        return Who(stop, subject, "3")

    def _unspaced_subject(self, place: int) -> Who | None:
        tokens = self.tokens
        for words in self.language.unspaced_my:
            if not phrase_matches(words, tokens, place):
                continue
            stop = place + len(words)
            for at in (stop, stop + 1 if stop < len(tokens) and tokens[stop].low == "的" else stop):
                related = phrase_at(self.language.relations, tokens, at)
                if related is not None:
                    return Who(related[0], f"user.{related[1]}", "3")
        bare = phrase_at(self.language.bare_relations, tokens, place)
        if bare is not None:
            return Who(bare[0], f"user.{bare[1]}", "3")
        if tokens[place].low in self.language.words_of["me"]:
            after = tokens[place + 1].low if place + 1 < len(tokens) else ""
            return Who(place + (2 if after in ("们", "們") else 1), "user", "1")
        return None

    @cached_property
    def explicit(self) -> tuple[tuple[int, Who], ...]:
        """Every explicit subject where a statement may begin, in order, with whether its clause is a plain one."""
        found: list[tuple[int, Who]] = []
        for begin in self.begins:
            who = self.who_at(begin.place)
            if who is not None:
                is_plain = not self.is_blocked(begin.place) and begin.effects.isdisjoint(_UNFIT)
                found.append((begin.place, who._replace(is_clean=is_plain and self._is_plain_after(who.stop))))
        return tuple(found)

    def _is_plain_after(self, place: int) -> bool:
        at = place
        while at < min(len(self.tokens), place + _LOOK):
            skipped = phrase_at(self.language.skips, self.tokens, at)
            if skipped is not None and not _UNFIT.isdisjoint(skipped[1].split("+")):
                return False
            at = skipped[0] if skipped is not None else at + 1
        return True

    def lent_to(self, place: int) -> Who | None:
        """Give the subject of the clause before, for a verb without one: "I live in Oslo and work …"."""
        earlier = [who for at, who in self.explicit if at < place]
        return earlier[-1] if earlier and earlier[-1].is_clean else None

    def asks_about(self, place: int) -> bool:
        """Whether what begins at a place is asked: in a question, unless a question of its own follows it."""
        if not self.sentence.is_question:
            return False
        asks = self.language.words_of["asks"]
        if self.tokens[place].low in asks and self.who_at(place) is None:
            return True
        return not any(self._asks_from(at, asks) for at in range(place + 1, len(self.tokens)))

    def _asks_from(self, at: int, asks: frozenset[str]) -> bool:
        token = self.tokens[at]
        if token.kind != "p" or token.low not in ",;，；—–-" or at + 1 >= len(self.tokens):
            return False
        ahead = self.tokens[at + 1 : at + (8 if self.language.unspaced else 4)]
        return any(word.low in asks for word in ahead) or any(
            phrase_matches(tuple(ask), self.tokens, at + 1 + ahead_at)
            for ask in _ASKS_UNSPACED
            for ahead_at in range(len(ahead) if self.language.unspaced else 0)
        )


_ASKS_UNSPACED = ("什么", "怎么", "多少", "有没有", "推荐", "请问", "可以", "能")
_QUALIFIERS = words_in(
    """older younger little big kid baby elder eldest youngest oldest twin dear best new current lovely beloved
    grown-up old great half step dear mayor menor pequeño pequeña älterer ältere ältere jüngerer jüngere kleiner kleine
    große großer großen kleinen beste bester besten mejor querida querido neue neuer"""
)
_OF_MANY = frozenset(
    {"friend", "colleague", "neighbor", "roommate", "cousin", "uncle", "aunt", "nephew", "niece", "boss"}
)
"""Relations there may be several of: one with a name goes by it."""


def phrase_matches(words: tuple[str, ...], tokens: tuple[Token, ...], place: int) -> bool:
    """Whether words stand at a place, one by one."""
    return place + len(words) <= len(tokens) and all(tokens[place + at].low == word for at, word in enumerate(words))

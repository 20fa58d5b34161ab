"""From one message to its operations: sentences, candidates, gates, verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ...core.timewords.value import TimeValue
from ...model.operation import Operation
from . import lexicon
from .clauses import View
from .compiled import Compiled
from .deciding import Verdict, decide
from .doubts import is_doubtful
from .examples import Pattern
from .language import Language, Phrases, phrase_at
from .matching import Attempt, Match
from .reach import ends_clause, is_taken_back_after, taken_back, takes_nothing
from .timing import NO_TIMES, Times, find_times, placed
from .tokens import Sentence, Token, sentences
from .unrecognised import UNRECOGNISED, is_barred, is_beyond

WINDOW = 26
"""Tokens between the beginning of a statement and the word that gives its pattern away."""
LONGEST = 500
"""Tokens of a sentence that is read; nobody says a longer one, and what was pasted without a full stop is no talk."""
TAIL = 14
"""Tokens behind a statement that are looked at for what takes it back."""


class Reader:
    """Reads one message."""

    def __init__(self, text: str, said_at: datetime, patterns: Compiled, options: dict[str, Any]) -> None:
        self._text, self._said_at, self._patterns, self._options = text, said_at, patterns, options
        self._plays = self._jokes = False
        self._following: Sentence | None = None
        self._found_times: dict[str, Sequence[TimeValue]] = {}

    def _times(self, language: str) -> Sequence[TimeValue]:
        if language not in self._found_times:
            self._found_times[language] = find_times(self._text, self._said_at, language, self._options)
        return self._found_times[language]

    def operations(self, index: int) -> Iterator[Operation]:
        """Give the operations of the message, in the order of their words."""
        found = list(sentences(self._text))
        jokes = [language.joking for language in self._patterns.languages]
        self._jokes = any(self._holds(sentence, phrases) for sentence in found for phrases in jokes)
        for at, sentence in enumerate(found):
            self._following = found[at + 1] if at + 1 < len(found) else None
            yield from self._of_sentence(sentence, index)

    def _of_sentence(self, sentence: Sentence, index: int) -> Iterator[Operation]:
        tokens = sentence.tokens
        candidates = self._candidates(tokens)
        if not self._plays:
            self._look_for_scenes(sentence)
        if self._plays or not candidates or len(tokens) > LONGEST:
            return
        views: dict[str, View] = {}
        found: list[tuple[Match, Verdict]] = []
        unsure: list[tuple[Match, Verdict]] = []
        for pattern, anchors in candidates:
            language = pattern.language
            view = views.get(language.code)
            if view is None:
                view = views[language.code] = View(self._text, sentence, language, self._placed(tokens, language.code))
            for match, verdict, is_sure in self._tried(view, pattern, anchors):
                (found if is_sure else unsure).append((match, verdict))
        if found:
            # Who began to speak of themselves goes on: "originally from Innsbruck, by now at home in Munich".
            found += unsure
        for match, verdict in _chosen(found):
            yield from self._proposed(match, verdict, sentence, index)

    def _candidates(self, tokens: Sequence[Token]) -> list[tuple[Pattern, list[int]]]:
        words = {token.low for token in tokens}
        found: dict[int, tuple[Pattern, list[int]]] = {}
        for place, token in enumerate(tokens):
            for pattern in self._patterns.at(token.low):
                known = found.get(id(pattern))
                if known is not None:
                    known[1].append(place)
                elif not any(map(words.isdisjoint, pattern.needed)):
                    found[id(pattern)] = (pattern, [place])
        return list(found.values())

    def _placed(self, tokens: Sequence[Token], language: str) -> Times:
        first, last = tokens[0].begin, tokens[-1].stop
        inside = [value for value in self._times(language) if first <= value.begin and value.stop <= last]
        return placed(inside, tokens) if inside else NO_TIMES

    def _look_for_scenes(self, sentence: Sentence) -> None:
        """Remember for the rest of the message that it plays: "let's rehearse", "write a story"."""
        self._plays = any(self._holds(sentence, language.scenic) for language in self._patterns.languages)

    @staticmethod
    def _holds(sentence: Sentence, phrases: Phrases) -> bool:
        tokens = sentence.tokens
        return any(token.low in phrases and phrase_at(phrases, tokens, at) for at, token in enumerate(tokens))

    def _tried(self, view: View, pattern: Pattern, anchors: Sequence[int]) -> Iterator[tuple[Match, Verdict, bool]]:
        first = pattern.elements[0]
        head = first.words or first.forms.keys()
        if pattern.language is UNRECOGNISED:
            own = frozenset[str]().union(*pattern.needed)
            if is_barred(self._patterns.languages, view.sentence, own):
                return
        for begin in view.begins:
            if head and view.tokens[begin.place].low not in head and view.tokens[begin.place].low != "'s":
                continue
            if not any(begin.place <= anchor < begin.place + WINDOW for anchor in anchors):
                continue
            match = Attempt(view, pattern, begin).run()
            if match is None or view.is_void or view.is_blocked(match.begin) or view.asks_about(match.begin):
                continue
            if pattern.language is UNRECOGNISED and is_beyond(match, view.sentence):
                continue
            settled = _settled(view, match, begin.raw)
            if settled is None:
                continue
            match, is_loose = self._with_tail(view, settled)
            if pattern.is_negative:
                yield match, Verdict("confirm"), True
                continue
            if pattern.constant is not None and is_loose:
                continue  # "I smoke salmon" says nothing of smoking
            verdict = decide(match, self._said_at)
            if verdict is not None and not takes_nothing(view, match, verdict.op, begin.raw):
                is_doubted = self._jokes or is_doubtful(view, match, verdict.op, is_loose=is_loose)
                if verdict.modality == "asserted" and is_doubted:
                    verdict = replace(verdict, modality="reported")
                yield match, verdict, _is_sure(view, match, begin.raw)

    def _with_tail(self, view: View, match: Match) -> tuple[Match, bool]:
        """Read on behind a statement: times and marks at once behind it count, tails take it back.

        Also tells whether unknown words stand between it and the end of its clause.
        """
        place, effects, times = match.stop, match.effects, match.times
        tokens, language = view.tokens, view.language
        is_close = True
        while place < min(len(tokens), match.stop + TAIL):
            behind = phrase_at(language.behind, tokens, place)
            skipped = phrase_at(language.skips, tokens, place)
            timed = view.times.at(place)
            if behind is not None and (skipped is None or behind[0] >= skipped[0]):
                effects = effects | {behind[1]} if behind[1] else effects
                place = behind[0]
            elif is_close and _lasts_counted(language, tokens, place):
                effects, place = effects | {"spell"}, place + 3
            elif timed is not None and is_close:
                times, place = (*times, timed), timed.stop
            elif skipped is not None and is_close:
                effects = effects | {skipped[1]} if skipped[1] in _TRAILING else effects
                place = skipped[0]
            elif ends_clause(language, tokens, place):
                after = phrase_at(language.behind, tokens, place + 1)
                if after is not None and after[1] and tokens[place].low in _PAUSES:
                    effects = effects | {after[1]}
                if tokens[place].kind == "p" and taken_back(language, tokens, place + 1):
                    effects = effects | {"untrue"}
                break
            else:
                is_close = False
                place += 1
        if is_taken_back_after(language, self._following):
            effects = effects | {"untrue"}
        stop = max(match.stop, max((timed.stop for timed in times), default=0))
        return replace(match, effects=effects, times=times, stop=stop), not is_close

    def _proposed(self, match: Match, verdict: Verdict, sentence: Sentence, index: int) -> Iterator[Operation]:
        tokens = sentence.tokens
        begin = min([match.begin, *(timed.begin for timed in match.times)])
        quote = self._text[tokens[begin].begin : tokens[match.stop - 1].stop]
        pattern = match.pattern
        subject = match.who.subject if match.who is not None else "user"
        values: list[Any] = [found.value for found in match.values]
        if pattern.constant is not None:
            values = [pattern.constant]
        name = pattern.predicate.name
        if (
            match.old is not None
            and pattern.predicate.is_many
            and verdict.op == "add"
            and verdict.modality == "asserted"
        ):
            yield Operation("remove", name, match.old.value, subject=subject, quote=quote, message=index)
        if verdict.op == "replace":
            yield Operation("replace", name, values, subject=subject, quote=quote, message=index, **verdict.times)  # type: ignore[arg-type]
            return
        for value in values:
            yield Operation(
                verdict.op, name, value, subject=subject, quote=quote, message=index, modality=verdict.modality,
                **verdict.times,  # type: ignore[arg-type]
            )  # fmt: skip


_OF_NOBODY = frozenset({"ci", "target", "license", "framework", "database", "packager", "version", "email", "phone"})
"""Kinds of slots that tell of no person, so that no stranger can be meant."""


def _is_sure(view: View, match: Match, raw: int) -> bool:
    """Whether a statement without a subject can be the user's alone: the user stands in what comes before it."""
    if raw == 0 or (match.who is not None and match.who.person != "0"):
        return True
    elements = match.pattern.elements
    if any(element.slot in _OF_NOBODY for element in elements):
        return True
    lists = view.language.words_of
    own = lists["me"] | lists["my"] | lists["group"]
    return any(token.low in own for token in view.tokens[:raw]) or view.is_opening(raw)


def _settled(view: View, match: Match, raw: int) -> Match | None:
    """Say whose a statement without a subject is, behind another clause; None where that may be a stranger.

    "My brother is fine, based in Austin" is of the brother; "she left and lives in Austin" of nobody known.
    """
    is_bare = match.who is None or match.who.person == "0"
    if not is_bare or raw == 0:
        return match
    if match.effects & _HELPED:
        return None
    lists = view.language.words_of
    lows = {token.low for token in view.tokens[:raw]}
    if lows & lists["strangers"] or view.tokens[0].low in lexicon.FIRST_NAMES | lists["articles"]:
        return None
    explicit = [who for place, who in view.explicit if place < match.begin]
    if not explicit or explicit[-1].subject == "user":
        return match
    return replace(match, who=explicit[-1]) if explicit[-1].is_clean else None


_PAUSES = frozenset(",(-–—，（…")
_HELPED = frozenset({"perfect", "doing", "did", "past", "pastperfect", "third"})
"""What a helping verb leaves: behind one, somebody unknown may be spoken of: "has just turned three"."""
_TRAILING = frozenset({"ended", "not", "used", "doubt", "never", "since", "spell"})


def _lasts_counted(language: Language, tokens: Sequence[Token], place: int) -> bool:
    """Whether a counted stretch stands there: "for 20 years"."""
    is_during = tokens[place].low in language.words_of["during"] and place + 2 < len(tokens)
    return is_during and (tokens[place + 1].kind == "n" or tokens[place + 1].low in language.number_words)


def _chosen(found: Sequence[tuple[Match, Verdict]]) -> list[tuple[Match, Verdict]]:
    """Of matches of one predicate that overlap, keep the longest; in the order of their words."""
    kept: list[tuple[Match, Verdict]] = []
    for match, verdict in sorted(found, key=_weight):
        name = match.pattern.predicate.name
        if not any(
            other.pattern.predicate.name == name and other.begin < match.stop and match.begin < other.stop
            for other, _ in kept
        ):
            kept.append((match, verdict))
    proposed = [each for each in kept if not each[0].pattern.is_negative]
    return sorted(proposed, key=lambda each: (each[0].begin, each[0].stop))


def _weight(each: tuple[Match, Verdict]) -> tuple[int, int, int]:
    match = each[0]
    literal = sum(1 for element in match.pattern.elements if element.kind in ("word", "verb"))
    return (0 if match.pattern.is_negative else 1, -literal, match.begin)

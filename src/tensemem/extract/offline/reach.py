"""How far words reach: what a negation negates, and what behind a statement takes all of it back.

"I don't only speak English" takes no language away, since "not" reaches "only" and no further; "I live in Oslo (well,
almost)" is taken back by what stands alone behind its pause.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model.operation import Op
from .clauses import CHAIN, View
from .language import Language, phrase_at
from .matching import Match
from .tokens import Sentence, Token, words_in

_NEGATES = frozenset({"not", "never", "ended"})
_FAR = 14
"""Tokens behind a statement that a negation may reach."""


def takes_nothing(view: View, match: Match, op: Op, raw: int) -> bool:
    """Whether a negation in a statement reaches only a part of it, so that nothing is taken away."""
    if op not in ("retract", "remove", "deny"):
        return _negates_a_part(view, match)
    if "only" in match.effects:
        return True
    tokens, language = view.tokens, view.language
    start = _negated_from(view, match, raw)
    if start is None:
        return False
    has_ended = "ended" in match.effects or _is_over(view, match)
    # "only a nurse" is no trade, "Just Eat" a company: of a value, its first word counts where it has no capital.
    inside = {
        at
        for found in match.values
        for at in range(found.begin, found.stop)
        if at > found.begin or tokens[at].is_capital
    }
    for at in range(start, min(len(tokens), match.stop + _FAR)):
        found = phrase_at(language.scoping, tokens, at)
        if found is not None and at not in inside:
            if found[1] != "reason" or (at >= match.stop and not has_ended):
                return True
        elif at >= match.stop and ends_clause(language, tokens, at):
            return False
    return False


def _negates_a_part(view: View, match: Match) -> bool:
    """Whether an example that has a negation of its own is said of a part alone: "I don't like all tea"."""
    if _OWN_NEGATIONS.isdisjoint(frozenset[str]().union(*match.pattern.needed)):
        return False
    inside = {at for found in match.values for at in range(found.begin, found.stop)}
    said = {view.tokens[at].low for at in range(match.begin, match.stop) if at not in inside}
    return "only" in match.effects or not said.isdisjoint(_PARTIAL)


_OWN_NEGATIONS = words_in("not no nicht kein keine keinen 不 没 沒")
_PARTIAL = words_in("just all every merely solely todo todos toda todas alle jede jeden jedes 光 所 都")


def _negated_from(view: View, match: Match, raw: int) -> int | None:
    """Give the first place behind a negation, from where its clause was opened on."""
    place = raw
    while place < min(len(view.tokens), match.stop + 2):
        found = phrase_at(view.language.skips, view.tokens, place)
        if found is not None and not _NEGATES.isdisjoint(found[1].split("+")):
            return found[0]
        place = found[0] if found is not None and found[1] else place + 1
    return None


def _is_over(view: View, match: Match) -> bool:
    """Whether "anymore" stands at once behind a statement: then a reason says why it ended."""
    behind = phrase_at(view.language.behind, view.tokens, match.stop)
    return behind is not None and not behind[1]


def ends_clause(language: Language, tokens: Sequence[Token], place: int) -> bool:
    """Whether punctuation or a conjunction ends a clause before a token."""
    return tokens[place].kind in "pq" or phrase_at(language.beginnings, tokens, place) is not None


def taken_back(language: Language, tokens: Sequence[Token], place: int) -> bool:
    """Whether nothing but a word that takes back stands between a place and the next punctuation: "(well, almost)"."""
    for _ in range(CHAIN):
        found = phrase_at(language.retracting, tokens, place)
        if found is not None and (found[0] >= len(tokens) or tokens[found[0]].kind == "p"):
            return True
        if found is not None and _is_only_skipped(language, tokens, found[0]):
            return True
        step = phrase_at(language.opening, tokens, place) or phrase_at(language.skips, tokens, place)
        if step is not None:
            place = step[0]
        elif place < len(tokens) and tokens[place].kind == "p" and tokens[place].low not in ";":
            place += 1
        else:
            return False
    return False


def _is_only_skipped(language: Language, tokens: Sequence[Token], place: int) -> bool:
    """Whether one phrase that changes nothing, or "anymore", ends what takes back: "not really anymore"."""
    step = phrase_at(language.skips, tokens, place) or phrase_at(language.behind, tokens, place)
    return step is not None and (step[0] >= len(tokens) or tokens[step[0]].kind == "p")


def is_taken_back_after(language: Language, following: Sentence | None) -> bool:
    """Whether the sentence behind is nothing but a word that takes back: "I live in Oslo. Not!"."""
    if following is None or following.is_question:
        return False
    tokens = following.tokens
    return len(tokens) <= CHAIN and not _goes_on(language, tokens) and taken_back(language, tokens, 0)


def _goes_on(language: Language, tokens: Sequence[Token]) -> bool:
    """Whether a sentence says something of its own behind an answer: "No, I have no car"."""
    last = next((at for at in range(len(tokens)) if phrase_at(language.retracting, tokens, at)), None)
    if last is None:
        return True
    found = phrase_at(language.retracting, tokens, last)
    assert found is not None
    return any(token.kind != "p" for token in tokens[found[0] :])

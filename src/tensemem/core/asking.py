"""The words of questions: from an attribute's name and a value to a sentence that yes or no answers.

Names are read as English: ``lives_in`` is what one does, ``allergic_to`` what one is, ``diet`` what one has. Whatever
is none of these is named as it is, so that any registered name gives a sentence; no dictionary has to know it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..model.claim import ClaimKind
from ..model.predicate import Predicate
from .lines import shown
from .subjects import USER

LONGEST_SHOWN = 80
"""Characters of a value that a question says; a longer one ends in `…`."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Whom and what a question is about: the subject, and the attribute in whichever way its name is read."""

    subject: str
    predicate: Predicate

    def states(self, value: str, *, still: bool = False, tail: str = "") -> str:
        """Ask whether a value holds: "Do you live in Delhi?", "Is your diet still vegan?"."""
        adverb = " still" if still else ""
        if self.predicate.type == "bool":
            return self._states_truth(value, adverb, tail)
        doing, being = self._verb(), self._adjective()
        value = fit(value)
        if doing is not None:
            return f"{self._does} {self.who}{adverb} {doing} {value}{tail}?"
        if being is not None:
            return f"{self._is.capitalize()} {self.who}{adverb} {being} {value}{tail}?"
        if self.predicate.is_many:
            return f"Is {value}{adverb} {self._among}{tail}?"
        return f"Is {self._having}{adverb} {value}{tail}?"

    def was(self, value: str, tail: str) -> str:
        """Ask whether a value held once: "Is it right that “lives in” for you was Rome on 2026-02-20?"."""
        return f"Is it right that {self._named} was {fit(value)}{tail}?"

    def ended(self, value: str, tail: str = "") -> str:
        """Ask whether a value holds no longer; "" stands for whatever holds."""
        if not value:
            return f"Is it right that nothing of {self._named} holds any longer{tail}?"
        if self.predicate.type == "bool":
            return f"Is it right that {self._named} is no longer {fit(value)}{tail}?"
        doing, being = self._verb(), self._adjective()
        value = fit(value)
        if doing is not None:
            said = f"{self.who} no longer {doing if self._is_you else self._third_person} {value}"
        elif being is not None:
            said = f"{self.who} {self._is} no longer {being} {value}"
        elif self.predicate.is_many:
            said = f"{value} is no longer {self._among}"
        else:
            said = f"{self._having} is no longer {value}"
        return f"Is it right that {said}{tail}?"

    def never(self, value: str) -> str:
        """Ask whether a value never held."""
        return f"Is it right that {self._named} was never {fit(value)}?"

    def only(self, values: Sequence[str], tail: str = "") -> str:
        """Ask whether these values hold and no others."""
        listed = ", ".join(fit(value) for value in values) or "nothing"
        return f"Is it right that {self._named} is now {listed} and nothing else{tail}?"

    def instead_of(self, value: str) -> str:
        """Say which value holds no longer if another one does: ", and no longer in Delhi"."""
        if self.predicate.type == "bool":
            return ""  # what is true is not false
        return f", and no longer {self._last_word}{fit(value)}"

    @property
    def who(self) -> str:
        """The subject: you, your wife, or somebody by name."""
        return "you" if self._is_you else _relation(self.subject) or shown(self.subject, LONGEST_SHOWN)

    @property
    def _is_you(self) -> bool:
        return self.subject == USER

    @property
    def _whose(self) -> str:
        return "your" if self._is_you else f"{self.who}'s"

    @property
    def _is(self) -> str:
        return "are" if self._is_you else "is"

    @property
    def _does(self) -> str:
        return "Do" if self._is_you else "Does"

    @property
    def _words(self) -> list[str]:
        return shown(self.predicate.name, LONGEST_SHOWN).replace("_", " ").replace("-", " ").split()

    @property
    def _noun(self) -> str:
        """The attribute as something one has: its description where that says no more than whose it is."""
        owned = _OWNED.fullmatch(self.predicate.description.strip())
        return owned[1] if owned else " ".join(self._words)

    @property
    def _having(self) -> str:
        """Whose attribute it is: "your diet", "the project's database"."""
        if self._is_you and _OWNED_BY_ANOTHER.fullmatch(self.predicate.description.strip()):
            return self.predicate.description.strip().replace("The ", "the ", 1)
        return f"{self._whose} {self._noun}"

    @property
    def _among(self) -> str:
        having = self._having
        return f"one of {having}" if having.endswith("s") else f"part of {having}"

    @property
    def _named(self) -> str:
        """The attribute by its bare name, which needs no grammar."""
        return f"“{' '.join(self._words)}” for {self.who}"

    @property
    def _third_person(self) -> str:
        return " ".join(self._words)

    @property
    def _last_word(self) -> str:
        """The preposition that the name ends in, to be said again before another value."""
        word = self._words[-1] if len(self._words) > 1 else ""
        return f"{word} " if word in _PREPOSITIONS and (self._verb() or self._adjective()) else ""

    def _verb(self) -> str | None:
        """What one does, as "you" do it: "live in"; None where the name is no verb."""
        words = self._words
        if not words or not words[0].islower():
            return None
        base = _base_of(words[0])
        is_followed = len(words) == 2 and words[1] in _PREPOSITIONS and words[0].endswith("s")
        known = base in _VERBS and (len(words) == 1 or words[-1] in _PREPOSITIONS)
        return " ".join([base, *words[1:]]) if base != words[0] and (known or is_followed) else None

    def _adjective(self) -> str | None:
        """What one is: "allergic to"; None where the name is nothing of the kind."""
        words = self._words
        if len(words) == 2 and words[1] in _PREPOSITIONS and not words[0].endswith("s"):
            return " ".join(words)
        return None

    def _states_truth(self, value: str, adverb: str, tail: str) -> str:
        words = self._words
        if len(words) > 1 and words[0] in ("is", "are"):
            negation = "" if value == "true" else "not "
            return f"Is it{adverb} true that {self.who} {self._is} {negation}{' '.join(words[1:])}{tail}?"
        return f"Is {self._named}{adverb} {fit(value)}{tail}?"


def sentence(asker: Asker, kind: ClaimKind, values: Sequence[str], tail: str = "") -> str:
    """Ask whether a statement that waits is right, whatever it says; a yes says that it is."""
    first = values[0] if values else ""
    match kind:
        case ClaimKind.RETRACT:
            return asker.ended(first, tail)
        case ClaimKind.DENY:
            return asker.never(first)
        case ClaimKind.REPLACE:
            return asker.only(values, tail)
        case _:
            return asker.states(first, tail=tail)


def fit(value: str) -> str:
    """Give a value as it can stand in a sentence: on one line, cut, in quotation marks where it may be one itself."""
    line = shown(value, LONGEST_SHOWN) or "(no value)"
    return f"“{line}”" if _SENTENCE_LIKE.search(line) or len(line) > _LONG else line


_LONG = 40
_SENTENCE_LIKE = re.compile(r"[?!\\\"“”;{\[]|\.(?:\s|$)|,\s")

_OWNED = re.compile(r"[Tt]he (?:user|person|customer)'s (\w[\w -]{0,40})")
_OWNED_BY_ANOTHER = re.compile(r"[Tt]he (?!(?:user|person|customer)'s)\w[\w-]{0,40}'s \w[\w -]{0,40}")


def _relation(subject: str) -> str:
    """Name somebody by relation to the user: ``user.wife.mother`` is "your wife's mother"; "" for any other name."""
    head, *path = subject.split(".")
    if head != USER or not path:
        return ""
    return "your " + "'s ".join(shown(word, LONGEST_SHOWN).replace("_", "-") for word in path)


def _set_of(table: str) -> frozenset[str]:
    return frozenset(table.split())


_PREPOSITIONS = _set_of("in at on to for with from by of as about into near under towards against around through")
_VERBS = _set_of(
    """live work study speak like dislike love hate prefer use own drive play want need know have eat drink read watch
    follow support teach learn belong commute travel believe write listen manage wear collect avoid enjoy attend sleep
    cook ride"""
)


def _base_of(word: str) -> str:
    """Give a verb as "you" use it: lives → live, studies → study, watches → watch, has → have."""
    if word == "has":
        return "have"
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word

"""Questions and their answers: what is worth asking about a slot, and what an answer means for it.

Each statement that waits is asked about once. Whatever a question is about, a yes says that its fact holds:

| kind             | yes                  | no                | another value, where one holds                    |
|------------------|----------------------|-------------------|---------------------------------------------------|
| `candidate`      | accept               | reject            | reject, then state it (confirm it, if it is shown) |
| `contested`      | accept               | reject            | the same                                          |
| `due_plan`       | accept               | reject            | the same                                          |
| `due_for_review` | confirm              | retract or remove | state it                                          |

What is accepted though it was said long ago is confirmed as well: that it is right was said now. A statement that
speaks of the past only (it has ended, or a newer one holds) is asked for as what was, and takes yes or no.

Where trust orders the sources, a statement may count for less than the fact shown. What an answer then takes away, or
confirms, is *corrected*: no statement of lower trust could do it, and a correction is how people overrule a source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any, TypeAlias

from ..errors import InvalidValueError
from ..model.claim import ClaimKind
from ..model.fact import Fact, FactStatus
from ..model.moment import to_moment
from ..model.predicate import Predicate
from ..model.question import PRIORITIES, Question
from .asking import Asker, sentence
from .text import comparison_key
from .values import Names, parse_value, plain_answer

PREFIX, PREFIX_OF_REVIEWS = "q-", "q-old-"
"""What a question's id begins with; the id of the claim it asks about follows."""


def claim_in(question_id: str) -> str | None:
    """Give the id of the claim a question's id speaks of; None where it is no question's id."""
    if not question_id.startswith(PREFIX):
        return None
    return question_id.removeprefix(PREFIX_OF_REVIEWS).removeprefix(PREFIX)


@dataclass(frozen=True, slots=True)
class Item:
    """A fact of a slot as questions see it: what it says, and of which value.

    ``kind`` is what a waiting statement does; ``keys``, ``values`` and ``texts`` are its values: one, several for a
    REPLACE, none for a retraction of whatever holds. ``is_rival`` marks a statement that was admitted, but is less
    trusted than the fact shown.
    """

    fact: Fact
    keys: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    texts: tuple[str, ...] = ()
    kind: ClaimKind = ClaimKind.VALUE
    is_rival: bool = False

    @property
    def states(self) -> bool:
        """Whether it states one value."""
        return self.kind in (ClaimKind.VALUE, ClaimKind.CONFIRM)

    def contradicts(self, shown: Item, many: bool) -> bool:
        """Tell whether it speaks against a fact shown in the same slot."""
        if self.states:
            return not many and self.keys != shown.keys
        if self.kind is ClaimKind.REPLACE:
            return shown.keys[0] not in self.keys
        return self.keys in ((), shown.keys)


@dataclass(frozen=True, slots=True)
class Slot:
    """All that may be asked about in one slot. ``rivals`` are less trusted statements against what is shown."""

    subject: str
    predicate: Predicate
    shown: tuple[Item, ...] = ()
    candidates: tuple[Item, ...] = ()
    due_plans: tuple[Item, ...] = ()
    rivals: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with what it is about, and what is shown in its slot where only one value can be.

    ``is_past`` tells that it asks whether something was so once: what holds now is no answer to it.
    """

    question: Question
    predicate: Predicate
    about: Item
    against: Item | None = None
    shown: Item | None = None
    is_past: bool = False


def contesting(shown: Item, candidates: Iterable[Item], many: bool) -> tuple[Item, ...]:
    """Give the candidates that put a fact in doubt: those against it that are newer than it."""
    if not shown.fact.contested:
        return ()
    against = [item for item in candidates if item.contradicts(shown, many)]
    newer = [item for item in against if item.fact.last_evidence_at >= shown.fact.last_evidence_at]
    return tuple(newer or against)


def questions_of(slot: Slot, moment: datetime, zone: tzinfo) -> list[Asked]:
    """Give what is worth asking about a slot at a moment, every statement once, in no order; days are the zone's."""
    asking = _Asking(Asker(slot.subject, slot.predicate), moment, zone)
    many = slot.predicate.is_many
    only = None if many or not slot.shown else slot.shown[0]
    doubts: dict[str, Item] = {}
    for shown in slot.shown:
        for item in (*contesting(shown, slot.candidates, many), *_rivals(shown, slot)):
            doubts.setdefault(item.fact.id, shown)
    found: list[Asked] = []
    for item in (*slot.candidates, *slot.rivals):
        against = doubts.get(item.fact.id)
        if against is not None or not item.is_rival:
            found.append(asking.waiting("candidate" if against is None else "contested", item, against, only))
    for plan in slot.due_plans:
        gives_way = next((shown for shown in slot.shown if plan.contradicts(shown, many)), None)
        found.append(asking.waiting("due_plan", plan, gives_way, only))
    named = {one.against.fact.id for one in found if one.against is not None}
    found += [
        asking.review(item, only)
        for item in slot.shown
        if item.fact.due_for_review and not item.fact.contested and item.fact.id not in named
    ]
    return found


def _rivals(shown: Item, slot: Slot) -> tuple[Item, ...]:
    if not shown.fact.contested:
        return ()
    return tuple(item for item in slot.rivals if item.contradicts(shown, slot.predicate.is_many))


@dataclass(frozen=True, slots=True)
class _Asking:
    """Puts what is in a slot into words, at a moment."""

    asker: Asker
    moment: datetime
    zone: tzinfo

    def waiting(self, kind: str, item: Item, against: Item | None, only: Item | None) -> Asked:
        """Ask about a statement; ``against`` is what it would displace, ``only`` the one value shown."""
        is_past = item.states and self._is_past(kind, item, against, only)
        against = None if is_past else against
        values = item.values if against is None else (*item.values, *against.values)
        question = self._question(kind, item.fact.id, self._text(kind, item, against, is_past), item, values)
        question = replace(question, other=None if against is None else against.fact)
        return Asked(question, self.asker.predicate, item, against, only, is_past)

    def _is_past(self, kind: str, item: Item, against: Item | None, only: Item | None) -> bool:
        """Tell whether a statement, though it be right, says nothing of now: it has ended, or a newer one holds."""
        if item.fact.valid_to is not None and item.fact.valid_to <= self.moment:
            return True
        is_overtaken = only is not None and against is None and only.keys != item.keys
        return kind == "candidate" and is_overtaken

    def _text(self, kind: str, item: Item, against: Item | None, is_past: bool) -> str:
        tail, plan = "", item.fact.valid_from if kind == "due_plan" else None
        if plan is not None:
            tail = f", as planned for {self._day(plan)}"
        if is_past:
            return self.asker.was(item.texts[0], tail or f" on {self._day(item.fact.last_evidence_at)}")
        if item.states and (against is not None or tail):
            tail = f" now{tail}"
        if item.states and against is not None:
            tail += self.asker.instead_of(against.texts[0])
        return sentence(self.asker, item.kind, item.texts, tail)

    def review(self, item: Item, only: Item | None) -> Asked:
        """Ask whether a fact still holds."""
        text = self.asker.states(item.texts[0], still=True)
        question = self._question("due_for_review", newest_evidence(item.fact), text, item, item.values)
        return Asked(question, self.asker.predicate, item, None, only)

    def _question(self, kind: str, claim: str, text: str, item: Item, values: Sequence[Any]) -> Question:
        choices = self.asker.predicate.choices
        options = tuple(_distinct(values)) if choices is None else choices
        # Once accepted, what waited may be what a fact was last heard by: a question about that is another one.
        prefix = PREFIX_OF_REVIEWS if kind == "due_for_review" else PREFIX
        return Question(f"{prefix}{claim}", kind, text, PRIORITIES[kind], item.fact, None, options)

    def _day(self, when: datetime) -> str:
        try:
            return when.astimezone(self.zone).date().isoformat()
        except OverflowError:  # the first or the last day of the calendar
            return when.date().isoformat()


def newest_evidence(fact: Fact) -> str:
    """Give the id of the statement a fact was last heard by: a question about it is over when it is heard of again."""
    return max(fact.evidence, key=lambda one: (one.said_at, one.seq)).claim_id


def _distinct(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def asking_order(asked: Asked) -> tuple[Any, ...]:
    """Order questions: the most pressing kind first, the user before others, doubts newest first, the rest oldest."""
    question = asked.question
    fact = question.fact
    heard = to_moment(fact.last_evidence_at)
    is_doubt = fact.status is FactStatus.CANDIDATE or question.kind == "contested"
    return question.priority, fact.subject != "user", -heard if is_doubt else heard, question.id


# --- answers -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judge:
    """Accept or reject what waits."""

    accept: bool


@dataclass(frozen=True, slots=True)
class Hold:
    """Say that a value shown still holds."""

    item: Item


@dataclass(frozen=True, slots=True)
class Take:
    """Say that a value shown holds no longer; ``since`` is the fact from whose start on, None: from now on."""

    item: Item
    since: Fact | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """State a value: it takes the place of what is shown."""

    value: Any


@dataclass(frozen=True, slots=True)
class Void:
    """Say that a statement was never true."""

    item: Item


Step: TypeAlias = Judge | Hold | Take | Put | Void


def settle(asked: Asked, answer: Any, names: Names, zone: str) -> tuple[Step, ...]:
    """Give what an answer means, step by step; raises InvalidValueError for one that means nothing here."""
    about, against, predicate = asked.about, asked.against, asked.predicate
    said = None if _is_choice(answer, predicate) else yes_or_no(answer, predicate)
    if said is None:
        key = parse_value(answer, predicate, names, zone).key
        if (key,) != about.keys:
            return _otherwise(asked, answer, key)
        if not about.states:  # a value that was said to be over, and is named all the same, still holds
            holds = against is not None and (key,) == against.keys
            return (*_no(asked), Hold(against)) if against is not None and holds else _no(asked)
        said = True
    is_of_two = predicate.type == "bool" and not predicate.is_many and asked.question.kind != "due_plan"
    if not said and is_of_two and about.states and not asked.is_past:
        is_true = about.values[0] is True  # what is not true is false: no is the other value
        return _otherwise(asked, not is_true, "false" if is_true else "true")
    return _yes(asked) if said else _no(asked)


def _yes(asked: Asked) -> tuple[Step, ...]:
    if asked.question.kind == "due_for_review":
        return (Hold(asked.about),)
    about, steps = asked.about, list[Step]()
    if not about.is_rival:
        steps.append(Judge(True))
    if asked.against is not None and about.kind is not ClaimKind.REPLACE:
        steps.append(Take(asked.against, about.fact))
    if about.fact.due_for_review and not asked.is_past and about.kind not in (ClaimKind.RETRACT, ClaimKind.DENY):
        # It was said long ago; that it is right was said now, and need not be asked again.
        parts = zip(about.keys, about.values, about.texts, strict=True)
        steps += [Hold(replace(about, keys=(key,), values=(value,), texts=(text,))) for key, value, text in parts]
    return tuple(steps)


def _no(asked: Asked) -> tuple[Step, ...]:
    if asked.question.kind == "due_for_review":
        return (Take(asked.about),)
    return (Void(asked.about),) if asked.about.is_rival else (Judge(False),)


def _otherwise(asked: Asked, value: Any, key: str) -> tuple[Step, ...]:
    """Settle a question by a value that it did not ask about: what holds instead, where only one value can."""
    about, shown, name = asked.about, asked.shown, asked.predicate.name
    if asked.predicate.is_many:
        raise InvalidValueError(
            f"{name} holds several values, so another one answers nothing; answer yes or no, and add the other value "
            "with add_value"
        )
    if about.kind is ClaimKind.DENY or asked.is_past:
        raise InvalidValueError(f"{name}: another value does not tell whether this one ever held; answer yes or no")
    is_shown = shown is not None and (key,) == shown.keys
    instead: Step = Hold(shown) if shown is not None and is_shown else Put(value)
    if asked.question.kind == "due_for_review":
        return (instead,)
    if about.kind is ClaimKind.RETRACT and not is_shown:  # what holds instead tells that it is over indeed
        return (*_yes(asked), instead)
    return (*_no(asked), instead)


def _is_choice(answer: Any, predicate: Predicate) -> bool:
    """Whether an answer is one of the predicate's own choices, such as "no" where these are yes and no."""
    if not isinstance(answer, str) or predicate.choices is None:
        return False
    return comparison_key(answer) in {comparison_key(each) for each in predicate.choices if isinstance(each, str)}


def yes_or_no(answer: Any, predicate: Predicate) -> bool | None:
    """Tell whether an answer is a plain yes (True) or no (False), in whatever case and with whatever stop; else None.

    True and False are, too, unless the attribute itself is true or false: then they are its value.
    """
    if isinstance(answer, bool):
        return None if predicate.type == "bool" else answer
    if not isinstance(answer, str):
        return None
    return plain_answer(answer.strip(" .!,;…。！\n\t"))

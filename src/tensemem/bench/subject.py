"""The memory under test, told and asked through its public verbs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ConflictError, InvalidValueError
from ..memory import Memory
from ..model.fact import Fact, FactStatus
from ..model.operation import Message
from ..ports import Clock
from .cases import Amend, AsOf, Conversation, Current, Never, Past, Say, Span, Target, Write
from .judging import Names, as_values
from .systems import Answer

USER = "ann"
PATIENCE = 600.0
"""Seconds a settling may take; only a model that is asked over a network needs any."""

_TAG = re.compile(r"\btensemem-[0-9a-f]{6}\b")
_ANY_TAG = "tensemem-2f6e54"

_HELD_ONCE = frozenset(
    {FactStatus.ACTIVE, FactStatus.SUPERSEDED, FactStatus.RETRACTED, FactStatus.EXPIRED, FactStatus.SCHEDULED}
)
_BECAME_FACT = _HELD_ONCE | {FactStatus.OVERRIDDEN}


class Subject:
    """One memory with one conversation in it; nothing is extracted but by ``settle``."""

    name = "tensemem"

    def __init__(self, conversation: Conversation, extractor: Any, clock: Clock) -> None:
        self._names = Names(conversation.entities)
        self._mem = Memory(
            ":memory:", llm=extractor, clock=clock, tz=conversation.zone, worker=False, durability="process"
        )
        self._recalled = ""
        self.rebuilds = 0
        self.identical = 0
        self.register(conversation.predicates, conversation.entities)

    def register(self, predicates: Mapping[str, Mapping[str, Any]], entities: Mapping[str, Mapping[str, Any]]) -> None:
        """Register predicates and entities. Raises InvalidValueError for what they are not registered with."""
        try:
            for name, definition in predicates.items():
                self._mem.register_predicate(name, **{"update": True, **definition})
            for name, definition in entities.items():
                self._mem.register_entity(name, **definition)
        except TypeError as error:
            raise InvalidValueError(f"{name!r} can't be registered: {error}") from None

    def hear(self, says: Sequence[Say]) -> list[str]:
        """Log messages, several as one burst; gives their texts, with what was recalled in them."""
        texts = [self._text(say) for say in says]
        messages = [
            Message(USER, text, role=say.role, said_at=say.at, speaker=say.speaker)
            for say, text in zip(says, texts, strict=True)
        ]
        if len(messages) == 1:
            one = messages[0]
            self._mem.add(USER, one.content, role=one.role, said_at=one.said_at, speaker=one.speaker)
        else:
            list(self._mem.add_many(messages))
        return texts

    def _text(self, say: Say) -> str:
        if not say.recall:
            return say.text
        if say.recall != "again":
            self._recalled = self._mem.context(USER).text
        if say.recall == "bare":
            self._recalled = "\n".join(line for line in self._recalled.splitlines() if line.startswith("- "))
        return f"{self._recalled}\n{say.text}"

    def settle(self) -> None:
        """Extract what waits. Raises ExtractorUnavailable where the extractor can't be reached."""
        self._mem.flush(USER, timeout=PATIENCE)

    def write(self, written: Write) -> None:
        """Write operations as one entry."""
        self._mem.write(USER, written.operations, said_at=written.at)

    def amend(self, amended: Amend) -> bool:
        """Correct, reinstate or review; tells whether there was anything of the kind."""
        found = self._find(amended.target, amended.verb)
        if found is None:
            return False
        verb = getattr(self._mem, amended.verb)
        try:
            verb(found, user_id=USER, said_at=amended.at, **amended.options)
        except ConflictError:
            return False  # what an extractor did not propose can't be taken back either
        return True

    def _find(self, target: Target, verb: str) -> str | None:
        history = self._mem.history(USER, target.predicate, subject=target.subject)
        if target.statement is not None:
            statements = [one for one in history.retractions if one.kind == target.statement]
            fitting = [one.id for one in statements if target.value is None or self._is_of(target, one.value)]
            return fitting[-1] if fitting else None
        facts = [fact for fact in history.facts if self._is_of(target, fact.value)]
        if target.on is not None:
            then = self._mem.state(USER, at=target.on, predicates=[target.predicate], subject=target.subject)
            held = {fact.id for fact in then.facts}
            facts = [fact for fact in facts if fact.id in held]
        ranked = sorted(facts, key=lambda fact: _RANKS[verb].get(fact.status, 0))
        return ranked[-1].id if ranked else None

    def _is_of(self, target: Target, value: Any) -> bool:
        return self._names.same(target.value, value)

    def rebuild(self) -> None:
        """Fold the log anew."""
        self.rebuilds += 1
        self.identical += self._mem.rebuild(USER).identical

    @property
    def claims_current(self) -> bool:
        """Whether a read says that it is current."""
        return self._mem.state(USER).freshness.is_current

    @property
    def is_settled(self) -> bool:
        """Whether no message waits and none was given up."""
        return not self._mem.jobs(USER)

    def current(self, asked: Current, question: str) -> Answer:
        """Tell what holds now."""
        state = self._mem.state(USER, predicates=[asked.predicate], subject=asked.subject)
        return Answer(
            text=self.told(question),
            values=tuple(fact.value for fact in state.facts),
            contested=any(fact.contested for fact in state.facts),
            held=tuple(fact.value for fact in state.candidates),
            planned=tuple(fact.value for fact in state.planned),
        )

    def told(self, question: str) -> str:
        """Give the text for a prompt, with a tag that is the same in every run: how long it is must not be chance."""
        return _TAG.sub(_ANY_TAG, self._mem.context(USER, question).text)

    def past(self, asked: Past) -> list[Span]:
        """Tell what held when."""
        facts = self._facts(asked.predicate, asked.subject, _HELD_ONCE)
        return [Span(fact.value, fact.valid_from, fact.valid_to) for fact in facts]

    def as_of(self, asked: AsOf) -> tuple[Any, ...]:
        """Tell what held at a moment."""
        found = self._mem.get(USER, asked.predicate, subject=asked.subject, at=asked.at, known_at=asked.known_at)
        return as_values(found)

    def ever(self, asked: Never) -> bool:
        """Tell whether something is, or was, a fact."""
        facts = self._facts(asked.predicate, asked.subject, _BECAME_FACT)
        return any(asked.value is None or self._names.same(asked.value, fact.value) for fact in facts)

    def _facts(self, predicate: str, subject: str, statuses: frozenset[FactStatus]) -> list[Fact]:
        history = self._mem.history(USER, predicate, subject=subject)
        return [fact for fact in history.facts if fact.status in statuses]

    def close(self) -> None:
        """Close the memory."""
        self._mem.close()


_RANKS: dict[str, dict[FactStatus, int]] = {
    "correct": {FactStatus.ACTIVE: 3, FactStatus.SCHEDULED: 2, FactStatus.CORRECTED: -1, FactStatus.DENIED: -1},
    "reinstate": {FactStatus.CORRECTED: 1},
    "review": {FactStatus.CANDIDATE: 2, FactStatus.PLANNED: 1},
}
"""Which of several facts a verb means: the one of the highest rank, the latest among equals."""

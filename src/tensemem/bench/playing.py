"""One conversation, played to a memory and to the baselines beside it, in a chosen manner."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from ..errors import TensememError
from ..extract.calling import CallableExtractor
from .cases import Amend, Ask, Conversation, Rebuild, Register, Say, Step, Write
from .extracting import Overheard, Script
from .subject import Subject
from .systems import Baseline

Order: TypeAlias = Literal["written", "shuffled"]
Pace: TypeAlias = Literal["single", "burst"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How messages come: as written or shuffled, one by one or in bursts, each waited for or not.

    What is shuffled stands between two steps whose place matters: a question, a correction, recalled text. Everything
    of such a stretch is said at its own time, and arrives in another order.
    """

    order: Order = "written"
    pace: Pace = "single"
    wait: bool = True
    seed: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether everything is known as soon as it is said: then questions about what was known when make sense."""
        return self == Manner(seed=self.seed)

    def __str__(self) -> str:
        pace = "one by one" if self.pace == "single" else "in bursts"
        return f"{self.order}, {pace}, {'waited for' if self.wait else 'not waited for'}"


class Hands:
    """A clock that stands where it is set."""

    def __init__(self) -> None:
        self.now = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def set(self, now: datetime) -> None:
        """Set it; it never goes back."""
        self.now = max(self.now, now)


Asked = Callable[[Ask], None]
Glanced = Callable[[], None]


class Player:
    """Plays the steps of a conversation; ``ask`` is called where it has questions, ``glance`` while a message waits."""

    def __init__(
        self,
        conversation: Conversation,
        extractor: CallableExtractor | None,
        baselines: Sequence[Baseline],
        manner: Manner,
    ) -> None:
        self.conversation = conversation
        self.baselines = baselines
        self._manner = manner
        self._hands = Hands()
        self._hands.set(_time_of(conversation.steps[0]))
        self._overheard = Overheard(Script(conversation) if extractor is None else extractor)
        self._waiting: list[Say] = []
        self.subject = Subject(conversation, self._overheard, self._hands)
        self.missed: list[Amend] = []

    def play(self, ask: Asked, glance: Glanced) -> None:
        """Take every step. Raises the library's errors, with the conversation's place."""
        try:
            for part in _parts(self.conversation.steps):
                self._take(part, ask, glance)
        except TensememError as error:
            error.add_note(f"in the conversation {self.conversation.id} ({self.conversation.place})")
            raise
        finally:
            self.subject.close()

    def _take(self, part: Sequence[Step], ask: Asked, glance: Glanced) -> None:
        if all(isinstance(step, Say | Write) for step in part):
            self._hear(self._arranged(part), glance)
            self._settle()
            return
        for step in part:
            self._hands.set(_time_of(step))
            self._do(step, ask)

    def _arranged(self, part: Sequence[Step]) -> list[Say | Write]:
        steps = [step for step in part if isinstance(step, Say | Write)]
        if self._manner.order == "shuffled":
            random.Random(f"{self._manner.seed} {self.conversation.id} {steps[0].at}").shuffle(steps)
        if self._manner.order == "shuffled" or self._manner.pace == "burst":
            self._hands.set(max(step.heard for step in steps))
        return steps

    def _hear(self, steps: Sequence[Say | Write], glance: Glanced) -> None:
        for group in _bursts(steps) if self._manner.pace == "burst" else ([step] for step in steps):
            self._hands.set(max(step.heard for step in group))
            if isinstance(group[0], Write):
                self._write(group[0])
                continue
            says = [step for step in group if isinstance(step, Say)]
            texts = self.subject.hear(says)
            for say, text in zip(says, texts, strict=True):
                self._waiting.append(say)
                for baseline in self.baselines:
                    baseline.hear(say, text)
            if any(say.role == "user" and not say.recall for say in says):
                glance()
            if self._manner.wait:
                self._settle()

    def _write(self, step: Write) -> None:
        self.subject.write(step)
        for baseline in self.baselines:
            baseline.write(step)

    def _settle(self) -> None:
        """Let everything that waits be extracted; the baselines learn the same. What has no answer goes on waiting."""
        self.subject.settle()
        answered = [say for say in self._waiting if not self._overheard.is_unanswered(say)]
        self._waiting = [say for say in self._waiting if self._overheard.is_unanswered(say)]
        for say in answered:
            operations = self._overheard.proposed(say)
            for baseline in self.baselines:
                baseline.learn(operations)

    def _do(self, step: Step, ask: Asked) -> None:
        match step:
            case Amend():
                if not self.subject.amend(step):
                    self.missed.append(step)
                for baseline in self.baselines:
                    baseline.amend(step)
            case Register():
                self.subject.register(step.predicates, step.entities)
            case Rebuild():
                self.subject.rebuild()
            case Ask():
                ask(step)


def _time_of(step: Step) -> datetime:
    return step.heard if isinstance(step, Say | Write) else step.at


def _parts(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Give stretches of messages and writes whose order does not matter, and what stands between them."""
    part: list[Step] = []
    for step in steps:
        is_free = isinstance(step, Write) or (isinstance(step, Say) and not step.recall)
        if not is_free and part:
            yield part
            part = []
        if is_free:
            part.append(step)
        else:
            yield [step]
    if part:
        yield part


def _bursts(steps: Sequence[Say | Write]) -> Iterator[list[Say | Write]]:
    """Give messages that come together, and each write by itself."""
    burst: list[Say | Write] = []
    for step in steps:
        if isinstance(step, Say):
            burst.append(step)
            continue
        if burst:
            yield burst
            burst = []
        yield [step]
    if burst:
        yield burst

"""A memory of its own for a trial: messages go in, are extracted, and what came of them is read back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ExtractorUnavailable
from ..memory import Memory
from ..model.fact import Evidence, Fact
from ..model.operation import Message
from ..model.results import ScopeInfo

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0 where that is not known)."""

_NO_END = 10.0**8
_QUOTES = 3
"""Quotes kept of a fact: the first two and the newest."""


@dataclass
class Played:
    """A memory while it is filled and read: where each message stands in the sources, and what events told."""

    mem: Memory
    progress: Progress
    places: dict[str, dict[int, str]] = field(default_factory=dict)
    with_operations: list[tuple[str, int]] = field(default_factory=list)
    extracted: int = 0
    unanswered: set[tuple[str, int]] = field(default_factory=set)
    waiting: int = 0
    redactions: dict[str, int] = field(default_factory=dict)
    stopped: str = ""

    def __post_init__(self) -> None:
        self.mem.on(self._hear)

    def add(self, messages: Iterable[tuple[Message, str]]) -> Iterator[bool]:
        """Log messages, each with its place; tells of each whether it was known already."""
        ahead: deque[tuple[str, str]] = deque()

        def given() -> Iterator[Message]:
            for message, place in messages:
                ahead.append((message.user_id, place))
                yield message

        for done, receipt in enumerate(self.mem.add_many(given()), start=1):
            user, place = ahead.popleft()
            self.places.setdefault(user, {}).setdefault(receipt.seq, place)
            for kind, count in receipt.redactions.items():
                self.redactions[kind] = self.redactions.get(kind, 0) + count
            self.progress("logged", done, 0)
            yield receipt.duplicate

    def extract(self) -> None:
        """Have everything extracted that waits, each message once; ``stopped`` says why where that ended early."""
        scopes = [scope for scope in self.scopes() if scope.pending]
        self.waiting = self.extracted + sum(scope.pending for scope in scopes)
        try:
            for scope in scopes:
                self.mem.flush(scope.user_id, timeout=_NO_END)
        except ExtractorUnavailable as error:
            self.stopped = str(error)
        except KeyboardInterrupt:
            self.stopped = "interrupted"

    def scopes(self) -> Iterator[ScopeInfo]:
        """Give every user of the memory, in order."""
        after: str | None = None
        while page := self.mem.scopes(limit=500, after=after):
            yield from page
            after = page[-1].cursor

    def history(self, user: str) -> tuple[Fact, ...]:
        """Give every fact of a user, of all subjects."""
        of_all: Any = None  # the verb takes it where its signature names a text
        return self.mem.history(user, subject=of_all).facts

    def place_of(self, user: str, seq: int) -> str:
        """Give where a message stands in its source."""
        return self.places.get(user, {}).get(seq, "")

    def unread(self) -> int:
        """Give how many messages were not reached."""
        return max(0, sum(scope.pending for scope in self.scopes()) - len(self.unanswered))

    def errors(self) -> tuple[str, ...]:
        """Give what was wrong with answers, a few of them."""
        return tuple(dict.fromkeys(job.error for job in self.mem.jobs() if job.error and job.attempts))[:5]

    def _hear(self, event: str, fields: Mapping[str, Any]) -> None:
        if event not in ("extracted", "failed"):
            return
        key = (fields["scope"].user_id, fields["seq"])
        if event == "failed":
            if fields["attempts"]:
                self.unanswered.add(key)
            return
        self.unanswered.discard(key)
        self.extracted += 1
        if fields["operations"]:
            self.with_operations.append(key)
        self.progress("read", self.extracted, self.waiting)


def chosen_evidence(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """Give a few of a fact's statements: its first two and its newest."""
    return evidence if len(evidence) <= _QUOTES else (*evidence[: _QUOTES - 1], evidence[-1])

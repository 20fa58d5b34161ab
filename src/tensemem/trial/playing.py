"""A memory of its own for a trial: messages go in, are extracted, and what came of them is read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ..errors import ExtractorUnavailable
from ..memory import Memory
from ..model.fact import Evidence, Fact
from ..model.operation import Message
from ..model.results import ScopeInfo

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0 where that is not known)."""

_NO_END = 10.0**8
_CHUNK = 1000
"""Messages that are logged before they are read: a queue that stays short is quick."""
_QUOTES = 3
"""Quotes kept of a fact: the first two and the newest."""


@dataclass
class Played:
    """A memory while it is filled and read: where each message stands in the sources, and what events told."""

    mem: Memory
    progress: Progress
    to_read: int = 0
    places: dict[str, dict[int, str]] = field(default_factory=dict)
    with_operations: list[tuple[str, int]] = field(default_factory=list)
    extracted: int = 0
    unanswered: set[tuple[str, int]] = field(default_factory=set)
    not_logged: int = 0
    redactions: dict[str, int] = field(default_factory=dict)
    stopped: str = ""

    def __post_init__(self) -> None:
        self.mem.on(self._hear)

    def play(self, messages: Iterable[tuple[Message, str]]) -> int:
        """Log messages, each with its place, and have them read; gives how many were known already.

        ``stopped`` says why, where the extractor ended it early; what comes behind is counted only.
        """
        coming = iter(messages)
        duplicates = 0
        while chunk := list(islice(coming, _CHUNK)):
            if self.stopped:
                self.not_logged += sum(message.role == "user" for message, _ in chunk)
                continue
            duplicates += self._log(chunk)
            self._read(list(dict.fromkeys(message.user_id for message, _ in chunk)))
        return duplicates

    def _log(self, chunk: Sequence[tuple[Message, str]]) -> int:
        receipts = self.mem.add_many(message for message, _ in chunk)
        duplicates = 0
        for receipt, (message, place) in zip(receipts, chunk, strict=True):
            self.places.setdefault(message.user_id, {}).setdefault(receipt.seq, place)
            for kind, count in receipt.redactions.items():
                self.redactions[kind] = self.redactions.get(kind, 0) + count
            duplicates += receipt.duplicate
        return duplicates

    def _read(self, users: Sequence[str]) -> None:
        try:
            for user in users:
                self.mem.flush(user, timeout=_NO_END)
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
        return max(0, sum(scope.pending for scope in self.scopes()) - len(self.unanswered)) + self.not_logged

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
        self.progress("read", self.extracted, self.to_read)


def chosen_evidence(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """Give a few of a fact's statements: its first two and its newest."""
    return evidence if len(evidence) <= _QUOTES else (*evidence[: _QUOTES - 1], evidence[-1])

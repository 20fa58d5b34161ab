"""One turn of a conversation in one block: what is known, the user's message, the answer.

The context is fresh where every message before this turn's is learnt from: the log knows which those are, in whatever
process they were said. The message itself stands in the conversation, so nothing waits for it. The context's bytes are
a function of the state; what is not learnt from yet is told apart, in ``notice``, so that a provider's prompt cache
hits as long as the state is the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

from ..errors import IdempotencyConflictError, InvalidValueError
from ..model.operation import When
from ..model.results import AddResult, Context
from .tool_calls import lag


@dataclass(frozen=True, slots=True)
class Asked:
    """What a turn was asked for: the scope, the message's options, and the context's."""

    user_id: str
    content: Any
    scope: Mapping[str, Any]
    message: Mapping[str, Any]
    reading: Mapping[str, Any]


@dataclass(slots=True, repr=False)  # so that a slip such as turn.anwser is an error, not an answer lost
class _Turn:
    """What both kinds of turn hold. ``answer`` is logged when the block ends well."""

    _memory: Any
    _asked: Asked
    answer: str | None = None
    _context: Context | None = None
    _receipts: list[AddResult] = field(default_factory=list)
    _has_begun: bool = False

    def __repr__(self) -> str:
        where = f"seq={self._receipts[0].seq}" if self._receipts else "not begun"
        return f"{type(self).__name__}({self._asked.user_id!r}, {where}, answer={self.answer!r})"

    @property
    def context(self) -> Context:
        """What memory knows: fenced text for a prompt (``str(turn.context)``), its facts, and how fresh it is."""
        if self._context is None:
            raise InvalidValueError(_NO_BLOCK)
        return self._context

    @property
    def notice(self) -> str:
        """One line that says what memory has not learnt from yet; "" where the context is current."""
        return lag(self.context.freshness)

    @property
    def seq(self) -> int:
        """Where the user's message stands in the log."""
        return self._begun()[0].seq

    @property
    def min_seq(self) -> int:
        """The last message of this turn: a receipt for reads elsewhere. The next turn needs none, the log knows."""
        return self._begun()[-1].seq

    def _begun(self) -> list[AddResult]:
        if not self._receipts:
            raise InvalidValueError(_NO_BLOCK)
        return self._receipts

    def _begin(self) -> None:
        """Refuse to begin again: the context of a second time would be as of before the first."""
        if self._has_begun:
            raise InvalidValueError("a turn is one turn: ask mem.turn(...) for the next, or to try this one again")
        self._has_begun = True

    def _message(self) -> dict[str, Any]:
        return {**self._asked.scope, **self._asked.message}

    def _reading(self) -> dict[str, Any]:
        receipt = self._receipts[0]  # of a turn that is run again, what was said since counts too
        before = None if receipt.duplicate else min(receipt.seqs, default=self.seq + 1) - 1
        return {**self._asked.scope, **self._asked.reading, "min_seq": before}

    def _reply(self) -> dict[str, Any]:
        kept = {name: self._asked.message[name] for name in ("session_id", "metadata")}
        key = self._asked.message["idempotency_key"]
        reply_key = _key_of_answer(key) if isinstance(key, str) else None
        return {**self._asked.scope, **kept, "role": "assistant", "idempotency_key": reply_key}

    def _has_answer(self, kind: type[BaseException] | None) -> bool:
        """Whether there is an answer to log. Raises InvalidValueError for one that would speak as the user."""
        if kind is not None or self.answer is None:
            return False
        parts: Any = self.answer
        if isinstance(parts, (list, tuple)) and any(isinstance(each, Mapping) and "role" in each for each in parts):
            raise InvalidValueError("turn.answer is what the assistant said: text or parts; log messages with add()")
        return True


_NO_BLOCK = "a turn is used in a with block: with mem.turn(user_id, text) as turn"
_LONGEST_KEY = 505


def _key_of_answer(key: str) -> str:
    """Give the key of the answer to a message, which is no longer than a key may be."""
    if len(key) > _LONGEST_KEY:
        key = hashlib.sha256(key.encode()).hexdigest()
    return f"{key}:answer"


class Turn(_Turn):
    """A turn of a Memory: ``with mem.turn("u1", text) as turn``."""

    __slots__ = ()

    def __enter__(self) -> Self:
        self._begin()
        self._receipts.append(self._memory.add(self._asked.user_id, self._asked.content, **self._message()))
        self._context = self._memory.context(self._asked.user_id, **self._reading())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._has_answer(kind):
            with suppress(IdempotencyConflictError):  # the turn was run before: the answer given then stands
                self._receipts.append(self._memory.add(self._asked.user_id, self.answer, **self._reply()))


class AsyncTurn(_Turn):
    """A turn of an AsyncMemory: ``async with mem.turn("u1", text) as turn``."""

    __slots__ = ()

    @classmethod
    def of(cls, turn: Turn) -> Self:
        """Make it of a plain one that has not begun."""
        return cls(turn._memory, turn._asked)

    async def __aenter__(self) -> Self:
        self._begin()
        self._receipts.append(await self._memory.add(self._asked.user_id, self._asked.content, **self._message()))
        self._context = await self._memory.context(self._asked.user_id, **self._reading())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._has_answer(kind):
            with suppress(IdempotencyConflictError):
                self._receipts.append(await self._memory.add(self._asked.user_id, self.answer, **self._reply()))


class Turning:
    """The verb that gives turns; like ``for_user`` it reads and writes nothing itself."""

    def turn(
        self, user_id: str, content: Any, *, session_id: str | None = None, speaker: str | None = None,
        query: str | None = None, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        wait: float | bool | None = None, on_stale: Literal["flag", "raise"] = "flag", said_at: When | None = None,
        source: str | None = None, metadata: Mapping[str, Any] | None = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> Turn:  # fmt: skip
        """Give one turn of a conversation, for a ``with`` block (``async with`` for an AsyncMemory).

        The block begins by logging the user's message and reading ``turn.context``; set ``turn.answer`` in it, and the
        assistant's words are logged when it ends well. It is used once. The context is what ``context`` gives, with
        the same arguments: as of the messages before this one, which ``wait`` waits for. ``turn.notice`` says what it
        lags behind. ``idempotency_key`` is for both messages, so a turn that is run again is one turn; an answer
        logged before stands. Raises as ``add`` and ``context`` do.
        """
        scope = {"agent_id": agent_id, "namespace": namespace}
        message = {
            "session_id": session_id, "speaker": speaker, "said_at": said_at, "source": source, "metadata": metadata,
            "idempotency_key": idempotency_key,
        }  # fmt: skip
        reading = {
            "query": query, "max_tokens": max_tokens, "format": format, "include_history": include_history,
            "wait": wait, "on_stale": on_stale,
        }  # fmt: skip
        return Turn(self, Asked(user_id, content, scope, message, reading))

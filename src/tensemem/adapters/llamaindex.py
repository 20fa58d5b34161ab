"""A memory block for LlamaIndex: what holds now stands in the prompt, what is said is logged and learnt from.

    memory = TensememMemory.from_defaults(session_id="s1", memory_blocks=[TensememBlock(mem, "u1")])

LlamaIndex hands messages to its blocks only when they fall out of its short-term memory, which may be never.
``TensememMemory`` is its memory with one difference: the blocks of this module are handed each message at once.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from ..aio import AsyncMemory
from ..engine.freshness import wait_seconds
from ..memory import Memory
from ..model.results import AddResult, Context
from ..verbs.tool_calls import lag
from ._awaiting import AwaitedScope
from ._extras import missing

try:
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.memory import Memory as LlamaMemory
    from llama_index.core.tools import FunctionTool
    from llama_index.core.utils import get_tokenizer
except ImportError as error:
    raise missing("llamaindex", error) from error

ROLES = {
    "user": "user", "assistant": "assistant", "chatbot": "assistant", "model": "assistant", "system": "system",
    "developer": "system", "tool": "tool", "function": "tool",
}  # fmt: skip
"""The roles of LlamaIndex as the log knows them."""
_KEY = "tensemem_key"
_asked: ContextVar[tuple[str | None, str | None]] = ContextVar("tensemem_llamaindex_asked", default=(None, None))
"""The query and the session of the prompt being made: truncating has no argument for them."""


class TensememBlock(BaseMemoryBlock[str]):
    """What is known of one user, as a block of LlamaIndex's memory.

    ``max_tokens`` is the context's budget in the tokens of the open memory; ``wait`` (seconds, or True) lets it wait
    until what was said is learnt from. ``priority=0`` makes LlamaIndex keep it whole; otherwise it may ask for fewer
    tokens. ``accept_short_term_memory=False`` logs nothing but what ``log`` is given. Raises InvalidValueError and
    InvalidScopeError.
    """

    name: str = "tensemem"
    priority: int = 1
    max_tokens: int | None = None
    include_history: bool = False
    wait: float | bool | None = 2.0
    _scope: Any = PrivateAttr()
    _before: dict[str | None, int | None] = PrivateAttr(default_factory=dict)

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        user_id: str,
        *,
        agent_id: str = "",
        namespace: str | None = None,
        name: str = "tensemem",
        description: str | None = "What is known about the user now",
        priority: int = 1,
        accept_short_term_memory: bool = True,
        max_tokens: int | None = None,
        include_history: bool = False,
        wait: float | bool | None = 2.0,
    ) -> None:
        wait_seconds(wait)  # refuses what is none, here and not in the middle of a conversation
        super().__init__(
            name=name, description=description, priority=priority, accept_short_term_memory=accept_short_term_memory,
            max_tokens=max_tokens, include_history=include_history, wait=wait,
        )  # fmt: skip
        self._scope = AwaitedScope(memory, user_id, agent_id, namespace)

    def tools(self, *, read_only: bool = False) -> list[Any]:
        """Give the memory's tools for an agent: get, history, why, search, set, correct, retract."""
        return [FunctionTool.from_defaults(fn=function) for function in self._scope.tools(read_only=read_only)]

    async def log(
        self, messages: Sequence[Any], *, session_id: str | None = None, idempotency_key: str | None = None
    ) -> AddResult | None:
        """Log chat messages with their roles, all or none; gives the receipt, None where they hold no text.

        Given the same ``idempotency_key`` again, they are those logged before. Raises as ``add`` of the memory does.
        """
        told = list(_told(messages))
        receipt = await self._added(told, session_id=session_id, idempotency_key=idempotency_key)
        if receipt is not None:
            # A user's message being answered stands in the conversation: no prompt waits for it to be learnt from.
            # Of one that was logged before, what was said since counts too.
            is_asked = told[-1]["role"] == "user" and not receipt.duplicate
            self._before[session_id] = receipt.seqs[-1] - 1 if is_asked else None
        return receipt

    async def _aget(self, messages: Sequence[Any] | None = None, **block_kwargs: Any) -> str:
        """Give the context, and what it lags behind; "" where there is nothing to say."""
        query = next((each.content for each in reversed(messages or ()) if ROLES.get(each.role) == "user"), None)
        _asked.set((query, block_kwargs.get("session_id")))
        return await self._text(self.max_tokens)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Say less, by so many of LlamaIndex's tokens, and say that it is less; None where nothing would be left.

        The context is made anew with a smaller budget: what answers the user's message is kept, and no line is cut.
        """
        count = get_tokenizer()
        goal = budget = len(count(content)) - tokens_to_truncate
        while budget > 0:
            text = await self._text(budget)
            surplus = len(count(text)) - goal
            if surplus <= 0:
                return text or None
            budget -= surplus
        return None

    async def _aput(self, messages: Sequence[Any]) -> None:
        """Log messages that fell out of the short-term memory, each once however often they are handed over.

        They are copies that nothing else reads, so that what they are known by can stand in them.
        """
        for message in messages:
            if "session_id" in message.additional_kwargs:
                message.additional_kwargs.setdefault(_KEY, uuid.uuid4().hex)
        await self._added(list(_told(messages)))

    async def _added(self, told: Sequence[Any], **keywords: Any) -> AddResult | None:
        return (await self._scope.do("add", told, **keywords)) if told else None

    async def _text(self, budget: int | None) -> str:
        query, session_id = _asked.get()
        found: Context = await self._scope.do(
            "context", query, max_tokens=budget, include_history=self.include_history, wait=self.wait,
            min_seq=self._before.get(session_id),
        )  # fmt: skip
        return "\n".join(filter(None, (found.text, lag(found.freshness))))


class TensememMemory(LlamaMemory):
    """LlamaIndex's memory, whose ``TensememBlock`` blocks are handed each message as it is put.

    Made as its parent is: ``from_defaults``, or the constructor. What falls out of the short-term memory is not
    handed to these blocks a second time.
    """

    def model_post_init(self, context: Any, /) -> None:
        """Keep the blocks from what they will have been handed already."""
        super().model_post_init(context)
        for block in self._blocks():
            block.accept_short_term_memory = False

    async def aput(self, message: Any) -> None:
        """Put a message into the conversation, and log it. Raises as ``TensememBlock.log`` does."""
        await super().aput(message)
        await self._log([message])

    async def aput_messages(self, messages: Sequence[Any]) -> None:
        """Put messages into the conversation, and log them. Raises as ``TensememBlock.log`` does."""
        await super().aput_messages(messages)
        await self._log(messages)

    async def _log(self, messages: Sequence[Any]) -> None:
        for block in self._blocks():
            await block.log(messages, session_id=self.session_id)

    def _blocks(self) -> list[TensememBlock]:
        return [block for block in self.memory_blocks if isinstance(block, TensememBlock)]


def _told(messages: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for message in messages:
        text = (message.content or "").strip()
        if text:
            extra = message.additional_kwargs
            yield {
                "role": ROLES[message.role], "content": text,
                "session_id": extra.get("session_id"), "idempotency_key": extra.get(_KEY),
            }  # fmt: skip

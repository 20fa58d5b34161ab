"""A context provider for the Microsoft Agent Framework: what holds now is in the instructions, what is said is logged.

    agent = Agent(client=..., context_providers=[TensememProvider(memory, "u1")])

Before a run the provider adds the context and the memory's tools; after it the exchange goes to the log, where the
memory's own extractor reads it. What it lags behind, and which facts were shown, stands in the session's state.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from ..aio import AsyncMemory
from ..engine.freshness import wait_seconds
from ..errors import InvalidValueError
from ..memory import Memory
from ..model.results import AddResult, Context
from ..verbs.tool_calls import lag
from ._awaiting import AwaitedScope
from ._extras import missing
from ._metadata import freshness_metadata

try:
    from agent_framework import ContextProvider, tool
except ImportError as error:
    raise missing("agent-framework", error) from error

ROLES = ("user", "assistant", "system", "tool")


class TensememProvider(ContextProvider):
    """What is known of one user, for the agent that this user talks to.

    ``source_id`` names the provider in the framework, and its part of ``session.state``. ``max_tokens`` is the
    context's budget; ``wait`` (seconds, or True) lets a run wait until what was said before is learnt from.
    ``tools=False`` offers none; ``writable=False`` logs nothing and offers none that write. Raises InvalidValueError
    and InvalidScopeError.
    """

    after_run_once_per_turn = True
    """In a loop of runs the user has spoken once: what the framework says in the user's place is not logged."""

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        user_id: str,
        *,
        agent_id: str = "",
        namespace: str | None = None,
        source_id: str = "tensemem",
        max_tokens: int | None = None,
        include_history: bool = False,
        wait: float | bool | None = 2.0,
        tools: bool = True,
        writable: bool = True,
    ) -> None:
        if not source_id:
            raise InvalidValueError("source_id must not be empty: the session's state has a part of that name")
        wait_seconds(wait)  # refuses what is none, here and not in the middle of a conversation
        super().__init__(source_id)
        self._scope = AwaitedScope(memory, user_id, agent_id, namespace)
        self._reading = {"max_tokens": max_tokens, "include_history": include_history, "wait": wait}
        self._offers_tools = tools
        self._writable = writable

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:  # noqa: ARG002
        """Add what is known to the instructions, and the memory's tools; say in the state what was shown."""
        query = next((each.text for each in reversed(context.input_messages) if each.role == "user"), None)
        found: Context = await self._scope.do("context", query, **self._reading)
        context.extend_instructions(self.source_id, [part for part in (found.text, lag(found.freshness)) if part])
        if self._offers_tools:
            made = await self._scope.do("tools", "callables", read_only=not self._writable)
            context.extend_tools(self.source_id, [tool(function, result_parser=str) for function in made])
        state["version"] = found.version
        state["freshness"] = freshness_metadata(found.freshness)
        state["fact_ids"] = [fact.id for fact in found.facts_used]

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:  # noqa: ARG002
        """Log what the user said and what was answered, all or none, once; the state's ``seq`` is the receipt.

        Messages that were answered before, as applications send them that keep the history themselves, are not new.
        """
        if not self._writable:
            return
        run = context.metadata.setdefault(f"{self.source_id}:run", uuid.uuid4().hex)
        answers = [] if context.response is None else context.response.messages
        new = [*_unanswered(context.input_messages), *(each for each in answers if each.role != "user")]
        told = [
            {"role": role, "content": text, "idempotency_key": f"{_name(context, message, run, place)}:{_digest(text)}"}
            for place, message in enumerate(new)
            for role, text in _told(message)
        ]
        if told:
            receipt: AddResult = await self._scope.do("add", told, session_id=context.session_id)
            state["seq"] = receipt.seq


def _unanswered(messages: Sequence[Any]) -> Sequence[Any]:
    """Give the messages behind the last one of the assistant."""
    for place in range(len(messages), 0, -1):
        if messages[place - 1].role == "assistant":
            return messages[place:]
    return messages


def _told(message: Any) -> Iterator[tuple[str, str]]:
    """Give what a message says, by whom: its own text, and what tools answered."""
    text = message.text.strip()
    if text and message.role in ROLES:
        yield message.role, text
    results = [content.result for content in message.contents if content.type == "function_result"]
    answered = "\n".join(result for result in results if isinstance(result, str) and result)
    if answered:
        yield "tool", answered


def _name(context: Any, message: Any, run: str, place: int) -> str:
    """Name a message by its own id within the session, or else by the run and its place in it."""
    own = f"{context.session_id}:{message.message_id}" if message.message_id else f"{run}:{place}"
    return f"agent-framework:{message.role}:{own}"


def _digest(text: str) -> str:
    """Tell texts apart that bear one name: services give one id to several messages of an answer."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]

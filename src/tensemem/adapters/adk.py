"""Google ADK's memory service over a state memory, and the memory's tools for its agents.

    Runner(app_name=..., agent=..., session_service=..., memory_service=TensememMemoryService(mem))

A session's events are logged as messages with their roles; a search gives what holds now before what was said. See
`docs/how-to/use-with-adk.md`.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..aio import AsyncMemory
from ..core.lines import rendered_lines_of
from ..errors import ContentTooLargeError, IdempotencyConflictError, InvalidValueError
from ..logs import Log
from ..memory import Memory
from ..model.fact import Fact, FactStatus
from ..model.results import SearchHit, State
from ..verbs.tool_calls import SOURCE, lag
from ._extras import missing

try:
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.adk.tools.base_toolset import BaseToolset
    from google.adk.tools.function_tool import FunctionTool
    from google.genai.types import Content, Part
except ImportError as error:
    raise missing("adk", error) from error

__all__ = ["TensememMemoryService", "TensememToolset"]

log = Log("adapters.adk")
MAX_FACTS = 50
MAX_EPISODES = 10
_EPISODE = "episode-"


class TensememMemoryService(BaseMemoryService):
    """A memory service over an open ``Memory`` (worked in threads) or ``AsyncMemory``.

    The scope is the user and, as agent, the app; ``by_app=False`` lets all apps share what they know of a user.
    ``max_facts`` and ``max_episodes`` bound what a search gives. Raises as the memory's verbs do.
    """

    def __init__(
        self, memory: Memory | AsyncMemory, *, by_app: bool = True, namespace: str | None = None,
        max_facts: int = MAX_FACTS, max_episodes: int = MAX_EPISODES,
    ) -> None:  # fmt: skip
        self._memory, self._by_app, self._namespace = memory, by_app, namespace
        self._max_facts, self._max_episodes = max_facts, max_episodes

    async def add_session_to_memory(self, session: Session) -> None:
        """Log the events of a session that are not logged yet."""
        await self._log(session.app_name, session.user_id, session.events, session.id, {})

    async def add_events_to_memory(
        self, *, app_name: str, user_id: str, events: Sequence[Event], session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        """Log events that are not logged yet; an event is known by its id. The metadata is kept with each."""
        await self._log(app_name, user_id, events, session_id, custom_metadata or {})

    async def add_memory(
        self, *, app_name: str, user_id: str, memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        """Write memories: one whose metadata names a ``predicate`` states a fact, another is kept as what was said.

        ``value`` (else the text) and ``subject`` are read from the metadata too. What is kept as said is learnt from
        where its author is the user.
        """
        scope = self._scope(app_name, user_id)
        for entry in memories:
            metadata = {**(custom_metadata or {}), **entry.custom_metadata}
            text = _text_of(entry.content)
            if "predicate" in metadata:
                value, subject = metadata.get("value", text), metadata.get("subject", "user")
                await scope.ask(
                    "set", metadata["predicate"], value, subject=subject, source=SOURCE,
                    said_at=entry.timestamp,
                )  # fmt: skip
            elif text:
                role = "user" if entry.author == "user" else "assistant"
                await scope.ask("add", text, role=role, said_at=entry.timestamp, metadata=metadata or None)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Give what holds now, what the query asks for first, then what is planned or in doubt, then what was said.

        A last entry says what memory lags behind, if anything. ``custom_metadata`` of a fact has its predicate,
        value, status and valid time, whether it is contested or due for review, and of the state its version, whether
        it is current, and what it lags behind.
        """
        scope = self._scope(app_name, user_id)
        state = await scope.ask("state")
        hits = await scope.ask("search", query, limit=self._max_facts + self._max_episodes) if query.strip() else ()
        asked = {hit.fact.id for hit in hits if hit.fact is not None}
        facts = sorted(state.facts, key=lambda fact: fact.id not in asked)
        shown = [*facts, *state.planned, *state.candidates][: self._max_facts]
        said = [hit for hit in hits if hit.fact is None][: self._max_episodes]
        entries = [*(_fact_entry(fact, state) for fact in shown), *map(_episode_entry, said)]
        if behind := lag(state.freshness):
            entries.append(_lag_entry(behind, state))
        return SearchMemoryResponse(memories=entries)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Say that a fact no longer holds, or reject one that was only proposed; the log keeps it.

        Raises UnknownFactError for an id that is none of this user's, InvalidValueError for an episode.
        """
        if not memory_id:
            return
        if memory_id.startswith(_EPISODE):
            raise InvalidValueError("What was said stays in the log; facts that rest on it can be corrected.")
        scope = self._scope(app_name, user_id)
        fact = (await scope.ask("explain", memory_id)).fact
        if fact.status in (FactStatus.CANDIDATE, FactStatus.PLANNED):
            await scope.ask("review", memory_id, False, source=SOURCE)
        else:
            await scope.ask("retract", fact.predicate, fact.value, subject=fact.subject, source=SOURCE)

    def _scope(self, app_name: str, user_id: str) -> _Scope:
        return _Scope(self._memory, user_id, app_name if self._by_app else "", self._namespace)

    async def _log(
        self, app_name: str, user_id: str, events: Iterable[Event], session_id: str | None, metadata: Mapping[str, Any]
    ) -> None:
        scope = self._scope(app_name, user_id)
        for event in events:
            text = _text_of(event.content)
            if not text or event.partial:
                continue
            try:
                await scope.ask(
                    "add", text, role="user" if event.author == "user" else "assistant", session_id=session_id,
                    said_at=datetime.fromtimestamp(event.timestamp, UTC), idempotency_key=f"adk:{event.id}",
                    metadata={**metadata, "author": event.author},
                )  # fmt: skip
            except IdempotencyConflictError:
                log.tell("logged already", "an event is logged already, with another session or text; the first stands")
            except (InvalidValueError, ContentTooLargeError) as error:  # those behind it are logged all the same
                log.failure("left out", "an event is left out", error=error, level=logging.WARNING)


class TensememToolset(BaseToolset):
    """The memory's tools (get, history, why, correct, ...) for an ADK agent, each pinned to the user it runs for.

    ``read_only=True`` leaves out those that write. Give the same ``by_app`` as to the service.
    """

    def __init__(
        self, memory: Memory | AsyncMemory, *, by_app: bool = True, namespace: str | None = None,
        read_only: bool = False, tool_filter: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(tool_filter=tool_filter)
        self._memory, self._by_app, self._namespace, self._read_only = memory, by_app, namespace, read_only

    async def get_tools(self, readonly_context: Any = None) -> list[Any]:
        """Give the tools for the user of a run; none outside of a run."""
        if readonly_context is None:
            return []
        session = readonly_context.session
        scope = _Scope(self._memory, session.user_id, session.app_name if self._by_app else "", self._namespace)
        functions = await scope.ask("tools", "callables", read_only=self._read_only)
        tools = [FunctionTool(_awaited(function)) for function in functions]
        return [tool for tool in tools if self._is_tool_selected(tool, readonly_context)]


class _Scope:
    """The verbs of a memory bound to a scope, all to be awaited."""

    def __init__(self, memory: Memory | AsyncMemory, user_id: str, agent_id: str, namespace: str | None) -> None:
        self._bound: Any = memory.for_user(user_id, agent_id=agent_id, namespace=namespace)
        self._is_awaited = isinstance(memory, AsyncMemory)

    async def ask(self, verb: str, *args: Any, **keywords: Any) -> Any:
        called = getattr(self._bound, verb)
        if self._is_awaited:
            return await called(*args, **keywords)
        return await asyncio.to_thread(called, *args, **keywords)


def _awaited(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function that does not block the loop, with the same name, signature and docstring."""
    if inspect.iscoroutinefunction(function):
        return function

    @functools.wraps(function)
    async def called(*args: Any, **keywords: Any) -> Any:
        return await asyncio.to_thread(function, *args, **keywords)

    return called


def _text_of(content: Content | None) -> str:
    """Give the words of a content, without the model's thoughts, calls of tools and files."""
    parts = (content.parts if content is not None else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()


def _fact_entry(fact: Fact, state: State) -> MemoryEntry:
    # Written as context() writes it, so that a model that repeats it teaches memory nothing.
    line = rendered_lines_of(fact, fact.predicate in state.many)[0].removeprefix("- ")
    unsure = "Unconfirmed, ask the user: " if fact.status is FactStatus.CANDIDATE else ""
    return MemoryEntry(
        id=fact.id, author="memory", timestamp=fact.last_evidence_at.isoformat(),
        content=Content(role="user", parts=[Part(text=unsure + line)]),
        custom_metadata={
            "kind": "fact", "subject": fact.subject, "predicate": fact.predicate, "value": fact.value,
            "status": fact.status.value, "valid_from": _iso(fact.valid_from), "valid_to": _iso(fact.valid_to),
            "contested": fact.contested, "due_for_review": fact.due_for_review, "source": fact.source,
            "version": state.version, "is_current": state.freshness.is_current, "lag": lag(state.freshness),
        },
    )  # fmt: skip


def _lag_entry(behind: str, state: State) -> MemoryEntry:
    """What the memory lags behind, in words, for a model is shown the text of entries only."""
    return MemoryEntry(
        id="lag", author="memory", content=Content(role="user", parts=[Part(text=behind)]),
        custom_metadata={"kind": "lag", "version": state.version, "is_current": False},
    )  # fmt: skip


def _episode_entry(hit: SearchHit) -> MemoryEntry:
    mark = " (corrected since: not true)" if hit.corrected else ""
    return MemoryEntry(
        id=f"{_EPISODE}{hit.seq}", author=hit.role, timestamp=_iso(hit.said_at),
        content=Content(role="user" if hit.role == "user" else "model", parts=[Part(text=hit.text + mark)]),
        custom_metadata={"kind": "episode", "seq": hit.seq, "corrected": hit.corrected},
    )  # fmt: skip


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()

"""A memory store for Strands: what holds now is injected and searched, what is said is logged and learnt from.

    agent = Agent(model=..., memory_manager=MemoryManager(stores=[TensememStore(memory, "u1")]))

Strands asks a store for entries and hands it messages. Here an entry is one line of the context, with the fact's id,
validity and freshness as metadata, and the messages go to the log, where the memory's own extractor reads them.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..aio import AsyncMemory
from ..core.formats import TITLES
from ..engine.freshness import wait_seconds
from ..errors import InvalidValueError, ReadOnlyError
from ..memory import Memory
from ..model.results import AddResult, Context, SearchHit
from ..verbs.tool_calls import lag
from ._awaiting import AwaitedScope
from ._extras import missing
from ._metadata import fact_metadata, freshness_metadata

try:
    from strands import tool
    from strands.memory import InvocationTrigger, MemoryEntry, MemoryStore
except ImportError as error:
    raise missing("strands", error) from error

DESCRIPTION = "What is known about the user now: current values with their dates, plans, and what is in doubt."
AFTER_EACH_INVOCATION: Any = {"trigger": InvocationTrigger()}
"""When messages are logged, unless something else is asked for. Strands' own default is every fifth invocation."""


class TensememStore(MemoryStore):
    """What Strands calls a memory store, over one scope of an open memory. Make one for each agent.

    ``max_search_results`` is how many entries a search gives where nobody says a number. ``writable=False`` logs
    nothing and offers no tools that write. ``extraction`` is when messages are logged, in Strands' own form.
    ``session_id`` labels the messages. ``wait`` (seconds, or True) lets a search wait until what was said is learnt
    from. Raises InvalidValueError and InvalidScopeError.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        user_id: str,
        *,
        agent_id: str = "",
        namespace: str | None = None,
        name: str = "tensemem",
        description: str | None = DESCRIPTION,
        max_search_results: int = 20,
        writable: bool = True,
        extraction: Any = AFTER_EACH_INVOCATION,
        session_id: str | None = None,
        wait: float | bool | None = 2.0,
    ) -> None:
        if not name.strip():
            raise InvalidValueError("a store's name must not be empty: tools name it")
        self.name = name
        self.description = description
        self.max_search_results = _checked_limit(max_search_results)
        self.writable = writable
        self.extraction = extraction if writable else None
        wait_seconds(wait)  # refuses what is none: Strands goes on without a memory that raises later
        self._scope = AwaitedScope(memory, user_id, agent_id, namespace)
        self._session_id = session_id
        self._wait = wait
        self._run = uuid.uuid4().hex

    async def initialize(self) -> None:
        """Begin an agent's life: its messages are numbered from 0 again, and are not those of the agent before."""
        self._run = uuid.uuid4().hex

    async def search(self, query: str, options: Any = None) -> list[Any]:
        """Give what holds now, a line each: what has the query's words first, then the rest, as many as asked for.

        An entry's metadata has ``fact_id``, ``predicate``, ``value``, ``status``, validity, ``version`` and
        ``freshness``. What is not learnt from yet, or was left out, is told in a last entry. Raises
        InvalidValueError for a number of results below 1.
        """
        wanted = (options or {}).get("max_search_results")
        limit = self.max_search_results if wanted is None else _checked_limit(wanted)
        found: Context = await self._scope.do("context", query, wait=self._wait)
        hits: Sequence[SearchHit] = ()
        if query.strip():
            hits = await self._scope.do("search", query, limit=max(limit, 10), include_history=False)
        return _entries(found, hits, limit)

    async def add(self, content: str, metadata: Mapping[str, Any] | None = None) -> AddResult:
        """Log a text; gives the receipt.

        Who adds texts is as a rule the model, so they are the assistant's words: kept, found by search, never learnt
        from. ``metadata={"role": "user"}`` says that they are the user's own. Raises ReadOnlyError, and as ``add``
        of the memory does.
        """
        self._check_writable()
        given = dict(metadata or {})
        role, key = given.pop("role", "assistant"), given.pop("idempotency_key", None)
        receipt: AddResult = await self._scope.do(
            "add", content, role=role, idempotency_key=key, metadata=given or None, session_id=self._session_id
        )
        return receipt

    async def add_messages(self, messages: Sequence[Any], context: Any = None) -> AddResult | None:
        """Log messages with their roles, all or none; gives the receipt, None where they held no text.

        A message handed over again, by its ``tracking_id`` or its sequence number, is the one logged before. Raises
        ReadOnlyError, and as ``add`` of the memory does.
        """
        self._check_writable()
        numbers = getattr(context, "sequence_numbers", None) or [None] * len(messages)
        told = [
            each
            for message, number in zip(messages, numbers, strict=True)
            for each in _told(message, self._key(message, number))
        ]
        if not told:
            return None
        receipt: AddResult = await self._scope.do("add", told, session_id=self._session_id)
        return receipt

    def get_tools(self) -> list[Any]:
        """Give the memory's tools: get, history, why, search, and where the store is writable set, correct, retract.

        Their schemas are those of the registry at this moment.
        """
        return [tool(function) for function in self._scope.tools(read_only=not self.writable)]

    def _key(self, message: Mapping[str, Any], number: int | None) -> str | None:
        if message.get("tracking_id"):
            return f"strands:{message['tracking_id']}"
        return None if number is None else f"strands:{self._run}:{number}"

    def _check_writable(self) -> None:
        if not self.writable:
            raise ReadOnlyError(f"the store {self.name!r} was made with writable=False; nothing was logged")


def _checked_limit(limit: object) -> int:
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise InvalidValueError("max_search_results must be a whole number of 1 or more")
    return limit


def _entries(found: Context, hits: Sequence[SearchHit], limit: int) -> list[Any]:
    order = {hit.fact.id: place for place, hit in enumerate(hits) if hit.fact is not None}
    common = {"version": found.version, "freshness": freshness_metadata(found.freshness)}
    lines = list(zip(found.facts_used, _lines(found.text), strict=False))  # what predicates mean comes after the facts
    lines.sort(key=lambda line: order.get(line[0].id, len(order)))
    entries = [MemoryEntry(content=text, metadata={**fact_metadata(fact), **common}) for fact, text in lines]
    behind = lag(found.freshness)
    kept = entries if len(entries) + bool(behind) <= limit else entries[: max(limit - 1, 1)]
    hidden = len(entries) - len(kept)
    more = f"{hidden} more known values are not shown: search for them." if hidden else ""
    remark = " ".join(filter(None, (behind, more)))
    if remark and len(kept) < limit:
        return [*kept, MemoryEntry(content=remark, metadata=common)]
    if remark:
        kept[-1].content += f"\n{remark}"
    return kept


def _lines(text: str) -> Iterator[str]:
    """Give each fact's line of a context, with the title of its part where that is not what holds now."""
    title = ""
    for line in text.splitlines():
        if line in _TITLES:
            title = f"{line} "
        elif line.startswith("- "):
            yield title + line.removeprefix("- ")


_TITLES = frozenset(TITLES.values())


def _told(message: Mapping[str, Any], key: str | None) -> Iterator[dict[str, Any]]:
    """Give what a message says, by whom: its own text, and what tools answered, which Strands puts into the user's."""
    own = "\n".join(_text_of(block) for block in message["content"] if "toolResult" not in block).strip()
    if own:
        yield {"role": message["role"], "content": own, "idempotency_key": key}
    results = [block["toolResult"]["content"] for block in message["content"] if "toolResult" in block]
    answered = "\n".join(part["text"] for parts in results for part in parts if "text" in part)
    if answered:
        yield {"role": "tool", "content": answered, "idempotency_key": key and f"{key}:tool"}


def _text_of(block: Mapping[str, Any]) -> str:
    cited = block.get("citationsContent", {}).get("content", ())
    return block.get("text") or "".join(part.get("text", "") for part in cited)

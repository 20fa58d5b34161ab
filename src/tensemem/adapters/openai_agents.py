"""The OpenAI Agents SDK: a session kept in the log, state in the instructions, and tools.

A session is a transcript, and so is the log: each item is a message of the user's scope, its text under the role of
who said it (so that facts are learnt from what the user says), the item itself in the metadata. What the SDK takes
back is a mark behind it: nothing is deleted, and what was learnt stays until it is corrected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ..aio import AsyncMemory
from ..errors import ReadOnlyError
from ..memory import Memory
from ..model.results import LoggedMessage
from ..verbs.tool_calls import lag
from ._awaiting import AwaitedScope
from ._choosing import Name, check_names, chosen
from ._extras import missing

try:
    from agents import FunctionTool, RunContextWrapper, function_tool
    from agents.memory import SessionSettings
    from agents.models.fake_id import FAKE_RESPONSES_ID
except ImportError as error:
    raise missing("openai-agents", error) from error

MARK = "openai_agents"
"""The key of an item, or of what became of one, in a message's metadata."""

PAGE = 64
MOST_OF_A_TURN = 100
"""Messages that are looked through for where the turn under way began."""

Item = Any
_ROLES = {"user": "user", "assistant": "assistant"}
_BEGINNINGS = frozenset({"opened", "cleared"})
_TURN_TALK = frozenset({"user", "assistant"})


@dataclass
class _Tail:
    """The end of a session: its newest place, and what was popped since something was added."""

    last: int = 0
    _popped: list[int] = field(default_factory=list)
    _items: dict[int, Item] = field(default_factory=dict)
    _is_behind: bool = True

    def look(self, seq: int, mark: Mapping[str, Any]) -> bool:
        """Take in one mark, the newest first; tells whether enough was seen."""
        self.last = self.last or seq
        self._is_behind = self._is_behind and "popped" in mark
        if self._is_behind:
            self._popped.append(mark["popped"])
        elif seq in self._popped:
            self._items[seq] = mark["item"]
        return not self._is_behind and len(self._items) == len(self._popped)

    @property
    def items(self) -> list[Item]:
        """The items popped, the one popped last at the end."""
        return [self._items[seq] for seq in reversed(self._popped) if seq in self._items]


class TensememSession:
    """A session of the SDK (``agents.memory.Session``) kept in a memory's log, as messages of one user.

    ``get_items`` gives back what was added, as the SDK's own sessions do, except that secrets in it are replaced, as
    they are everywhere in the log. Sessions of one user share what is learnt; many may be open at once, in many
    processes. ``memory`` may be a Memory or an AsyncMemory. Raises what ``add`` raises.
    """

    def __init__(
        self, memory: Memory | AsyncMemory, user_id: str, session_id: str, *, agent_id: str = "",
        namespace: str | None = None, session_settings: SessionSettings | None = None,
    ) -> None:  # fmt: skip
        self.session_id = session_id
        self.session_settings = SessionSettings() if session_settings is None else session_settings
        self._scope = AwaitedScope(memory, user_id, agent_id, namespace)
        self._is_open = False

    async def get_items(self, limit: int | None = None) -> list[Item]:
        """Give the items of the session, oldest first; with a limit (or that of the settings) the newest of them."""
        most = self.session_settings.limit if limit is None else limit
        return [] if most == 0 else [item for _, item in reversed(await self._live(most))]

    async def add_items(self, items: Sequence[Item]) -> None:
        """Add items, in one transaction; the texts of users and assistants are learnt from as any message is.

        An item with an id that was added before, and one put back right after it was popped, as a retry does, is in the
        session once more, but its text is not said twice.
        """
        if not items:
            return
        tail = _Tail()
        await self._walk(tail.look)
        popped = tail.items
        entries = []
        for item in items:
            is_back = bool(popped) and popped.pop() == item
            if not is_back:
                popped.clear()
            entries.append(_again(item) if is_back else self._entry(item))
        receipt = await self._add(entries)
        first = _first_known(receipt.seqs, tail.last)
        if first is not None:
            before = {*receipt.seqs[:first], *(seq for seq in receipt.seqs if seq <= tail.last)}
            await self._repeat(items[first:], set(receipt.seqs[first:]) - before)

    async def pop_item(self) -> Item | None:
        """Take the newest item out of the session and give it; the log keeps it, and what was learnt from it."""
        while True:
            newest = await self._live(1)
            if not newest:
                return None
            seq, item = newest[0]
            receipt = await self._add([_mark("popped", seq, self._key("popped", str(seq)))])
            if not receipt.duplicate:  # else somebody else took it at the same moment
                return item

    async def clear_session(self) -> None:
        """Begin the session anew, with no items; the log keeps them, and what was learnt."""
        await self._add([_mark("cleared", True)])

    async def _repeat(self, items: Sequence[Item], added: Collection[int]) -> None:
        """Put items at the end whose entries stand elsewhere; those added behind them move with them."""
        moved = [_mark("popped", seq, self._key("popped", str(seq))) for seq in sorted(added, reverse=True)]
        await self._add([*moved, *map(_again, items)])

    async def _live(self, most: int | None) -> list[tuple[int, Item]]:
        """Give the items that are in the session with their places, newest first."""
        popped: set[int] = set()
        found: list[tuple[int, Item]] = []

        def look(seq: int, mark: Mapping[str, Any]) -> bool:
            if "popped" in mark:
                popped.add(mark["popped"])
            elif "item" in mark and seq not in popped:
                found.append((seq, mark["item"]))
            return len(found) == most

        await self._walk(look)
        return found

    async def _walk(self, look: Callable[[int, Mapping[str, Any]], bool]) -> None:
        """Show what the log has of the session, newest first, its beginning last, until enough was seen."""
        await self._open()
        before: int | None = None
        while True:
            page = await self._messages(before, PAGE)
            for message in reversed(page):
                mark = message.metadata.get(MARK)
                if isinstance(mark, Mapping) and (look(message.seq, mark) or not mark.keys().isdisjoint(_BEGINNINGS)):
                    return
            if len(page) < PAGE:
                return
            before = page[0].seq

    async def _open(self) -> None:
        """Mark where the session begins, so that no read walks further back; it is marked once."""
        if not self._is_open:
            with suppress(ReadOnlyError):  # then a read may walk further, and is right all the same
                await self._add([_mark("opened", True, self._key("opened"))])
            self._is_open = True

    async def _messages(self, before: int | None, limit: int) -> Sequence[LoggedMessage]:
        page: Sequence[LoggedMessage] = await self._scope.do(
            "messages", session_id=self.session_id, before=before, limit=limit
        )
        return page

    async def _add(self, entries: Sequence[Mapping[str, Any]]) -> Any:
        return await self._scope.do("add", list(entries), session_id=self.session_id)

    def _entry(self, item: Item) -> dict[str, Any]:
        role, content = said_in(item)
        entry = {"role": role, "content": content, "metadata": {MARK: {"item": item}}}
        if item.get("id") and item["id"] != FAKE_RESPONSES_ID:
            digest = sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()
            entry["idempotency_key"] = self._key("item", digest)
        return entry

    def _key(self, *parts: str) -> str:
        return ":".join(["openai-agents", *parts, self.session_id])


def _again(item: Item) -> dict[str, Any]:
    return {"role": "system", "content": "", "metadata": {MARK: {"item": item}}}


def _mark(name: str, value: Any, key: str | None = None) -> dict[str, Any]:
    return {"role": "system", "content": "", "metadata": {MARK: {name: value}}, "idempotency_key": key}


def _first_known(seqs: Sequence[int], last: int) -> int | None:
    """Give the index of the first entry that was in the log, or in this very list, before."""
    met: set[int] = set()
    for number, seq in enumerate(seqs):
        if seq <= last or seq in met:
            return number
        met.add(seq)
    return None


def said_in(item: Item) -> tuple[str, str]:
    """Give who says something in an item, and what: "" where nobody does, as in calls, images and reasoning."""
    kind = item.get("type", "message")
    if kind == "message":
        return _ROLES.get(item.get("role"), "system"), _text_in(item.get("content"))
    return "tool", _text_in(item.get("output")) if kind.endswith("_output") else ""


def _text_in(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") or part.get("refusal") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def memory_instructions(
    memory: Memory | AsyncMemory, user_id: Name, *, base: str = "", session_id: Name | None = None, agent_id: str = "",
    namespace: str | None = None, max_tokens: int | None = None, include_history: bool = False,
    wait: float | bool | None = None,
) -> Callable[[RunContextWrapper[Any], Any], Coroutine[Any, Any, str]]:  # fmt: skip
    """Give what ``Agent(instructions=...)`` takes: ``base``, then what is known now, read anew for each model call.

    Behind it stands one line where the memory lags. ``user_id`` and ``session_id`` may be functions of the run's
    context. With a ``session_id`` what is being said in that session right now does not count as lag (it stands in the
    conversation), and is not waited for. ``wait`` (seconds, or True) waits until what was said before is learnt.
    """

    async def instructions(run: RunContextWrapper[Any], _: Any) -> str:
        user, session = await chosen(user_id, run), await chosen(session_id, run)
        scope = AwaitedScope(memory, user, agent_id, namespace)
        before = None if session is None else await _turn_began(scope, session)
        found = await scope.do(
            "context", max_tokens=max_tokens, include_history=include_history, min_seq=before, wait=wait
        )
        return "\n\n".join(part for part in (base, found.text, lag(found.freshness)) if part)

    return instructions


async def _turn_began(scope: AwaitedScope, session: str) -> int | None:
    """Give the seq before what the user has said since the assistant last spoke; None where that is nothing."""
    began: int | None = None
    for message in reversed(await scope.do("messages", session_id=session, limit=MOST_OF_A_TURN)):
        if message.role not in _TURN_TALK or not message.content:
            continue
        if message.role == "assistant":
            break
        began = message.seq - 1
    return began


def memory_tools(
    memory: Memory | AsyncMemory, user_id: str, *, read_only: bool = False, needs_approval: Collection[str] = (),
    agent_id: str = "", namespace: str | None = None,
) -> list[FunctionTool]:  # fmt: skip
    """Give the memory's tools for ``Agent(tools=...)``, pinned to one user.

    ``needs_approval`` names tools that wait for a person, such as ``memory_correct``; ``read_only=True`` leaves out
    those that write. Their schemas come from the registry as it is now. Raises as ``tools`` does, and
    InvalidValueError where ``needs_approval`` names a tool that is not among them.
    """
    tools = AwaitedScope(memory, user_id, agent_id, namespace).tools(read_only=read_only)
    check_names("needs_approval", needs_approval, tools.names)
    return [function_tool(each, needs_approval=each.__name__ in needs_approval) for each in tools]

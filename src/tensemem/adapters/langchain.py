"""LangChain's ``AgentMiddleware`` over a state memory: the prompt says what is known, the log keeps what was said.

The user's message is logged before the agent runs and its answer after, each once. Every model call gets, behind the
system prompt, what is known now, and apart from it one line where memory lags behind, so that a provider's prompt
cache hits as long as the state is the same.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import takewhile
from typing import Annotated, Any, Literal, TypedDict

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr
    from langchain.tools import ToolRuntime
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
    from langchain_core.tools import BaseTool, StructuredTool, ToolException
except ImportError as error:
    from ._extras import missing

    raise missing("langgraph", error) from error

from ..errors import InvalidValueError
from ..memory import Memory
from ..model.results import AddResult, Context
from ..verbs.scoped import ScopedMemory
from ..verbs.tool_calls import lag
from ..verbs.tools import ToolResult

SOURCE = "langchain"
SUMMARY = "summarization"
"""How LangChain's own middleware marks a message that stands for others: nobody said it."""

UserOf = Callable[[Any], str]
Offered = Literal["all", "read", "none"]
Runtime = ToolRuntime[Any, Any]
"""What LangChain fills in; of any context, since only ``user_id`` knows which."""


class Turn(TypedDict):
    """The turn that is running: the id of its first message, and the last message logged before it."""

    first: str | None
    before: int


class TurnState(TypedDict, total=False):
    """What is added to the agent's state; neither given by callers nor shown to them."""

    memory_turn: Annotated[Turn, PrivateStateAttr]


class MemoryMiddleware(AgentMiddleware):
    """What an agent gets: ``create_agent(model, middleware=[MemoryMiddleware(memory, user_id="ada")])``.

    ``user_id``: whose memory, or a function of the run's runtime, such as ``lambda runtime: runtime.context.user_id``.
    ``tools``: ``"all"`` for the tools of ``memory.tools``, ``"read"`` for those that only read, ``"none"``.
    ``query``: let the user's words choose what comes first in the context, which then changes with each message.
    ``max_tokens``, ``include_history``, ``wait``: as ``context`` takes them. ``agent_id``, ``namespace``: the rest of
    the scope. What is awaited runs in a thread. Raises InvalidValueError, and what the memory raises.
    """

    state_schema = TurnState

    def __init__(
        self, memory: Memory, *, user_id: str | UserOf, agent_id: str = "", namespace: str | None = None,
        tools: Offered = "all", query: bool = False, max_tokens: int | None = None, include_history: bool = False,
        wait: float | bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if tools not in ("all", "read", "none"):
            raise InvalidValueError(f"tools must be 'all', 'read' or 'none', not {tools!r}")
        self.memory = memory
        self._user_id = user_id
        self._scope: dict[str, Any] = {"agent_id": agent_id, "namespace": namespace}
        self._query = query
        self._reading: dict[str, Any] = {"max_tokens": max_tokens, "include_history": include_history, "wait": wait}
        self.tools: Sequence[BaseTool] = [] if tools == "none" else self._made(read_only=tools == "read")

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        """Log what the user says in this turn, and note where the turn begins."""
        memory, said = self._memory_of(runtime), _just_said(state["messages"])
        receipts = [receipt for receipt in (self._log(memory, message, runtime) for message in said) if receipt]
        # Of words that were logged in an earlier run, what was said since counts too.
        new = min((receipt.seq for receipt in receipts if not receipt.duplicate), default=None)
        before = memory.state().freshness.latest_seq if new is None else new - 1
        return {"memory_turn": Turn(first=said[0].id if said else None, before=before)}

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        """Do what ``before_agent`` does, in a thread."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]) -> Any:
        """Tell the model what is known."""
        return handler(self._informed(request))

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> Any:
        """Tell the model what is known; the memory is read in a thread."""
        return await handler(await asyncio.to_thread(self._informed, request))

    def after_agent(self, state: Any, runtime: Any) -> None:
        """Log what the assistant said in this turn, and what the user said meanwhile."""
        memory, turn = self._memory_of(runtime), state.get("memory_turn")
        for message in _of_turn(state["messages"], turn and turn["first"]):
            self._log(memory, message, runtime)

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        """Do what ``after_agent`` does, in a thread."""
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _memory_of(self, runtime: Any) -> ScopedMemory:
        user_id = self._user_id(runtime) if callable(self._user_id) else self._user_id
        return self.memory.for_user(user_id, **self._scope)

    def _log(self, memory: ScopedMemory, message: AnyMessage, runtime: Any) -> AddResult | None:
        """Give the receipt of a message; None for one without words."""
        text = str(message.text)
        if not text.strip():
            return None
        thread = _thread_of(runtime)
        role = "user" if isinstance(message, HumanMessage) else "assistant"
        key = _key_of(thread, message.id, role, text)
        speaker = message.name if role == "user" else None  # another agent's words are handed on under its name
        return memory.add(
            text, role=role, speaker=speaker, session_id=thread, source=SOURCE, idempotency_key=key
        )

    def _informed(self, request: ModelRequest) -> ModelRequest:
        turn: Mapping[str, Any] = request.state.get("memory_turn") or {}
        said = [message for message in request.messages if isinstance(message, HumanMessage)]
        query = str(said[-1].text) if self._query and said else None
        memory = self._memory_of(request.runtime)
        context = memory.context(query or None, min_seq=turn.get("before"), **self._reading)
        return request.override(system_message=_with_context(request.system_message, context))

    def _made(self, *, read_only: bool) -> list[BaseTool]:
        """Make the tools once: what they take depends on the registry, whose they are on the run."""
        shape = self.memory.for_user("anyone", **self._scope)
        return [self._tool(function) for function in shape.tools("callables", read_only=read_only)]

    def _tool(self, function: Any) -> BaseTool:
        name: str = function.__name__

        def call(runtime: Any, **arguments: Any) -> str:
            return _told(self._memory_of(runtime).call(name, arguments))

        async def acall(runtime: Any, **arguments: Any) -> str:
            return await asyncio.to_thread(call, runtime, **arguments)

        for made in (call, acall):
            _shape_like(function, made)
        return StructuredTool.from_function(
            call, acall, name=name, description=None, parse_docstring=True, handle_tool_error=True
        )


def _shape_like(function: Any, made: Any) -> None:
    """Give a function what a tool is made from: the other's name, text and types, and a runtime to be filled in."""
    runtime = inspect.Parameter("runtime", inspect.Parameter.KEYWORD_ONLY, annotation=Runtime)
    signature = inspect.signature(function)
    made.__name__, made.__doc__ = function.__name__, function.__doc__
    made.__signature__ = signature.replace(parameters=[*signature.parameters.values(), runtime])
    made.__annotations__ = {**function.__annotations__, "runtime": Runtime}


def _told(result: ToolResult) -> str:
    if result.is_error:
        raise ToolException(str(result))
    return str(result)


def _with_context(system: SystemMessage | None, context: Context) -> SystemMessage | None:
    """Give the system message with what is known, and apart from it what memory lags behind."""
    added = [{"type": "text", "text": text} for text in (context.text, lag(context.freshness)) if text]
    if not added:
        return system
    own: Any = [] if system is None else system.content
    kept = [{"type": "text", "text": own}] if isinstance(own, str) else list(own)
    return SystemMessage(content=[*kept, *added])


def _is_said(message: AnyMessage) -> bool:
    return isinstance(message, HumanMessage) and message.additional_kwargs.get("lc_source") != SUMMARY


def _just_said(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Give the user's messages at the end: what came before them belongs to earlier turns."""
    return list(takewhile(_is_said, reversed(messages)))[::-1]


def _of_turn(messages: Sequence[AnyMessage], first: str | None) -> list[AnyMessage]:
    """Give what user and assistant said from the turn's first message on, which a summary may have replaced."""
    ids = [message.id for message in messages]
    start = ids.index(first) if first in ids else len(messages) - _answering(messages)
    return [message for message in messages[start:] if isinstance(message, AIMessage) or _is_said(message)]


def _answering(messages: Sequence[AnyMessage]) -> int:
    """Count the messages behind the last one that a user, or a summary, stands for."""
    return sum(1 for _ in takewhile(lambda message: not isinstance(message, HumanMessage), reversed(messages)))


def _thread_of(runtime: Any) -> str | None:
    found: str | None = getattr(getattr(runtime, "execution_info", None), "thread_id", None)
    return found


def _key_of(thread: str | None, message_id: str | None, role: str, text: str) -> str | None:
    """Give what makes a message itself: an edited one, which keeps its id, is another."""
    if message_id is None:
        return None
    named = "\0".join((thread or "", message_id, role, text)).encode("utf-8", "surrogatepass")
    return f"{SOURCE}:{hashlib.blake2b(named, digest_size=16).hexdigest()}"

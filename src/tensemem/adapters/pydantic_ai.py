"""Pydantic AI: a capability that tells the agent what is known, gives it the tools, and logs what was said.

The exchange is logged where a run ends well, under the run's own id: a run that fails leaves nothing behind, one that
is executed again (as durable engines do) is the same exchange, and history passed to a run was logged by its own runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..aio import AsyncMemory
from ..errors import IdempotencyConflictError
from ..memory import Memory
from ..verbs.tool_calls import lag
from ._awaiting import AwaitedScope
from ._choosing import Name, check_names, chosen
from ._extras import missing

try:
    from pydantic_ai import DeferredToolRequests, RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
    from pydantic_ai.run import AgentRunResult
    from pydantic_ai.toolsets import AbstractToolset, DynamicToolset, FunctionToolset
    from pydantic_core import to_json
except ImportError as error:
    raise missing("pydantic-ai", error) from error


@dataclass
class StateMemory(AbstractCapability[Any]):
    """A capability of an agent (``Agent(capabilities=[StateMemory(memory, "ann")])``): state memory of one user.

    ``user_id`` may be a function of the run's context (plain or async), so that one agent serves all users. The
    instructions hold what is known now, read anew for each model request, and apart from it one line where memory lags
    behind. ``tools``: ``"all"``, ``"read_only"`` or ``"none"``; ``approve`` names those that wait for a person, such
    as ``memory_correct`` (the agent's output type then has to allow DeferredToolRequests). ``log=False`` logs nothing.
    ``wait`` (seconds, or True) waits until what was said before is learnt; ``max_tokens`` is the budget of what is
    told, what bears on the prompt first. Runs raise what ``context`` and ``add`` raise, and InvalidValueError where
    ``approve`` names a tool that is not there.
    """

    memory: Memory | AsyncMemory
    user_id: Name
    agent_id: str = ""
    namespace: str | None = None
    tools: Literal["all", "read_only", "none"] = "all"
    approve: Collection[str] = ()
    log: bool = True
    max_tokens: int | None = None
    include_history: bool = False
    wait: float | bool | None = None
    toolset_id: str = "tensemem"
    _told: Any = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def get_serialization_name(cls) -> str | None:
        """It holds an open memory, so no text can stand for it."""
        return None

    async def for_run(self, ctx: RunContext[Any]) -> StateMemory:  # noqa: ARG002  # the framework's signature
        """Give a copy for one run: what was told in it, and what that lagged behind, is one read."""
        return replace(self)

    def get_instructions(self) -> Sequence[Callable[..., Any]]:
        """Give what is known, and apart from it what that lags behind, so that the first keeps its bytes."""
        return [self._known, self._lag]

    def get_toolset(self) -> AbstractToolset[Any] | None:
        """Give the tools of the run's user, their schemas from the registry as it is when the run begins."""
        if self.tools == "none":
            return None
        return DynamicToolset(self._tools_of, per_run_step=False, id=self.toolset_id)

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Log what the user said and what was answered, once."""
        if self.log:
            scope, run = await self._scope(ctx), ctx.run_id or result.run_id
            for number, (role, text) in enumerate(_exchange(ctx, result)):
                key = f"pydantic-ai:{run}:{number}"
                with suppress(IdempotencyConflictError):  # the run was executed before: what was said then stands
                    await scope.do("add", text, role=role, session_id=ctx.conversation_id, idempotency_key=key)
        return result

    async def _known(self, ctx: RunContext[Any]) -> str:
        query = _text(ctx.prompt) if self.max_tokens is not None else ""
        self._told = await (await self._scope(ctx)).do(
            "context", query or None, max_tokens=self.max_tokens, include_history=self.include_history, wait=self.wait
        )
        return str(self._told.text)

    def _lag(self) -> str:
        return "" if self._told is None else lag(self._told.freshness)

    async def _tools_of(self, ctx: RunContext[Any]) -> AbstractToolset[Any]:
        functions = await (await self._scope(ctx)).do("tools", "callables", read_only=self.tools == "read_only")
        check_names("approve", self.approve, functions.names)
        made: FunctionToolset[Any] = FunctionToolset(list(functions), id=self.toolset_id)
        names = frozenset(self.approve)
        return made.approval_required(lambda _, tool, __: tool.name in names) if names else made

    async def _scope(self, ctx: RunContext[Any]) -> AwaitedScope:
        return AwaitedScope(self.memory, await chosen(self.user_id, ctx), self.agent_id, self.namespace)


def _exchange(ctx: RunContext[Any], result: AgentRunResult[Any]) -> list[tuple[str, str]]:
    """Give what the user said in a run, and the answer, with their roles."""
    said = [("user", text) for text in _prompts(ctx, result) if text]
    if isinstance(result.output, DeferredToolRequests) or result.output is None:
        return said
    answer = result.output if isinstance(result.output, str) else to_json(result.output, fallback=str).decode()
    return [*said, ("assistant", answer)]


def _prompts(ctx: RunContext[Any], result: AgentRunResult[Any]) -> list[str]:
    """Give the words a run began with: its prompt, or what the history ends with.

    Other parts that stand as a user's in its messages come from tools, which teach nothing.
    """
    if ctx.prompt is not None:
        return [_text(ctx.prompt)]
    before = result.all_messages()[: -len(result.new_messages()) or None]
    last = before[-1] if before else None
    if not isinstance(last, ModelRequest) or not all(isinstance(part, _OF_PROMPTS) for part in last.parts):
        return []
    return [_text(part.content) for part in last.parts if isinstance(part, UserPromptPart)]


_OF_PROMPTS = (UserPromptPart, SystemPromptPart)


def _text(content: Any) -> str:
    """Give the text of what a user sent; images and other files have none."""
    if isinstance(content, str):
        return content
    parts = [part if isinstance(part, str) else getattr(part, "content", None) for part in content or ()]
    return "\n".join(part for part in parts if isinstance(part, str))


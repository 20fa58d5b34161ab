"""The tools of a memory bound to one scope, for any agent's loop."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Literal

from ..core.lines import shown
from ..core.tool_forms import DEFINITIONS, Parameter, Tool, tools_for
from ..errors import (
    AccessError,
    ClosedError,
    InvalidValueError,
    StaleMemoryError,
    StoreError,
    TensememError,
    UnknownPredicateError,
)  # fmt: skip
from ..model.predicate import Predicate
from .tool_calls import CALLS, Call

Kind = Literal["openai", "openai-responses", "anthropic", "callables"]
Calls = Mapping[str, Callable[..., Call]]
LONGEST_ERROR = 1500
_FOR_MODELS = (
    ("; for what is to come, use record(valid_from=...)", "; give a date that has passed, or none"),
    (" For what is to come, use record(valid_from=...).", " Give a time that has passed, or none."),
    (" reinstate(fact_id) takes the correction back.", " memory_get tells what holds now."),
    (" Split it, or raise max_content.", " Give less of it."),
    ("; split it, or raise max_content", "; give less of it"),
    ("; give less of it, or raise max_content", "; give less of it"),
    (" Pass update=True to change it.", " Only whoever runs the memory can change that."),
)
"""Advice that only a programmer can follow, and what a model is told instead."""
_NOT_THE_MODELS = (AccessError, StoreError, ClosedError, StaleMemoryError)


class ToolResult(str):
    """What a tool says to the model. ``is_error`` tells that the call was refused, and the text what to do."""

    is_error: bool

    def __new__(cls, text: str, *, is_error: bool = False) -> ToolResult:
        """Make it of a text."""
        made = super().__new__(cls, text)
        made.is_error = is_error
        return made


class Tools(list[Any]):
    """Definitions or functions, as they are given to an SDK; ``call`` does what a model asks for."""

    def __init__(self, made: Iterable[Any], names: Sequence[str], call: Callable[..., Any]) -> None:
        super().__init__(made)
        self.names = tuple(names)
        self._call = call

    def call(self, name: str, arguments: Any = None) -> Any:
        """Do what ``call`` of the memory does, for these tools alone; a coroutine where that one is awaited."""
        return self._call(name, arguments, self.names)


class PlainTools:
    """What a memory bound to one scope has beside its verbs."""

    def tools(self, kind: Kind = "openai", *, read_only: bool = False) -> Tools:
        """Give the tools for an agent's loop, eight at most, pinned to this scope.

        ``kind``: ``"openai"`` (chat completions), ``"openai-responses"``, ``"anthropic"`` give definitions;
        ``"callables"`` gives functions with names, types and docstrings, for frameworks that take such. Their schemas
        come from the registry. ``read_only=True`` leaves out those that write, as for a memory that is opened for
        reading only. Raises InvalidValueError for a kind that is not known.
        """
        memory: Any = self
        known = _predicates(memory)
        read_only = read_only or _is_read_only(memory, known)
        return _made(known, kind, read_only, self._called, _plain_function)

    def call(self, name: str, arguments: Any = None) -> ToolResult:
        """Do what a model asks for: a tool's name, and its arguments as a dict or as JSON text.

        What the model did wrong is told in the result (``is_error``), so that it can act on it. Raises StoreError,
        ClosedError and AccessError, which it can do nothing about.
        """
        return self._called(name, arguments, tuple(CALLS))

    def _called(self, name: str, arguments: Any, offered: Sequence[str]) -> ToolResult:
        memory: Any = self
        try:
            step = started(memory, name, arguments, offered)
            answer: Any = None
            while True:
                answer = step.send(answer)
        except StopIteration as done:
            return ToolResult(done.value)
        except TensememError as error:
            return _refused(error, _predicates(memory) if isinstance(error, UnknownPredicateError) else ())


class AwaitedTools:
    """The same, to be awaited."""

    async def tools(self, kind: Kind = "openai", *, read_only: bool = False) -> Tools:
        """Give the tools for an agent's loop, as ``tools`` of a plain memory does; functions are coroutines."""
        memory: Any = self
        predicates = await _predicates(memory)
        read_only = read_only or _is_read_only(memory, predicates)
        return _made(predicates, kind, read_only, self._called, _awaited_function)

    async def call(self, name: str, arguments: Any = None) -> ToolResult:
        """Do what a model asks for, as ``call`` of a plain memory does."""
        return await self._called(name, arguments, tuple(CALLS))

    async def _called(self, name: str, arguments: Any, offered: Sequence[str]) -> ToolResult:
        memory: Any = self
        try:
            step = started(memory, name, arguments, offered)
            asked = next(step)
            while True:
                asked = await _answered(step, asked)
        except StopAsyncIteration as done:
            return ToolResult(done.args[0])
        except TensememError as error:
            return _refused(error, await _predicates(memory) if isinstance(error, UnknownPredicateError) else ())


def _predicates(memory: Any) -> Any:
    return memory._memory.predicates(namespace=memory.namespace)


def _is_read_only(memory: Any, known: Sequence[Predicate]) -> bool:
    return bool(memory._memory._standing(memory.namespace, known).is_read_only)


async def _answered(step: Call, asked: Any) -> Any:
    try:
        return step.send(await asked)
    except StopIteration as done:
        raise StopAsyncIteration(done.value) from None


def _made(
    predicates: Sequence[Predicate], kind: str, read_only: bool, call: Callable[..., Any], function: Callable[..., Any]
) -> Tools:
    tools = tools_for(predicates, read_only=read_only)
    names = [tool.name for tool in tools]
    if kind == "callables":
        return Tools([_shaped(function(tool.name, call), tool) for tool in tools], names, call)
    if kind not in DEFINITIONS:
        raise InvalidValueError(f"tools are for {', '.join([*DEFINITIONS, 'callables'])}; not for {kind!r}")
    return Tools([DEFINITIONS[kind](tool) for tool in tools], names, call)


def _plain_function(name: str, call: Callable[..., ToolResult]) -> Callable[..., str]:
    def tool(*args: Any, **keywords: Any) -> str:
        return call(name, _bound(tool, args, keywords), (name,))

    return tool


def _awaited_function(name: str, call: Callable[..., Coroutine[Any, Any, ToolResult]]) -> Callable[..., Any]:
    async def tool(*args: Any, **keywords: Any) -> str:
        return await call(name, _bound(tool, args, keywords), (name,))

    return tool


def _bound(tool: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
    return inspect.signature(tool).bind(*args, **keywords).arguments


def _shaped(function: Any, tool: Tool) -> Any:
    """Give a function the name, signature, types and docstring that frameworks make a tool from."""
    function.__name__ = function.__qualname__ = tool.name
    lines = [f"    {each.name}: {each.description}" for each in tool.parameters]
    function.__doc__ = "\n".join([tool.description, "", "Args:", *lines])
    function.__signature__ = inspect.Signature([_argument(each) for each in tool.parameters], return_annotation=str)
    function.__annotations__ = {**{each.name: _type_of(each) for each in tool.parameters}, "return": str}
    return function


def _argument(parameter: Parameter) -> inspect.Parameter:
    return inspect.Parameter(
        parameter.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=_type_of(parameter),
        default=inspect.Parameter.empty if parameter.is_required else parameter.default,
    )  # fmt: skip


def _type_of(parameter: Parameter) -> Any:
    kind: Any = Literal[parameter.names] if parameter.names else reduce(or_, parameter.types)
    return kind if parameter.is_required or parameter.default is not None else kind | None


def started(memory: Any, name: str, arguments: Any, offered: Sequence[str], calls: Calls = CALLS) -> Call:
    """Begin a tool's call on a memory bound to one scope; nothing is read yet.

    Raises InvalidValueError for a tool that is not offered, and for arguments that it does not take.
    """
    if name not in offered:
        raise InvalidValueError(f"There is no tool {shown(repr(name), 100)}. There are: {', '.join(offered)}.")
    call = calls[name]
    given = {key: value for key, value in _as_mapping(arguments).items() if value is not None}
    taken = list(inspect.signature(call).parameters.values())[1:]
    try:
        bound = inspect.Signature(taken).bind(**given)
    except TypeError as error:
        wanted = ", ".join(each.name for each in taken)
        raise InvalidValueError(f"{name} takes {wanted}: {error}") from None
    for each in taken:
        if each.annotation in ("str", "str | None") and not isinstance(bound.arguments.get(each.name, ""), str):
            raise InvalidValueError(f"{each.name} must be text, not {type(bound.arguments[each.name]).__name__}")
    return call(memory, *bound.args, **bound.kwargs)


def _as_mapping(arguments: Any) -> Mapping[str, Any]:
    if isinstance(arguments, str):
        import json

        try:
            arguments = json.loads(arguments.strip() or "{}")
        except RecursionError:
            raise InvalidValueError("The arguments are nested too deeply.") from None
        except ValueError as error:
            raise InvalidValueError(f"The arguments are no JSON: {error}") from None
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping) or not all(isinstance(key, str) for key in arguments):
        raise InvalidValueError("The arguments must be a JSON object.")
    return arguments


def _refused(error: TensememError, known: Sequence[Predicate]) -> ToolResult:
    if isinstance(error, _NOT_THE_MODELS):
        raise error
    return ToolResult(f"Error: {said_to_model(error, known)}", is_error=True)


def said_to_model(error: TensememError, known: Sequence[Predicate]) -> str:
    """Give what an error says, without what only a programmer can do, and with the attributes there are."""
    text = shown(str(error), LONGEST_ERROR)
    for ours, theirs in _FOR_MODELS:
        text = text.replace(ours, theirs)
    if isinstance(error, UnknownPredicateError):
        names = ", ".join(sorted(each.name for each in known)) or "none"
        text = f"{text.rpartition('; ')[0] or text}. These are: {names}."
    return text

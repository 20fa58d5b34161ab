"""One call of a tool: from a client's arguments to an answer in words and as a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ...core.lines import shown
from ...core.tool_forms import Tool
from ...engine.write import AskedKey
from ...errors import InvalidValueError, TensememError
from ...logs import Log
from ...model.freshness import Freshness
from ...verbs.tool_calls import Call, lag, once
from ...verbs.tools import started
from .offered import CALLED, KINDS, LONGEST_WAIT, PREFIX, offered, renamed
from .reach import Reach
from .shapes import freshness_document
from .words import is_the_operators, told

log = Log("adapters.mcp")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: words, the same as a document, and whether it was refused."""

    text: str
    document: dict[str, Any] | None = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class _Beside:
    """What was said beside a tool's own arguments."""

    min_seq: int | None = None
    wait: float | None = None
    expected_rev: int | None = None
    idempotency_key: str | None = None

    @property
    def of_reading(self) -> dict[str, Any]:
        return {name: value for name in ("min_seq", "wait") if (value := getattr(self, name)) is not None}

    @property
    def of_writing(self) -> dict[str, Any]:
        names = ("expected_rev", "idempotency_key")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


class _Given:
    """The verbs of one scope, some of them with arguments that were said beside the tool's own."""

    def __init__(self, scoped: Any, given: Mapping[str, Mapping[str, Any]]) -> None:
        self._scoped, self._given = scoped, given

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._scoped, name)
        more = self._given.get(name)
        return partial(found, **more) if more else found


async def call(memory: Any, reach: Reach, name: str, arguments: Mapping[str, Any], prefix: str = PREFIX) -> Answer:
    """Do what a client asks for. Whatever goes wrong is an answer that says so; nothing is raised."""
    try:
        return await _called(memory, reach, name, arguments, prefix)
    except Exception as error:
        if is_the_operators(error):
            log.failure("tool failed", "a tool failed", error=error)
        known = await _known(memory, reach) if isinstance(error, TensememError) else ()
        return Answer(renamed(told(error, known), prefix), is_error=True)


async def _known(memory: Any, reach: Reach) -> Any:
    try:
        return await memory.predicates(namespace=reach.namespace)
    except TensememError:  # the store can't be used: what is told of that needs none of them
        return ()


async def _called(memory: Any, reach: Reach, name: str, arguments: Mapping[str, Any], prefix: str) -> Answer:
    tools = offered(await memory.predicates(namespace=reach.namespace), reach, prefix)
    by_name = {tool.name: short for short, tool in tools.items()}
    if name not in by_name:
        raise InvalidValueError(f"There is no tool {shown(repr(name), 100)}. There are: {', '.join(by_name)}.")
    short = by_name[name]
    own, beside = _apart(tools[short], arguments)
    scoped = memory.for_user(reach.user(own), agent_id=reach.agent_id, namespace=reach.namespace)
    own.pop("user_id", None)
    # Read before what is told, so that what is told is as fresh as is said, or fresher.
    is_asked = KINDS[short].is_reading and (beside.of_reading or short in _WITHOUT_FRESHNESS)
    fresh = await _waited(scoped, beside) if is_asked else None
    text, found = await _finished(_begun(scoped, short, own, beside))
    if not KINDS[short].is_reading:
        fresh = await _fresh_after(scoped, found)
    elif fresh is None or short in _WITH_OWN:
        fresh = found.freshness
    behind = lag(fresh) if KINDS[short].is_reading or short == "add" else ""
    text = f"{text}\n{behind}" if behind and behind not in text else text
    return Answer(text, {**KINDS[short].document(found), "freshness": freshness_document(fresh)})


_WITHOUT_FRESHNESS = ("search", "why")
"""Tools whose results don't say how fresh they are."""
_WITH_OWN = ("context", "get")
"""Those whose results say it of the receipt that was named, too."""

_CHOOSING = ("set", "correct")
"""Tools that write what follows from their arguments and from what memory holds: a key stands for the arguments."""


def _apart(tool: Tool, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], _Beside]:
    """Part what a tool itself takes from what is said beside; raises InvalidValueError for what neither knows."""
    given = {name: value for name, value in arguments.items() if value is not None}
    known = {each.name: each for each in tool.parameters}
    for name, value in given.items():
        if name not in known:
            raise InvalidValueError(f"{tool.name} takes {', '.join(known)}; not {shown(repr(name), 100)}")
        if known[name].names and value not in known[name].names and name != "predicate":
            raise InvalidValueError(f"{name} is one of {', '.join(known[name].names)}; not {shown(repr(value), 100)}")
    names = [name for name in _CHECKS if name in given and name in known]
    beside = {name: _checked(name, given.pop(name)) for name in names}
    return given, _Beside(**beside)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_wait(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= LONGEST_WAIT


_CHECKS = {
    "min_seq": (_is_count, "a seq of a receipt: an integer of 0 or more"),
    "expected_rev": (_is_count, "a rev that was read: an integer of 0 or more"),
    "wait": (_is_wait, f"a number of seconds from 0 to {LONGEST_WAIT}"),
    "idempotency_key": (lambda value: isinstance(value, str), "text"),
}


def _checked(name: str, value: Any) -> Any:
    is_right, wanted = _CHECKS[name]
    if not is_right(value):
        raise InvalidValueError(f"{name} must be {wanted}; not {shown(repr(value), 100)}")
    return value


async def _waited(scoped: Any, beside: _Beside) -> Freshness:
    found = await scoped.state(predicates=[], subject="user", **beside.of_reading)
    fresh: Freshness = found.freshness
    return fresh


def _begun(scoped: Any, short: str, own: dict[str, Any], beside: _Beside) -> Call:
    """Begin what a tool does, with what was said beside handed to the verbs that it calls."""
    key = None
    if beside.idempotency_key is not None and short in _CHOOSING:
        key = AskedKey(beside.idempotency_key, (f"tool {short}", own))
    of_writing = beside.of_writing if key is None else {**beside.of_writing, "idempotency_key": key}
    given: dict[str, dict[str, Any]] = {"set": of_writing, "correct": of_writing}
    if short == "add":
        given = {"add": {name: value for name, value in asdict(beside).items() if value is not None}}
    elif beside.min_seq is not None:
        given = {"state": {"min_seq": beside.min_seq}, "context": {"min_seq": beside.min_seq}}
    begun = started(_Given(scoped, given), short, own, tuple(CALLED), CALLED)
    return begun if key is None else once(scoped, key, begun)


async def _finished(step: Call) -> tuple[str, Any]:
    """Finish a tool's call; gives its words, and the result that they were made from, which is the last one."""
    found: Any = None
    try:
        asked = next(step)
        while True:
            found = await asked
            asked = step.send(found)
    except StopIteration as done:
        return done.value, found


async def _fresh_after(scoped: Any, receipt: Any) -> Freshness:
    """Give how fresh memory is after a write; where that can't be read, raises what says that the write was kept."""
    try:
        return await _waited(scoped, _Beside())
    except Exception as error:
        kept = f"It was written, as seq {receipt.seq}: do not write it again. But memory could not be read after it."
        raise InvalidValueError(kept) from error

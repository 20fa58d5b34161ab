"""The eight tools: the five that read and two that write of any agent's loop, and one that adds what was said.

What each takes comes from the registry, as in every loop; here it is told how a client may treat a tool, what its
answer looks like, and what may be said beside the arguments: which receipt a read must know, which revision a write is
for, and a key under which a write is done once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.tool_forms import DEFINITIONS, Parameter, Tool, tools_for
from ...model.predicate import Predicate
from ...verbs.tool_calls import CALLS, SOURCE, Call
from . import shapes
from .reach import Reach

PREFIX = "memory_"
LONGEST_WAIT = 60
"""Seconds that a call may ask to wait."""
ROLES = ("user", "assistant")

_MIN_SEQ = Parameter(
    "min_seq", {"type": "integer", "minimum": 0}, (int,), description="the seq of a receipt that the answer must know"
)
_WAIT = Parameter(
    "wait", {"type": "number", "minimum": 0, "maximum": LONGEST_WAIT}, (int, float),
    description="seconds to wait for messages that are not learnt from yet",
)  # fmt: skip
_KEY = Parameter(
    "idempotency_key", {"type": "string"}, (str,), description="the same request under a known key is done once"
)
_EXPECTED = Parameter(
    "expected_rev", {"type": "integer", "minimum": 0}, (int,),
    description="the rev you have read: refused where the attribute has changed since",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """What a tool is to a client: its title, the hints, what it also takes, and how its answer is told to programs."""

    title: str
    document: Callable[[Any], dict[str, Any]]
    schema: shapes.Schema
    more: tuple[Parameter, ...]
    is_destructive: bool = False
    is_reading: bool = True


_READS, _WRITES = (_MIN_SEQ, _WAIT), (_EXPECTED, _KEY)
KINDS: Mapping[str, Kind] = {
    "context": Kind("Recall everything", shapes.context_document, shapes.CONTEXT, _READS),
    "get": Kind("Recall one attribute", shapes.state_document, shapes.STATE, _READS),
    "search": Kind("Search memory", shapes.search_document, shapes.SEARCH, _READS),
    "add": Kind("Keep what was said", shapes.added_document, shapes.ADDED, (_KEY, _WAIT), is_reading=False),
    "set": Kind("Remember a value", shapes.written_document, shapes.WRITTEN, _WRITES, is_reading=False),
    "correct": Kind(
        "Correct a wrong value", shapes.written_document, shapes.WRITTEN, _WRITES, is_destructive=True, is_reading=False
    ),
    "history": Kind("Recall how it was", shapes.history_document, shapes.HISTORY, _READS),
    "why": Kind("Explain a value", shapes.why_document, shapes.WHY, _READS),
}
"""The tools by what follows the prefix, in the order in which clients list them."""


def add(memory: Any, content: str, role: str = "user") -> Call:
    """Keep what was said, word for word."""
    done = yield memory.add(content, role=role, source=SOURCE)
    secrets = sum(done.redactions.values())
    hidden = f" {secrets} secret(s) in it were not kept." if secrets else ""
    return f"{'Known already' if done.duplicate else 'Kept'}, as message {done.seq}.{hidden}"


CALLED: Mapping[str, Callable[..., Call]] = {
    **{name.removeprefix(PREFIX): call for name, call in CALLS.items() if name.removeprefix(PREFIX) in KINDS},
    "add": add,
}


def _add_tool() -> Tool:
    content = Parameter("content", {"type": "string"}, (str,), description="the words, as they were said",
                        is_required=True)  # fmt: skip
    role = Parameter("role", {"type": "string", "enum": list(ROLES)}, (str,), ROLES, "who said it; user by default")
    told = (
        "Keep what was said in this conversation, word for word, so that it can be learnt from and found again. Add "
        "what the user says of themselves; for one attribute that they state plainly, memory_set is surer."
    )
    return Tool("memory_add", told, (content, role), is_reading=False)


def offered(predicates: Sequence[Predicate], reach: Reach, prefix: str = PREFIX) -> dict[str, Tool]:
    """Give the tools of one client by what follows the prefix, with all that they take.

    Those about attributes are there as soon as one is registered, those that write where the client may.
    """
    made = {tool.name.removeprefix(PREFIX): tool for tool in (*tools_for(predicates), _add_tool())}
    found = {}
    for name, kind in KINDS.items():
        tool = made.get(name)
        if tool is not None and (kind.is_reading or reach.may_write):
            whose = _whose(reach) if reach.names_users else ()
            parameters = (*whose, *tool.parameters, *kind.more)
            found[name] = replace(
                tool, name=prefix + name, description=renamed(tool.description, prefix), parameters=parameters
            )
    return found


def renamed(text: str, prefix: str) -> str:
    """Let text name the tools as they are called here."""
    return text if prefix == PREFIX else _NAMES.sub(lambda found: prefix + found[1], text)


def input_schema(tool: Tool) -> dict[str, Any]:
    """Give the schema of what a tool takes; what need not be given may be left out."""
    schema: dict[str, Any] = DEFINITIONS["anthropic"](tool)["input_schema"]
    return schema


def _whose(reach: Reach) -> tuple[Parameter, ...]:
    listed = reach.users or ()
    schema: dict[str, Any] = {"type": "string", "enum": list(listed)} if listed else {"type": "string"}
    return (Parameter("user_id", schema, (str,), listed, "whose memory", is_required=True),)


_NAMES = re.compile(rf"\b{PREFIX}({'|'.join(KINDS)})\b")

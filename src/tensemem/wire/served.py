"""The verbs as a server offers them: a line each for what no signature tells, the rest read from the verbs.

A path is a verb and its parameters are the verb's. What is the operator's at the machine, or can't leave a process,
is not served, and stands in a table of its own with the reason.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..model.items import Items
from ..model.results import Context, State
from ..verbs.scoped import public_verbs
from . import inputs

Role = Literal["read", "write", "admin"]
Reach = Literal["scope", "ids", "users", "namespace", "memory"]
Media = Literal["json", "lines", "file"]

PREFIX = "/v1/"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a verb: the JSON schema of what it takes, whether it must be given, its default.

    ``is_list`` says that a query repeats it; ``in_query`` that it stands there though the verb has a body (whose bytes
    are something else). ``kind`` is its Python type.
    """

    name: str
    schema: Mapping[str, Any]
    required: bool
    default: Any
    is_list: bool
    kind: Any
    in_query: bool
    description: str = ""

    @property
    def blank_is_none(self) -> bool:
        """Whether ``name=`` in a query is None: where leaving it out means something else, and no name is blank."""
        return self.default is not None and not self.is_list and is_nullable(self.kind)


@dataclass(frozen=True, slots=True)
class Served:
    """One verb as it is served.

    ``role`` is the least that a key must have. ``scoped`` says that it takes a ``user_id``, and ``reach`` what it is
    about: ``"scope"`` (that user must be named), ``"ids"`` (a fact's or question's id; the user may be named),
    ``"users"`` (one user or, with none named, all), ``"namespace"``, or ``"memory"`` (the namespace of the server, or
    all). ``cursor`` is the parameter that takes ``next``. ``sends`` and ``takes`` are the media of answer and body:
    one JSON document, JSON Lines, or a file. ``asks`` says that it asks an extractor, which a server adds as ``llm``;
    ``lasts`` that it goes over a whole memory, or asks a model, and so may take long; ``only_looks`` that it writes
    nothing, though it is asked with a body.
    ``part`` is the part of the library it is of: Writing, Reading, Keeping, Moving.
    """

    name: str
    path: str
    method: Literal["GET", "POST"]
    role: Role
    scoped: bool
    parameters: tuple[Parameter, ...]
    returns: Any
    summary: str
    description: str
    reach: Reach
    cursor: str | None
    sends: Media
    takes: Media
    asks: bool
    lasts: bool
    only_looks: bool
    part: str
    _by_name: Mapping[str, Parameter] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {one.name: one for one in self.parameters})

    @property
    def has_version(self) -> bool:
        """Whether its answer has a version that changes whenever the answer may have."""
        return self.returns in (State, Context)

    @property
    def is_list(self) -> bool:
        """Whether it answers with a list of items."""
        return get_origin(self.returns) in (tuple, Items)

    @property
    def is_fresh(self) -> bool:
        """Whether its answer says how far it lags behind the log, though its result is a list or a plain value."""
        return get_origin(self.returns) is Items or self.name == "get"

    @property
    def is_keyed(self) -> bool:
        """Whether it is done once under an idempotency key."""
        return "idempotency_key" in self._by_name

    def may_write(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the verb may write something, called with these arguments: what only looks never does."""
        trial = self.parameter("dry_run")
        return not self.only_looks and (trial is None or not arguments.get("dry_run", trial.default))

    def parameter(self, name: str) -> Parameter | None:
        """Give a parameter by name, or None."""
        return self._by_name.get(name)


@dataclass(frozen=True, slots=True)
class _Line:
    method: Literal["GET", "POST"]
    role: Role
    reach: Reach
    cursor: str | None = None
    sends: Media = "json"
    takes: Media = "json"
    lasts: bool = False
    only_looks: bool = False


_LINES: Mapping[str, _Line] = {
    "add": _Line("POST", "write", "scope"),
    "add_many": _Line("POST", "write", "namespace", lasts=True),
    "set": _Line("POST", "write", "scope"),
    "record": _Line("POST", "write", "scope"),
    "add_value": _Line("POST", "write", "scope"),
    "remove_value": _Line("POST", "write", "scope"),
    "replace_values": _Line("POST", "write", "scope"),
    "retract": _Line("POST", "write", "scope"),
    "deny": _Line("POST", "write", "scope"),
    "confirm": _Line("POST", "write", "scope"),
    "write": _Line("POST", "write", "scope"),
    "correct": _Line("POST", "write", "ids"),
    "reinstate": _Line("POST", "write", "ids"),
    "review": _Line("POST", "write", "ids"),
    "answer": _Line("POST", "write", "ids"),
    "preview": _Line("POST", "write", "scope", lasts=True, only_looks=True),
    "state": _Line("GET", "read", "scope"),
    "get": _Line("GET", "read", "scope"),
    "history": _Line("GET", "read", "scope", cursor="after"),
    "explain": _Line("GET", "read", "ids"),
    "decisions": _Line("GET", "read", "scope"),
    "context": _Line("GET", "read", "scope"),
    "questions": _Line("GET", "read", "scope"),
    "search": _Line("GET", "read", "scope", cursor="after"),
    "messages": _Line("GET", "read", "scope", cursor="before"),
    "changes": _Line("GET", "read", "scope", cursor="after_rev"),
    "register_predicate": _Line("POST", "admin", "namespace"),
    "register_entity": _Line("POST", "admin", "namespace"),
    "register": _Line("POST", "admin", "namespace"),
    "predicates": _Line("GET", "read", "namespace"),
    "proposals": _Line("GET", "read", "namespace"),
    "flush": _Line("POST", "write", "users", lasts=True),
    "reextract": _Line("POST", "admin", "scope", lasts=True),
    "plan_reextract": _Line("POST", "admin", "scope", lasts=True, only_looks=True),
    "forget": _Line("POST", "admin", "users", lasts=True),
    "erase": _Line("POST", "admin", "scope", lasts=True),
    "purge": _Line("POST", "admin", "users", lasts=True),
    "jobs": _Line("GET", "read", "users", cursor="after"),
    "retry": _Line("POST", "write", "users"),
    "dismiss": _Line("POST", "write", "scope"),
    "retain": _Line("POST", "admin", "namespace"),
    "retention": _Line("GET", "read", "namespace"),
    "apply_retention": _Line("POST", "admin", "namespace", lasts=True),
    "stats": _Line("GET", "read", "namespace"),
    "doctor": _Line("GET", "admin", "memory", lasts=True),
    "scopes": _Line("GET", "read", "namespace", cursor="after"),
    "rebuild": _Line("POST", "admin", "users", lasts=True),
    "verify": _Line("POST", "admin", "users", lasts=True, only_looks=True),
    "digest": _Line("GET", "read", "scope"),
    "export": _Line("GET", "admin", "users", sends="lines", lasts=True),
    "import_": _Line("POST", "admin", "users", takes="lines", lasts=True),
    "backup": _Line("GET", "admin", "memory", sends="file", lasts=True),
}

NOT_SERVED: Mapping[str, str] = {
    "on": "a hook is a function of the process; a server has /metrics and its log",
    "copy_to": "names a store that the server would open; the operator copies, at the machine",
    "rekey": "the file's key is the operator's, at the machine",
}
"""Verbs that are not offered to others, and why."""

_LEFT_OUT: Mapping[str, frozenset[str]] = {
    "get": frozenset({"default"}),
    "preview": frozenset({"llm"}),
    "reextract": frozenset({"llm"}),
    "plan_reextract": frozenset({"llm"}),
    "export": frozenset({"dest", "sign_key", "overwrite"}),
    "import_": frozenset({"source", "sign_key"}),
    "backup": frozenset({"dest", "key", "overwrite"}),
}
"""Parameters that stay with the server: its files, its keys, and whom it asks."""

_ASKS = frozenset({"reextract", "plan_reextract"})


def _served(name: str, verb: Callable[..., Any], line: _Line) -> Served:
    hints = get_type_hints(verb)
    found = inspect.signature(verb).parameters
    left_out = _LEFT_OUT.get(name, frozenset()) | {"self"}
    kept = [parameter for parameter in found.values() if parameter.name not in left_out]
    summary, _, description = (inspect.getdoc(verb) or "").partition("\n\n")
    parameters = [_parameter(name, parameter, hints[parameter.name], line) for parameter in kept]
    if name == "reextract":
        parameters.append(_difference())
    return Served(
        name=name,
        path=PREFIX + name.rstrip("_"),
        method=line.method,
        role=line.role,
        scoped="user_id" in found,
        parameters=tuple(parameters),
        returns=_returned(hints["return"]),
        summary=" ".join(summary.split()),
        description=description,
        reach=line.reach,
        cursor=line.cursor,
        sends=line.sends,
        takes=line.takes,
        asks=name in _ASKS,
        lasts=line.lasts,
        only_looks=line.method == "GET" or line.only_looks,
        part=verb.__qualname__.partition(".")[0],
    )


def _parameter(verb: str, parameter: inspect.Parameter, hint: Any, line: _Line) -> Parameter:
    is_needed = parameter.default is inspect.Parameter.empty
    kind = inputs.kind_of(verb, parameter.name, hint)
    schema = inputs.schema_of(verb, parameter.name, kind)
    in_query = line.method == "GET" or line.takes == "lines"
    return Parameter(
        name=parameter.name,
        schema=schema,
        required=is_needed,
        default=None if is_needed else parameter.default,
        is_list=inputs.is_list(kind),
        kind=kind,
        in_query=in_query,
        description=inputs.MEANING.get((verb, parameter.name)) or inputs.MEANING.get(("", parameter.name), ""),
    )


def _difference() -> Parameter:
    kind = inputs.DIFFERENCE
    schema = {"anyOf": [{"$ref": "#/components/schemas/Reextraction"}, {"type": "null"}]}
    meaning = "What a dry run gave: with dry_run false exactly that is written, and nobody is asked."
    return Parameter("difference", schema, False, None, False, kind, False, meaning)


def _returned(hint: Any) -> Any:
    """Give what a verb returns; of a stream of items, all of them."""
    if get_origin(hint) is not Iterator:
        return hint
    item: Any = get_args(hint)[0]
    return tuple[item, ...]


def is_nullable(kind: Any) -> bool:
    """Whether a parameter's type has None among its members."""
    return get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)


SERVED: Mapping[str, Served] = {
    name: _served(name, verb, _LINES[name]) for name, verb in public_verbs().items() if name in _LINES
}
"""Every verb that is served, by name, in the order in which they are written down."""

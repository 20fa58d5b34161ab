"""The tools that an agent's loop gets: what each is called, what it takes, and how providers want that written.

All of it is a function of the registry, so definitions stay the same, byte for byte, until a predicate changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.predicate import Predicate
from .lines import shown
from .values import as_text

MOST_NAMES = 100
"""Predicates that are listed as the only names a tool takes; with more, the name is any text."""
MOST_CHOICES = 200
"""Choices, of all predicates together, that a schema lists: providers refuse schemas with very many."""
LONGEST_CHOICES = 6000
"""Characters of them; providers bound that, too."""
CHOICES_TOLD = 20
LONGEST_MEANING = 200
LONGEST_TOLD = 8000
"""Characters of what is told of all predicates together."""

_VALUE_TYPES: Mapping[str, tuple[type, ...]] = {"number": (int, float), "bool": (bool,)}
_HINTS = {
    "date": "a date such as 2026-03-05", "datetime": "a time such as 2026-03-05T14:30:00Z",
    "duration": "a duration such as 30d", "number": "a number", "bool": "true or false", "json": "JSON as text",
    "entity": "a name",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool: a JSON schema of what it takes, the Python types of it, whether it must be given."""

    name: str
    schema: Mapping[str, Any]
    types: tuple[type, ...]
    names: tuple[str, ...] = ()
    description: str = ""
    is_required: bool = False
    default: Any = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, what it is for, its parameters, and whether it only reads."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    is_reading: bool = True


def tools_for(predicates: Sequence[Predicate], *, read_only: bool = False) -> tuple[Tool, ...]:
    """Give the tools for a registry: eight at most; those that need a predicate only where there is one."""
    made = [*_about_all(), *(_about_slots(predicates) if predicates else ())]
    return tuple(tool for tool in made if tool.is_reading or not read_only)


def _about_all() -> tuple[Tool, ...]:
    query = Parameter("query", {"type": "string"}, (str,), description="words to look for", is_required=True)
    about = Parameter("query", {"type": "string"}, (str,), description="what to put first, if the list is long")
    return (
        Tool("memory_context", "Read everything that is known about the user now, with plans and doubts.", (about,)),
        Tool(
            "memory_search",
            "Find facts and earlier messages by words. For what is true now, trust memory_get over old messages.",
            (query,),
        ),
    )


def _about_slots(predicates: Sequence[Predicate]) -> tuple[Tool, ...]:
    predicate, subject, value = _predicate(predicates), _subject(), _value(predicates)
    which = Parameter("value", value.schema, value.types, description="which value, if there are or were several")
    needed = Parameter("value", value.schema, value.types, description=value.description, is_required=True)
    right = Parameter("value", value.schema, value.types, description="what was true instead, if it is known")
    wrong = Parameter("wrong_value", value.schema, value.types, description="which one is wrong, if there are several")
    since = Parameter("since", {"type": "string"}, (str,), description="since when, an ISO 8601 date that has passed")
    reason = Parameter("reason", {"type": "string"}, (str,), description="why it is wrong, in a few words")
    return (
        Tool("memory_get", "Read what holds now for one attribute, since when, how sure.", (predicate, subject)),
        Tool(
            "memory_history", "Read every value an attribute has had, with the times they held.", (predicate, subject)
        ),
        Tool("memory_why", "Read where a fact comes from: who said it, in which words.", (predicate, subject, which)),
        Tool(
            "memory_set",
            "Write down what the user says holds now. What held before is kept as history. Use it only for what the "
            "user said or confirmed, never for a guess.",
            (predicate, needed, subject, since), is_reading=False,
        ),
        Tool(
            "memory_correct",
            "Say that a value in memory was never true, as the user told you; what it had displaced shows again. For "
            "what was true and has changed use memory_set.",
            (predicate, right, subject, wrong, reason), is_reading=False,
        ),
        Tool(
            "memory_retract",
            "Say that a value held and no longer does, with nothing in its place.",
            (predicate, which, subject), is_reading=False,
        ),
    )  # fmt: skip


def _subject() -> Parameter:
    told = "whose attribute it is: user, user.wife, or a name"
    return Parameter("subject", {"type": "string"}, (str,), description=told, default="user")


def _predicate(predicates: Sequence[Predicate]) -> Parameter:
    names = tuple(sorted(each.name for each in predicates))
    listed = names if len(names) <= MOST_NAMES else ()
    schema: dict[str, Any] = {"type": "string", "enum": list(listed)} if listed else {"type": "string"}
    return Parameter("predicate", schema, (str,), listed, "which attribute", is_required=True)


def _value(predicates: Sequence[Predicate]) -> Parameter:
    ordered = sorted(predicates, key=lambda each: each.name)
    kinds = tuple(dict.fromkeys(kind for each in ordered for kind in _VALUE_TYPES.get(each.type, (str,))))
    lists_choices = _is_listable(ordered)
    schemas = {json.dumps(form): form for form in (_value_schema(each, lists_choices) for each in ordered)}
    schema = next(iter(schemas.values())) if len(schemas) == 1 else {"anyOf": list(schemas.values())}
    told = "; ".join(_told(each) for each in ordered[:MOST_NAMES])
    return Parameter("value", schema, kinds, description=shown(f"the value. {told}", LONGEST_TOLD))


def given_value(predicate: Predicate | None, value: Any) -> Any:
    """Give what a model means by a value: JSON is told as text to it, so its text is read as JSON.

    Text that is no JSON is a value as it is.
    """
    if predicate is None or predicate.type != "json" or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _is_listable(predicates: Sequence[Predicate]) -> bool:
    texts = [as_text(choice) for predicate in predicates for choice in predicate.choices or ()]
    return len(texts) <= MOST_CHOICES and sum(map(len, texts)) <= LONGEST_CHOICES


def _value_schema(predicate: Predicate, lists_choices: bool) -> dict[str, Any]:
    kind = {"number": "number", "bool": "boolean"}.get(predicate.type, "string")
    wanted = {"number": (int, float), "string": (str,)}.get(kind, ())
    choices = predicate.choices or ()
    if lists_choices and choices and all(isinstance(one, wanted) and not isinstance(one, bool) for one in choices):
        return {"type": kind, "enum": list(choices)}
    return {"type": kind}


def _told(predicate: Predicate) -> str:
    """What a model should know of a predicate's values: "diet: one of vegan, vegetarian"."""
    if predicate.choices is not None:
        several = ", …" if len(predicate.choices) > CHOICES_TOLD else ""
        kind = f"one of {', '.join(as_text(choice) for choice in predicate.choices[:CHOICES_TOLD])}{several}"
    else:
        kind = _HINTS.get(predicate.type, "text")
    several = ", may have several values" if predicate.is_many else ""
    meaning = f" ({shown(predicate.description, LONGEST_MEANING)})" if predicate.description else ""
    return f"{predicate.name}: {kind}{several}{meaning}"


def _strict(tool: Tool) -> dict[str, Any]:
    """Give the schema in which every argument is named and the optional ones may be null, as strict modes want it."""
    properties = {each.name: _described(each, nullable=not each.is_required) for each in tool.parameters}
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def _loose(tool: Tool) -> dict[str, Any]:
    """Give the schema in which optional arguments may be left out."""
    properties = {each.name: _described(each, nullable=False) for each in tool.parameters}
    required = [each.name for each in tool.parameters if each.is_required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _described(parameter: Parameter, *, nullable: bool) -> dict[str, Any]:
    schema = dict(parameter.schema)
    if nullable:
        branches = schema.get("anyOf", [schema])
        schema = {"anyOf": [*branches, {"type": "null"}]}
    return {**schema, "description": parameter.description}


def _for_chat(tool: Tool) -> dict[str, Any]:
    return {"type": "function", "function": {key: part for key, part in _for_responses(tool).items() if key != "type"}}


def _for_responses(tool: Tool) -> dict[str, Any]:
    told = {"name": tool.name, "description": tool.description, "parameters": _strict(tool), "strict": True}
    return {"type": "function", **told}


def _for_messages(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": _loose(tool)}


DEFINITIONS: Mapping[str, Callable[[Tool], dict[str, Any]]] = {
    "openai": _for_chat,
    "openai-responses": _for_responses,
    "anthropic": _for_messages,
}
"""How each provider wants a tool written: chat completions, responses, Anthropic's messages."""

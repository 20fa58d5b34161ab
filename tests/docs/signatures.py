"""Signatures as the reference writes them: names and defaults, without types."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tensemem import Memory


def signature_text(name: str, function: Callable[..., Any]) -> str:
    """A signature on one line: ``get(user_id, predicate, default=None, *, subject="user")``."""
    parts: list[str] = []
    has_star = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not has_star:
            parts.append("*")
            has_star = True
        parts.append(parameter.name + _default(parameter.default))
    return f"{name}({', '.join(parts)})"


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return ""
    return f'="{value}"' if isinstance(value, str) else f"={value!r}"


def public_verbs() -> dict[str, Callable[..., Any]]:
    """Every public verb of Memory by its name."""
    return {name: found for name, found in inspect.getmembers(Memory, inspect.isroutine) if not name.startswith("_")}

"""What a memory looks like from outside its process: results as JSON documents and back, and the verbs as requests.

A server, a client and the command line share it, so that they can't differ: ``document`` and ``read`` are each
other's inverse, ``SERVED`` is made of the verbs themselves, and one table turns errors into problems and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .documents import document
from .reading import read

if TYPE_CHECKING:
    from .decoding import decode, encode, query_of
    from .describing import openapi
    from .envelopes import next_of, unwrap, wrap
    from .problems import error_of, problem, problem_of
    from .schemas import schema_of
    from .served import NOT_SERVED, SERVED, Parameter, Served

__all__ = [
    "NOT_SERVED",
    "SERVED",
    "Parameter",
    "Served",
    "decode",
    "document",
    "encode",
    "error_of",
    "next_of",
    "openapi",
    "problem",
    "problem_of",
    "query_of",
    "read",
    "schema_of",
    "unwrap",
    "wrap",
]

_WHERE = {
    "NOT_SERVED": "served", "SERVED": "served", "Parameter": "served", "Served": "served", "decode": "decoding",
    "encode": "decoding", "query_of": "decoding", "error_of": "problems", "problem": "problems",
    "problem_of": "problems", "next_of": "envelopes", "unwrap": "envelopes", "wrap": "envelopes",
    "openapi": "describing", "schema_of": "schemas",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what needs the verbs only when it is asked for: the command line writes documents alone."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_WHERE[name]}", __name__), name)

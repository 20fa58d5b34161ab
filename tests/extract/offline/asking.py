"""Asks the offline extractor for what one message, or several, propose."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from tensemem import OfflineExtractor, Operation, vocabulary
from tensemem.core.profiles import predicates_of
from tensemem.model.predicate import Predicate
from tensemem.ports import ExtractionRequest, RequestMessage

SAID_AT = datetime(2026, 5, 20, 12, tzinfo=UTC)
"""A Wednesday."""


@cache
def extractor() -> OfflineExtractor:
    """One for all tests, since compiling a vocabulary takes a moment."""
    return OfflineExtractor()


@cache
def ready_made() -> tuple[Predicate, ...]:
    """Every predicate of the vocabularies that ship."""
    found, _ = predicates_of([vocabulary.PERSONAL, vocabulary.PROJECT], lambda path: Path(path).read_bytes())
    return tuple(found)


def predicate(name: str, *examples: str, cardinality: Any = "one", **more: Any) -> Predicate:
    """A predicate with examples."""
    return Predicate(name, cardinality, examples=examples, **more)


def read(
    text: str, predicates: Sequence[Predicate] | None = None, *, said_at: datetime = SAID_AT, **more: Any
) -> list[Operation]:
    """What one message of the user proposes."""
    known = tuple(ready_made() if predicates is None else predicates)
    message = RequestMessage(text, more.pop("role", "user"), said_at, **more)
    return extractor().extract(ExtractionRequest((message,), predicates=known))


def said(text: str, predicates: Sequence[Predicate] | None = None, **more: Any) -> list[str]:
    """What one message proposes, in short: ``"set lives_in=Oslo"``, with the subject and modality where special."""
    return [short(operation) for operation in read(text, predicates, **more)]


def short(operation: Operation) -> str:
    """An operation in short."""
    subject = "" if operation.subject == "user" else f"{operation.subject}: "
    modality = "" if operation.modality == "asserted" else f" ({operation.modality})"
    return f"{subject}{operation.op} {operation.predicate}={operation.value}{modality}"


def times(operation: Operation) -> dict[str, Any]:
    """The times of an operation that are given."""
    given = {name: getattr(operation, name) for name in ("since", "until", "valid_from", "valid_to")}
    return {name: when for name, when in given.items() if when is not None}

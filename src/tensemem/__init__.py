"""tensemem: memory for AI agents that knows what is true now.

A model proposes typed operations, the engine decides, an append-only log in one SQLite file keeps everything that was
said and decided, and the facts are a projection of that log that can be folded again, byte for byte.

PYTEST_DONT_REWRITE: pytest, which finds a plugin in this package, does not warn where the package was imported before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import errors
from ._version import __version__ as __version__
from .model import display as _display
from .model.diagnosis import Diagnosis, Finding
from .model.fact import Evidence, Fact, FactStatus, Statement
from .model.freshness import Freshness
from .model.items import Items
from .model.operation import Message, Operation
from .model.predicate import Entity, Predicate
from .model.results import (
    AddResult,
    BackupReport,
    Change,
    Context,
    CopyReport,
    Decision,
    Explanation,
    ExportReport,
    History,
    ImportReport,
    LoggedMessage,
    NotUnderstood,
    Question,
    RebuildReport,
    Reextraction,
    ReextractPlan,
    Removal,
    RestoreReport,
    Retention,
    RetentionRun,
    SearchHit,
    State,
    StateDiff,
    WriteResult,
)

if TYPE_CHECKING:
    from .aio import AsyncMemory
    from .client import AsyncClient, Client
    from .extract.fake import FakeExtractor
    from .extract.offline import OfflineExtractor
    from .memory import Memory

__all__ = [
    "AddResult",
    "AsyncClient",
    "AsyncMemory",
    "BackupReport",
    "Change",
    "Client",
    "Context",
    "CopyReport",
    "Decision",
    "Diagnosis",
    "Entity",
    "Evidence",
    "Explanation",
    "ExportReport",
    "Fact",
    "FactStatus",
    "FakeExtractor",
    "Finding",
    "Freshness",
    "History",
    "ImportReport",
    "Items",
    "LoggedMessage",
    "Memory",
    "Message",
    "NotUnderstood",
    "OfflineExtractor",
    "Operation",
    "Predicate",
    "Question",
    "RebuildReport",
    "ReextractPlan",
    "Reextraction",
    "Removal",
    "RestoreReport",
    "Retention",
    "RetentionRun",
    "SearchHit",
    "State",
    "StateDiff",
    "Statement",
    "WriteResult",
    "errors",
]

_LAZY = {
    "AsyncClient": "client",
    "AsyncMemory": "aio",
    "Client": "client",
    "FakeExtractor": "extract.fake",
    "Memory": "memory",
    "OfflineExtractor": "extract.offline",
}


def _draw() -> _display.Draw:
    """Load what draws results in notebooks."""
    from .drawing.notebook import drawn

    return drawn


_display.draw_with(_draw)


def __getattr__(name: str) -> Any:
    """Load what costs something only when it is asked for."""
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

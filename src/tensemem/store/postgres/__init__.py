"""The store for fleets: PostgreSQL, the same promises as a file's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .store import PostgresStore

__all__ = ["PostgresStore"]


def __getattr__(name: str) -> Any:
    """Load what needs the driver only when it is asked for: the SQL can be shown without."""
    if name == "PostgresStore":
        from .store import PostgresStore

        return PostgresStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The store for fleets: PostgreSQL, the same promises as a file's."""

from .store import PostgresStore

__all__ = ["PostgresStore"]

"""Real PostgreSQL servers for the tests, started and ended by them."""

from .binaries import KINDS, Kind, found_line, kind_of
from .server import Server, ServerError
from .shared import close_shared, fresh_database, needed

__all__ = [
    "KINDS", "Kind", "Server", "ServerError", "close_shared", "found_line", "fresh_database", "kind_of", "needed",
]  # fmt: skip

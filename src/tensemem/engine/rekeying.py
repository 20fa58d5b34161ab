"""Giving a memory's file another key."""

from __future__ import annotations

from ..errors import InvalidValueError, StoreError
from .core import Engine


def rekey(engine: Engine, key: str | bytes | None, timeout: float) -> None:
    """Encrypt the file with another key, or with none. Raises StoreError for a store that is no file."""
    engine.check_open()
    engine.check_whole("rekey")
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not is_number or not 0 <= timeout < 10**9:
        raise InvalidValueError("timeout must be seconds of 0 or more")
    give = getattr(engine.store, "rekey", None)
    if give is None:
        raise StoreError("only a memory in a file, or one with a key per person, has a key")
    give(key, timeout=timeout)

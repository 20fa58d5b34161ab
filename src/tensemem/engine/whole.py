"""Scopes that are being copied to this store: until one is whole, nobody reads or writes it."""

from __future__ import annotations

from ..errors import StoreBusyError
from ..ports import FILLING, Head


def is_whole(head: Head | None) -> bool:
    """Tell whether a scope may be used; one that is not there yet may."""
    return head is None or head.registry_rev != FILLING


def refuse_unfinished(head: Head | None) -> None:
    """Raise StoreBusyError for a scope that is only partly there."""
    if head is not None and head.registry_rev == FILLING:
        raise StoreBusyError(
            f"the memory of {head.scope.user_id!r} is being copied here and is not whole yet; where that copy was "
            "broken off, run it again: it goes on where it stopped"
        )

"""Memories that are exported, imported, backed up and restored."""

from tests.copying.opened import one, other, places

__all__ = ["one", "other", "places"]

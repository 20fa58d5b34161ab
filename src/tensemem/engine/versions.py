"""The version of a state as text: its revision, the registry's, the moment at which it changes by itself, and when its
newest entry was recorded.

Who was given a version can have a write made only while it stands: as long as both revisions are what they were, and
that moment has not come, the state is the one that was read. A log that was restored from a backup counts on from an
earlier revision: that its entries are others is told by when they were recorded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.registry import Registry
from ..errors import InvalidValueError, StateChangedError
from ..ports import Head

_VERSION = re.compile(r"(\d{1,18})\.(\d{1,18})\.(-?\d{1,18})?(?:\.(-?[0-9a-f]{1,16}))?", re.ASCII)

ELSEWHEN = "@"
"""The end of the version of a read of another moment, or as it was known at one: no write can depend on that."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a version says. ``change`` is when the state changes by itself; ``recorded`` is of its newest entry."""

    rev: int
    registry_rev: int
    change: int | None
    recorded: int | None

    @property
    def text(self) -> str:
        """The version as callers have it."""
        change = "" if self.change is None else self.change
        recorded = "" if self.recorded is None else f".{self.recorded:x}"
        return f"{self.rev}.{self.registry_rev}.{change}{recorded}"


def recorded_at(head: Head | None) -> int | None:
    """Give when a scope's newest entry was recorded; None where it has none."""
    return None if head is None or head.rev == head.base_rev else head.last_recorded


def read_version(version: str) -> Version:
    """Read a version's text; raises InvalidValueError for anything else, versions of other reads among it."""
    found = _VERSION.fullmatch(version)
    if found is None:
        raise InvalidValueError(
            "expected_rev (If-Match) must be a revision, or the version of one scope's state, which was read "
            "without at, known_at and layers"
        )
    rev, registry_rev, change, recorded = found.groups()
    return Version(
        int(rev), int(registry_rev), None if change is None else int(change),
        None if recorded is None else int(recorded, 16),
    )  # fmt: skip


def check_version(head: Head, registry: Registry, expected: int | str | None, now: int) -> None:
    """Raise StateChangedError where a version is expected, and the state of a scope has another one now."""
    if not isinstance(expected, str):
        return
    wanted = read_version(expected)
    change = wanted.change
    here = 0 if head.rev == head.base_rev else head.rev  # as a read tells it of a scope in which nothing is yet
    if wanted != Version(here, registry.rev, change, recorded_at(head)):
        raise StateChangedError(
            f"the state had version {expected}; it is at revision {here} now, and the registry at {registry.rev}; "
            "read it again, then decide"
        )
    if change is not None and max(now, head.last_said) >= change:
        raise StateChangedError(f"the state had version {expected}; since then a value began or ended; read it again")

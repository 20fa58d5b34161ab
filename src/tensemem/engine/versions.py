"""The version of a state as text: its revision, the registry's, and the moment at which it changes by itself.

Who was given a version can have a write made only while it stands: as long as both revisions are what they were, and
that moment has not come, the state is the one that was read.
"""

from __future__ import annotations

import re

from ..core.registry import Registry
from ..errors import InvalidValueError, StateChangedError
from ..ports import Head

_VERSION = re.compile(r"(\d{1,18})\.(\d{1,18})\.(-?\d{1,18})?", re.ASCII)


def version_text(rev: int, registry_rev: int, change: int | None) -> str:
    """Write a version; ``change`` is when the state changes by itself, None where it does not."""
    return f"{rev}.{registry_rev}.{'' if change is None else change}"


def read_version(version: str) -> tuple[int, int, int | None]:
    """Read what `version_text` wrote; raises InvalidValueError for anything else, that of layers among it."""
    found = _VERSION.fullmatch(version)
    if found is None:
        raise InvalidValueError("expected_rev must be a revision, or the version of one scope's state")
    rev, registry_rev, change = found.groups()
    return int(rev), int(registry_rev), None if change is None else int(change)


def check_version(head: Head, registry: Registry, expected: int | str | None, now: int) -> None:
    """Raise StateChangedError where a version is expected, and the state of a scope has another one now."""
    if not isinstance(expected, str):
        return
    rev, registry_rev, change = read_version(expected)
    here = 0 if head.rev == head.base_rev else head.rev  # as a read tells it of a scope in which nothing is yet
    if (rev, registry_rev) != (here, registry.rev):
        raise StateChangedError(
            f"the state had version {expected}; it is at revision {here} now, and the registry at {registry.rev}; "
            "read it again, then decide"
        )
    if change is not None and max(now, head.last_said) >= change:
        raise StateChangedError(f"the state had version {expected}; since then a value began or ended; read it again")

"""Testing an agent that remembers: a clock that stands still, and assertions that say why.

Usable with any test runner. With pytest, the plugin that comes with tensemem gives all of it as fixtures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..extract.cassette import RecordingExtractor, ReplayExtractor
    from .asserting import assert_history, assert_state
    from .clock import FrozenClock

__all__ = ["FrozenClock", "RecordingExtractor", "ReplayExtractor", "assert_history", "assert_state"]

_HOMES = {
    "FrozenClock": "tensemem.testing.clock",
    "RecordingExtractor": "tensemem.extract.cassette",
    "ReplayExtractor": "tensemem.extract.cassette",
    "assert_history": "tensemem.testing.asserting",
    "assert_state": "tensemem.testing.asserting",
}


def __getattr__(name: str) -> Any:
    # The pytest plugin lives in this package and is loaded into every test run: it must not bring the rest along.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

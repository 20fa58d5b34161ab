"""How much work a task takes, in steps of Python: the same on a busy machine as on a quiet one.

The task is done once before it is counted, so that what is built on first use is no part of it, and the garbage
collector rests meanwhile: what it would clear away then (finalizers, callbacks) is the work of others.
"""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def _without_collections() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def calls_of(task: Callable[[], object]) -> int:
    """How many calls the task makes, of Python and of built-in functions."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    task()
    before = sys.getprofile()
    with _without_collections():
        sys.setprofile(count)
        try:
            task()
        finally:
            sys.setprofile(before)
    return calls


def lines_of(task: Callable[[], object]) -> int:
    """How many lines of Python the task runs."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    task()
    before = sys.gettrace()
    with _without_collections():
        sys.settrace(trace)
        try:
            task()
        finally:
            sys.settrace(before)
    return lines

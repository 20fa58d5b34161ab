"""How long a thread of a serving process goes on before another has its turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.0005
"""A tenth of Python's own.

A write lets go of the interpreter's lock at each statement of SQL, and waits for a turn to have it back. While a server
answers reads without a pause, Python's 5 ms are what each of those turns takes: writes stood a hundred times as long as
reads then (`tools/serve_load.py`).
"""


@contextmanager
def short_turns() -> Iterator[None]:
    """Let threads take turns more often, until the block ends. It is the whole process's, so only programs may."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(before)

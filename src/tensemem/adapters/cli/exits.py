"""What a command's exit code says."""

from __future__ import annotations

DONE = 0
NO = 1
"""The answer is no: nothing held, nothing found, not identical; or stale, where the current was required."""
USAGE = 2
REFUSED = 3
"""The store or the request was refused; nothing was written."""
EXTRACTOR_FAILED = 4
INTERRUPTED = 130
"""Ctrl-C, as shells count it: 128 and the signal's number."""

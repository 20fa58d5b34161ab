"""How many connections a serving process has room for: each is an open file, and the memory needs some as well."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

MOST_FILES = 16_384
"""How many open files a serving process asks for. Where the system allows fewer, it has as many as that."""
KEPT_FILES = 128
"""How many of them are no connections: the store's, those of keys, copies and logs."""


@contextmanager
def many_files() -> Iterator[None]:
    """Let the process have as many open files as it may ask for, until the block ends. Only programs may do so.

    Many systems begin a process with 1,024, which 900 clients use up.
    """
    if sys.platform == "win32":
        yield
        return
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    if before != resource.RLIM_INFINITY and before < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


def room() -> int:
    """Give how many connections there is room for now; at least one."""
    if sys.platform == "win32":
        return MOST_FILES - KEPT_FILES
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, (MOST_FILES if files == resource.RLIM_INFINITY else min(files, MOST_FILES)) - KEPT_FILES)

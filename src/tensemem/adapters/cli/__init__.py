"""The command line: how people and scripts in other languages read and write a memory.

Every command calls one verb of Memory and shows what it gives, for people or, with ``--json``, for programs.
"""

from __future__ import annotations

from .program import main, program

__all__ = ["main", "program"]

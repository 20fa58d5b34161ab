"""Trying a memory on chats one already has: read them, fold them, and tell what came of it. No store is touched.

``run(["chats.jsonl"], extractor)`` gives ``Findings``; ``page(findings)`` shows them as one HTML page.
"""

from __future__ import annotations

from .findings import Findings
from .report import page
from .running import VOCABULARIES, Options, run

__all__ = ["VOCABULARIES", "Findings", "Options", "page", "run"]

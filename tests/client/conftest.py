"""Tests of the client need the extras ``client`` and ``server``."""

from __future__ import annotations

import importlib.util

if any(importlib.util.find_spec(name) is None for name in ("httpx2", "tenacity", "starlette", "uvicorn", "httptools")):
    collect_ignore_glob = ["test_*.py"]

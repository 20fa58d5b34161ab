"""Examples of requests and answers: what a memory answered when they were made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

FILE = "examples.json"


@cache
def shipped() -> Mapping[str, Any]:
    """Give, by verb, the ``arguments`` of a request, its ``body`` where that is none of them, and the ``answer``."""
    found: dict[str, Any] = json.loads(files(__package__ or "").joinpath(FILE).read_text(encoding="utf-8"))
    return found

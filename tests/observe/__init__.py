"""What only these tests need: skipped where it is not installed, and there on a build server."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.settings import in_ci


def needed(module: str) -> Any:
    """Give a module of the development environment."""
    return importlib.import_module(module) if in_ci() else pytest.importorskip(module)

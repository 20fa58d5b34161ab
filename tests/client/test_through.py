"""What the tests of the verbs say of a memory, they say of a client: they are run once more, through a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGES = (
    "engine/test_write.py", "engine/test_amend.py", "engine/questions", "engine/test_record.py",
    "engine/test_scopes.py", "engine/test_listing.py", "engine/test_keeping.py", "engine/test_idempotency.py",
    "engine/test_versions.py", "engine/test_removing.py", "verbs/test_tools.py", "verbs/test_turns.py",
)  # fmt: skip
LONGEST = 600
"""Seconds after which one that goes on is taken to wait for itself."""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_what_is_said_of_verbs_is_said_of_a_client(page: str) -> None:
    environment = {**os.environ, "TENSEMEM_TEST_CLIENT": "1"}
    chosen = ["-m", "not slow and not of_files", "-p", "no:cacheprovider", f"tests/{page}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *chosen],
        capture_output=True, text=True, check=False, cwd=PROJECT, env=environment, timeout=LONGEST,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]

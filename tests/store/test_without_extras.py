"""The tests of stores can be collected where an extra is not installed: they are run in such environments, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.engines import TESTS

PROJECT = Path(__file__).resolve().parents[2]
EXTRAS = ("psycopg", "cryptography", "opentelemetry", "prometheus_client", "pglast", "starlette", "httpx2", "mcp")
COLLECT = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1].split()))  # as if they were not installed
import pytest
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


def test_they_are_collected_without_the_packages_of_extras() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", COLLECT, " ".join(EXTRAS), *TESTS], check=False, cwd=PROJECT, capture_output=True,
        text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]

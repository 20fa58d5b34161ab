"""Test the stores on apsw as it is without ciphers, in an environment of its own.

    python tools/engines.py [PYTEST-ARGUMENT...]

Two packages install a module `apsw`, so one environment can't have both: the development environment has that of the
extra `encrypted`, and this one, `.venvs/apsw`, that of the extra `sqlite`. The environment is kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENT = PROJECT / ".venvs" / "apsw"
PACKAGES = ("-e", ".[schema,sqlite]", "pytest>=8.2,<10", "hypothesis>=6.100")
TESTS = ("tests/store", "tests/laws/test_every_store.py", "tests/cases/test_field_cases.py")


def main(arguments: Sequence[str]) -> int:
    """Run the tests; return pytest's exit code, or that of the step that failed before."""
    made = subprocess.run(
        [sys.executable, PROJECT / "tools" / "venv.py", ENVIRONMENT, *PACKAGES], check=False, cwd=PROJECT
    )
    if made.returncode:
        return made.returncode
    python = next(path for path in (ENVIRONMENT / "bin/python", ENVIRONMENT / "Scripts/python.exe") if path.exists())
    # The variable says that ciphers and servers are missing here on purpose.
    settings = {**os.environ, "TENSEMEM_PLAIN_APSW": "1"}
    chosen = ("-m", "not slow", "-k", "apsw or driver or sqlite3")
    command = [str(python), "-m", "pytest", "-q", *chosen, *TESTS, *arguments]
    return subprocess.run(command, check=False, cwd=PROJECT, env=settings).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

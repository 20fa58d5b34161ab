"""Try a real server with everything its OpenAPI document allows and much that it does not, by schemathesis.

    python tools/fuzz.py [PYTEST-ARGUMENT...]

schemathesis brings packages that the development environment is better without, so it has one of its own,
`.venvs/fuzz`, which is kept. TENSEMEM_FUZZ_EXAMPLES says how many random requests each operation gets (6).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENT = PROJECT / ".venvs" / "fuzz"
PACKAGES = (
    "-e", ".[server,client]", "starlette>=1,<2", "schemathesis>=4.32,<5", "pytest>=8.2,<10", "hypothesis>=6.100",
)  # fmt: skip
TESTS = "tests/fuzz"


def main(arguments: Sequence[str]) -> int:
    """Run the tests; return pytest's exit code, or that of the step that failed before."""
    made = subprocess.run(
        [sys.executable, PROJECT / "tools" / "venv.py", ENVIRONMENT, *PACKAGES], check=False, cwd=PROJECT
    )
    if made.returncode:
        return made.returncode
    python = next(path for path in (ENVIRONMENT / "bin/python", ENVIRONMENT / "Scripts/python.exe") if path.exists())
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS, *arguments]
    return subprocess.run(command, check=False, cwd=PROJECT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

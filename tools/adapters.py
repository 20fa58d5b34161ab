"""Test each framework adapter in an environment of its own, against the real framework.

    python tools/adapters.py [NAME...]

An adapter NAME has tests in `tests/adapters/NAME`, and a file `requirements.txt` beside them which says what pip
installs: an extra of this project, and what only its tests need. The environments stand in `.venvs` and are kept.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TESTS = PROJECT / "tests" / "adapters"
ENVIRONMENTS = PROJECT / ".venvs"
SHARED = ("pytest>=8.2,<10", "hypothesis>=6.100", "mypy>=1.15")
NOTHING_COLLECTED = 5


def main(arguments: Sequence[str]) -> int:
    """Test the adapters named, or all; return 0 where all pass."""
    known = names()
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"There is no adapter {unknown[0]!r}. There are: {', '.join(known)}", file=sys.stderr)
        return 2
    failed = [name for name in arguments or known if not passes(name)]
    if failed:
        print(f"These failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


def names() -> list[str]:
    """The adapters that have tests and say what these need."""
    return sorted(path.parent.name for path in TESTS.glob("*/requirements.txt"))


def passes(name: str) -> bool:
    """Whether the tests of one adapter pass; its environment is made where there is none."""
    print(f"== {name}", flush=True)
    environment = ENVIRONMENTS / name
    lines = (TESTS / name / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    packages = [part for line in wanted for part in (("-e", line) if line.startswith(".") else (line,))]
    made = subprocess.run(
        [sys.executable, PROJECT / "tools" / "venv.py", environment, *packages, *SHARED], check=False, cwd=PROJECT
    )
    if made.returncode:
        return False
    python = next(path for path in (environment / "bin/python", environment / "Scripts/python.exe") if path.exists())
    tested = subprocess.run([python, "-m", "pytest", "-q", TESTS / name], check=False, cwd=PROJECT)
    if tested.returncode == NOTHING_COLLECTED:
        print(f"{name} has no tests", file=sys.stderr)
    return tested.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

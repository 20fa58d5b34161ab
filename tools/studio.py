"""Test the studio in a real browser, in an environment of its own.

    python tools/studio.py [PYTEST-ARGUMENT...]

All tests run on SQLite; then those that are marked `on_postgres` run on PostgreSQL 18, unless arguments are given, or
`TENSEMEM_TEST_STORE` names the one kind of store that all run on.

What pip installs stands in `tests/studio/requirements.txt`. The browser is the system's Chromium: $TENSEMEM_CHROMIUM,
or what is found under one of its usual names. Where there is none, a root on Debian or Ubuntu has it installed by
apt-get; anybody else is told how. `TENSEMEM_PICTURES=1` writes the pictures of the documentation anew.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TESTS = PROJECT / "tests" / "studio"
ENVIRONMENT = PROJECT / ".venvs" / "studio"
SHARED = ("pytest>=8.2,<10", "pytest-xdist>=3.6", "hypothesis>=6.100")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
VARIABLE = "TENSEMEM_CHROMIUM"
STORE, POSTGRES = "TENSEMEM_TEST_STORE", "postgres18"


def main(arguments: Sequence[str]) -> int:
    """Test the studio; return 0 where all pass."""
    browser = found_browser() or installed_browser()
    if browser is None:
        print(
            f"There is no Chromium here, and the studio is tested in one. Install it (Debian, Ubuntu: apt-get install "
            f"chromium), or name one in ${VARIABLE}.",
            file=sys.stderr,
        )
        return 1
    lines = (TESTS / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    packages = [part for line in wanted for part in (("-e", line) if line.startswith(".") else (line,))]
    made = subprocess.run(
        [sys.executable, PROJECT / "tools" / "venv.py", ENVIRONMENT, *packages, *SHARED], check=False, cwd=PROJECT
    )
    if made.returncode:
        return made.returncode
    python = next(path for path in (ENVIRONMENT / "bin/python", ENVIRONMENT / "Scripts/python.exe") if path.exists())

    def tested(*more: str, **variables: str) -> int:
        return subprocess.run(
            [python, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", TESTS, *more], check=False, cwd=PROJECT,
            env={**os.environ, VARIABLE: browser, **variables},
        ).returncode  # fmt: skip

    failed = tested(*arguments)
    if failed or arguments or os.environ.get(STORE):
        return failed
    print(f"And on {POSTGRES}, a part:", flush=True)
    return tested("-m", "on_postgres", **{STORE: POSTGRES})


def found_browser() -> str | None:
    """The browser that is here already."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def installed_browser() -> str | None:
    """Install Chromium where this is allowed, and give where it is; None where it can't be."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    print("Installing Chromium ...", flush=True)
    for words in ("update", "install -y --no-install-recommends chromium"):
        subprocess.run(
            [apt, "-qq", *words.split()], check=False, stdout=subprocess.DEVNULL,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )  # fmt: skip
    return found_browser()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Make a virtual environment and install into it, unless that has been done already.

    python tools/venv.py DIRECTORY PIP-ARGUMENT...

The environment keeps a note of what was installed, for which interpreter and which `pyproject.toml`.
While that note holds, nothing happens; otherwise pip runs again. An environment whose interpreter no
longer starts is made anew.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
NOTE = "tensemem-installed.txt"


def main(arguments: Sequence[str]) -> int:
    """Prepare the environment; return 0, or the exit code of the step that failed."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    directory, packages = Path(arguments[0]), list(arguments[1:])
    try:
        if interpreter_version(directory) is None:
            create(directory)
        install(directory, packages)
    except subprocess.CalledProcessError as error:
        print(f"This failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        return error.returncode or 1
    return 0


def interpreter(directory: Path) -> Path:
    """The environment's own Python."""
    return directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def interpreter_version(directory: Path) -> str | None:
    """The version of the environment's Python; None where it does not start or is too old to be used."""
    question = "import sys, pip; print(sys.version); sys.exit(sys.version_info < (3, 11))"
    try:
        answer = subprocess.run(
            [interpreter(directory), "-c", question], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()


def create(directory: Path) -> None:
    """Make the environment with whichever of the usual means this Python has."""
    print(f"Making a virtual environment in {directory} ...", flush=True)
    forget_interpreter(directory)
    here, there, place = sys.executable, str(interpreter(directory)), str(directory)
    ways = (
        [[here, "-m", "venv", place]],
        # Some distributions ship Python without ensurepip; a pip of their own can then bring the first one.
        [
            [here, "-m", "venv", "--without-pip", place],
            [here, "-m", "pip", "--python", there, "install", "--quiet", "pip"],
        ],
        [[here, "-m", "virtualenv", "--quiet", place]],
    )
    complaints = []
    for commands in ways:
        try:
            for command in commands:
                subprocess.run(command, capture_output=True, text=True, check=True)
        except subprocess.CalledProcessError as error:
            complaints.append((error.stdout + error.stderr).strip())
            forget_interpreter(directory)
        else:
            return
    print(f"{sys.executable} cannot make a virtual environment:\n{complaints[0]}", file=sys.stderr)
    raise SystemExit(1)


def forget_interpreter(directory: Path) -> None:
    """Remove the links to an interpreter that is gone: venv keeps those it finds. Nothing else is deleted."""
    for link in interpreter(directory).parent.glob("python*"):
        if link.is_symlink() or link.is_file():
            link.unlink()
    (directory / NOTE).unlink(missing_ok=True)


def install(directory: Path, packages: list[str]) -> None:
    """Run pip, unless the note says that these packages are there already."""
    note = directory / NOTE
    wanted = fingerprint(directory, packages)
    done = note.read_text(encoding="utf-8").splitlines() if note.exists() else []
    if wanted in done:
        return
    print(f"Installing {' '.join(packages)} ...", flush=True)
    subprocess.run(
        [interpreter(directory), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
        check=True,
        cwd=PROJECT,
    )
    note.write_text("\n".join([*done, wanted]) + "\n", encoding="utf-8")


def fingerprint(directory: Path, packages: list[str]) -> str:
    """One line that changes whenever pip has to run again."""
    text = (PROJECT / "pyproject.toml").read_bytes()
    about = [str(interpreter_version(directory)), str(PROJECT), *packages]
    return hashlib.sha256(b"\0".join([text, *(part.encode() for part in about)])).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

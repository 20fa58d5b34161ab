"""Other processes that use the library."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import tensemem.store

SOURCE = Path(tensemem.store.__file__).parents[2]


def start_child(code: str, *arguments: object, prefix: Sequence[str] = ()) -> subprocess.Popen[str]:
    """Start Python on some code, with this package on its path."""
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH", "")]))
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


def finish(child: subprocess.Popen[str], timeout: float = 60) -> str:
    """Wait for it and give what it printed; raises CalledProcessError where it failed."""
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, child.args, out, err)
    return out


def run_child(code: str, *arguments: object, prefix: Sequence[str] = ()) -> str:
    """Start and finish one."""
    return finish(start_child(code, *arguments, prefix=prefix))


def killed_when_told(child: subprocess.Popen[str]) -> None:
    """Kill it as soon as it has printed that it is inside of what it does."""
    assert child.stdout is not None
    assert child.stdout.readline() == "inside\n"
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()

"""Where clients come from: one process that has imported all they need, and forks one whenever it is asked to.

Starting Python takes longer than many a test. Started as ``python -m tests.histories.nursery``: each line it reads is a
client's settings, and each it writes the number of the process that has them. A client is reaped as it ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from tests.store.children import SOURCE

ROOT = Path(__file__).parents[2]


class Nursery:
    """The other end: starts the process, and asks it for clients."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, [str(SOURCE), str(ROOT), os.environ.get("PYTHONPATH", "")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.histories.nursery"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip

    def start(self, settings: str) -> int:
        """Start a client; gives the number of its process."""
        wishes, numbers = self._process.stdin, self._process.stdout
        assert wishes is not None
        assert numbers is not None
        print(settings, file=wishes, flush=True)
        return int(numbers.readline())

    def close(self) -> None:
        """End the nursery; clients that still run go on."""
        self._process.communicate()


@contextlib.contextmanager
def nursery() -> Iterator[Nursery]:
    """Open a nursery."""
    opened = Nursery()
    try:
        yield opened
    finally:
        opened.close()


def lives(pid: int) -> bool:
    """Whether a client still runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _serve() -> None:
    from tests.histories import client

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps them
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os._exit(_work(client.settings_in(line)))
        print(pid, flush=True)


def _work(settings: object) -> int:
    """Be a client; what it complains of goes to its file, which is empty where all went well."""
    from tests.histories.client import Settings, main

    assert isinstance(settings, Settings)
    complaint = ""
    try:
        said = os.open(Path(settings.folder) / f"{settings.name}.err", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for number in range(3):
            os.dup2(said, number)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        logging.basicConfig(format="%(asctime)s %(threadName)s %(message)s")
        main(settings)
    except BaseException:
        complaint = traceback.format_exc()
    (Path(settings.folder) / f"{settings.name}.end").write_text(complaint)
    return bool(complaint)


if __name__ == "__main__":
    _serve()

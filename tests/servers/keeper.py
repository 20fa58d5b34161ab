"""Keeps one PostgreSQL server as its child, and ends with whoever started it: run as a program of its own.

It is told one word a line: ``stop`` (connections are cut, the data is tidied), ``kill`` (-9, all of its processes),
``drop`` (the same, and the folder given is deleted), ``pause`` and ``resume``. When there is nobody to tell it anything
any more, the server ends at once, and its folder is deleted with those ``beside`` it, which its starter has made too.
It says one JSON object a line: what became of the server.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

_READY = b"database system is ready to accept"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


class Keeper:
    """The server, what it logs, and what is to be done with it."""

    def __init__(
        self, command: list[str], log: str, user: int | None, group: int | None, folder: str | None, beside: list[str]
    ) -> None:
        self.folder, self.beside = folder, beside
        self.log = open(log, "ab", buffering=0)  # noqa: SIM115
        self.libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            self.libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)  # so that whatever a killed server leaves is buried here
        switch: dict[str, Any] = {} if user is None else {"user": user, "group": group, "extra_groups": []}
        self.server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/",
            start_new_session=True, preexec_fn=self._end_with_keeper,  # noqa: PLW1509
            **switch,
        )  # fmt: skip
        self.is_ready = self.is_alone = self.is_dropped = False
        self.tail = b""

    def run(self) -> None:
        """Serve until the last of the server's processes has closed its log."""
        assert self.server.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.server.stdout, selectors.EVENT_READ, self._logged)
            selector.register(sys.stdin.fileno(), selectors.EVENT_READ, self._told)
            while selector.get_map():
                for key, _ in selector.select():
                    if not key.data(key.fileobj, selector):
                        return

    def _logged(self, source: IO[bytes], selector: selectors.BaseSelector) -> bool:
        data = os.read(source.fileno(), 65536)
        if not data:
            code = self.server.wait()
            with suppress(ChildProcessError):
                while True:
                    os.wait()
            self._delete()
            if not self.is_alone:
                with suppress(BrokenPipeError):
                    say(ended=code, said=self.tail[-2000:].decode(errors="replace"))
            return False
        self.log.write(data)
        self.tail = (self.tail + data)[-8000:]
        if not self.is_ready and _READY in self.tail:
            self.is_ready = True
            say(ready=self.server.pid)
        return True

    def _delete(self) -> None:
        own = [self.folder] if self.folder is not None and (self.is_alone or self.is_dropped) else []
        for folder in own + (self.beside if self.is_alone else []):
            shutil.rmtree(folder, ignore_errors=True)

    def _told(self, source: int, selector: selectors.BaseSelector) -> bool:
        words = os.read(source, 1024).split()
        if not words:
            selector.unregister(source)
            self.is_alone = True
            self._signal(signal.SIGCONT)
            with suppress(ProcessLookupError):
                self.server.send_signal(signal.SIGQUIT)
        for word in words:
            match word:
                case b"stop":
                    self.server.send_signal(signal.SIGINT)
                case b"kill" | b"drop":
                    self.is_dropped = word == b"drop"
                    self._signal(signal.SIGKILL)
                case b"pause":
                    self._signal(signal.SIGSTOP)
                    say(paused=True)
                case b"resume":
                    self._signal(signal.SIGCONT)
                    say(paused=False)
        return True

    def _signal(self, number: signal.Signals) -> None:
        """Reach all of the server's processes; each of them leads a session of its own, so no group holds them."""
        family = descendants(self.server.pid)
        for pid in (self.server.pid, *family):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _end_with_keeper(self) -> None:
        if sys.platform == "linux":
            self.libc.prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def descendants(parent: int) -> list[int]:
    """Give the processes below one."""
    above: dict[int, int] = {}
    if Path("/proc/self/stat").exists():
        for place in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                above[int(place.parent.name)] = int(place.read_text().rpartition(")")[2].split()[1])
    else:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        above = {int(pid): int(over) for pid, over in (line.split() for line in listed.splitlines())}
    found = [parent]
    for one in found:
        found += [pid for pid, over in above.items() if over == one]
    return found[1:]


def say(**what: Any) -> None:
    """Tell the one who started this."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the tests, which then end this
    given = json.loads(sys.argv[1])
    Keeper(**given).run()

"""What the tests of the client share: a real server on this machine, with a real key, in a thread of this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tensemem import AsyncMemory
from tensemem.access import Access
from tensemem.adapters.rest import app
from tensemem.adapters.rest.running import Address, server_of

TOKEN = "-".join(["a", "token", "of", "an", "admin", "for", "tests"])
STARTING = 30.0


class Served:
    """A memory that is served on a free port, until the block ends. ``url`` is where."""

    def __init__(self, path: Path | str, *, port: int = 0, of_app: Any = None, **options: Any) -> None:
        self._memory = AsyncMemory(path, **{"worker": False, "durability": "process", **options})
        self.access = Access.open(f"{path}-access")
        self._application = app(self._memory, access=self.access, token=TOKEN, **(of_app or {}))
        self._ready = threading.Event()
        self.url = ""
        self._server = server_of(self._application, Address(port=port), self._listens)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        assert self._ready.wait(STARTING), "the server did not begin"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def _listens(self, url: str) -> None:
        self.url = url
        self._ready.set()

    def mint(self, role: str, **limits: Any) -> str:
        """Make a key; gives its token."""
        return self.access.mint("", role, **limits)[1]

    def end(self) -> None:
        """End as on a signal, and close what was opened."""
        self._server.end()
        self._thread.join(STARTING)
        assert not self._thread.is_alive()
        self._memory._opening.result().memory.close()
        self.access.close()


@contextmanager
def served(path: Path | str, **options: Any) -> Iterator[Served]:
    """Serve a memory as long as the block lasts."""
    running = Served(path, **options)
    try:
        yield running
    finally:
        running.end()

"""What the tests of the server share: a server in this process, or one in another, and talks that reach every verb."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tensemem import AsyncMemory
from tensemem.adapters.rest import app
from tensemem.adapters.rest.app import unguarded
from tensemem.logs import ROOT

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
TOKEN = "a token for tests, of an admin".replace(" ", "-")
SOURCE = Path(__file__).resolve().parents[3] / "src"


class Web(TestClient):
    """A client of a server in this process; JSON is what is sent and what comes back."""

    def ok(self, method: str, verb: str, **given: Any) -> Any:
        """Call a verb that must succeed; gives the JSON it answers with."""
        answer = self.verb(method, verb, **given)
        assert answer.status_code == 200, (verb, given, answer.text)
        return answer.json()

    def verb(self, method: str, verb: str, headers: dict[str, str] | None = None, **given: Any) -> Any:
        """Call a verb with its parameters; gives the answer."""
        if method == "GET":
            return self.get(f"/v1/{verb}", params=given, headers=headers)
        return self.post(f"/v1/{verb}", json=given, headers=headers)


@contextmanager
def served(path: Path | str, *, access: Any = None, **options: Any) -> Iterator[Web]:
    """Serve a memory in this process; ``options`` are those of the application, and of the memory."""
    of_app = {name: options.pop(name) for name in ("limits", "rereader", "token", "rate", "hosts") if name in options}
    opened = AsyncMemory(path, **{"worker": False, "durability": "process", **options})
    application = unguarded(opened, **of_app) if access is None else app(opened, access=access, **of_app)
    with Web(application, base_url="http://localhost", raise_server_exceptions=True) as client:
        client.application = application  # type: ignore[attr-defined]
        try:
            yield client
        finally:
            client.portal.call(opened.close)  # type: ignore[union-attr]


class Server:
    """A server of its own process, on a free port of this machine."""

    def __init__(self, db: Path, *arguments: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TENSEMEM_TOKEN": TOKEN, "PYTHONUNBUFFERED": "1"}
        line = [sys.executable, "-m", ROOT, "--db", str(db), "serve", "--port", "0", *arguments]
        self.process = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.told: list[str] = []
        self.url = ""
        for told in self.process.stderr:
            self.told.append(told)
            if " at http" in told:
                self.url = told.partition(" at ")[2].partition(";")[0]
                return
        raise AssertionError(f"the server did not begin: {self.told}")

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def end(self, signal: int) -> int:
        """Send a signal; gives the exit code."""
        self.process.send_signal(signal)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end; gives the exit code."""
        code = self.process.wait(60)
        assert self.process.stderr is not None
        self.told += self.process.stderr.readlines()
        self.process.stderr.close()
        return code


@contextmanager
def server(db: Path, *arguments: str) -> Iterator[Server]:
    """Have a server in another process; it is gone when the block ends, whatever happened."""
    running = Server(db, *arguments)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.wait()


def events_in(text: str) -> list[dict[str, Any]]:
    """Read server-sent events: each with its id, if it has one, its name and its data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in fields:
            found.append({**fields, "data": json.loads(fields["data"])})
    return found

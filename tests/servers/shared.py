"""One server of each kind for a whole test run: started when the first test asks, ended with the last."""

from __future__ import annotations

import atexit
import os
import threading

import pytest

from tests.settings import in_ci

from .binaries import drop_copies, kind_of
from .server import Server, ServerError

_servers: dict[str, Server] = {}
_lock = threading.Lock()

_OPTIONS: dict[str, tuple[str, ...]] = {
    # Its databases sort as people do, so that whatever relies on the server's order shows.
    "15": ("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"),
}


def needed(name: str) -> Server:
    """Give the run's server of a major version, started if need be.

    Where it is not here the test is skipped, saying so; it fails on a build server that has to have it. One that is
    here and does not start is an error anywhere.
    """
    kind = kind_of(name)
    if kind.bin is None:
        missing = f"there is no PostgreSQL {name} here; {kind.origin} brings it"
        if kind.demanded and in_ci() and os.name == "posix":
            pytest.fail(missing)
        pytest.skip(missing)
    with _lock:
        if name not in _servers:
            _servers[name] = Server.start(kind, initdb=_OPTIONS.get(name, ()))
            atexit.register(_servers[name].close)
        server = _servers[name]
        if not server.is_running:  # a test broke off between ending it and starting it again
            server.run()
        return server


def fresh_database(name: str) -> str:
    """Give the address of a new and empty database on the run's server of a major version."""
    return needed(name).create_database()


def close_shared() -> None:
    """End the run's servers."""
    with _lock:
        for server in _servers.values():
            server.close()
        _servers.clear()
        drop_copies()


__all__ = ["ServerError", "close_shared", "fresh_database", "needed"]

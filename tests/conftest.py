"""What holds for all tests: laws are tried hard, and nothing outside the test is read or reached."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.servers import close_shared, found_line
from tests.settings import load_profile
from tests.store.every_kind import KINDS, close_shelves, shelf_of
from tests.store.shelves import Shelf, opening_in
from tests.store.templates import copied_tables

load_profile()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell; what tests start inherits it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Say which servers the tests will find."""
    return found_line()


@pytest.fixture(scope="session", autouse=True)
def _closed_world() -> Iterator[None]:
    """Refuse connections beyond the loopback, and hide a database the environment may name."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DB", "KEY", "NEW_KEY", "SHRED", "NEW_SHRED", "SQLITE"):
            patch.delenv(f"TENSEMEM_{name}", raising=False)
        patch.setattr(socket, "socket", _LoopbackSocket)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_server_left() -> Iterator[None]:
    """End the servers that tests have asked for."""
    yield
    close_shelves()
    close_shared()


@pytest.fixture(scope="session", autouse=True)
def _tables_are_copied() -> Iterator[None]:
    """New databases are copies of one that was made; how they are made has tests in a folder where they are made."""
    with copied_tables():
        yield


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """What a test, or a page of the docs, sets up for the library's logger is gone with it."""
    logger = logging.getLogger("tensemem")
    handlers, level = list(logger.handlers), logger.level
    yield
    logger.handlers[:] = handlers
    logger.setLevel(level)


@pytest.fixture(autouse=bool(os.environ.get("TENSEMEM_TEST_STORE")))
def _store_of_the_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where TENSEMEM_TEST_STORE names a kind of store, memories are opened there, whatever path a test gives them."""
    kind = next(kind for kind in KINDS if kind.name == os.environ["TENSEMEM_TEST_STORE"])
    with opening_in(shelf_of(kind, request.getfixturevalue("tmp_path_factory"))):
        yield


@pytest.fixture(autouse=bool(os.environ.get("TENSEMEM_TEST_CLIENT")))
def _verbs_through_a_server() -> Iterator[None]:
    """Where TENSEMEM_TEST_CLIENT is set, the verbs of memories go through a client and a server."""
    from tests.client.through import through_a_server

    with through_a_server():
        yield


@pytest.fixture(params=KINDS, ids=str)
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """A shelf of each kind of store in turn, empty."""
    return shelf_of(request.param, tmp_path_factory)


class _LoopbackSocket(socket.socket):
    def connect(self, address: Any, /) -> None:
        self._refuse_remote(address)
        super().connect(address)

    def connect_ex(self, address: Any, /) -> int:
        self._refuse_remote(address)
        return super().connect_ex(address)

    def _refuse_remote(self, address: Any) -> None:
        is_remote = isinstance(address, tuple) and address[0] not in {"localhost", "127.0.0.1", "::1"}
        if is_remote:
            self.close()  # or a warning about it hides the message below
            raise AssertionError(f"a test tried to reach {address[0]}: tests use no network")

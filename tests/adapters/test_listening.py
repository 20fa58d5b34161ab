"""An address that can't be had is told in one line, with what to do; signals end a server once."""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import subprocess
import sys
from typing import Any

import pytest

from tensemem.adapters._listening import ending_on_signals, listening_on
from tensemem.errors import StoreError
from tests.docs.pages import PROJECT


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EADDRINUSE, "it is in use, perhaps by another server: stop that one, or name another port with --port"),
        (errno.EACCES, "this user may not: name a port of 1024 or more"), (errno.EADDRNOTAVAIL, "it is no address"),
        (errno.ENOMEM, "name another address with --host"),
    ],
)  # fmt: skip
def test_what_the_system_refuses_is_told_in_words(
    number: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreError) as told, listening_on("::1", 80):  # noqa: PT012 - as a server does it
        logging.getLogger("uvicorn.error").error(OSError(number, "raw words"))
        raise SystemExit(1)
    assert str(told.value).startswith(f"nobody can listen on [::1]:80; {words}")
    assert "\n" not in str(told.value)
    assert caplog.records == []


def test_what_else_a_server_logs_is_not_kept_back(caplog: pytest.LogCaptureFixture) -> None:
    with listening_on("localhost", 1):
        logging.getLogger("uvicorn.error").error("something else")
    assert [record.message for record in caplog.records] == ["something else"]
    logging.getLogger("uvicorn.error").error(OSError(errno.EIO, "later"))
    assert len(caplog.records) == 2


def test_a_signal_is_told_once_and_what_was_there_before_is_there_again() -> None:
    told: list[int] = []
    before = signal.getsignal(signal.SIGTERM)
    with ending_on_signals(lambda number, _frame: told.append(number)):
        os.kill(os.getpid(), signal.SIGTERM)
    assert told == [signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_a_port_that_is_taken(tmp_path: Any, command: str) -> None:
    pytest.importorskip("uvicorn")
    pytest.importorskip("mcp")

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        more = ["--transport", "http", "--user", "ann"] if command == "mcp" else []
        line = [sys.executable, "-m", "tensemem", "--db", str(tmp_path / "m.db"), command, *more, "--port", port]
        mine = {"PYTHONPATH": str(PROJECT / "src"), "TENSEMEM_TOKEN": "a-token-for-tests-of-an-admin"}
        ran = subprocess.run(line, check=False, env={**os.environ, **mine}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 3
    told = [one for one in ran.stderr.splitlines() if "made " not in one]
    assert told == [
        f"tensemem: nobody can listen on 127.0.0.1:{port}; it is in use, perhaps by another server: "
        "stop that one, or name another port with --port"
    ]

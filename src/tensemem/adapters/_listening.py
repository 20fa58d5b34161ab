"""What servers of this package share: they end by signals once, and say in one line why an address can't be had."""

from __future__ import annotations

import errno
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import Filter, LogRecord, getLogger
from typing import Any

from tensemem.errors import StoreError

_HELPS = {
    errno.EADDRINUSE: "it is in use, perhaps by another server: stop that one, or name another port with --port",
    errno.EACCES: "this user may not: name a port of 1024 or more with --port",
    errno.EADDRNOTAVAIL: "it is no address of this machine: name another with --host",
}
_UNKNOWN = "no address of that name is known here: name another with --host"
_HELP = "name another address with --host, or another port with --port"


@contextmanager
def ending_on_signals(handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Have a server told of SIGINT and SIGTERM, once; they are not raised again when all is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


class _Cause(Filter):
    """Keeps the system's refusal, which a server logs as it stands before it ends the process."""

    def __init__(self) -> None:
        super().__init__()
        self.error: OSError | None = None

    def filter(self, record: LogRecord) -> bool:
        if isinstance(record.msg, OSError):
            self.error = record.msg
            return False
        return True


def try_address(host: str, port: int) -> None:
    """Raise StoreError where the address can't be listened on: before a key is made, and shown once, for nothing."""
    with listening_on(host, port):
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except UnicodeError:  # such as a..b
            raise socket.gaierror from None
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as trial:
            if sys.platform != "win32":  # as a server does: what is about to be let go of is free
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)


def try_certificate(certificate: str, key: str) -> None:
    """Raise StoreError where a certificate and its key can't be used."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: "")
    except OSError as error:  # ssl.SSLError is one
        raise StoreError(
            f"{certificate} and {key} can't be used as a certificate and its key, both in PEM: {error}"
        ) from None


@contextmanager
def listening_on(host: str, port: int) -> Iterator[None]:
    """Run a server; raises StoreError where the address can't be listened on."""
    told, cause = getLogger("uvicorn.error"), _Cause()
    told.addFilter(cause)
    try:
        yield
    except (SystemExit, OSError) as ended:
        error = ended if isinstance(ended, OSError) else cause.error
        why = _HELP if error is None else _HELPS.get(error.errno or 0, _HELP)
        why = _UNKNOWN if isinstance(error, socket.gaierror) else why
        where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        raise StoreError(f"nobody can listen on {where}; {why}") from None
    finally:
        told.removeFilter(cause)

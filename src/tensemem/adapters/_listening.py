"""What servers of this package share: they end by signals once, and say in one line why an address can't be had."""

from __future__ import annotations

import errno
import signal
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
        where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        raise StoreError(f"nobody can listen on {where}; {why}") from None
    finally:
        told.removeFilter(cause)

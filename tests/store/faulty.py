"""A disk that fails when told to, below SQLite: a virtual file system of apsw that counts what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from tensemem.store.sqlite import drivers
from tensemem.store.sqlite.drivers import Connection

NAME = "tensemem-faulty"

READS, WRITES, FLUSHES, SIZES = ("xRead",), ("xWrite",), ("xSync",), ("xTruncate",)
LOCKS, NAMES = ("xLock",), ("xOpen", "xDelete")
ANY = (*READS, *WRITES, *FLUSHES, *SIZES, *LOCKS, *NAMES)


class Disk:
    """What fails: from the nth of some calls on, ``times`` of them, with a code of SQLite's.

    ``asked`` counts the calls that might have; ``failed`` those that did.
    """

    def __init__(self) -> None:
        self.mend()

    def mend(self) -> None:
        """Have everything work again, and count anew."""
        self._calls: tuple[str, ...] = ()
        self._code: int | None = None
        self._after = self._left = 0
        self.asked = self.failed = 0

    def break_(self, calls: tuple[str, ...], after: int, *, code: int | None = None, times: int = 10**9) -> None:
        """Let so many of the calls pass, then fail; without a code with the one of an I/O error of that call."""
        self.mend()
        self._calls, self._after, self._code, self._left = calls, after, code, times

    def meet(self, call: str) -> None:
        """Count a call, and raise where it is to fail."""
        if call not in self._calls:
            return
        self.asked += 1
        if self.asked <= self._after or self._left == 0:
            return
        self._left -= 1
        self.failed += 1
        raise _error(self._code or _CODES[call])


DISK = Disk()


@contextmanager
def faulty_disk() -> Iterator[Disk]:
    """Have stores opened with apsw work on the disk that fails; it is whole at first."""
    apsw = pytest.importorskip("apsw")
    usual = drivers.with_apsw()
    vfs = _vfs(apsw)

    def connect(name: str, timeout: float) -> Connection:
        uri = name if name == ":memory:" else f"{name}{'&' if '?' in name else '?'}vfs={NAME}"
        return usual.connect(uri, timeout)

    driver = drivers.Driver("apsw", usual.version, connect, usual.first_bytes, usual.has_ciphers)
    DISK.mend()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drivers, "with_apsw", lambda: driver)
        try:
            yield DISK
        finally:
            DISK.mend()
            vfs.unregister()


def _error(code: int) -> Exception:
    import apsw

    error = cast("Any", apsw.exception_for(code))
    return cast("Exception", error)


_CODES: dict[str, int] = {}


def _vfs(apsw: Any) -> Any:
    _CODES.update(
        xRead=apsw.SQLITE_IOERR_READ, xWrite=apsw.SQLITE_IOERR_WRITE, xSync=apsw.SQLITE_IOERR_FSYNC,
        xTruncate=apsw.SQLITE_IOERR_TRUNCATE, xLock=apsw.SQLITE_IOERR_LOCK, xOpen=apsw.SQLITE_CANTOPEN,
        xDelete=apsw.SQLITE_IOERR_DELETE,
    )  # fmt: skip

    class Vfs(apsw.VFS):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(NAME, "")

        def xOpen(self, name: Any, flags: Any) -> Any:  # noqa: N802 -- SQLite's name
            DISK.meet("xOpen")
            return File("", name, flags)

        def xDelete(self, name: str, is_flushed: bool) -> None:  # noqa: N802
            DISK.meet("xDelete")
            super().xDelete(name, is_flushed)

        def excepthook(self, kind: Any, value: Any, trace: Any) -> None:
            """Say nothing: SQLite was told."""

    class File(apsw.VFSFile):  # type: ignore[misc]
        def excepthook(self, kind: Any, value: Any, trace: Any) -> None:
            """Say nothing: SQLite was told."""

    for call in (*READS, *WRITES, *FLUSHES, *SIZES, *LOCKS):
        setattr(File, call, _meeting(call, getattr(apsw.VFSFile, call)))
    return Vfs()


def _meeting(call: str, go_on: Callable[..., Any]) -> Callable[..., Any]:
    def meet(file: Any, *arguments: Any) -> Any:
        DISK.meet(call)
        return go_on(file, *arguments)

    return meet

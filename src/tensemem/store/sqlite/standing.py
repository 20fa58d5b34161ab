"""Whether the file that was opened still stands under its name.

SQLite goes on with a file that was moved, deleted or replaced, and so would lose what it acknowledges: nobody finds it
again. So whoever reads or writes looks first, and whoever has committed looks again before saying so.
"""

from __future__ import annotations

import os

from ...errors import StoreError

_GONE = (
    "{path} was moved or deleted while it was open: put it back where it was, or close this memory and open it again. "
    "Nothing is read or written until then."
)
_REPLACED = (
    "Another file was put in the place of {path} while it was open: close this memory and open it again. Nothing is "
    "read or written until then."
)


class Standing:
    """Knows the file that was opened by what does not change while it lives. ``note`` it once it is open."""

    __slots__ = ("_known", "_path")

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: tuple[int, int] | None = None

    def note(self) -> None:
        """Take the file that stands there now for the one that is open."""
        if os.name == "posix":  # elsewhere the system keeps an open file where it is
            found = os.stat(self._path)
            self._known = (found.st_dev, found.st_ino)

    def check_opened(self, identity: tuple[int, int]) -> None:
        """Raise StoreError where a file that was opened again by its name is another one."""
        if self._known not in (None, identity):
            raise StoreError(_REPLACED.format(path=self._path))

    def check(self) -> None:
        """Raise StoreError where the file is gone, or another one stands in its place."""
        if self._known is None:
            return
        try:
            found = os.stat(self._path)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise StoreError(_GONE.format(path=self._path)) from error
        except OSError:
            return  # it can't be looked at now, which does not move it
        if (found.st_dev, found.st_ino) != self._known:
            raise StoreError(_REPLACED.format(path=self._path))

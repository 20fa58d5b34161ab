"""Where an export is read from: a file, standard input, an open file, or lines as somebody gives them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from typing import Any, BinaryIO, cast

from ..errors import InvalidValueError, StoreError
from .exportreading import ByteLines

STANDARD = "-"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Inlet:
    """What is read, and how reports and errors call it."""

    name: str
    stream: ByteLines


@contextmanager
def inlet(source: Any) -> Iterator[Inlet]:
    """Open what lines come from; a packed file is known by its first bytes. Raises InvalidValueError, StoreError."""
    if isinstance(source, str) and source == STANDARD:
        yield Inlet("standard input", cast("ByteLines", sys.stdin.buffer))
    elif isinstance(source, (str, os.PathLike)):
        path = os.path.abspath(os.path.expanduser(os.fspath(source)))
        with _opened(path) as file:
            yield Inlet(path, cast("ByteLines", _unpacked(file) if file.peek(2)[:2] == _GZIP else file))
    elif callable(getattr(source, "readline", None)):
        target = getattr(source, "buffer", source)  # a text file has one
        stream = target if isinstance(target.read(0), bytes) else _Lines(iter(target))
        yield Inlet(str(getattr(source, "name", "an open file")), cast("ByteLines", stream))
    elif isinstance(source, Iterable) and not isinstance(source, (bytes, bytearray, dict)):
        yield Inlet("the lines given", _Lines(iter(source)))
    else:
        raise InvalidValueError("source must be a path, '-' for standard input, an open file, or lines")


def _opened(path: str) -> BufferedReader:
    try:
        return open(path, "rb")
    except OSError as error:
        raise StoreError(f"{path} can't be read: {error}") from error


def _unpacked(file: BinaryIO) -> BinaryIO:
    import gzip

    return cast("BinaryIO", gzip.GzipFile(fileobj=file))


class _Lines:
    """Lines of text or bytes as a file gives them; each is one line, with or without its end."""

    def __init__(self, lines: Iterator[Any]) -> None:
        self._lines = lines
        self._left = b""

    def readline(self, limit: int, /) -> bytes:
        raw = self._left or self._next()
        raw, self._left = raw[:limit], raw[limit:]
        return raw

    def _next(self) -> bytes:
        line = next(self._lines, None)
        if line is None:
            return b""
        if isinstance(line, str):
            line = line.encode("utf-8", "surrogatepass")
        if not isinstance(line, (bytes, bytearray)):
            raise InvalidValueError("each line must be text or bytes")
        return bytes(line) if line.endswith(b"\n") else bytes(line) + b"\n"

"""Where an export is written to: a new file, standard output, or what the caller has open."""

from __future__ import annotations

import io
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from ..errors import InvalidValueError, StoreError
from .leftovers import own_mark, sweep

STANDARD = "-"
_BYTES = "dest must be a path, '-' for standard output, or a file opened for writing bytes"


@dataclass(frozen=True, slots=True)
class Outlet:
    """What is written to, and how reports call it."""

    name: str
    write: Callable[[bytes], Any]


@contextmanager
def outlet(dest: Any, *, overwrite: bool, beside: str) -> Iterator[Outlet]:
    """Open where lines go to. A file is there, whole, when this ends without an error; else it is as it was.

    ``beside`` is the memory's own place, which is never overwritten. Raises InvalidValueError and StoreError.
    """
    if dest == STANDARD:
        stream = sys.stdout.buffer
        yield Outlet("standard output", stream.write)
        stream.flush()
    elif isinstance(dest, (str, os.PathLike)):
        path = os.path.abspath(os.path.expanduser(os.fspath(dest)))
        with new_file(path, overwrite=overwrite, beside=beside) as file, ExitStack() as stack:
            target = stack.enter_context(_packed(file)) if path.endswith(".gz") else file
            yield Outlet(path, target.write)
    elif callable(getattr(dest, "write", None)):
        target = getattr(dest, "buffer", dest)  # a text file has one
        if isinstance(target, io.TextIOBase):
            raise InvalidValueError(_BYTES)
        yield Outlet(str(getattr(dest, "name", "an open file")), target.write)
        with suppress(AttributeError):
            target.flush()
    else:
        raise InvalidValueError(_BYTES)


def _packed(file: BinaryIO) -> BinaryIO:
    """Pack what is written, without a name and time, so that the same lines make the same file."""
    import gzip

    return cast("BinaryIO", gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0))


@contextmanager
def new_file(path: str, *, overwrite: bool, beside: str) -> Iterator[BinaryIO]:
    """Write a file under another name, which only its owner can read, and give it its own once it is on the disk."""
    refuse_taken(path, overwrite=overwrite, beside=beside)
    partial = partial_name(path)
    try:
        with open(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        publish(partial, path, overwrite=overwrite)
    except OSError as error:
        raise StoreError(f"{path} can't be written: {error}") from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(partial)


def refuse_taken(path: str, *, overwrite: bool, beside: str) -> None:
    """Raise StoreError where a name is taken and must not be, or is that of the memory itself."""
    if os.path.isdir(path):
        raise StoreError(f"{path} is a folder; name a file in it")
    with suppress(OSError):
        if os.path.samefile(path, beside):
            raise StoreError(f"{path} is the memory itself; name another file")
    if os.path.lexists(path) and not overwrite:
        raise StoreError(f"{path} exists; name another file, or pass overwrite=True")


def partial_name(path: str) -> str:
    """Give a name in the same folder that nobody uses; what killed processes left of the same file is removed."""
    folder, name = os.path.split(path)
    begin = f".{name[:150]}."
    sweep(folder, begin, r"\.[0-9a-f]{8}\.partial")
    return os.path.join(folder, f"{begin}{own_mark()}.{secrets.token_hex(4)}.partial")


def publish(partial: str, path: str, *, overwrite: bool) -> None:
    """Give a finished file its name; never in the place of another one unless that is wanted."""
    if overwrite:
        os.replace(partial, path)
    else:
        try:
            os.link(partial, path)
        except FileExistsError:
            raise StoreError(f"{path} exists by now; name another file, or pass overwrite=True") from None
        except OSError:  # a file system without links
            os.rename(partial, path)
    flush_folder(path)


def flush_folder(path: str) -> None:
    """Have a name reach the disk."""
    if os.name != "nt":  # which has no such thing
        opened = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

"""Writing a configuration: whole or not at all, with a copy of what was there, and never over what can't be read."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import InvalidValueError, StoreError
from . import json_text, toml_text
from .clients import Place, Started

NAME = "tensemem"
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Installed:
    """What was done: the file, the text it has now, whether it was changed, and where what was there is kept."""

    path: Path
    text: str
    changed: bool
    backup: Path | None = None


def alone(place: Place, started: Started, name: str = NAME) -> str:
    """Give what a configuration would be that holds nothing but the server."""
    return _with("", place, started, name)


def install(place: Place, started: Started, name: str = NAME) -> Installed:
    """Put the server into a client's configuration; what stands there already is not written again.

    Raises InvalidValueError for a configuration that can't be read, which is left as it is; StoreError where the system
    refuses.
    """
    path = Path(os.path.realpath(place.path))  # through links, which stay
    before = _bytes_of(path)
    text = _text_of(path, before)
    try:
        made = _with(text, place, started, name)
    except InvalidValueError as error:
        raise InvalidValueError(f"{path} is left as it is: {error}") from None
    if made == text:
        return Installed(place.path, text, changed=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = None if before is None else _kept(path, before)
        _write(path, made.encode("utf-8"), _mode_of(path))
    except OSError as error:
        raise StoreError(f"{path} can't be written: {error.strerror or error}") from error
    return Installed(place.path, made, changed=True, backup=backup)


def _with(text: str, place: Place, started: Started, name: str) -> str:
    put: Any = toml_text.with_server if place.form == "toml" else json_text.with_server
    made: str = put(text, place.keys, name, place.entry(started))
    return made


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path} can't be read: {error.strerror or error}") from error


def _text_of(path: Path, found: bytes | None) -> str:
    try:
        return (found or b"").removeprefix(_MARK).decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidValueError(f"{path} is left as it is: it is no UTF-8 text") from None


def _kept(path: Path, before: bytes) -> Path:
    """Keep what was there beside it, under a name that nothing has."""
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.bak{'' if number == 1 else number}")
        try:
            with open(os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _mode_of(path)), "wb") as file:
                file.write(before)
                os.fsync(file.fileno())
            return backup
        except FileExistsError:
            if backup.read_bytes() == before:
                return backup
            number += 1


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o600


def _write(path: Path, content: bytes, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise

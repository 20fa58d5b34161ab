"""What goes through a trial: sources, what is said in them, and what could not be read."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TypeAlias

from ..errors import InvalidValueError

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Said:
    """One message as it stands in a source, before anybody decided whose memory it belongs to.

    ``line`` is its line, or that of the conversation it is in. ``role`` is the memory's own word; ``name`` is who
    speaks, where the source names people; ``user`` whose memory it is, where the source says so. ``at`` is aware.
    """

    line: int
    role: str
    text: str
    at: datetime | None = None
    name: str | None = None
    user: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a source that could not be used, and what was expected. ``line`` is 0 where it has none."""

    file: str
    line: int
    why: str


Item: TypeAlias = Said | Fault


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, as often as needed.

    ``name`` is its name, without its folder where that is enough; ``written_at`` is its last change.
    """

    name: str
    path: Path
    written_at: datetime

    def open(self) -> BinaryIO:
        """Open it for reading only."""
        return self.path.open("rb")


@contextmanager
def opened(names: tuple[str, ...], now: datetime) -> Iterator[tuple[Source, ...]]:
    """Give the sources that arguments name; standard input is copied, so that it can be read twice.

    Raises InvalidValueError for what can't be read, and where standard input is named twice.
    """
    if names.count(STANDARD_INPUT) > 1:
        raise InvalidValueError("standard input can be read once; name '-' once")
    ends = [Path(name).name for name in names]
    with tempfile.TemporaryDirectory(prefix="tensemem-try-") as folder:
        yield tuple(
            _standard_input(Path(folder) / "input", now)
            if name == STANDARD_INPUT
            else _file(name, end if ends.count(end) == 1 else name, now)
            for name, end in zip(names, ends, strict=True)
        )


def _file(name: str, short: str, now: datetime) -> Source:
    path = Path(name).expanduser()
    try:
        with path.open("rb"):
            changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidValueError(f"{name} can't be read: {why}; give files, or - for standard input") from error
    return Source(short, path, min(changed, now))


def _standard_input(path: Path, now: datetime) -> Source:
    if sys.stdin is None or sys.stdin.closed:
        raise InvalidValueError("there is no standard input")
    with path.open("wb") as copy:
        while block := sys.stdin.buffer.read(1 << 20):
            copy.write(block)
    return Source("standard input", path, now)

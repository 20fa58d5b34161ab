"""A few numbers that all processes of a run share: how far the clock is off, when to stop, whom to write to."""

from __future__ import annotations

import mmap
import struct
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

_OFFSET, _STOP, _ERA = 0, 8, 16
_SIZE = 24
_NUMBER = struct.Struct("=q")


class Control:
    """The shared numbers, in a file every process maps. Each is written as a whole."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _SIZE)

    def _get(self, place: int) -> int:
        return int(_NUMBER.unpack_from(self._shared, place)[0])

    def _set(self, place: int, number: int) -> None:
        _NUMBER.pack_into(self._shared, place, number)

    @property
    def is_over(self) -> bool:
        """Whether the processes are to end."""
        return bool(self._get(_STOP))

    def stop(self) -> None:
        """Tell all processes to end."""
        self._set(_STOP, 1)

    @property
    def era(self) -> int:
        """Which users are written to now; those of earlier eras are only read."""
        return self._get(_ERA)

    def leave_era(self, era: int) -> None:
        """Go on to the users of the next era, where somebody else has not done so already."""
        if self.era == era:
            self._set(_ERA, era + 1)

    def step_clock(self, seconds: float) -> None:
        """Move the clock of all processes, as whoever sets a machine's clock does."""
        self._set(_OFFSET, self._get(_OFFSET) + round(seconds * 1_000_000))

    def clock(self) -> datetime:
        """The present as all processes of the run have it."""
        return datetime.now(UTC) + timedelta(microseconds=self._get(_OFFSET))

    def microseconds(self) -> int:
        """The same in microseconds, for leases and pauses."""
        return time.time_ns() // 1000 + self._get(_OFFSET)

    def close(self) -> None:
        """Let go of the file."""
        self._shared.close()

"""What was used, and how much may be used in a day."""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

from ...errors import ExtractorUnavailable
from ...ports import Clock


@dataclass(slots=True)
class Used:
    """What one question has used, or all of them: requests sent, tokens, seconds spent waiting for answers.

    ``retries`` are requests sent again after a failure, ``repaired`` malformed answers that a second
    question put right.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    retries: int = 0
    repaired: int = 0

    def add(self, other: Used) -> None:
        """Count another's in."""
        for name in _NAMES:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_mapping(self) -> dict[str, Any]:
        """Give it as it is recorded; seconds to the millisecond."""
        return {**{name: getattr(self, name) for name in _NAMES}, "seconds": round(self.seconds, 3)}


_NAMES = tuple(field.name for field in fields(Used))


class Allowance:
    """How many calls and tokens are left of a day (of UTC). Safe to use from several threads.

    A call that begins below the cap is made to its end, so the tokens of a day may exceed the cap by those of the calls
    that were under way. A call the provider turned away is given back.
    """

    def __init__(self, name: str, calls: int | None, tokens: int | None, clock: Clock) -> None:
        self._name, self._clock = name, clock
        self._most = {"calls": calls, "tokens": tokens}
        self._lock = threading.Lock()
        self._day = date.min
        self._spent = {"calls": 0, "tokens": 0}

    def take_call(self) -> date:
        """Count a call, before it is made; gives its day. Raises ExtractorUnavailable where the day's share is used."""
        now = self._clock().astimezone(UTC)
        with self._lock:
            if now.date() > self._day:  # never back: a clock that is set back must not open the purse again
                self._day, self._spent = now.date(), {"calls": 0, "tokens": 0}
            for unit, most in self._most.items():
                if most is not None and self._spent[unit] >= most:
                    raise ExtractorUnavailable(self._used_up(unit, most))
            self._spent["calls"] += 1
            return self._day

    def give_back(self, day: date) -> None:
        """Take back a call that cost nothing."""
        with self._lock:
            if day == self._day:
                self._spent["calls"] -= 1

    def spend(self, tokens: int) -> None:
        """Count the tokens of a call, on the day on which they are told."""
        with self._lock:
            self._spent["tokens"] += tokens

    def _used_up(self, unit: str, most: int) -> str:
        begin = datetime.combine(self._day, datetime.min.time(), UTC) + timedelta(days=1)
        return (
            f"{self._name}: the {most} {unit} allowed in a day (max_{unit}_per_day) are used up; "
            f"it resumes at {begin:%Y-%m-%dT%H:%MZ}"
        )


class Pause:
    """Keeps a provider from being asked while it is known to be of no use. Safe to use from several threads."""

    def __init__(self, name: str, clock: Clock) -> None:
        self._name, self._clock = name, clock
        self._lock = threading.Lock()
        self._why = ""
        self._begin = self._end = datetime.min.replace(tzinfo=UTC)

    def begin(self, seconds: float, why: str) -> str:
        """Ask nothing for some seconds; gives until when, as it is added to the reason."""
        with self._lock:
            self._begin = self._clock().astimezone(UTC)
            self._end = self._begin + timedelta(seconds=seconds)
            self._why = why
            return self._until()

    def check(self) -> None:
        """Raise ExtractorUnavailable while the pause lasts."""
        now = self._clock().astimezone(UTC)
        with self._lock:
            if self._begin <= now < self._end:  # a clock that was set back ends it
                raise ExtractorUnavailable(f"{self._name}: {self._why}{self._until()}")

    def _until(self) -> str:
        return f"; not asked again before {self._end:%Y-%m-%dT%H:%M:%SZ}"

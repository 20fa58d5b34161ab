"""What a look at a memory's health finds: one finding for each question asked, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

Level = Literal["ok", "note", "warning", "error"]
LEVELS: tuple[Level, ...] = ("ok", "note", "warning", "error")
"""How bad a finding is, the best first: in order; worth knowing; to be seen to; nothing or not all of it works."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what was found, and, where it is not in order, what to do."""

    name: str
    level: Level
    found: str
    todo: str = ""

    def __str__(self) -> str:
        return f"{self.level}: {self.name}: {self.found}" + (f" ({self.todo})" if self.todo else "")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found of a memory, in the order it was looked at."""

    location: str
    findings: tuple[Finding, ...]
    seconds: float = 0.0

    @property
    def level(self) -> Level:
        """The worst of the findings' levels."""
        return max((finding.level for finding in self.findings), key=LEVELS.index, default="ok")

    @property
    def is_fine(self) -> bool:
        """Whether nothing has to be seen to: no warning and no error."""
        return self.level in ("ok", "note")

    def named(self, name: str) -> Finding | None:
        """Give the first finding of a name, or None where that was not looked at."""
        return next((finding for finding in self.findings if finding.name == name), None)

    def __str__(self) -> str:
        return "\n".join([f"{self.location}: {self.level}", *map(str, self.findings)])


class Examined(Protocol):
    """What can be looked at: part of what a store promises."""

    def examine(self, *, thorough: bool = False, quick: bool = False) -> Iterator[Finding]:
        """Look at what the store stands on: files, pages, a server. ``quick`` leaves out what takes long.

        What can't be looked at raises StoreError, behind what was found before it.
        """

    def sizes(self) -> dict[str, int]:
        """Give sizes in bytes that are cheap to tell, each under a name that ends with ``_bytes``."""

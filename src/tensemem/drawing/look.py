"""What a whole drawing is made by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo


@dataclass(frozen=True, slots=True)
class Look:
    """The width in pixels, the zone of the times, ``now``, the role of bars, and a style of its own or none.

    ``role`` is ``"button"`` where a click on a bar does something, else ``"img"``.
    """

    width: float
    zone: tzinfo
    now: datetime
    role: str = "button"
    style: str = ""

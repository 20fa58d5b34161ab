"""What a whole drawing is made by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from .svg import element


@dataclass(frozen=True, slots=True)
class Look:
    """The width in pixels, the zone of the times, ``now``, the role of bars, and a style of its own or none.

    ``role`` is ``"button"`` where a click on a bar does something, ``"img"`` where it does nothing, and ``"link"``
    where each bar leads to what the page tells of it, under the anchor ``fact-…`` or ``statement-…`` with its id.
    """

    width: float
    zone: tzinfo
    now: datetime
    role: str = "button"
    style: str = ""
    line: str = "now"
    """What stands at the line of the present."""

    def holder(self, parts: Iterable[str], kind: str, name: str, anchor: str, **data: str) -> str:
        """Give what holds the parts of a bar or sign: it can be reached by keyboard, and has a name."""
        if self.role == "link":
            return element("a", parts, class_=kind, href=f"#{anchor}", aria_label=name, **data)
        return element("g", parts, class_=kind, role=self.role, tabindex="0", aria_label=name, **data)

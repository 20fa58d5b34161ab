"""How cases of time expressions are written down and checked."""

from __future__ import annotations

from datetime import UTC, datetime

from tensemem.times import TimeValue, find

REFERENCE = datetime(2025, 5, 14, 10, 0, tzinfo=UTC)
"""A Wednesday."""


def told(value: TimeValue) -> str:
    """Give a time as "start..end grain kind", whole days without a clock, "~" before what is approximate."""
    about = "~" if value.approximate else ""
    kind = "" if value.kind == "point" else f" {value.kind}"
    return f"{about}{_moment(value.start)}..{_moment(value.end)} {value.grain}{kind}"


def others(value: TimeValue) -> list[str]:
    """Give the other readings as "start..end"."""
    return [f"{_moment(start)}..{_moment(end)}" for start, end in value.alternatives]


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return ""
    if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
        return moment.date().isoformat()
    return moment.replace(tzinfo=None).isoformat(timespec="seconds" if moment.second else "minutes")


def reading(text: str, language: str | None = None, **choices: object) -> list[tuple[str, str]]:
    """Give what is found in a text as (quote, told)."""
    found = find(text, reference=REFERENCE, language=language, **choices)  # type: ignore[arg-type]
    return [(value.quote, told(value)) for value in found]

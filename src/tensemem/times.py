"""Find the times that a text speaks of."""

from __future__ import annotations

from datetime import datetime

from .core.timewords.asking import times_of
from .core.timewords.value import TimeValue

__all__ = ["TimeValue", "find"]


def find(
    text: str,
    *,
    reference: datetime,
    language: str | None = None,
    prefer: str = "past",
    day_first: bool | None = None,
    week_start: str = "monday",
    fiscal_year_start: int = 1,
) -> tuple[TimeValue, ...]:
    """Give the times that a text speaks of, in order of appearance, never overlapping.

    - ``reference``: an aware datetime, when the text was said; its zone is the speaker's, and every result is in it.
    - ``language``: "en", "zh", "es", "de", "fr", "ja", "pt", "it" or "hi"; None tries those that the script of
      the text allows.
    - ``prefer``: which of two readings comes first where the words leave it open ("Friday", "in March"): "past" for
      states and events, "future" for plans. The other one is in ``alternatives``.
    - ``day_first``: how "3/4/2025" is read; None goes by the language.
    - ``week_start``: "monday" or "sunday".
    - ``fiscal_year_start``: the month, 1 to 12, that a fiscal year begins with; unless it is 1, the year is named after
      the one it ends in.

    Raises InvalidTimeError for a reference that is no aware datetime, InvalidValueError for any other argument.
    """
    return times_of(
        text,
        reference=reference,
        language=language,
        prefer=prefer,
        day_first=day_first,
        week_start=week_start,
        fiscal_year_start=fiscal_year_start,
    )

"""From a text to the times in it: cut, reduce, attach the zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

from .grammar import CODE, Item
from .lexing import thinned
from .reading import Reading, Setting, Span
from .tables import Language
from .value import TimeValue

_DONE = frozenset(CODE[name] for name in ("date", "moment", "found"))


def times_in(text: str, setting: Setting, language: Language) -> list[TimeValue]:
    """Give the times that a text speaks of in one language, in order."""
    if not language.lexicon.may_hold(text):
        return []
    items = language.items(thinned(text))
    for step in language.passes:
        items = step.run(setting, items)
    if len(items) == 1 and items[0].code == CODE["bare"] and is_only_a_day(items[0].value):
        items[0].code = CODE["date"]
    return [value for value in _values(text, items, setting) if value is not None]


def is_only_a_day(reading: Reading) -> bool:
    """Whether digits with a slash, being all there is, can only be a day and a month: "29/2", not "3/4" or "24/7"."""
    start = reading.spans[0][0]
    around_the_clock = start is not None and (start.month, start.day) == (7, 24)
    is_day = reading.grain == "day" and reading.in_year is not None and not around_the_clock
    return is_day and start is not None and start.day > 12


def _values(text: str, items: Sequence[Item], setting: Setting) -> list[TimeValue | None]:
    return [valued(text, item, setting) for item in items if item.code in _DONE]


def valued(text: str, item: Item, setting: Setting) -> TimeValue | None:
    """Give an item's reading as a value in the speaker's zone; None where it leaves the calendar."""
    reading: Reading = item.value
    spans = [span for span in (_attached(span, setting.zone) for span in reading.spans) if span is not None]
    if not spans or _attached(reading.spans[0], setting.zone) is None:
        return None
    return TimeValue(
        start=spans[0][0],
        end=spans[0][1],
        grain=reading.grain,
        kind=reading.kind,
        approximate=reading.approximate,
        alternatives=tuple(spans[1:]),
        quote=text[item.begin : item.stop],
        begin=item.begin,
        stop=item.stop,
    )


def _attached(span: Span, zone: tzinfo) -> Span | None:
    try:
        return _zoned(span[0], zone), _zoned(span[1], zone)
    except (OverflowError, ValueError):
        return None


def _zoned(moment: datetime | None, zone: tzinfo) -> datetime | None:
    """Give a wall time its zone; one that the clocks skipped becomes the moment they skipped to."""
    if moment is None:
        return None
    aware = moment.replace(tzinfo=zone)
    if zone is UTC:
        return aware
    return aware.astimezone(UTC).astimezone(zone)

"""So many units before or after now: "the last three weeks", "for two years". Builders of `grammar.Rule`."""

from __future__ import annotations

from datetime import datetime

from . import almanac
from .almanac import DAY, midnight, period
from .grammar import Made, Values
from .numerals import Few
from .reading import Reading, Setting, Span, unique


def last_units(setting: Setting, v: Values) -> Made | None:
    """ "the last three weeks": up to today."""
    return _units(setting, v, -1)


def next_units(setting: Setting, v: Values) -> Made | None:
    """ "the next three weeks": from tomorrow."""
    return _units(setting, v, 1)


def rel_units(setting: Setting, v: Values) -> Made | None:
    """ "the last three weeks" or "the next three weeks"."""
    return _units(setting, v, v["steps"]) if v["steps"] else None


def _units(setting: Setting, v: Values, sign: int) -> Made | None:
    count, unit = v["count"], v["unit"]
    if not 0 < count <= 10000:
        return None
    few = isinstance(count, Few)
    if unit in almanac.CLOCK:
        far = setting.now + sign * count * almanac.CLOCK[unit]
        return "date", Reading((_ordered(setting.now, far),), almanac.grain_of(unit), "range", few)
    base = midnight(setting.today)
    if unit in {"quarter", "decade", "century", "half"}:
        here = period(setting, unit, setting.today)
        side = None if here is None else here[0] if sign < 0 else here[1]
        base = side or base
    elif sign > 0:
        base += DAY
    if unit == "workday":
        first = almanac.workdays_from(setting.today, sign)
        last = almanac.workdays_from(setting.today, sign * int(count))
        span = _ordered(midnight(first), midnight(last))
        assert span[1] is not None
        return "date", Reading(((span[0], span[1] + DAY),), "day", "range", few)
    far = almanac.away(base, unit, sign * count)
    for count2, unit2 in ((v["count2"], v["unit2"]), (v["count3"], v["unit3"])):
        if count2 is not None and unit2 not in almanac.CLOCK:
            far = almanac.away(far, str(unit2), sign * count2)
    spans = [_ordered(base, far)]
    if sign > 0 and unit not in {"quarter", "decade", "century", "half"}:
        spans.append((base - DAY, far - DAY))
    if sign < 0 and unit in {"week", "month", "year"}:
        here = period(setting, unit, setting.today)
        if here is not None and here[0] is not None:
            spans.append((almanac.away(here[0], unit, -count), here[0]))
    return "date", Reading(unique(spans), almanac.grain_of(unit), "range", few)


def _ordered(one: datetime, other: datetime) -> Span:
    return (one, other) if one <= other else (other, one)


def within_units(setting: Setting, v: Values) -> Made | None:
    """ "within nine months": from now on."""
    count, unit = v["count"], v["unit"]
    if not 0 < count <= 10000:
        return None
    if unit in almanac.CLOCK:
        far = setting.now + count * almanac.CLOCK[unit]
        return "found", Reading(((setting.now, far),), almanac.grain_of(unit), "range")
    today = midnight(setting.today)
    if unit == "workday":
        far = midnight(almanac.workdays_from(setting.today, int(count)))
    else:
        far = almanac.away(today, unit, count)
    spans: list[Span] = [(today, far + DAY), (today, far), (today + DAY, far + DAY)]
    here = period(setting, unit, setting.today) if unit in {"quarter", "decade", "century", "half"} else None
    if here is not None and here[1] is not None:
        spans.append((here[1], almanac.away(here[1], unit, count)))
    return "found", Reading(unique(spans), almanac.grain_of(unit), "range", isinstance(count, Few))


def for_last_units(setting: Setting, v: Values) -> Made | None:
    """ "for the last three years": since then, and still."""
    base: Reading = v["anchor"]
    if base.kind != "range":
        return None
    spans: list[Span] = [(start, None) for start, end in base.spans if end is not None and end <= _soon(setting)]
    if not spans:
        return None
    return "found", Reading(unique(spans + list(base.spans)), base.grain, "since", base.approximate)


def _soon(setting: Setting) -> datetime:
    return midnight(setting.today) + DAY


def units_since(setting: Setting, v: Values) -> Made | None:
    """ "for three years now", "seit drei Jahren": since the day so long ago."""
    count, unit = v["count"], v["unit"]
    if not 0 < count <= 10000:
        return None
    if unit in almanac.CLOCK:
        start = setting.now - count * almanac.CLOCK[unit]
    else:
        start = almanac.away(midnight(setting.today), "day" if unit == "workday" else unit, -count)
    return "found", Reading(((start, None),), almanac.grain_of(unit), "since", isinstance(count, Few))


def units_from(setting: Setting, v: Values) -> Made | None:
    """ "two weeks starting 20 May"."""
    base: Reading = v["anchor"]
    spans: list[Span] = []
    for start, _ in base.spans:
        if start is not None and v["unit"] not in almanac.CLOCK:
            spans.append((start, almanac.away(start, v["unit"], v["count"])))
    grain = base.grain
    return ("found", base.with_spans(spans, kind="range", grain=grain)) if spans else None

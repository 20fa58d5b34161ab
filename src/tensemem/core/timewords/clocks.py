"""Times of day: what the clock showed, alone and on a day. All public functions are builders of `grammar.Rule`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from . import almanac
from .almanac import midnight
from .grammar import Made, Values
from .numerals import Few
from .reading import FINER, Reading, Setting, Span, unique

STEP = {"instant": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
DAYPARTS = {
    "early_morning": (4, 8),
    "morning": (6, 12),
    "noon": (11, 13),
    "afternoon": (12, 18),
    "evening": (17, 22),
    "night": (20, 28),
    "midnight": (24, 25),
    "day": (8, 18),
}
"""The hours that parts of a day stand for; over 24 lies in the next day. Vague by nature."""


class Clock(NamedTuple):
    """A time of day: its readings as seconds after midnight, and how precisely it was said."""

    seconds: tuple[int, ...]
    grain: str


def hour_minute(_: Setting, v: Values) -> Made | None:
    """ "15:30", "3:30 pm"."""
    hour, minute, second = v["hhmm"]
    return _clock(hour, minute, second, v["ampm"], "minute" if second < 0 else "instant")


def dotted(_: Setting, v: Values) -> Made | None:
    """ "2.30 pm"."""
    left, right = v["dotpair"]
    return _clock(left, right, -1, v["ampm"], "minute") if right < 60 else None


def hour_only(_: Setting, v: Values) -> Made | None:
    """ "3 pm", "3 o'clock"; minutes where they were said."""
    minute = v["minute"]
    second = v["second"]
    grain = "hour" if minute is None else "minute" if second is None else "instant"
    hour = int(v["hour"])
    if hour > 24 and minute is None:
        hour, minute = divmod(hour, 100)
        grain = "minute"
    return _clock(hour, minute or 0, -1 if second is None else second, v["ampm"], grain)


def half_after(_: Setting, v: Values) -> Made | None:
    """ "three and a half o'clock" of languages that say so."""
    return _clock(int(v["hour"]), 30, -1, v["ampm"], "minute")


def _clock(hour: int, minute: int, second: int, ampm: str | None, grain: str) -> Made | None:
    if not 0 <= hour <= 24 or minute > 59:
        return None
    hours = _hours(hour, ampm)
    return "clock", Clock(tuple(h * 3600 + minute * 60 + max(second, 0) for h in hours), grain)


def _hours(hour: int, ampm: str | None) -> list[int]:
    if hour > 12 or hour == 0:
        return [hour]
    if ampm == "am":
        return [hour % 12]
    if ampm == "night":
        return [hour % 12] if hour < 6 or hour == 12 else [hour + 12]
    if ampm is not None:
        return [hour % 12 + 12]
    later = hour % 12 + 12
    other = hour if hour < 12 else 0
    return [later, other] if hour < 7 or hour == 12 else [other, later]


def with_daypart(_: Setting, v: Values) -> Made | None:
    """ "seven in the evening", "下午三点"."""
    clock: Clock = v["clock"]
    daypart = v["daypart"]
    hours = [_hours(second // 3600 % 12 or 12, AMPM_OF.get(daypart))[0] for second in clock.seconds[:1]]
    if clock.seconds[0] >= 13 * 3600 or (len(clock.seconds) == 1 and clock.seconds[0] < 3600):
        return "clock", clock
    return "clock", Clock(tuple(hour * 3600 + clock.seconds[0] % 3600 for hour in hours), clock.grain)


AMPM_PART = {"am": "morning", "pm": "afternoon"}
AMPM_OF = {
    "early_morning": "am",
    "morning": "am",
    "noon": "pm",
    "afternoon": "pm",
    "evening": "pm",
    "night": "night",
    "midnight": "night",
}


def on_day(_: Setting, v: Values) -> Made | None:
    """A clock time on a day."""
    base: Reading = v["anchor"]
    clock: Clock = v["clock"]
    if base.grain != "day" or base.kind != "point":
        return None
    spans: list[Span] = []
    for second in clock.seconds:
        for start, _end in base.spans:
            if start is not None:
                moment = midnight(start.date()) + timedelta(seconds=second)
                spans.append((moment, moment + STEP[clock.grain]))
    return "moment", Reading(unique(spans), clock.grain, approximate=base.approximate)


def part_of_day(_: Setting, v: Values) -> Made | None:
    """ "tomorrow morning": vague hours of a day, so told as a day."""
    base: Reading = v["anchor"]
    if base.grain != "day" or base.kind != "point":
        return None
    first, last = DAYPARTS[AMPM_PART.get(v["daypart"], v["daypart"])]
    spans: list[Span] = []
    for start, _end in base.spans:
        if start is not None:
            day = midnight(start.date())
            spans.append((day + timedelta(hours=first), day + timedelta(hours=last)))
    return "date", Reading(unique(spans), "day", approximate=True)


def this_part(setting: Setting, v: Values) -> Made | None:
    """ "this morning", "tonight", "last night"."""
    day = midnight(setting.today) + timedelta(days=v["steps"] or 0)
    return part_of_day(setting, Values({"anchor": Reading(((day, None),), "day"), "daypart": v["daypart"]}))


def clock_range(setting: Setting, v: Values) -> Made | None:
    """ "Monday from 10 to 12": two clock times on a day."""
    base: Reading = v["anchor"]
    one: Clock = v["one"]
    other: Clock = v["other"]
    if base.grain != "day" or base.kind != "point":
        return None
    spans: list[Span] = []
    for start, _end in base.spans:
        if start is not None:
            spans += _stretches(midnight(start.date()), one, other)
    grain = max(one.grain, other.grain, key=FINER.__getitem__)
    return ("found", Reading(unique(spans), grain, "range")) if spans else None


def _stretches(day: datetime, one: Clock, other: Clock) -> list[Span]:
    pairs = [(first, second) for first in one.seconds for second in other.seconds if first < second]
    if not pairs:
        pairs = [(one.seconds[0], other.seconds[0] + 86400)]
    pairs.sort(key=lambda pair: pair[1] - pair[0])
    if len(other.seconds) == 1 and len(one.seconds) > 1:
        pairs = pairs[:1]
    return [(day + timedelta(seconds=first), day + timedelta(seconds=second)) for first, second in pairs]


# Moments counted from now


def moment_ago(setting: Setting, v: Values) -> Made | None:
    """ "two hours ago"."""
    return _moment(setting, v, -1)


def moment_ahead(setting: Setting, v: Values) -> Made | None:
    """ "in five minutes"."""
    return _moment(setting, v, 1)


def _moment(setting: Setting, v: Values, sign: int) -> Made | None:
    count, unit = v["count"], v["unit"]
    if count > 1_000_000:
        return None
    seconds = sign * count * almanac.CLOCK[unit]
    moment = local(setting, setting.reference.astimezone(UTC) + seconds)
    grain = almanac.grain_of(unit)
    return "found", Reading(((moment, moment + STEP[grain]),), grain, approximate=isinstance(count, Few))


def local(setting: Setting, moment: datetime) -> datetime:
    """Give the wall time at which a moment is met; the second time round keeps its mark."""
    return moment.astimezone(setting.zone).replace(tzinfo=None)


def right_now(setting: Setting, _: Values) -> Made | None:
    """ "now"."""
    return "date", Reading(((setting.now, setting.now + STEP["instant"]),), "instant", about_now=True)


def stamped(setting: Setting, v: Values) -> Made | None:
    """A date and time as ISO 8601 writes them, in the zone they name or else in the speaker's."""
    text = str(v["stamp"]).replace(",", ".")
    when = datetime.fromisoformat(text)
    start = when if when.tzinfo is None else local(setting, when)
    grain = "minute" if text.count(":") - (text[-6:-5] in {"+", "-"}) < 2 else "instant"
    return "moment", Reading(((start, start + STEP[grain]),), grain)


def keep_clock(_: Setting, v: Values) -> Made | None:
    """ "around 7": as vague as clock times are anyway."""
    return "clock", v["clock"]


def day_and_part(setting: Setting, v: Values) -> Made | None:
    """A day and its part in one word: "今晚", "昨夜"."""
    steps, daypart = v["daypart"]
    return this_part(setting, Values({"steps": steps, "daypart": daypart}))


def this_part_of(setting: Setting, v: Values) -> Made | None:
    """ "gestern Abend"."""
    return this_part(setting, Values({"steps": v["offset"], "daypart": v["daypart"]}))


def half_before(_: Setting, v: Values) -> Made | None:
    """ "halb acht": half past seven."""
    hour = (int(v["hour"]) - 1) % 12 or 12
    return _clock(hour, 30, -1, v["ampm"], "minute")


def part_of_relday(setting: Setting, v: Values) -> Made | None:
    """ "ayer por la tarde"."""
    return this_part(setting, Values({"steps": v["anchor"], "daypart": v["daypart"]}))


def this_day_part(setting: Setting, v: Values) -> Made | None:
    """ "esta tarde"."""
    return this_part(setting, v)


def this_morning(setting: Setting, v: Values) -> Made | None:
    """ "gestern Morgen": the word that means tomorrow means the morning after another day."""
    return this_part(setting, Values({"steps": v["offset"], "daypart": "morning"})) if v["next"] == 1 else None

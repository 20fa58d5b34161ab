"""Times made of times: parts of periods, stretches up to now, ranges, and what is open on one side.

All public functions are builders of `grammar.Rule`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from . import almanac
from .almanac import DAY, midnight, months, period
from .anchors import dated, month_alone, month_year, pair_reading, year_reading, years_of
from .counted import this_unit
from .grammar import Made, Values
from .reading import FINER, Reading, Setting, Span, unique

# Parts


def part_of(setting: Setting, v: Values) -> Made | None:
    """ "early March", "the end of 2019": a third of the period; the half of it is the other reading."""
    base: Reading = v["anchor"]
    where = v["part"]
    if where == "whole":
        return "date", base
    if base.grain in {"instant", "minute", "hour"}:
        return None
    if base.grain == "day":
        return "date", base.with_spans(list(base.spans), approximate=True, following=base.following)
    spans: list[Span] = []
    halves: list[Span] = []
    for start, end in base.spans:
        if start is not None and end is not None:
            spans.append(_third(start, end, where))
            halves.extend(_halves(start, end, where))
    reading = base.with_spans([*spans, *halves], approximate=True)
    fit = base.in_year
    if fit is not None:
        return "date", Reading(
            reading.spans, reading.grain, "point", True, in_year=lambda year: _third_of(fit(year), where)
        )
    return "date", reading


def _third_of(span: Span | None, where: str) -> Span | None:
    if span is None or span[0] is None or span[1] is None:
        return None
    return _third(span[0], span[1], where)


def _third(start: datetime, end: datetime, where: str) -> Span:
    size = (end.year - start.year) * 12 + end.month - start.month
    if size >= 3:
        cuts = [almanac.month_start(start.year, start.month + size * step // 3) for step in range(4)]
        first, second = midnight(cuts[1]), midnight(cuts[2])
    elif size == 1 and start.day == 1:
        first, second = start + 10 * DAY, start + 20 * DAY
    else:
        length = (end - start).days
        first, second = start + (length * 3 // 7) * DAY, start + (length * 4 // 7) * DAY
    if where == "early":
        return start, first
    return (first, second) if where == "mid" else (second if (end - start).days != 7 else first, end)


def _halves(start: datetime, end: datetime, where: str) -> list[Span]:
    size = (end.year - start.year) * 12 + end.month - start.month
    middle = start + 15 * DAY if size == 1 else start + ((end - start) // 2 // DAY) * DAY
    if size in {12, 6, 24, 120, 1200}:
        middle = midnight(almanac.month_start(start.year, start.month + size // 2))
    if where == "mid":
        return [(start + 9 * DAY, start + 20 * DAY)] if size == 1 else []
    return [(start, middle) if where == "early" else (middle, end)]


def so_far(setting: Setting, v: Values) -> Made | None:
    """ "earlier this year": until today; "later this week": from today."""
    base: Reading = v["anchor"]
    today = midnight(setting.today)
    spans: list[Span] = []
    for start, end in base.spans:
        if start is None or end is None:
            return None
        inside = start <= today < end
        early = v["part"] == "early"
        if inside:
            spans.append((start, today) if early else (today, end))
        spans += [*_halves(start, end, v["part"]), _third(start, end, v["part"])]
    spans = [span for span in spans if span[0] != span[1]]
    return ("date", base.with_spans(spans, approximate=True, kind="range")) if spans else None


def around(_: Setting, v: Values) -> Made | None:
    """ "around March 2020"."""
    base: Reading = v["anchor"]
    made = Reading(base.spans, base.grain, base.kind, True, in_year=base.in_year, following=base.following)
    return "date", made


def to_date(setting: Setting, v: Values) -> Made | None:
    """ "the year to date"."""
    span = period(setting, v["unit"], setting.today)
    if span is None:
        return None
    today = midnight(setting.today)
    spans: list[Span] = [(span[0], today + DAY), (span[0], today)]
    return "found", Reading(unique(spans), "day", "range")


# From one time to another


def between(setting: Setting, v: Values) -> Made | None:
    """ "from A to B": B is read after A; all of B belongs to it, and without B is the other reading."""
    one, other = _as_days(setting, v["one"], v["other"])
    pairs = _pairs(setting, one, other)
    if not pairs:
        return None
    wholes: list[Span] = [(first[0], second[1]) for first, second in pairs]
    without: list[Span] = [(first[0], second[0]) for first, second in pairs]
    spans = [span for both in zip(wholes, without, strict=True) for span in both]
    ahead: list[Span] = [(first[1], second[1]) for first, second in pairs if one.approximate]
    ahead += [(first[1], second[0]) for first, second in pairs if one.approximate]
    grain = max(one.grain, other.grain, key=FINER.__getitem__)
    reading = Reading(unique(spans + ahead), grain, "range", one.approximate or other.approximate)
    return ("found", reading) if reading.spans else None


def _as_days(setting: Setting, one: Reading, other: Reading) -> tuple[Reading, Reading]:
    """Beside a day or something coarser, "now" is today."""
    today = Reading((almanac.days(setting.today),), "day", about_now=True)
    if one.about_now and FINER[other.grain] >= FINER["day"]:
        return today, other
    return one, today if other.about_now and FINER[one.grain] >= FINER["day"] else other


def _pairs(setting: Setting, one: Reading, other: Reading) -> list[tuple[Span, Span]]:
    if one.kind != "point" or other.kind != "point":
        return []
    if one.in_year is not None and other.in_year is None and other.following is None:
        return [pair for span in other.spans if (pair := _in_year_of(one, span)) is not None]
    pairs: list[tuple[Span, Span]] = []
    for first in one.spans:
        if first[0] is None:
            continue
        if other.following is not None:
            second = other.following(first[0].date())
            if second is not None:
                pairs.append((first, second))
            continue
        pairs += [(first, second) for second in other.spans if second[0] is not None and second[0] >= first[0]][:1]
    return pairs


def _in_year_of(one: Reading, span: Span) -> tuple[Span, Span] | None:
    assert one.in_year is not None
    if span[0] is None:
        return None
    for year in (span[0].year, span[0].year - 1):
        first = one.in_year(year)
        if first is not None and first[0] is not None and first[0] <= span[0]:
            return first, span
    return None


# Open on one side


def since(setting: Setting, v: Values) -> Made | None:
    """ "since March": the last one."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    begun = _first_those(base.spans, lambda span: span[0] is not None and span[0] <= setting.now)
    spans: list[Span] = [(start, None) for start, _ in begun]
    return "found", Reading(unique(spans), base.grain, "since", base.approximate)


def since_ahead(_: Setting, v: Values) -> Made | None:
    """ "from next Monday on"."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    spans: list[Span] = [(start, None) for start, _ in base.spans]
    return "found", Reading(unique(spans), base.grain, "since", base.approximate)


def until(setting: Setting, v: Values) -> Made | None:
    """ "until Friday": all of it; up to it is the other reading."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    ahead = _first_those(base.spans, lambda span: span[1] is not None and span[1] > setting.now)
    spans: list[Span] = [*((None, end) for _, end in ahead), *((None, start) for start, _ in ahead)]
    return "found", Reading(unique(spans), base.grain, "until", base.approximate)


def before(_: Setting, v: Values) -> Made | None:
    """ "before 2018": up to its beginning."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    spans: list[Span] = [(None, start) for start, _ in base.spans]
    if base.approximate:
        spans += [(None, end) for _, end in base.spans]
    return "found", Reading(unique(spans), base.grain, "until", base.approximate)


def after(_: Setting, v: Values) -> Made | None:
    """ "after 2016": from its end on."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    spans: list[Span] = [*((end, None) for _, end in base.spans), *((start, None) for start, _ in base.spans)]
    return "found", Reading(unique(spans), base.grain, "since", base.approximate)


def _first_those(spans: tuple[Span, ...], wanted: Any) -> list[Span]:
    return sorted(spans, key=lambda span: not wanted(span))


def more_than_ago(setting: Setting, v: Values) -> Made | None:
    """ "more than two weeks ago": until then."""
    base: Reading = v["anchor"]
    spans: list[Span] = [(None, start) for start, _ in base.spans[::-1]]
    return "found", Reading(unique(spans), base.grain, "until", True)


def less_than_ago(setting: Setting, v: Values) -> Made | None:
    """ "less than two weeks ago": since then, up to today."""
    base: Reading = v["anchor"]
    spans: list[Span] = [(start, midnight(setting.today)) for start, _ in base.spans[::-1]]
    return "found", Reading(unique(spans), base.grain, "range", True)


def short_days(setting: Setting, v: Values) -> Made | None:
    """ "9 to 12 June", "November 18-19": two days of one month, or the second of the month that follows."""
    one = dated(setting, v["month"], v["first"], v)
    month2 = v["month"] if v["second"] >= v["first"] else v["month"] % 12 + 1
    other = dated(setting, month2, v["second"], v)
    if one is None or other is None:
        return None
    return between(setting, Values({"one": one, "other": other}))


def days_of_period(setting: Setting, v: Values) -> Made | None:
    """ "next month from the 4th to the 23rd"."""
    base: Reading = v["anchor"]
    spans: list[Span] = []
    for start, _ in base.spans:
        if start is None or base.grain != "month" or not 1 <= v["first"] <= v["second"] <= 31:
            return None
        first, last = start + (v["first"] - 1) * DAY, start + (v["second"] - 1) * DAY
        spans += [(first, last + DAY), (first, last)]
    return "found", Reading(unique(spans), "day", "range")


def months_of_year(setting: Setting, v: Values) -> Made | None:
    """ "from April to June in 2017"."""
    year = v["year"]
    ends = 0 if v["second"] >= v["first"] else 1
    span_a, span_b = months(year - ends, v["first"]), months(year, v["second"])
    return "found", Reading(unique([(span_a[0], span_b[1]), (span_a[0], span_b[0])]), "month", "range")


def part_of_unit(setting: Setting, v: Values) -> Made | None:
    """ "the end of the month"."""
    anchor = this_unit(setting, v["unit"])
    return None if anchor is None else part_of(setting, Values({**v, "anchor": anchor}))


def so_far_unit(setting: Setting, v: Values) -> Made | None:
    """ "later in the week"."""
    anchor = this_unit(setting, v["unit"])
    return None if anchor is None else so_far(setting, Values({**v, "anchor": anchor}))


def until_now(setting: Setting, v: Values) -> Made | None:
    """ "to date"."""
    return until(setting, v) if v["anchor"].about_now else None


def end_of_unit(setting: Setting, v: Values) -> Made | None:
    """ "EOY"."""
    return part_of_unit(setting, Values({"unit": v["unit"], "part": "late"}))


def than_anchor(setting: Setting, v: Values) -> Made | None:
    """ "more than two weeks ago", "less than two weeks ago"."""
    base: Reading = v["anchor"]
    if base.kind != "point" or base.in_year is not None:
        return None
    return less_than_ago(setting, v) if v["than"] else more_than_ago(setting, v)


def pairs(setting: Setting, v: Values) -> Made | None:
    """ "5/1-5/7, 2020": two days in digits."""
    one, other = pair_reading(setting, v["one"], v), pair_reading(setting, v["other"], v)
    if one is None or other is None:
        return None
    return between(setting, Values({"one": one, "other": other}))


def years(_: Setting, v: Values) -> Made | None:
    """Two years in digits, the word for year after the second: "1995-1997年"."""
    one, other = year_reading(v["one"]), year_reading(v["other"])
    return between(_, Values({"one": one, "other": other}))


def year_and_part(setting: Setting, v: Values) -> Made | None:
    """The beginning, middle or end of a year, in one word."""
    years_said = years_of(setting, v) or [setting.today.year]
    return part_of(setting, Values({"anchor": year_reading(years_said[0]), "part": v["part"]}))


def month_and_part(setting: Setting, v: Values) -> Made | None:
    """The beginning, middle or end of a month, in one word."""
    if v["month"] is None:
        return part_of_unit(setting, Values({"unit": "month", "part": v["part"]}))
    made = month_alone(setting, v) if years_of(setting, v) is None else month_year(setting, v)
    return None if made is None else part_of(setting, Values({"anchor": made[1], "part": v["part"]}))


def half_part(setting: Setting, v: Values) -> Made | None:
    """Half of this week or month, and the half-year before or after this one."""
    unit, which = v["half"]
    span = period(setting, unit, setting.today, which if unit == "half" else 0)
    if span is None or span[0] is None or span[1] is None:
        return None
    if unit == "half":
        return "date", Reading((span,), "quarter")
    spans = [*_halves(*span, which), _third(*span, which)]  # type: ignore[arg-type]
    return "date", Reading(unique(spans), unit, approximate=True)


def on_or_after(setting: Setting, v: Values) -> Made | None:
    """ "2018年以降": with the period itself, or as some mean it, after it."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    spans: list[Span] = [*((start, None) for start, _ in base.spans), *((end, None) for _, end in base.spans)]
    return "found", Reading(unique(spans), base.grain, "since", base.approximate)


def on_or_before(setting: Setting, v: Values) -> Made | None:
    """ "2010年以前": with the period itself, or as some mean it, before it."""
    base: Reading = v["anchor"]
    if base.kind != "point":
        return None
    spans: list[Span] = [*((None, end) for _, end in base.spans), *((None, start) for start, _ in base.spans)]
    return "found", Reading(unique(spans), base.grain, "until", base.approximate)


def half_of(setting: Setting, v: Values) -> Made | None:
    """The first or second half of a period."""
    base: Reading = v["anchor"]
    where = "early" if v["half"] == 1 else "late"
    spans: list[Span] = []
    for start, end in base.spans:
        if start is None or end is None or base.grain == "day":
            return None
        spans += [*_halves(start, end, where), _third(start, end, where)]
    return "date", base.with_spans(spans, approximate=True)

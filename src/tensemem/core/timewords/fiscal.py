"""Parts of fiscal years, counted from the month that they begin with. Builders of `grammar.Rule`."""

from __future__ import annotations

from .almanac import months
from .anchors import in_year_of
from .grammar import Made, Values
from .longer import half, number_from_end, part_of_year
from .reading import Setting


def fiscal_quarter(setting: Setting, v: Values) -> Made | None:
    """ "fiscal Q1 2026", "the first fiscal quarter of 2026": counted from the first month of that year."""
    if v["unit"] not in {None, "quarter", "half"}:
        return None
    size = 6 if v["half"] is not None or v["unit"] == "half" else 3
    number = number_from_end(v["half"] if v["half"] is not None else v["quarter"], 12 // size)
    if number is None:
        return None
    back = 0 if setting.fiscal_month == 1 else 1
    return part_of_year(
        setting, v, lambda year: months(year - back, setting.fiscal_month + size * (number - 1), size), "quarter"
    )


def half_of_year(setting: Setting, v: Values) -> Made | None:
    """ "the second half of FY2026"."""
    made = half(setting, Values({"half": v["half"]}))
    return None if made is None else in_year_of(setting, Values({"anchor": made[1], "other": v["other"]}))


def fiscal_part(setting: Setting, v: Values) -> Made | None:
    """ "FY2026 Q1": the year before its part, which only fiscal years are told in."""
    return in_year_of(setting, v) if v["anchor"].grain == "quarter" else None

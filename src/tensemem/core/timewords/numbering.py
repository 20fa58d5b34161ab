"""Numbers said in words. All public functions are builders of `grammar.Rule`."""

from __future__ import annotations

from .grammar import Made, Values
from .numerals import Few
from .reading import Setting

__all__ = ["Few", "hundreds", "nothing", "ordinal", "thousands", "two_halves"]


def thousands(_: Setting, v: Values) -> Made | None:
    """ "two thousand and eighteen"."""
    number = (v["one"] or 1) * 1000 + (v["hundred"] or 0) * 100 + (v["hundreds"] or 0) + (v["two"] or 0)
    return ("fullyear" if 1000 <= number <= 2999 else "number"), number


def hundreds(_: Setting, v: Values) -> Made | None:
    """ "seventeen hundred thirty three"."""
    number = (v["one"] or 1) * 100 + (v["two"] or 0)
    return ("fullyear" if 1000 <= number <= 2999 else "number"), number


def two_halves(_: Setting, v: Values) -> Made | None:
    """ "nineteen ninety six"."""
    if not 11 <= v["one"] <= 20 or v["two"] < 10:
        return None
    return "fullyear", v["one"] * 100 + v["two"]


def and_half(_: Setting, v: Values) -> Made | None:
    """ "one and a half"."""
    return "decimal", v["count"] + 0.5


def ordinal(_: Setting, v: Values) -> Made | None:
    """A number with the mark of an ordinal beside it."""
    return "ordinal", v["number"]


def nothing(_: Setting, __: Values) -> Made | None:
    """Words that look like a time and are none: "every Friday"."""
    return "word", None


def era_year(_: Setting, v: Values) -> Made | None:
    """ "平成30": a year counted from the beginning of a reign."""
    return "fullyear", v["era"] + v["number"]


def a_half(_: Setting, __: Values) -> Made | None:
    """ "ein halbes"."""
    return "decimal", 0.5

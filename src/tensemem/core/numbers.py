"""Numbers as people write them, exactly: one number has one key, whichever type or script it came in."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Any

Digits = tuple[bool, str, int]
"""Whether it is negative, its digits without zeros at either end, and the power of ten they are times."""


def number_in(value: object) -> Decimal | None:
    """Give the exact number a value is: int, float, Decimal, or text such as ``"-12.5"``, ``"1e3"``, ``"२५"``.

    None for anything else: bool, NaN, infinity, grouped digits ("1,234"), words. None too for what a float can't hold
    even roughly, whether too large or too near to zero.
    """
    number = _exact(value)
    if number is None or not number.is_finite():
        return None
    near = float(number)
    return number if math.isfinite(near) and (near != 0.0 or not number) else None


def number_key(number: Decimal) -> str:
    """Give the one way to write a finite number: no zeros that say nothing, an exponent only where it is shorter."""
    negative, digits, power = _digits(number)
    if not digits:
        return "0"
    sign, point = "-" if negative else "", len(digits) + power
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if 0 < point <= 40:
        whole = digits[:point].ljust(point, "0")
        return sign + whole + (f".{digits[point:]}" if point < len(digits) else "")
    return f"{sign}{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{point - 1}"


def number_stored(number: Decimal, given: object) -> Any:
    """Give a number as JSON keeps it: int or float where that is exact, else the digits as text."""
    if isinstance(given, float):
        return float(given) + 0.0  # -0.0 is 0.0
    _, digits, power = _digits(number)
    if power >= 0 and (isinstance(given, int) or _is_written_whole(number)):
        return int(number)
    near = float(number)
    if _digits(Decimal(repr(near))) == _digits(number):
        return near
    return int(number) if power >= 0 or not digits else number_key(number)


_MOST_BITS = 1_024  # of the largest float
_LONGEST_TEXT = 1_000
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?", re.ASCII)
_SIGNS = {"−": "-", "－": "-", "＋": "+", "．": ".", "٫": ".", "Ｅ": "e", "ｅ": "e", "E": "e"}


def _exact(value: object) -> Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return Decimal(int(value)) if value.bit_length() <= _MOST_BITS else None
    if isinstance(value, float):
        return Decimal(repr(float(value)))
    if isinstance(value, str) and len(value) <= _LONGEST_TEXT:
        return _from_text(value)
    return None


def _from_text(text: str) -> Decimal | None:
    plain = "".join(map(_plain, text.strip()))
    if not _NUMBER.fullmatch(plain):
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def _plain(char: str) -> str:
    digit = unicodedata.decimal(char, None)
    return _SIGNS.get(char, char) if digit is None else str(digit)


def _digits(number: Decimal) -> Digits:
    sign, digits, power = number.as_tuple()
    text = "".join(map(str, digits))
    kept = text.rstrip("0")
    return bool(sign and kept), kept, (int(power) + len(text) - len(kept)) if kept else 0


def _is_written_whole(number: Decimal) -> bool:
    return number.as_tuple().exponent == 0

"""JSON bodies, read exactly: whatever two readers could take differently is refused."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any

from .refusals import Refusal

DEEPEST = 64
"""How deep a body may be nested: deeper than anything that is remembered, and far from any stack's end."""
LONGEST_NUMBER = 400
"""Characters of a number."""

_BLANK = b" \t\r\n"


def object_in(body: bytes) -> dict[str, Any]:
    """Give the object of a body; nothing at all is an object without fields. Raises Refusal."""
    if not body.strip(_BLANK):
        return {}
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise Refusal("bad-request", "the body is no UTF-8") from None
    if text.count("[") + text.count("{") > DEEPEST:
        _refuse_deep(text)
    try:
        found = _decode(text.strip(" \t\r\n"))
    except _Refused as why:
        raise Refusal("bad-request", str(why)) from None
    except (ValueError, RecursionError) as error:
        raise Refusal("bad-request", f"the body is no JSON: {_where(error)}") from None
    if not isinstance(found, dict):
        raise Refusal("bad-request", "the body must be a JSON object with the verb's parameters")
    return found


class _Refused(Exception):
    """Why a body is refused that is JSON."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("an object of the body has the same name twice")
    return found


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise _Refused(f"a number of the body has more than {LONGEST_NUMBER} digits")
    return int(digits)


def _number(text: str) -> float:
    found = float(text)
    if found in (float("inf"), float("-inf")):
        raise _Refused("a number of the body is larger than any that can be kept")
    return found


def _constant(name: str) -> Any:
    raise _Refused(f"{name} is no JSON number")


_decode = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
).decode  # fmt: skip


def _where(error: BaseException) -> str:
    return f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else "it can't be read"


_BETWEEN = re.compile(r"[^\[\]{}]+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def _refuse_deep(text: str) -> None:
    """Raise Refusal for text whose brackets, outside of strings, are nested too deep: in one go, up to the first."""
    outside = text.replace("\\\\", "").replace('\\"', "").split('"')[::2]
    brackets = _BETWEEN.sub("", "".join(outside))
    if any(depth > DEEPEST for depth in accumulate(map(_STEPS.__getitem__, brackets))):
        raise Refusal("bad-request", f"the body is nested deeper than {DEEPEST}")

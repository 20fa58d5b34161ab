"""How large a value is, counted no further than it may be: what is written once is folded and read ever after."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def is_larger(value: Any, most: int) -> bool:
    """Whether a JSON value has more bytes than that: its text and its keys as UTF-8, the digits of whole numbers,
    and 1 for each other part.

    Of a list, the sum of what is in it counts. Looks no further than the limit.
    """
    if value is None:
        return False
    if type(value) is str:  # nearly all are, and short
        return 4 * len(value) > most and _bytes_in(value) > most
    left = most
    waiting = [iter((value,))]
    while waiting:
        for part in waiting[-1]:
            left -= _bytes_in(part)
            if left < 0:
                return True
            inner = _inner(part)
            if inner is not None:
                waiting.append(inner)
                break
        else:
            waiting.pop()
    return False


def _bytes_in(part: Any) -> int:
    if isinstance(part, str):
        return len(part.encode("utf-8", "replace"))
    if isinstance(part, dict):
        return 1 + sum(_bytes_in(key) for key in part)
    return max(1, part.bit_length() * 3 // 10) if isinstance(part, int) else 1


def _inner(part: Any) -> Any:
    found: Iterable[Any] | None = part.values() if isinstance(part, dict) else part if isinstance(part, list) else None
    return None if found is None else iter(found)

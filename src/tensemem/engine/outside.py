"""What others write, in the words used here: roles, moments, text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ..core.periods import parse_period
from ..errors import InvalidTimeError, InvalidValueError
from ..model.moment import to_datetime
from .record import text_of

ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "bot": "assistant",
    "model": "assistant", "gpt": "assistant", "chatgpt": "assistant", "system": "system", "developer": "system",
    "tool": "tool", "function": "tool",
}  # fmt: skip
"""What others call a role, and what it is here."""

LONGEST_TEXT = 1_048_576
"""Bytes of one message; the memory takes no longer ones."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def text_read(content: Any) -> str:
    """Give the text of content; raises InvalidValueError where it is none or too long. Half characters are replaced."""
    if isinstance(content, Mapping):  # an export's parts
        content = content.get("parts") if isinstance(content.get("parts"), list) else content.get("text")
    text = _SURROGATES.sub("\ufffd", text_of(content)).replace("\0", "\ufffd")
    size = len(text.encode())
    if size > LONGEST_TEXT:
        raise InvalidValueError(f"the message has {size} bytes; one may have {LONGEST_TEXT}")
    return text


def moment_read(raw: str | float, zone: str) -> datetime:
    """Give the moment that ISO text or a number of seconds (milli-, microseconds) since 1970 names.

    Raises InvalidTimeError.
    """
    if isinstance(raw, str):
        digits = raw.strip()
        if not re.fullmatch(r"\d{9,16}(\.\d{1,9})?", digits, re.ASCII):
            return to_datetime(parse_period(digits, zone, name="its time").start)
        raw = float(digits)
    seconds = raw / 1e6 if abs(raw) >= 1e14 else raw / 1e3 if abs(raw) >= 1e11 else raw
    try:
        return datetime.fromtimestamp(round(seconds, 6), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidTimeError(f"its time: {str(raw)[:40]} is no time.") from error

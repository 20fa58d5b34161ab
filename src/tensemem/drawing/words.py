"""Text in a drawing: nothing hidden in it, never markup, cut visibly to the room there is, and moments in a zone."""

from __future__ import annotations

import unicodedata
from datetime import datetime, tzinfo

from ..core.fence import one_line, visible, xml_escape

_NARROW = frozenset("iljtfr.,:;'|!()[]I ")
_WIDE = frozenset("mwMW@%&—…")
_COARSE = {"year": "year", "decade": "year", "month": "month", "quarter": "month", "week": "day", "day": "day"}
_SHAPING = frozenset(("Mn", "Me", "Mc", "Cf"))


def markup_of(text: object) -> str:
    """Give any text as content of an element or attribute; what XML has no place for is shown as ``\\u0001``."""
    return xml_escape(visible(str(text)))


def line_of(text: object, most: int = 400) -> str:
    """Give the beginning of a text on one line, with nothing hidden in it; cut visibly behind ``most`` characters."""
    whole = str(text)
    shown = one_line(visible(whole[:most])).replace("\t", " ")
    return shown if len(whole) <= most else f"{shown}…"


def width_of(text: str, size: float = 12.0) -> float:
    """Give about how wide text is drawn, in pixels, for letters of ``size`` pixels; rather too much than too little."""
    return size * sum(_share(char) for char in text)


def clipped(text: str, room: float, size: float = 12.0) -> str:
    """Give as much of a line as fits the room, with ``…`` where it was cut; never half a letter or half an emoji."""
    used, kept = 0.0, 0
    limit = room - size * _share("…")
    for place, char in enumerate(text):
        used += size * _share(char)
        if used <= limit:
            kept = place + 1
        if used > room:
            break
    else:
        return text
    while 0 < kept < len(text) and _belongs(text[kept - 1], text[kept]):
        kept -= 1
    return f"{text[:kept].rstrip()}…" if kept else ""


def _share(char: str) -> float:
    """Give the width of a letter as a share of its size."""
    if char in _NARROW:
        return 0.36
    if char in _WIDE:
        return 0.98
    if char.isascii():
        return 0.69 if char.isupper() else 0.59
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.15 if unicodedata.east_asian_width(char) in "WF" else 0.72


def _belongs(before: str, char: str) -> bool:
    """Tell whether a letter is drawn as one with the letter before it."""
    is_flag = all("\U0001f1e6" <= one <= "\U0001f1ff" for one in (before, char))
    is_tone = "\U0001f3fb" <= char <= "\U0001f3ff"
    return unicodedata.category(char) in _SHAPING or before == "\u200d" or is_flag or is_tone


def local(moment: datetime, zone: tzinfo) -> datetime:
    """Give a moment in a zone; the first and the last hours that can be told stay as they are."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def moment_text(moment: datetime, zone: tzinfo, grain: str = "instant") -> str:
    """Give a moment in ISO 8601 as finely as it was told: ``2015``, ``2015-03``, ``2015-03-05``, or with its time."""
    here = local(moment, zone)
    day = f"{here.year:04d}-{here.month:02d}-{here.day:02d}"
    is_midnight = (here.hour, here.minute, here.second, here.microsecond) == (0, 0, 0, 0)
    coarse = _COARSE.get(grain)
    if coarse == "year" and is_midnight:
        return day[:4]
    if coarse == "month" and is_midnight:
        return day[:7]
    if is_midnight:
        return day
    return f"{day} {here.replace(tzinfo=None).isoformat(timespec=_finest(here))[11:]}"


def _finest(moment: datetime) -> str:
    if moment.microsecond:
        return "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return "seconds" if moment.second else "minutes"


def counted(number: int, thing: str) -> str:
    """Give ``1 fact``, ``2 facts``, ``1,200 facts``."""
    return f"{number:,} {thing if number == 1 else f'{thing}s'}"


def number_text(number: float) -> str:
    """Give a coordinate as short as it can be told to a tenth of a pixel."""
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"

"""Text on a terminal: nothing hidden in it, columns that line up in every script, and only what the output can show."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TextIO

from tensemem.core.fence import one_line, visible

LONGEST_CELL = 60
"""Columns a value may take in a table; ``get`` and ``--json`` give it whole."""

_COLOURS = {"green": "32", "yellow": "33", "red": "31", "dim": "2", "bold": "1"}
_DRAWN = {
    "now": ("●", "*"), "past": ("○", "o"), "wrong": ("×", "x"), "hidden": ("~", "~"), "waiting": ("?", "?"),
    "coming": ("›", ">"), "held": ("█", "#"), "free": ("·", "."), "unlit": ("░", "-"), "ahead": ("▒", "="),
    "open": ("▶", ">"), "cut": ("…", "..."), "dash": ("–", "-"), "arrow": ("→", "->"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """What the output takes: characters beyond ASCII, and colour."""

    unicode: bool = True
    colour: bool = False

    def drawn(self, name: str) -> str:
        """Give a sign by its meaning, in ASCII where the output takes no more."""
        fine, plain = _DRAWN[name]
        return fine if self.unicode else plain

    def painted(self, text: str, colour: str) -> str:
        """Give text in a colour, as it is where there is none."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.colour and colour and text else text


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table, with the colour it is shown in."""

    text: str
    colour: str = ""


def look_of(stream: TextIO | None) -> Look:
    """Look at a stream: colour only on a terminal, without NO_COLOR; signs only where its encoding has them all."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        "".join(fine for fine, _ in _DRAWN.values()).encode(encoding)
    except (UnicodeError, LookupError):
        return Look(False, _takes_colour(stream))
    return Look(True, _takes_colour(stream))


def _takes_colour(stream: TextIO | None) -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not is_terminal(stream):
        return False
    return sys.platform != "win32" or "WT_SESSION" in os.environ


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a person looks at a stream."""
    return stream is not None and not stream.closed and stream.isatty()


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line at once; characters the output has no place for are printed as ``\\u0939``."""
    write(f"{line}\n", err=err)


def write(text: str, *, err: bool = False) -> None:
    """Print text as it is, without a line break."""
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def safe(text: object) -> str:
    """Give text on one line with nothing hidden in it: tabs as ``\\t``, controls and overrides as ``\\u202e``."""
    return one_line(visible(str(text))).replace("\t", "\\t")


def short(text: object, look: Look, cells: int = LONGEST_CELL) -> str:
    """Give safe text cut visibly to some columns."""
    whole = str(text)
    window = safe(whole[: 8 * cells])  # what is invisible there makes room for what follows, but not without end
    if width(window) <= cells and len(whole) <= 8 * cells:
        return window
    end = look.drawn("cut")
    kept, used = [], len(end)
    for char in window:
        used += width(char)
        if used > cells:
            break
        kept.append(char)
    return "".join(kept) + end


def width(text: str) -> int:
    """Give the columns text takes: two for wide letters, none for marks that combine."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def table(header: Sequence[str], rows: Iterable[Sequence[str | Cell]], look: Look, indent: str = "  ") -> list[str]:
    """Give lines with aligned columns; those that are empty in every row are left out."""
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    kept = [place for place, _ in enumerate(header) if any(row[place].text for row in cells)]
    top = [Cell(header[place], "dim") for place in kept]
    lines = [top, *([row[place] for place in kept] for row in cells)]
    sizes = [max((width(line[place].text) for line in lines), default=0) for place in range(len(kept))]
    return [indent + _row(line, sizes, look) for line in lines] if cells else []


def _row(cells: Sequence[Cell], sizes: Sequence[int], look: Look) -> str:
    gaps = [" " * (size - width(cell.text)) for cell, size in zip(cells, sizes, strict=True)]
    gaps[-1:] = [""]
    parts = [look.painted(cell.text, cell.colour) + gap for cell, gap in zip(cells, gaps, strict=True)]
    return "  ".join(parts).rstrip()


def counted(number: int, thing: str) -> str:
    """Give ``1 message``, ``2 messages``, ``2 entries``, ``2 keys``, ``2 days``."""
    plural = f"{thing[:-1]}ies" if thing.endswith("y") and thing[-2] not in "aeiou" else f"{thing}s"
    return f"{number} {thing if number == 1 else plural}"


def duration_words(duration: timedelta) -> str:
    """Give ``90 days``, ``1 day 12 hours``, ``45 seconds``: whole units, those that are none left out."""
    minutes, seconds = divmod(duration.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    amounts = ((duration.days, "day"), (hours, "hour"), (minutes, "minute"), (seconds, "second"))
    return " ".join(counted(number, unit) for number, unit in amounts if number) or "less than a second"

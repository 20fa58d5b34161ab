"""Lines and JSON elements of a file, as they come, with their numbers: nothing is held that is not being read."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from .values import Source

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one line: a whole conversation may stand in it."""

_BLOCK = 1 << 16
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its number, its text, or why it has none."""

    number: int
    text: str
    why: str = ""


def lines_of(source: Source) -> Iterator[Line]:
    """Give the lines that are not blank; one that is too long or no UTF-8 says so and the next is read."""
    with source.open() as stream:
        number = 0
        while raw := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
                _skip_line(stream)
                yield Line(number, "", f"it is longer than {LONGEST_LINE // 1024 // 1024} MiB")
                continue
            raw = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
            if not raw.strip():
                continue
            try:
                yield Line(number, raw.decode("utf-8").rstrip("\r\n"))
            except UnicodeDecodeError as error:
                yield Line(number, "", f"it is not UTF-8 at byte {error.start + 1}")


def _skip_line(stream: BinaryIO) -> None:
    while block := stream.readline(_BLOCK):
        if block.endswith(b"\n"):
            return


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a JSON list: the line it begins at and its value, or why the list can't be read on."""

    number: int
    value: Any
    why: str = ""


def elements_of(source: Source) -> Iterator[Element]:
    """Give the elements of a file that is one JSON list, as they come; at the first fault the rest is not read."""
    with source.open() as stream:
        reading = _ListReading(stream)
        yield from reading.elements()


class _ListReading:
    """Reads a list piece by piece. A piece that ends inside an element is read again with twice as much behind it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._parse = json.JSONDecoder().raw_decode
        self._text, self._place, self._number = "", 0, 1
        self._is_whole = False
        self._fill(_BLOCK)
        self._text = self._text.removeprefix("\ufeff")

    def elements(self) -> Iterator[Element]:
        self._next_sign()
        self._step(1)  # the bracket that made it a list
        while True:
            sign = self._next_sign()
            if sign == "]":
                return
            if sign == ",":
                self._step(1)
                continue
            if not sign:
                yield Element(self._number, None, "the list is cut off: ']' is missing")
                return
            element = self._element()
            yield element
            if element.why:
                return

    def _next_sign(self) -> str:
        """Go to the next character that is no blank; empty at the end."""
        while True:
            place, end = self._place, len(self._text)
            while place < end and self._text[place] in _BLANKS:
                place += 1
            self._step(place - self._place)
            if place < end:
                return self._text[place]
            if self._is_whole:
                return ""
            self._fill(_BLOCK)

    def _element(self) -> Element:
        wanted = _BLOCK
        while True:
            try:
                value, stop = self._parse(self._text, self._place)
                # A number that ends with what was read may go on behind it.
                if stop < len(self._text) or self._is_whole:
                    found = Element(self._number, value)
                    self._step(stop - self._place)
                    return found
            except (ValueError, RecursionError) as error:
                if self._is_whole:
                    return Element(self._number, None, f"it is no JSON: {_short(error)}")
            self._fill(wanted)
            wanted *= 2

    def _fill(self, size: int) -> None:
        raw = self._stream.read(size)
        self._is_whole = not raw
        self._text = self._text[self._place :] + self._decode(raw, not raw)
        self._place = 0

    def _step(self, count: int) -> None:
        self._number += self._text.count("\n", self._place, self._place + count)
        self._place += count


def parsed(text: str) -> Any:
    """Give what JSON text says; raises ValueError, with a short reason, for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {_short(error)}") from error


def _short(error: Exception) -> str:
    return "it is nested too deep" if isinstance(error, RecursionError) else getattr(error, "msg", str(error))

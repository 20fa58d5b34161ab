"""Stretches of a text: merged, asked, blanked out; and its lines. A span is `(begin, stop)` in the text's offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from .text import Span


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans in order, those that overlap or touch made one, empty ones left out."""
    merged: list[Span] = []
    for begin, stop in sorted(span for span in spans if span[0] < span[1]):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((begin, stop))
    return tuple(merged)


def covers(spans: Iterable[Span], begin: int, stop: int) -> bool:
    """Whether any character of `[begin, stop)` lies inside one of the spans."""
    return any(max(begin, inside) < min(stop, outside) for inside, outside in spans)


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return the text with a space for each character inside the spans, so that all offsets stay."""
    return replaced(text, spans, lambda covered: " " * len(covered))


def replaced(text: str, spans: Iterable[Span], substitute: Callable[[str], str]) -> str:
    """Return the text with what stands inside the spans put through a function."""
    parts, done = list[str](), 0
    for begin, stop in merge_spans(spans):
        parts += text[done:begin], substitute(text[begin:stop])
        done = stop
    return "".join((*parts, text[done:]))


def lines_of(text: str, begin: int = 0) -> Iterator[tuple[int, int, str]]:
    """Give each line with its offsets, without its line break; only as many are made as are asked for."""
    for found in LINE_BREAK.finditer(text, begin):
        yield begin, found.start(), text[begin : found.start()]
        begin = found.end()
    if begin < len(text):
        yield begin, len(text), text[begin:]


LINE_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""What ends a line, of any kind that `str.splitlines` knows."""

"""Chats that a messenger wrote into a text file: a time and a name before each message, notices between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .lines import Line
from .shapes import Setting
from .stamps import BLANKS, MARKS, Order, stamp_of
from .transcripts import app_moment, said_by, whole
from .values import Fault, Item, Said

_SHARE = 8
"""One in so many lines with a time has a name in a chat; a diary with times has fewer."""

# Tried at one place of a line only, and with a bound. Quotation marks stand in notices, such as that of a group's name.
_NAME = re.compile(rf'([^:"“”„«»\r\n]{{1,60}}):(?=[{BLANKS}{MARKS}]|$)')
_NOTICE = "\u200e"
"""What a messenger writes in somebody's name begins with this mark: that a picture was left out, say."""
_TAIL = re.compile(f"[{BLANKS}]?\u200e<[^<>\r\n]{{1,200}}>[{BLANKS}]{{0,4}}$")
"""What it writes behind somebody's words: that they were edited, or which file came with them."""
_LOOKED_AT = 240
"""Characters at a line's end that may hold such a remark."""
_NO_MARKS = re.compile(f"[{MARKS}]")
_ANY_BLANK = re.compile(f"[{BLANKS}]")


def is_exported(sample: Sequence[str]) -> bool:
    """Tell whether the first lines of a file are such a chat: times are set off, and names follow some of them."""
    stamped = named = 0
    for line in sample:
        stamp = stamp_of(line)
        if stamp is not None:
            stamped += 1
            named += _NAME.match(line, stamp.end) is not None
    return named > 0 and _SHARE * named >= stamped and (named > 1 or stamp_of(sample[0]) is not None)


def exported_items(lines: Iterable[Line], order: Order, setting: Setting) -> Iterator[Item]:
    """Give the messages of such a chat: a line without a time goes on with the one before it, whatever it holds."""
    begun: Said | None = None
    parts: list[str] = []
    for line in lines:
        if line.why:
            yield Fault(setting.file, line.number, line.why)
            continue
        stamp = stamp_of(line.text)
        if stamp is None and begun is not None:
            parts.append(_without_remark(line.text))
            continue
        if begun is not None:
            yield whole(begun, parts, setting)
        at, name, text = None, None, line.text
        if stamp is not None:
            at, fault = app_moment(stamp, order, line.number, setting)
            if fault is not None:
                yield fault
            name, text = _cut(line.text, stamp.end)
        begun, parts = said_by(line.number, name, at), [_without_remark(text).strip()]
    if begun is not None:
        yield whole(begun, parts, setting)


def _cut(line: str, place: int) -> tuple[str | None, str]:
    """Give who speaks and what is said; a notice has nobody, even where it stands behind a name."""
    found = _NAME.match(line, place)
    if found is None:
        return None, line[place:]
    text = line[found.end() :].lstrip(BLANKS)
    name = _ANY_BLANK.sub(" ", _NO_MARKS.sub("", found[1])).strip()
    if not name or text.startswith(_NOTICE):
        return None, text
    return name, text


def _without_remark(text: str) -> str:
    """Leave out what the messenger wrote behind somebody's words."""
    place = max(0, len(text) - _LOOKED_AT)
    found = _TAIL.search(text, place)
    return text if found is None else text[: found.start()]

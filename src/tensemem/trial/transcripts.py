"""Chats as plain text: a transcript with names, or one message a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..engine.outside import moment_read, text_read
from ..errors import InvalidTimeError, InvalidValueError
from .lines import Line
from .shapes import Setting
from .stamps import Order, Stamp, stamp_of
from .values import Fault, Item, Said

_NAMES_OF = {
    "user": ("user", "human", "you", "me", "customer", "client"),
    "assistant": (
        "assistant", "ai", "bot", "agent", "model", "chatgpt", "gpt", "claude", "gemini", "copilot", "llm",
    ),
    "system": ("system", "developer"),
    "tool": ("tool", "function"),
}  # fmt: skip
"""Who speaks in which role in a transcript, also as in ``You said:``."""
_ROLES = {name: role for role, names in _NAMES_OF.items() for name in names}

# Both are tried at one place of a line only, and every repetition in them has a bound.
_STAMP = re.compile(
    r"[ \t]{0,8}[\[(]?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[ ]?[Zz]|[+-]\d\d:?\d\d)?)[\])]?"
    r"[ \t]{0,8}(?:[-–|][ \t]{1,8})?",
    re.ASCII,
)
_NAME = re.compile(r"[ \t]{0,8}(?:\*\*)?([^\W\d_][\w .'’-]{0,38}[\w.]|[^\W\d_])(?:\*\*)?:(?:\*\*)?(?=[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Cut:
    """A line in its parts: when and by whom, where it says so, and what is said."""

    stamp: str | None
    name: str | None
    text: str


def cut(line: str) -> Cut:
    """Cut a line into its time, its speaker and its text."""
    stamp = _STAMP.match(line)
    rest = line[stamp.end() :] if stamp else line
    name = _NAME.match(rest)
    return Cut(stamp[1] if stamp else None, name[1] if name else None, rest[name.end() :] if name else rest)


def names_in(sample: Sequence[str]) -> frozenset[str] | None:
    """Give the speakers of a transcript by the first lines of a file; None where it is none.

    A name counts where a time stands before it, where it is a role's, where it comes again, or where every line has
    one: so a note such as ``Milk: two`` is no speaker.
    """
    cuts = [cut(line) for line in sample]
    found = Counter(one.name for one in cuts if one.name is not None)
    roles = {name for name in found if _is_role(name)}
    is_titled = {_role_of(name) for name in roles} >= {"user", "assistant"}  # a line about the chat may stand above it
    if not cuts or (cuts[0].name is None and not is_titled):
        return None
    if all(one.name is not None for one in cuts) and len(cuts) > 1 and len(found) <= max(2, len(cuts) // 2):
        return frozenset(found)
    stamped = {one.name for one in cuts if one.name is not None and one.stamp is not None}
    counted = {name for name, times in found.items() if times > 1}
    names = roles | stamped | counted
    return frozenset(names) if is_titled or cuts[0].name in names else None


def transcript_items(lines: Iterable[Line], names: frozenset[str], setting: Setting) -> Iterator[Item]:
    """Give the messages of a transcript; a line that names no speaker goes on with the message before it."""
    begun: Said | None = None
    parts: list[str] = []
    for line in lines:
        if line.why:
            yield Fault(setting.file, line.number, line.why)
            continue
        found = cut(line.text)
        is_new = found.name is not None and (found.stamp is not None or found.name in names or _is_role(found.name))
        if not is_new and begun is not None and found.stamp is None:
            parts.append(line.text)
            continue
        if begun is not None:
            yield whole(begun, parts, setting)
        name = found.name if is_new else None
        at, fault = _moment(found.stamp, line.number, setting)
        if fault is not None:
            yield fault
        text = found.text if is_new or found.name is None else f"{found.name}:{found.text}"
        begun, parts = said_by(line.number, name, at), [text.strip()]
    if begun is not None:
        yield whole(begun, parts, setting)


def plain_items(lines: Iterable[Line], order: Order, setting: Setting) -> Iterator[Item]:
    """Give each line as a message of the user, without the time that may stand before it."""
    for line in lines:
        if line.why:
            yield Fault(setting.file, line.number, line.why)
            continue
        stamp = _STAMP.match(line.text)
        other = None if stamp else stamp_of(line.text)
        if other is not None:
            at, fault = app_moment(other, order, line.number, setting)
        else:
            at, fault = _moment(stamp[1] if stamp else None, line.number, setting)
        if fault is not None:
            yield fault
        text = line.text[stamp.end() if stamp else other.end if other else 0 :]
        yield whole(Said(line.number, "user", "", at), [text.strip()], setting)


def said_by(number: int, name: str | None, at: datetime | None) -> Said:
    """Begin a message of somebody by a name, in the role the name tells; of nobody where there is none."""
    if name is None:  # a title, or a notice of the chat: nobody says it
        return Said(number, "system", "", at)
    role = _role_of(name)
    return Said(number, role, "", at, name=name if role == "user" and not _is_role(name) else None)


def whole(begun: Said, parts: Sequence[str], setting: Setting) -> Item:
    """Give a message with all its lines, or the fault that it is too long."""
    try:
        text = text_read("\n".join(parts).lstrip("\n"))
    except InvalidValueError as error:
        return Fault(setting.file, begun.line, str(error))
    return Said(begun.line, begun.role, text, begun.at, begun.name)


def _is_role(name: str) -> bool:
    return _word(name) in _ROLES


def _role_of(name: str) -> str:
    return _ROLES.get(_word(name), "user")


def _word(name: str) -> str:
    return name.lower().removesuffix(" said")


def app_moment(
    stamp: Stamp, order: Order, number: int, setting: Setting
) -> tuple[datetime | None, Fault | None]:
    """Give the moment of a line as a chat application dates it, or why it has none."""
    try:
        return stamp.moment(order.is_month_first, setting.zone), None
    except InvalidTimeError as error:
        return None, _untimed(error, number, setting)


def _moment(stamp: str | None, number: int, setting: Setting) -> tuple[datetime | None, Fault | None]:
    if stamp is None:
        return None, None
    try:
        return moment_read(stamp, setting.zone), None
    except InvalidTimeError as error:
        return None, _untimed(error, number, setting)


def _untimed(error: InvalidTimeError, number: int, setting: Setting) -> Fault:
    return Fault(setting.file, number, f"{error} The message is used without a time.")

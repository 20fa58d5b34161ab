"""A first look at a source: how much it holds, when it was said, who speaks; and times for what has none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from .readers import Form
from .values import Fault, Said, Source

APART = timedelta(minutes=1)
"""Between messages of a source that has no times."""
_BEHIND = timedelta(milliseconds=1)
"""Between a message without a time and the dated one before it."""
_AHEAD = timedelta(minutes=5)
"""How far a memory lets a time lie in the future."""


@dataclass
class Survey:
    """What the first reading of a source found. ``before`` counts the undated messages before the first dated one."""

    source: Source
    form: Form
    messages: int = 0
    undated: int = 0
    before: int = 0
    ahead: int = 0
    first: datetime | None = None
    last: datetime | None = None
    roles: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    has_plain_user: bool = False
    has_users: bool = False
    faults: list[Fault] = field(default_factory=list)
    faulty: int = 0

    def count(self, said: Said, now: datetime) -> None:
        """Count a message in."""
        self.messages += 1
        self.roles[said.role] = self.roles.get(said.role, 0) + 1
        self.has_users = self.has_users or said.user is not None
        if said.role == "user":
            self.has_plain_user = self.has_plain_user or said.name is None
            if said.name is not None:
                self.names[said.name] = self.names.get(said.name, 0) + 1
        at = usable(said.at, now)
        self.ahead += said.at is not None and at is None
        if at is None:
            self.undated += 1
            self.before += self.first is None
            return
        self.first = at if self.first is None else self.first
        self.last = at if self.last is None else max(self.last, at)


KEPT_FAULTS = 1000
"""Faults of a source that are kept with their lines; the others are counted."""


def usable(at: datetime | None, now: datetime) -> datetime | None:
    """Give a time unless it lies ahead, where no memory takes it."""
    return None if at is None or at > now + _AHEAD else at


def survey(source: Source, form: Form, now: datetime, limit: int | None = None) -> Survey:
    """Read a source once, at most so many messages of it."""
    found = Survey(source, form)
    for item in form.read():
        if isinstance(item, Fault):
            found.faulty += 1
            if len(found.faults) < KEPT_FAULTS:
                found.faults.append(item)
            continue
        if limit is not None and found.messages >= limit:
            break
        found.count(item, now)
    return found


def dated(found: Survey, now: datetime) -> Iterator[tuple[Said, datetime]]:
    """Read a source again and give its messages with times.

    Where none has a time they are a minute apart and end when the file was written. Where some have, one without
    comes right behind the one before it, and those before the first dated one a minute apart before that.
    """
    last: datetime | None = None
    end = found.source.written_at if found.first is None else found.first
    ahead = found.messages - 1 if found.first is None else found.before
    messages = (item for item in found.form.read() if isinstance(item, Said))
    for place, said in enumerate(islice(messages, found.messages)):
        at = usable(said.at, now)
        if at is None and last is not None:
            at = last + _BEHIND
        elif at is None:
            at = _earlier(end, (ahead - place) * APART)
        if usable(said.at, now) is not None or last is not None:
            last = at
        yield said, at


def _earlier(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment - by
    except OverflowError:
        return moment

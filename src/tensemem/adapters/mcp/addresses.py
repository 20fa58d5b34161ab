"""Addresses of resources: ``memory://state``, ``memory://context``, ``memory://history?predicate=lives_in``.

Names stand in the query, where any text can stand: in a path, "..", "/" and the like mean something to some clients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from ...core.lines import shown
from ...errors import InvalidValueError
from .reach import Reach

SCHEME = "memory"
LONGEST = 8192
"""Characters of an address."""


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of resource: its title, what is in it, its media type, and the names its address takes."""

    title: str
    description: str
    media_type: str
    takes: tuple[str, ...] = ()


SORTS = {
    "context": Sort("What is remembered", "Everything that is known now, as text for a prompt.", "text/markdown"),
    "state": Sort("State", "What holds now, what is planned and what waits for review, as JSON.", "application/json"),
    "history": Sort(
        "History", "Every value that an attribute has had, as JSON.", "application/json", ("predicate", "subject")
    ),
}  # fmt: skip
_NEEDED = ("predicate",)


@dataclass(frozen=True, slots=True)
class Address:
    """What an address names: the sort of resource, whose it is, and which attribute."""

    sort: str
    user_id: str
    predicate: str = ""
    subject: str = "user"


def written(sort: str, **names: str) -> str:
    """Write the address of a resource."""
    asked = "&".join(f"{name}={quote(value, safe='')}" for name, value in names.items())
    return f"{SCHEME}://{sort}{'?' + asked if asked else ''}"


def template(sort: str, reach: Reach) -> str | None:
    """Give the template of a sort's addresses (RFC 6570), None where it has the one address only."""
    names = (*(("user_id",) if reach.names_users else ()), *SORTS[sort].takes)
    return f"{SCHEME}://{sort}{{?{','.join(names)}}}" if names else None


def read(uri: str, reach: Reach) -> Address:
    """Read an address; raises InvalidValueError for what names nothing here, ForbiddenError for somebody else's."""
    parts = urlsplit(uri) if len(uri) <= LONGEST else None
    sort = SORTS.get(parts.netloc) if parts is not None else None
    if parts is None or parts.scheme != SCHEME or sort is None or parts.path not in ("", "/"):
        raise InvalidValueError(f"There is no resource {shown(uri, 200)}. There are: {', '.join(map(written, SORTS))}.")
    try:
        asked = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), errors="strict")
    except ValueError as error:
        raise InvalidValueError(f"The address {shown(uri, 200)} can't be read: {error}") from None
    names = {name: values[-1] for name, values in asked.items()}
    takes = {*sort.takes, "user_id"}
    unknown = next((name for name in names if name not in takes), None)
    if unknown is not None or any(len(values) > 1 for values in asked.values()):
        raise InvalidValueError(f"The address of a {parts.netloc} takes {', '.join(sorted(takes))}, each once.")
    for name in _NEEDED:
        if name in sort.takes and not names.get(name):
            raise InvalidValueError(f"The address of a {parts.netloc} names a {name}: {written(parts.netloc)}?{name}=…")
    user_id = reach.user(names)
    more: dict[str, Any] = {name: names[name] for name in sort.takes if names.get(name)}
    return Address(parts.netloc, user_id, **more)

"""The commands about who may use a served memory: keys mint, list, revoke, audit and prune."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tensemem import errors
from tensemem.core.periods import parse_duration, parse_period

from .._keys import is_file
from .cutting import say_more
from .moments import Moments
from .options import MOMENT, Command
from .session import Session, pass_session
from .text import Cell, counted, safe, short, table

if TYPE_CHECKING:
    from tensemem.access import Access, Act, Key

ROLES = ("read", "write", "admin")
PAGE = 1000
_COLOURS = {"open": "green", "revoked": "dim", "expired": "yellow"}

at_access = click.option(
    "--access", "place", metavar="PATH|URL", help="Where the keys are; without it, beside the memory."
)


@click.group("keys")
def keys() -> None:
    """Give out keys to a served memory, and take them back. Whoever can read the memory's file needs none."""


class _Minting(Command):
    """A command whose ``--namespace`` is what a key is limited to, and not where the command works."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.params = [one for one in self.params if one.name != "namespace"]


@keys.command("mint", cls=_Minting)
@click.option("--label", default="", metavar="TEXT", help="What it is for; it stands in lists and in the log of acts.")
@click.option("--role", type=click.Choice(ROLES), default="read", show_default=True, help="What it may do.")
@click.option("--namespace", "namespaces", multiple=True, metavar="NAME", help="Limit it to this one; repeatable.")
@click.option("--user", "users", multiple=True, metavar="USER", help="Limit it to this user; may be repeated.")
@click.option("--expires", metavar="DURATION|TIME", help="When it ends, such as 90d, or the start of a day.")
@at_access
@pass_session
def mint(
    session: Session, /, *, label: str, role: str, namespaces: tuple[str, ...], users: tuple[str, ...],
    expires: str | None, place: str | None,
) -> None:  # fmt: skip
    """Make a key and print its token. It is printed this once; what is kept of it opens nothing."""
    limits = namespaces or ((session.namespace,) if session.is_pinned else None)
    with _opened(session, place, make=True) as access:
        key, token = access.mint(
            label, role, namespaces=limits, users=users or None, expires=_expiry(expires, session.tz)
        )
        session.note(f"key {key.id}: {_told(key, Moments(session.zone))}; the token is shown this once")
        session.show({"key": key_document(key, access), "token": token}, [token])


@keys.command("list", cls=Command)
@at_access
@pass_session
def list_(session: Session, /, place: str | None) -> None:
    """List the keys, also those that open no more. Their secrets are nowhere."""
    with _opened(session, place, make=False) as access:
        found, now = access.keys(), access.now()
        times = Moments(session.zone, [key.expires_at for key in found])
        rows = [
            (
                key.id, short(key.label, session.look), key.role, _names(key.namespaces), _names(key.users),
                times.text(key.expires_at), Cell(key.status_at(now), _COLOURS[key.status_at(now)]),
            )
            for key in found
        ]  # fmt: skip
        lines = table(("id", "label", "role", "namespaces", "users", "expires", "status"), rows, session.look)
        session.show({"keys": [key_document(key, access) for key in found]}, lines or ["no keys"])


@keys.command("revoke", cls=Command)
@click.argument("key_id", metavar="ID")
@at_access
@pass_session
def revoke(session: Session, /, key_id: str, place: str | None) -> None:
    """Close a key for good. At once in all processes that keep keys in a file, within a second in a database."""
    with _opened(session, place, make=False) as access:
        key = access.revoke(key_id)
        known = access.keys()
        open_ones = sum(one.is_open_at(access.now()) for one in known)
        left = "no key opens now" if not open_ones else f"{counted(open_ones, 'key')} still open"
        session.show({"key": key_document(key, access), "open": open_ones}, [f"key {key.id} opens no more; {left}"])


@keys.command("audit", cls=Command)
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="At most so many lines.")
@click.option("--after", type=click.IntRange(min=0), help="Go on behind this line; without it, the newest.")
@click.option("--user", "user_id", metavar="USER", help="Only what was done about this user of the namespace.")
@at_access
@pass_session
def audit(session: Session, /, limit: int, after: int | None, user_id: str | None, place: str | None) -> None:
    """Show the log of administrative acts. Of a user it holds a hash, by which only who knows the name finds them."""
    with _opened(session, place, make=False) as access:
        person = None if user_id is None else access.person(session.namespace, user_id)
        is_newest = person is None and after is None
        most = min(limit, PAGE) if is_newest else limit
        found = list(access.last_acts(limit=most) if is_newest else _behind(access, after or 0, limit, person))
    times = Moments(session.zone, [act.at for act in found])
    rows = [
        (
            str(act.seq), times.text(act.at), act.key_id, short(act.label, session.look), act.act, act.outcome,
            short(act.namespace or "", session.look), short(act.person or act.about or "", session.look),
        )
        for act in found
    ]  # fmt: skip
    header = ("line", "when", "key", "label", "act", "outcome", "namespace", "about")
    last = found[-1].seq if found else after or 0
    session.show({"acts": found, "next": last}, table(header, rows, session.look) or ["nothing was done"])
    if len(found) >= most:
        say_more(session, most, "--after 0 begins with the oldest" if is_newest else f"--after {last} goes on")


@keys.command("prune", cls=Command)
@click.argument("before", metavar=MOMENT)
@at_access
@pass_session
def prune(session: Session, /, before: str, place: str | None) -> None:
    """Remove lines from the log of administrative acts. Those from before a moment; that it was done is a line."""
    moment = _moment(before, session.tz, "before")
    with _opened(session, place, make=False) as access:
        gone = access.prune(moment)
    session.show({"removed": gone}, [f"{counted(gone, 'line')} removed"])


@contextmanager
def _opened(session: Session, place: str | None, *, make: bool) -> Iterator[Access]:
    from tensemem.access import Access
    from tensemem.access.places import beside

    if place is None:
        session.must_be_here("keys")
    where = place or beside(session.db)
    is_new = make and is_file(where) and not Path(where).expanduser().exists()
    with Access.open(where, make=make) as access:
        if is_new:
            alone = "" if place or not session.is_missing() else "; there is no memory beside it yet"
            session.note(f"made {access.location}{alone}")
        yield access


def _behind(access: Access, after: int, limit: int, person: str | None) -> Iterator[Act]:
    left = limit
    while left and (page := access.acts(limit=PAGE, after=after)):
        for act in page:
            if left and person in (None, act.person):
                left -= 1
                yield act
        after = page[-1].seq


def _expiry(text: str | None, zone: str) -> datetime | timedelta | None:
    if text is None:
        return None
    try:
        return parse_duration(text, name="--expires")
    except errors.InvalidTimeError:
        pass
    try:
        return _moment(text, zone, "--expires")
    except errors.InvalidTimeError:
        raise errors.InvalidTimeError(
            f"--expires: {text[:60]!r} is neither how long from now, such as 90d or 12h, nor a moment to come, such as "
            "2027-01-31 or 2027-01-31T18:00"
        ) from None


def _moment(text: str, zone: str, name: str) -> datetime:
    from tensemem.model.moment import to_datetime

    start = parse_period(text, zone, name=name).start
    if start is None:
        raise errors.InvalidTimeError(f"{name}: {text!r} names no moment")
    return to_datetime(start)


def _told(key: Key, times: Moments) -> str:
    parts = [key.role, f'"{safe(key.label)}"' if key.label else ""]
    limits = (("namespace", key.namespaces), ("user", key.users))
    parts += [f"{what} {_names(names)}" for what, names in limits if names]
    parts += [f"until {times.text(key.expires_at)}"] if key.expires_at else []
    return ", ".join(filter(None, parts))


def _names(names: tuple[str, ...] | None) -> str:
    if names is None:
        return ""
    return ", ".join(safe(name) for name in names) or "(nobody)"


def key_document(key: Key, access: Access) -> dict[str, Any]:
    """Give what a document tells of a key: all but what opens."""
    return {
        "id": key.id, "label": key.label, "role": key.role, "namespaces": key.namespaces, "users": key.users,
        "created_at": key.created_at, "expires_at": key.expires_at, "revoked_at": key.revoked_at,
        "status": key.status_at(access.now()),
    }  # fmt: skip

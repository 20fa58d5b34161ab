"""What commands that serve over HTTP share: where they listen, who may ask, and the keys of those who do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tensemem.core.loopback import is_loopback

from .._keys import is_file
from .._listening import try_address, try_certificate
from .keys import key_document
from .options import together
from .session import Session
from .text import say

if TYPE_CHECKING:
    from tensemem.access import Access, Key, Rate

TOKEN = "TENSEMEM_TOKEN"
"""The variable with a token of an admin, which is kept nowhere."""
HOST = "127.0.0.1"
BURST_SECONDS = 4
"""How many seconds' worth of requests a key may have at once."""

_FILE = click.Path(exists=True, dir_okay=False)


def listening(port: int) -> Callable[[Any], Any]:
    """Give the options that say where a server listens, and who may ask it."""
    return together(
        click.option("--host", metavar="NAME", default=HOST, show_default=True, help="The address to listen on."),
        click.option(
            "--port", type=click.IntRange(0, 65535), default=port, show_default=True,
            help="The port; 0 takes a free one.",
        ),
        click.option("--tls-cert", metavar="PATH", type=_FILE, help="A certificate, PEM."),
        click.option("--tls-key", metavar="PATH", type=_FILE, help="Its key, PEM."),
        click.option(
            "--insecure-no-tls", is_flag=True,
            help="Listen beyond this machine without TLS: tokens and memories can be read on the way.",
        ),
        click.option("--access", metavar="PATH|URL", help="Where the keys are; else beside the memory."),
        click.option(
            "--allow-host", metavar="NAME", multiple=True, help="A name the server may be asked under. Repeatable."
        ),
        click.option(
            "--allow-origin", metavar="URL", multiple=True, help="A page of another server that may ask. Repeatable."
        ),
        click.option(
            "--rate", metavar="N", type=click.FloatRange(min=0, min_open=True),
            help="Requests per second of each key, four seconds' worth at once; without it there is no limit.",
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Way:
    """What these options say."""

    host: str
    port: int
    tls_cert: str | None
    tls_key: str | None
    insecure_no_tls: bool
    access: str | None
    allow_host: tuple[str, ...]
    allow_origin: tuple[str, ...]
    rate: float | None

    def check(self) -> None:
        """Refuse to be heard beyond this machine in the clear, unless that was said in as many words.

        Raises StoreError where the address or the certificate can't be used, while nothing has been made yet.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            raise click.UsageError("--tls-cert and --tls-key go together")
        if not is_loopback(self.host) and self.tls_cert is None and not self.insecure_no_tls:
            raise click.UsageError(
                "beyond this machine tokens and memories are read on the way: give --tls-cert and --tls-key, or say "
                "--insecure-no-tls where something else encrypts"
            )
        if self.tls_cert is not None and self.tls_key is not None:
            try_certificate(self.tls_cert, self.tls_key)
        try_address(self.host, self.port)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names a server may be asked under: those given, and its own address where that is one."""
        everywhere = ("0.0.0.0", "::", "")
        own = () if self.host in everywhere else (f"[{self.host}]" if ":" in self.host else self.host,)
        return (*self.allow_host, *own)

    @property
    def allowed_rate(self) -> Rate | None:
        """How often each key may ask."""
        from tensemem.access import Rate

        return None if self.rate is None else Rate(self.rate, max(1, round(self.rate * BURST_SECONDS)))


@contextmanager
def opened_keys(session: Session, place: str | None, token: str | None) -> Iterator[Keys]:
    """Open the keys of a server; where there has never been one, and no token is given, the first is made and shown."""
    from tensemem.access import Access
    from tensemem.access.places import beside

    with Access.open(beside(session.db) if place is None else place) as keys:
        yield Keys(keys, None if token is not None else _first_key(session, keys))


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a server, and its first one with its token, where that was made just now."""

    access: Access
    made: tuple[Key, str] | None

    def document(self) -> dict[str, Any]:
        """Give what a document tells of the key that was made: ``key`` and ``token``, null where none was."""
        if self.made is None:
            return {"key": None, "token": None}
        return {"key": key_document(self.made[0], self.access), "token": self.made[1]}


def _first_key(session: Session, keys: Access) -> tuple[Key, str] | None:
    """Make the first key, and show it this once: nobody can read it anywhere later."""
    made = keys.first_key()
    if made is None:
        known = keys.keys()
        if not any(key.is_open_at(keys.now()) for key in known):
            session.note("no key opens; 'tensemem keys mint' makes one")
        return None
    session.note("made a key that may do everything; it is shown this once and kept nowhere:")
    say(made[1], err=True)
    return made


def place_of(session: Session) -> str:
    """Give where the memory is, without the user and password that a URL may hold."""
    return session.db if is_file(session.db) else session.db.rpartition("@")[2]

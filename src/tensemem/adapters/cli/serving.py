"""``tensemem serve``: a memory over HTTP, on this machine alone unless told otherwise in as many words."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tensemem import AsyncMemory

from .._keys import is_file, keys_of
from .exits import DONE
from .llms import KEEP_ONLY, Llm, llm
from .options import command, together
from .session import Session
from .text import say

if TYPE_CHECKING:
    from tensemem.access import Access, Rate

TOKEN = "TENSEMEM_TOKEN"
"""The variable with a token of an admin, which is kept nowhere."""
HOST, PORT = "127.0.0.1", 7340
BURST_SECONDS = 4
"""How many seconds' worth of requests a key may have at once."""

_FILE = click.Path(exists=True, dir_okay=False)
_listening = together(
    click.option("--host", metavar="NAME", default=HOST, show_default=True, help="The address to listen on."),
    click.option(
        "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0 takes a free one."
    ),
    click.option("--tls-cert", metavar="PATH", type=_FILE, help="A certificate, PEM."),
    click.option("--tls-key", metavar="PATH", type=_FILE, help="Its key, PEM."),
    click.option(
        "--insecure-no-tls", is_flag=True,
        help="Listen beyond this machine without TLS: tokens and memories can be read on the way.",
    ),
)
_asking = together(
    click.option("--access", metavar="PATH|URL", help="Where the keys are; else beside the memory."),
    click.option(
        "--allow-host", metavar="NAME", multiple=True, help="A name the server may be asked under. Repeatable."
    ),
    click.option(
        "--allow-origin", metavar="URL", multiple=True, help="A page of another server that may ask. Repeatable."
    ),
    click.option(
        "--rate", metavar="N", type=click.FloatRange(min=0, min_open=True), help="Requests per second of each key."
    ),
)


@command("serve")
@llm
@click.option("--reextract-llm", type=Llm(), metavar="NAME", help="Who extracts anew when asked to; else --llm.")
@_listening
@_asking
@click.pass_context
def serve(
    context: click.Context, /, *, llm: Any, reextract_llm: Any, host: str, port: int, tls_cert: str | None,
    tls_key: str | None, access: str | None, rate: float | None, insecure_no_tls: bool,
    allow_host: tuple[str, ...], allow_origin: tuple[str, ...],
) -> None:  # fmt: skip
    """Serve the memory over HTTP, until Ctrl-C or SIGTERM.

    Every verb is under /v1/, described at /openapi.json; the studio is at /studio/. Who asks shows a key of 'tensemem
    keys', or the token in $TENSEMEM_TOKEN; without either the first start makes a key and shows it once. Without --llm
    messages stay pending until a worker extracts them.
    """
    session = context.ensure_object(Session)
    from ..rest import Address, app
    from ..rest import serve as run

    address = Address(host, port, tls_cert, tls_key)
    _check_way(address.is_loopback, (tls_cert, tls_key), insecure_no_tls)
    token = os.environ.get(TOKEN) or None
    with _opened(session, llm) as memory, _keys(session, access) as keys:
        if token is None:
            _show_first_key(session, keys)
        rereader = None if reextract_llm is KEEP_ONLY else reextract_llm
        served = app(
            memory, access=keys, token=token, hosts=_hosts(host, allow_host), origins=allow_origin,
            rate=_rate(rate), rereader=rereader,
        )  # fmt: skip
        run(served, address, ready=lambda url: session.note(f"serving {_place(session)} at {url}; Ctrl-C stops it"))
        session.note("stopped; everybody who asked was answered")
    context.exit(DONE)


def _check_way(is_near: bool, files: tuple[str | None, str | None], is_allowed: bool) -> None:
    """Refuse to be heard beyond this machine in the clear, unless that was said in as many words."""
    if (files[0] is None) != (files[1] is None):
        raise click.UsageError("--tls-cert and --tls-key go together")
    if not is_near and files[0] is None and not is_allowed:
        raise click.UsageError(
            "beyond this machine tokens and memories are read on the way: give --tls-cert and --tls-key, or say "
            "--insecure-no-tls where something else encrypts"
        )


@contextmanager
def _opened(session: Session, extractor: Any) -> Iterator[AsyncMemory]:
    """Open the memory, and close it when all is done."""
    is_new = is_file(session.db) and not Path(session.db).expanduser().exists()
    memory = AsyncMemory(
        session.db, llm=extractor, namespace=session.tenant, tz=session.tz, **keys_of(session.db)
    )  # fmt: skip
    asyncio.run(memory.__aenter__())
    try:
        if is_new:
            session.note(f"made {Path(session.db).expanduser().absolute()}")
        yield memory
    finally:
        asyncio.run(memory.close())


@contextmanager
def _keys(session: Session, place: str | None) -> Iterator[Access]:
    from tensemem.access import Access
    from tensemem.access.places import beside

    with Access.open(beside(session.db) if place is None else place) as keys:
        yield keys


def _show_first_key(session: Session, keys: Access) -> None:
    """Make the first key, and show it this once: nobody can read it anywhere later."""
    made = keys.first_key()
    if made is None:
        return
    session.note("made a key that may do everything; it is shown this once and kept nowhere:")
    say(made[1], err=True)


def _hosts(host: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Give the names a server may be asked under: those given, and its own address where that is one."""
    everywhere = ("0.0.0.0", "::", "")
    own = () if host in everywhere else (f"[{host}]" if ":" in host else host,)
    return (*allowed, *own)


def _rate(per_second: float | None) -> Rate | None:
    from tensemem.access import Rate

    return None if per_second is None else Rate(per_second, max(1, round(per_second * BURST_SECONDS)))


def _place(session: Session) -> str:
    """Give where the memory is, without the user and password that a URL may hold."""
    return session.db if is_file(session.db) else session.db.rpartition("@")[2]

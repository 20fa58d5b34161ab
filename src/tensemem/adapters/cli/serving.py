"""``tensemem serve``: a memory over HTTP, on this machine alone unless told otherwise in as many words."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from tensemem import AsyncMemory, errors

from .._keys import keys_of
from .exits import DONE
from .listening import TOKEN, Way, listening, opened_keys, place_of
from .llms import KEEP_ONLY, Llm, llm
from .options import command
from .session import Session

PORT = 7340


@command("serve")
@llm
@click.option("--reextract-llm", type=Llm(), metavar="NAME", help="Who extracts anew when asked to; else --llm.")
@listening(PORT)
@click.pass_context
def serve(context: click.Context, /, *, llm: Any, reextract_llm: Any, **options: Any) -> None:
    """Serve the memory over HTTP, until Ctrl-C or SIGTERM.

    Every verb is under /v1/, described at /openapi.json; the studio is at /studio/. Who asks shows a key of 'tensemem
    keys', or the token in $TENSEMEM_TOKEN; without either the first start makes a key and shows it once. Without --llm
    messages stay pending until a worker extracts them.
    """
    session = context.ensure_object(Session)
    session.must_be_here("serve")
    from ..rest import Address, app
    from ..rest import serve as run

    check_installed()
    way = Way(**options)
    way.check()
    address = Address(way.host, way.port, way.tls_cert, way.tls_key)
    token = os.environ.get(TOKEN) or None
    with opened_memory(session, llm) as memory, opened_keys(session, way.access, token) as keys:
        rereader = None if reextract_llm is KEEP_ONLY else reextract_llm
        served = app(
            memory, access=keys.access, token=token, hosts=way.hosts, origins=way.allow_origin, rate=way.allowed_rate,
            rereader=rereader,
        )  # fmt: skip

        def ready(url: str) -> None:
            session.note(f"serving {place_of(session)} at {url}; Ctrl-C stops it")
            pages = {"studio": f"{url}/studio/", "openapi": f"{url}/openapi.json"}
            session.show({"url": url, **pages, **keys.document()}, ())

        run(served, address, ready=ready)
        session.note("stopped; everybody who asked was answered")
    context.exit(DONE)


def check_installed() -> None:
    """Refuse to serve without the packages that takes, before a memory is opened or a key is made."""
    from ..rest import libraries

    try:
        libraries()
    except ImportError as error:
        raise errors.StoreUnsupportedError(str(error)) from error


@contextmanager
def opened_memory(session: Session, extractor: Any) -> Iterator[AsyncMemory]:
    """Open the memory, and close it when all is done."""
    is_new = session.is_missing()
    memory = AsyncMemory(
        session.db, llm=extractor, namespace=session.tenant, tz=session.tz, **keys_of(session.db)
    )  # fmt: skip
    asyncio.run(memory.__aenter__())
    try:
        session.tell_made(is_new)
        yield memory
    finally:
        asyncio.run(memory.close())

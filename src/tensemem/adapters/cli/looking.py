"""``tensemem studio``: the memory in the browser of whoever sits at this machine."""

from __future__ import annotations

import html
import os
import secrets
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from .._listening import try_address
from .exits import DONE
from .listening import HOST, TOKEN, opened_keys, place_of
from .llms import KEEP_ONLY, Llm, llm
from .options import command
from .serving import check_installed, opened_memory
from .session import Session


@command("studio")
@llm
@click.option("--reextract-llm", type=Llm(), metavar="NAME", help="Who extracts anew when asked to; else --llm.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default="a free one", help="The port to listen on."
)
@click.option("--no-browser", is_flag=True, help="Open no browser: print the address only.")
@click.option("--access", metavar="PATH|URL", help="Where the keys are; else beside the memory.")
@click.pass_context
def studio(
    context: click.Context, /, *, llm: Any, reextract_llm: Any, port: int, no_browser: bool, access: str | None
) -> None:
    """Open the memory in the browser, until Ctrl-C.

    It is served on this machine alone, with a token of its own that opens as long as this runs, or the one in
    $TENSEMEM_TOKEN. Without --llm messages stay pending until a worker extracts them.
    """
    session = context.ensure_object(Session)
    session.must_be_here("studio")
    from ..rest import Address, app, serve
    from ..studio import address

    check_installed()
    try_address(HOST, port)
    token = os.environ.get(TOKEN) or secrets.token_urlsafe(32)
    with ExitStack() as until_the_end:
        memory = until_the_end.enter_context(opened_memory(session, llm))
        keys = until_the_end.enter_context(opened_keys(session, access, token))
        rereader = None if reextract_llm is KEEP_ONLY else reextract_llm
        served = app(memory, access=keys.access, token=token, rereader=rereader)

        def ready(url: str) -> None:
            session.note(f"the studio of {place_of(session)}; Ctrl-C ends it")
            session.show({"url": url, "studio": address(url, token)}, [address(url, token)])
            if not no_browser:
                file = until_the_end.enter_context(leading_to(address(url, token)))
                threading.Thread(target=webbrowser.open, args=(file,), daemon=True).start()  # some browsers block

        serve(served, Address(HOST, port), ready=ready)
    context.exit(DONE)


@contextmanager
def leading_to(place: str) -> Iterator[str]:
    """Give the address of a file that leads to a place, and that only its owner reads.

    A browser is started with the address it opens among its arguments, which everybody on the machine can see: the
    token must not stand there.
    """
    handle, name = tempfile.mkstemp(prefix="tensemem-studio-", suffix=".html")
    quoted = html.escape(place, quote=True)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(
            f'<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0; url={quoted}"><title>tensemem studio</title>'
            f'<a href="{quoted}">Open the studio</a>\n'
        )
    try:
        yield Path(name).as_uri()
    finally:
        Path(name).unlink(missing_ok=True)

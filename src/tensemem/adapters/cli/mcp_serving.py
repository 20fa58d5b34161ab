"""The command that serves MCP clients, and the one that sets a client up."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tensemem import AsyncMemory, errors

from .._extras import missing
from .._keys import KEEPS_NOTHING, is_file, keys_of
from .._room import many_files
from .._turns import short_turns
from . import options
from .listening import TOKEN, Way, listening, opened_keys, place_of
from .llms import Llm
from .session import Session, pass_session
from .text import safe

if TYPE_CHECKING:
    from ..mcp.reach import Pin
    from ..mcp.server import MemoryServer

USER = "TENSEMEM_USER"
PORT = 7341
CLIENTS = ("claude-desktop", "claude-code", "cursor", "vscode", "codex")
SCOPES = ("user", "project", "local")

_user = click.option("--user", "user_id", metavar="USER", envvar=USER, show_envvar=True, help="Whose memory it is.")
_any_user = click.option("--any-user", is_flag=True, help="Serve all users of the namespace: each call names one.")
_read_only = click.option("--read-only", is_flag=True, help="Offer no tool that writes.")
_prefix = click.option(
    "--prefix", metavar="TEXT", default="memory_", show_default=True, help="What the names of the tools begin with."
)
_llm = click.option(
    "--llm", metavar="NAME", help="Who extracts: offline, provider:model, module:attribute; without it, nobody here."
)


@click.group("mcp", cls=options.Group, invoke_without_command=True)
@_user
@_any_user
@options.agent
@_read_only
@_prefix
@_llm
@click.option("--transport", type=click.Choice(["stdio", "http"]), default="stdio", show_default=True,
              help="How clients reach it: as those who start it, or over HTTP with a key.")  # fmt: skip
@listening(PORT)
@click.pass_context
def mcp(
    context: click.Context, /, *, llm: str | None, prefix: str, transport: str, user_id: str | None, any_user: bool,
    agent_id: str, read_only: bool, **ways: Any,
) -> None:  # fmt: skip
    """Serve agents by the Model Context Protocol. On standard input and output, as clients start it, or over HTTP.

    It serves one user of one namespace; its tools reach nobody else. Without --llm messages are kept and wait for a
    worker. What it logs goes to standard error. Over HTTP who asks shows a key of 'tensemem keys', or the token in
    $TENSEMEM_TOKEN; a key that is limited reaches no further than that.
    """
    if context.invoked_subcommand is not None:
        return
    session = context.ensure_object(Session)
    pin = _pinned(session, user_id=user_id, any_user=any_user, agent_id=agent_id, read_only=read_only)
    pin = replace(pin, namespace=session.tenant) if transport == "http" else pin
    served = _Served(context, session, pin, llm, _checked(prefix))
    try:
        if transport == "http":
            _serve_http(served, Way(**ways))
        else:
            _refuse(context, ways)
            _serve_stdio(served)
    except ImportError as error:
        raise errors.StoreUnsupportedError(str(missing("mcp", error))) from error


def _refuse(context: click.Context, ways: Iterable[str]) -> None:
    """Refuse options that mean nothing to who listens nowhere."""
    for name in ways:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} goes with --transport http")


@dataclass(frozen=True, slots=True)
class _Served:
    """What is served, to whom, and how its tools are called."""

    context: click.Context
    session: Session
    pin: Pin
    llm: str | None
    prefix: str

    @asynccontextmanager
    async def opened(self, extractor: Any) -> AsyncIterator[MemoryServer]:
        """Open the memory, and give its server; a user that can't be is told before any client asks."""
        from ..mcp.server import MemoryServer

        is_new = self.session.is_missing()
        async with AsyncMemory(
            self.session.db, llm=extractor, namespace=self.pin.namespace, tz=self.session.tz,
            read_only=self.pin.read_only, **keys_of(self.session.db),
        ) as memory:  # fmt: skip
            self.session.tell_made(is_new)
            if self.pin.user_id is not None:
                memory.for_user(self.pin.user_id, agent_id=self.pin.agent_id)
            yield MemoryServer(memory, self.pin, prefix=self.prefix)

    def extractor(self) -> Any:
        """Load who extracts."""
        return None if self.llm is None else Llm().convert(self.llm, None, self.context)


def _serve_stdio(served: _Served) -> None:
    from ..mcp.stdio import claimed, serve_stdio

    async def serve(extractor: Any) -> None:
        async with served.opened(extractor) as service:
            await serve_stdio(service, pipes)

    with claimed() as pipes:  # before anything of an extractor is loaded, which may print
        asyncio.run(serve(served.extractor()))


def _serve_http(served: _Served, way: Way) -> None:
    from ..mcp.http import HttpServer, app

    way.check()
    session, token = served.session, os.environ.get(TOKEN) or None

    async def serve(extractor: Any) -> None:
        async with served.opened(extractor) as service:
            with opened_keys(session, way.access, token) as keys:

                def ready(url: str) -> None:
                    session.note(f"serving {place_of(session)} to MCP clients at {url}; Ctrl-C stops it")
                    session.show({"url": url, **keys.document()}, ())

                guarded = app(
                    service, access=keys.access, token=token, hosts=way.hosts, origins=way.allow_origin,
                    rate=way.allowed_rate,
                )  # fmt: skip
                files = {"certificate": way.tls_cert, "key": way.tls_key}
                await HttpServer(service, guarded, host=way.host, port=way.port, ready=ready, **files).serve()
        session.note("stopped; everybody who asked was answered")

    with short_turns(), many_files():
        asyncio.run(serve(served.extractor()))


def _pinned(session: Session, *, user_id: str | None, any_user: bool, agent_id: str, read_only: bool) -> Pin:
    from ..mcp.reach import Pin

    session.must_be_here("mcp")
    if user_id is not None and any_user:
        raise click.UsageError("--user serves one user and --any-user all of them: give one of the two")
    if (user_id is None) != any_user:
        raise click.UsageError("say whose memory it is: --user USER, or --any-user and each call names one")
    if read_only:
        session.must_exist()
    return Pin(user_id, agent_id, session.namespace, read_only)


def _checked(prefix: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]{0,40}", prefix, re.ASCII) is None:
        raise click.UsageError("--prefix is made of letters, digits, - and _, at most 40 of them")
    return prefix


@mcp.command("install", cls=options.Command)
@click.option("--client", required=True, type=click.Choice(CLIENTS), help="Which client.")
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True,
              help="For you everywhere, for whoever works on the project here, or for you in it.")  # fmt: skip
@click.option("--name", metavar="NAME", default="tensemem", show_default=True, help="What the client calls the server.")
@click.option("--print", "prints", is_flag=True, help="Show what would be written, and write nothing.")
@_user
@_any_user
@options.agent
@_read_only
@_prefix
@_llm
@pass_session
def install(
    session: Session, /, *, client: str, scope: Any, name: str, prints: bool, llm: str | None, prefix: str,
    **whose: Any,
) -> None:  # fmt: skip
    """Put this memory into a client's configuration. What is there stays, and a copy of it is kept.

    The client then starts 'tensemem mcp' with the Python that runs now. What can't be read is not written to.
    """
    from ..mcp.install import Machine, Started, alone, place_of
    from ..mcp.install import install as put

    _pinned(session, **{**whose, "read_only": False})
    try:
        place = place_of(client, scope, Machine())
    except errors.InvalidValueError as error:
        raise click.UsageError(str(error)) from None
    started = Started(sys.executable, *_words(session, whose, llm, _checked(prefix)))
    if prints:
        text = alone(place, started, name)
        told = {"path": str(place.path), "changed": False, "text": text}
        session.show(told, [f"# {safe(place.path)}", text.rstrip()])
        return
    done = put(place, started, name)
    lines = [f"{'written' if done.changed else 'already there'}: {safe(done.path)}"]
    lines += [f"what was there is kept in {safe(done.backup)}"] if done.backup else []
    backup = None if done.backup is None else str(done.backup)
    session.show({"path": str(done.path), "changed": done.changed, "backup": backup}, lines)


def _words(
    session: Session, whose: dict[str, Any], llm: str | None, prefix: str
) -> tuple[list[str], dict[str, str]]:
    """Give the arguments of the server, and what is added to its environment: an address, which others must not see."""
    if session.db == KEEPS_NOTHING:
        raise click.UsageError("name the memory that clients are to use: --db PATH")
    words, environment = ["-m", "tensemem"], dict[str, str]()
    if is_file(session.db):
        words += ["--db", str(Path(session.db).expanduser().absolute())]
    else:
        environment["TENSEMEM_DB"] = session.db
    words += ["--namespace", session.namespace] if session.namespace != "default" else []
    words += ["--tz", session.tz] if session.tz != "UTC" else []
    words += ["mcp", "--any-user" if whose["any_user"] else f"--user={whose['user_id']}"]
    words += [f"--agent={whose['agent_id']}"] if whose["agent_id"] else []
    words += ["--read-only"] if whose["read_only"] else []
    words += [f"--prefix={prefix}"] if prefix != "memory_" else []
    words += ["--llm", llm] if llm is not None else []
    return words, environment

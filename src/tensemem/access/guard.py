"""The guard before a server's application: an ASGI application around another.

It lets through what carries a token that opens, and puts the key into the request's state. Everything else it answers
itself, as a problem (RFC 9457). What it cannot make sure of it refuses: a store that can't be read closes the server.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from ..errors import ClosedError, RateLimitedError, StoreError, TensememError, UnauthenticatedError
from ..logs import Log
from .answers import Problem, cors_headers, preflight, send_problem
from .asking import Asker
from .key import Key, TokenMark, check_server_token, server_key
from .rates import Buckets, Rate
from .requests import (
    SAFE,
    Hosts,
    Origins,
    headers_of,
    is_open,
    is_sign_of_life,
    is_type_safe,
    is_visit,
    path_of,
    token_in,
)
from .store import Access

log = Log("access")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def guard(
    app: Application, access: Access, *, token: str | None = None, hosts: Iterable[str] = (),
    origins: Iterable[str] = (), rate: Rate | None = None, clock: Callable[[], float] = time.monotonic,
) -> Application:  # fmt: skip
    """Give an application that lets only those through to ``app`` who show a token that opens.

    ``token`` is the server's own, of an admin, which is kept nowhere. ``hosts`` are names the server may be asked
    under besides those of its own machine, ``origins`` pages of other servers that may ask, ``rate`` how often each
    key may. The key is at ``scope["state"]["key"]``; open paths (signs of life, the studio's files) have none.
    Raises InvalidValueError for a token that is easy to guess, and for what is no host or origin.
    """
    return _Guard(app, access, token, Hosts(hosts), Origins(origins), None if rate is None else Buckets(rate, clock))


class _Guard:
    def __init__(
        self, app: Application, access: Access, token: str | None, hosts: Hosts, origins: Origins,
        buckets: Buckets | None,
    ) -> None:  # fmt: skip
        self._app, self._access = app, access
        self._hosts, self._origins, self._buckets = hosts, origins, buckets
        self._own = None if token is None else TokenMark(check_server_token(token), os.urandom(32))
        self._server_key, self._is_out_of_order = server_key(), False
        self._round: dict[str, Key] = {}
        self._asker = Asker(access)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = headers_of(scope)
        origin = headers.get("origin")
        more = cors_headers(origin) if origin is not None and self._origins.has(origin) else []
        try:
            if self._is_preflight(scope, headers):
                await preflight(send, more)
                return
            key = await self._admit(scope, headers)
        except (Problem, TensememError) as error:
            await send_problem(send, error, more, is_head=scope["method"] == "HEAD")
            return
        if key is not None:
            scope.setdefault("state", {})["key"] = key
        await self._app(scope, receive, _with_headers(send, more) if more else send)

    def _is_preflight(self, scope: Scope, headers: dict[str, str | None]) -> bool:
        """Tell whether a page asks whether it may ask; raises a Problem where it may not."""
        if scope["method"] != "OPTIONS" or "access-control-request-method" not in headers:
            return False
        self._check_page(scope, headers)
        return True

    async def _admit(self, scope: Scope, headers: dict[str, str | None]) -> Key | None:
        """Give the key of a request, None where it needs none; raises what is to be answered."""
        path, method = path_of(scope), scope["method"]
        if is_sign_of_life(path) and method in SAFE:
            return None
        if is_open(path, method) and is_visit(headers):
            self._check_host(scope, headers)
            return None
        self._check_page(scope, headers)
        if is_open(path, method):
            return None
        if method not in SAFE and not is_type_safe(headers):
            raise Problem(
                "unsupported-media-type", 415, "The body is of no media type that is read here.",
                "send the body as application/json, or as what the path takes; not as plain text or as a form, nor "
                "without saying what it is",
            )  # fmt: skip
        token = token_in(headers)
        if token is None:
            raise UnauthenticatedError
        key = await self._key_of(token, scope)
        if key is None:
            raise UnauthenticatedError("this token does not open: it is unknown, revoked or expired")
        pause = 0.0 if self._buckets is None else self._buckets.take(key.id)
        if pause:
            raise RateLimitedError(f"this key is used too often; ask again in {math.ceil(pause)} s", retry_after=pause)
        return key

    def _check_page(self, scope: Scope, headers: dict[str, str | None]) -> None:
        self._check_host(scope, headers)
        if not self._origins.allow(headers):
            raise _not_here(
                "a page of another origin may not ask here; --allow-origin URL allows its origin, where the server is "
                "started (origins=[...] of an application)"
            )

    def _check_host(self, scope: Scope, headers: dict[str, str | None]) -> None:
        if not self._hosts.knows(headers.get("host"), scope.get("server")):
            raise _not_here(
                "this server is not asked under that name (Host); --allow-host NAME gives it one more, where it is "
                "started (hosts=[...] of an application)"
            )

    async def _key_of(self, token: str, scope: Scope) -> Key | None:
        if self._own is not None and self._own.fits(token):
            return self._server_key
        try:
            key = await self._ask(token, scope)
        except (StoreError, ClosedError) as error:
            self._tell(error)
            raise
        self._tell(None)
        return key

    async def _ask(self, token: str, scope: Scope) -> Key | None:
        known = self._round.get(token)
        if known is not None:
            return known
        found = self._access.glance(token)
        if found.is_sure:
            if found.key is not None:
                self._keep_for_round(token, found.key)
            return found.key
        return await self._asker.ask(token, address_of(scope.get("client")))

    def _keep_for_round(self, token: str, key: Key) -> None:
        """Let a look at a key count for all requests that came before it.

        An event loop takes what has come from the network, then does what is to be done about it, and only then takes
        more: whose turn is in the same round came before the look.
        """
        if not self._round:
            asyncio.get_running_loop().call_soon(self._round.clear)
        self._round[token] = key

    def _tell(self, error: StoreError | ClosedError | None) -> None:
        """Log that the store can't be read, once until it can be again: anybody may ask as often as they like."""
        if error is not None and not self._is_out_of_order:
            log.failure("closed", "the access store can't be read, and nobody is let in", error=error)
        if error is None and self._is_out_of_order:
            log.tell("open", "the access store can be read again")
        self._is_out_of_order = error is not None


def _not_here(what_to_do: str) -> Problem:
    title = "This server is not asked under this name (Host), or not from this page (Origin)."
    return Problem("not-here", 403, title, what_to_do)


def address_of(client: object) -> str:
    """Give whom the failures of an address count for: of IPv6 a whole network, of which anybody has one."""
    if not isinstance(client, (tuple, list)) or not client or not isinstance(client[0], str):
        return ""
    address = client[0]
    if ":" not in address:
        return address
    try:
        from ipaddress import IPv6Address

        return IPv6Address(address.partition("%")[0]).packed[:8].hex()
    except ValueError:
        return address


def _with_headers(send: Send, more: list[tuple[bytes, bytes]]) -> Send:
    async def answering(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return answering

"""Over streamable HTTP: any number of clients, each as far as its key reaches, and nobody without one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecuritySettings

from ...access import Access, Key, Rate, guard
from ...access.key import SERVER
from ...access.requests import headers_of, token_in
from ...errors import TensememError
from .._connections import Connection
from .._listening import ending_on_signals, listening_on
from .living import living
from .server import STILL_OPEN, MemoryServer

PATH = "/mcp"
ENDING_SECONDS = 10
"""How long who is being answered is waited for when the server ends."""

Application = Callable[[MutableMapping[str, Any], Callable[..., Any], Callable[..., Any]], Awaitable[None]]


def app(
    service: MemoryServer, *, access: Access, token: str | None = None, hosts: Iterable[str] = (),
    origins: Iterable[str] = (), rate: Rate | None = None,
) -> Application:  # fmt: skip
    """Give the ASGI application: what is asked at ``/mcp`` with a token that opens is answered as far as it reaches.

    ``/healthz`` and ``/readyz`` say, to anybody, that the process answers and that the store does. The arguments
    are those of ``tensemem.access.guard``. Raises as that does.
    """
    # The guard looks at hosts and origins; the SDK, which would do so again, knows less of what is configured.
    trusting = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = service.server.streamable_http_app(streamable_http_path=PATH, transport_security=trusting)
    inside = living(_owning(inner, access), service.is_ready)
    return guard(inside, access, token=token, hosts=hosts, origins=origins, rate=rate)


def _owning(inner: Application, access: Access) -> Application:
    """Tell the SDK who asks, so that a session that one key began is none to another."""

    async def owned(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        key = scope.get("state", {}).get("key")
        if scope["type"] == "http" and key is not None:
            scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=key.id, scopes=[]))
            scope["state"][STILL_OPEN] = _still_open(access, key, token_in(headers_of(scope)))
        await inner(scope, receive, send)

    return owned


def _still_open(access: Access, key: Key, token: str | None) -> Callable[[], Awaitable[bool]]:
    """Give what tells whether a key that let a stream in would let it in now, and as far."""

    async def still_open() -> bool:
        if key.id == SERVER or token is None:  # its own token lasts as long as the server
            return key.id == SERVER
        try:
            return await asyncio.to_thread(access.check, token) == key
        except TensememError:
            return False

    return still_open


class HttpServer(uvicorn.Server):
    """Serves an application until SIGINT or SIGTERM; then streams end, and whoever is being answered is answered."""

    def __init__(
        self, service: MemoryServer, application: Application, *, host: str, port: int, certificate: str | None = None,
        key: str | None = None, ready: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        super().__init__(
            uvicorn.Config(
                application, host=host, port=port, ssl_certfile=certificate, ssl_keyfile=key, ws="none", lifespan="on",
                http=Connection, log_config=None, log_level="warning", access_log=False, server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=ENDING_SECONDS,
            )
        )  # fmt: skip
        self._service, self._ready = service, ready

    async def serve(self, sockets: Any = None) -> None:
        """Serve until the end. Raises StoreError where the address can't be listened on."""
        with listening_on(self.config.host, self.config.port):
            await super().serve(sockets)

    async def startup(self, sockets: Any = None) -> None:
        """Begin, and tell the address once somebody listens there."""
        await super().startup(sockets)
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            self._ready(f"{'https' if self.config.ssl_certfile else 'http'}://{host}:{port}{PATH}")

    async def shutdown(self, sockets: Any = None) -> None:
        """End the streams on purpose, then the rest."""
        self._service.close()
        await super().shutdown(sockets)

    def capture_signals(self) -> Any:
        """End by SIGINT and SIGTERM, once; they are not raised again when all is done."""
        return ending_on_signals(self.handle_exit)

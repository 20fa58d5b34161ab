"""Running the application with uvicorn, until it is told to end; then everybody is answered, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tensemem.core.loopback import is_loopback

from .._extras import missing
from .._listening import ending_on_signals, listening_on
from .._room import many_files
from .._turns import short_turns
from .app import Application

ENDING_SECONDS = 30
"""How long who is being answered is waited for when the server ends."""
KEPT_SECONDS = 30
"""How long a connection is kept open for another request."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and with which certificate. ``port=0``: any that is free."""

    host: str = "127.0.0.1"
    port: int = 7340
    certificate: str | None = None
    key: str | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)

    def url(self, port: int) -> str:
        """Give the address as a URL, with the port that was found."""
        scheme = "http" if self.certificate is None else "https"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{port}"


def serve(application: Application, address: Address, *, ready: Callable[[str], None] = lambda _: None) -> None:
    """Serve an application until SIGINT or SIGTERM; ``ready`` is told the address once it listens.

    Then no request is taken any more, streams and waits end, and whoever is being answered is answered. A second
    SIGINT waits for nobody. Raises StoreError where the address can't be listened on, and ImportError without the
    extra ``server``.
    """
    server = server_of(application, address, ready)
    with listening_on(address.host, address.port), short_turns(), many_files():
        server.run()


def libraries() -> tuple[Any, Any]:
    """Give uvicorn and the connections it uses. Raises ImportError, which names the extra that brings them."""
    try:
        import uvicorn

        from .._connections import Connection
    except ImportError as error:
        raise missing("server", error) from error
    return uvicorn, Connection


def server_of(application: Application, address: Address, ready: Callable[[str], None]) -> Any:
    """Give the server of an application; ``run`` serves until it ends."""
    uvicorn, connection = libraries()

    class Server(uvicorn.Server):  # type: ignore[name-defined]  # known when it runs
        """A server that tells its application when the end is near, and ends without a signal of its own."""

        def capture_signals(self) -> Any:
            return ending_on_signals(self.handle_exit)

        def handle_exit(self, sig: int, frame: Any) -> None:
            super().handle_exit(sig, frame)
            application.ending.begin()

        def end(self) -> None:
            """End as on a signal; any thread may call it."""
            self.should_exit = True
            application.ending.begin()

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready(address.url(self.servers[0].sockets[0].getsockname()[1]))

        async def shutdown(self, sockets: Any = None) -> None:
            application.ending.begin()
            await super().shutdown(sockets)

    return Server(
        uvicorn.Config(
            application, host=address.host, port=address.port, ssl_certfile=address.certificate,
            ssl_keyfile=address.key, http=connection, ws="none", lifespan="on", log_config=None,
            log_level="warning", access_log=False,
            server_header=False, proxy_headers=False, timeout_graceful_shutdown=ENDING_SECONDS,
            timeout_keep_alive=KEPT_SECONDS,
        )
    )  # fmt: skip

"""Signs of life beside the protocol: whether the process answers, and whether it can serve. They hold no data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from tensemem.access import path_of
from tensemem.model.jsontext import encode
from tensemem.wire import problem

Application = Callable[[MutableMapping[str, Any], Callable[..., Any], Callable[..., Any]], Awaitable[None]]
IsReady = Callable[[], Awaitable[bool]]


def living(inner: Application, is_ready: IsReady) -> Application:
    """Give an application that says that it lives at ``/healthz``, and whether it can serve at ``/readyz``."""

    async def answered(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        path = path_of(scope) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if path == "/healthz":
            await _say(scope, send, 200, {"status": "alive"})
        elif path == "/readyz" and await is_ready():
            await _say(scope, send, 200, {"status": "ready"})
        elif path == "/readyz":
            await _say(scope, send, 503, problem("unavailable", "the server is not ready"))
        else:
            await inner(scope, receive, send)

    return answered


async def _say(scope: MutableMapping[str, Any], send: Any, status: int, document: Any) -> None:
    body = encode(document).encode()
    media = b"application/json" if status == 200 else b"application/problem+json"
    headers = [
        (b"content-type", media), (b"content-length", b"%d" % len(body)), (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"), *([] if status == 200 else [(b"retry-after", b"1")]),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

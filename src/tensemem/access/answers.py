"""What the guard answers by itself: problems as RFC 9457 has them, and leave for pages of other origins to ask."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ..errors import (
    ClosedError,
    ForbiddenError,
    RateLimitedError,
    StoreBusyError,
    StoreError,
    TensememError,
    UnauthenticatedError,
)

Headers = list[tuple[bytes, bytes]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

RETRY_SECONDS = 1
"""When to ask again where a store is in disorder, or busy."""

_METHODS = "GET, HEAD, POST, DELETE"
_REQUEST_HEADERS = (
    "Accept, Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    "Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, Prefer"
)
"""What is read of a request, over REST and by the SDK of MCP, and a page may not say unasked."""
_ANSWER_HEADERS = (
    "Allow, Content-Disposition, Content-Encoding, ETag, Link, Mcp-Session-Id, Preference-Applied, Retry-After, "
    "Tensemem-As-Of-Seq, Tensemem-Current, Tensemem-Failed, Tensemem-Latest-Seq, Tensemem-Pending, Tensemem-Reason, "
    "Tensemem-Report, Tensemem-Rev, WWW-Authenticate"
)
"""What stands in answers, and a page may not read unless told so."""


class Problem(Exception):
    """A refusal that is nobody's error class: its kind, its status, its title, and what to do."""

    def __init__(self, kind: str, status: int, title: str, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.status, self.title = kind, status, title


async def send_problem(send: Send, error: Problem | TensememError, more: Headers, *, is_head: bool = False) -> None:
    """Answer with a problem."""
    kind, status, title = _kind_of(error)
    document: dict[str, Any] = {
        "type": f"urn:tensemem:problem:{kind}", "title": title, "status": status,
        "detail": _detail_of(error),
    }  # fmt: skip
    headers: Headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store"), *more]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="tensemem"'))
    pause = _pause_of(error)
    if pause is not None:
        headers.append((b"retry-after", str(pause).encode()))
        document["retry_after"] = pause
    body = json.dumps(document).encode()
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if is_head else body})


async def preflight(send: Send, more: Headers) -> None:
    """Answer a page that asks whether it may ask."""
    headers: Headers = [
        *more,
        (b"access-control-allow-methods", _METHODS.encode()),
        (b"access-control-allow-headers", _REQUEST_HEADERS.encode()),
        (b"access-control-max-age", b"600"),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def cors_headers(origin: str) -> Headers:
    """Give what tells a browser that a page of this origin may read the answer."""
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", _ANSWER_HEADERS.encode()),
        (b"vary", b"Origin"),
    ]


def _kind_of(error: Problem | TensememError) -> tuple[str, int, str]:
    """Give the kind, the status and the title; those of a kind are the same wherever a server tells of it."""
    match error:
        case Problem():
            return error.kind, error.status, error.title
        case UnauthenticatedError():
            return "unauthenticated", 401, _title_of(UnauthenticatedError)
        case ForbiddenError():
            return "forbidden", 403, _title_of(ForbiddenError)
        case RateLimitedError():
            return "rate-limited", 429, _title_of(RateLimitedError)
        case StoreBusyError():
            return "store-busy", 503, _title_of(StoreBusyError)
        case _:
            return "unavailable", 503, "The server can't take requests now. Try again."


def _title_of(kind: type[TensememError]) -> str:
    return f"{(kind.__doc__ or '').partition('. ')[0].rstrip('.')}."


def _detail_of(error: Problem | TensememError) -> str:
    """Give what to do; where a store is in disorder, nobody who has shown no key is told where it is."""
    if isinstance(error, (StoreError, ClosedError)):
        return "the keys of this server can't be read just now, so nobody is let in; its operator finds why in its log"
    return str(error)


def _pause_of(error: Problem | TensememError) -> int | None:
    if isinstance(error, RateLimitedError):
        return max(1, math.ceil(error.retry_after))
    return RETRY_SECONDS if _kind_of(error)[1] == 503 else None

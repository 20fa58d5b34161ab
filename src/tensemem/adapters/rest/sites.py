"""Everything that is no verb: signs of life, metrics, the description of the interface, the studio's files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from tensemem import __version__, errors
from tensemem.access import require
from tensemem.model.jsontext import encode
from tensemem.observe.prometheus import CONTENT_TYPE

from .answers import Answer, Headers, send_answer
from .calls import Call
from .refusals import Refusal
from .serving import Serving
from .verbs import check_method

Handler = Callable[[Call], Awaitable[None]]

STUDIO = Path(__file__).resolve().parent.parent / "studio" / "static"
READY_SECONDS = 5.0
"""How long a look at the store may take before the server counts as not ready."""

_OF_PAGES: Headers = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-embedder-policy", b"require-corp"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cache-control", b"no-cache"),
]
"""What a page of the studio may do: read its own files, and ask this server."""

_NAME = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*", re.ASCII)
_MEDIA = {
    ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html",
    ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2", ".json": "application/json",
}  # fmt: skip
"""What the studio's files are; what a machine's own tables say may differ."""


class Sites:
    """Gives the handler of a path that is no verb's."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._described: bytes | None = None
        self._looking: asyncio.Task[bool] | None = None
        self._handlers: dict[str, Handler] = {
            "/": self._to_studio,
            "/studio": self._to_studio,
            "/healthz": self._alive,
            "/readyz": self._ready,
            "/metrics": self._counted,
            "/openapi.json": self._description,
        }

    def handler(self, path: str) -> Handler:
        """Give who answers for a path; raises Refusal where nobody does."""
        found = self._handlers.get(path)
        if found is not None:
            return found
        if path.startswith("/studio/"):
            name = path.removeprefix("/studio/") or "index.html"
            return lambda call: self._file(call, name)
        raise Refusal("not-found", "nothing is served here; /openapi.json lists what is, and every verb is under /v1/")

    async def _to_studio(self, call: Call) -> None:
        check_method(call, "GET")
        await send_answer(call, Answer(307, b"", [(b"location", b"/studio/")], b"text/plain"))

    async def _alive(self, call: Call) -> None:
        """Whether the process answers at all."""
        check_method(call, "GET")
        await send_answer(call, Answer(200, b'{"status":"alive"}', [(b"cache-control", b"no-store")]))

    async def _ready(self, call: Call) -> None:
        """Whether requests can be served: the store answers, and the end is not near."""
        check_method(call, "GET")
        if self._serving.ending.is_near or not await self._can_read():
            raise Refusal("unavailable", "the server is not ready")
        await send_answer(call, Answer(200, b'{"status":"ready"}', [(b"cache-control", b"no-store")]))

    async def _can_read(self) -> bool:
        """Look at the store; who asks meanwhile is told of the same look, so that nobody has it looked at often."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def _look(self) -> bool:
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._serving.memory.retention()
        except (errors.TensememError, TimeoutError):
            return False
        return True

    async def _counted(self, call: Call) -> None:
        check_method(call, "GET")
        if call.key is not None:
            require(call.key, "read", whole=True)
        text = await self._serving.beside(lambda: self._serving.metrics.render(self._serving.plain))
        await send_answer(call, Answer(200, text.encode(), media=CONTENT_TYPE.encode()))

    async def _description(self, call: Call) -> None:
        check_method(call, "GET")
        if self._described is None:
            self._described = await self._serving.beside(_description)
        await send_answer(call, Answer(200, self._described))

    async def _file(self, call: Call, name: str) -> None:
        """Send one of the studio's files: of a plain name, from its own folder."""
        check_method(call, "GET")
        path = STUDIO / name
        if _NAME.fullmatch(name) is None or not await self._serving.beside(path.is_file):
            raise Refusal("not-found", "the studio has no such file")
        body = await self._serving.beside(path.read_bytes)
        media = _MEDIA.get(path.suffix, "application/octet-stream")
        if media.startswith("text/"):
            media += "; charset=utf-8"
        await send_answer(call, Answer(200, body, list(_OF_PAGES), media.encode()))


def _description() -> bytes:
    from tensemem.wire import openapi

    return encode(openapi(__version__)).encode()

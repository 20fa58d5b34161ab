"""Everything that is no verb: signs of life, metrics, the description of the interface, the studio's files."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tensemem import __version__
from tensemem.access import Key, may_call, require, server_key
from tensemem.errors import UnauthenticatedError
from tensemem.model.jsontext import encode
from tensemem.observe.prometheus import CONTENT_TYPE
from tensemem.wire import SERVED

from .._readiness import Readiness
from .answers import PACKED_FROM, Answer, Headers, packed, send_answer, takes_gzip
from .calls import Call
from .conditions import has_tag
from .refusals import Refusal
from .serving import Serving
from .verbs import check_method

Handler = Callable[[Call], Awaitable[None]]

STUDIO = Path(__file__).resolve().parent.parent / "studio" / "static"

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
        self._described: dict[str, bytes] = {}
        self._files: Mapping[str, File] | None = None
        self._readiness = Readiness(serving.memory)
        self._handlers: dict[str, Handler] = {
            "/": self._to_studio,
            "/studio": self._to_studio,
            "/healthz": self._alive,
            "/readyz": self._ready,
            "/metrics": self._counted,
            "/whoami": self._who,
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
        await send_answer(call, Answer(307, b"", [(b"location", f"{call.root}/studio/".encode())], b"text/plain"))

    async def _alive(self, call: Call) -> None:
        """Whether the process answers at all."""
        check_method(call, "GET")
        await send_answer(call, Answer(200, b'{"status":"alive"}', [(b"cache-control", b"no-store")]))

    async def _ready(self, call: Call) -> None:
        """Whether requests can be served: the store answers, and the end is not near."""
        check_method(call, "GET")
        if self._serving.ending.is_near or not await self._readiness.can_read():
            raise Refusal("unavailable", "the server is not ready")
        await send_answer(call, Answer(200, b'{"status":"ready"}', [(b"cache-control", b"no-store")]))

    async def _counted(self, call: Call) -> None:
        check_method(call, "GET")
        if call.key is not None:
            require(call.key, "read", whole=True)
        text = await self._serving.beside(lambda: self._serving.metrics.render(self._serving.plain))
        await send_answer(call, Answer(200, text.encode(), media=CONTENT_TYPE.encode()))

    async def _who(self, call: Call) -> None:
        """What the key of who asks may do, so that a page need not offer what would be refused."""
        check_method(call, "GET")
        if call.key is None and self._serving.access is not None:
            raise UnauthenticatedError
        told = told_of(call.key or server_key(), self._serving.engine.namespace)
        await send_answer(call, Answer(200, encode(told).encode(), [(b"cache-control", b"no-store")]))

    async def _description(self, call: Call) -> None:
        check_method(call, "GET")
        root = call.root
        if root not in self._described:
            self._described = {root: await self._serving.beside(lambda: _description(root))}
        await send_answer(call, Answer(200, self._described[root]))

    async def _file(self, call: Call, name: str) -> None:
        """Send one of the studio's files, or that it is the one that is known."""
        check_method(call, "GET")
        if self._files is None:
            self._files = await self._serving.beside(files_in)
        file = self._files.get(name)
        if file is None:
            raise Refusal("not-found", "the studio has no such file")
        headers = [*_OF_PAGES, (b"etag", file.tag), (b"vary", b"accept-encoding")]
        if has_tag(call.headers.get(b"if-none-match", b""), file.tag.removeprefix(b"W/")):
            await send_answer(call, Answer(304, headers=headers))
        elif file.packed is not None and takes_gzip(call):
            await send_answer(call, Answer(200, file.packed, [*headers, (b"content-encoding", b"gzip")], file.media))
        else:
            await send_answer(call, Answer(200, file.body, headers, file.media))


def told_of(key: Key, home: str) -> dict[str, Any]:
    """Give what the holder of a key is told of it; ``home`` is the server's own namespace.

    ``namespace`` is the one that is meant where a request names none, None where it has to name one.
    """
    limits = key.namespaces
    meant = home if limits is None or home in limits else None
    if limits is not None and len(limits) == 1:
        meant = limits[0]
    return {
        "role": key.role, "label": key.label, "namespace": meant, "namespaces": limits, "users": key.users,
        "verbs": [served.name.rstrip("_") for served in SERVED.values() if may_call(key, served, home=home)],
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class File:
    """One of the studio's files as it is sent; ``tag`` is weak, since it is for both forms."""

    body: bytes
    packed: bytes | None
    media: bytes
    tag: bytes


def files_in(folder: Path = STUDIO) -> dict[str, File]:
    """Read all files of plain names in the studio's folder, which are a few, and change with the version alone."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if _NAME.fullmatch(name) is not None and path.is_file():
            found[name] = _file_of(path)
    return found


def _file_of(path: Path) -> File:
    body = path.read_bytes()
    media = _MEDIA.get(path.suffix, "application/octet-stream")
    is_text = media.startswith("text/")
    if is_text:
        media += "; charset=utf-8"
    form = packed(body) if len(body) >= PACKED_FROM and (is_text or path.suffix in (".svg", ".json")) else None
    return File(body, form, media.encode(), b'W/"%b"' % blake2b(body, digest_size=12).hexdigest().encode())


def _description(root: str) -> bytes:
    from tensemem.wire import openapi

    return encode(openapi(__version__, url=root or "/")).encode()

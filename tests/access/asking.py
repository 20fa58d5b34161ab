"""Asking a guarded application as a server would pass a request on, and what stands behind the guard."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from tensemem.access.guard import Application, Receive, Scope, Send

Headers = Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, found
        return found[0] if found else None

    @property
    def kind(self) -> str:
        assert self.header("content-type") == "application/problem+json"
        problem = json.loads(self.body)
        assert problem["status"] == self.status
        assert problem["detail"]
        return str(problem["type"]).removeprefix("urn:tensemem:problem:")


class Behind:
    """An application that counts who gets to it, and says which key they have."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = scope.get("state", {}).get("key")
        self.seen.append(key)
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"x-behind", b"1")]})
            await send({"type": "http.response.body", "body": b"" if key is None else key.id.encode()})


def scope_of(
    path: str = "/v1/state", *, method: str = "GET", headers: Headers = (), token: str | None = None,
    host: str | None = "localhost:7340", client: str = "127.0.0.1", server: Any = ("127.0.0.1", 7340), **more: Any,
) -> dict[str, Any]:  # fmt: skip
    given = list(headers.items() if isinstance(headers, Mapping) else headers)
    if host is not None:
        given.append(("Host", host))
    if token is not None:
        given.append(("Authorization", f"Bearer {token}"))
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in given]
    return {
        "type": "http", "method": method, "path": path, "headers": raw, "client": (client, 5000), "server": server,
        "scheme": "http", "query_string": b"", **more,
    }  # fmt: skip


def ask(app: Application, *arguments: Any, **named: Any) -> Answer:
    return asyncio.run(asked(app, scope_of(*arguments, **named)))


async def asked(app: Application, scope: dict[str, Any]) -> Answer:
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]]
    return Answer(start["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))

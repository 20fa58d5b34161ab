"""Whatever is sent, the guard answers, and nothing comes through without a token."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tensemem.access import Access, guard
from tests.access.asking import Behind, asked
from tests.access.conftest import World
from tests.settings import law_settings

TOKEN = "a-token-of-the-server-itself"
NAMES = [
    b"host",
    b"origin",
    b"authorization",
    b"content-type",
    b"content-length",
    b"transfer-encoding",
    b"sec-fetch-site",
    b"sec-fetch-mode",
    b"sec-fetch-dest",
    b"access-control-request-method",
    b"cookie",
    b"x",
]
VALUES = [
    b"localhost:7340",
    b"http://localhost:7340",
    b"Bearer ",
    b"Bearer tsm_",
    b"bearer \xff\xfe",
    b"null",
    b"navigate",
    b"document",
    b"cross-site",
    b"application/json",
    b"text/plain",
    b"chunked",
    b"POST",
    b"0",
    b"-1",
    b"\x00",
    b"[::1]:7340",
    b"[",
    b"a" * 5000,
    b"evil.example",
    f"Bearer {TOKEN}x".encode(),
]
PATHS = [
    "/",
    "/v1/state",
    "/healthz",
    "/readyz",
    "/studio/",
    "/studio/../v1/state",
    "/studio//..//v1",
    "",
    "//",
    "\0",
    "/v1/forget",
]
OPEN = ("/", "/healthz", "/readyz", "/studio")

headers = st.lists(
    st.tuples(st.sampled_from(NAMES) | st.binary(max_size=8), st.sampled_from(VALUES) | st.binary(max_size=40)),
    max_size=8,
)
paths = st.sampled_from(PATHS) | st.text(max_size=20).map(lambda text: f"/studio/{text}") | st.text(max_size=20)
methods = st.sampled_from(["GET", "HEAD", "POST", "OPTIONS", "DELETE", ""]) | st.text(max_size=5)
servers = st.sampled_from([("127.0.0.1", 7340), ["::1", 7340, 0, 0], None, ("/run/x", None), (), "x"])
clients = st.sampled_from([("127.0.0.1", 1), None, (), ("::1", 1), ("fe80::1%eth0", 1), ("nonsense:", 1), (7, 7), "x"])


@pytest.fixture(scope="module")
def access() -> Iterator[Access]:
    world = World()
    with tempfile.TemporaryDirectory() as folder, world.open(Path(folder) / "keys") as opened:
        opened.mint()
        yield opened


@law_settings
@given(headers, paths, methods, servers, clients)
@example([(b"host", b"localhost:7340"), (b"host", b"localhost:7340")], "/v1/state", "GET", ("127.0.0.1", 7340), None)
def test_nothing_comes_through_without_a_token(
    access: Access, sent: Any, path: str, method: str, server: Any, client: Any
) -> None:
    behind = Behind()
    app = guard(behind, access, token=TOKEN)
    scope = {"type": "http", "method": method, "path": path, "headers": sent, "server": server, "client": client}
    answer = asyncio.run(asked(app, scope))
    assert answer.status in (200, 401, 403, 415, 429)
    assert (answer.status == 200) == (behind.seen == [None])
    if answer.status == 200:
        assert method in ("GET", "HEAD")
        assert path in OPEN or path.startswith("/studio/")
        assert ".." not in path.split("/")


@law_settings
@given(headers)
def test_whatever_else_is_sent_a_token_is_the_key_or_none(access: Access, sent: Any) -> None:
    behind = Behind()
    app = guard(behind, access, token=TOKEN)
    whole = [*sent, (b"authorization", f"Bearer {TOKEN}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/v1/state", "headers": whole, "server": ("127.0.0.1", 7340)}
    answer = asyncio.run(asked(app, scope))
    is_one = [name.lower() for name, _ in whole].count(b"authorization") == 1
    assert answer.status in ((200, 403) if is_one else (401, 403))
    assert [key.id for key in behind.seen] == (["server"] if answer.status == 200 else [])

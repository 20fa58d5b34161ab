"""What is no verb: signs of life, metrics, the description of the interface, the studio's files; and limits of time."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tensemem import Memory, errors
from tensemem.access import Access
from tensemem.adapters.rest import Limits
from tensemem.adapters.rest.sites import STUDIO
from tests.adapters.rest.bench import Web, served
from tests.adapters.rest.test_requests import kind
from tests.engine.bench import Clock


@pytest.fixture
def keys(path: Path) -> Any:
    with Access.open(f"{path}-access") as found:
        yield found


def test_signs_of_life_need_no_key_and_hold_no_data(path: Path, mem: Memory, clock: Clock, keys: Access) -> None:
    mem.set("ann", "lives_in", "Delhi")
    with served(path, clock=clock, access=keys) as web:
        assert web.get("/healthz").json() == {"status": "alive"}
        assert web.get("/readyz").json() == {"status": "ready"}
        assert web.get("/", follow_redirects=False).headers["location"] == "/studio/"
        for closed in ("/metrics", "/openapi.json", "/v1/state?user_id=ann", "/v1/nothing"):
            answer = web.get(closed)
            assert (answer.status_code, kind(answer)) == (401, "unauthenticated"), closed
            assert "Delhi" not in answer.text


def test_a_server_that_is_about_to_end_is_alive_but_not_ready(web: Web) -> None:
    web.application.ending.begin()  # type: ignore[attr-defined]
    assert web.get("/healthz").status_code == 200
    answer = web.get("/readyz")
    assert (answer.status_code, kind(answer)) == (503, "unavailable")
    assert web.get("/v1/changes?user_id=ann&wait=60").json()["items"] == []  # at once


def test_a_server_whose_store_can_t_be_read_is_not_ready(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise errors.StoreError("the disk of /secret/place is gone")

    monkeypatch.setattr("tensemem.engine.retention.retention", fail)
    answer = web.get("/readyz")
    assert answer.status_code == 503
    assert "secret" not in answer.text


def test_metrics_are_read_by_prometheus_and_name_nobody(path: Path, mem: Memory, clock: Clock, keys: Access) -> None:
    _, token = keys.mint("", "read")
    _, limited = keys.mint("", "admin", users=["ann"])
    with served(path, clock=clock, access=keys) as web:
        web.headers["authorization"] = f"Bearer {token}"
        web.get("/v1/state?user_id=plumwood")
        web.get("/v1/state?user_id=plumwood&at=nonsense")
        text = web.get("/metrics").text
        names = {family.name for family in text_string_to_metric_families(text)}
        assert {"tensemem_calls", "tensemem_call_seconds", "tensemem_pending_messages"} <= names
        assert "plumwood" not in text
        assert web.get("/metrics", headers={"authorization": f"Bearer {limited}"}).status_code == 403


def test_the_interface_describes_itself(web: Web) -> None:
    found = web.get("/openapi.json").json()
    assert found["openapi"].startswith("3.1")
    assert "/v1/state" in found["paths"]
    assert web.get("/openapi.json").json() == found


def test_the_studio_is_served_from_its_own_folder_and_may_read_nothing_else(web: Web) -> None:
    files = [file for file in STUDIO.rglob("*") if file.is_file()]
    assert files
    for file in files:
        answer = web.get(f"/studio/{file.relative_to(STUDIO).as_posix()}")
        assert answer.content == file.read_bytes()
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert web.get("/studio/").content == (STUDIO / "index.html").read_bytes()
    assert web.get("/studio/").headers["content-type"] == "text/html; charset=utf-8"


def test_a_file_of_the_studio_that_is_known_is_not_sent_again(web: Web) -> None:
    for name in ("", "api.js", "mark.svg"):
        first = web.get(f"/studio/{name}")
        tag = first.headers["etag"]
        for known in (tag, f'"x", {tag}', "*"):
            again = web.get(f"/studio/{name}", headers={"if-none-match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
            assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
        assert web.get(f"/studio/{name}", headers={"if-none-match": '"other"'}).content == first.content
        plain = web.get(f"/studio/{name}", headers={"accept-encoding": "identity"})
        assert plain.content == first.content
        assert "content-encoding" not in plain.headers
    assert web.get("/studio/api.js").headers["content-encoding"] == "gzip"
    assert web.get("/studio/api.js").headers["etag"] != web.get("/studio/dom.js").headers["etag"]


def test_a_mounted_application_knows_where_it_is(path: Path, mem: Memory, clock: Clock) -> None:
    from starlette.applications import Starlette
    from starlette.routing import Mount
    from starlette.testclient import TestClient

    from tensemem import AsyncMemory
    from tensemem.adapters.rest.app import unguarded

    for town in ("Delhi", "Pune", "Goa"):
        mem.set("ann", "lives_in", town)
    opened = AsyncMemory(path, clock=clock, worker=False, durability="process")
    application = unguarded(opened)
    outer = Starlette(routes=[Mount("/a memory", app=application)])
    with TestClient(outer, base_url="http://localhost") as client:
        assert client.get("/a%20memory/", follow_redirects=False).headers["location"] == "/a%20memory/studio/"
        assert client.get("/a%20memory/").content == (STUDIO / "index.html").read_bytes()
        link = client.get("/a%20memory/v1/changes?user_id=ann&limit=1").headers["link"]
        url = link.removeprefix("<").removesuffix('>; rel="next"')
        assert client.get(url).json()["items"][0]["rev"] == 2
        assert client.get("/a%20memory/openapi.json").json()["servers"] == [{"url": "/a%20memory"}]
        for _ in range(2):
            assert client.get("/a%20memory/v1/state?user_id=ann").json()["values"] == {"lives_in": "Goa"}
        scope = {
            "type": "http", "method": "GET", "path": "/a memory/v1/state", "root_path": "/a memory",
            "query_string": b"user_id=ann", "headers": [],
        }  # fmt: skip
        seen = Mock(wraps=application._states.at_once)
        application._states.at_once = seen  # type: ignore[method-assign]
        assert client.get("/a%20memory/v1/state?user_id=ann").status_code == 200
        assert seen.call_args[0][0]["path"] == scope["path"]
        client.portal.call(opened.close)  # type: ignore[union-attr]


def test_a_root_ends_where_a_name_does(path: Path, mem: Memory, clock: Clock) -> None:
    from starlette.testclient import TestClient

    from tensemem import AsyncMemory
    from tensemem.adapters.rest.app import unguarded

    opened = AsyncMemory(path, clock=clock, worker=False, durability="process")
    with TestClient(unguarded(opened), base_url="http://localhost", root_path="/heal") as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/healx/healthz").status_code == 404
        client.portal.call(opened.close)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name",
    ["../sites.py", "%2e%2e/sites.py", "..%2fsites.py", "%2e%2e%2f%2e%2e%2frest%2fsites.py", "/etc/passwd",
     "%2Fetc%2Fpasswd", "index.html%00", "index.html/", "a//b", "C:%5Cx", "nothing.js", "index.html%0a"],
)  # fmt: skip
def test_no_other_file_is_reached_through_the_studio(web: Web, name: str) -> None:
    answer = web.get(f"/studio/{name}", follow_redirects=False)
    assert answer.status_code == 404 or answer.content == (STUDIO / "index.html").read_bytes(), name


def test_what_takes_too_long_is_told_so_and_whether_it_may_have_been_kept(
    path: Path, mem: Memory, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    real = errors.StateChangedError

    def slow(*_: object, **__: object) -> None:
        go_on.wait(20)
        raise real

    with served(path, clock=clock, limits=Limits(seconds=0.05)) as web:
        monkeypatch.setattr("tensemem.engine.listing.messages", slow)
        monkeypatch.setattr("tensemem.engine.write.write", slow)
        answer = web.verb("GET", "messages", user_id="ann")
        assert (answer.status_code, kind(answer)) == (503, "unavailable")
        assert answer.headers["retry-after"] == "1"
        answer = web.verb("POST", "set", user_id="ann", predicate="lives_in", value="Delhi")
        assert (answer.status_code, kind(answer)) == (503, "outcome-unknown")
        go_on.set()


def test_a_body_that_does_not_come_is_not_waited_for_for_ever(path: Path, mem: Memory, clock: Clock) -> None:
    from tensemem import AsyncMemory
    from tensemem.adapters.rest.app import unguarded

    sent: list[dict[str, Any]] = []

    async def ask(url: str, media: str) -> int:
        async with AsyncMemory(path, clock=clock, worker=False) as memory:
            never = asyncio.Event()

            async def receive() -> dict[str, Any]:
                await never.wait()
                return {}

            async def send(message: Any) -> None:
                sent.append(message)

            scope = {
                "type": "http", "method": "POST", "path": url, "query_string": b"", "state": {},
                "headers": [(b"content-type", media.encode()), (b"content-length", b"100")],
            }  # fmt: skip
            sent.clear()
            await unguarded(memory, limits=Limits(sending_seconds=0.05))(scope, receive, send)
            status: int = sent[0]["status"]
            return status

    assert asyncio.run(ask("/v1/set", "application/json")) == 408
    assert asyncio.run(ask("/v1/import", "application/x-ndjson")) == 408


def test_a_message_is_extracted_by_whom_the_operator_names(tmp_path: Path) -> None:
    from tests.adapters.rest.bench import TOKEN, server

    with Memory(tmp_path / "m.db", worker=False) as mem:
        mem.register_predicate("lives_in")
    import httpx2

    with server(tmp_path / "m.db", "--llm", "fake") as running:
        headers = {"authorization": f"Bearer {TOKEN}"}
        with httpx2.Client(base_url=running.url, headers=headers, timeout=30) as web:
            given = {"user_id": "ann", "content": "I live in Goa", "wait": 30}
            assert web.post("/v1/add", json=given).json()["settled"] is True
            assert web.get("/v1/state?user_id=ann").json()["values"] == {"lives_in": "Goa"}

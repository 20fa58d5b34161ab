"""Over HTTP: a token opens as much as its key allows, and nothing opens without one."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPError

from tensemem import AsyncMemory, Memory, errors
from tensemem.adapters.cli import program
from tensemem.adapters.mcp.http import HttpServer, app
from tensemem.adapters.mcp.reach import Pin
from tensemem.adapters.mcp.server import MemoryServer
from tests.adapters.mcp.bench import ADA, LIMIT, environment, opened, run, serving, text_of


@asynccontextmanager
async def client_of(url: str, token: str, *, mode: str = "auto") -> AsyncIterator[Client]:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"})
    async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        yield client


def post(url: str, token: str | None = None, **headers: str) -> httpx2.Response:
    """Ask for the tools as a client of today does."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }  # fmt: skip
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
    given = {
        "Accept": "application/json, text/event-stream", "Content-Type": "application/json",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list",
        **({} if token is None else {"Authorization": f"Bearer {token}"}), **headers,
    }  # fmt: skip
    return httpx2.post(url, content=json.dumps(body), headers=given)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_with_a_token_uses_the_server(path: Path, mode: str) -> None:
    async def story() -> list[str]:
        async with serving(path) as (url, access):
            _, token = access.mint(role="write")
            async with client_of(url, token, mode=mode) as client:
                await client.list_tools()
                done = await client.call_tool("memory_set", {"predicate": "lives_in", "value": "Delhi"})
                state = await client.read_resource("memory://state")
                recalled = await client.get_prompt("recall")
                wrong = await client.call_tool("memory_get", {"predicate": "nothing"})
                return [
                    text_of(done), state.contents[0].text, recalled.messages[0].content.text,  # type: ignore[union-attr]
                    text_of(wrong),
                ]  # fmt: skip

    done, state, recalled, wrong = run(story())
    assert done.startswith("lives_in: Delhi holds")
    assert [fact["object"] for fact in json.loads(state)["facts"]] == ["Delhi"]
    assert "- lives_in: Delhi" in recalled
    assert "These are: age, born_on" in wrong


def test_a_page_of_a_configured_origin_has_a_session_of_an_older_protocol(path: Path) -> None:
    page = {"Origin": "https://app.example"}
    greeting = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip

    async def story() -> list[httpx2.Response]:
        async with serving(path, origins=["https://app.example"]) as (url, access), httpx2.AsyncClient() as web:
            given = {**page, "Authorization": f"Bearer {access.mint(role='read')[1]}"}
            body = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            begun = await web.post(url, content=json.dumps(greeting), headers={**given, **body})
            asked = {"Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "mcp-session-id"}
            may = await web.options(url, headers={**page, **asked})
            session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-06-18"}
            return [begun, may, await web.delete(url, headers={**given, **session})]

    begun, may, ended = run(story())
    assert "mcp-session-id" in begun.headers["access-control-expose-headers"].lower().split(", ")
    assert "DELETE" in may.headers["access-control-allow-methods"]
    assert "mcp-session-id" in may.headers["access-control-allow-headers"].lower()
    assert ended.status_code == 200
    assert ended.headers["access-control-allow-origin"] == "https://app.example"


def test_nobody_is_let_in_without_a_token_that_opens(path: Path) -> None:
    async def story() -> list[int]:
        async with serving(path) as (url, access):
            key, token = access.mint(role="admin")
            tried = [
                lambda: post(url), lambda: post(url, "x" * 40), lambda: post(url, token),
                lambda: post(url, token, Host="evil.example"), lambda: post(url, token, Origin="https://evil.example"),
                lambda: post(url, token, **{"Content-Type": "text/plain"}), lambda: httpx2.get(url),
                lambda: httpx2.delete(url),
            ]  # fmt: skip
            found = [(await asyncio.to_thread(one)).status_code for one in tried]
            access.revoke(key.id)
            return [*found, (await asyncio.to_thread(post, url, token)).status_code]

    assert run(story()) == [401, 401, 200, 403, 403, 415, 401, 401, 401]


def test_a_servers_own_token_opens_and_allowed_hosts_and_origins_may_ask(path: Path) -> None:
    token = "a-token-that-nobody-guesses"

    async def story() -> list[int]:
        settings: dict[str, Any] = {"token": token, "hosts": ["memory.example"], "origins": ["https://app.example"]}
        async with serving(path, **settings) as (url, _):
            tried = [{}, {"Host": "memory.example"}, {"Origin": "https://app.example"}]
            return [(await asyncio.to_thread(post, url, token, **headers)).status_code for headers in tried]

    assert run(story()) == [200, 200, 200]


def names_of(response: httpx2.Response) -> list[str]:
    return [tool["name"] for tool in response.json()["result"]["tools"]]


def test_a_key_for_reading_gets_no_tool_that_writes(path: Path) -> None:
    async def story() -> tuple[list[str], str]:
        async with serving(path) as (url, access):
            _, token = access.mint(role="read")
            names = names_of(await asyncio.to_thread(post, url, token))
            async with client_of(url, token) as client:
                refused = await client.call_tool("memory_set", {"predicate": "lives_in", "value": "Rome"})
                assert refused.is_error
                return names, text_of(refused)

    names, said = run(story())
    assert "memory_get" in names
    assert not {"memory_set", "memory_add", "memory_correct"} & set(names)
    assert said.startswith("There is no tool 'memory_set'")


def test_a_key_pins_its_client_to_the_users_it_is_limited_to(path: Path) -> None:
    async def story() -> list[Any]:
        async with serving(path, Pin()) as (url, access):
            found: list[Any] = []
            _, one = access.mint(role="write", users=["bob"])
            async with client_of(url, one) as client:
                await client.call_tool("memory_set", {"predicate": "lives_in", "value": "Delhi"})
                found += [[str(each.uri) for each in (await client.list_resources()).resources]]
                refused = await client.call_tool("memory_get", {"predicate": "lives_in", "user_id": "eve"})
                found += [refused.is_error]
            _, two = access.mint(role="write", users=["bob", "cara"])
            async with client_of(url, two) as client:
                get = {"predicate": "lives_in"}
                for user in ("bob", "cara", "eve"):
                    found += [text_of(await client.call_tool("memory_get", {**get, "user_id": user}))]
                found += [text_of(await client.call_tool("memory_get", get))]
                found += [[str(each.uri) for each in (await client.list_resources()).resources]]
                with pytest.raises(MCPError, match="does not allow that user"):
                    await client.read_resource("memory://state?user_id=eve")
            _, other = access.mint(role="write", namespaces=["acme"])
            async with client_of(url, other) as client:
                asked = await client.call_tool("memory_context", {"user_id": "bob"})
                found += [text_of(asked)]
            return found

    assert run(story()) == [
        ["memory://context", "memory://state"], True, "lives_in = Delhi from 2026-06-01",
        "Nothing is known of lives_in of user.", "user_id is one of bob, cara; not 'eve'",
        "Name whose memory is meant: user_id, as text.",
        ["memory://context?user_id=bob", "memory://context?user_id=cara", "memory://state?user_id=bob",
         "memory://state?user_id=cara"], "Nothing is known yet.",
    ]  # fmt: skip


def test_a_key_that_does_not_allow_what_is_served_is_refused_in_words(path: Path) -> None:
    async def story() -> list[str]:
        async with serving(path, Pin("ada", namespace="default")) as (url, access):
            keys = [access.mint(role="write", users=["bob"]), access.mint(role="write", namespaces=["acme"])]
            found = [await asyncio.to_thread(post, url, token) for _, token in keys]
            return [response.json()["error"]["message"] for response in found]

    user, namespace = run(story())
    assert "does not allow the user that is served here" in user
    assert "does not allow the namespace that is served here" in namespace


def test_a_session_that_one_key_began_is_none_to_another(path: Path) -> None:
    hello = {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    def ask(url: str, token: str, body: Any, session: str | None = None) -> httpx2.Response:
        headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}"}
        headers |= {} if session is None else {"mcp-session-id": session, "mcp-protocol-version": "2025-11-25"}
        return httpx2.post(url, json=body, headers=headers)

    async def story() -> list[int]:
        async with serving(path) as (url, access):
            tokens = [access.mint(role="read")[1] for _ in range(2)]
            begun = await asyncio.to_thread(ask, url, tokens[0], hello)
            session = begun.headers["mcp-session-id"]
            return [(await asyncio.to_thread(ask, url, token, listing, session)).status_code for token in tokens]

    mine, theirs = run(story())
    assert (mine, theirs) == (200, 404)


def test_a_client_is_told_of_changes_and_of_the_end(path: Path) -> None:
    async def story() -> list[Any]:
        found: list[Any] = []
        ended = asyncio.Event()

        async def listens(url: str, token: str, ready: asyncio.Event) -> None:
            what: dict[str, Any] = {"resource_subscriptions": ["memory://state"]}
            async with client_of(url, token) as client, client.listen(**what) as notices:
                ready.set()
                async for notice in notices:
                    found.append(notice)
                    ended.set()
            found.append("ended")

        async with opened(path) as other:
            async with serving(path) as (url, access):
                ready = asyncio.Event()
                task = asyncio.create_task(listens(url, access.mint(role="read")[1], ready))
                await ready.wait()
                await other.set("ada", "lives_in", "Goa")
                await ended.wait()
            await task
        return found

    assert run(story()) == [ResourceUpdated("memory://state"), "ended"]


def test_who_listens_is_told_nothing_more_once_the_key_is_revoked(path: Path) -> None:
    what: dict[str, Any] = {"resource_subscriptions": ["memory://state"]}

    async def story() -> list[Any]:
        async with opened(path) as other, serving(path) as (url, access):
            key, token = access.mint(role="read")
            async with client_of(url, token) as client, client.listen(**what) as notices:
                access.revoke(key.id)
                await other.set("ada", "lives_in", "Goa")
                return [notice async for notice in notices]

    assert run(story()) == []


def test_an_address_that_is_taken_is_said_to_be(path: Path) -> None:
    from tensemem.errors import StoreError

    async def story() -> None:
        async with serving(path) as (url, access), opened(path) as memory:
            service = MemoryServer(memory, ADA)
            port = int(url.rpartition(":")[2].partition("/")[0])
            server = HttpServer(service, app(service, access=access), host="127.0.0.1", port=port)
            with pytest.raises(StoreError, match="nobody can listen on"):
                await server.serve()

    run(story())


# The command


def commanded(path: Path, *options: str, **more: str) -> subprocess.Popen[str]:
    words = ["-W", "error", "-m", "tensemem", "--db", str(path), "mcp", "--transport", "http", *options]
    return subprocess.Popen(
        [sys.executable, *words], env=environment() | more, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="a process there can't be asked to end")
def test_the_command_shows_the_first_key_once_and_serves_until_it_is_told_to_end(path: Path) -> None:
    with commanded(path, "--port", "0", "--user", "ada") as process:
        assert process.stderr is not None
        shown = [process.stderr.readline() for _ in range(3)]
        token, url = shown[1].strip(), shown[2].partition(" at ")[2].partition(";")[0]
        assert shown[0] == "tensemem: made a key that may do everything; it is shown this once and kept nowhere:\n"

        async def story() -> str:
            async with client_of(url, token) as client:
                return text_of(await client.call_tool("memory_set", {"predicate": "lives_in", "value": "Delhi"}))

        try:
            assert run(story()).startswith("lives_in: Delhi holds")
        finally:
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, out) == (0, "")
    assert err == "tensemem: stopped; everybody who asked was answered\n"
    with Memory(path, read_only=True) as mem:
        assert mem.get("ada", "lives_in") == "Delhi"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--transport", "http", "--user", "ada", "--host", "0.0.0.0"], "--insecure-no-tls"),
        (["--transport", "http", "--user", "ada", "--tls-key", "KEY"], "--tls-cert and --tls-key go together"),
        (["--user", "ada", "--port", "1"], "--port goes with --transport http"),
        (["--user", "ada", "--allow-host", "x"], "--allow-host goes with --transport http"),
        (["--transport", "http"], "--user USER, or --any-user"),
        (["--transport", "http", "--user", "ada", "--any-user"], "give one of the two"),
        (["--user", "ada", "--prefix", "a b"], "--prefix is made of"),
        (["--user", "ada", "--llm", "nowhere:x", "--transport", "http"], "no module 'nowhere'"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(path: Path, words: list[str], said: str) -> None:
    key = path.with_name("KEY")
    key.write_text("", encoding="utf-8")
    arguments = ["--db", str(path), "mcp", *(str(key) if word == "KEY" else word for word in words)]
    done = CliRunner().invoke(program, arguments, env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert said in done.output


def test_signs_of_life_need_no_token_and_say_whether_the_store_answers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(path) as (url, _):
            base = url.removesuffix("/mcp")
            async with httpx2.AsyncClient(base_url=base) as web:
                for name, status in (("healthz", "alive"), ("readyz", "ready")):
                    answer = await web.get(f"/{name}")
                    assert (answer.status_code, answer.json()) == (200, {"status": status})
                    assert (await web.head(f"/{name}")).content == b""
                    assert (await web.post(f"/{name}")).status_code in (401, 405, 415)

                async def fail(*_given: Any, **_options: Any) -> None:
                    raise errors.StoreError

                monkeypatch.setattr(AsyncMemory, "retention", fail)
                answer = await web.get("/readyz")
                assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
                assert (await web.get("/healthz")).status_code == 200

    asyncio.run(story())

"""Resources, the prompt, and the notices to whoever subscribed to what may change."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged
from mcp.shared.exceptions import MCPError

from tensemem import Memory, errors
from tensemem.adapters.mcp import addresses
from tensemem.adapters.mcp.notices import subscribing
from tensemem.adapters.mcp.reach import Pin, Reach
from tensemem.adapters.mcp.server import MemoryServer
from tensemem.verbs.awaited import AsyncScopedMemory
from tests.adapters.mcp.bench import NOON, PACE, environment, opened, run, within

ADA = Reach("default", ("ada",))
ANYBODY = Reach("default", None)
STRANGE = ["..", "a/b", "%00", "a b&user_id=bob", "名前", "?#", "memory://state", "%2e%2e"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_only_user_has_resources_with_plain_addresses(path: Path, mode: str) -> None:
    async def story() -> tuple[Any, Any]:
        async with within(path, mode=mode) as client:
            return await client.list_resources(), await client.list_resource_templates()

    listed, templates = run(story())
    assert [(one.uri, one.mime_type) for one in listed.resources] == [
        ("memory://context", "text/markdown"), ("memory://state", "application/json"),
    ]  # fmt: skip
    assert [one.uri_template for one in templates.resource_templates] == ["memory://history{?predicate,subject}"]
    assert all(one.title and one.description for one in [*listed.resources, *templates.resource_templates])


def test_resources_of_any_user_are_templates_that_name_one(path: Path) -> None:
    async def story() -> tuple[Any, Any]:
        async with within(path, Pin()) as client:
            return await client.list_resources(), await client.list_resource_templates()

    listed, templates = run(story())
    assert listed.resources == []
    assert [one.uri_template for one in templates.resource_templates] == [
        "memory://context{?user_id}", "memory://state{?user_id}", "memory://history{?user_id,predicate,subject}",
    ]  # fmt: skip


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_resource_is_read_as_it_is_now(path: Path, mode: str) -> None:
    async def story() -> list[str]:
        async with within(path, mode=mode) as client:
            await client.call_tool("memory_set", {"predicate": "lives_in", "value": "Delhi"})
            await client.call_tool("memory_add", {"content": "I live in Rome"})
            uris = ["memory://context", "memory://state", "memory://history?predicate=city"]
            return [(await client.read_resource(uri)).contents[0].text for uri in uris]  # type: ignore[union-attr]

    context, state, history = run(story())
    assert "- lives_in: Delhi" in context
    assert "Memory is behind: 1 recent message is" in context
    assert [fact["object"] for fact in json.loads(state)["facts"]] == ["Delhi"]
    assert json.loads(state)["freshness"]["pending"] == 1
    assert [fact["object"] for fact in json.loads(history)["facts"]] == ["Delhi"]
    assert json.loads(history)["freshness"]["is_current"] is False


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("memory://stat", "There is no resource memory://stat. There are: memory://context, "),
        ("memory://state/ada", "There is no resource"),
        ("file:///etc/passwd", "There is no resource"),
        ("memory://state?user_id=bob", "bound to one user"),
        ("memory://history", "names a predicate: memory://history?predicate=…"),
        ("memory://history?predicate=lives_in&predicate=age", "each once"),
        ("memory://history?predicate=lives_in&limit=3", "takes predicate, subject, user_id"),
        ("memory://history?predicate=%ff", "can't be read"),
        ("memory://history?predicate=nothing", "not registered"),
        ("memory://state?" + "x" * 9000, "There is no resource"),
    ],
)  # fmt: skip
def test_an_address_that_names_nothing_here_is_refused_in_words(path: Path, uri: str, said: str, mode: str) -> None:
    async def story() -> str:
        async with within(path, mode=mode) as client:
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert refused.value.error.code == -32602
            return refused.value.error.message

    assert said in run(story())


@pytest.mark.parametrize("name", STRANGE)
def test_any_name_can_stand_in_an_address(name: str) -> None:
    uri = addresses.written("history", user_id=name, predicate=name, subject=name)
    assert addresses.read(uri, ANYBODY) == addresses.Address("history", name, name, name)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_prompt_puts_what_is_remembered_into_a_conversation(path: Path, mode: str) -> None:
    async def story() -> tuple[Any, str, str]:
        async with within(path, Pin(), mode=mode) as client:
            await client.call_tool("memory_set", {"user_id": "ada", "predicate": "lives_in", "value": "Delhi"})
            given = await client.get_prompt("recall", {"user_id": "ada", "query": "city"})
            with pytest.raises(MCPError) as refused:
                await client.get_prompt("recall", {})
            with pytest.raises(MCPError) as unknown:
                await client.get_prompt("other", {})
            assert "There is: recall" in unknown.value.error.message
            (prompt,) = (await client.list_prompts()).prompts
            return prompt, given.messages[0].content.text, refused.value.error.message  # type: ignore[union-attr]

    prompt, text, refused = run(story())
    assert [(one.name, bool(one.required)) for one in prompt.arguments] == [("user_id", True), ("query", False)]
    assert "- lives_in: Delhi" in text
    assert refused == "Name whose memory is meant: user_id, as text."


def test_errors_of_the_store_are_told_as_the_servers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise errors.StoreCorruptError("a page of the file of ada")

    async def story() -> Any:
        async with within(path) as client:
            monkeypatch.setattr(AsyncScopedMemory, "state", broken)
            with pytest.raises(MCPError) as refused:
                await client.read_resource("memory://state")
            return refused.value.error

    error = run(story())
    assert error.code == -32603
    assert error.message.startswith("Memory can't be used now")


# Notices


SETTING = """
import sys
from collections.abc import AsyncIterator
from tensemem import Memory
with Memory(sys.argv[1], worker=False) as mem:
    mem.set("ada", "lives_in", "Goa")
"""


def write_elsewhere(path: Path) -> None:
    """Write a value from another process."""
    subprocess.run([sys.executable, "-c", SETTING, str(path)], env=environment(), check=True, timeout=60)


async def heard(client: Client, act: Any, **what: Any) -> Any:
    """Subscribe, do something, and give the first notice."""
    async with client.listen(**what) as notices:
        await act()
        async for notice in notices:
            return notice
    return None


@pytest.mark.parametrize("uri", ["memory://state", "memory://context", "memory://history?predicate=lives_in"])
def test_who_subscribed_is_told_of_what_another_process_writes(path: Path, uri: str) -> None:
    async def story() -> Any:
        async with within(path) as client:
            return await heard(client, lambda: asyncio.to_thread(write_elsewhere, path), resource_subscriptions=[uri])

    assert run(story()) == ResourceUpdated(uri)


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
def test_an_older_client_is_told_too_until_it_unsubscribes(path: Path) -> None:
    told: list[str] = []
    rung = asyncio.Event()

    async def handle(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/resources/updated":
            told.append(str(message.params.uri))
            rung.set()

    async def story() -> None:
        async with opened(path) as memory, opened(path) as other:
            service = MemoryServer(memory, Pin("ada"), pace=PACE)
            async with Client(service.server, mode="legacy", message_handler=handle) as client:
                await client.subscribe_resource("memory://state")
                await client.subscribe_resource("memory://context")
                await asyncio.to_thread(write_elsewhere, path)
                while len(set(told)) < 2:
                    rung.clear()
                    await rung.wait()
                await client.unsubscribe_resource("memory://state")
                told.clear()
                await other.set("ada", "lives_in", "Rome")
                while "memory://context" not in told:
                    rung.clear()
                    await rung.wait()
                with pytest.raises(MCPError, match="There is no resource"):
                    await client.subscribe_resource("memory://nowhere")

    run(story())
    assert set(told) == {"memory://context"}


def test_nobody_is_told_of_another_users_changes(path: Path) -> None:
    async def story() -> list[Any]:
        async with opened(path) as memory:
            service = MemoryServer(memory, Pin("ada"), pace=PACE)
            state: dict[str, Any] = {"resource_subscriptions": ["memory://state"]}
            async with Client(service.server) as client, client.listen(**state) as notices:
                await memory.set("bob", "lives_in", "Goa")
                await memory.state("bob")
                await memory.set("ada", "lives_in", "Rome")
                first = await anext(aiter(notices))
                found = await client.read_resource("memory://state")
                with pytest.raises(MCPError, match="bound to one user"):
                    async with client.listen(resource_subscriptions=["memory://state?user_id=bob"]):
                        pass
                return [first, "Rome" in found.contents[0].text]  # type: ignore[union-attr]

    assert run(story()) == [ResourceUpdated("memory://state"), True]


def test_messages_that_wait_and_moments_that_come_are_told(path: Path) -> None:
    now = [NOON]

    async def story() -> list[Any]:
        async with opened(path, clock=lambda: now[0]) as memory:
            service = MemoryServer(memory, Pin("ada"), pace=PACE)
            async with Client(service.server) as client:
                what: dict[str, Any] = {"resource_subscriptions": ["memory://state"]}
                waits = await heard(client, lambda: memory.add("ada", "I live in Delhi"), **what)
                learnt = await heard(client, memory.flush, **what)
                planned = NOON + timedelta(days=1)
                await memory.record("ada", "lives_in", "Rome", valid_from=planned)

                async def comes() -> None:
                    now[0] = planned + timedelta(seconds=1)

                return [waits, learnt, await heard(client, comes, **what)]

    assert run(story()) == [ResourceUpdated("memory://state")] * 3


def test_who_asked_is_told_that_the_tools_have_changed(path: Path) -> None:
    async def register() -> None:
        with Memory(path, worker=False) as mem:
            mem.register_predicate("pet")

    async def story() -> Any:
        async with within(path) as client:
            return await heard(client, register, tools_list_changed=True)

    assert run(story()) == ToolsListChanged()


def test_an_older_client_that_has_seen_the_tools_is_told_of_it_too(path: Path) -> None:
    rung = asyncio.Event()

    async def handle(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            rung.set()

    async def story() -> list[str]:
        async with opened(path) as memory:
            service = MemoryServer(memory, Pin("ada"), pace=PACE)
            async with Client(service.server, mode="legacy", message_handler=handle) as client:
                tools = client.server_capabilities.tools
                assert tools is not None
                assert tools.list_changed
                await client.list_tools()
                await client.list_tools()
                await memory.register_predicate("diet", choices=("keto",), update=True)
                await rung.wait()
                found = [tool for tool in (await client.list_tools()).tools if tool.name == "memory_set"]
                return [str(found[0].input_schema)]

    assert "keto" in run(story())[0]


def test_streams_end_on_purpose_when_the_server_ends(path: Path) -> None:
    async def story() -> int:
        async with opened(path) as memory:
            service = MemoryServer(memory, Pin("ada"), pace=PACE)
            state: dict[str, Any] = {"resource_subscriptions": ["memory://state"]}
            async with Client(service.server) as client, client.listen(**state) as notices:
                service.close()
                return len([notice async for notice in notices])

    assert run(story()) == 0


def test_a_stream_ends_where_the_memory_can_not_be_looked_at_any_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise errors.StoreBusyError

    async def story() -> int:
        async with within(path) as client, client.listen(resource_subscriptions=["memory://state"]) as notices:
            monkeypatch.setattr(AsyncScopedMemory, "changes", broken)
            return len([notice async for notice in notices])

    assert run(story()) == 0


def test_more_subscriptions_than_a_server_keeps_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.adapters.mcp.notices.MOST", 1)

    async def story() -> None:
        async with within(path) as client, client.listen(resource_subscriptions=["memory://state"]):
            with pytest.raises(MCPError, match="too many subscriptions"):
                async with client.listen(resource_subscriptions=["memory://state"]):
                    pass

    run(story())


def test_one_stream_watches_no_more_than_many_would(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.adapters.mcp.notices.MOST", 4)
    uris = [f"memory://state?user_id=u{number}" for number in range(5)]

    async def story() -> None:
        async with opened(path) as memory, Client(MemoryServer(memory, Pin(), pace=PACE).server) as client:
            with pytest.raises(MCPError, match="too many subscriptions"):
                async with client.listen(resource_subscriptions=uris):
                    pass
            async with client.listen(resource_subscriptions=uris[:4]):
                pass

    run(story())


class Still:
    """A watcher that sees nothing change."""

    async def of_user(self, *_: Any) -> AsyncIterator[None]:
        yield
        await asyncio.Event().wait()


def test_a_key_that_subscribes_to_everything_takes_nobody_else_s_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.adapters.mcp.notices.MOST", 6)
    reach = Reach("default", None)

    async def story() -> set[tuple[Any, str]]:
        watcher: Any = Still()
        async with subscribing(watcher) as subscribed:
            for client in ("first", "second"):
                await subscribed.subscribe(client, None, "memory://state?user_id=ada", reach, who="a neighbour's")
            for number in range(20):
                uri = f"memory://state?user_id=u{number}"
                await subscribed.subscribe(f"session {number}", None, uri, reach, who="greedy")
            assert len(subscribed._scopes) == len(subscribed._owners) == 6
            return {one for one, owner in subscribed._owners.items() if owner == "a neighbour's"}

    assert {client for client, _ in run(story())} == {"first", "second"}

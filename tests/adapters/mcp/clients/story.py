"""One story told through the Python SDK of before 2.0; prints what the server answered, as JSON.

    python story.py '{"command": "python", "args": [...], "env": {...}}'
    python story.py '{"url": "http://127.0.0.1:7341/mcp", "token": "tsm_..."}'

It runs in an environment of its own, where neither tensemem nor pytest is; elsewhere its SDK has other types.
"""

# mypy: ignore-errors

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


def connected(how):
    if "url" in how:
        return streamablehttp_client(how["url"], headers={"Authorization": f"Bearer {how['token']}"})
    return stdio_client(StdioServerParameters(command=how["command"], args=how["args"], env=how["env"]))


async def story(how):
    noticed = asyncio.Event()

    async def hear(message):
        if isinstance(getattr(message, "root", None), types.ResourceUpdatedNotification):
            noticed.set()

    async with connected(how) as streams, ClientSession(streams[0], streams[1], message_handler=hear) as session:
        greeted = await session.initialize()
        tools = await session.list_tools()
        await session.subscribe_resource(types.AnyUrl("memory://state"))
        done = await session.call_tool("memory_set", {"predicate": "lives_in", "value": "Delhi", "since": "2026-01-05"})
        await asyncio.wait_for(noticed.wait(), 30)
        found = await session.call_tool("memory_get", {"predicate": "lives_in"})
        wrong = await session.call_tool("memory_get", {"predicate": "nothing"})
        templates = await session.list_resource_templates()
        state = await session.read_resource(types.AnyUrl("memory://state"))
        history = await session.read_resource(types.AnyUrl("memory://history?predicate=lives_in"))
        recalled = await session.get_prompt("recall", {})
        return {
            "server": greeted.serverInfo.name,
            "tools": [tool.name for tool in tools.tools],
            "set": done.content[0].text,
            "changed": done.structuredContent["changed"],
            "noticed": noticed.is_set(),
            "get": found.content[0].text,
            "current": found.structuredContent["freshness"]["is_current"],
            "error": [bool(wrong.isError), wrong.content[0].text],
            "templates": [one.uriTemplate for one in templates.resourceTemplates],
            "state": [fact["object"] for fact in json.loads(state.contents[0].text)["facts"]],
            "history": [fact["object"] for fact in json.loads(history.contents[0].text)["facts"]],
            "recall": "- lives_in: Delhi" in recalled.messages[0].content.text,
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(story(json.loads(sys.argv[1])))))

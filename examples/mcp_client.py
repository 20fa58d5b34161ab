"""A client of the Model Context Protocol: starts `tensemem mcp` as any client does, lists its tools, and calls one.

python examples/mcp_client.py        on the memory in demo.db, or in the file that TENSEMEM_DB names
"""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters

DB = os.environ.get("TENSEMEM_DB", "demo.db")
SERVER = StdioServerParameters(
    command=sys.executable, args=["-m", "tensemem", "--db", DB, "mcp", "--user", "alice"], env=dict(os.environ)
)


async def main() -> None:
    async with Client(SERVER) as client:
        for tool in (await client.list_tools()).tools:
            print(f"{tool.name:16} {tool.title}")
        found = await client.call_tool("memory_context", {})
        print(found.content[0].text)


asyncio.run(main())

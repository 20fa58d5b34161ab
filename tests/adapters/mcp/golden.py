"""Write the list of tools that the tests compare with: ``python -m tests.adapters.mcp.golden``."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

from tests.adapters.mcp.bench import made, within
from tests.adapters.mcp.test_tools import GOLDEN, listed


async def main() -> None:
    """Write it."""
    with tempfile.TemporaryDirectory() as folder:
        async with within(made(Path(folder) / "memory.db")) as client:
            text = json.dumps(await listed(client), indent=1, ensure_ascii=False)
    GOLDEN.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())

"""Whether a server can serve: its store is looked at, once for all who ask meanwhile, since anybody may ask."""

from __future__ import annotations

import asyncio
from typing import Any

from tensemem import errors

READY_SECONDS = 5.0
"""How long a look at the store may take before the server counts as not ready."""


class Readiness:
    """Looks at the store of one memory."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._looking: asyncio.Task[bool] | None = None

    async def can_read(self) -> bool:
        """Look at the store; who asks meanwhile is told of the same look, so that nobody has it looked at often."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def _look(self) -> bool:
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._memory.retention()
        except (errors.TensememError, TimeoutError):
            return False
        return True

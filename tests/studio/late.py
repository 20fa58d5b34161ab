"""A server that answers late, each time by another while: what comes first is not what was asked first."""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

DELAYS = "TENSEMEM_STUDIO_DELAYS"
LONGEST = 700
"""Milliseconds; most whiles are far shorter."""


def as_late_as_told(application: Any) -> Any:
    """Give an application as it is; or late, where the environment says by how much."""
    told = os.environ.get(DELAYS)
    if not told:
        return application
    seed, _, longest = told.partition(":")
    return Late(application, int(seed), int(longest or LONGEST) / 1000)


class Late:
    """An application whose answers to verbs, and views that are loaded when they are looked at, come late."""

    def __init__(self, application: Any, seed: int, longest: float) -> None:
        self.ending = application.ending
        self._application = application
        self._random = random.Random(seed)
        self._longest = longest

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        is_late = path.startswith(("/v1/", "/studio/views/"))
        await self._application(scope, receive, self._late(send) if is_late else send)

    def _late(self, send: Any) -> Any:
        async def send_late(message: Any) -> None:
            if message["type"] == "http.response.start":  # it was decided before: what it tells is old when it comes
                await asyncio.sleep(self._longest * self._random.random() ** 2)
            await send(message)

        return send_late

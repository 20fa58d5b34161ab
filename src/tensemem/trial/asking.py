"""An extractor that is counted: how often it was asked, about how many messages, with how much text."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any

from ..core.tokens import estimate_tokens
from ..extract.named import extractor_named
from ..ports import ExtractionRequest

OFFLINE = "offline"
_TOGETHER = 64
"""Messages the offline extractor is given at once: it reads each alone, and one write keeps what it found in them."""


class Counted:
    """Asks an extractor, counting on the way; in all else it is that extractor. Safe to use from many threads."""

    def __init__(self, extractor: Any) -> None:
        extractor = extractor_named(extractor) if isinstance(extractor, str) else extractor
        self._extractor: Any = extractor
        self._ask: Callable[[Any], Any] = getattr(extractor, "extract", extractor)
        self._lock = threading.Lock()
        self.requests = 0
        self.tokens = 0
        if getattr(extractor, "name", None) == OFFLINE and getattr(extractor, "max_messages", 1) == 1:
            self.max_messages = _TOGETHER
        self.name = getattr(extractor, "name", None) or getattr(extractor, "__name__", type(extractor).__name__)
        is_awaited = inspect.iscoroutinefunction(self._ask) or inspect.iscoroutinefunction(
            getattr(self._ask, "__call__", None)  # noqa: B004 - an object whose call is awaited
        )
        self.extract = self._awaited if is_awaited else self._plain

    def _plain(self, request: ExtractionRequest) -> Any:
        self._count(request)
        return self._ask(request)

    async def _awaited(self, request: ExtractionRequest) -> Any:
        self._count(request)
        return await self._ask(request)

    def _count(self, request: ExtractionRequest) -> None:
        tokens = sum(estimate_tokens(message.content) for message in request.messages)
        with self._lock:
            self.requests += 1
            self.tokens += tokens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._extractor, name)

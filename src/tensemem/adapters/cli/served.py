"""A memory that a server holds, for commands: its verbs, and no events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensemem import Client


class QuietClient(Client):
    """A client of which commands may ask to be told of progress, though nobody tells them."""

    def on(self, *_args: Any, **_options: Any) -> Callable[[], None]:  # type: ignore[override]  # no refusal here
        """Take a hook that hears of nothing; gives what takes it off again."""
        return lambda: None

"""A memory that a server holds, for commands: its verbs, and no events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensemem import Client
from tensemem.client.address import authorities_in


class QuietClient(Client):
    """A client of which commands may ask to be told of progress, though nobody tells them."""

    def on(self, *_args: Any, **_options: Any) -> Callable[[], None]:  # type: ignore[override]  # no refusal here
        """Take a hook that hears of nothing; gives what takes it off again."""
        return lambda: None


def trusted_by(ca: str | None) -> Any:
    """Give what a server is checked by: the certificates of the file that --ca names, or the machine's authorities."""
    return True if ca is None else authorities_in(ca, "--ca")

"""What a store says of itself that stands on nothing: no file and no server."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.diagnosis import Finding


class Unexamined:
    """A store that there is nothing to look at of."""

    def examine(self, *, thorough: bool = False, quick: bool = False) -> Iterator[Finding]:  # noqa: ARG002
        """There is nothing that it stands on."""
        return iter(())

    def sizes(self) -> dict[str, int]:
        """What is in this process has no size of its own."""
        return {}

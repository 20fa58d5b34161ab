"""``stats``: the sizes of a memory; where it lies on the machine only for who looks after it."""

from __future__ import annotations

from typing import Any

from .answers import Headers
from .calls import Call
from .verbs import Verb

OF_THE_MACHINE = ("location",)


class Sizes(Verb):
    """``stats``, without places on the machine for keys that are no administrator's."""

    async def answer(self, call: Call, arguments: dict[str, Any], result: Any, headers: Headers) -> None:
        """Answer with what whoever asks may know."""
        if call.key is not None and not call.key.may("admin"):
            result = {name: value for name, value in result.items() if name not in OF_THE_MACHINE}
        await super().answer(call, arguments, result, headers)

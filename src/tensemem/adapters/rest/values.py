"""``get``: one value, read with the freshness of the same snapshot."""

from __future__ import annotations

from typing import Any

from tensemem import State
from tensemem.engine.watching import told_as
from tensemem.model.jsontext import encode
from tensemem.wire import wrap

from .answers import Answer, Headers, freshness_headers, send_answer
from .calls import Call
from .verbs import Verb


class Value(Verb):
    """``get`` as a read of its slot's state, which tells how fresh it is."""

    async def _call(self, arguments: dict[str, Any]) -> State:
        predicate = arguments["predicate"]
        rest = {name: value for name, value in arguments.items() if name not in ("predicate", "subject")}
        subject = arguments.get("subject", "user")
        with told_as("get"):
            return await self.serving.memory.state(**rest, predicates=[predicate], subject=subject)

    async def answer(
        self, call: Call, arguments: dict[str, Any], result: Any, headers: Headers  # noqa: ARG002 -- as for every verb
    ) -> None:
        """Answer with the value that a state of one slot shows."""
        body = encode(wrap(self.served, value_of(result), freshness=result.freshness)).encode()
        await send_answer(call, Answer(200, body, [*headers, *freshness_headers(result.freshness)]))


def value_of(state: State) -> Any:
    """Give the value of the one slot a state is of: a tuple where it has many, None where it has none."""
    return next((value for held in state.by_subject.values() for value in held.values()), None)

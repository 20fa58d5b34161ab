"""An agent of Strands that knows where its user lives now, and can be corrected.

Runs offline: the model plays a script and shows what it was sent. Put your own in its place.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from strands import Agent
from strands.memory import MemoryManager
from strands.models import Model

from tensemem import FakeExtractor, Memory
from tensemem.adapters.strands import TensememStore

CORRECTION = ("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"})


class ScriptedModel(Model):
    """Stand for a model: say a text, or call a tool."""

    def __init__(self, *answers: str | tuple[str, dict[str, str]]) -> None:
        self.answers = list(answers)

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Show the prompt, and give the next answer."""
        prompt = "\n".join(block.get("text", "") for block in messages[-1]["content"])
        print(*(f"  the model reads: {line}" for line in prompt.splitlines() if line), sep="\n")
        answer = self.answers.pop(0)
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(answer, str):
            yield {"contentBlockDelta": {"delta": {"text": answer}}}
        else:
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "1", "name": answer[0]}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(answer[1])}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(answer, str) else "tool_use"}}

    def update_config(self, **_: Any) -> None:
        """Have none."""

    def get_config(self) -> dict[str, Any]:
        """Have none."""
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        """Know no such thing."""
        raise NotImplementedError


def main() -> None:
    """Talk for a few turns."""
    with Memory(":memory:", llm=FakeExtractor()) as memory:
        memory.register_predicate("lives_in", description="the city somebody lives in")
        agent = Agent(
            model=ScriptedModel("Noted.", "Noted.", CORRECTION, "Sorry: Mysore it is.", "You live in Mysore."),
            memory_manager=MemoryManager(stores=[TensememStore(memory, "u1", wait=10)], injection={"max_entries": 50}),
            callback_handler=None,
        )
        for text in ("I live in Delhi", "I moved to Bangalore", "Not Bangalore, Mysore!", "Where do I live?"):
            print("user:", text)
            print("agent:", str(agent(text)).strip())
        print("history:", *(f"{fact.object} ({fact.status})" for fact in memory.history("u1", "lives_in")))


if __name__ == "__main__":
    main()

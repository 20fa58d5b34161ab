"""An agent of the Microsoft Agent Framework that knows where its user lives now, and can be corrected.

Runs offline: the client plays a script and shows what it was sent. Put your own in its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message

from tensemem import AsyncMemory, FakeExtractor
from tensemem.adapters.agent_framework import TensememProvider

TURNS = ("I live in Delhi", "I moved to Bangalore", "Not Bangalore, Mysore!", "Where do I live?")
CORRECTION = ("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"})


class ScriptedClient(FunctionInvocationLayer[Any], BaseChatClient[Any]):
    """Stand for a model: say a text, or call a tool."""

    def __init__(self, *answers: str | tuple[str, dict[str, str]]) -> None:
        super().__init__()
        self.answers = list(answers)

    async def _inner_get_response(
        self, *, messages: Sequence[Message], options: Mapping[str, Any], **_: Any
    ) -> ChatResponse:
        for line in f"{options['instructions']}\n{messages[-1].text}".splitlines():
            print("  the model reads:", line)
        answer = self.answers.pop(0)
        is_text = isinstance(answer, str)
        content = answer if is_text else Content.from_function_call("1", answer[0], arguments=answer[1])
        return ChatResponse(messages=[Message("assistant", [content])])


async def main() -> None:
    """Talk for a few turns, each in a session of its own."""
    async with AsyncMemory(":memory:", llm=FakeExtractor()) as memory:
        await memory.register_predicate("lives_in", description="the city somebody lives in")
        agent = Agent(
            client=ScriptedClient("Noted.", "Noted.", CORRECTION, "Sorry: Mysore it is.", "You live in Mysore."),
            instructions="You help the user with travel.",
            context_providers=[TensememProvider(memory, "u1", wait=10)],
        )
        for text in TURNS:
            print("user:", text)
            session = agent.create_session()
            print("agent:", await agent.run(text, session=session))
        print("shown:", session.state["tensemem"]["fact_ids"], session.state["tensemem"]["freshness"])
        history = await memory.history("u1", "lives_in")
        print("history:", *(f"{fact.object} ({fact.status})" for fact in history))


if __name__ == "__main__":
    asyncio.run(main())

"""An agent of LlamaIndex that knows where its user lives now, and can be corrected.

Runs offline: the model plays a script and shows what it was sent. Put your own in its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM

from tensemem import AsyncMemory, FakeExtractor
from tensemem.adapters.llamaindex import TensememBlock, TensememMemory

TURNS = ("I live in Delhi", "I moved to Bangalore", "Not Bangalore, Mysore!", "Where do I live?")
CORRECTION = ("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"})
ANSWERS: list[Any] = ["Noted.", "Noted.", CORRECTION, "Sorry: Mysore it is.", "You live in Mysore."]


def model(messages: list[ChatMessage], **_: Any) -> AsyncIterator[ChatMessage]:
    """Stand for a model: show the prompt, then say a text or call a tool."""
    for line in "\n".join(message.content or "" for message in messages).splitlines():
        print("  the model reads:", line)
    return answer(ANSWERS.pop(0))


async def answer(said: Any) -> AsyncIterator[ChatMessage]:
    """Give a text, or a call of a tool."""
    if isinstance(said, str):
        yield ChatMessage(role="assistant", content=said)
    else:
        call = ToolCallBlock(tool_call_id="1", tool_name=said[0], tool_kwargs=said[1])
        yield ChatMessage(role="assistant", blocks=[call])


async def main() -> None:
    """Talk for a few turns, each in a conversation of its own."""
    async with AsyncMemory(":memory:", llm=FakeExtractor()) as mem:
        await mem.register_predicate("lives_in", description="the city somebody lives in")
        block = TensememBlock(mem, "u1", wait=10)
        agent = FunctionAgent(tools=block.tools(), llm=MockFunctionCallingLLM(response_generator=model))
        for number, text in enumerate(TURNS):
            print("user:", text)
            memory = TensememMemory.from_defaults(session_id=f"conversation-{number}", memory_blocks=[block])
            print("agent:", await agent.run(text, memory=memory))
        history = await mem.history("u1", "lives_in")
        print("history:", *(f"{fact.object} ({fact.status})" for fact in history))


if __name__ == "__main__":
    asyncio.run(main())

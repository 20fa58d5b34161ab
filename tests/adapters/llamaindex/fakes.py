"""A model for LlamaIndex that plays a script and keeps what it was sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM


class Script:
    """Answers in order: a text is said, a pair of name and arguments calls a tool."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.prompts: list[list[tuple[str, str]]] = []
        self.tools: list[str] = []

    def model(self) -> Any:
        return MockFunctionCallingLLM(response_generator=self.play)

    def play(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = (), **rest: Any) -> Any:
        self.prompts.append([(message.role.value, message.content or "") for message in messages])
        self.tools = [tool.metadata.name for tool in tools]
        return said(self.answers.pop(0))


async def said(answer: Any) -> AsyncIterator[ChatMessage]:
    if isinstance(answer, str):
        yield ChatMessage(role="assistant", content=answer)
    else:
        call = ToolCallBlock(tool_call_id="call-1", tool_name=answer[0], tool_kwargs=answer[1])
        yield ChatMessage(role="assistant", blocks=[call])


def known(prompt: list[tuple[str, str]]) -> str:
    """The part of a prompt that the memory blocks wrote."""
    return "\n".join(text for role, text in prompt if role == "system")

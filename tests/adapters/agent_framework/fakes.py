"""A chat client for the Agent Framework that plays a script and keeps what it was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import (
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
)


class ScriptedClient(FunctionInvocationLayer[Any], BaseChatClient[Any]):  # type: ignore[misc]
    """Answers in order: a text is said, a pair of name and arguments calls a tool, an exception is raised."""

    def __init__(self, *answers: Any) -> None:
        super().__init__()
        self.answers = list(answers)
        self.instructions: list[str] = []
        self.prompts: list[list[tuple[str, str]]] = []
        self.tools: list[str] = []

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **rest: Any
    ) -> Any:
        self.instructions.append(options.get("instructions") or "")
        self.prompts.append([(message.role, message.text or _results_in(message)) for message in messages])
        self.tools = [tool.name for tool in options.get("tools") or ()]
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            content = Content.from_text(answer)
        else:
            content = Content.from_function_call("call-1", answer[0], arguments=answer[1])
        if stream:
            return ResponseStream(self._updates(content), finalizer=ChatResponse.from_updates)
        return self._whole(content)

    async def _whole(self, content: Content) -> ChatResponse:
        return ChatResponse(messages=[Message("assistant", [content])])

    async def _updates(self, content: Content) -> Any:
        yield ChatResponseUpdate(role="assistant", contents=[content])


def _results_in(message: Message) -> str:
    return "\n".join(content.result or "" for content in message.contents if content.type == "function_result")

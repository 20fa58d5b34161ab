"""A model for ADK that says what a test tells it to, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field


class FakeLlm(BaseLlm):  # type: ignore[misc, unused-ignore]
    """Answers in order: a text, or ("tool", {arguments})."""

    model: str = "fake"
    answers: list[Any] = Field(default_factory=list)
    asked: list[Any] = Field(default_factory=list)

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        self.asked.append(llm_request.model_copy(deep=True))
        answer = self.answers.pop(0)
        part = types.Part(text=answer) if isinstance(answer, str) else types.Part.from_function_call(
            name=answer[0], args=answer[1]
        )  # fmt: skip
        yield LlmResponse(content=types.Content(role="model", parts=[part]))

    def prompt(self, at: int = -1) -> str:
        """All that one request says, in words."""
        contents = self.asked[at].contents
        return "\n".join(part.text for content in contents for part in content.parts if part.text)

    def answered(self, at: int = -1) -> list[str]:
        """What tools answered in one request."""
        parts = [part for content in self.asked[at].contents for part in content.parts]
        return [part.function_response.response["result"] for part in parts if part.function_response]

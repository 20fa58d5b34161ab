"""An agent of the SDK over the real client, whose model is a server on this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, set_tracing_disabled

from tests.verbs.scripted_server import Script, scripted_server

AsyncOpenAI = import_module("openai").AsyncOpenAI
set_tracing_disabled(True)  # spans would be sent to a server elsewhere


@asynccontextmanager
async def chatting(*answers: Any, responses: bool = False, **options: Any) -> AsyncIterator[tuple[Agent[Any], Script]]:
    """Give an agent that is answered with texts, or with tool calls given as (name, arguments)."""
    shaped = _response if responses else _completion
    kind = OpenAIResponsesModel if responses else OpenAIChatCompletionsModel
    with scripted_server(*(shaped(answer, number) for number, answer in enumerate(answers))) as script:
        async with AsyncOpenAI(api_key="none", base_url=script.url, max_retries=0) as client:
            yield Agent(name="helper", model=kind(model="m", openai_client=client), **options), script


def _completion(answer: Any, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer if isinstance(answer, str) else None}
    if not isinstance(answer, str):
        function = {"name": answer[0], "arguments": json.dumps(answer[1])}
        message["tool_calls"] = [{"id": f"call{number}", "type": "function", "function": function}]
    ended = "stop" if isinstance(answer, str) else "tool_calls"
    choice = {"index": 0, "message": message, "finish_reason": ended}
    return {"id": f"c{number}", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def _response(answer: Any, number: int) -> dict[str, Any]:
    thought = {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "gAAAAAB-Zx12"}
    if isinstance(answer, str):
        part = {"type": "output_text", "text": answer, "annotations": []}
        said = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": [part]}
    else:
        said = {
            "type": "function_call", "id": f"fc_{number}", "call_id": f"call{number}", "name": answer[0],
            "arguments": json.dumps(answer[1]), "status": "completed",
        }  # fmt: skip
    return {
        "id": f"resp_{number}", "object": "response", "created_at": 1, "model": "m", "status": "completed",
        "output": [thought, said], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip


def system_prompt(asked: dict[str, Any]) -> str:
    """The instructions that one request carried, of either API."""
    if "messages" in asked:
        return next((each["content"] for each in asked["messages"] if each["role"] == "system"), "")
    return asked.get("instructions") or ""

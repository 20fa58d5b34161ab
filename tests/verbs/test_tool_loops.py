"""The tools in the official SDKs' own loops, against a server on this machine: what models ask for is done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tensemem import Memory
from tests.verbs.scripted_server import scripted_server


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", llm=False) as made:
        made.register_predicate("lives_in", description="the city somebody lives in")
        made.register_predicate("diet", choices=["vegan", "omnivore"])
        made.set("u1", "lives_in", "Delhi", since="2024", said_at="2024-05-01")
        yield made


ASKED: list[tuple[str, dict[str, Any]]] = [
    ("memory_get", {"predicate": "lives_in", "subject": None}),
    ("memory_set", {"predicate": "diet", "value": "paleo", "subject": None, "since": None}),
    ("memory_set", {"predicate": "lives_in", "value": "Bangalore", "subject": None, "since": None}),
]
"""What the model asks for, one call after the other; the second is refused."""


def _chat(message: dict[str, Any], ended: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": ended}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def _wants(number: int) -> dict[str, Any]:
    name, arguments = ASKED[number]
    function = {"name": name, "arguments": json.dumps(arguments)}
    return _chat({"tool_calls": [{"id": f"call{number}", "type": "function", "function": function}]}, "tool_calls")


def test_openai_chat_completions(mem: Memory) -> None:
    openai = pytest.importorskip("openai")
    tools = mem.for_user("u1").tools("openai")
    messages: list[Any] = [{"role": "user", "content": "I moved to Bangalore"}]
    with (
        scripted_server(*(_wants(at) for at in range(3)), _chat({"content": "Noted."}, "stop")) as server,
        openai.OpenAI(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        while True:
            message = client.chat.completions.create(model="m", messages=messages, tools=tools).choices[0].message
            messages.append(message)
            if not message.tool_calls:
                break
            for asked in message.tool_calls:
                said = tools.call(asked.function.name, asked.function.arguments)
                messages.append({"role": "tool", "tool_call_id": asked.id, "content": said})
        seen = server.asked
    assert [tool["function"]["name"] for tool in seen[0]["tools"]] == list(tools.names)
    assert all(tool["function"]["strict"] for tool in seen[0]["tools"])
    said = [each["content"] for each in seen[-1]["messages"] if each["role"] == "tool"]
    assert said[0] == "lives_in = Delhi from 2024-01-01"
    assert said[1] == "Error: diet: 'paleo' is none of its choices. Give one of 'vegan', 'omnivore'."
    assert said[2].startswith("lives_in: Delhi no longer holds\nlives_in: Bangalore holds")
    assert mem.state("u1").values == {"lives_in": "Bangalore"}


def test_anthropic_messages(mem: Memory) -> None:
    anthropic = pytest.importorskip("anthropic")
    tools = mem.for_user("u1").tools("anthropic")

    def answer(blocks: list[dict[str, Any]], ended: str) -> dict[str, Any]:
        return {
            "id": "m1", "type": "message", "role": "assistant", "model": "m", "content": blocks, "stop_reason": ended,
            "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip

    both = [
        {"type": "tool_use", "id": f"call{at}", "name": name, "input": given} for at, (name, given) in enumerate(ASKED)
    ]
    messages: list[Any] = [{"role": "user", "content": "I moved to Bangalore"}]
    with (
        scripted_server(answer(both, "tool_use"), answer([{"type": "text", "text": "Noted."}], "end_turn")) as server,
        anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        while True:
            message = client.messages.create(model="m", max_tokens=1024, messages=messages, tools=tools)
            messages.append({"role": "assistant", "content": message.content})
            if message.stop_reason != "tool_use":
                break
            said = [(one.id, tools.call(one.name, one.input)) for one in message.content if one.type == "tool_use"]
            results = [
                {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": text.is_error}
                for call_id, text in said
            ]
            messages.append({"role": "user", "content": results})
        seen = server.asked
    assert [tool["name"] for tool in seen[0]["tools"]] == list(tools.names)
    results = seen[-1]["messages"][-1]["content"]
    assert [each["is_error"] for each in results] == [False, True, False]
    assert results[0]["content"] == "lives_in = Delhi from 2024-01-01"
    assert mem.state("u1").values == {"lives_in": "Bangalore"}
    assert mem.history("u1", "lives_in").facts[-1].source == "agent"

"""What the loopback server is to say in Anthropic's form, and what Claude was told."""

from __future__ import annotations

from itertools import count
from typing import Any

_NUMBERS = count(1)


def wants(command: str, **fields: Any) -> dict[str, Any]:
    """An answer in which Claude uses the memory tool."""
    given = {"command": command, **fields}
    block = {"type": "tool_use", "id": f"call{next(_NUMBERS)}", "name": "memory", "input": given}
    return _answer(block, "tool_use")


def says(text: str) -> dict[str, Any]:
    """An answer in words, which ends the turn."""
    return _answer({"type": "text", "text": text}, "end_turn")


def results(requests: list[dict[str, Any]]) -> list[tuple[str, bool]]:
    """The results of tools in all requests of a run, each once, with whether it is an error.

    The SDK sends what is new in a thread, or the whole conversation again: either is read.
    """
    messages = [message for request in requests for message in request["messages"]]
    blocks = [block for message in messages for block in message["content"] if isinstance(block, dict)]
    found = {block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"}
    return [(_text(block), bool(block.get("is_error"))) for block in found.values()]


def _text(block: dict[str, Any]) -> str:
    content = block["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _answer(block: dict[str, Any], ended: str) -> dict[str, Any]:
    return {
        "id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [block], "stop_reason": ended,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip

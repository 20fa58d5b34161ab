"""A model for Strands that plays a script and keeps what it was sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from strands.models import Model


class ScriptedModel(Model):  # type: ignore[misc]
    """Answers in order: a text is said, a pair of name and arguments calls a tool."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []
        self.tools: list[str] = []

    def update_config(self, **config: Any) -> None:
        """Have none."""

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *args: Any, **keywords: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **rest: Any) -> Any:
        self.prompts.append("\n".join(texts_in(messages[-1])))
        self.tools = [spec["name"] for spec in tool_specs or ()]
        answer = self.answers.pop(0)
        is_call = not isinstance(answer, str)
        yield {"messageStart": {"role": "assistant"}}
        if is_call:
            start = {"toolUse": {"toolUseId": f"call-{len(self.prompts)}", "name": answer[0]}}
            yield {"contentBlockStart": {"start": start}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(answer[1])}}}}
        else:
            yield {"contentBlockDelta": {"delta": {"text": answer}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if is_call else "end_turn"}}


def texts_in(message: Any) -> Sequence[str]:
    """Every text of a message, what tools answered included."""
    found = [block["text"] for block in message["content"] if "text" in block]
    results = [block["toolResult"]["content"] for block in message["content"] if "toolResult" in block]
    return [*found, *(part["text"] for parts in results for part in parts if "text" in part)]

"""Anthropic's messages, with an output format that is a JSON schema."""

from __future__ import annotations

from typing import Any

from . import flat
from .base import ModelExtractor, Question, Reply

_CACHED = {"cache_control": {"type": "ephemeral"}}
_ENDS = {
    "refusal": "the model refused",
    "max_tokens": "its answer was cut off; raise max_output_tokens",
    "model_context_window_exceeded": "its answer was cut off: the messages fill the model's context window",
}


class AnthropicExtractor(ModelExtractor):
    """Asks a model of Anthropic's, with its structured output. Key: ``ANTHROPIC_API_KEY``.

    Rules and registry are marked for the provider's prompt cache. The arguments, and what is raised, are those of
    ``ModelExtractor``.
    """

    name = "anthropic"
    extra = "anthropic"
    key_variables = ("ANTHROPIC_API_KEY",)
    url_variable = "ANTHROPIC_BASE_URL"
    default_url = "https://api.anthropic.com"

    def _load(self) -> None:
        self._sdk = self._library("anthropic")

    def _make_client(self) -> Any:
        return self._sdk.AsyncAnthropic(
            api_key=self._key, base_url=self.base_url, timeout=self._timeout, max_retries=0
        )

    async def _close_client(self, client: Any) -> None:
        await client.close()

    async def _send(self, client: Any, question: Question) -> Reply:
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": question.max_output_tokens,
            "system": [{"type": "text", "text": question.prompt.instructions, **_CACHED}],
            "messages": _messages(question),
            "output_config": {"format": {"type": "json_schema", "schema": flat.schema()}},
        }
        if question.temperature is not None:
            body["extra_body"] = {"temperature": question.temperature}  # newer SDKs know no such argument
        return _reply_of(await client.messages.create(**body))


def _messages(question: Question) -> list[dict[str, Any]]:
    prompt = question.prompt
    blocks = [{"type": "text", "text": prompt.registry, **_CACHED}, {"type": "text", "text": prompt.material}]
    later = [{"role": role, "content": text} for role, text in question.turns()[1:]]
    return [{"role": "user", "content": blocks}, *later]


def _reply_of(message: Any) -> Reply:
    if not isinstance(getattr(message, "content", None), list):
        raise ValueError("a message without content")
    text = "".join(block.text for block in message.content if block.type == "text")
    return Reply(text, _sent(message.usage), message.usage.output_tokens, _ENDS.get(message.stop_reason or "", ""))


def _sent(usage: Any) -> int:
    """Give the input tokens; those written to the cache or read from it are told apart, and are input too."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(getattr(usage, name, None) or 0 for name in names)

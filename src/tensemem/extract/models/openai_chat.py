"""OpenAI, and every server that speaks its chat completions: vLLM, llama.cpp, LM Studio, gateways and many hosts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

from ...errors import ExtractorError, InvalidValueError
from ...ports import Clock
from . import flat
from .base import ModelExtractor, Question, Reply

Structured = Literal["schema", "json", "none"]


class OpenAIExtractor(ModelExtractor):
    """Asks a model of OpenAI's, with its strict structured output. Key: ``OPENAI_API_KEY``.

    The arguments, and what is raised, are those of ``ModelExtractor``.
    """

    name = "openai"
    extra = "openai"
    key_variables = ("OPENAI_API_KEY",)
    url_variable = "OPENAI_BASE_URL"
    default_url = "https://api.openai.com/v1"

    def _load(self) -> None:
        self._sdk = self._library("openai")

    def _make_client(self) -> Any:
        # The key may be missing only where a server needs none; the SDK insists on one all the same.
        return self._sdk.AsyncOpenAI(
            api_key=self._key or "none", base_url=self.base_url, timeout=self._timeout, max_retries=0
        )

    async def _close_client(self, client: Any) -> None:
        await client.close()

    async def _send(self, client: Any, question: Question) -> Reply:
        completion = await client.chat.completions.create(**self._body(question))
        return reply_of(completion)

    def _body(self, question: Question) -> dict[str, Any]:
        body = chat_body(self.model, question)
        return {**body, "max_completion_tokens": question.max_output_tokens, "response_format": response_format()}


class OpenAICompatibleExtractor(OpenAIExtractor):
    """Asks a model behind any server that speaks OpenAI's chat completions; ``base_url`` has to be given.

    ``key_variable`` names the environment variable that holds the key, if the server wants one; OpenAI's own key is
    never sent there. ``structured`` is what the server can enforce: ``"schema"`` (a JSON schema), ``"json"`` (some JSON
    object) or ``"none"``; the answer is checked all the same. The other arguments, and what is raised, are those of
    ``ModelExtractor``.
    """

    name = "openai-compatible"
    key_variables = ("OPENAI_COMPATIBLE_API_KEY",)
    url_variable = "OPENAI_COMPATIBLE_BASE_URL"
    default_url = ""
    usual_timeout = 300.0

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        client: Any = None,
        key_variable: str | None = None,
        structured: Structured = "schema",
        timeout: float | None = None,
        max_concurrency: int = 8,
        max_messages: int = 8,
        debounce: float = 0.2,
        max_retries: int = 2,
        temperature: float | None = 0,
        max_output_tokens: int = 8192,
        max_calls_per_day: int | None = None,
        max_tokens_per_day: int | None = None,
        clock: Clock | None = None,
    ) -> None:
        if structured not in ("schema", "json", "none"):
            raise InvalidValueError(f"structured must be 'schema', 'json' or 'none', not {structured!r}")
        self._structured = structured
        self._needs_key = key_variable is not None
        if key_variable is not None:
            self.key_variables = (key_variable,)  # type: ignore[misc]
        super().__init__(
            model,
            base_url=base_url,
            client=client,
            timeout=timeout,
            max_concurrency=max_concurrency,
            max_messages=max_messages,
            debounce=debounce,
            max_retries=max_retries,
            temperature=temperature,
            max_output_tokens=max_output_tokens,
            max_calls_per_day=max_calls_per_day,
            max_tokens_per_day=max_tokens_per_day,
            clock=clock,
        )
        if not self.base_url:
            raise ExtractorError(
                f"{self.name}: there is no address; give base_url, or write 'openai-compatible:model@http://host/v1'"
            )

    def _found_key(self) -> str | None:
        is_set = any(os.environ.get(variable, "").strip() for variable in self.key_variables)
        return super()._found_key() if is_set or self._needs_key else None

    def _make_client(self) -> Any:
        client = super()._make_client()
        # The SDK reads these from the environment, for OpenAI; they are nothing to another server.
        client.organization = client.project = client.admin_api_key = None
        return client

    def _body(self, question: Question) -> dict[str, Any]:
        body = {**chat_body(self.model, question), "max_tokens": question.max_output_tokens}
        match self._structured:
            case "schema":
                body["response_format"] = response_format()
            case "json":
                body["response_format"] = {"type": "json_object"}
            case "none":
                pass
        return body


def chat_body(model: str, question: Question) -> dict[str, Any]:
    """Give the part of a chat completion's body that all servers of this form share."""
    turns = [("system", question.prompt.instructions), *question.turns()]
    body: dict[str, Any] = {"model": model, "messages": [{"role": role, "content": text} for role, text in turns]}
    if question.temperature is not None:
        body["temperature"] = question.temperature
    return body


def response_format() -> dict[str, Any]:
    """Give the demand for an answer of our form, strictly."""
    return {
        "type": "json_schema",
        "json_schema": {"name": flat.SCHEMA_NAME, "strict": True, "schema": flat.schema()},
    }


def reply_of(completion: Any) -> Reply:
    """Read a chat completion. Raises ValueError for what is none."""
    choices = getattr(completion, "choices", None)
    if not choices or getattr(choices[0], "message", None) is None:
        raise ValueError("a chat completion without a choice")
    message, ended = choices[0].message, ""
    refusal = getattr(message, "refusal", None)
    if refusal:
        ended = f"the model refused: {refusal}"
    elif choices[0].finish_reason == "length":
        ended = "its answer was cut off; raise max_output_tokens"
    elif choices[0].finish_reason == "content_filter":
        ended = "a content filter stopped its answer"
    return Reply(message.content or "", *_tokens(getattr(completion, "usage", None)), ended)


def _tokens(usage: Any) -> tuple[int | None, int | None]:
    if isinstance(usage, Mapping):
        return usage.get("prompt_tokens"), usage.get("completion_tokens")
    return getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)

"""Google's Gemini, asked for content of a JSON schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import flat
from .base import ModelExtractor, Question, Reply

_WHOLE = frozenset({"STOP", "FINISH_REASON_UNSPECIFIED", ""})


class GeminiExtractor(ModelExtractor):
    """Asks a model of Google's, with its structured output. Key: ``GEMINI_API_KEY``, else ``GOOGLE_API_KEY``.

    For Vertex AI give a ``client`` of your own. The arguments, and what is raised, are those of ``ModelExtractor``.
    """

    name = "gemini"
    extra = "gemini"
    key_variables = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    url_variable = "GOOGLE_GEMINI_BASE_URL"
    default_url = "https://generativelanguage.googleapis.com"

    def _load(self) -> None:
        self._sdk = self._library("google.genai")

    def _make_client(self) -> Any:
        options = {
            "base_url": self.base_url,
            "timeout": max(1, round(self._timeout * 1000)),  # milliseconds
            "retry_options": {"attempts": 1},
        }
        return self._sdk.Client(api_key=self._key, vertexai=False, http_options=options)

    async def _close_client(self, client: Any) -> None:
        await client.aio.aclose()
        client.close()

    async def _send(self, client: Any, question: Question) -> Reply:
        config: dict[str, Any] = {
            "system_instruction": question.prompt.instructions,
            "max_output_tokens": question.max_output_tokens,
            "response_mime_type": "application/json",
            "response_json_schema": flat.schema(),
            "automatic_function_calling": {"disable": True},
        }
        if question.temperature is not None:
            config["temperature"] = question.temperature
        contents = [
            {"role": "model" if role == "assistant" else role, "parts": [{"text": text}]}
            for role, text in question.turns()
        ]
        return _reply_of(
            await client.aio.models.generate_content(model=self.model, contents=contents, config=config)
        )

    def _status_of(self, error: Exception) -> tuple[int, str, Mapping[str, Any]] | None:
        code = getattr(error, "code", None)
        if not isinstance(code, int) or not isinstance(error, self._sdk.errors.APIError):
            return None
        said = f"{getattr(error, 'status', '') or ''} {getattr(error, 'message', '') or ''}"
        wait = _wait_in(getattr(error, "details", None))
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        # A key that is no key is told as a bad request.
        code = 401 if code == 400 and "API key" in said else code
        return code, said, headers if wait is None else {"Retry-After": wait}


def _reply_of(response: Any) -> Reply:
    usage = response.usage_metadata
    sent = getattr(usage, "prompt_token_count", None)
    written = getattr(usage, "candidates_token_count", None)
    thought = getattr(usage, "thoughts_token_count", None)  # charged as output, too
    got = None if written is None and thought is None else (written or 0) + (thought or 0)
    feedback = getattr(response, "prompt_feedback", None)
    if not response.candidates:
        reason = getattr(getattr(feedback, "block_reason", None), "name", "no reason given")
        return Reply("", sent, got, f"a content filter stopped the question ({reason})")
    candidate = response.candidates[0]
    parts = (candidate.content.parts if candidate.content else None) or ()
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return Reply(text, sent, got, _ended(getattr(candidate.finish_reason, "name", None) or ""))


def _wait_in(details: Any) -> str | None:
    """Give the seconds that Google wants to be left alone, which it says in the body: ``"retryDelay": "37s"``."""
    told = details.get("error", details).get("details") if isinstance(details, dict) else None
    for detail in told if isinstance(told, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str):
            return delay.removesuffix("s")
    return None


def _ended(reason: str) -> str:
    if reason in _WHOLE:
        return ""
    if reason == "MAX_TOKENS":
        return "its answer was cut off; raise max_output_tokens"
    return f"a content filter stopped its answer ({reason})"

"""Ollama: models on a machine of one's own, held to a JSON schema by a grammar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.tokens import estimate_tokens
from . import flat
from .base import ModelExtractor, Question, Reply

_LEAST_CONTEXT = 8192


class OllamaExtractor(ModelExtractor):
    """Asks a model that Ollama serves, at ``base_url``, else ``OLLAMA_HOST``, else on this machine. Needs no key.

    The context window is made as large as the question needs: left to itself Ollama cuts off the beginning of a long
    one without a word. The arguments, and what is raised, are those of ``ModelExtractor``.
    """

    name = "ollama"
    extra = "ollama"
    url_variable = "OLLAMA_HOST"
    default_url = "http://127.0.0.1:11434"
    bare_port = 11434  # Ollama's own programs read OLLAMA_HOST=0.0.0.0 and OLLAMA_HOST=127.0.0.1:11434
    usual_timeout = 300.0

    def _load(self) -> None:
        self._sdk = self._library("ollama")

    def _make_client(self) -> Any:
        return self._sdk.AsyncClient(host=self.base_url, timeout=self._timeout)

    async def _close_client(self, client: Any) -> None:
        close = getattr(client, "close", None) or client._client.aclose  # older SDKs have no way of their own
        await close()

    async def _send(self, client: Any, question: Question) -> Reply:
        turns = [("system", question.prompt.instructions), *question.turns()]
        options: dict[str, Any] = {
            "num_predict": question.max_output_tokens,
            "num_ctx": _context(sum(estimate_tokens(text) for _, text in turns) + question.max_output_tokens),
            "seed": 0,
        }
        if question.temperature is not None:
            options["temperature"] = question.temperature
        response = await client.chat(
            model=self.model,
            messages=[{"role": role, "content": text} for role, text in turns],
            format=flat.schema(),
            options=options,
        )
        ended = "its answer was cut off; raise max_output_tokens" if response.done_reason == "length" else ""
        return Reply(response.message.content or "", response.prompt_eval_count, response.eval_count, ended)

    def _status_of(self, error: Exception) -> tuple[int, str, Mapping[str, Any]] | None:
        status = getattr(error, "status_code", None)
        if not isinstance(status, int) or status < 400:
            return None
        hint = f"; is it there? ollama pull {self.model}" if status == 404 else ""
        # The SDK keeps no headers: it raises from None, but the response hangs on the error it came from.
        response = getattr(error.__context__, "response", None)
        return status, f"{getattr(error, 'error', error)}{hint}", getattr(response, "headers", None) or {}


def _context(tokens: int) -> int:
    """Give a window that holds so many tokens: a power of two, since Ollama loads the model anew for another size."""
    return max(_LEAST_CONTEXT, 1 << (tokens - 1).bit_length())

"""LiteLLM: a hundred providers behind one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import ExtractorError
from .base import ModelExtractor, Question, Reply
from .openai_chat import chat_body, reply_of, response_format


class LiteLLMExtractor(ModelExtractor):
    """Asks a model through LiteLLM, named as it names them: ``"groq/llama-…"``, ``"bedrock/…"``.

    Which key is needed follows from the model, and LiteLLM reads it from the environment. ``client`` is a callable in
    the place of ``litellm.acompletion``. The other arguments, and what is raised, are those of ``ModelExtractor``.
    """

    name = "litellm"
    extra = "litellm"

    def _load(self) -> None:
        # Else it fetches a list of prices from the network as it is imported.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        self._sdk = self._library("litellm")

    def _found_key(self) -> str | None:
        known = self._sdk.validate_environment(model=self.model)
        missing = known.get("missing_keys") or []
        if missing and not known.get("keys_in_environment"):
            raise ExtractorError(f"{self.name}: there is no key; set {' and '.join(missing)} in the environment")
        return None

    def _senders(self) -> Iterable[object]:
        # Keys and headers may be set on the module, for all calls.
        said = {name: value for name, value in vars(self._sdk).items() if isinstance(value, str) or name == "headers"}
        return [*super()._senders(), said]

    def _make_client(self) -> Any:
        return self._sdk.acompletion

    async def _close_client(self, client: Any) -> None:  # noqa: ARG002 (it keeps its clients itself)
        await self._sdk.close_litellm_async_clients()

    async def _send(self, client: Any, question: Question) -> Reply:
        completion = await client(
            **chat_body(self.model, question),
            max_tokens=question.max_output_tokens,
            response_format=response_format(),
            timeout=self._timeout,
            num_retries=0,
            max_retries=0,
            drop_params=True,
            **({"api_base": self.base_url} if self.base_url else {}),
        )
        return reply_of(completion)

    def _status_of(self, error: Exception) -> tuple[int, str, Mapping[str, Any]] | None:
        kinds = {base.__name__ for base in type(error).__mro__}
        if kinds & {"Timeout", "APIConnectionError"}:  # LiteLLM gives these a status of its own making
            return None
        return super()._status_of(error)

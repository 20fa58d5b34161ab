"""Extractors by name: ``"openai:gpt-5-mini"``, ``"openai-compatible:qwen3@http://127.0.0.1:8000/v1"``, ``"offline"``.

The form is ``provider:model`` (``"offline"`` has none, ``"cassette:PATH"`` names a file), and behind ``@`` the address
of a server where it is not the provider's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module

from ..errors import ExtractorError
from .addresses import is_address
from .answers import safe_text

Factory = Callable[[str], object]
"""Makes an extractor from what stands behind the provider's name and its colon; blank where nothing does."""

_WITH_ADDRESS = re.compile(r"(.*?)@(https?://.*)", re.DOTALL)


def _model(provider: str, module: str, kind: str, *, may_have_at: bool = False) -> Factory:
    """Give a factory; ``may_have_at`` says that names of the provider's models have an ``@`` in them."""

    def make(named: str) -> object:
        with_address = _WITH_ADDRESS.fullmatch(named)
        model, address = with_address.groups() if with_address else (named, None)
        if not model.strip():
            raise ExtractorError(f"{provider}: name a model: '{provider}:MODEL'")
        # A model may be called "@cf/llama", with the sign in front.
        is_half = not may_have_at and address is None and "@" in model[1:]
        if is_half or (address is not None and not is_address(address)):
            raise ExtractorError(
                f"{provider}: behind '@' must stand an address that begins with http:// or https:// and names a host, "
                f"as in '{provider}:MODEL@http://127.0.0.1:8000/v1'; "
                f"for a model with an '@' in its name give {kind}(...)"
            )
        return getattr(import_module(f".models.{module}", __package__), kind)(model, base_url=address)

    return make


def _offline(named: str) -> object:
    if named:
        raise ExtractorError(f"the offline extractor has no model {safe_text(named, 60)!r}; it is named 'offline'")
    return import_module(".offline", __package__).OfflineExtractor()


def _cassette(path: str) -> object:
    if not path:
        raise ExtractorError("cassette: name a file: 'cassette:PATH'")
    return import_module(".cassette", __package__).ReplayExtractor(path)


FACTORIES: Mapping[str, Factory] = {
    "anthropic": _model("anthropic", "anthropic_messages", "AnthropicExtractor"),
    "cassette": _cassette,
    "gemini": _model("gemini", "gemini_content", "GeminiExtractor"),
    "litellm": _model("litellm", "litellm_completion", "LiteLLMExtractor", may_have_at=True),
    "offline": _offline,
    "ollama": _model("ollama", "ollama_chat", "OllamaExtractor"),
    "openai": _model("openai", "openai_chat", "OpenAIExtractor"),
    "openai-compatible": _model("openai-compatible", "openai_chat", "OpenAICompatibleExtractor"),
}
"""What a text may begin with, and what it stands for. What a factory needs is loaded when it is called."""


def is_provider(text: str) -> bool:
    """Tell whether a text begins with the name of a provider."""
    return text.partition(":")[0].strip().lower() in FACTORIES


def extractor_named(text: str) -> object:
    """Give the extractor a text names; raises ExtractorError for a name that is not known, and what its kind raises."""
    provider, _, rest = text.partition(":")
    factory = FACTORIES.get(provider.strip().lower())
    if factory is None:
        known = ", ".join(sorted(FACTORIES))
        raise ExtractorError(
            f"no provider is named {safe_text(provider.strip(), 60)!r}; there are {known}, "
            "as in 'offline' and 'openai:model'; or give an extractor object or a callable"
        )
    return factory(rest.strip())

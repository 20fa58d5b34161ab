"""Extractors that ask a language model: OpenAI, Anthropic, Gemini, Ollama, LiteLLM, any OpenAI-compatible server.

Each is one extra of the package, with the provider's official SDK, which is loaded when an extractor is made. The walk
of one request: **prompt → attempt (cap, turnstile, time-out) → retry → read → at most one repair → operations**.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .anthropic_messages import AnthropicExtractor
    from .base import ModelExtractor
    from .gemini_content import GeminiExtractor
    from .litellm_completion import LiteLLMExtractor
    from .ollama_chat import OllamaExtractor
    from .openai_chat import OpenAICompatibleExtractor, OpenAIExtractor

__all__ = [
    "AnthropicExtractor",
    "GeminiExtractor",
    "LiteLLMExtractor",
    "ModelExtractor",
    "OllamaExtractor",
    "OpenAICompatibleExtractor",
    "OpenAIExtractor",
]

_HOMES = {
    "AnthropicExtractor": "anthropic_messages",
    "GeminiExtractor": "gemini_content",
    "LiteLLMExtractor": "litellm_completion",
    "ModelExtractor": "base",
    "OllamaExtractor": "ollama_chat",
    "OpenAICompatibleExtractor": "openai_chat",
    "OpenAIExtractor": "openai_chat",
}


def __getattr__(name: str) -> Any:
    """Load an extractor's module when it is asked for."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""What every test of a model extractor finds: a server on this machine, keys, and no proxy in between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.extract.models.loopback import Loopback, serving
from tests.extract.models.wires import KEY

_KEYS = ("OPENAI_API_KEY", "OPENAI_COMPATIBLE_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
_OTHERS = (
    "OPENAI_BASE_URL", "OPENAI_COMPATIBLE_BASE_URL", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY",
    "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST", "OLLAMA_API_KEY", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy",
    "https_proxy", "all_proxy",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _KEYS:
        monkeypatch.setenv(name, KEY)
    for name in _OTHERS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as loopback:
        yield loopback

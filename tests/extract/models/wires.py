"""Each provider as the tests need it: how its extractor is made, and where in its wire format things stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tensemem.extract import models
from tensemem.extract.models import flat
from tensemem.model.operation import Operation
from tensemem.model.predicate import Predicate
from tensemem.ports import ExtractionRequest, RequestMessage
from tests.extract.models.loopback import Asked

KEY = "sk-this-is-the-key-0123456789abcdef"
BERLIN = ZoneInfo("Europe/Berlin")
SAID = datetime(2026, 3, 5, 10, 30, tzinfo=BERLIN)
REQUEST = ExtractionRequest(
    (RequestMessage("I live in Delhi", "user", SAID), RequestMessage("Nur noch Rust und C.", "user", SAID)),
    window=(RequestMessage("Where do you live?", "assistant", SAID),),
    predicates=(Predicate("lives_in", description="home town"), Predicate("languages", "many")),
    state={"user": {"lives_in": "Pune"}},
)
WANTED = (
    Operation("set", "lives_in", "Delhi", quote="I live in Delhi", message=0),
    Operation("replace", "languages", ["Rust", "C"], quote="Nur noch Rust und C", message=1),
)


def operation(**given: Any) -> dict[str, Any]:
    """A flat operation as a model writes it."""
    defaults = {"message": 0, "quote": "", "op": "set", "subject": "user", "predicate": "lives_in"}
    return {**dict.fromkeys(flat.FIELDS), **defaults, "modality": "asserted", "confidence": 1, **given}


def answer(*operations: dict[str, Any]) -> str:
    """A whole answer as a model writes it."""
    return json.dumps({"operations": list(operations)}, ensure_ascii=False)


GOOD = answer(
    operation(value="Delhi", quote="I live in Delhi"),
    operation(op="replace", predicate="languages", values=["Rust", "C"], quote="Nur noch Rust und C", message=1),
)


@dataclass(frozen=True)
class Sent:
    """What a request said, whatever the provider's form."""

    model: str
    instructions: str
    turns: list[tuple[str, str]]
    schema: dict[str, Any]
    temperature: float | None
    most: int


@dataclass(frozen=True)
class Wire:
    """A provider: its SDK, its extractor, the variable of its key, and how to read what it sends."""

    name: str
    sdk: str
    extractor: str
    variable: str | None
    path: str
    read: Callable[[Asked], Sent]
    suffix: str = ""
    model: str = "some-model"

    def make(self, url: str, **options: Any) -> Any:
        """The extractor, asking at an address."""
        pytest.importorskip(self.sdk, reason=f"the SDK {self.sdk} is not installed")
        return getattr(models, self.extractor)(self.model, base_url=url + self.suffix, **options)


def _read_chat(asked: Asked) -> Sent:
    body = asked.body
    form = body["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    (role, told), *turns = [(turn["role"], turn["content"]) for turn in body["messages"]]
    assert role == "system"
    most = body["max_completion_tokens"] if "max_completion_tokens" in body else body["max_tokens"]
    return Sent(body["model"], told, turns, form["json_schema"]["schema"], body.get("temperature"), most)


def _read_anthropic(asked: Asked) -> Sent:
    body = asked.body
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    turns = [(turn["role"], _joined(turn["content"])) for turn in body["messages"]]
    schema = body["output_config"]["format"]["schema"]
    return Sent(body["model"], body["system"][0]["text"], turns, schema, body.get("temperature"), body["max_tokens"])


def _joined(content: Any) -> str:
    return content if isinstance(content, str) else "\n\n".join(block["text"] for block in content)


def _read_gemini(asked: Asked) -> Sent:
    body, config = asked.body, asked.body["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    turns = [
        ({"model": "assistant"}.get(turn["role"], turn["role"]), turn["parts"][0]["text"]) for turn in body["contents"]
    ]
    model = asked.path.split("/models/")[1].partition(":")[0]
    told = body["systemInstruction"]["parts"][0]["text"]
    schema = config["responseJsonSchema"]
    return Sent(model, told, turns, schema, config.get("temperature"), config["maxOutputTokens"])


def _read_ollama(asked: Asked) -> Sent:
    body, options = asked.body, asked.body["options"]
    assert body["stream"] is False
    assert options["num_ctx"] >= 8192
    (role, told), *turns = [(turn["role"], turn["content"]) for turn in body["messages"]]
    assert role == "system"
    return Sent(body["model"], told, turns, body["format"], options.get("temperature"), options["num_predict"])


OPENAI = Wire(
    "openai", "openai", "OpenAIExtractor", "OPENAI_API_KEY", "/v1/chat/completions", _read_chat, suffix="/v1"
)
COMPATIBLE = Wire(
    "openai-compatible", "openai", "OpenAICompatibleExtractor", "OPENAI_COMPATIBLE_API_KEY", "/v1/chat/completions",
    _read_chat, suffix="/v1",
)  # fmt: skip
ANTHROPIC = Wire(
    "anthropic", "anthropic", "AnthropicExtractor", "ANTHROPIC_API_KEY", "/v1/messages", _read_anthropic
)
GEMINI = Wire(
    "gemini", "google.genai", "GeminiExtractor", "GEMINI_API_KEY", "/models/some-model:generateContent",
    _read_gemini,
)  # fmt: skip
OLLAMA = Wire("ollama", "ollama", "OllamaExtractor", None, "/api/chat", _read_ollama)
LITELLM = Wire(
    "litellm", "litellm", "LiteLLMExtractor", "OPENAI_API_KEY", "/v1/chat/completions", _read_chat, suffix="/v1",
    model="openai/some-model",
)  # fmt: skip
WIRES = (OPENAI, COMPATIBLE, ANTHROPIC, GEMINI, OLLAMA)
LITELLM_MARKS = (
    pytest.mark.slow,  # it takes seconds to load, and 250 MB of disk
    # pydantic warns about types of LiteLLM's own, as they are loaded.
    pytest.mark.filterwarnings("ignore:Items? .* on TypedDict class:UserWarning"),
)
each_wire = pytest.mark.parametrize(
    "wire",
    [*WIRES, pytest.param(LITELLM, marks=LITELLM_MARKS)],
    ids=lambda wire: wire.name,
)

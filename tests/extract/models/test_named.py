"""Extractors by name: one string chooses the provider, and nothing is loaded that is not used."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import ExtractorError
from tensemem.extract import models, named
from tensemem.extract.calling import as_extractor
from tests.extract.models.wires import WIRES, Wire
from tests.store.children import run_child

SDKS = {"openai", "anthropic", "google.genai", "ollama", "litellm", "tenacity", "httpx", "httpx2"}


def made_from(text: str) -> Any:
    return named.extractor_named(text)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_a_name_a_model_and_an_address_make_an_extractor(wire: Wire) -> None:
    pytest.importorskip(wire.sdk)
    extractor = made_from(f"{wire.name}:some/model:8b@http://127.0.0.1:8000/v1/")
    assert type(extractor).__name__ == wire.extractor
    assert (extractor.name, extractor.model) == (wire.name, "some/model:8b")
    assert extractor.base_url == "http://127.0.0.1:8000/v1"
    assert repr(extractor) == f"{wire.extractor}('some/model:8b')"
    assert (as_extractor(extractor).name, as_extractor(extractor).model) == (wire.name, "some/model:8b")
    assert as_extractor(extractor).prompt_digest == extractor.prompt_digest


@pytest.mark.parametrize(
    ("wire", "address"),
    [(wire, address) for wire, address in zip(WIRES, [
        "https://api.openai.com/v1", None, "https://api.anthropic.com", "https://generativelanguage.googleapis.com",
        "http://127.0.0.1:11434",
    ], strict=True) if address],
    ids=lambda given: getattr(given, "name", None),
)  # fmt: skip
def test_without_an_address_it_is_the_provider_s_own_or_that_of_the_environment(
    wire: Wire, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(wire.sdk)
    extractor = made_from(f" {wire.name.upper()} : m ")
    assert (extractor.base_url, extractor.model) == (address, "m")
    monkeypatch.setenv(type(extractor).url_variable, "http://127.0.0.1:9/x")
    assert made_from(f"{wire.name}:m").base_url == "http://127.0.0.1:9/x"


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire.variable], ids=lambda wire: wire.name)
def test_a_missing_key_is_told_when_the_memory_is_opened(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(wire.sdk)
    monkeypatch.delenv(str(wire.variable))
    if wire.name == "openai-compatible":  # many such servers want none
        with Memory(":memory:", llm="openai-compatible:m@http://127.0.0.1:9"):
            return
    with pytest.raises(ExtractorError, match=f"{wire.name}: there is no key; set {wire.variable}"):
        Memory(":memory:", llm=f"{wire.name}:m")


def test_a_server_of_one_s_own_may_have_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    given: dict[str, Any] = {"base_url": "http://127.0.0.1:9", "key_variable": "SOME_HOST_KEY"}
    with pytest.raises(ExtractorError, match="set SOME_HOST_KEY"):
        models.OpenAICompatibleExtractor("m", **given)
    monkeypatch.setenv("SOME_HOST_KEY", "k")
    assert models.OpenAICompatibleExtractor("m", **given)._key == "k"


def test_the_key_of_one_provider_is_not_sent_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.delenv("OPENAI_COMPATIBLE_API_KEY")
    assert made_from("openai-compatible:m@http://127.0.0.1:9")._key is None


def test_a_compatible_server_needs_an_address() -> None:
    pytest.importorskip("openai")
    with pytest.raises(ExtractorError, match="there is no address; give base_url, or write 'openai-compatible:model@"):
        made_from("openai-compatible:m")


@pytest.mark.parametrize("rest", ["", ":", ": ", ":@http://x"])
@pytest.mark.parametrize("provider", sorted(set(named.FACTORIES) - {"cassette", "offline"}))
def test_a_provider_without_a_model_is_told_so(provider: str, rest: str) -> None:
    with pytest.raises(ExtractorError, match=f"{provider}: name a model: '{provider}:MODEL'"):
        Memory(":memory:", llm=provider + rest)


@pytest.mark.parametrize(
    "text",
    ["openai:gpt@", "openai:gpt@notaurl", "openai:gpt@ftp://x", "openai:gpt@http://", "openai:gpt@http://:8000",
     "openai:gpt@http://x:port", "ollama:qwen3:8b@127.0.0.1:11434", "openai-compatible:@cf/m@host",
     "litellm:m@http://:1"],
)  # fmt: skip
def test_what_is_no_address_is_told_with_how_it_is_written(text: str) -> None:
    provider = text.partition(":")[0]
    with pytest.raises(ExtractorError, match=f"{provider}: behind '@' .* as in '{provider}:MODEL@http://127"):
        Memory(":memory:", llm=text)


def test_a_model_may_have_the_sign_of_an_address_in_its_name() -> None:
    pytest.importorskip("openai")
    extractor = made_from("openai-compatible:@cf/llama@http://127.0.0.1:9/v1")
    assert (extractor.model, extractor.base_url) == ("@cf/llama", "http://127.0.0.1:9/v1")
    assert models.OpenAIExtractor("claude@20240620").model == "claude@20240620"


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@pytest.mark.parametrize("address", ["ann:hush-hush@host:70000", "ftp://hush-hush", "http://", "http://hush-hush:x"])
def test_what_is_no_address_in_the_environment_is_told_and_not_repeated(
    wire: Wire, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(wire.sdk)
    variable = getattr(models, wire.extractor).url_variable
    monkeypatch.setenv(variable, address)
    with pytest.raises(ExtractorError, match=f"{variable} must begin with http:// or https://") as caught:
        Memory(":memory:", llm=f"{wire.name}:m")
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "address"),
    [("0.0.0.0", "http://0.0.0.0:11434"), ("127.0.0.1:9", "http://127.0.0.1:9"), (":9", "http://127.0.0.1:9"),
     ("box/under/", "http://box:11434/under"), ("[::1]", "http://[::1]:11434"), ("https://box", "https://box")],
)  # fmt: skip
def test_ollama_s_variable_may_name_a_host_alone(host: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ollama")
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert made_from("ollama:m").base_url == address


@pytest.mark.parametrize("text", ["", ":", "gpt-5", "opnai:gpt-5", "http://127.0.0.1", "a" * 500 + "\ud800:x"])
def test_an_unknown_provider_is_told_with_those_there_are(text: str) -> None:
    with pytest.raises(ExtractorError) as caught:
        as_extractor(text)
    assert all(name in str(caught.value) for name in named.FACTORIES)
    assert len(str(caught.value)) < 400
    assert str(caught.value).encode()


@pytest.mark.parametrize("name", sorted(named.FACTORIES))
def test_an_sdk_that_is_not_installed_is_told_with_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name not in {wire.name for wire in WIRES} | {"litellm"}:
        pytest.skip("it needs no SDK")
    for sdk in SDKS:
        monkeypatch.setitem(sys.modules, sdk, None)
    extra = "openai" if name == "openai-compatible" else name
    sdk = {"gemini": "google.genai"}.get(name, extra)
    told = rf"{name}: the library {sdk} can't be loaded; install the extra `{extra}`"
    with pytest.raises(ExtractorError, match=told):
        Memory(":memory:", llm=f"{name}:m@http://127.0.0.1:9")


def test_all_names_are_there_and_load_when_asked_for() -> None:
    for name in models.__all__:
        kind = getattr(models, name)
        assert kind.__name__ == name
        assert kind.__doc__
    assert set(models.__all__) <= set(dir(models))
    assert not hasattr(models, "MistralExtractor")


def test_importing_the_library_and_naming_extractors_loads_no_sdk() -> None:
    code = """
        import json, sys
        import tensemem
        from tensemem import Memory, FakeExtractor
        from tensemem.extract import models, named
        from tensemem.extract.models import OpenAIExtractor, AnthropicExtractor, GeminiExtractor
        from tensemem.extract.models import OllamaExtractor, LiteLLMExtractor, OpenAICompatibleExtractor
        with Memory(":memory:", llm=FakeExtractor()) as mem:
            mem.add("ann", "hello", wait=True)
        print(json.dumps(sorted(sys.modules)))
    """
    assert not set(json.loads(run_child(code))) & (SDKS | {"pydantic"})


def test_asking_for_one_provider_loads_no_other() -> None:
    pytest.importorskip("ollama")
    code = """
        import json, sys
        from tensemem.extract.calling import as_extractor
        as_extractor("ollama:m")
        print(json.dumps(sorted(sys.modules)))
    """
    loaded = set(json.loads(run_child(code)))
    assert "ollama" in loaded
    assert not loaded & {"openai", "anthropic", "google.genai", "litellm"}

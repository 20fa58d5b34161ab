"""Nothing that was sent in confidence is told again, however a server repeats it."""

from __future__ import annotations

import asyncio
import base64
import functools
import html
import json
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from tensemem import Memory
from tensemem.errors import ExtractorError
from tensemem.extract import models
from tensemem.extract.calling import as_extractor
from tensemem.extract.models.unsaid import MARK, MAX_HEARD, Secrets
from tests.extract.models.loopback import Asked, Loopback, Reply, Says, Status
from tests.extract.models.wires import (
    ANTHROPIC,
    COMPATIBLE,
    GEMINI,
    GOOD,
    OLLAMA,
    OPENAI,
    REQUEST,
    WANTED,
    WIRES,
    Wire,
    answer,
    each_wire,
    operation,
)

# None has the form of a secret, so that the filter for such forms does not hide what is tested here.
OWN, TOKEN, GATEWAY, PASSWORD = "plum+jam/on=toast", "fig&walnut/tartlet", "pear<cake>today", "quince-jelly"
SECRETS = (OWN, TOKEN, GATEWAY, PASSWORD)
FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in a url": lambda said: quote(said, safe=""),
    "in a path": quote,
    "in lower case": lambda said: quote_plus(said).lower(),
    "in html": html.escape,
    "in json": lambda said: json.dumps({"header": said}),
    "in base64": lambda said: base64.b64encode(said.encode()).decode(),
}


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_COMPATIBLE_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, OWN)
    monkeypatch.setenv("OLLAMA_API_KEY", TOKEN)
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, f"X-Gateway: {GATEWAY}")


def echoing(status: int, form: Callable[[str], str]) -> Callable[[Asked], Reply]:
    """A server that says back each word of each header that is no matter of form, alone and together."""

    def reply(asked: Asked) -> Reply:
        said = [value for name, value in asked.headers.items() if name.lower() in CONFIDENTIAL]
        assert said
        words = [word for value in said for word in (value, *value.split(" "))]
        return Status(status, " | ".join(form(word) for word in words))

    return reply


CONFIDENTIAL = {"authorization", "x-api-key", "x-goog-api-key", "x-gateway", "cookie"}


def error_of(extractor: Any) -> str:
    extractor._sleep = _rest
    with pytest.raises(ExtractorError) as caught:
        asyncio.run(as_extractor(extractor).acall(REQUEST))
    return "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))


async def _rest(_seconds: float) -> None:
    pass


def assert_untold(told: str, mark: str = MARK) -> None:
    assert mark in told
    for secret in SECRETS:
        for name, form in FORMS.items():
            spelt = form(secret) if name != "in json" else secret
            assert spelt.rstrip("=").lower() not in told.lower()
        for word in secret.replace("-", "+").replace("&", "+").replace("<", "+").replace("/", "+").split("+"):
            assert word not in told


@each_wire
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_what_an_echoing_server_says_back_is_not_told(wire: Wire, server: Loopback, status: int, form: str) -> None:
    server.answer = echoing(status, FORMS[form])
    assert_untold(error_of(wire.make(server.url)))
    assert server.asked


@each_wire
def test_a_password_in_the_address_is_not_told(wire: Wire, server: Loopback) -> None:
    def reply(asked: Asked) -> Reply:
        sent = f"ann:{PASSWORD}"
        encoded = base64.b64encode(sent.encode()).decode()
        return Status(500, f"{asked.headers.get('Authorization')} {encoded} {sent} {PASSWORD}")

    server.answer = reply
    told = error_of(wire.make(server.url.replace("//", f"//ann:{PASSWORD}@"), max_retries=0))
    assert_untold(told, MARK if server.asked else "")  # LiteLLM asks no such address


GIVEN: dict[str, tuple[Wire, Callable[[str], Any]]] = {
    "openai": (OPENAI, lambda url: _sdk("openai").AsyncOpenAI(
        api_key=TOKEN, base_url=f"{url}/v1", default_headers={"X-Gateway": GATEWAY}, max_retries=0)),
    "openai-compatible": (COMPATIBLE, lambda url: _sdk("openai").AsyncOpenAI(
        api_key=TOKEN, base_url=f"{url}/v1", max_retries=0)),
    "anthropic": (ANTHROPIC, lambda url: _sdk("anthropic").AsyncAnthropic(
        auth_token=TOKEN, base_url=url, default_headers={"Cookie": f"session={GATEWAY}"}, max_retries=0)),
    "gemini": (GEMINI, lambda url: _sdk("google.genai").Client(
        api_key=TOKEN, vertexai=False,
        http_options={"base_url": url, "headers": {"X-Gateway": GATEWAY}, "retry_options": {"attempts": 1}})),
    "ollama": (OLLAMA, lambda url: _sdk("ollama").AsyncClient(
        host=url, headers={"Authorization": f"Bearer {TOKEN}", "X-Gateway": GATEWAY})),
}  # fmt: skip


def _sdk(name: str) -> Any:
    return import_module(name)


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("form", FORMS)
def test_what_a_client_of_the_caller_s_sends_is_not_told(
    name: str, form: str, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, make = GIVEN[name]
    pytest.importorskip(wire.sdk)
    for variable in ("OLLAMA_API_KEY", "OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable)
    server.answer = echoing(401, FORMS[form])
    client = make(server.url)
    assert_untold(error_of(getattr(models, wire.extractor)(wire.model, client=client)))


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_an_answer_that_repeats_a_key_does_not_keep_it(wire: Wire, server: Loopback) -> None:
    secret = TOKEN if wire is OLLAMA else OWN
    bad = answer(operation(value="Delhi", quote="I live in Delhi", op=secret))
    server.replies[:] = [Says(bad), Says(bad)]
    (malformed,) = asyncio.run(as_extractor(wire.make(server.url)).acall(REQUEST)).operations
    assert secret not in repr(malformed)
    assert MARK in repr(malformed)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_neither_the_jobs_nor_the_file_know_it(wire: Wire, server: Loopback, tmp_path: Path) -> None:
    pytest.importorskip(wire.sdk)
    server.answer = echoing(400, str)
    path = tmp_path / "memory.db"
    with Memory(path, llm=f"{wire.name}:{wire.model}@{server.url}{wire.suffix}", worker=False) as memory:
        memory.add("ann", "I live in Delhi")
        memory.flush("ann")
        (job,) = memory.jobs("ann")
        assert_untold(repr(job))
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert all(secret.encode() not in kept for secret in SECRETS)


# The class behind it


def test_a_secret_that_is_cut_at_the_end_of_what_is_heard_is_not_told_by_half() -> None:
    for shift in range(len(OWN) + 2):
        told = Secrets([OWN], []).out_of("x" * (MAX_HEARD - shift) + OWN + "y" * 50)
        assert "plum" not in told
        assert "pl" not in told


def test_short_secrets_are_replaced_as_words_only() -> None:
    assert Secrets(["k1"], []).out_of("the key 'k1' of mark12 is k1.") == f"the key '{MARK}' of mark12 is {MARK}."
    assert Secrets(["k1"], []).out_of_answer('"k1"') == '"k1"'
    assert Secrets([""], []).out_of("nothing") == "nothing"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("SOME_HOST_KEY", OWN, OWN), ("MY_AUTH", f"Bearer {OWN}", OWN), ("DB_PASSWORD", PASSWORD, PASSWORD),
     ("HTTPS_PROXY", f"http://ann:{PASSWORD}@proxy:1", PASSWORD), ("THE_COOKIE", f"a=1; b={GATEWAY}", GATEWAY),
     ("A_TOKEN", base64.b64encode(f"ann:{PASSWORD}".encode()).decode(), PASSWORD)],
)  # fmt: skip
def test_what_the_environment_names_a_secret_is_one(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert Secrets([], []).out_of(f"<{said}>") == f"<{MARK}>"


def test_what_is_no_secret_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "some-editor")
    monkeypatch.setenv("USE_KEYS", "true")
    said = "true: some-editor can't find the model, none of them"
    assert Secrets([], [{"api_key": "none"}]).out_of(said) == said


class Holder:
    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)


class Hidden:
    def get_secret_value(self) -> str:
        return OWN


@pytest.mark.parametrize(
    "sender",
    [Holder(api_key=OWN), Holder(inner=Holder(_auth_token=OWN)), Holder(_headers={b"X-Any": OWN.encode()}),
     functools.partial(print, api_key=OWN), Holder(password=Hidden()), Holder(host=f"http://{quote(OWN, safe='')}@h"),
     {"extra_headers": {"x": OWN}}],
)  # fmt: skip
def test_a_sender_is_looked_into(sender: object) -> None:
    assert Secrets([], [sender]).out_of(f"no {OWN}!") == f"no {MARK}!"


def test_what_the_request_of_an_error_said_is_a_secret() -> None:
    request = Holder(headers={"X-Any": OWN, "Accept": "application/json"}, url=f"http://ann:{PASSWORD}@host/")
    cause, error = ValueError(), ValueError()
    cause.response = Holder(request=request)  # type: ignore[attr-defined]
    error.__context__ = cause
    said = f"{OWN} {PASSWORD} application/json"
    assert Secrets([], [], error).out_of(said) == f"{MARK} {MARK} application/json"


def test_looking_into_a_sender_ends() -> None:
    ring = Holder()
    vars(ring).update(ring=ring, many={n: Holder(n=n, up=ring) for n in range(10_000)})
    assert Secrets([], [ring]).out_of("all is well") == "all is well"


def test_a_good_answer_is_left_as_it_is(server: Loopback) -> None:
    server.replies[:] = [Says(GOOD)]
    assert asyncio.run(as_extractor(OLLAMA.make(server.url)).acall(REQUEST)).operations == WANTED

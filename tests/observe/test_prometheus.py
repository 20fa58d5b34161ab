"""Metrics as Prometheus' own parser reads them: what was done, what state a memory is in, and nobody's name."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, errors
from tensemem.observe.exposition import CONTENT_TYPE, Family, Histogram, number_text, text_of
from tensemem.observe.prometheus import Metrics, render
from tests.observe import needed

text_string_to_metric_families = needed("prometheus_client.parser").text_string_to_metric_families

USER, WORD, TENANT = "secret-user", "Xanadu", "secret-tenant"


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db", llm=FakeExtractor(), worker=False) as memory:
        memory.register_predicate("lives_in")
        yield memory


def samples(text: str) -> dict[str, float]:
    """Every sample by name and labels, as Prometheus' client reads them; each family has its type and help."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        assert family.type in ("counter", "gauge", "histogram"), family
        assert family.documentation, family
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            key = sample.name + (f"{{{labels}}}" if labels else "")
            assert key not in found, f"{key} twice"
            found[key] = sample.value
    return found


def test_verbs_are_counted_with_their_outcome_and_time(mem: Memory) -> None:
    metrics = Metrics()
    mem.on(metrics)
    mem.set(USER, "lives_in", WORD)
    mem.get(USER, "lives_in")
    mem.get(USER, "lives_in")
    with pytest.raises(errors.UnknownPredicateError):
        mem.set(USER, WORD, 1)
    found = samples(metrics.render())
    assert found["tensemem_calls_total{outcome=ok,verb=set}"] == 1
    assert found["tensemem_calls_total{outcome=UnknownPredicateError,verb=set}"] == 1
    assert found["tensemem_calls_total{outcome=ok,verb=get}"] == 2
    assert found["tensemem_call_seconds_count{verb=get}"] == 2
    assert found["tensemem_call_seconds_bucket{le=+Inf,verb=get}"] == 2
    assert found["tensemem_call_seconds_sum{verb=get}"] > 0
    assert found["tensemem_events_total{event=written}"] == 1


def test_extraction_is_counted_with_its_steps_and_lag(mem: Memory) -> None:
    metrics = Metrics()
    mem.on(metrics)
    mem.add(USER, "I live in Delhi")
    mem.flush()
    found = samples(metrics.render())
    for step in ("ask", "keep", "settle"):
        assert found[f"tensemem_steps_total{{outcome=ok,step={step}}}"] == 1
    assert found["tensemem_operations_total"] == 1
    assert found["tensemem_extraction_lag_seconds_count"] == 1


def test_messages_that_are_given_up_are_counted(tmp_path: Path) -> None:
    def fails(request: Any) -> Any:
        raise ZeroDivisionError(WORD)

    metrics = Metrics()
    with Memory(tmp_path / "memory.db", llm=fails, worker=False) as mem:
        mem.on(metrics)
        mem.add(USER, WORD)
        for _ in range(5):
            mem.flush()
        found = samples(metrics.render(mem))
    assert found["tensemem_given_up_total"] == 1
    assert found["tensemem_events_total{event=failed}"] == 5
    assert found["tensemem_failed_messages"] == 1
    assert found["tensemem_steps_total{outcome=ExtractorError,step=ask}"] == 5


def test_an_error_of_an_unknown_type_is_counted_as_other(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    class Unheard(Exception):
        pass

    def fails(**_: Any) -> Any:
        raise Unheard(WORD)

    metrics = Metrics()
    mem.on(metrics)
    monkeypatch.setattr(mem._engine.store, "write", fails)
    with pytest.raises(Unheard, match=WORD):
        mem.set(USER, "lives_in", "Goa")
    monkeypatch.undo()
    assert samples(metrics.render())["tensemem_calls_total{outcome=other,verb=set}"] == 1


def test_the_state_of_a_memory_is_told(mem: Memory, tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", worker=False, namespace=TENANT) as other:
        other.add(USER, "hello")
    mem.add(USER, "I live in Delhi")
    found = samples(render(mem))
    assert found["tensemem_pending_messages"] == 2
    assert found["tensemem_workers{state=live}"] == 0
    assert found["tensemem_wal_bytes"] == os.path.getsize(tmp_path / "memory.db-wal")
    assert found["tensemem_file_bytes"] > 0
    assert "tensemem_entries" not in found
    with Memory(tmp_path / "memory.db", worker=False, namespace="third") as pinned:
        assert samples(render(pinned))["tensemem_pending_messages"] == 0


def test_sizes_are_told_where_they_are_asked_for(mem: Memory) -> None:
    mem.set(USER, "lives_in", WORD)
    found = samples(render(mem, sizes=True))
    assert (found["tensemem_scopes"], found["tensemem_facts"]) == (1, 1)


def test_what_extractors_used_is_told(tmp_path: Path) -> None:
    class Counting:
        name, model = "counting", 'a "model"\\'

        def extract(self, request: Any) -> Any:
            return []

        usage = {"calls": 1, "input_tokens": 7, "output_tokens": 3}  # noqa: RUF012

    with Memory(tmp_path / "memory.db", llm=Counting(), worker=False) as mem:
        mem.add(USER, "hello")
        mem.flush()
        found = samples(render(mem, sizes=True))
    who = 'extractor=counting,model=a "model"\\'
    assert found[f"tensemem_extractor_calls_total{{{who}}}"] == 1
    assert found[f"tensemem_extractor_tokens_total{{direction=input,{who}}}"] == 7
    assert found[f"tensemem_extractor_tokens_total{{direction=output,{who}}}"] == 3


def test_no_label_names_a_user_a_namespace_or_a_word(tmp_path: Path) -> None:
    metrics = Metrics()
    with Memory(tmp_path / "memory.db", llm=FakeExtractor(), worker=False, namespace=TENANT) as mem:
        mem.on(metrics)
        mem.register_predicate("lives_in")
        mem.add(USER, f"I live in {WORD}")
        mem.flush()
        mem.context(USER, WORD)
        text = metrics.render(mem, sizes=True)
    assert samples(text)["tensemem_facts"] == 1
    assert [word for word in (USER, WORD, TENANT, "lives_in") if word in text] == []


def test_an_awaited_memory_is_counted_too(tmp_path: Path) -> None:
    metrics = Metrics()

    async def use() -> str:
        async with AsyncMemory(tmp_path / "memory.db", worker=False) as mem:
            await mem.on(metrics)
            await mem.add(USER, "hello")
            return await asyncio.to_thread(metrics.render, mem)

    found = samples(asyncio.run(use()))
    assert found["tensemem_calls_total{outcome=ok,verb=add}"] == 1
    assert found["tensemem_pending_messages"] == 1


def test_a_closed_memory_has_no_state(tmp_path: Path) -> None:
    mem = Memory(tmp_path / "memory.db", worker=False)
    mem.close()
    with pytest.raises(errors.ClosedError):
        render(mem)


def test_the_form_is_that_of_prometheus() -> None:
    family = Family("tensemem_x", 'a "help"\nin two lines \\', "gauge")
    family.put(1.5, label='quote " slash \\ line\nend \ud83d')
    times = Histogram("tensemem_t", "Times.", (0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        times.observe(seconds)
    text = text_of([family, times, Family("tensemem_empty", "Nothing.", "counter")])
    assert text.splitlines() == [
        r'# HELP tensemem_x a "help"\nin two lines \\',
        "# TYPE tensemem_x gauge",
        r'tensemem_x{label="quote \" slash \\ line\nend ?"} 1.5',
        "# HELP tensemem_t Times.",
        "# TYPE tensemem_t histogram",
        'tensemem_t_bucket{le="0.1"} 2',
        'tensemem_t_bucket{le="1"} 3',
        'tensemem_t_bucket{le="+Inf"} 4',
        "tensemem_t_sum 7.65",
        "tensemem_t_count 4",
    ]
    assert samples(text)["tensemem_t_sum"] == 7.65
    assert "version=0.0.4" in CONTENT_TYPE


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1"), (0.25, "0.25"), (math.inf, "+Inf"), (2.0, "2"), (1e300, "1e+300")]
)
def test_numbers_are_written_as_it_reads_them(value: float, text: str) -> None:
    assert number_text(value) == text


def test_a_name_that_is_none_is_refused() -> None:
    family = Family("Tensemem-x", "", "gauge")
    family.put(1)
    with pytest.raises(ValueError, match="can't name a metric"):
        text_of([family])

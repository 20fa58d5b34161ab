"""Spans and metrics as OpenTelemetry's SDK exports them: the conventions' names, no content unless asked for."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, Message, Operation, errors
from tensemem.engine.watching import Call
from tensemem.observe import names
from tensemem.observe.otel import CAPTURE, LONGEST_RECORDS, Tracing, instrument
from tensemem.verbs.scoped import public_verbs
from tests.observe import needed

trace = needed("opentelemetry.sdk.trace")
exported = needed("opentelemetry.sdk.trace.export")
kept_spans = needed("opentelemetry.sdk.trace.export.in_memory_span_exporter")
measures = needed("opentelemetry.sdk.metrics")
kept_measures = needed("opentelemetry.sdk.metrics.export")
api = needed("opentelemetry.trace")

USER, WORD = "secret-user", "Xanadu"


class Exported:
    """Providers that keep what they are given."""

    def __init__(self) -> None:
        self._spans = kept_spans.InMemorySpanExporter()
        self._reader = kept_measures.InMemoryMetricReader()
        tracer_provider = trace.TracerProvider()
        tracer_provider.add_span_processor(exported.SimpleSpanProcessor(self._spans))
        self.providers: dict[str, Any] = {
            "tracer_provider": tracer_provider,
            "meter_provider": measures.MeterProvider(metric_readers=[self._reader]),
        }

    @property
    def spans(self) -> list[Any]:
        return list(self._spans.get_finished_spans())

    @property
    def names(self) -> list[str]:
        return [span.name for span in self.spans]

    def span(self, name: str) -> Any:
        return next(span for span in self.spans if span.name == name)

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        found = self._reader.get_metrics_data()
        metrics = [] if found is None else found.resource_metrics[0].scope_metrics[0].metrics
        points = [point for metric in metrics if metric.name == name for point in metric.data.data_points]
        return [(dict(point.attributes), point) for point in points]

    def all_text(self) -> str:
        return repr([(s.name, dict(s.attributes), s.events, s.status.description) for s in self.spans])


@pytest.fixture
def out() -> Exported:
    return Exported()


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db", llm=FakeExtractor(), worker=False) as memory:
        memory.register_predicate("lives_in")
        yield memory


def test_a_verb_is_a_span_named_by_the_conventions(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    written = mem.set(USER, "lives_in", WORD, agent_id="guide")
    (span,) = out.spans
    assert span.name == "upsert_memory"
    found = dict(span.attributes)
    assert found == {
        "gen_ai.operation.name": "upsert_memory", "gen_ai.provider.name": "tensemem", "gen_ai.agent.id": "guide",
        "gen_ai.memory.store.id": "default", "gen_ai.memory.record.id": written.fact_id,
        "gen_ai.memory.record.count": 1, "tensemem.verb": "set", "tensemem.seq": 1, "tensemem.rev": 1,
        "tensemem.changed": True, "tensemem.duplicate": False,
    }  # fmt: skip
    assert span.status.is_ok or span.status.is_unset


def test_what_the_conventions_have_no_word_for_goes_by_its_own_name(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    mem.stats()
    assert out.names == ["tensemem.stats"]
    assert names.OPERATION not in out.span("tensemem.stats").attributes


def test_a_conversation_is_named(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    mem.add(USER, "hello", session_id="talk 1")
    assert out.span("create_memory").attributes[names.CONVERSATION] == "talk 1"


def test_steps_are_children_of_the_verb_they_are_taken_in(mem: Memory, out: Exported) -> None:
    mem.add(USER, "I live in Delhi")
    instrument(mem, **out.providers)
    mem.flush()
    by_id = {span.context.span_id: span.name for span in out.spans}
    parents = {span.name: by_id.get(span.parent.span_id) if span.parent else None for span in out.spans}
    assert parents == {
        "tensemem.ask": "tensemem.settle", "tensemem.keep": "tensemem.settle", "tensemem.settle": "tensemem.flush",
        "tensemem.flush": None,
    }  # fmt: skip
    assert out.span("tensemem.ask").attributes["tensemem.extractor"] == "fake"


def test_what_an_extractor_does_is_a_child_of_asking_it(tmp_path: Path, out: Exported) -> None:
    tracer = out.providers["tracer_provider"].get_tracer("model")

    def extract(request: Any) -> list[Operation]:
        with tracer.start_as_current_span("chat"):
            return []

    with Memory(tmp_path / "memory.db", llm=extract, worker=False) as mem:
        instrument(mem, **out.providers)
        mem.add(USER, "hello")
        mem.flush()
    assert out.span("chat").parent.span_id == out.span("tensemem.ask").context.span_id


def test_the_model_that_is_asked_is_named_with_what_it_used(tmp_path: Path, out: Exported) -> None:
    class Model:
        name, model = "maker", "maker-large"
        usage = {"calls": 1, "input_tokens": 70, "output_tokens": 3}  # noqa: RUF012

        def extract(self, request: Any) -> list[Operation]:
            return []

    with Memory(tmp_path / "memory.db", llm=Model(), worker=False) as mem:
        instrument(mem, **out.providers)
        mem.add(USER, "hello")
        mem.flush()
    found = out.span("tensemem.ask").attributes
    assert [found[name] for name in (names.REQUEST_MODEL, names.INPUT_TOKENS, names.OUTPUT_TOKENS)] == [
        "maker-large", 70, 3,
    ]  # fmt: skip


def test_a_span_of_the_application_is_the_parent(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    tracer = out.providers["tracer_provider"].get_tracer("app")
    with tracer.start_as_current_span("turn"):
        mem.state(USER)
        mem.get(USER, "lives_in")
    turn = out.span("turn").context.span_id
    assert [span.parent.span_id for span in out.spans if span.name == "search_memory"] == [turn, turn]


def test_errors_are_told_by_type_alone(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    with pytest.raises(errors.UnknownPredicateError, match=WORD):
        mem.set(USER, WORD, 1)
    (span,) = out.spans
    assert span.attributes["error.type"] == "UnknownPredicateError"
    assert not span.status.is_ok
    assert (span.status.description, span.events) == (None, ())
    assert WORD not in out.all_text()


def everything(mem: Memory) -> None:
    mem.add(USER, f"I live in {WORD}", session_id="s", speaker=None, metadata={"key": WORD})
    mem.flush()
    mem.set(USER, "lives_in", f"{WORD} 2", source=WORD)
    mem.context(USER, WORD)
    mem.search(USER, WORD)
    mem.history(USER)
    mem.explain(mem.state(USER).facts[0].id)
    list(mem.add_many([Message(USER, WORD)]))
    with pytest.raises(errors.TensememError):
        mem.set(USER, WORD, WORD)


def test_there_is_no_content_and_no_user_by_default(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    everything(mem)
    assert len(out.spans) > 10
    assert [word for word in (USER, WORD, "lives_in") if word in out.all_text()] == []
    told = repr([out.points(name) for name in (names.DURATION, "tensemem.events", "tensemem.step.duration")])
    assert [word for word in (USER, WORD, "lives_in") if word in told] == []


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_content_is_there_where_it_is_asked_for(
    mem: Memory, out: Exported, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "environment":
        monkeypatch.setenv(CAPTURE, "True")
    instrument(mem, **out.providers, content=True if how == "argument" else None)
    mem.set(USER, "lives_in", WORD)
    mem.context(USER, "where?")
    assert out.span("upsert_memory").attributes[names.RECORDS] == f'[{{"content": "lives_in: {WORD}"}}]'
    found = out.span("search_memory").attributes
    assert (found[names.QUERY_TEXT], found["tensemem.user_id"]) == ("where?", USER)
    assert WORD in found[names.RECORDS]


def test_content_is_cut_where_it_is_long(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers, content=True)
    mem.add(USER, "word " * 10_000)
    assert len(out.span("create_memory").attributes[names.RECORDS]) == LONGEST_RECORDS


def test_the_argument_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CAPTURE, "true")
    assert Tracing().content
    assert not Tracing(content=False).content
    monkeypatch.setenv(CAPTURE, "false")
    assert not Tracing().content


def test_operations_are_measured_in_seconds(mem: Memory, out: Exported) -> None:
    instrument(mem, **out.providers)
    mem.set(USER, "lives_in", WORD)
    with pytest.raises(errors.UnknownPredicateError):
        mem.set(USER, WORD, 1)
    mem.add(USER, "I live in Delhi")
    mem.flush()
    found = out.points(names.DURATION)
    counts = {(labels["tensemem.verb"], labels.get("error.type")): point.count for labels, point in found}
    assert counts == {
        ("set", None): 1, ("set", "UnknownPredicateError"): 1, ("add", None): 1, ("flush", None): 1,
    }  # fmt: skip
    steps = {labels["tensemem.step"]: point.count for labels, point in out.points("tensemem.step.duration")}
    assert steps == {"ask": 1, "keep": 1, "settle": 1}
    events = {labels["tensemem.event"]: point.value for labels, point in out.points("tensemem.events")}
    assert events == {"written": 1, "added": 1, "extracted": 1}
    assert [point.count for _, point in out.points("tensemem.extraction.lag")] == [1]


@pytest.mark.parametrize("verb", sorted({*names.OPERATIONS, *public_verbs()}))
def test_deleting_is_never_told_without_the_record_it_is_about(verb: str) -> None:
    for record in (None, ""):
        assert names.operation_of(verb, record) != names.DELETE
    known = names.operation_of(verb, "a fact")
    assert known is None or known in (names.CREATE, names.UPDATE, names.UPSERT, names.SEARCH, names.DELETE)


@pytest.mark.parametrize(
    ("name", "fields", "operation"),
    [
        ("forget", {}, None), ("forget", {"fact_id": ""}, None), ("forget", {"fact_id": "f"}, "delete_memory"),
        ("erase", {"seq": 3}, "delete_memory"), ("erase", {}, None),
    ],
)  # fmt: skip
def test_what_is_deleted_is_named_or_it_is_no_deletion(
    name: str, fields: dict[str, Any], operation: str | None, out: Exported
) -> None:
    tracing = Tracing(**out.providers)
    with tracing.around(Call("verb", name, "default", fields=fields)):
        pass
    (span,) = out.spans
    assert span.attributes.get(names.OPERATION) == operation
    assert span.name == (operation or f"tensemem.{name}")
    assert bool(span.attributes.get(names.RECORD_ID)) == (operation is not None)


def test_every_verb_of_the_conventions_is_one_there_is_or_will_be() -> None:
    assert set(names.OPERATIONS) - {"forget", "erase"} <= set(public_verbs())


def test_instrumenting_ends_where_told(mem: Memory, out: Exported) -> None:
    remove = instrument(mem, **out.providers)
    remove()
    mem.state(USER)
    assert out.spans == []
    assert type(mem) is Memory


def test_awaited_verbs_and_streams_have_spans_of_their_own(
    tmp_path: Path, out: Exported, caplog: pytest.LogCaptureFixture
) -> None:
    async def many(mem: AsyncMemory) -> None:
        async for _ in mem.add_many([Message(USER, "one"), Message(USER, "two")]):
            assert not api.get_current_span().get_span_context().is_valid

    async def use() -> None:
        async with AsyncMemory(tmp_path / "memory.db", worker=False) as mem:
            await instrument(mem, **out.providers)
            await asyncio.gather(mem.state(USER), mem.state("bob"), many(mem))

    with caplog.at_level(logging.DEBUG):
        asyncio.run(use())
    assert sorted(out.names) == ["create_memory", "search_memory", "search_memory"]
    assert all(span.parent is None for span in out.spans)
    assert out.span("create_memory").attributes[names.RECORD_COUNT] == 2
    assert "Failed to detach" not in caplog.text


def test_a_call_that_ends_in_another_thread_leaves_that_ones_context_alone(
    out: Exported, caplog: pytest.LogCaptureFixture
) -> None:
    import threading

    around = Tracing(**out.providers).around(Call("verb", "flush", "default"))
    run_in_thread: Callable[[Callable[[], object]], None] = lambda task: _join(threading.Thread(target=task))  # noqa: E731
    run_in_thread(around.__enter__)
    with caplog.at_level(logging.DEBUG):
        around.__exit__(None, None, None)
    assert out.names == ["tensemem.flush"]
    assert "Failed to detach" not in caplog.text


def _join(thread: Any) -> None:
    thread.start()
    thread.join()


def test_without_the_api_the_extra_is_named(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(ImportError, match=r"install the extra `otel`"):
        instrument(mem)

"""Spans and metrics for OpenTelemetry: of every verb, and of every step of settling messages.

    remove = instrument(mem)        # of an AsyncMemory: await instrument(mem)

Names are those of OpenTelemetry's conventions for memories; what they have no word for begins with ``tensemem.``.
Content (queries, values, user ids) is left out unless asked for; errors are told by their type alone. It takes the
extra ``otel``, which is the API only: what becomes of spans and metrics the application's SDK decides.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .._version import __version__
from ..engine.watching import Call
from ..extras import install
from . import names

if TYPE_CHECKING:
    from ..aio import AsyncMemory
    from ..memory import Memory

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable by which other instrumentations of generative AI are told to record content, too."""

LONGEST_RECORDS = 8_192
"""Characters of the records shown on a span at most, where content is asked for."""

_FIELDS = ("seq", "rev", "changed", "duplicate", "scopes", "entries", "messages", "operations", "dry_run")


class Tracing:
    """A hook that makes spans and metrics; ``instrument`` attaches one.

    ``content=None`` goes by the variable ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT``. Raises ImportError,
    naming the extra, where OpenTelemetry's API is not installed.
    """

    def __init__(self, *, tracer_provider: Any = None, meter_provider: Any = None, content: bool | None = None) -> None:
        try:
            from opentelemetry import context, metrics, trace
        except ImportError as error:
            raise ImportError(f"{error}. Spans and metrics need: {install('otel')}") from error
        self.content = _is_content_wanted() if content is None else content
        self._trace, self._context = trace, context
        self._tracer = trace.get_tracer(names.THIS, __version__, tracer_provider)
        meter = metrics.get_meter(names.THIS, __version__, meter_provider)
        self._duration = meter.create_histogram(
            names.DURATION, unit="s", description="How long operations on a memory took."
        )
        self._steps = meter.create_histogram(
            "tensemem.step.duration", unit="s", description="How long the steps of settling messages took."
        )
        self._events = meter.create_counter("tensemem.events", unit="{event}", description="Events as hooks hear them.")
        self._lag = meter.create_histogram(
            "tensemem.extraction.lag", unit="s", description="From logging a message to keeping its extraction."
        )

    def __call__(self, event: str, fields: Mapping[str, Any]) -> None:
        """Count an event."""
        self._events.add(1, {"tensemem.event": event})
        if event == "extracted":
            self._lag.record(max(0.0, fields["waited"]))

    @contextmanager
    def around(self, call: Call) -> Iterator[None]:
        """Have a span around a verb or a step, which those of what it calls are children of."""
        name, operation = self._named(call)
        span = self._tracer.start_span(name, kind=self._trace.SpanKind.INTERNAL, attributes=_at_start(call, operation))
        thread = threading.get_ident()
        token = None if call.streams else self._context.attach(self._trace.set_span_in_context(span))
        try:
            yield
        finally:
            # A call whose caller was cancelled may end in another thread; what was attached there is not ours.
            if token is not None and threading.get_ident() == thread:
                self._context.detach(token)
            self._end(span, call, operation)

    def _named(self, call: Call) -> tuple[str, str | None]:
        if call.kind == "step":
            return f"{names.THIS}.{call.name}", None
        operation = names.operation_of(call.name, _record_id(call))
        return operation or f"{names.THIS}.{call.name}", operation

    def _end(self, span: Any, call: Call, operation: str | None) -> None:
        span.set_attributes(_at_end(call))
        if self.content:
            span.set_attributes(_content(call))
        if call.error is not None:
            span.set_attribute(names.ERROR_TYPE, call.error)
            span.set_status(self._trace.StatusCode.ERROR)
        measured = {names.ERROR_TYPE: call.error} if call.error is not None else {}
        if call.kind == "step":
            self._steps.record(call.seconds, {"tensemem.step": call.name, **measured})
        else:
            own = {names.OPERATION: operation} if operation else {}
            whose = {names.PROVIDER: names.THIS, "tensemem.verb": call.name}
            self._duration.record(call.seconds, {**own, **whose, **measured})
        span.end()


def instrument(
    mem: Memory | AsyncMemory, *, tracer_provider: Any = None, meter_provider: Any = None, content: bool | None = None
) -> Any:
    """Make spans and metrics of what a memory does from now on; gives a callable that ends it.

    Of an ``AsyncMemory`` it is awaited. Without providers they are those the application has set up. ``content=True``
    records queries, values and user ids as well; None goes by the variable that other instrumentations go by. Raises
    ImportError without the extra ``otel``.
    """
    tracing = Tracing(tracer_provider=tracer_provider, meter_provider=meter_provider, content=content)
    attach: Callable[..., Any] = mem.on
    return attach(tracing, content=tracing.content)


def _is_content_wanted() -> bool:
    return os.environ.get(CAPTURE, "").strip().lower() in ("true", "1", "yes", "span_only", "span_and_event")


def _at_start(call: Call, operation: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {names.PROVIDER: names.THIS, names.STORE_ID: call.namespace}
    if operation:
        found[names.OPERATION] = operation
    found[f"{names.THIS}.{call.kind}"] = call.name
    if call.scope is not None and call.scope.agent_id:
        found[names.AGENT] = call.scope.agent_id
    if record := _record_id(call):
        found[names.RECORD_ID] = record
    if session := call.fields.get("session_id"):
        found[names.CONVERSATION] = session
    return found


def _at_end(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = {f"tensemem.{name}": call.fields[name] for name in _FIELDS if name in call.fields}
    renamed = {
        "count": names.RECORD_COUNT, "input_tokens": names.INPUT_TOKENS, "output_tokens": names.OUTPUT_TOKENS,
        "extractor": "tensemem.extractor", "model": names.REQUEST_MODEL,
    }  # fmt: skip
    found |= {name: call.fields[field] for field, name in renamed.items() if field in call.fields}
    if record := _record_id(call):
        found[names.RECORD_ID] = record
    return found


def _record_id(call: Call) -> str | None:
    """Give the id of the one record a call is about: a fact's, or an episode's in its scope."""
    fact = call.fields.get("fact_id")
    if isinstance(fact, str) and fact:
        return fact
    seq = call.fields.get("seq")
    is_one = call.name in ("erase", "decisions", "dismiss") and isinstance(seq, int)
    return f"seq:{seq}" if is_one else None


def _content(call: Call) -> dict[str, Any]:
    """Give what is remembered, and of whom, as the conventions have it: for who asked for it."""
    found: dict[str, Any] = {}
    if call.scope is not None:
        found["tensemem.user_id"] = call.scope.user_id
    given = call.arguments or {}
    query = given.get("query")
    if isinstance(query, str):
        found[names.QUERY_TEXT] = query
    records = _records(call.result) or _given(given)
    if records:
        found[names.RECORDS] = json.dumps(records, ensure_ascii=False, default=str)[:LONGEST_RECORDS]
    return found


def _records(result: Any) -> list[dict[str, Any]]:
    facts = next((value for name in ("facts", "facts_used") if (value := getattr(result, name, None))), ())
    return [{"id": fact.id, "content": f"{fact.predicate}: {fact.object}"} for fact in facts if hasattr(fact, "object")]


def _given(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    if "content" in arguments:
        return [{"content": arguments["content"]}]
    if "value" in arguments and "predicate" in arguments:
        return [{"content": f"{arguments['predicate']}: {arguments['value']}"}]
    return []

"""Metrics for Prometheus: what a memory has done since it was watched, and what state it is in now.

    metrics = Metrics()
    mem.on(metrics)
    ...
    metrics.render(mem)        # the text that a scrape is answered with, as CONTENT_TYPE

Labels are verbs, steps, events, outcomes, extractors and models: there is a bounded number of each, and none names a
user, a namespace or a word that is remembered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .. import errors
from .._version import __version__
from ..engine.condition import Condition, condition_of
from ..engine.core import Engine
from ..engine.watching import Call
from ..model.moment import SECOND
from .exposition import CONTENT_TYPE, Family, Histogram, merged, text_of

if TYPE_CHECKING:
    from ..aio import AsyncMemory
    from ..memory import Memory

__all__ = ["CONTENT_TYPE", "Metrics", "render"]

_OURS = frozenset(name for name, kind in vars(errors).items() if isinstance(kind, type))
_USUAL = frozenset({"TypeError", "ValueError", "KeyError", "RuntimeError", "OSError", "CancelledError", "TimeoutError"})


class Metrics:
    """A hook that counts; attach it to one memory or to several with ``on``. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls = Family("tensemem_calls_total", "Verbs that were called, by outcome.", "counter")
        self._call_seconds = Histogram("tensemem_call_seconds", "How long verbs took.")
        self._steps = Family("tensemem_steps_total", "Steps of settling messages, by outcome.", "counter")
        self._step_seconds = Histogram("tensemem_step_seconds", "How long these steps took.")
        self._events = Family("tensemem_events_total", "Events as hooks hear of them.", "counter")
        self._operations = Family("tensemem_operations_total", "Operations that extractors proposed.", "counter")
        self._waited = Histogram(
            "tensemem_extraction_lag_seconds", "From the logging of a message to the keeping of its extraction.",
            (0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 86400.0),
        )  # fmt: skip
        self._given_up = Family("tensemem_given_up_total", "Messages whose extraction was given up.", "counter")

    def __call__(self, event: str, fields: Mapping[str, Any]) -> None:
        """Count an event."""
        with self._lock:
            self._events.add(event=event)
            if event == "extracted":
                self._operations.add(fields["operations"])
                self._waited.observe(max(0.0, fields["waited"]))
            elif event == "failed" and fields["state"] == "failed":
                self._given_up.add()

    @contextmanager
    def around(self, call: Call) -> Iterator[None]:
        """Count a verb or a step, when it has ended."""
        yield
        with self._lock:
            if call.kind == "verb":
                self._calls.add(verb=call.name, outcome=_outcome(call.error))
                self._call_seconds.observe(call.seconds, verb=call.name)
            else:
                self._steps.add(step=call.name, outcome=_outcome(call.error))
                self._step_seconds.observe(call.seconds, step=call.name)

    def called(self, verb: str, seconds: float, times: int = 1) -> None:
        """Count a verb that somebody else has timed and that ended well, so many times alike."""
        with self._lock:
            self._calls.add(times, verb=verb, outcome="ok")
            self._call_seconds.observe(seconds, times, verb=verb)

    def render(self, mem: Memory | AsyncMemory | None = None, *, sizes: bool = False) -> str:
        """Give all that was counted as text, and the state of a memory, if one is given, as ``render`` does.

        Of an ``AsyncMemory`` it is to be called in a thread: it reads. Raises StoreError and ClosedError.
        """
        with self._lock:
            counted = text_of(
                (
                    self._calls, self._call_seconds, self._steps, self._step_seconds, self._events, self._operations,
                    self._waited, self._given_up,
                )
            )  # fmt: skip
        return counted + (render(mem, sizes=sizes) if mem is not None else "")


def render(mem: Memory | AsyncMemory, *, sizes: bool = False) -> str:
    """Give the state of an open memory as text: what waits and since when, who extracts, bytes.

    Of all namespaces, or of the one it is pinned to. ``sizes`` counts memories, entries and facts as well, which takes
    longer the more there are, and tells what extractors have used. Raises StoreError and ClosedError.
    """
    engine = _engine_of(mem)
    engine.check_open()
    began = time.perf_counter()
    with engine.store.read() as reader:
        names = [engine.namespace] if engine.is_pinned else reader.namespaces()
    families = [*_state(engine, condition_of(engine, names)), *_bytes(engine)]
    if sizes:
        families += _sizes(engine, names)
    took = Family("tensemem_scrape_seconds", "How long it took to read this state.", "gauge")
    took.put(round(time.perf_counter() - began, 6))
    return text_of([*families, took])


def _engine_of(mem: Any) -> Engine:
    engine: Engine = mem._engine
    return engine


def _outcome(error: str | None) -> str:
    """Give an outcome as a label: of errors, the types there is a bounded number of."""
    if error is None:
        return "ok"
    return error if error in _OURS or error in _USUAL else "other"


def _state(engine: Engine, now: Condition) -> Iterator[Family]:
    info = Family("tensemem_info", "What serves, as labels.", "gauge")
    info.put(1, version=__version__, durability=engine.store.durability)
    yield info
    names = Family("tensemem_namespaces", "Namespaces, and how many of them were looked at for what follows.", "gauge")
    names.put(now.namespaces, of="all")
    names.put(now.looked_at, of="looked at")
    yield names
    workers = Family("tensemem_workers", "Workers that said they live, by whether they do.", "gauge")
    workers.put(now.live_workers, state="live")
    workers.put(now.dead_workers, state="gone")
    yield workers
    for name, help, value in (
        ("pending_messages", "Messages that wait to be extracted.", now.pending),
        ("failed_messages", "Messages that were given up and not dismissed.", now.failed),
        ("oldest_pending_seconds", "For how long the oldest waiting message has waited.", now.oldest_seconds),
        ("worker_silence_seconds", "How long ago the most silent living worker last spoke.", now.beat_seconds),
        ("dead_leases", "Leases of workers that are gone.", now.dead_leases),
        ("unfinished_copies", "Memories that were copied here and are not whole.", now.unfinished),
        ("removals", "Forgotten memories whose rows are not all removed yet.", now.removals),
        ("clock_behind_seconds", "How far the newest entry is ahead of the clock.", max(0, now.ahead) / SECOND),
        ("server_clock_ahead_seconds", "How far the server's clock is ahead.", engine.store.clock_ahead / SECOND),
    ):
        gauge = Family(f"tensemem_{name}", help, "gauge")
        gauge.put(value)
        yield gauge


_BYTES = {
    "file_bytes": "Of the file.", "wal_bytes": "Of its write-ahead log.", "free_bytes": "Of its free pages.",
    "table_bytes": "Of the tables with their indexes.",
}  # fmt: skip


def _bytes(engine: Engine) -> Iterator[Family]:
    for name, size in engine.store.sizes().items():
        gauge = Family(f"tensemem_{name}", f"Bytes. {_BYTES.get(name, '')}".strip(), "gauge")
        gauge.put(size)
        yield gauge


_COUNTED = ("scopes", "entries", "episodes", "claims", "facts")


def _sizes(engine: Engine, names: Iterable[str]) -> Iterator[Family]:
    counts: dict[str, float] = {}
    tokens = Family("tensemem_extractor_tokens_total", "Tokens that extractors have used, of all time.", "counter")
    asked = Family("tensemem_extractor_calls_total", "Requests to extractors, of all time.", "counter")
    with engine.store.read() as reader:
        for name in names:
            counts = merged(counts, reader.counts(name))
            for row in reader.usage(name):
                who = {"extractor": row.extractor, "model": row.model}
                asked.add(row.calls, **who)
                tokens.add(row.input_tokens, **who, direction="input")
                tokens.add(row.output_tokens, **who, direction="output")
    for name in _COUNTED:
        gauge = Family(f"tensemem_{name}", f"How many {name} there are.", "gauge")
        gauge.put(counts.get(name, 0))
        yield gauge
    yield asked
    yield tokens

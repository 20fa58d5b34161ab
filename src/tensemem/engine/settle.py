"""Settling a message: asking the extractor outside any transaction, then appending what it proposed.

Within a scope messages are settled in seq order, each shown the state before it. A message that fails is tried again
with growing pauses and given up after some attempts; an unavailable provider uses none up. Neither holds up others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from ..core.operations import encode_operation
from ..errors import ClosedError, ExtractorError, ExtractorUnavailable, StoreError
from ..extract.answers import Malformed
from ..extract.calling import Answer, CallableExtractor
from ..model.entry import Entry, EntryKind
from ..model.moment import SECOND, to_datetime
from ..model.operation import Operation
from ..model.scope import Scope
from ..ports import ExtractionRequest, PendingRow, RequestMessage
from .core import Engine, log, next_entry
from .flow import Ask, Flow, Work
from .project import Projection
from .reproject import open_scope
from .state import Asked, state_in, take_snapshot

MAX_ATTEMPTS = 5
"""Bad answers after which a message counts as failed."""

WINDOW = 6
"""Messages of dialogue shown before the one asked about."""

UNAVAILABLE_PAUSE = 30
"""Seconds after which an unavailable provider is asked again at the latest."""


@dataclass(frozen=True, slots=True)
class Task:
    """One message to settle, with the question to ask."""

    scope: Scope
    row: PendingRow
    request: ExtractionRequest
    said_at: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A message that was tried; ``unavailable`` says why the provider could not be asked."""

    seq: int
    unavailable: str | None = None


def settle_next(
    engine: Engine, extractor: CallableExtractor, scope: Scope, *, after: int | None = None
) -> Flow[Tried | None]:
    """Settle the next due message of a scope; None where there is none.

    With ``after``, the next waiting one behind that seq is taken, whatever pause it is in.
    """
    task: Task | None = yield Work(lambda: next_task(engine, scope, after))
    if task is None:
        return None
    try:
        answer: Answer = yield Ask(extractor, task.request)
    except ExtractorUnavailable as error:
        unavailable = str(error)
        yield Work(lambda: postpone(engine, task, unavailable, uses_attempt=False))
        return Tried(task.row.seq, unavailable)
    except ExtractorError as error:
        message = str(error)
        yield Work(lambda: postpone(engine, task, message, uses_attempt=True))
        return Tried(task.row.seq)
    try:
        yield Work(lambda: record_extraction(engine, task, extractor, answer))
    except (StoreError, ClosedError):
        raise
    except Exception as error:
        # Whatever can't be kept of an answer counts as a bad answer: else it would be asked for again for ever.
        log.exception("an answer could not be kept")
        told = f"the answer could not be kept: {type(error).__name__}"
        yield Work(lambda: postpone(engine, task, told, uses_attempt=True))
    return Tried(task.row.seq)


def next_task(engine: Engine, scope: Scope, after: int | None = None) -> Task | None:
    """Give the scope's waiting message with the smallest seq that is due, and the question to ask about it."""
    with engine.store.read() as reader:
        snapshot = take_snapshot(engine, reader, scope)
        head = snapshot.head
        if head is None or not head.pending:
            return None
        row = reader.next_waiting(head.id, after or 0, None if after is not None else engine.operational_clock())
        entry = None if row is None else reader.episode(head.id, row.seq)
        if row is None or entry is None:
            return None
        window = [_message(e) for e in reader.messages_before(head.id, entry.seq, WINDOW)]
        request = ExtractionRequest(
            messages=(_message(entry),),
            window=tuple(window),
            predicates=tuple(snapshot.registry.predicates.values()),
            state=state_in(snapshot, Asked(at=to_datetime(entry.said_at))).by_subject,
        )
        return Task(scope, row, request, entry.said_at)


def _message(entry: Entry) -> RequestMessage:
    body = entry.body
    said = to_datetime(entry.said_at).astimezone(ZoneInfo(str(body.get("zone", "UTC"))))
    return RequestMessage(
        str(body.get("content", "")), str(body.get("role", "user")), said, body.get("speaker"), body.get("session")
    )


def postpone(engine: Engine, task: Task, error: str, *, uses_attempt: bool) -> None:
    """Keep a message pending after a failure, or give it up; its entry in the log is not touched."""
    with engine.store.write() as tx:
        head = tx.head(task.scope)
        row = None if head is None else tx.pending_row(head.id, task.row.seq)
        if head is None or row is None or row.state != "waiting":
            return
        now = engine.operational_clock()
        row.error = str(engine.redacted(error)[0])[:500]
        if uses_attempt:
            row.attempts += 1
        row.not_before = now + _pause(row, uses_attempt) * SECOND
        if row.attempts >= MAX_ATTEMPTS:
            row.state = "failed"
            head.pending -= 1
            head.failed += 1
            tx.save_head(head)
        tx.save_pending(row)
    log.warning("message %d was not extracted (%s)", task.row.seq, "attempt used" if uses_attempt else "unavailable")
    engine.emit("failed", scope=task.scope, seq=task.row.seq, attempts=row.attempts, state=row.state)


def _pause(row: PendingRow, uses_attempt: bool) -> int:
    return min(2**row.attempts, 300) if uses_attempt else UNAVAILABLE_PAUSE


def record_extraction(engine: Engine, task: Task, extractor: CallableExtractor, answer: Answer) -> bool:
    """Append an extraction and project it; the first worker to finish counts. Tells whether it was this one."""
    operations = encoded(engine, answer.operations)
    with engine.store.write() as tx:
        head, registry = open_scope(engine, tx, task.scope)
        row = tx.pending_row(head.id, task.row.seq)
        message = tx.episode(head.id, task.row.seq)
        if row is None or message is None:
            return False
        tx.drop_pending(head.id, task.row.seq)
        head.failed -= row.state == "failed"
        head.pending -= row.state != "failed"
        body = {**engine.redacted(extraction_body(extractor, [], answer.usage))[0], "ops": operations}
        now = engine.now()
        entry = next_entry(
            head, EntryKind.EXTRACTION, now=now, said_at=message.said_at, body=body, seq=message.seq, extraction=1
        )
        tx.append(head.id, entry)
        projection = Projection(tx, head, registry)
        projection.apply(entry, message)
        projection.finish()
        tx.save_head(head)
    engine.emit("extracted", scope=task.scope, seq=task.row.seq, operations=len(operations))
    return True


def encoded(engine: Engine, operations: Sequence[Operation | Malformed]) -> list[dict[str, Any]]:
    """Give operations as the log keeps them, secrets replaced; what is malformed keeps its place and says why."""
    found: list[dict[str, Any]] = []
    for operation in operations:
        if isinstance(operation, Malformed):
            body: dict[str, Any] = {"malformed": operation.why, "raw": operation.raw}
        else:
            body = encode_operation(operation)
        found.append(engine.redacted(body)[0])
    return found


def extraction_body(
    extractor: CallableExtractor, operations: list[dict[str, Any]], usage: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Give the body of an extraction entry."""
    body: dict[str, Any] = {"ops": operations, "extractor": extractor.name}
    optional = {"model": extractor.model, "prompt": extractor.prompt_digest, "usage": usage}
    body.update({name: value for name, value in optional.items() if value})
    return body

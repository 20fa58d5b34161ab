"""Settling a message: asking the extractor outside any transaction, then appending what it proposed.

Within a scope messages are settled in seq order, each shown the state before it. A message that fails is tried again
with growing pauses and given up after some attempts; an unavailable provider uses none up. Neither holds up others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from ..core.erasing import has_text, is_touched, without_text
from ..core.forgotten import Forgotten
from ..core.registry import Registry
from ..core.text import FoldedText, find_quote
from ..errors import ClosedError, ExtractorError, ExtractorUnavailable, StoreError
from ..extract.answers import Malformed
from ..extract.calling import Answer, CallableExtractor, OutOfTimeError
from ..logs import Log
from ..model.entry import Entry, EntryKind
from ..model.moment import SECOND, to_datetime
from ..model.operation import Operation
from ..model.scope import Scope
from ..ports import ExtractionRequest, Head, PendingRow, Reader, RequestMessage, UsageRow, Writer
from .core import Engine, next_entry
from .encoding import encoded, extraction_body
from .flow import Ask, Flow, Pause, Work
from .project import Projection
from .reproject import open_known
from .rules import hash_keys
from .state import Asked, Snapshot, state_in, take_snapshot
from .watching import answered, step, who

log = Log("extract")

MAX_ATTEMPTS = 5
"""Bad answers after which a message counts as failed."""

MOST_TEXT = 20_000
"""Characters of several messages in one request; one alone may be longer."""

WINDOW = 6
"""Messages of dialogue shown before the one asked about."""

UNAVAILABLE_PAUSE = 30
"""Seconds after which an unavailable provider is asked again at the latest."""


@dataclass(frozen=True, slots=True)
class Task:
    """Messages of one scope to settle, in seq order, with the one question to ask about them.

    ``owner`` is who holds the scope's lease: once somebody else does, nothing of the answer is kept.
    """

    scope: Scope
    rows: tuple[PendingRow, ...]
    request: ExtractionRequest
    owner: str | None = None

    @property
    def seqs(self) -> tuple[int, ...]:
        """The messages' seqs."""
        return tuple(row.seq for row in self.rows)

    def alone(self, place: int) -> Task:
        """Give the task of one of its messages."""
        request = replace(self.request, messages=(self.request.messages[place],))
        return Task(self.scope, (self.rows[place],), request, self.owner)


@dataclass(frozen=True, slots=True)
class Tried:
    """Messages that were tried, up to a seq; ``unavailable`` says why the provider could not be asked.

    ``is_lost`` tells that the scope is somebody else's to settle by now.
    """

    seq: int
    count: int = 1
    unavailable: str | None = None
    is_lost: bool = False


class LeaseLostError(Exception):
    """Somebody else holds the scope's lease: a worker that fell silent for too long settles nothing any more."""


def settle_next(
    engine: Engine, extractor: CallableExtractor, scope: Scope, *, after: int | None = None,
    until: float | None = None, owner: str | None = None,
) -> Flow[Tried | None]:  # fmt: skip
    """Settle the next due message of a scope, and those behind it the extractor takes along; None where none is due.

    With ``after``, the next waiting one behind that seq is taken, whatever pause it is in. ``until`` is a moment on the
    monotonic clock: an answer that isn't there by then is given up, and the messages stay as they are. ``owner`` is who
    holds the scope's lease.
    """
    task: Task | None = yield Work(lambda: next_task(engine, scope, after, extractor.max_messages))
    if task is None:
        return None
    task = replace(task, owner=owner)
    try:
        with step(engine, "settle", scope, messages=len(task.rows), **who(extractor)) as seen:
            tried: Tried = yield from _settle(engine, extractor, task, until)
            if seen is not None and tried.unavailable is not None:
                seen.error = ExtractorUnavailable.__name__
    except LeaseLostError:
        log.caution("too late", "an answer came too late: the scope is settled by somebody else")
        return Tried(task.seqs[-1], 0, is_lost=True)
    return tried


def settle_scope(
    engine: Engine, extractor: CallableExtractor, scope: Scope, owner: str, should_stop: Callable[[], bool]
) -> Flow[int]:
    """Settle a scope's due messages in seq order while its lease is the owner's; gives how many were tried.

    An extractor that takes several at once is asked a moment later, so that a burst costs one request.
    """
    if extractor.debounce and not should_stop():
        yield Pause(extractor.debounce, time.sleep)
    done = 0
    while not should_stop():
        tried: Tried | None = yield from settle_next(engine, extractor, scope, owner=owner)
        if tried is None or tried.is_lost:
            break
        done += tried.count
    return done


def _settle(engine: Engine, extractor: CallableExtractor, task: Task, until: float | None) -> Flow[Tried]:
    last = task.seqs[-1]
    seconds = None if until is None else until - time.monotonic()
    if seconds is not None and seconds <= 0:
        return Tried(last, 0)
    asked = time.monotonic()
    try:
        with step(engine, "ask", task.scope, messages=len(task.rows), **who(extractor)) as seen:
            answer: Answer = yield Ask(extractor, task.request, seconds)
            if seen is not None:
                seen.fields |= answered(answer)
    except OutOfTimeError:
        return Tried(last, 0)
    except ExtractorUnavailable as error:
        away, took = error, time.monotonic() - asked
        yield Work(lambda: postpone(engine, task, str(away), took, uses_attempt=False))
        yield Work(lambda: keep_usage_of(engine, task.scope, extractor, away.usage))
        return Tried(last, 0, str(away))
    except ExtractorError as error:
        bad, took = error, time.monotonic() - asked
        yield Work(lambda: keep_usage_of(engine, task.scope, extractor, bad.usage))
        if len(task.rows) > 1:
            return (yield from _one_by_one(engine, extractor, task, until))
        yield Work(lambda: postpone(engine, task, str(bad), took, uses_attempt=True))
        return Tried(last)
    took = time.monotonic() - asked
    try:
        with step(engine, "keep", task.scope, messages=len(task.rows)):
            yield Work(lambda: record_extraction(engine, task, extractor, answer, took))
    except LeaseLostError:
        yield Work(lambda: keep_usage_of(engine, task.scope, extractor, answer.usage))  # it was used all the same
        raise
    except (StoreError, ClosedError):
        raise
    except Exception as error:
        yield Work(lambda: keep_usage_of(engine, task.scope, extractor, answer.usage))
        if len(task.rows) > 1:
            return (yield from _one_by_one(engine, extractor, task, until))
        # Whatever can't be kept of an answer counts as a bad answer: else it would be asked for again for ever.
        log.failure("not kept", "an answer could not be kept", error=error)
        told = f"the answer could not be kept: {type(error).__name__}"
        yield Work(lambda: postpone(engine, task, told, took, uses_attempt=True))
    return Tried(last, len(task.rows))


def _one_by_one(engine: Engine, extractor: CallableExtractor, task: Task, until: float | None) -> Flow[Tried]:
    """A bad answer about several messages says nothing of each: ask about them alone, so that one fails for itself."""
    tried = Tried(task.seqs[-1], 0)
    for place in range(len(task.rows)):
        own: Tried = yield from _settle(engine, extractor, task.alone(place), until)
        tried = Tried(own.seq, tried.count + own.count, own.unavailable)
        if own.unavailable is not None or (until is not None and time.monotonic() >= until):
            break
    return tried


def next_task(engine: Engine, scope: Scope, after: int | None = None, most: int = 1) -> Task | None:
    """Give the scope's waiting messages with the smallest seqs that are due, and the question to ask about them.

    Several only where all are new: one that failed before is asked about alone.
    """
    with engine.store.read() as reader:
        snapshot = take_snapshot(engine, reader, scope)
        head = snapshot.head
        if head is None or not head.pending:
            return None
        found = _waiting(engine, reader, head, after, most)
        if not found:
            return None
        entries = [entry for _, entry in found]
        return Task(scope, tuple(row for row, _ in found), request_about(snapshot, entries))


def _waiting(
    engine: Engine, reader: Reader, head: Head, after: int | None, most: int
) -> list[tuple[PendingRow, Entry]]:
    due = None if after is not None else engine.operational_clock()
    found: list[tuple[PendingRow, Entry]] = []
    seq, size = after or 0, 0
    while len(found) < most and (row := reader.next_waiting(head.id, seq, due)) is not None:
        entry = reader.episode(head.id, row.seq)
        if entry is None or (found and (row.attempts or found[0][0].attempts)):
            break
        size += len(str(entry.body.get("content", "")))
        if found and size > MOST_TEXT:
            break
        found.append((row, entry))
        seq = row.seq
    return found


def request_about(snapshot: Snapshot, entries: Sequence[Entry]) -> ExtractionRequest:
    """Give the question about some messages of a scope: the dialogue and the state before the first, the registry."""
    head, first = snapshot.head, entries[0]
    window = [] if head is None else snapshot.reader.messages_before(head.id, first.seq, WINDOW)
    return ExtractionRequest(
        messages=tuple(_message(entry) for entry in entries),
        window=tuple(_message(entry) for entry in window if has_text(entry)),
        predicates=tuple(snapshot.registry.predicates.values()),
        state=state_in(snapshot, Asked(at=to_datetime(first.said_at))).by_subject,
    )


def _message(entry: Entry) -> RequestMessage:
    body = entry.body
    said = to_datetime(entry.said_at).astimezone(ZoneInfo(str(body.get("zone", "UTC"))))
    return RequestMessage(
        str(body.get("content", "")), str(body.get("role", "user")), said, body.get("speaker"), body.get("session")
    )


def postpone(engine: Engine, task: Task, error: str, seconds: float, *, uses_attempt: bool) -> None:
    """Keep messages pending after a failure, or give them up; their entries in the log are not touched.

    ``seconds`` is how long the extractor took.
    """
    left: list[PendingRow] = []
    with engine.store.write() as tx:
        head = tx.head(task.scope)
        _check_lease(tx, head, task)
        known = [] if head is None else [tx.pending_row(head.id, seq) for seq in task.seqs]
        for row, asked in zip(known, task.rows, strict=True):
            if row is None or row.attempts != asked.attempts:
                continue  # put off already: the answer to a COMMIT may have been lost, and this be done again
            if head is not None and row.state == "waiting":
                _put_off(engine, head, row, error, uses_attempt=uses_attempt)
                tx.save_pending(row)
                left.append(row)
        if head is not None and left:
            tx.save_head(head)
    for row in left:
        outcome = "attempt used" if uses_attempt else "unavailable"
        told = {"seq": row.seq, "attempts": row.attempts, "outcome": outcome}
        log.caution("failed", "message %d was not extracted (%s)", row.seq, outcome, **told)
        engine.emit(
            "failed", scope=task.scope, seq=row.seq, attempts=row.attempts, state=row.state, seconds=seconds
        )


def _check_lease(tx: Writer, head: Head | None, task: Task) -> None:
    """Raise LeaseLostError where the scope is somebody else's by now; if not, it stays so while we write."""
    if task.owner is not None and (head is None or not tx.holds(head.id, task.owner)):
        raise LeaseLostError


def _put_off(engine: Engine, head: Head, row: PendingRow, error: str, *, uses_attempt: bool) -> None:
    told = error.encode("utf-8", "backslashreplace").decode()  # a provider may say anything, half an emoji too
    row.error = str(engine.redacted(told.replace("\0", "\\0"))[0])[:500]
    row.attempts += uses_attempt
    row.not_before = engine.operational_clock() + _pause(row, uses_attempt) * SECOND
    if row.attempts >= MAX_ATTEMPTS:
        row.state = "failed"
        head.pending -= 1
        head.failed += 1


def _pause(row: PendingRow, uses_attempt: bool) -> int:
    return min(2**row.attempts, 300) if uses_attempt else UNAVAILABLE_PAUSE


def record_extraction(
    engine: Engine, task: Task, extractor: CallableExtractor, answer: Answer, seconds: float
) -> int:
    """Append an extraction for each message and project it, all in one transaction; gives how many were appended.

    The first worker to finish a message counts. What was used stands in the first entry; ``seconds`` is how long the
    extractor took. Raises LeaseLostError, with nothing kept, where the scope is somebody else's by now.
    """
    proposed = by_message(answer.operations, [message.content for message in task.request.messages])
    operations = [encoded(engine, own) for own in proposed]
    told: list[tuple[int, int, float]] = []
    kept: list[Mapping[str, Any]] = []
    is_cut = False
    with engine.store.write() as tx:
        found = open_known(engine, tx, task.scope)
        if found is None:  # forgotten: there is nothing to append to
            raise LeaseLostError
        head, registry = found
        _check_lease(tx, head, task)
        projection = Projection(tx, head, registry)
        now = engine.now()
        for place, seq in enumerate(task.seqs):
            row, message = tx.pending_row(head.id, seq), tx.episode(head.id, seq)
            if row is None or message is None:
                continue
            tx.drop_pending(head.id, seq)
            head.failed -= row.state == "failed"
            head.pending -= row.state != "failed"
            usage = answer.usage if not told else None
            body = {**engine.redacted(extraction_body(extractor, [], usage))[0], "ops": operations[place]}
            entry = extraction_entry(head, message, body, now=now, extraction=1)
            entry, left = append_extraction(tx, head, registry, entry, message, projection.forgotten)
            is_cut = is_cut or left is not message
            projection.apply(entry, left)
            kept.append(body)
            told.append((seq, len(operations[place]), (entry.recorded_at - message.recorded_at) / SECOND))
        projection.finish()
        keep_usage(tx, head, kept)
        tx.save_head(head)
    if is_cut:
        engine.store.scrub()
    for seq, count, waited in told:
        engine.emit("extracted", scope=task.scope, seq=seq, operations=count, seconds=seconds, waited=waited)
    return len(told)


def append_extraction(
    tx: Writer, head: Head, registry: Registry, entry: Entry, message: Entry, forgotten: Forgotten | None
) -> tuple[Entry, Entry]:
    """Append an extraction. Where it says what was forgotten since its message was said, neither that nor the words
    it comes from are kept: gives both entries as they are in the log.
    """
    if forgotten is None or not is_touched(entry, message, registry, forgotten):
        tx.append(head.id, entry)
        return entry, message
    older = [one for one in tx.settlements(head.id, message.seq) if one.kind is EntryKind.EXTRACTION]
    message, *older, entry = without_text(message, [*older, entry], registry, "forgotten", forgotten=forgotten)
    tx.replace_entries(head.id, [message, *older])
    tx.drop_texts(head.id, [f"e:{message.seq}"])
    hash_keys(tx, head, [message.seq], forgotten.key)
    tx.append(head.id, entry)
    return entry, message


def extraction_entry(head: Head, message: Entry, body: Mapping[str, Any], *, now: int, extraction: int) -> Entry:
    """Give the entry that keeps what was proposed from a message, and by whom."""
    return next_entry(
        head, EntryKind.EXTRACTION, now=now, said_at=message.said_at, body=body, seq=message.seq, extraction=extraction
    )


def keep_usage_of(engine: Engine, scope: Scope, extractor: CallableExtractor, usage: object) -> None:
    """Add up what an answer that is no good has cost all the same, where the extractor says so."""
    if not isinstance(usage, Mapping) or not usage.get("calls", 1):
        return
    with engine.store.write() as tx:
        head = tx.head(scope)
        if head is not None:
            keep_usage(tx, head, [extraction_body(extractor, [], usage)])


def keep_usage(tx: Writer, head: Head, bodies: Iterable[Mapping[str, Any]]) -> None:
    """Add up what extraction entries say was used, for ``stats``."""
    for body in bodies:
        used = body.get("usage")
        if used:
            row = UsageRow(
                str(body["extractor"]),
                str(body.get("model") or ""),
                calls=_count(used.get("calls", 1)),
                input_tokens=_count(used.get("input_tokens")),
                output_tokens=_count(used.get("output_tokens")),
                milliseconds=_count(used.get("seconds"), 1000),
            )
            tx.add_usage(head.id, row)


_MOST_USED = 2**48


def _count(given: Any, unit: int = 1) -> int:
    """Read what an extractor says it used; what is no sensible number counts as nothing."""
    is_number = isinstance(given, (int, float)) and not isinstance(given, bool)
    return round(given * unit) if is_number and 0 <= given * unit < _MOST_USED else 0


def by_message(
    operations: Sequence[Operation | Malformed], texts: Sequence[str]
) -> list[list[Operation | Malformed]]:
    """Part operations by the message each names; one that names none belongs to the first that has its quote."""
    found: list[list[Operation | Malformed]] = [[] for _ in texts]
    folded = [FoldedText(text) for text in texts]
    for operation in operations:
        place = operation.message
        if place is None:
            place = _place_of(getattr(operation, "quote", ""), folded)
        found[place].append(operation)
    return found


def _place_of(quote: str, texts: Sequence[FoldedText]) -> int:
    """Give the first message that has a quote to the letter, else the first that has it as quotes are compared."""
    if len(texts) == 1 or not quote:
        return 0
    exact = next((number for number, text in enumerate(texts) if quote in text.original), None)
    if exact is not None:
        return exact
    return next((number for number, text in enumerate(texts) if find_quote(quote, text) is not None), 0)

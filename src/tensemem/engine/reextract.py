"""Reextracting: another model over the same messages, with the difference in state before anything is written.

The old extractions stay in the log; for each message the newest one counts. Corrections, reviews and what the
application wrote are entries of their own, so no model takes them back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.periods import parse_period
from ..core.tokens import estimate_tokens
from ..errors import ConflictError, ExtractorError, ExtractorUnavailable, InvalidValueError
from ..extract.answers import Malformed
from ..extract.calling import Answer, CallableExtractor
from ..model.entry import Entry, EntryKind
from ..model.operation import Operation
from ..model.results import Decision, Reextraction, ReextractPlan
from ..model.scope import Scope
from ..ports import ExtractionRequest, Head, Reader
from .core import Engine, check_limit, check_seq
from .flow import Ask, Flow, Work
from .logfold import LoggedScope, read_log
from .preview import diff_of, shown_at
from .project import rulings_of
from .receipts import decision_of
from .reproject import open_scope, project_again
from .settle import MOST_TEXT, by_message, encoded, extraction_body, extraction_entry, keep_usage, request_about
from .state import Snapshot, with_snapshot

AT_ONCE = 100
"""Extractions written in one transaction where all are known already."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which messages to ask about again: from a seq on, said since a moment, so many at most."""

    from_seq: int = 1
    since: int | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A message to ask about again: its entry, and the number its newest extraction has."""

    entry: Entry
    extraction: int

    @property
    def size(self) -> int:
        """Characters of its text."""
        return len(str(self.entry.body.get("content", "")))


def bounds(engine: Engine, from_seq: Any, since: Any, limit: Any) -> Bounds:
    """Check what bounds a reextraction; raises InvalidValueError and InvalidTimeError."""
    if from_seq is not None:
        check_seq(from_seq)
    if limit is not None:
        check_limit(limit)
    moment = None if since is None else parse_period(since, engine.zone, name="since").start
    return Bounds(from_seq or 1, moment, limit)


def plan(engine: Engine, scope: Scope, extractor: CallableExtractor, within: Bounds) -> ReextractPlan:
    """Tell what a reextraction would cost: messages, requests at most, and tokens of the messages' own text."""
    chosen: list[Chosen] = with_snapshot(engine, scope, lambda snapshot: _chosen(snapshot, extractor, within))
    tokens = sum(estimate_tokens(str(one.entry.body.get("content", ""))) for one in chosen)
    return ReextractPlan(len(chosen), len(_parted(chosen, extractor.max_messages)), tokens)


def reextract(
    engine: Engine, scope: Scope, extractor: CallableExtractor, within: Bounds, *, dry_run: bool
) -> Flow[Reextraction]:
    """Ask an extractor about settled messages again; written as it goes unless ``dry_run``.

    A message whose answer is bad keeps the extraction it has. Raises ExtractorUnavailable where the provider can't be
    reached; what was written until then is not asked for again.
    """
    if not isinstance(dry_run, bool):
        raise InvalidValueError("dry_run must be True or False")
    chosen: list[Chosen] = yield Work(lambda: with_snapshot(engine, scope, lambda s: _chosen(s, extractor, within)))
    run = _Run(engine, scope, extractor, len(chosen), dry_run=dry_run)
    for some in _parted(chosen, extractor.max_messages):
        yield from run.ask(some)
    found: Reextraction = yield Work(run.result)
    return found


def apply(engine: Engine, scope: Scope, found: Reextraction) -> Reextraction:
    """Write what a dry run proposed, exactly; raises ConflictError where a message was extracted again since."""
    made = [Made(seq, number, body) for seq, number, body in found.extractions]
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is None or found.scope != scope:
            raise InvalidValueError("this difference is of another scope")
        _check_newest(reader, head, made)
    for first in range(0, len(made), AT_ONCE):
        _write(engine, scope, made[first : first + AT_ONCE])
    return replace(found, applied=True)


@dataclass(frozen=True, slots=True)
class Made:
    """One new extraction: the message, the number the extraction gets, and the entry's body."""

    seq: int
    extraction: int
    body: Mapping[str, Any]


class _Run:
    """One reextraction: what was asked so far, and what came of it."""

    def __init__(
        self, engine: Engine, scope: Scope, extractor: CallableExtractor, total: int, *, dry_run: bool
    ) -> None:
        self._engine, self._scope, self._extractor = engine, scope, extractor
        self._total, self._dry_run = total, dry_run
        self._rev = 0
        self._made: list[Made] = []
        self._failed: list[int] = []
        self._usage: dict[str, float] = {}

    def ask(self, some: Sequence[Chosen]) -> Flow[None]:
        """Ask about messages together; one by one where the answer about several is bad."""
        request: ExtractionRequest = yield Work(lambda: self._request(some))
        try:
            answer: Answer = yield Ask(self._extractor, request)
        except ExtractorUnavailable as error:
            done = len(self._made) + len(self._failed)
            raise ExtractorUnavailable(f"{error}; {done} of {self._total} messages were done") from error
        except ExtractorError:
            if len(some) > 1:
                for one in some:
                    yield from self.ask([one])
                return
            self._failed.append(some[0].entry.seq)
        else:
            yield Work(lambda: self._keep(some, answer))
        done = len(self._made) + len(self._failed)
        self._engine.emit(
            "reextracted", scope=self._scope, seq=some[-1].entry.seq, done=done, messages=self._total
        )

    def _request(self, some: Sequence[Chosen]) -> ExtractionRequest:
        def read(snapshot: Snapshot) -> ExtractionRequest:
            if not self._rev and snapshot.head is not None:
                self._rev = snapshot.head.rev
            return request_about(snapshot, [one.entry for one in some])

        request: ExtractionRequest = with_snapshot(self._engine, self._scope, read)
        return request

    def _keep(self, some: Sequence[Chosen], answer: Answer) -> None:
        texts = [str(one.entry.body.get("content", "")) for one in some]
        made: list[Made] = []
        for one, own in zip(some, by_message(answer.operations, texts), strict=True):
            usage = answer.usage if not made else None
            body = self._body(own, usage)
            made.append(Made(one.entry.seq, one.extraction + 1, body))
        for name, used in (answer.usage or {}).items():
            if isinstance(used, (int, float)) and not isinstance(used, bool):
                self._usage[name] = self._usage.get(name, 0) + used
        if not self._dry_run:
            _write(self._engine, self._scope, made)
        self._made += made

    def _body(self, own: Sequence[Operation | Malformed], usage: Mapping[str, Any] | None) -> dict[str, Any]:
        body = self._engine.redacted(extraction_body(self._extractor, [], usage))[0]
        return {**body, "ops": encoded(self._engine, own)}

    def result(self) -> Reextraction:
        """Give the difference between what the log showed when this began and what it shows with the answers."""

        def read(snapshot: Snapshot) -> Reextraction:
            return _difference(snapshot, self._rev, self._made, tuple(self._failed), self._usage, not self._dry_run)

        found: Reextraction = with_snapshot(self._engine, self._scope, read)
        return found


def _chosen(snapshot: Snapshot, extractor: CallableExtractor, within: Bounds) -> list[Chosen]:
    """Give the settled messages to ask about: those this very model and prompt were not asked about last."""
    if snapshot.head is None:
        return []
    messages: dict[int, Entry] = {}
    newest: dict[int, Entry] = {}
    for entry in snapshot.reader.entries(snapshot.head.id):
        if entry.kind is EntryKind.MESSAGE and entry.seq >= within.from_seq:
            if within.since is None or entry.said_at >= within.since:
                messages[entry.seq] = entry
        elif entry.kind is EntryKind.EXTRACTION and entry.seq in messages:
            newest[entry.seq] = entry
    mine = _label(extraction_body(extractor, [], None))
    found = [
        Chosen(entry, newest[seq].extraction)
        for seq, entry in messages.items()
        if seq in newest and (mine is None or _label(newest[seq].body) != mine)
    ]
    return found[: within.limit]


def _label(body: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Give what tells two extractors apart; None for one that names neither its model nor its prompt."""
    named = body.get("extractor"), body.get("model"), body.get("prompt")
    return named if named[1] or named[2] else None


def _parted(chosen: Sequence[Chosen], most: int) -> list[list[Chosen]]:
    """Part messages into requests as the worker would."""
    found: list[list[Chosen]] = []
    size = 0
    for one in chosen:
        size += one.size
        if not found or len(found[-1]) >= most or size > MOST_TEXT:
            found.append([])
            size = one.size
        found[-1].append(one)
    return found


def _check_newest(reader: Reader, head: Head, made: Sequence[Made]) -> None:
    for one in made:
        numbers = [entry.extraction for entry in reader.settlements(head.id, one.seq)]
        if max(numbers, default=0) != one.extraction - 1:
            why = f"message {one.seq} was extracted again since; ask for the difference anew, then decide"
            raise ConflictError(why)


def _write(engine: Engine, scope: Scope, made: Sequence[Made]) -> None:
    with engine.store.write() as tx:
        head, registry = open_scope(engine, tx, scope)
        _check_newest(tx, head, made)
        now = engine.now()
        for one in made:
            message = tx.episode(head.id, one.seq)
            if message is not None:
                tx.append(head.id, extraction_entry(head, message, one.body, now=now, extraction=one.extraction))
        project_again(tx, head, registry, [one.seq for one in made])
        keep_usage(tx, head, [one.body for one in made])
        tx.save_head(head)


def _difference(
    snapshot: Snapshot, rev: int, made: Sequence[Made], failed: tuple[int, ...], usage: Mapping[str, float],
    applied: bool,
) -> Reextraction:  # fmt: skip
    head, registry, reader = snapshot.head, snapshot.registry, snapshot.reader
    if head is None or not made:
        return Reextraction(scope=snapshot.scope, failed_seqs=failed, usage=usage, applied=applied)
    messages = {one.seq: reader.episode(head.id, one.seq) for one in made}
    newer = {
        one.seq: Entry(
            EntryKind.EXTRACTION, rev + 1 + number, one.seq, snapshot.moment, message.said_at, one.extraction, one.body
        )
        for number, one in enumerate(made)
        if (message := messages[one.seq]) is not None
    }
    before = read_log(reader.entries(head.id, 0, rev), registry)
    after = read_log(reader.entries(head.id, 0, rev), registry, newer)
    touched = _touched(before, newer) | _touched(after, newer)
    shown = [
        {keys: shown_at(snapshot, log.slots[keys], snapshot.moment) for keys in touched if keys in log.slots}
        for log in (before, after)
    ]
    decisions: list[Decision] = []
    for seq, entry in newer.items():
        rulings = rulings_of(entry, messages[seq], registry)
        pairs = zip(rulings, entry.body["ops"], strict=True)
        decisions += [decision_of(snapshot.scope.tag, ruling, body) for ruling, body in pairs]
    proposals = tuple(dict(body) for entry in newer.values() for body in entry.body["ops"])
    diff = diff_of(shown[0], shown[1], proposals, tuple(decisions))
    return Reextraction(
        diff.added, diff.removed, diff.changed, diff.proposals, diff.decisions, scope=snapshot.scope,
        seqs=tuple(one.seq for one in made), failed_seqs=failed, usage=usage, applied=applied,
        extractions=tuple((one.seq, one.extraction, one.body) for one in made),
    )  # fmt: skip


def _touched(log: LoggedScope, newer: Mapping[int, Entry]) -> set[tuple[str, str]]:
    return {keys for keys, slot in log.slots.items() if any(claim.id.seq in newer for claim in slot.claims)}

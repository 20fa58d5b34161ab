"""Reextracting: another model over the same messages, with the difference in state before anything is written.

The old extractions stay in the log; for each message the newest one counts. Corrections, reviews and what the
application wrote are entries of their own, so no model takes them back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.erasing import has_text
from ..core.findings import as_proposed
from ..core.operations import decode_operation
from ..core.periods import parse_period
from ..core.rulings import rulings_of
from ..core.tokens import estimate_tokens
from ..errors import (
    ClosedError,
    ConflictError,
    ExtractorError,
    ExtractorUnavailable,
    InvalidValueError,
    StoreError,
)
from ..extract.answers import Malformed
from ..extract.calling import Answer, CallableExtractor
from ..model.entry import Entry, EntryKind
from ..model.jsontext import decode, encode
from ..model.operation import Operation
from ..model.results import Decision, Reextraction, ReextractPlan
from ..model.scope import Scope
from ..ports import ExtractionRequest, Head, Reader
from .core import Engine, check_limit, check_seq
from .encoding import encoded, extraction_body
from .flow import Ask, Flow, Work
from .logfold import LoggedScope, read_log
from .preview import diff_of, shown_at
from .receipts import decision_of
from .reproject import open_known, project_again
from .rules import forgotten_in
from .settle import (
    MOST_TEXT,
    append_extraction,
    by_message,
    extraction_entry,
    keep_usage,
    keep_usage_of,
    log,
    request_about,
)
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
    """A message to ask about again: the number its newest extraction has, and how many characters its text has.

    Not the text: what is asked about is read when it is asked about, since it may be erased before its turn comes.
    """

    seq: int
    extraction: int
    size: int


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

    def read(snapshot: Snapshot) -> ReextractPlan:
        found = _settled(snapshot, extractor, within)
        requests = _parted(_chosen(found), extractor.max_messages)
        return ReextractPlan(len(found), len(requests), sum(estimate_tokens(_text(message)) for message, _ in found))

    told: ReextractPlan = with_snapshot(engine, scope, read)
    return told


def reextract(
    engine: Engine, scope: Scope, extractor: CallableExtractor, within: Bounds, *, dry_run: bool
) -> Flow[Reextraction]:
    """Ask an extractor about settled messages again; written as it goes unless ``dry_run``.

    A message whose answer is bad, or can't be kept, keeps the extraction it has. One that somebody else extracts
    again meanwhile, or erases, is passed over: the newest counts. Raises ExtractorUnavailable where the provider can't
    be reached; what was written until then is not asked for again, where the extractor names its model or prompt: by
    these its extractions are known. For one that names neither the error tells the ``from_seq`` to go on with.
    """
    if not isinstance(dry_run, bool):
        raise InvalidValueError("dry_run must be True or False")
    chosen: list[Chosen] = yield Work(
        lambda: with_snapshot(engine, scope, lambda snapshot: _chosen(_settled(snapshot, extractor, within)))
    )
    run = _Run(engine, scope, extractor, len(chosen), dry_run=dry_run)
    for some in _parted(chosen, extractor.max_messages):
        yield from run.ask(some)
    found: Reextraction = yield Work(run.result)
    return found


def apply(engine: Engine, scope: Scope, found: Reextraction) -> Reextraction:
    """Write what a dry run proposed, exactly; raises ConflictError where a message was extracted again since.

    What is written already, by a call that broke off, is left as it is, so that the same call again ends the work.
    """
    # What a dry run found here is as the log keeps it; what was sent from elsewhere is put so as an answer is.
    made = [Made(seq, number, _as_kept(engine, body)) for seq, number, body in found.extractions]
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is None or found.scope != scope:
            raise InvalidValueError("this difference is of another scope")
        for one in made:  # so that nothing at all is written of what is no longer true
            _is_to_write(reader, head, one)
    for first in range(0, len(made), AT_ONCE):
        _write(engine, scope, made[first : first + AT_ONCE], _is_to_write)
    return replace(found, applied=True)


def _as_kept(engine: Engine, body: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in body.items() if name != "ops"}
    proposals = [
        Malformed(str(one.get("raw", "")), one["malformed"]) if "malformed" in one else decode_operation(one)
        for one in body["ops"]
    ]
    return {**engine.redacted(rest)[0], "ops": encoded(engine, proposals)}


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
        self._rev, self._done = 0, 0
        self._made: list[Made] = []
        self._failed: list[int] = []
        self._usage: dict[str, float] = {}

    def ask(self, some: Sequence[Chosen]) -> Flow[None]:
        """Ask about messages together; one by one where the answer about several is bad."""
        left, request = yield Work(lambda: self._question(some))
        self._done += len(some) - len(left)
        if left and not (yield from self._answer(left, request)):
            for one in left:
                yield from self.ask([one])
            return
        self._engine.emit(
            "reextracted", scope=self._scope, seq=some[-1].seq, done=self._done, messages=self._total
        )

    def _question(self, some: Sequence[Chosen]) -> tuple[list[Chosen], ExtractionRequest | None]:
        """Give the messages that are still to be asked about, and the question."""

        def read(snapshot: Snapshot) -> tuple[list[Chosen], ExtractionRequest | None]:
            head, reader = snapshot.head, snapshot.reader
            if head is None:
                return [], None
            self._rev = self._rev or head.rev
            found = [(one, reader.episode(head.id, one.seq)) for one in some if _is_newest(reader, head, one)]
            left = [(one, entry) for one, entry in found if entry is not None and has_text(entry)]
            request = request_about(snapshot, [entry for _, entry in left]) if left else None
            return [one for one, _ in left], request

        question: tuple[list[Chosen], ExtractionRequest | None] = with_snapshot(self._engine, self._scope, read)
        return question

    def _answer(self, some: Sequence[Chosen], request: ExtractionRequest) -> Flow[bool]:
        """Ask, and keep the answer; False where it was bad and says nothing of each of several messages."""
        try:
            answer: Answer = yield Ask(self._extractor, request)
        except ExtractorUnavailable as error:
            away = error
            yield Work(lambda: self._count(away.usage))
            raise self._broken_off(away, some[0].seq) from away
        except ExtractorError as error:
            bad = error
            yield Work(lambda: self._count(bad.usage))
            is_kept = False
        else:
            is_kept = yield Work(lambda: self._keep(some, request, answer))
        if not is_kept and len(some) > 1:
            return False
        if not is_kept:
            self._failed.append(some[0].seq)
        self._done += len(some)
        return True

    def _broken_off(self, error: ExtractorUnavailable, seq: int) -> ExtractorUnavailable:
        told = f"{error}; {self._done} of {self._total} messages were done"
        if not self._dry_run and _label(extraction_body(self._extractor, [], None)) is None:
            told += f"; the extractor names neither its model nor its prompt: to go on, give from_seq={seq}"
        ours = ExtractorUnavailable(told)
        ours.usage = error.usage
        return ours

    def _keep(self, some: Sequence[Chosen], request: ExtractionRequest, answer: Answer) -> bool:
        """Keep an answer; False where that can't be done, which counts as a bad answer."""
        texts = [message.content for message in request.messages]
        try:
            made: list[Made] = []
            for one, own in zip(some, by_message(answer.operations, texts), strict=True):
                made.append(Made(one.seq, one.extraction + 1, self._body(own, None if made else answer.usage)))
            kept = made if self._dry_run else _write(self._engine, self._scope, made, _is_newest_before)
        except (StoreError, ClosedError):
            raise
        except Exception as error:
            log.failure("not kept", "an answer could not be kept", error=error)
            self._count(answer.usage)
            return False
        self._made += kept
        if kept[:1] == made[:1]:
            self._sum(answer.usage)  # counted with the entry that tells of it
        else:
            self._count(answer.usage)
        return True

    def _count(self, usage: Mapping[str, Any] | None) -> None:
        """Add up what no entry tells of: an answer that is not kept has its cost all the same."""
        self._sum(usage)
        if not self._dry_run:
            keep_usage_of(self._engine, self._scope, self._extractor, usage)

    def _sum(self, usage: Mapping[str, Any] | None) -> None:
        for name, used in (usage if isinstance(usage, Mapping) else {}).items():
            if isinstance(used, (int, float)) and not isinstance(used, bool):
                self._usage[name] = self._usage.get(name, 0) + used

    def _body(self, own: Sequence[Operation | Malformed], usage: Mapping[str, Any] | None) -> dict[str, Any]:
        body = self._engine.redacted(extraction_body(self._extractor, [], usage))[0]
        return {**body, "ops": encoded(self._engine, own)}

    def result(self) -> Reextraction:
        """Give the difference between what the log showed when this began and what it shows with the answers."""

        def read(snapshot: Snapshot) -> Reextraction:
            return _difference(snapshot, self._rev, self._made, tuple(self._failed), self._usage, not self._dry_run)

        found: Reextraction = with_snapshot(self._engine, self._scope, read)
        return found


def _settled(snapshot: Snapshot, extractor: CallableExtractor, within: Bounds) -> list[tuple[Entry, int]]:
    """Give the settled messages to ask about, each with the number of its newest extraction.

    Those this very model and prompt were asked about last are left out.
    """
    if snapshot.head is None:
        return []
    messages: dict[int, Entry] = {}
    newest: dict[int, Entry] = {}
    for entry in snapshot.reader.entries(snapshot.head.id):
        if has_text(entry) and entry.seq >= within.from_seq:
            if within.since is None or entry.said_at >= within.since:
                messages[entry.seq] = entry
        elif entry.kind is EntryKind.EXTRACTION and entry.seq in messages:
            newest[entry.seq] = entry
    mine = _label(extraction_body(extractor, [], None))
    found = [
        (message, newest[seq].extraction)
        for seq, message in messages.items()
        if seq in newest and (mine is None or _label(newest[seq].body) != mine)
    ]
    return found[: within.limit]


def _chosen(found: Sequence[tuple[Entry, int]]) -> list[Chosen]:
    return [Chosen(message.seq, extraction, len(_text(message))) for message, extraction in found]


def _text(message: Entry) -> str:
    return str(message.body.get("content", ""))


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


def _extractions(reader: Reader, head: Head, seq: int) -> list[Entry]:
    return [entry for entry in reader.settlements(head.id, seq) if entry.kind is EntryKind.EXTRACTION]


def _is_newest(reader: Reader, head: Head, one: Chosen) -> bool:
    """Tell whether the extraction a message had when it was chosen still counts."""
    return max((entry.extraction for entry in _extractions(reader, head, one.seq)), default=0) == one.extraction


def _is_newest_before(reader: Reader, head: Head, one: Made) -> bool:
    """Tell whether nobody extracted a message again while it was asked about; if so, theirs is the newer one."""
    return _is_newest(reader, head, Chosen(one.seq, one.extraction - 1, 0))


def _is_to_write(reader: Reader, head: Head, one: Made) -> bool:
    """Tell whether an extraction is not written yet; raises ConflictError where another one stands in its place."""
    if _is_newest_before(reader, head, one):
        return True
    newest = max(_extractions(reader, head, one.seq), key=lambda entry: entry.extraction, default=None)
    if newest is not None and newest.extraction == one.extraction and newest.body == decode(encode(one.body)):
        return False
    raise ConflictError(f"message {one.seq} was extracted again since; ask for the difference anew, then decide")


def _write(
    engine: Engine, scope: Scope, made: Sequence[Made], is_wanted: Callable[[Reader, Head, Made], bool]
) -> list[Made]:
    """Append extractions in one transaction; gives those that were wanted then, and whose message is still there."""
    is_cut = False
    with engine.store.write() as tx:
        found = open_known(engine, tx, scope)
        if found is None:
            return []
        head, registry = found
        now, kept, forgotten = engine.now(), list[Made](), forgotten_in(tx, head)
        for one in made:
            message = tx.episode(head.id, one.seq) if is_wanted(tx, head, one) else None
            if message is not None and has_text(message):
                entry = extraction_entry(head, message, one.body, now=now, extraction=one.extraction)
                is_cut = append_extraction(tx, head, registry, entry, message, forgotten)[1] is not message or is_cut
                kept.append(one)
        if kept:
            project_again(tx, head, registry, [one.seq for one in kept])
            keep_usage(tx, head, [one.body for one in kept])
        tx.save_head(head)
    if is_cut:
        engine.store.scrub()
    return kept


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
    forgotten = snapshot.forgotten
    before = read_log(reader.entries(head.id, 0, rev), registry, forgotten=forgotten)
    after = read_log(reader.entries(head.id, 0, rev), registry, newer, forgotten=forgotten)
    touched = _touched(before, newer) | _touched(after, newer)
    shown = [
        {keys: shown_at(snapshot, log.slots[keys], snapshot.moment) for keys in touched if keys in log.slots}
        for log in (before, after)
    ]
    decisions: list[Decision] = []
    for seq, entry in newer.items():
        rulings = rulings_of(entry, messages[seq], registry, forgotten)
        pairs = zip(rulings, entry.body["ops"], strict=True)
        decisions += [decision_of(snapshot.scope.tag, ruling, body) for ruling, body in pairs]
    proposals = tuple(as_proposed(body) for entry in newer.values() for body in entry.body["ops"])
    diff = diff_of(shown[0], shown[1], proposals, tuple(decisions))
    return Reextraction(
        diff.added, diff.removed, diff.changed, diff.proposals, diff.decisions, scope=snapshot.scope,
        seqs=tuple(one.seq for one in made), failed_seqs=failed, usage=usage, applied=applied,
        extractions=tuple((one.seq, one.extraction, one.body) for one in made),
    )  # fmt: skip


def _touched(log: LoggedScope, newer: Mapping[int, Entry]) -> set[tuple[str, str]]:
    return {keys for keys, slot in log.slots.items() if any(claim.id.seq in newer for claim in slot.claims)}

"""Previewing: what would happen if something were said, or another model read the same messages; nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.admission import Ruling, admit
from ..core.fold import fold_slot
from ..core.said import Said
from ..core.shape import Shaper
from ..errors import ExtractorError, InvalidValueError
from ..extract.calling import Answer, CallableExtractor
from ..model.fact import Fact
from ..model.moment import FOREVER, to_datetime
from ..model.operation import Message, Operation
from ..model.results import Decision, StateDiff
from ..model.scope import Scope
from ..ports import ExtractionRequest, RequestMessage
from .core import Engine
from .echo import recalled_spans
from .encoding import encoded
from .flow import Ask, Flow, Work
from .logfold import LoggedSlot, read_log
from .receipts import decision_of
from .record import Prepared, messages_in, prepare
from .state import Asked, Snapshot, state_in, with_snapshot
from .write import checked, confirmed


def preview(
    engine: Engine, scope: Scope, given: Any, extractor: CallableExtractor | None
) -> Flow[StateDiff]:
    """Give what would change if messages were said, or operations written, now."""
    if _is_operations(given):
        bodies = checked(engine, list(given))[0]
        written: StateDiff = yield Work(lambda: with_snapshot(engine, scope, lambda s: _of_writes(s, bodies)))
        return written
    if extractor is None:
        raise ExtractorError("previewing messages needs an extractor: give llm=..., or open the memory with one")
    prepared = [prepare(engine, message) for message in _messages(scope, given)]
    request: ExtractionRequest = yield Work(lambda: with_snapshot(engine, scope, lambda s: _request(s, prepared)))
    answer: Answer = yield Ask(extractor, request)
    operations = encoded(engine, answer.operations)
    places = [operation.message or 0 for operation in answer.operations]
    said: StateDiff = yield Work(
        lambda: with_snapshot(engine, scope, lambda s: _of_messages(s, prepared, operations, places))
    )
    return said


def _is_operations(given: Any) -> bool:
    if isinstance(given, Operation):
        raise InvalidValueError("give a list of operations")
    is_list = isinstance(given, Sequence) and not isinstance(given, (str, bytes))
    return is_list and bool(given) and all(isinstance(item, Operation) for item in given)


def _messages(scope: Scope, given: Any) -> list[Message]:
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) and given and isinstance(given[0], Message):
        return list(given)
    return messages_in(scope.user_id, given, {})


def _request(snapshot: Snapshot, prepared: Sequence[Prepared]) -> ExtractionRequest:
    said = to_datetime(snapshot.moment)
    messages = tuple(RequestMessage(m.content, m.role, said, m.speaker, m.session_id) for m in prepared)
    predicates = tuple(snapshot.registry.predicates.values())
    return ExtractionRequest(messages, (), predicates, state_in(snapshot, Asked()).by_subject)


def _of_writes(snapshot: Snapshot, bodies: Sequence[Mapping[str, Any]]) -> StateDiff:
    said = replace(_next(snapshot, 0), source="application", role="application", text=None)
    if snapshot.head is not None:
        ask = (snapshot.reader, snapshot.head, snapshot.registry)
        bodies = [confirmed(*ask, dict(body), snapshot.moment) for body in bodies]
    rulings = [admit(body, number, said, snapshot.registry) for number, body in enumerate(bodies)]
    return _difference(snapshot, rulings, bodies)


def _of_messages(
    snapshot: Snapshot, prepared: Sequence[Prepared], bodies: Sequence[Mapping[str, Any]], places: Sequence[int]
) -> StateDiff:
    said = [_said(snapshot, message, place) for place, message in enumerate(prepared)]
    pairs = list(zip(bodies, places, strict=True))
    rulings = [admit(body, number, said[place], snapshot.registry) for number, (body, place) in enumerate(pairs)]
    return _difference(snapshot, rulings, bodies)


def _next(snapshot: Snapshot, place: int) -> Said:
    head = snapshot.head
    seq = (0 if head is None else head.seq) + 1 + place
    rev = (0 if head is None else head.rev) + 1 + place
    return Said(
        seq, 1, snapshot.moment + 1 + place, "user", "user", rev, snapshot.moment, snapshot.engine.zone,
        declared_only=snapshot.engine.declared_only, forgotten=snapshot.forgotten,
    )  # fmt: skip


def _said(snapshot: Snapshot, message: Prepared, place: int) -> Said:
    said = _next(snapshot, place)
    spans: tuple[tuple[int, int], ...] = ()
    if snapshot.head is not None:
        spans = recalled_spans(snapshot.reader, snapshot.scope, snapshot.registry, message.content)
    engine, when = snapshot.engine, said.said_at
    if message.said_at is not None:
        when = engine.given_time(message.said_at, engine.now())
    return replace(
        said, said_at=when, source=message.source or message.role, role=message.role, text=message.content,
        speaker=message.speaker, recalled=spans,
    )  # fmt: skip


def _difference(snapshot: Snapshot, rulings: Sequence[Ruling], bodies: Sequence[Mapping[str, Any]]) -> StateDiff:
    """Fold the touched slots without and with the new claims, and compare what they show now."""
    head, registry = snapshot.head, snapshot.registry
    known: dict[tuple[str, str], LoggedSlot] = {}
    if head is not None:
        known = read_log(snapshot.reader.entries(head.id), registry, forgotten=snapshot.forgotten).slots
    touched: dict[tuple[str, str], LoggedSlot] = {}
    for ruling in rulings:
        keys = (ruling.subject_key, ruling.predicate_key)
        if keys not in touched:
            old = known.get(keys)
            claims = [] if old is None else list(old.claims)
            amendments = [] if old is None else list(old.amendments)
            touched[keys] = LoggedSlot(*_names(ruling), claims=claims, amendments=amendments)
        touched[keys].claims.append(ruling.claim)
    later = {keys: snapshot.moment + 1 + len(slot.claims) for keys, slot in touched.items()}
    before = {keys: shown_at(snapshot, known[keys], later[keys]) for keys in touched if keys in known}
    after = {keys: shown_at(snapshot, slot, later[keys]) for keys, slot in touched.items()}
    decisions = tuple(
        decision_of(snapshot.scope.tag, ruling, bodies[number]) for number, ruling in enumerate(rulings)
    )
    return diff_of(before, after, tuple(dict(body) for body in bodies), decisions)


def _names(ruling: Ruling) -> tuple[str, str, str, str]:
    return ruling.subject_key, ruling.subject, ruling.predicate_key, ruling.predicate


def shown_at(snapshot: Snapshot, slot: LoggedSlot, moment: int) -> list[Fact]:
    """Give the facts a slot of the log shows at a moment."""
    predicate = snapshot.registry.predicate(slot.predicate)
    if predicate is None:
        return []
    shaper = Shaper(snapshot.scope.tag, slot.subject, predicate, snapshot.registry, moment)
    runs = fold_slot(slot.log(snapshot.registry)).runs
    return [shaper.of_run(run) for run in runs if run.start <= moment < (FOREVER if run.end is None else run.end)]


def diff_of(
    before: Mapping[tuple[str, str], Sequence[Fact]],
    after: Mapping[tuple[str, str], Sequence[Fact]],
    proposals: tuple[Mapping[str, Any], ...] = (),
    decisions: tuple[Decision, ...] = (),
) -> StateDiff:
    """Give the difference between what slots showed and show: added, removed, and one value for another."""
    added: list[Fact] = []
    removed: list[Fact] = []
    changed: list[tuple[Fact, Fact]] = []
    for keys in sorted({*before, *after}):
        old = {fact.object: fact for fact in before.get(keys, ())}
        new = {fact.object: fact for fact in after.get(keys, ())}
        gone = [fact for text, fact in old.items() if text not in new]
        come = [fact for text, fact in new.items() if text not in old]
        if len(gone) == len(come) == 1:
            changed.append((gone[0], come[0]))
        else:
            removed += gone
            added += come
    return StateDiff(tuple(added), tuple(removed), tuple(changed), proposals, decisions)



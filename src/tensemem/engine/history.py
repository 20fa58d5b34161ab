"""Reading history: every fact of a slot, what took away from it, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.fold import SlotFold, Stated
from ..core.ids import format_id
from ..core.periods import parse_period
from ..core.rulings import rulings_of
from ..core.shape import Shaper, history_of
from ..errors import InvalidTimeError, InvalidValueError, UnknownFactError
from ..model.claim import Claim, ClaimId, Correction
from ..model.entry import EntryKind
from ..model.fact import Fact, Statement
from ..model.items import Items
from ..model.moment import to_datetime
from ..model.results import Decision, History
from ..model.scope import Scope
from ..ports import SlotRow
from .core import Engine, check_limit, check_seq, described
from .freshness import freshness_of
from .historypage import Pages, cursor_of, named_by, slots_of
from .logfold import read_log, wanted_slots
from .project import read_fold
from .receipts import decision_of
from .reproject import newest_extraction
from .state import Snapshot, items_in, known_predicate, known_rev, with_snapshot


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a history is asked for."""

    between: Any = None
    known_at: Any = None
    limit: int | None = None
    after: str | None = None


def history(engine: Engine, scope: Scope, predicate: str | None, subject: str | None, page: Page) -> History:
    """Give a slot's facts, or those of all slots of a subject (or of all), in valid-time order."""
    result: History = with_snapshot(engine, scope, lambda snapshot: history_in(snapshot, predicate, subject, page))
    return result


def history_in(snapshot: Snapshot, predicate: str | None, subject: str | None, page: Page) -> History:
    """Give the history a snapshot shows."""
    head = snapshot.head
    keeps = _between(snapshot, page.between)
    fresh = freshness_of(snapshot.engine, snapshot.reader, head)
    if head is not None and page.known_at is not None:
        upto = min(known_rev(snapshot, page.known_at), head.rev)
        if upto < head.rev:
            fresh = read_log(
                snapshot.reader.entries(head.id, 0, upto), snapshot.registry, forgotten=snapshot.forgotten
            ).freshness_upto(None)
    if head is None:
        if predicate is not None:
            known_predicate(snapshot.registry, predicate)
        return History(snapshot.scope.user_id, (), (), fresh, at=to_datetime(snapshot.moment))
    if page.limit is not None and page.known_at is None and snapshot.is_projected:
        shown, cursor, statements = _paged(snapshot, predicate, subject, page, keeps)
    else:
        facts, statements = _told(folds_of(snapshot, predicate, subject, page.known_at))
        shown, cursor = _page(sorted(filter(keeps, facts), key=valid_time), page)
    statements.sort(key=lambda statement: (statement.said_at, statement.id))
    at = to_datetime(snapshot.moment)
    return History(snapshot.scope.user_id, tuple(shown), tuple(statements), fresh, cursor, at)


def _told(folds: Iterable[tuple[Shaper, SlotFold, list[Claim]]]) -> tuple[list[Fact], list[Statement]]:
    facts: list[Fact] = []
    statements: list[Statement] = []
    for shaper, fold, claims in folds:
        facts += history_of(fold, shaper, claims)
        statements += [shaper.of_statement(stated) for stated in fold.statements]
    return facts, statements


def _paged(
    snapshot: Snapshot, predicate: str | None, subject: str | None, page: Page, keeps: Callable[[Fact], bool]
) -> tuple[list[Fact], str | None, list[Statement]]:
    """Give a page of what the slots asked for hold; but those of which more is to be told none is read as a whole."""
    registry = snapshot.registry
    subject_key = None if subject is None else registry.subject(subject)[0]
    slots = slots_of(snapshot, subject_key, None if predicate is None else {known_predicate(registry, predicate)})
    limit = check_limit(page.limit)
    facts, statements = _told(_folded(snapshot, slots.loose))
    pages = Pages(snapshot, slots, sorted(filter(keeps, facts), key=valid_time), valid_time, keeps)
    shown, cursor = pages.page(limit, page.after)

    def shaped(slot: SlotRow, stated: Stated) -> Statement:
        shaper = _shaper(snapshot, slot.subject, slot.predicate)
        assert shaper is not None
        return shaper.of_statement(stated)

    return shown, cursor, [*statements, *pages.statements(shaped)]


def folds_of(
    snapshot: Snapshot, predicate: str | None, subject: str | None, known_at: Any = None
) -> list[tuple[Shaper, SlotFold, list[Claim]]]:
    """Fold the slots asked for, from the projection's claims or, as known at a revision, from the log."""
    registry, head = snapshot.registry, snapshot.head
    assert head is not None
    subject_key = None if subject is None else registry.subject(subject)[0]
    keys = None if predicate is None else {known_predicate(registry, predicate)}
    found: list[tuple[Shaper, SlotFold, list[Claim]]] = []
    if known_at is not None or not snapshot.is_projected:
        upto = head.rev if known_at is None else min(known_rev(snapshot, known_at), head.rev)
        logged = read_log(snapshot.reader.entries(head.id, 0, upto), registry, forgotten=snapshot.forgotten)
        for one in wanted_slots(logged, subject_key, keys):
            shaper = _shaper(snapshot, one.subject, one.predicate)
            if shaper is not None:
                log = one.log(registry)
                found.append((shaper, one.fold(registry), _all_claims(log.claims, log.amendments)))
        return found
    slots = snapshot.reader.slots(head.id) if keys is None or subject_key is None else [
        slot for key in keys if (slot := snapshot.reader.slot(head.id, subject_key, key)) is not None
    ]  # fmt: skip
    wanted = (
        slot for slot in slots
        if subject_key in (None, slot.subject_key) and (keys is None or slot.predicate_key in keys)
    )  # fmt: skip
    return _folded(snapshot, wanted)


def _folded(snapshot: Snapshot, slots: Iterable[SlotRow]) -> list[tuple[Shaper, SlotFold, list[Claim]]]:
    """Fold slots from their claims, those of known predicates."""
    assert snapshot.head is not None
    found: list[tuple[Shaper, SlotFold, list[Claim]]] = []
    for slot in slots:
        shaper = _shaper(snapshot, slot.subject, slot.predicate)
        if shaper is not None:
            fold, log = read_fold(snapshot.reader, snapshot.head.id, slot, snapshot.registry)
            found.append((shaper, fold, _all_claims(log.claims, log.amendments)))
    return found


def _all_claims(claims: Sequence[Claim], amendments: Sequence[Any]) -> list[Claim]:
    replacements = [a.replacement for a in amendments if isinstance(a, Correction) and a.replacement is not None]
    return [*claims, *replacements]


def _shaper(snapshot: Snapshot, subject: str, name: str) -> Shaper | None:
    predicate = snapshot.registry.predicate(name)
    if predicate is None:
        return None
    return Shaper(snapshot.scope.tag, subject, predicate, snapshot.registry, snapshot.moment)


def valid_time(fact: Fact) -> tuple[Any, ...]:
    """Order facts by valid time; those with no dates come last."""
    start = fact.valid_from or fact.valid_to
    latest = to_datetime(0).replace(year=9999)
    return start is None, start or latest, fact.valid_to or latest, fact.id


def _between(snapshot: Snapshot, between: Any) -> Callable[[Fact], bool]:
    """Tell which facts hold at some moment between two; all where none are given."""
    if between is None:
        return lambda _: True
    if not isinstance(between, (tuple, list)) or len(between) != 2:
        raise InvalidValueError("between must be a pair of times: (from, to)")
    zone = snapshot.engine.zone
    first, last = (parse_period(each, zone, name="between") for each in between)
    start, end = to_datetime(first.start), to_datetime(last.as_end)
    if end <= start and last.start < first.start:
        raise InvalidTimeError("between: the second time lies before the first; give the earlier one first")

    def overlaps(fact: Fact) -> bool:
        begins = fact.valid_from or fact.valid_to
        return begins is not None and begins < end and (fact.valid_to is None or fact.valid_to > start)

    return overlaps


def _page(facts: list[Fact], page: Page) -> tuple[list[Fact], str | None]:
    if page.limit is not None:
        check_limit(page.limit)
    first = 0
    if page.after is not None:
        last = named_by(page.after, facts) if isinstance(page.after, str) else None
        if last is None:
            raise UnknownFactError(f"after={described(page.after)} is not a fact of this history")
        first = next(place for place, fact in enumerate(facts, 1) if fact is last)
    shown = facts[first:] if page.limit is None else facts[first : first + page.limit]
    has_more = first + len(shown) < len(facts)
    return shown, cursor_of(shown[-1], facts) if has_more and shown else None


def decisions(engine: Engine, scope: Scope, seq: int) -> Items[Decision]:
    """Give what became of every operation of an episode; empty while a message is pending."""
    check_seq(seq)
    return items_in(engine, scope, lambda snapshot: _decisions(snapshot, seq))


def _decisions(snapshot: Snapshot, seq: int) -> tuple[Decision, ...]:
    head, reader = snapshot.head, snapshot.reader
    entry = None if head is None else reader.episode(head.id, seq)
    if head is None or entry is None:
        raise UnknownFactError(f"no episode {seq} in this scope")
    if entry.kind is EntryKind.ERASURE:
        return (Decision(seq, "erased", message=GONE_WHY[WAS_ERASED if "was" in entry.body else MARKS]),)
    if entry.kind is EntryKind.WRITE:
        return _rulings(snapshot, entry, None)
    if entry.kind is not EntryKind.MESSAGE:
        return (Decision(seq, "admitted", entry.kind.value, format_id(snapshot.scope.tag, _own_id(seq))),)
    extraction = newest_extraction(reader, head.id, seq)
    if extraction is not None:
        return _rulings(snapshot, extraction, entry)
    skips = [e for e in reader.settlements(head.id, seq) if e.kind is EntryKind.SKIP]
    return tuple(Decision(seq, "skipped", str(skip.body.get("reason", ""))) for skip in skips[-1:])


WAS_ERASED, MARKS = "erased", "marks"
GONE_WHY = {
    WAS_ERASED: "it was erased; nothing of it is kept",
    MARKS: "it says that something was forgotten, and not what",
}


def _own_id(seq: int) -> ClaimId:
    return ClaimId(seq, 0, 0)


def _rulings(snapshot: Snapshot, entry: Any, message: Any) -> tuple[Decision, ...]:
    """Rule again, and tell of each admitted claim what it did to its slot."""
    head = snapshot.head
    assert head is not None
    notes: dict[Any, str] = {}
    rulings = rulings_of(entry, message, snapshot.registry, snapshot.forgotten)
    for keys in {(ruling.subject_key, ruling.predicate_key) for ruling in rulings}:
        slot = snapshot.reader.slot(head.id, *keys)
        if slot is not None:
            fold, log = read_fold(snapshot.reader, head.id, slot, snapshot.registry)
            kinds = {claim.id: claim.kind.value for claim in log.claims}
            for id in fold.ineffective:
                notes[id] = "retract_mismatch" if kinds.get(id) == "retract" else "not_shown"
    operations: Sequence[Mapping[str, Any]] = entry.body.get("ops", ())
    return tuple(
        decision_of(snapshot.scope.tag, ruling, operations[number], notes.get(ruling.claim.id, ""))
        for number, ruling in enumerate(rulings)
    )



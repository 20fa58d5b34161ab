"""Reading questions: what waits, is in doubt or has grown old, put into words from one snapshot.

What a state shows is all that is read: its rows, and the claims of a slot only where a less trusted statement is in
doubt against a shown one. Nothing is stored: a question's id is that of the claim it asks about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from ..core.fold import SlotFold, doubt_of
from ..core.questions import Asked, Item, Slot, asking_order, contesting, questions_of
from ..core.registry import Registry
from ..core.shape import Shaper, waiting_text
from ..core.values import shown as shown_value
from ..model.claim import Claim, ClaimId, ClaimKind, Outcome
from ..model.fact import FactStatus
from ..model.items import Items
from ..model.moment import to_datetime, to_moment
from ..model.question import Question
from ..model.scope import Scope
from ..ports import FactRow, Head, Reader, SlotRow
from . import rows
from .core import Engine, check_limit
from .factview import FactView
from .logfold import read_log, wanted_slots
from .project import read_fold
from .state import Snapshot, items_in

CANDIDATE, PLAN = 1, 2
"""The kinds of rows that wait."""

Folding = Callable[[SlotRow], SlotFold]


def questions(engine: Engine, scope: Scope, limit: int | None) -> Items[Question]:
    """Give what is worth asking a scope's user, the most pressing first."""
    if limit is not None:
        check_limit(limit)
    return items_in(engine, scope, lambda snapshot: _questions(snapshot, limit))


def _questions(snapshot: Snapshot, limit: int | None) -> tuple[Question, ...]:
    head, registry = snapshot.head, snapshot.registry
    if head is None:
        return ()
    pairs, fold = _rows(snapshot, head)
    found: list[Asked] = []
    for slot in slots_in(snapshot.reader, head, FactView(head.scope.tag, registry, snapshot.moment), pairs, fold):
        found += questions_of(slot, to_datetime(snapshot.moment), ZoneInfo(snapshot.engine.zone))
    found.sort(key=asking_order)
    return tuple(asked.question for asked in found[:limit])


def _rows(snapshot: Snapshot, head: Head) -> tuple[list[tuple[FactRow, SlotRow]], Folding]:
    """Give the rows that a state is read from; of a projection that can't be brought up to date, from the log."""
    reader, registry = snapshot.reader, snapshot.registry
    if snapshot.is_projected:
        return reader.live(head.id, snapshot.moment), lambda slot: read_fold(reader, head.id, slot, registry)[0]
    folds: dict[tuple[str, str], SlotFold] = {}
    pairs: list[tuple[FactRow, SlotRow]] = []
    logged = read_log(reader.entries(head.id, 0, head.rev), registry, forgotten=snapshot.forgotten)
    for one in wanted_slots(logged, None, None):
        slot = SlotRow(0, one.subject_key, one.predicate_key, one.subject, one.predicate, plain=False)
        fold = folds[one.subject_key, one.predicate_key] = one.fold(registry)
        kept = rows.fact_rows(0, fold.runs, (*fold.candidates, *fold.plans))
        pairs += [(row, slot) for row in kept if row.end > snapshot.moment]
    return pairs, lambda slot: folds[slot.subject_key, slot.predicate_key]


def slots_in(
    reader: Reader, head: Head, view: FactView, pairs: Iterable[tuple[FactRow, SlotRow]], fold: Folding
) -> list[Slot]:
    """Give the slots in which something may be asked, from the rows that live at the moment of the read."""
    groups: dict[tuple[str, str], tuple[SlotRow, list[FactRow]]] = {}
    for row, slot in pairs:
        predicate = view.registry.predicate(slot.predicate)
        is_settled = slot.plain and (predicate is None or predicate.review_after is None)
        if predicate is not None and not is_settled and (row.kind or row.start <= view.moment):
            groups.setdefault((slot.subject_key, slot.predicate_key), (slot, []))[1].append(row)
    return [_slot(reader, head, view, slot, found, fold) for slot, found in groups.values()]


def _slot(
    reader: Reader, head: Head, view: FactView, slot: SlotRow, found: Sequence[FactRow], fold: Folding
) -> Slot:
    predicate = view.predicate(slot)
    shown = tuple(item_of_run(view, row, slot) for row in found if row.kind == 0)
    waiting = {kind: [_waiting(reader, head, view, row, slot) for row in found if row.kind == kind] for kind in (1, 2)}
    candidates = tuple(waiting[CANDIDATE])
    moment = view.moment
    due = tuple(
        item
        for item in waiting[PLAN]
        if item.fact.valid_from is not None and to_moment(item.fact.valid_from) <= moment
    )
    doubted = [item for item in shown if item.fact.contested and not contesting(item, candidates, predicate.is_many)]
    rivals = _rivals(view, slot, doubted, fold) if doubted and predicate.trust is not None else ()
    return Slot(slot.subject, predicate, shown, candidates, due, rivals)


def item_of_run(view: FactView, row: FactRow, slot: SlotRow) -> Item:
    """Give a fact shown as questions see it."""
    fact = view.of_row(row, slot)
    return Item(fact, (row.key,), (fact.value,), (fact.object,))


def _waiting(reader: Reader, head: Head, view: FactView, row: FactRow, slot: SlotRow) -> Item:
    """Give what waits as questions see it; the values of a REPLACE stand in its claim only."""
    fact, body = view.of_row(row, slot), rows.decode_body(row)
    kind, stored = ClaimKind(body[1]), body[2]
    if kind is ClaimKind.REPLACE:
        claim = _claim(reader, head, ClaimId(*body[6][-1][:3]))
        return _with_values(Item(fact, kind=kind), claim, view.registry, view.predicate(slot).name)
    if stored is None:
        return Item(fact, kind=kind)
    key = row.key if kind is ClaimKind.VALUE else row.key.removeprefix(f"{kind.value}:")
    return Item(fact, (key,), (fact.value,), (shown_value(stored, view.predicate(slot), view.registry)[1],), kind)


def _claim(reader: Reader, head: Head, id: ClaimId) -> Claim | None:
    for row in reader.claims_of(head.id, id.seq):
        if (row.extraction, row.number) == (id.extraction, id.number) and not rows.is_amendment(row):
            return rows.claim_of(row)
    return None


def _with_values(item: Item, claim: Claim | None, registry: Registry, name: str) -> Item:
    predicate = registry.predicate(name)
    if claim is None or predicate is None:
        return item
    told = [shown_value(held.stored, predicate, registry) for _, held in claim.parts]
    return replace(
        item, keys=tuple(held.key for _, held in claim.parts), values=tuple(value for value, _ in told),
        texts=tuple(text for _, text in told),
    )  # fmt: skip


def _rivals(view: FactView, slot: SlotRow, doubted: Iterable[Item], fold: Folding) -> tuple[Item, ...]:
    """Give the newest less trusted statement against each fact that no candidate puts in doubt."""
    found, predicate = fold(slot), view.predicate(slot)
    shaper = Shaper(view.tag, slot.subject, predicate, view.registry, view.moment)
    rivals: dict[ClaimId, Item] = {}
    for item in doubted:
        run = next((run for run in found.runs if shaper.run_id(run) == item.fact.id), None)
        against = [] if run is None else [
            claim
            for claim in found.rivals
            if claim.outcome is Outcome.ADMITTED
            if (doubt := doubt_of(run, claim, many=found.many)) is not None and doubt[0] <= view.moment < doubt[1]
        ]  # fmt: skip
        if against:
            newest = max(against, key=lambda claim: (claim.said_at, claim.id))
            rivals[newest.id] = _rival(shaper, newest)
    return tuple(rivals.values())


def _rival(shaper: Shaper, claim: Claim) -> Item:
    fact = shaper.of_claims([claim], FactStatus.OVERRIDDEN)
    text = fact.object
    fact = replace(fact, object=waiting_text(claim.kind, text))
    if claim.value is None:
        return Item(fact, kind=claim.kind, is_rival=True)
    return Item(fact, (claim.value.key,), (fact.value,), (text,), claim.kind, is_rival=True)

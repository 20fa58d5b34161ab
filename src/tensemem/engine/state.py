"""Reading state: the values of a scope at a moment, as known now or at a revision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..core.fold import Run
from ..core.forgotten import Forgotten
from ..core.periods import parse_period
from ..core.registry import Registry
from ..core.shape import Shaper, review_at
from ..core.text import comparison_key
from ..errors import InvalidTimeError, InvalidValueError, UnknownPredicateError
from ..model.fact import Fact, FactStatus
from ..model.freshness import Freshness
from ..model.items import Items
from ..model.moment import FOREVER, to_datetime, to_moment
from ..model.scope import Scope
from ..model.state import Shown, State
from ..ports import FactRow, Head, Reader, SlotRow
from . import rows
from .core import Engine
from .factview import FactView
from .flow import Flow
from .freshness import Patience, check_min_seq, fresh_read, freshness_of
from .logfold import read_log, wanted_slots
from .reproject import open_known
from .rules import forgotten_in
from .versions import ELSEWHEN, Version, recorded_at
from .whole import refuse_unfinished

T = TypeVar("T")

LAST_TRY = (*[False] * 7, True)
"""A registry may change again while a scope is brought up to it; who reads then does so anew, but not for ever."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a read asks for."""

    at: Any = None
    known_at: Any = None
    predicates: Sequence[str] | None = None
    subject: str | None = None
    min_seq: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is the present state of everything."""
        return self.at is None and self.known_at is None and self.predicates is None and self.subject is None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One scope as one reader sees it, its projection up to the registry of today.

    ``drops`` is how much of what is kept had been dropped before it was taken, where its state may be kept.
    """

    engine: Engine
    reader: Reader
    scope: Scope
    head: Head | None
    registry: Registry
    moment: int
    drops: int = -1

    @property
    def forgotten(self) -> Forgotten | None:
        """What may not come back in the scope, whatever revision is read."""
        return forgotten_in(self.reader, self.head)

    @property
    def is_projected(self) -> bool:
        """Whether the projection is of the registry of today; a read-only memory can't bring it there."""
        return self.head is None or self.head.registry_rev == self.registry.rev


def take_snapshot(engine: Engine, reader: Reader, scope: Scope, drops: int = -1) -> Snapshot:
    """Look at a scope through a reader; ``drops`` is the count of the states' drops from before the reader's."""
    head, rev = reader.head_and_registry(scope)
    refuse_unfinished(head)
    registry = engine.registry(reader, scope.namespace, rev)
    now = engine.now()
    return Snapshot(engine, reader, scope, head, registry, now if head is None else max(now, head.last_said), drops)


def bring_up_to_date(engine: Engine, scope: Scope) -> None:
    """Re-project a scope where the registry has changed since."""
    with engine.store.write() as tx:
        open_known(engine, tx, scope)


def with_snapshots(engine: Engine, scopes: Sequence[Scope], read: Callable[[list[Snapshot]], T]) -> T:
    """Read several scopes from one snapshot of the store, each brought up to the registry of today first."""
    engine.check_open()
    for last_try in LAST_TRY:
        drops = engine.states.drops
        with engine.store.read() as reader:
            found = [take_snapshot(engine, reader, scope, drops) for scope in scopes]
            if last_try or engine.store.read_only or all(one.is_projected for one in found):
                return read(found)
        for scope in scopes:
            bring_up_to_date(engine, scope)
    raise AssertionError("the last try reads whatever it finds")


def states_in(snapshots: Sequence[Snapshot], asked: Asked) -> State:
    """Give the state of a scope, or of layers; a seq belongs to one scope, so it is asked of the first one."""
    rest = replace(asked, min_seq=None)
    found = [state_in(one, rest if number else asked) for number, one in enumerate(snapshots)]
    return found[0] if len(found) == 1 else layered(found)


def with_snapshot(engine: Engine, scope: Scope, read: Callable[[Snapshot], Any]) -> Any:
    """Read a scope from one snapshot, brought up to the registry of today first."""
    engine.check_open()
    drops = engine.states.drops
    with engine.store.read() as reader:
        snapshot = take_snapshot(engine, reader, scope, drops)
        if snapshot.is_projected or engine.store.read_only:
            return read(snapshot)
    bring_up_to_date(engine, scope)
    return with_snapshots(engine, [scope], lambda found: read(found[0]))


def items_in(engine: Engine, scope: Scope, read: Callable[[Snapshot], Iterable[T]]) -> Items[T]:
    """Read several things of a scope from one snapshot, with its freshness."""

    def look(snapshot: Snapshot) -> Items[T]:
        return Items(read(snapshot), freshness_of(engine, snapshot.reader, snapshot.head))

    found: Items[T] = with_snapshot(engine, scope, look)
    return found


def state(
    engine: Engine, scopes: list[Scope], asked: Asked, *, min_seq: Any = None, wait: Any = None, on_stale: str = "flag"
) -> Flow[State]:
    """Read the state of a scope, or of several layers of one user, the first one winning a slot."""

    def read() -> State:
        upto = check_min_seq(min_seq)
        return with_snapshots(engine, scopes, lambda snapshots: states_in(snapshots, replace(asked, min_seq=upto)))

    ask = Patience(min_seq, wait, on_stale)
    return (yield from fresh_read(engine, scopes, read, lambda found: found.freshness, ask))


def read_state(engine: Engine, scope: Scope, asked: Asked) -> State:
    """Read one scope's state from one snapshot."""
    result: State = with_snapshot(engine, scope, lambda snapshot: state_in(snapshot, asked))
    return result


def state_in(snapshot: Snapshot, asked: Asked) -> State:
    """Give the state a snapshot shows."""
    if asked.predicates is not None:
        predicate_keys(snapshot.registry, asked.predicates)
    if asked.subject is not None:
        snapshot.registry.subject(asked.subject)
    if asked.known_at is not None or not snapshot.is_projected:
        return _known_state(snapshot, asked)
    engine, head = snapshot.engine, snapshot.head
    fresh = freshness_of(engine, snapshot.reader, head, asked.min_seq)
    if head is None:
        engine.states.discard(snapshot.scope)  # of somebody who was forgotten
        return _state(snapshot, list, asked, 0, fresh, None)
    if not asked.is_plain:
        return _read(snapshot, asked, fresh)
    kept = engine.states.get(snapshot.scope)
    if kept is not None and _is_valid(kept[0], kept[1], snapshot):
        kept_state: State = kept[1]
        return kept_state.seen(to_datetime(snapshot.moment), fresh)
    found = _read(snapshot, asked, fresh)
    made = _mark(head, snapshot.registry.rev, snapshot.moment)
    engine.states.keep(snapshot.scope, made, found, drops=snapshot.drops)
    return found


def glance(engine: Engine, scope: Scope) -> State | None:
    """Give the present state of a scope where that can be told without waiting for anybody; else None.

    It can where the state is kept, nothing waits or failed, and one look at the store shows that it still holds.
    Raises ClosedError.
    """
    engine.check_open()
    kept = engine.states.get(scope)
    seen = None if kept is None else engine.store.glance(scope)
    if kept is None or seen is None:
        return None
    head, registry_rev = seen
    if head is None or head.pending or head.failed or head.registry_rev != registry_rev:
        return None
    moment = max(engine.now(), head.last_said)
    if not _holds(kept[0], kept[1], head, registry_rev, moment):
        return None
    state: State = kept[1]
    return state.seen(to_datetime(moment), Freshness(head.seq, head.seq, 0, 0, (), is_current=True))


Mark = tuple[int, tuple[int, ...]]
"""Of what a kept state is: the moment it was made for, and how its log and registry stood."""


def _mark(head: Head, registry_rev: int, moment: int) -> Mark:
    return moment, (head.id, head.stamp, head.rev, head.last_recorded, registry_rev)


def _is_valid(made: Mark, kept: State, snapshot: Snapshot) -> bool:
    head = snapshot.head
    return head is not None and _holds(made, kept, head, snapshot.registry.rev, snapshot.moment)


def _holds(made: Mark, kept: State, head: Head, registry_rev: int, moment: int) -> bool:
    """A kept state is good while nothing was appended, the registry stands, and no boundary has been passed."""
    if moment < made[0] or made != _mark(head, registry_rev, made[0]):
        return False
    return kept.next_change_at is None or moment < to_moment(kept.next_change_at)


def _at(snapshot: Snapshot, asked: Asked) -> int:
    if asked.at is None:
        return snapshot.moment
    return parse_period(asked.at, snapshot.engine.zone, name="at").last


def _read(snapshot: Snapshot, asked: Asked, fresh: Freshness) -> State:
    head, registry = snapshot.head, snapshot.registry
    assert head is not None
    moment = _at(snapshot, asked)
    view = FactView(head.scope.tag, registry, moment)
    pairs = _live(snapshot, asked, moment)
    if not asked.is_plain:
        wanted = _filter(registry, asked)
        pairs = [(row, slot) for row, slot in pairs if wanted(slot.subject_key, slot.predicate_key)]
    pairs = [(row, slot) for row, slot in pairs if registry.predicate(slot.predicate) is not None]
    shown = [(row, slot) for row, slot in pairs if row.kind or row.start <= moment]
    change = _next_change(view, pairs, moment)
    return _state(snapshot, lambda: [view.of_row(*pair) for pair in shown], asked, head.rev, fresh, change)


def _live(snapshot: Snapshot, asked: Asked, moment: int) -> list[tuple[FactRow, SlotRow]]:
    """Give the rows that end after a moment; of a few slots only, where subject and predicates are named."""
    head, reader, registry = snapshot.head, snapshot.reader, snapshot.registry
    assert head is not None
    if asked.predicates is None or asked.subject is None:
        return reader.live(head.id, moment)
    subject_key = registry.subject(asked.subject)[0]
    found: list[tuple[FactRow, SlotRow]] = []
    for key in predicate_keys(registry, asked.predicates):
        slot = reader.slot(head.id, subject_key, key)
        if slot is not None:
            found += [(row, slot) for row in reader.live_in(head.id, slot.id, moment)]
    return found


def _filter(registry: Registry, asked: Asked) -> Callable[[str, str], bool]:
    subject = None if asked.subject is None else registry.subject(asked.subject)[0]
    predicates = None if asked.predicates is None else predicate_keys(registry, asked.predicates)

    def is_wanted(subject_key: str, predicate_key: str) -> bool:
        return subject in (None, subject_key) and (predicates is None or predicate_key in predicates)

    return is_wanted


def predicate_keys(registry: Registry, names: Sequence[str]) -> set[str]:
    """Read a list of predicate names; raises UnknownPredicateError."""
    if isinstance(names, str) or not isinstance(names, (list, tuple, set, frozenset)):
        raise InvalidValueError("predicates must be a list of names")
    return {known_predicate(registry, name) for name in names}


def known_predicate(registry: Registry, name: str) -> str:
    """Give the key of a registered predicate; raises UnknownPredicateError."""
    if not isinstance(name, str):
        raise InvalidValueError(f"a predicate's name must be text, not {type(name).__name__}")
    if registry.predicate(name) is None:
        raise UnknownPredicateError(f"the predicate {name!r} is not registered; predicates() lists those that are")
    return registry.predicate_key(name)


def _next_change(view: FactView, pairs: Iterable[tuple[FactRow, SlotRow]], moment: int) -> int | None:
    """Give the next moment at which something begins, ends, comes into doubt, or falls due."""
    points: list[int] = []
    for row, slot in pairs:
        if row.kind == 0:
            points += (row.start, row.end)
        predicate = view.predicate(slot)
        if row.kind == 0 and slot.plain and predicate.review_after is None:
            continue  # nothing in such a row but its ends can change by itself: it need not be decoded
        body = rows.decode_body(row) if row.kind else rows.run_body(row)
        if row.kind == 0:
            points += (point for doubt in body[13] for point in doubt)
        elif row.kind == 2 and body[7] is not None:
            points.append(body[7])
        due = review_at(predicate, body[5])
        if due is not None:
            points.append(due)
    return min((point for point in points if moment < point < FOREVER), default=None)


def _state(
    snapshot: Snapshot, tell: Callable[[], list[Fact]], asked: Asked, rev: int, fresh: Freshness, change: int | None
) -> State:
    moment = _at(snapshot, asked)
    is_present = asked.at is None and asked.known_at is None
    version = Version(rev, snapshot.registry.rev, change, recorded_at(snapshot.head)).text
    return State(
        snapshot.scope.user_id,
        lambda: _shown(tell()),
        rev=rev,
        version=version if is_present else version + ELSEWHEN,
        at=to_datetime(moment),
        next_change_at=None if change is None else to_datetime(change),
        freshness=fresh,
        many=snapshot.registry.many_names,
    )


def _shown(facts: list[Fact]) -> Shown:
    facts.sort(key=_reading_order)
    return Shown(
        tuple(fact for fact in facts if fact.status is FactStatus.ACTIVE),
        tuple(fact for fact in facts if fact.status is FactStatus.PLANNED),
        tuple(fact for fact in facts if fact.status is FactStatus.CANDIDATE),
    )


def _reading_order(fact: Fact) -> tuple[bool, str, str, str, str]:
    return fact.subject != "user", fact.subject, fact.predicate, comparison_key(fact.object), fact.id


def known_rev(snapshot: Snapshot, known_at: Any) -> int:
    """Read ``known_at``: a revision, or a time, which means the last entry recorded by then."""
    head = snapshot.head
    if isinstance(known_at, int) and not isinstance(known_at, bool):
        if known_at < 0:
            raise InvalidValueError("known_at must be a revision of 0 or more, or a time")
        return known_at
    try:
        moment = parse_period(known_at, snapshot.engine.zone, name="known_at").last
    except InvalidTimeError as error:
        raise InvalidTimeError(f"{error} A revision, a whole number such as 12, is taken too.") from None
    return 0 if head is None else snapshot.reader.rev_at(head.id, moment)


def _known_state(snapshot: Snapshot, asked: Asked) -> State:
    """Fold the log up to a revision: what was believed then, of now or of the moment asked for."""
    head = snapshot.head
    moment = _at(snapshot, asked)
    known = None if asked.known_at is None else known_rev(snapshot, asked.known_at)
    if head is None:
        return _state(snapshot, list, asked, 0, freshness_of(snapshot.engine, snapshot.reader, None), None)
    upto = head.rev if known is None else min(known, head.rev)
    registry = snapshot.registry
    logged = read_log(snapshot.reader.entries(head.id, 0, upto), registry, forgotten=snapshot.forgotten)
    fresh = logged.freshness_upto(asked.min_seq)
    if upto == head.rev:
        fresh = freshness_of(snapshot.engine, snapshot.reader, head, asked.min_seq)
    subject = None if asked.subject is None else registry.subject(asked.subject)[0]
    names = None if asked.predicates is None else predicate_keys(registry, asked.predicates)
    view = FactView(head.scope.tag, registry, moment)
    facts: list[Fact] = []
    points: list[int] = []
    for slot in wanted_slots(logged, subject, names):
        predicate = registry.predicate(slot.predicate)
        if predicate is None:
            continue
        shaper = Shaper(head.scope.tag, slot.subject, predicate, registry, moment)
        fold = slot.fold(registry)
        facts += [shaper.of_run(run) for run in fold.runs if run.start <= moment < _end(run)]
        facts += [shaper.of_waiting(waiting) for waiting in (*fold.candidates, *fold.plans)]
        row = SlotRow(0, slot.subject_key, slot.predicate_key, slot.subject, slot.predicate, plain=False)
        kept = rows.fact_rows(0, fold.runs, (*fold.candidates, *fold.plans))
        next_ = _next_change(view, [(one, row) for one in kept if one.end > moment], moment)
        points += [] if next_ is None else [next_]
    change = min(points, default=None)
    return _state(snapshot, lambda: facts, asked, upto, fresh, change)


def _end(run: Run) -> int:
    return FOREVER if run.end is None else run.end


def get(engine: Engine, scope: Scope, predicate: str, default: Any, subject: str, asked: Asked) -> Any:
    """Give the value of one slot now, or at a moment; reads nothing but that slot."""

    def read(snapshot: Snapshot) -> Any:
        known = snapshot.registry.predicates[known_predicate(snapshot.registry, predicate)]
        found = state_in(snapshot, replace(asked, predicates=[predicate], subject=subject))
        return next((held[known.name] for held in found.by_subject.values() if known.name in held), default)

    return with_snapshot(engine, scope, read)


def layered(found: Sequence[State]) -> State:
    """Lay states over each other: the first one that shows something in a slot wins it."""
    facts: dict[tuple[str, str], list[Fact]] = {}
    for one in found:
        mine: dict[tuple[str, str], list[Fact]] = {}
        for fact in one.facts:
            mine.setdefault((fact.subject, fact.predicate), []).append(fact)
        for slot, held in mine.items():
            facts.setdefault(slot, held)
    shown = sorted((fact for held in facts.values() for fact in held), key=_reading_order)
    changes = [one.next_change_at for one in found if one.next_change_at is not None]
    laid = Shown(
        tuple(shown),
        tuple(fact for one in found for fact in one.planned),
        tuple(fact for one in found for fact in one.candidates),
    )
    return State(
        found[0].user_id,
        lambda: laid,
        rev=found[0].rev,
        version="+".join(one.version for one in found),
        at=found[0].at,
        next_change_at=min(changes, default=None),
        freshness=_joined(found),
        many=found[0].many,
    )


def _joined(found: Sequence[State]) -> Freshness:
    """Join the freshness of layers: current only if each is; seqs are those of the first."""
    fresh = [one.freshness for one in found]
    reasons = [one.reason for one in fresh if one.reason is not None]
    return replace(
        fresh[0],
        pending=sum(one.pending for one in fresh),
        failed=sum(one.failed for one in fresh),
        failed_seqs=fresh[0].failed_seqs,
        is_current=all(one.is_current for one in fresh),
        reason=reasons[0] if reasons else None,
    )

"""Answering questions: an answer becomes ordinary entries, all in one transaction with the look at the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from ..core.admission import may_write
from ..core.ids import format_id
from ..core.operations import encode_value
from ..core.questions import PREFIX, Asked, Hold, Item, Judge, Put, Step, Take, Void, claim_in, questions_of, settle
from ..core.registry import Registry
from ..core.shape import Shaper, is_due
from ..core.values import parse_value
from ..errors import ConflictError, InvalidValueError, UnknownFactError
from ..model.claim import ClaimKind
from ..model.entry import EntryKind
from ..model.moment import to_datetime, to_moment
from ..model.operation import Operation
from ..model.receipts import WriteOutcome, WriteResult
from ..model.scope import Scope
from ..ports import FactRow, Head, SlotRow, Writer
from . import amend, write
from .core import Engine, check_size, described
from .factview import FactView
from .project import read_fold
from .questions import slots_in
from .receipts import changes_between
from .record import known_seq
from .repeating import told_again
from .reproject import open_scope
from .resolve import Within, scope_of_id, slot_of
from .write import Request, key_of

Act = Callable[[Request], WriteResult]
"""One entry to be made; what is asked of it is given, so that the last one can carry the idempotency key."""


def answer(engine: Engine, question_id: str, given: Any, request: Request, within: Within) -> WriteResult:
    """Settle a question by what was answered. Raises ConflictError where it is open no more, and as its entries do."""
    engine.check_open()
    claim = claim_in(question_id) if isinstance(question_id, str) else None
    if claim is None:
        raise UnknownFactError(f"{described(question_id)} is no question's id; use one that questions() gave")
    value = encode_value(given)
    check_size(engine, "the answer", value)
    request = replace(request, stands_for=("answer", [question_id, value, request.source]))
    with engine.store.write() as tx:
        scope, reference = scope_of_id(engine, tx, claim, within)
        head, registry = open_scope(engine, tx, scope)
        key = key_of(request, "answer", None)
        if key is not None and (seq := known_seq(tx, head, [key])) is not None:
            return told_again(engine, tx, head, registry, seq)
        slot, _ = slot_of(tx, head, registry, reference)
        if slot is None:
            raise UnknownFactError(f"no question {question_id}; use an id that questions() gave")
        asked = _open(engine, tx, head, registry, slot, question_id)
        said_at, _ = engine.said_at(request.said_at, head, engine.now())
        steps = settle(_when_answered(asked, said_at), given, registry, engine.zone)
        answering = _Answering(engine, tx, scope, registry, slot=slot, asked=asked, within=within)
        result = answering.take(steps, request)
    engine.wake()
    for kind, made in answering.made:
        if kind is EntryKind.WRITE:
            write.tell_written(engine, scope, made)
        else:
            amend.tell_amended(engine, kind, scope, made)
    return result


def _open(engine: Engine, tx: Writer, head: Head, registry: Registry, slot: SlotRow, question_id: str) -> Asked:
    """Give the question of an id, or of any claim of what waits; raises ConflictError where it is open no more."""
    view = FactView(head.scope.tag, registry, max(engine.now(), head.last_said))
    pairs = [(row, slot) for row in tx.live_in(head.id, slot.id, view.moment)]
    zone = ZoneInfo(engine.zone)
    slots = slots_in(tx, head, view, pairs, lambda one: read_fold(tx, head.id, one, registry)[0])
    found = [asked for one in slots for asked in questions_of(one, to_datetime(view.moment), zone)]
    claim = question_id.removeprefix(PREFIX)
    for asked in found:
        if asked.question.id == question_id:
            return asked
    for asked in found:
        if asked.question.kind != "due_for_review" and claim in asked.question.fact.claim_ids:
            return asked
    raise ConflictError(f"the question is open no more: {_what_holds(view, slot, [row for row, _ in pairs])}")


def _when_answered(asked: Asked, said_at: int) -> Asked:
    """Give a question as it stands once its answer is in the log: a statement may have grown old by that moment."""
    fact = asked.about.fact
    settled = said_at + len(asked.about.keys) + 2  # each entry of an answer is said a microsecond after the one before
    if fact.due_for_review or not is_due(asked.predicate, to_moment(fact.last_evidence_at), settled):
        return asked
    return replace(asked, about=replace(asked.about, fact=replace(fact, due_for_review=True)))


def _what_holds(view: FactView, slot: SlotRow, found: Sequence[FactRow]) -> str:
    shown = [view.of_row(row, slot).object for row in found if row.kind == 0 and row.start <= view.moment]
    named = f"{view.predicate(slot).name} of {slot.subject}"
    values = ", ".join(described(text) for text in sorted(shown)[:10])
    return f"{named} is {values} now" if shown else f"{named} holds nothing now"


class _Answering:
    """The entries of one answer: makes them in order, and tells what they did together."""

    def __init__(
        self,
        engine: Engine,
        tx: Writer,
        scope: Scope,
        registry: Registry,
        *,
        slot: SlotRow,
        asked: Asked,
        within: Within,
    ) -> None:
        self._engine, self._tx, self._scope, self._registry = engine, tx, scope, registry
        self._slot, self._asked, self._within = slot, asked, within
        self._ranks = _ranks(tx, scope, registry, slot, asked)
        self._put_at: datetime | None = None
        self._is_taken = False
        self.made: list[tuple[EntryKind, WriteResult]] = []

    def take(self, steps: Sequence[Step], request: Request) -> WriteResult:
        """Make the entries; the last one carries the idempotency key, so that a retry finds all of them made."""
        before = self._rows()
        acts = [act for step in steps for act in self._acts(step, request)]
        for number, act in enumerate(acts, 1):
            act(request if number == len(acts) else replace(request, idempotency_key=None))
        kind, made = self.made[-1]
        if len(self.made) == 1 and kind is not EntryKind.CORRECTION:
            return made
        return self._together(steps, before, self._rows())

    def _rows(self) -> list[FactRow]:
        head = self._tx.head(self._scope)
        return [] if head is None else self._tx.facts(head.id, self._slot.id)

    def _acts(self, step: Step, request: Request) -> list[Act]:
        source = request.source or "application"
        rank = self._asked.predicate.rank_of(source)
        match step:
            case Judge(accept):
                return [lambda one: self._review(one, accept)]
            case Hold(item):
                is_extra = self._asked.question.kind != "due_for_review"  # what was asked is settled without it
                if is_extra and not may_write(self._asked.predicate, "application", source):
                    return []
                return self._holding(item, rank)
            case Take(item, since):
                return self._taking(item, since, rank)
            case Put(value):
                shown = self._asked.shown
                acts = [self._operation(Operation("set", self._name, value, subject=self._subject))]
                if shown is not None and not self._is_taken and rank < self._rank(shown):
                    acts.append(lambda one: self._end(one, shown, self._put_at))
                return acts
            case Void(item):
                return [lambda one: self._correct(one, item, amend.Wanted())]

    @property
    def _name(self) -> str:
        return self._asked.predicate.name

    @property
    def _subject(self) -> str:
        return self._asked.question.fact.subject

    def _holding(self, item: Item, rank: int) -> list[Act]:
        """Say that a value holds: by a confirmation, which counts nothing where what is shown is more trusted.

        A fact that has grown old is then stated anew by a correction, with the trust and over the time it had.
        """
        if rank >= self._rank(item):
            return [self._operation(Operation("confirm", self._name, item.values[0], subject=self._subject))]
        if not item.fact.due_for_review or item.kind is ClaimKind.REPLACE:
            return []
        return [lambda one: self._correct(one, item, amend.Wanted(item.values[0]))]

    def _taking(self, item: Item, since: Any, rank: int) -> list[Act]:
        """Take a value away: by a retraction where that counts, else by correcting until when it held."""
        if since is not None:
            if self._rank(self._asked.about) >= self._rank(item):
                return []  # what was accepted, or shows, takes its place by itself
            self._is_taken = True
            return [lambda one: self._end(one, item, since.valid_from)]
        if rank >= self._rank(item) and self._is_allowed(item.values[0]):
            op: Any = "remove" if self._asked.predicate.is_many else "retract"
            return [self._operation(Operation(op, self._name, item.values[0], subject=self._subject))]
        return [lambda one: self._end(one, item, None)]

    def _is_allowed(self, value: Any) -> bool:
        """Tell whether a value could be stated today: the predicate's type or choices may have changed since it was."""
        try:
            parse_value(value, self._asked.predicate, self._registry, self._engine.zone)
        except InvalidValueError:
            return False
        return True

    def _rank(self, item: Item) -> int:
        return self._ranks.get(item.fact.id, 0)

    def _operation(self, operation: Operation) -> Act:
        def act(request: Request) -> WriteResult:
            self._put_at = self._said_at(request)
            prepared = write.checked(self._engine, [operation], is_known=True)
            return self._note(EntryKind.WRITE, write.write_in(self._engine, self._tx, self._scope, prepared, request))

        return act

    def _said_at(self, request: Request) -> datetime:
        """Give when the next entry is said."""
        head, _ = open_scope(self._engine, self._tx, self._scope)
        return to_datetime(self._engine.said_at(request.said_at, head, self._engine.now())[0])

    def _review(self, request: Request, accept: bool) -> WriteResult:
        made = amend.review(
            self._engine, self._asked.about.fact.id, request, accept=accept, within=self._within, tx=self._tx
        )
        return self._note(EntryKind.REVIEW, made)

    def _end(self, request: Request, item: Item, when: datetime | None) -> WriteResult:
        """Say that a fact held until a moment only (None: until now); one that begins no earlier never held."""
        end, start = when or self._said_at(request), item.fact.valid_from
        is_whole = start is not None and end <= start
        return self._correct(request, item, amend.Wanted() if is_whole else amend.Wanted(valid_to=end))

    def _correct(self, request: Request, item: Item, wanted: amend.Wanted) -> WriteResult:
        made = amend.correct(self._engine, item.fact.id, request, wanted, self._within, self._tx)
        return self._note(EntryKind.CORRECTION, made)

    def _note(self, kind: EntryKind, made: WriteResult) -> WriteResult:
        self.made.append((kind, made))
        return made

    def _together(self, steps: Sequence[Step], before: list[FactRow], after: list[FactRow]) -> WriteResult:
        """Give one receipt of several entries: the last one's place in the log, and what all of them changed."""
        head, results = self._tx.head(self._scope), [made for _, made in self.made]
        last = results[-1]
        entry = None if head is None else self._tx.episode(head.id, last.seq)
        assert head is not None
        assert entry is not None
        view = FactView(self._scope.tag, self._registry, max(self._engine.now(), head.last_said))
        slot, (key, holds) = self._slot, self._expected(steps)

        def tell() -> WriteOutcome:
            live = [row for row in after if row.kind == 0 and row.start <= view.moment < row.end]
            own = next((row for row in live if row.key == key), None)
            shown = own if own is not None or self._asked.predicate.is_many else next(iter(live), None)
            return WriteOutcome(
                fact_ids=last.fact_ids if own is None else (view.id_of(own),),
                current=(own is not None) == holds,
                shown=None if shown is None else view.of_row(shown, slot),
                changes=tuple(changes_between(view, slot, before, after, entry)),
                decisions=tuple(decision for made in results for decision in made.decisions),
            )

        redactions: dict[str, int] = {}
        for made in results:
            redactions |= {kind: redactions.get(kind, 0) + count for kind, count in made.redactions.items()}
        return WriteResult(last.seq, last.rev, tell, redactions=redactions, durability=last.durability)

    def _expected(self, steps: Sequence[Step]) -> tuple[str, bool]:
        """Give the key of the value an answer speaks of, and whether it is to hold."""
        for step in reversed(steps):
            if isinstance(step, Hold):
                return step.item.keys[0], True
            if isinstance(step, Put):
                held = parse_value(step.value, self._asked.predicate, self._registry, self._engine.zone)
                return held.key, True
            if isinstance(step, Take) and step.since is None:
                return step.item.keys[0], False
            if isinstance(step, Void) and step.item.states:
                return step.item.keys[0], False
        about, against = self._asked.about, self._asked.against
        spoken = about if about.keys or against is None else against
        return spoken.keys[0] if spoken.keys else "", about.kind is not ClaimKind.RETRACT


def _ranks(tx: Writer, scope: Scope, registry: Registry, slot: SlotRow, asked: Asked) -> Mapping[str, int]:
    """Give the trust ranks of the slot's facts by id, where the predicate orders its sources."""
    head = tx.head(scope)
    if asked.predicate.trust is None or head is None:
        return {}
    fold, _ = read_fold(tx, head.id, slot, registry)
    shaper = Shaper(scope.tag, slot.subject, asked.predicate, registry, 0)
    found = {format_id(scope.tag, claim.id): claim.rank for claim in fold.rivals}
    for waiting in (*fold.candidates, *fold.plans):
        found[format_id(scope.tag, waiting.claims[0].id)] = max(claim.rank for claim in waiting.claims)
    for run in fold.runs:
        found[shaper.run_id(run)] = max(claim.rank for claim in run.claims)
    return found

"""A page of a history in valid-time order, without reading the rest of it.

Of a slot whose history is its runs these are read as they are kept, from where the page begins; a slot of which more
is to be told (what was corrected, denied, never shown, or waits) is folded, and merged with them.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, islice

from ..core.fold import Stated
from ..core.ids import Reference, parse_id
from ..errors import UnknownFactError
from ..model.claim import ClaimKind, Outcome
from ..model.fact import Fact, Statement
from ..model.moment import to_moment
from ..ports import ClaimRow, FactRow, Head, Reader, SlotRow
from . import rows
from .core import described
from .factview import FactView
from .resolve import slot_of
from .state import Snapshot

Order = Callable[[Fact], tuple[object, ...]]
Keeps = Callable[[Fact], bool]

_WHICH = "~"
"""Parts a fact's id from its number among those that have it, in a cursor."""

_FEW, _MANY = 16, 512
"""How many runs are read at a time: at first, and at most."""
_BEFORE_ALL = -(2**63)


def cursor_of(fact: Fact, told: Iterable[Fact]) -> str:
    """Give what names a fact of a history, told in order: its id, and which one it is where others have that too.

    What was corrected and then denied, say, stands there twice, over other times.
    """
    alike = [one for one in told if one.id == fact.id]
    if len(alike) < 2:
        return fact.id
    return f"{fact.id}{_WHICH}{next(number for number, one in enumerate(alike, 1) if one is fact)}"


def named_by(cursor: str, told: Iterable[Fact]) -> Fact | None:
    """Find the fact that a cursor names: the last one of an id by itself; None where there is none."""
    id, _, which = cursor.partition(_WHICH)
    alike = [one for one in told if one.id == id]
    number = int(which) if re.fullmatch("[1-9][0-9]{0,8}", which) else len(alike)
    return alike[min(number, len(alike)) - 1] if alike else None


@dataclass(frozen=True, slots=True)
class Slots:
    """Which slots a history is of: ``whole`` ones (None: all there are of the predicates), and others, folded."""

    keys: set[str] | None
    whole: Sequence[SlotRow] | None
    loose: Sequence[SlotRow]


def slots_of(snapshot: Snapshot, subject_key: str | None, keys: set[str] | None) -> Slots:
    """Find the slots of a subject, or of all, without reading those that are not asked for."""
    head, reader = snapshot.head, snapshot.reader
    assert head is not None

    def wanted(found: Iterable[SlotRow]) -> list[SlotRow]:
        return [slot for slot in found if _is_wanted(snapshot, slot, keys)]

    if subject_key is None:
        return Slots(keys, None, wanted(reader.loose_slots(head.id)))
    if keys is not None:
        named = (reader.slot(head.id, subject_key, key) for key in sorted(keys))
        found = wanted(slot for slot in named if slot is not None)
    else:
        found = wanted(reader.slots_of(head.id, subject_key))
    return Slots(keys, [slot for slot in found if slot.whole], [slot for slot in found if not slot.whole])


def _is_wanted(snapshot: Snapshot, slot: SlotRow, keys: set[str] | None) -> bool:
    return (keys is None or slot.predicate_key in keys) and snapshot.registry.predicate(slot.predicate) is not None


@dataclass(frozen=True, slots=True)
class Pages:
    """The facts of some slots in order: those that were ``folded``, as far as it keeps them, and the others' runs."""

    snapshot: Snapshot
    slots: Slots
    folded: Sequence[Fact]
    order: Order
    keeps: Keeps
    _known: dict[int, SlotRow | None] = field(default_factory=dict)

    def page(self, limit: int, after: str | None) -> tuple[list[Fact], str | None]:
        """Give the first facts behind one, and the cursor of the next page; raises UnknownFactError."""
        last = None if after is None else self._fact(after)
        found = list(islice(self._behind(last), limit + 1))
        shown = found[:limit]
        return shown, cursor_of(shown[-1], self.folded) if len(found) > limit else None

    def statements(self, shape: Callable[[SlotRow, Stated], Statement]) -> list[Statement]:
        """Give what took away in the slots that were not folded; all of it is in force."""
        head, reader = self.head, self.snapshot.reader
        if self.slots.whole is None:
            found: Iterable[ClaimRow] = reader.statements(head.id, None)
        else:
            found = chain.from_iterable(reader.statements(head.id, slot.id) for slot in self.slots.whole)
        stated = [(self._slot(row.slot), row) for row in found if row.outcome == Outcome.ADMITTED.value]
        return [shape(slot, Stated(rows.claim_of(row), in_force=True)) for slot, row in stated if slot is not None]

    @property
    def head(self) -> Head:
        """The head of the scope."""
        assert self.snapshot.head is not None
        return self.snapshot.head

    @property
    def view(self) -> FactView:
        """How rows are read."""
        return FactView(self.head.scope.tag, self.snapshot.registry, self.snapshot.moment)

    def _behind(self, last: Fact | None) -> Iterator[Fact]:
        start, place = _BEFORE_ALL, None if last is None else self.order(last)
        streams: list[Iterable[Fact]] = [self.folded]
        if last is None or last.valid_from is not None or last.valid_to is not None:  # those with no dates come last
            if last is not None:
                start = to_moment(last.valid_from or last.valid_to)  # type: ignore[arg-type]
            numbers = [None] if self.slots.whole is None else [slot.id for slot in self.slots.whole]
            streams += [self._runs(number, start) for number in numbers]
        is_behind = last is None
        for fact in heapq.merge(*streams, key=self.order):
            if is_behind or (place is not None and self.order(fact) > place):
                yield fact
            is_behind = is_behind or fact is last  # one that is told alike may follow

    def _runs(self, number: int | None, start: int) -> Iterator[Fact]:
        view = self.view
        for together in _from(self.snapshot.reader, self.head, number, start):
            pairs = [(row, self._slot(row.slot)) for row in together]
            facts = (view.of_row(row, slot) for row, slot in pairs if slot is not None)
            yield from sorted(filter(self.keeps, facts), key=self.order)

    def _slot(self, number: int) -> SlotRow | None:
        """Give a slot whose runs are read as they are; None for another one."""
        if not self._known and self.slots.whole is not None:
            self._known.update({slot.id: slot for slot in self.slots.whole})
        if number not in self._known:
            slot = None if self.slots.whole is not None else self.snapshot.reader.slot_by_id(self.head.id, number)
            is_wanted = slot is not None and slot.whole and _is_wanted(self.snapshot, slot, self.slots.keys)
            self._known[number] = slot if is_wanted else None
        return self._known[number]

    def _fact(self, id: str) -> Fact:
        """Find the fact that a page begins behind."""
        found = named_by(id, self.folded) or self._run(id) if isinstance(id, str) else None
        if found is None or not self.keeps(found):
            raise UnknownFactError(f"after={described(id)} is not a fact of this history")
        return found

    def _run(self, id: str) -> Fact | None:
        reference = parse_id(id) if isinstance(id, str) else None
        if reference is None or reference.tag != self.head.scope.tag:
            return None
        number = slot_of(self.snapshot.reader, self.head, self.snapshot.registry, reference)[0]
        slot = None if number is None else self._slot(number.id)
        if slot is None:
            return None
        near = self._near(slot, reference)
        rest = self.snapshot.reader.facts(self.head.id, slot.id) if near is None or self.view.id_of(near) != id else []
        row = next((one for one in rest if one.kind == 0 and self.view.id_of(one) == id), None) if rest else near
        return None if row is None else self.view.of_row(row, slot)

    def _near(self, slot: SlotRow, reference: Reference) -> FactRow | None:
        """Give the run that a claim names most often: that of its value which shows where it, or its id, says."""
        wanted = reference.claim
        for row in self.snapshot.reader.claims_of(self.head.id, wanted.seq):
            if (row.extraction, row.number) == (wanted.extraction, wanted.number):
                claim = rows.claim_of(row)
                key = claim.key or ""
                if claim.kind is ClaimKind.REPLACE:
                    key = next((value.key for part, value in claim.parts if part == wanted), "")
                moment = claim.start if reference.start is None else reference.start
                return self.snapshot.reader.run_at(self.head.id, slot.id, key, moment)
        return None


def _from(reader: Reader, head: Head, number: int | None, start: int) -> Iterator[list[FactRow]]:
    """Give the runs of a slot, or of all, from a moment on: those that begin together, together."""
    size = _FEW
    while True:
        found = reader.runs_from(head.id, number, start, size)
        together = [list(group) for _, group in groupby(found, key=lambda row: row.start)]
        if len(found) < size:
            yield from together
            return
        yield from together[:-1]
        if len(together) > 1:
            start = found[-1].start
        size = size * 2 if len(together) == 1 else min(size * 2, max(size, _MANY))

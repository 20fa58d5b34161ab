"""A scope as its log tells it up to a revision, moved on entry by entry: what a read at that revision must show.

Only the pure fold of the core is used: no store, no projection, nothing kept between writes. A slot is folded again
only where an entry has spoken of it since it was last looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tensemem.core.fold import Run, SlotFold
from tensemem.core.registry import Registry
from tensemem.core.shape import Shaper, history_of
from tensemem.engine.logfold import LoggedScope, LoggedSlot, apply_entry
from tensemem.model.claim import Correction
from tensemem.model.entry import EPISODES, Entry, EntryKind
from tensemem.model.fact import Fact
from tensemem.model.scope import Scope
from tests.histories.records import told_facts


@dataclass(frozen=True, slots=True)
class Shown:
    """What a state shows: facts, plans and candidates, each as ``told_facts`` gives them."""

    facts: list[list[Any]]
    planned: list[list[Any]]
    candidates: list[list[Any]]


class Prefix:
    """The first entries of one scope's log. ``unsettled`` holds the messages that nothing was made of yet."""

    def __init__(self, scope: Scope, registry: Registry) -> None:
        self.scope, self.registry = scope, registry.remembering()
        self.rev = self.seq = 0
        self.last_said = -(2**62)
        self.unsettled: dict[int, Entry] = {}
        self._logged = LoggedScope()
        self._messages: dict[int, Entry] = {}
        self._folds: dict[tuple[str, str], tuple[int, SlotFold]] = {}

    def append(self, entry: Entry) -> None:
        """Move on by the next entry."""
        self.rev = entry.rev
        if entry.kind in EPISODES:
            self.seq = entry.seq
            self.last_said = max(self.last_said, entry.said_at)
        match entry.kind:
            case EntryKind.MESSAGE:
                self._messages[entry.seq] = self.unsettled[entry.seq] = entry
            case EntryKind.SKIP:
                self.unsettled.pop(entry.seq, None)
            case EntryKind.EXTRACTION:
                self.unsettled.pop(entry.seq, None)
                apply_entry(self._logged, entry, self._messages.get(entry.seq), self.registry)
            case _:
                apply_entry(self._logged, entry, None, self.registry)

    def shown(self, moment: int, predicates: list[str] | None = None) -> Shown:
        """Give what a state shows at a moment, of some predicates or of all."""
        facts: list[Fact] = []
        planned: list[Fact] = []
        candidates: list[Fact] = []
        for slot in self._logged.slots.values():
            shaper = self._shaper(slot, moment)
            if shaper is None or (predicates is not None and shaper.predicate.name not in predicates):
                continue
            fold = self._fold(slot)
            facts += [shaper.of_run(run) for run in fold.runs if is_shown(run, moment)]
            planned += [shaper.of_waiting(one) for one in fold.plans]
            candidates += [shaper.of_waiting(one) for one in fold.candidates]
        return Shown(told_facts(facts), told_facts(planned), told_facts(candidates))

    def runs(self, predicate: str) -> list[list[Any]]:
        """Give every run of the user's slot of a predicate, past and future ones too: (object, id, from, to)."""
        key = self.registry.subject("user")[0], self.registry.predicate_key(predicate)
        slot = self._logged.slots.get(key)
        shaper = None if slot is None else self._shaper(slot, 0)
        if slot is None or shaper is None:
            return []
        return sorted_facts(told_facts(shaper.of_run(run) for run in self._fold(slot).runs))

    def history(self, predicate: str) -> list[list[Any]]:
        """Give every fact of the user's slot, corrected and overridden ones too: (object, id, from, to)."""
        key = self.registry.subject("user")[0], self.registry.predicate_key(predicate)
        slot = self._logged.slots.get(key)
        shaper = None if slot is None else self._shaper(slot, 0)
        if slot is None or shaper is None:
            return []
        log = slot.log(self.registry)
        replaced = [one.replacement for one in log.amendments if isinstance(one, Correction) and one.replacement]
        return sorted_facts(told_facts(history_of(self._fold(slot), shaper, [*log.claims, *replaced])))

    def _shaper(self, slot: LoggedSlot, moment: int) -> Shaper | None:
        predicate = self.registry.predicate(slot.predicate)
        return None if predicate is None else Shaper(self.scope.tag, slot.subject, predicate, self.registry, moment)

    def _fold(self, slot: LoggedSlot) -> SlotFold:
        key, size = (slot.subject_key, slot.predicate_key), len(slot.claims) + len(slot.amendments)
        known = self._folds.get(key)
        if known is None or known[0] != size:  # a slot only gains claims and amendments while no message is read again
            known = self._folds[key] = (size, slot.fold(self.registry))
        return known[1]


def sorted_facts(told: list[list[Any]]) -> list[list[Any]]:
    """Give of each fact what no clock decides, (object, id, from, to), in an order of its own."""
    return sorted((fact[2:6] for fact in told), key=str)


def is_shown(run: Run, moment: int) -> bool:
    """Whether a run holds at a moment."""
    return run.start <= moment and (run.end is None or moment < run.end)

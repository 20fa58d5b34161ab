"""What an id of mem0's stands for here: a slot, and the facts in it that are one memory to mem0."""

from __future__ import annotations

from ..model.fact import Fact
from ..model.results import Change, Explanation, State
from ..verbs.scoped import ScopedMemory


def line_of(memory: ScopedMemory, told: Explanation) -> list[Fact]:
    """Give a fact and what it was corrected to, one after the other: to mem0 all of them are one memory."""
    line, seen = [told.fact], set[int]()
    while seqs := {step.seq for step in told.steps if step.kind == "correction"} - seen:
        seen |= seqs
        facts = memory.history(told.fact.predicate, subject=told.fact.subject).facts
        stated = [fact for fact in facts if any(evidence.seq in seqs for evidence in fact.evidence)]
        if not stated:
            break
        line.append(stated[-1])
        told = memory.explain(stated[-1].id)
    return line


class Slot:
    """What a memory's id stands for: a slot, or one value of a many-valued one, and what it shows now."""

    def __init__(self, memory: ScopedMemory, line: list[Fact], state: State) -> None:
        self.memory, self.state, self._line = memory, state, line
        self.predicate, self.subject = line[0].predicate, line[0].subject
        self._is_many = self.predicate in state.many

    @property
    def fact(self) -> Fact | None:
        """The fact shown now."""
        last = self._line[-1].value
        shown = [fact for fact in self.state.facts if not self._is_many or fact.value == last]
        return shown[0] if shown else None

    def is_of(self, change: Change) -> bool:
        """Whether a change is of this slot."""
        is_here = (change.subject, change.predicate) == (self.subject, self.predicate)
        return is_here and (not self._is_many or change.value in [fact.value for fact in self._line])

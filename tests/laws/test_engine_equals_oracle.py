"""What the engine writes into a slot shows what the rule says at every moment, however the slot came about."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from tensemem import Memory, Operation
from tensemem.core.ids import format_id
from tensemem.model.claim import ClaimId
from tensemem.model.scope import Scope
from tests.laws.law import law
from tests.laws.playing import RUNS, HandClock
from tests.oracle.fold import HORIZON, Fix, History, Run, St, Undo, fold
from tests.oracle.strategies import histories
from tests.settings import half_settings

ORIGIN = datetime(2026, 1, 1, tzinfo=UTC)
TAG = Scope("default", "ann").tag


def at(moment: int) -> datetime:
    """A moment of the oracle: one microsecond each, so that the last moment of a span is the same for both."""
    return ORIGIN + timedelta(microseconds=moment)


def moment_of(when: datetime) -> int:
    return (when - ORIGIN) // timedelta(microseconds=1)


@half_settings
@law(history=histories(ranks=False), stepwise=st.booleans())
def test_writes_and_corrections_show_what_the_rule_says(history: History, stepwise: bool) -> None:
    assume(all(one.range_stop is None for one in history.sts))  # periods that short have no name
    assume(all(one.expires is None or one.expires < HORIZON - 1 for one in history.sts))
    with Slot(history) as slot:
        for seq, step in slot.steps():
            step()
            if stepwise:
                assert slot.runs() == rule(history.known_at(seq))
        assert slot.runs() == rule(history)
        assert slot.mem.verify().identical


def rule(history: History) -> list[Run]:
    return list(fold(*history[1:], many=history.many).runs)


class Slot:
    """A memory with one predicate, into which a history of the oracle is written through the verbs."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.seqs: dict[int, int] = {}
        self.targets: dict[int, str] = {}
        self.mem = Memory(":memory:", worker=False, clock=HandClock(at(1000)))
        ttls = {one.expires - through(one) for one in history.sts if one.expires is not None}
        ttl = timedelta(microseconds=ttls.pop()) if ttls else None
        self.mem.register_predicate("slot", "many" if history.many else "one", ttl=ttl)

    def __enter__(self) -> Slot:
        return self

    def __exit__(self, *_: object) -> None:
        self.mem.close()

    def steps(self) -> list[tuple[int, Callable[[], None]]]:
        """The entries in the order in which they arrived."""
        fixes = {fix.seq: fix for fix in self.history.fixes}
        undos = {entry.seq: entry for entry in self.history.undos}
        said: dict[int, list[St]] = {}
        for one in self.history.sts:
            said.setdefault(one.seq, []).append(one)
        found: list[tuple[int, Callable[[], None]]] = []
        for seq in sorted({*fixes, *undos, *said}):
            if seq in fixes:
                replacement = said.get(seq, [None])[0]
                found.append((seq, lambda fix=fixes[seq], new=replacement: self.correct(fix, new)))  # type: ignore[misc]
            elif seq in undos:
                found.append((seq, lambda entry=undos[seq]: self.reinstate(entry)))  # type: ignore[misc]
            else:
                found.append((seq, lambda sts=said[seq]: self.write(sts)))  # type: ignore[misc]
        return found

    def write(self, sts: list[St]) -> None:
        ordered = sorted(sts, key=lambda one: one.index)
        receipt = self.mem.write("ann", [operation_of(one) for one in ordered], said_at=at(ordered[0].said))
        self.seqs[ordered[0].seq] = receipt.seq

    def correct(self, fix: Fix, new: St | None) -> None:
        target = self.statement(fix.target) if fix.target is not None else self.fact(fix)
        self.targets[fix.seq] = target
        value = None if new is None or new.value == fix.value else new.value
        moved = None if new is None or new.start == fix.start else at(new.start or 0)
        if new is not None and value is None and moved is None:
            value = new.value
        self.seqs[fix.seq] = self.mem.correct(target, value, valid_from=moved, said_at=at(fix.said)).seq

    def statement(self, target: tuple[int, int]) -> str:
        return format_id(TAG, ClaimId(self.seqs[target[0]], 0, target[1]))

    def fact(self, fix: Fix) -> str:
        ids = [id for id, run in self.shown() if run == Run(fix.value or "", fix.start, fix.end)]
        assert len(ids) == 1, f"{fix} corrects a run that the engine does not show"
        return ids[0]

    def reinstate(self, entry: Undo) -> None:
        self.seqs[entry.seq] = self.mem.reinstate(self.targets[entry.fix_seq]).seq

    def shown(self) -> list[tuple[str, Run]]:
        """The ids and runs the slot shows or will show."""
        found: list[tuple[str, Run]] = []
        for fact in self.mem.history("ann", "slot"):
            is_empty = fact.valid_from == fact.valid_to
            if str(fact.status) in RUNS and not is_empty and fact.valid_from is not None:
                start = moment_of(fact.valid_from)
                end = None if fact.valid_to is None else moment_of(fact.valid_to)
                found.append((fact.id, Run(fact.value, start, end)))
        return found

    def runs(self) -> list[Run]:
        return sorted((run for _, run in self.shown()), key=lambda run: (run.start, run.value))


def through(one: St) -> int:
    return one.said if one.through is None else one.through


def operation_of(one: St) -> Operation:
    """The operation whose span of evidence is the statement's."""
    times: dict[str, Any] = {}
    start = one.said if one.start is None else one.start
    if one.end is not None:
        times = {"valid_from": at(start), "valid_to": at(one.end)}
    elif one.kind in ("value", "retract", "replace") and through(one) == one.said:
        times = {"since": at(start)} if one.start is not None else {}
    elif one.kind in ("value", "retract"):
        times = {"valid_from": at(start)}
    if one.kind == "replace":
        return Operation("replace", "slot", list(one.values), **times)
    kinds: dict[str, Any] = {"value": "set", "retract": "retract", "deny": "deny", "confirm": "confirm"}
    return Operation(kinds[one.kind], "slot", one.value, **times)

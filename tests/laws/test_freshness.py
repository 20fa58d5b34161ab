"""Nothing is called current that is not: freshness equals what a plain model of the queue says."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from tensemem import Freshness, Memory, Operation
from tensemem.engine.flow import run
from tensemem.engine.settle import MAX_ATTEMPTS, settle_next
from tensemem.errors import ExtractorError, ExtractorUnavailable, TensememError
from tensemem.model.scope import Scope
from tests.laws.law import law
from tests.laws.playing import HandClock
from tests.laws.scenarios import day
from tests.settings import some_settings


@dataclass
class Model:
    """What freshness means, in sets."""

    latest: int = 0
    waiting: dict[int, int] = field(default_factory=dict)
    failed: set[int] = field(default_factory=set)

    def freshness(self, min_seq: int | None, *, is_alive: bool = False) -> Freshness:
        upto = self.latest if min_seq is None else min_seq
        waits = sorted(seq for seq in self.waiting if seq <= upto)
        gave_up = any(seq <= upto for seq in self.failed)
        reached = min_seq is None or min_seq <= self.latest
        reason = "failed" if gave_up else None
        if waits:
            reason = "no_extractor" if not is_alive else "retrying" if self.waiting[waits[0]] else "extracting"
        return Freshness(
            as_of_seq=min(self.waiting, default=self.latest + 1) - 1,
            latest_seq=self.latest,
            pending=len(self.waiting),
            failed=len(self.failed),
            failed_seqs=tuple(sorted(self.failed)),
            is_current=reached and not waits and not gave_up,
            reason=reason,
        )


class Moody:
    """An extractor that does what it was last told: propose, fail, or be away."""

    name = "moody"

    def __init__(self) -> None:
        self.mood = "fine"

    def extract(self, request: object) -> list[Operation]:
        if self.mood == "away":
            raise ExtractorUnavailable
        if self.mood == "failing":
            raise ExtractorError
        return []


STEPS = (
    "add", "add", "add", "add skipped", "write", "fine", "failing", "failing", "giving up", "giving up", "away",
    "dismiss", "retry", "retry all",
)  # fmt: skip


@some_settings
@law(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 9)), max_size=25), min_seqs=st.data())
def test_a_read_is_current_exactly_when_nothing_up_to_it_waits_or_failed(
    steps: list[tuple[str, int]], min_seqs: st.DataObject
) -> None:
    extractor, model = Moody(), Model()
    with Memory(":memory:", llm=extractor, worker=False, clock=HandClock(day(0))) as mem:
        mem.register_predicate("note")
        for step, pick in steps:
            take(mem, extractor, model, step, pick)
            assert mem.state("ann").freshness == model.freshness(None)
            min_seq = min_seqs.draw(st.integers(0, model.latest + 2))
            assert mem.state("ann", min_seq=min_seq).freshness == model.freshness(min_seq)
            assert mem.history("ann").freshness == model.freshness(None)


def take(mem: Memory, extractor: Moody, model: Model, step: str, pick: int) -> None:
    everything = sorted({*model.waiting, *model.failed})
    match step:
        case "add" | "add skipped":
            receipt = mem.add("ann", f"I note {pick}", extract=step == "add")
            model.latest = receipt.seq
            assert receipt.settled == (step == "add skipped")
            if step == "add":
                model.waiting[receipt.seq] = 0
        case "write":
            model.latest = mem.set("ann", "note", pick).seq
        case "fine" | "failing" | "giving up" | "away":
            extractor.mood = "failing" if step == "giving up" else step
            tried = sorted(model.waiting)
            seq = tried[pick % len(tried)] if tried else 0
            asked = mem._engine.extractor
            assert asked is not None
            for _ in range(MAX_ATTEMPTS - model.waiting.get(seq, 0) if step == "giving up" else 1):
                run(settle_next(mem._engine, asked, Scope("default", "ann"), after=seq - 1))
                settle(model, extractor.mood, seq)
        case "dismiss":
            seq = everything[pick % len(everything)] if everything else 99
            try:
                mem.dismiss("ann", seq)
            except TensememError:
                assert not everything
            model.waiting.pop(seq, None)
            model.failed.discard(seq)
        case _:
            one = everything[pick % len(everything)] if everything and step == "retry" else None
            again = everything if one is None else [one]
            assert mem.retry("ann", one) == len(again)
            model.waiting.update(dict.fromkeys(again, 0))
            model.failed.difference_update(again)


def settle(model: Model, mood: str, seq: int) -> None:
    if seq not in model.waiting:
        return
    if mood == "fine":
        del model.waiting[seq]
    elif mood == "failing":
        model.waiting[seq] += 1
        if model.waiting[seq] == MAX_ATTEMPTS:
            del model.waiting[seq]
            model.failed.add(seq)

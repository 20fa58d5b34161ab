"""Verifying and rebuilding a stretch at a time: nothing escapes at the seams, and others go on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.engine import rebuild, verifying
from tensemem.ports import NEVER, SlotRow
from tests.engine.bench import ANN

WRITES = 23


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (verifying, rebuild):
        monkeypatch.setattr(module, "EPISODES_AT_ONCE", 3)
    monkeypatch.setattr(verifying, "SLOTS_AT_ONCE", 2)


@pytest.fixture
def mem() -> Iterator[Memory]:
    def extract(request: Any) -> list[Operation]:
        text = request.messages[0].content
        return [Operation("set", "lives_in", text.rpartition(" ")[2], quote=text)]

    with Memory(":memory:", llm=extract, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("likes", "many")
        for number in range(WRITES):
            match number % 5:
                case 0:
                    mem.set("ann", "lives_in", f"town {number}", subject=f"friend {number % 4}")
                case 1:
                    mem.add("ann", f"I live in town{number}")
                case 2:
                    mem.replace_values("ann", "likes", [f"food {number}", "tea"])
                case 3:
                    mem.flush("ann")
                    mem.correct(mem.state("ann").fact("lives_in").id, "Oslo")  # type: ignore[union-attr]
                case _:
                    mem.add("ann", "hello", extract=False)
        mem.flush("ann")
        mem.reextract("ann", type("Other", (), {"model": "m", "extract": staticmethod(extract)})(), dry_run=False)
        yield mem


def kept(mem: Memory) -> tuple[int, int, list[verifying.Remade]]:
    """The number of the scope, its newest seq, and its slots as they are kept."""
    with mem._engine.store.read() as reader:
        head = reader.head(ANN)
        assert head is not None
        return head.id, head.seq, list(verifying.kept_slots(reader, head))


def damages(mem: Memory) -> Iterator[str]:
    """Spoil the projection in one place after the other; each is repaired, and numbered anew, before the next."""
    store, scope = mem._engine.store, kept(mem)[0]
    with store.write() as tx:
        tx.clear_projection(scope)
    mem.rebuild("ann")  # which numbers them as they will be numbered from then on
    id, seq, slots = kept(mem)
    assert len(slots) > 2
    for number, one in enumerate(slots):
        for place in range(len(one.claims)):
            claim = kept(mem)[2][number].claims[place]
            with store.write() as tx:
                tx.put_claims(id, [claim._replace(body=claim.body.replace("0", "1", 1))])
            yield f"{claim} is another"
            slots = kept(mem)[2]
            claim, other = slots[number].claims[place], slots[number - 1].slot.id
            with store.write() as tx:
                tx.put_claims(id, [claim._replace(slot=other)])
            yield f"{claim} is in another slot"
        for place in range(len(one.facts)):
            fact = kept(mem)[2][number].facts[place]
            with store.write() as tx:
                tx.drop_facts(id, [fact])
            yield f"fact {place} of slot {number} is missing"
        slot = kept(mem)[2][number].slot
        with store.write() as tx:
            slot.subject += "!"
            tx.save_slot(id, slot)
        yield f"{slot} is misnamed"
    for stray in (0, 2, seq + 1, seq + 7):
        claim = kept(mem)[2][0].claims[0]
        with store.write() as tx:
            tx.put_claims(id, [claim._replace(seq=stray, number=99)])
        yield f"a claim of episode {stray} that nobody made"
    with store.write() as tx:
        tx.add_slot(id, SlotRow(0, "nobody", "lives_in", "nobody", "lives_in"))
    yield "a slot that nothing speaks of"


def test_rebuilding_sets_the_marks_that_spare_reads_the_fold_whatever_they_said(mem: Memory) -> None:
    mem.rebuild("ann")
    id, _, slots = kept(mem)
    right = [(one.slot.ordered_from, one.slot.whole) for one in slots]
    pages = mem.history("ann", limit=3).facts, mem.changes("ann")
    for marks in ((NEVER, False), (0, True)):
        found = kept(mem)[2]
        with mem._engine.store.write() as tx:
            for one in found:
                one.slot.ordered_from, one.slot.whole = marks
                tx.save_slot(id, one.slot)
        assert mem.rebuild("ann").identical
        assert [(one.slot.ordered_from, one.slot.whole) for one in kept(mem)[2]] == right
        assert (mem.history("ann", limit=3).facts, mem.changes("ann")) == pages


def test_whatever_is_spoilt_wherever_is_found_and_repaired(mem: Memory) -> None:
    digest, shown = mem.digest("ann"), mem.history("ann").facts
    assert mem.verify("ann").identical
    found = 0
    for damage in damages(mem):
        assert not mem.verify("ann").identical, damage
        report = mem.rebuild("ann")
        assert (report.identical, report.digest) == (False, digest), damage
        assert mem.digest("ann") == digest, damage
        assert mem.verify("ann").identical, damage
        found += 1
    assert found > 30
    assert mem.history("ann").facts == shown


def test_every_entry_is_counted_once(mem: Memory) -> None:
    with mem._engine.store.read() as reader:
        head = reader.head(ANN)
        assert head is not None
        entries = len(list(reader.entries(head.id)))
    assert mem.verify("ann").entries == entries


def test_others_write_between_the_stretches_and_what_they_write_is_no_difference(mem: Memory) -> None:
    told: list[int] = []

    def write(event: str, fields: Mapping[str, Any]) -> None:
        if event in ("verifying", "rebuilding"):
            told.append(fields["seq"])
            assert fields["seq"] < fields["of"]
            mem.set("ann", "lives_in", f"while at {fields['seq']}", subject="friend 0")  # no snapshot is open: in
            mem.add_value("ann", "likes", f"at {fields['seq']}")  # memory nobody could write beside one

    mem.on(write)
    before = mem.verify("ann")
    assert before.identical
    assert told == sorted(told)
    assert len(told) > 4
    assert mem.rebuild("ann").identical
    assert mem.get("ann", "lives_in", subject="friend 0").startswith("while at")


def test_the_digest_says_which_facts_there_are_and_not_in_which_order(mem: Memory) -> None:
    slots = kept(mem)[2]
    assert digest_of(slots) == digest_of(slots[::-1]) == mem.digest("ann")
    for number in range(len(slots)):
        assert digest_of(slots[:number] + slots[number + 1 :]) != mem.digest("ann")
    assert digest_of(slots + slots[:1]) != mem.digest("ann")


def digest_of(slots: list[verifying.Remade]) -> str:
    return rebuild.digest_of(ANN, slots)

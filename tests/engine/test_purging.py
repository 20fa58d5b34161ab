"""Purging: texts go in short steps, what was learned from them stays, and what was broken off is taken up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, errors
from tensemem.engine import purging
from tensemem.ports import Store
from tests.engine.bench import ANN, Clock, Told, beside, day, lives, opened, revs
from tests.engine.test_removing import is_said_nowhere, say, values
from tests.store.children import start_child

PLACES = ("Pune", "Goa", "Kochi", "Oslo", "Rome")


def moves(mem: Memory, told: Told, clock: Clock) -> None:
    for place in PLACES:
        clock.advance(days=1)
        say(mem, told, f"I moved to {place}", lives(place, quote=f"moved to {place}"))


def shown(mem: Memory) -> list[tuple[Any, ...]]:
    return [(one.id, one.value, one.valid_from, one.valid_to, str(one.status)) for one in mem.history("ann").facts]


def quotes(mem: Memory) -> list[str]:
    return [proof.quote for one in mem.history("ann").facts for proof in one.evidence]


def test_texts_said_before_a_moment_go_and_facts_stay(mem: Memory, told: Told, clock: Clock) -> None:
    moves(mem, told, clock)
    before = shown(mem)
    removed = mem.purge(day(4))
    assert (removed.scopes, removed.episodes, removed.entries, removed.facts) == (1, 3, 6, 0)
    assert [one.content for one in mem.messages("ann")] == ["", "", "", "I moved to Oslo", "I moved to Rome"]
    assert shown(mem) == before
    assert quotes(mem) == ["", "", "", "moved to Oslo", "moved to Rome"]
    assert mem.verify().identical
    assert mem.rebuild().identical


def test_quotes_are_kept_if_told_and_go_later_if_told_so_later(mem: Memory, told: Told, clock: Clock) -> None:
    moves(mem, told, clock)
    kept = quotes(mem)
    mem.purge(day(9), keep_quotes=True)
    assert quotes(mem) == kept
    before = revs(mem)
    assert mem.purge(day(9), keep_quotes=True).entries == 0
    assert revs(mem) == before
    assert mem.purge(day(9)).episodes == 5
    assert quotes(mem) == [""] * 5


def test_what_waits_or_failed_keeps_its_text(mem: Memory, told: Told) -> None:
    told.answers["boom"] = errors.ExtractorOutputError("no")
    mem.add("ann", "boom")
    for _ in range(6):
        mem.flush("ann")
    mem.add("ann", "still waiting")
    assert mem.purge("2100-01-01").episodes == 0
    mem.dismiss("ann", 1)
    assert mem.purge("2100-01-01").episodes == 1
    assert [one.content for one in mem.messages("ann")] == ["", "still waiting"]


def test_seqs_of_what_is_said_next_do_not_depend_on_purges(mem: Memory, told: Told, clock: Clock) -> None:
    moves(mem, told, clock)
    rev, seq, _ = revs(mem)
    mem.purge(day(9))
    assert revs(mem)[:2] == (rev + 1, seq)
    assert mem.set("ann", "lives_in", "Bern").seq == seq + 1
    assert mem.stats()["episodes"] == seq + 1


def test_a_purged_message_delivered_again_is_a_duplicate(mem: Memory, told: Told) -> None:
    say(mem, told, "I live in Pune", lives("Pune", quote="I live in Pune"), said_at=day(-1), idempotency_key="k")
    assert mem.purge("2100-01-01").keys == 2
    for key in ("k", None):
        assert mem.add("ann", "I live in Pune", said_at=day(-1), idempotency_key=key).duplicate
    with pytest.raises(errors.IdempotencyConflictError):
        mem.add("ann", "something else", said_at=day(-1), idempotency_key="k")


def test_purged_then_forgotten(mem: Memory, told: Told, clock: Clock) -> None:
    moves(mem, told, clock)
    mem.purge(day(9))
    mem.forget(fact_id=shown(mem)[1][0])
    assert [one[1] for one in shown(mem)] == ["Pune", "Kochi", "Oslo", "Rome"]
    assert is_said_nowhere(mem, "Goa")
    assert mem.verify().identical


def test_one_namespace_or_one_user_is_purged(told: Told) -> None:
    with opened(llm=told) as mem:
        for user, namespace in (("ann", "default"), ("bob", "default"), ("ann", "other")):
            mem.add(user, "a note of nothing", extract=False, namespace=namespace)
        assert mem.purge("2100", user_id="ann").scopes == 1
        assert mem.purge("2100").scopes == 1
        assert mem.messages("ann", namespace="other")[0].content
        assert mem.purge("2100", namespace="other").scopes == 1


def test_it_tells_how_far_it_is_and_lets_others_write_between(
    told: Told, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purging, "MESSAGES_AT_ONCE", 2)
    heard: list[int] = []
    with opened(llm=told, clock=clock) as mem:
        moves(mem, told, clock)

        def write_beside(event: str, fields: Any) -> None:
            if event == "purging":
                heard.append(fields["seq"])
                beside(lambda: mem.set("ann", "languages", f"L{fields['seq']}")).result(30)

        mem.on(write_beside)
        assert mem.purge("2100-01-01").episodes == 5
        assert heard == [2, 4, 5]
        assert values(mem)["languages"] == ("L2", "L4", "L5")
        assert mem.verify().identical


def test_what_was_broken_off_is_taken_up(
    mem: Memory, told: Told, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves(mem, told, clock)
    before = shown(mem)
    monkeypatch.setattr(purging, "MESSAGES_AT_ONCE", 2)
    steps = iter([True, False])
    real: Callable[..., Any] = purging._purge_some

    def once(*arguments: Any) -> Any:
        if not next(steps):
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(purging, "_purge_some", once)
        with pytest.raises(KeyboardInterrupt):
            mem.purge("2100-01-01")
    assert [bool(one.content) for one in mem.messages("ann")] == [False, False, True, True, True]
    assert shown(mem) == before
    assert mem.verify().identical
    assert mem.purge("2100-01-01").episodes == 3
    assert shown(mem) == before


KILLED = """
import os, sys
from tensemem import Memory
from tensemem.engine import purging
purging.MESSAGES_AT_ONCE = 2
with Memory(sys.argv[1], worker=False, llm=False) as mem:
    for number in range(7):
        mem.add("ann", f"Zanzibar number {number}", extract=False)
    mem.on(lambda event, fields: os._exit(9) if event == "purging" and fields["seq"] == 4 else None)
    mem.purge("2100-01-01")
"""


@pytest.mark.of_files
def test_a_process_killed_half_way_leaves_a_whole_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    child = start_child(KILLED, path)
    child.communicate(timeout=60)
    assert child.returncode == 9
    with Memory(path, worker=False, llm=False) as mem:
        assert [bool(one.content) for one in mem.messages("ann")] == [False] * 4 + [True] * 3
        assert mem.verify().identical
        assert mem.purge("2100-01-01").episodes == 3
        mem.search("ann", "number")
    assert not files_with(tmp_path, "Zanzibar")


def files_with(folder: Path, *words: str) -> list[str]:
    """The files that hold any of some words, in any of the encodings text may be written in."""
    spelled = [word.encode(codec) for word in words for codec in ("utf-8", "utf-16-le", "utf-16-be")]
    spelled += [word.casefold().encode() for word in words]
    return [file.name for file in folder.iterdir() if any(one in file.read_bytes() for one in spelled)]


WORDS = ("Zanzibar", "Timbuktu", "Samarkand")


def fill(mem: Memory, told: Told) -> None:
    for word in WORDS:
        say(mem, told, f"I live in {word}", lives(word, quote=f"live in {word}"), idempotency_key=f"key of {word}")
    for number in range(40):
        mem.set("ann", "languages", f"language {number}")
        mem.add("bob", f"bob says {number}", extract=False)
    mem.search("ann", "live")


@pytest.mark.of_files
@pytest.mark.parametrize("how", ["slot", "value", "erase", "late"])
def test_no_byte_of_it_is_left_in_any_file(tmp_path: Path, told: Told, how: str) -> None:
    with opened(tmp_path / "m.db", llm=told) as mem:
        fill(mem, told)
        assert files_with(tmp_path, *WORDS)
        if how == "slot":
            removed = mem.forget("ann", predicate="lives_in")
        elif how == "value":
            removed = [mem.forget(fact_id=one.id) for one in mem.history("ann", "lives_in").facts][-1]
        elif how == "erase":
            removed = [mem.erase("ann", seq) for seq in (1, 2, 3)][-1]
        else:
            mem.forget("ann", predicate="lives_in")
            removed = mem.forget("ann", predicate="lives_in")
            say(mem, told, "to Zanzibar I go", lives("Zanzibar", quote="to Zanzibar I go"), said_at=day(-2))
        assert removed.scrubbed
        assert files_with(tmp_path, *WORDS) == []
        assert mem.verify().identical
    assert files_with(tmp_path, *WORDS) == []


@pytest.mark.of_files
def test_what_the_ledger_says_and_the_table_lacks_is_done_at_the_next_opening(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is on the disk before the transaction ends: whoever crashes between has it done."""
    with opened(tmp_path / "m.db", llm=told) as mem:
        fill(mem, told)

        def crash(*_: Any) -> None:
            raise KeyboardInterrupt

        for call in (lambda: mem.forget("ann", predicate="lives_in"), lambda: mem.erase("ann", 4)):
            with monkeypatch.context() as patch:
                patch.setattr(type_of_writer(mem._engine.store), "replace_entries", crash)
                with pytest.raises(KeyboardInterrupt):
                    call()
        assert values(mem)["lives_in"] == "Samarkand"
    with opened(tmp_path / "m.db", llm=told) as mem:
        assert "lives_in" not in values(mem)
        assert "language 0" not in values(mem)["languages"]
        assert len(values(mem)["languages"]) == 39
        assert files_with(tmp_path, *WORDS) == []
        mem.set("ann", "lives_in", "Zanzibar")
        assert values(mem)["lives_in"] == "Zanzibar"
        assert mem.verify().identical
    with opened(tmp_path / "m.db", llm=told) as mem:
        assert values(mem)["lives_in"] == "Zanzibar"


def type_of_writer(store: Store) -> type:
    with store.write() as tx:
        return type(tx)


@pytest.mark.of_files
def test_an_older_copy_put_in_place_is_told_what_went(tmp_path: Path, told: Told, clock: Clock) -> None:
    path = tmp_path / "m.db"
    with opened(path, llm=told, clock=clock) as mem:
        fill(mem, told)
    older = path.read_bytes()
    clock.advance(days=1)
    with opened(path, llm=told, clock=clock) as mem:
        mem.set("ann", "languages", "of later")
        mem.forget(fact_id=next(one.id for one in mem.history("ann", "lives_in").facts if one.value == "Samarkand"))
        mem.erase("ann", 1)
        mem.purge(clock.now)
    for file in tmp_path.glob("m.db*"):
        if not file.name.endswith("-forgotten"):
            file.unlink()
    path.write_bytes(older)
    clock.advance(days=1)
    with opened(path, llm=told, clock=clock) as mem:
        assert values(mem)["lives_in"] == "Timbuktu"
        assert not any(one.content for one in mem.messages("ann"))
        assert files_with(tmp_path, "Samarkand", "Zanzibar") == []
        said = mem.set("ann", "lives_in", "Samarkand")
        assert said.current
        assert values(mem)["lives_in"] == "Samarkand"
        late = say(mem, told, "I live in Samarkand", lives("Samarkand", quote="in Samarkand"), said_at=day(-1))
        assert [one.reason for one in mem.decisions("ann", late)] == ["forgotten"]
        assert mem.verify().identical


def test_the_awaited_verbs_do_the_same(told: Told) -> None:
    asyncio.run(_removed_by_awaited_verbs(told))


async def _removed_by_awaited_verbs(told: Told) -> None:
    async with AsyncMemory(":memory:", worker=False, llm=told, durability="process") as mem:
        await mem.register_predicate("lives_in")
        await mem.set("ann", "lives_in", "Pune")
        ann = mem.for_user("ann")
        assert (await ann.forget(predicate="lives_in")).facts == 1
        await ann.set("lives_in", "Goa")
        assert (await ann.erase(3)).facts == 1
        assert (await mem.purge("2100-01-01")).entries == 0


def test_a_copy_holds_what_is_left_and_refuses_what_was_forgotten(tmp_path: Path, told: Told) -> None:
    with opened(tmp_path / "a.db", llm=told) as mem:
        fill(mem, told)
        mem.forget(fact_id=next(one.id for one in mem.history("ann", "lives_in").facts if one.value == "Samarkand"))
        mem.erase("ann", 1)
        mem.copy_to(tmp_path / "b.db")
        digest = mem.digest("ann")
    with opened(tmp_path / "b.db", llm=told) as copy:
        assert copy.digest("ann") == digest
        assert copy.verify().identical
        late = say(copy, told, "Samarkand was mine", lives("Samarkand", quote="Samarkand was"), said_at=day(-1))
        assert [one.reason for one in copy.decisions("ann", late)] == ["forgotten"]
        assert copy.add("ann", "I live in Zanzibar", idempotency_key="key of Zanzibar").duplicate
        assert ANN.user_id == "ann"

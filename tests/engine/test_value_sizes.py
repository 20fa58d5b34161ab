"""What a value may weigh: no more than a message, whoever writes it; what older logs hold stays as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, Message, Operation
from tensemem.errors import ContentTooLargeError, InvalidValueError
from tests.engine.bench import Told, lives, opened, speaks

MOST = 200
LONG = "x" * (MOST + 1)
MANY = ["x" * 50 + str(number) for number in range(4)]
"""Each is small, and all of them are not."""

WRITES: dict[str, Callable[[Memory], object]] = {
    "set": lambda mem: mem.set("u1", "lives_in", LONG),
    "set, in bytes": lambda mem: mem.set("u1", "lives_in", "é" * (MOST // 2 + 1)),
    "set json": lambda mem: mem.set("u1", "settings", {"a": MANY}),
    "set json keys": lambda mem: mem.set("u1", "settings", {LONG: 1}),
    "record": lambda mem: mem.record("u1", "lives_in", LONG, valid_from="2020"),
    "add_value": lambda mem: mem.add_value("u1", "languages", LONG),
    "remove_value": lambda mem: mem.remove_value("u1", "languages", LONG),
    "replace_values": lambda mem: mem.replace_values("u1", "languages", ["Go", LONG]),
    "replace_values, all": lambda mem: mem.replace_values("u1", "languages", MANY),
    "retract": lambda mem: mem.retract("u1", "lives_in", LONG),
    "deny": lambda mem: mem.deny("u1", "lives_in", LONG),
    "confirm": lambda mem: mem.confirm("u1", "lives_in", LONG),
    "write": lambda mem: mem.write("u1", [lives("Rome"), speaks(LONG)]),
    "write, quote": lambda mem: mem.write("u1", [lives("Rome", quote=LONG)]),
    "preview": lambda mem: mem.preview("u1", [lives(LONG)]),
    "correct": lambda mem: mem.correct(mem.state("u1").fact("lives_in").id, LONG),  # type: ignore[union-attr]
    "answer": lambda mem: mem.answer(mem.questions("u1")[0].id, LONG),
    "metadata": lambda mem: mem.set("u1", "lives_in", "Rome", metadata={"a": LONG}),
    "metadata of a correction": lambda mem: mem.correct(
        mem.state("u1").fact("lives_in").id, metadata={"a": LONG}  # type: ignore[union-attr]
    ),
    "metadata of a message": lambda mem: mem.add("u1", "hello", metadata={"a": MANY}),
    "metadata of messages": lambda mem: list(mem.add_many([Message("u1", "hello", metadata={LONG: 1})])),
}  # fmt: skip


def small(path: Any = ":memory:", **options: Any) -> Memory:
    return opened(path, max_content=MOST, **options)


@pytest.mark.parametrize("way", WRITES)
def test_a_value_over_the_size_is_refused_and_nothing_is_written(way: str) -> None:
    with small(llm=Told()) as mem:
        mem.register_predicate("settings", type="json")
        mem.set("u1", "lives_in", "Delhi")
        mem.write("u1", [Operation("set", "lives_in", "Oslo", modality="reported")])
        before = mem.digest("u1"), mem.state("u1").rev
        with pytest.raises(ContentTooLargeError, match=f"over {MOST} bytes; give less of it, or raise max_content"):
            WRITES[way](mem)
        assert (mem.digest("u1"), mem.state("u1").rev) == before


def test_a_value_of_just_the_size_is_taken() -> None:
    with small() as mem:
        assert mem.set("u1", "lives_in", "x" * MOST).current
        assert mem.replace_values("u1", "languages", ["x" * 99, "y" * 99]).changed


def test_a_value_is_measured_in_an_awaited_memory_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncMemory(tmp_path / "m.db", max_content=MOST, worker=False) as mem:
            await mem.register_predicate("lives_in")
            with pytest.raises(ContentTooLargeError, match="the value of lives_in"):
                await mem.set("u1", "lives_in", LONG)

    asyncio.run(story())


def test_the_size_is_a_mebibyte_unless_told_otherwise() -> None:
    with opened() as mem:
        with pytest.raises(ContentTooLargeError, match="the value of lives_in is over 1048576 bytes"):
            mem.set("u1", "lives_in", "x" * 2_000_000)
        assert mem.set("u1", "lives_in", "x" * 1_048_576).current


def test_what_an_extractor_proposes_over_the_size_is_malformed_and_the_rest_counts(told: Told) -> None:
    with small(llm=told) as mem:
        said = "I live in Delhi and know Go"
        told.answers[said] = [lives(LONG, quote=said), speaks("Go", quote="know Go"), speaks("Go", quote=LONG)]
        seq = mem.add("u1", said).seq
        mem.flush()
        assert mem.state("u1").values == {"languages": ("Go",)}
        decisions = mem.decisions("u1", seq)
        assert [one.outcome for one in decisions] == ["refused", "admitted", "refused"]
        assert f"value is over {MOST} bytes" in str(decisions[0])


def test_a_log_that_holds_more_is_read_folded_and_moved_as_it_was(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as mem:
        mem.register_predicate("settings", type="json")
        mem.set("u1", "lives_in", LONG, metadata={"a": LONG})
        mem.set("u1", "settings", {LONG: MANY})
        mem.replace_values("u1", "languages", MANY)
        digest = mem.digest("u1")
    with small(tmp_path / "m.db") as mem:
        state = mem.state("u1")
        assert state.values == {"lives_in": LONG, "settings": {LONG: MANY}, "languages": tuple(MANY)}
        assert mem.rebuild("u1").identical
        assert mem.verify("u1").identical
        assert mem.digest("u1") == digest
        assert mem.confirm("u1", "lives_in").current
        fact = state.fact("lives_in")
        assert fact is not None
        assert mem.correct(fact.id).changed
        assert mem.reinstate(fact.id).current
        assert mem.correct(fact.id, valid_from="2020", dry_run=True).changed
        digest = mem.digest("u1")
        mem.export(tmp_path / "m.jsonl")
        mem.backup(tmp_path / "m.backup")
        with small(tmp_path / "copy.db") as copy:
            mem.copy_to(copy)
            assert copy.digest("u1") == digest
    with small(tmp_path / "imported.db") as mem:
        mem.import_(tmp_path / "m.jsonl")
        assert mem.digest("u1") == digest
        assert mem.rebuild().identical


def test_an_older_and_larger_value_can_be_answered_about(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as mem:
        mem.set("u1", "lives_in", "Delhi")
        mem.write("u1", [Operation("set", "lives_in", LONG, modality="reported")])
    with small(tmp_path / "m.db") as mem:
        assert mem.answer(mem.questions("u1")[0].id, "yes").changed
        assert mem.get("u1", "lives_in") == LONG


def test_a_definition_has_a_size_too() -> None:
    with small() as mem:
        with pytest.raises(InvalidValueError, match="diet: a definition has 1048576 bytes at most"):
            mem.register_predicate("diet", choices=["x" * 1_000_000, "y" * 1_000_000])
        assert "diet" not in [one.name for one in mem.predicates()]


@pytest.mark.parametrize(
    "given",
    [
        {"user_id": "x" * 513}, {"agent_id": "x" * 513}, {"namespace": "x" * 513}, {"subject": "x" * 513},
        {"predicate": "x" * 129}, {"idempotency_key": "x" * 513}, {"source": "x" * 513},
    ],
)  # fmt: skip
def test_names_have_sizes_of_their_own(given: dict[str, str]) -> None:
    from tensemem.errors import TensememError

    with opened() as mem:
        with pytest.raises(TensememError, match=r"longer than|are allowed|not registered"):
            mem.set(**{"user_id": "u1", "predicate": "lives_in", "value": "Rome", **given})  # type: ignore[arg-type]
        assert mem.scopes() == ()

"""What the facade does that needs no mem0 to compare with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tensemem
from tensemem import FakeExtractor
from tensemem.compat.mem0 import Memory, NotSupportedError

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "integrations" / "mem0.py"
U1 = {"user_id": "u1"}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(path=":memory:") as made:
        yield made


def texts(memory: Memory) -> list[str]:
    return [item["memory"] for item in memory.get_all(filters=U1)["results"]]


def test_the_relocation_story(memory: Memory) -> None:
    first = memory.add("I live in Delhi", user_id="u1")["results"]
    moved = memory.add("I moved to Bangalore", user_id="u1")["results"]
    assert [(each["event"], each["memory"]) for each in (*first, *moved)] == [
        ("ADD", "lives in: Delhi"),
        ("UPDATE", "lives in: Bangalore"),
    ]
    assert moved[0]["previous_memory"] == "lives in: Delhi"
    assert [row["event"] for row in memory.history(moved[0]["id"])] == ["ADD", "UPDATE"]
    memory.update(moved[0]["id"], "lives in: Mysore")
    assert texts(memory) == ["lives in: Mysore"]
    assert memory.get(first[0]["id"]) == memory.get(moved[0]["id"])  # one slot, whichever of its ids is given
    memory.add("I live in Delhi", user_id="u1")
    assert [row["new_memory"] for row in memory.history(first[0]["id"])] == [
        "lives in: Delhi", "lives in: Bangalore", "lives in: Mysore", "lives in: Delhi",
    ]  # fmt: skip


def test_of_many_values_each_is_a_memory_and_a_corrected_one_keeps_its_id(memory: Memory) -> None:
    kept = memory.add("I speak German and French", user_id="u1")["results"]
    assert {each["event"] for each in kept} == {"ADD"}
    german = next(each["id"] for each in kept if "German" in each["memory"])
    memory.update(german, "Dutch")
    told = memory.get(german)
    assert told is not None
    assert told["memory"].endswith(": Dutch")
    assert [row["event"] for row in memory.history(german)] == ["ADD", "UPDATE"]
    memory.update(german, "Danish")
    assert [row["event"] for row in memory.history(german)] == ["ADD", "UPDATE", "UPDATE"]
    assert len(texts(memory)) == 2
    memory.delete(german)
    assert [text.rpartition(" ")[2] for text in texts(memory)] == ["French"]


def test_what_is_retracted_is_a_deletion() -> None:
    with tensemem.Memory(":memory:", llm=FakeExtractor()) as state:
        state.register_predicate("lives_in")
        memory = Memory(memory=state)
        memory.add("I live in Delhi", user_id="u1")
        gone = memory.add("I no longer live in Delhi", user_id="u1")["results"]
        assert [(each["event"], each["memory"]) for each in gone] == [("DELETE", "lives in: Delhi")]


def test_an_open_memory_is_used_as_it_is() -> None:
    with tensemem.Memory(":memory:", llm=FakeExtractor()) as state:
        state.register_predicate("lives_in")
        memory = Memory(memory=state)
        memory.add("I live in Delhi", user_id="u1", agent_id="a1")
        assert state.get("u1", "lives_in", agent_id="a1") == "Delhi"
        with pytest.raises(NotSupportedError):
            memory.reset()


def test_reset_deletes_the_file_and_begins_a_new_one(tmp_path: Path) -> None:
    with Memory(path=tmp_path / "m.db") as memory:
        memory.add("I like tea", user_id="u1", infer=False)
        memory.reset()
        assert texts(memory) == []
        memory.add("I like milk", user_id="u1", infer=False)
    assert [path.name for path in tmp_path.iterdir()] == ["m.db"]


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.add("x", user_id="u1", memory_type="procedural_memory"),
        lambda memory: memory.add("x", user_id="u1", expiration_date="2030-01-01"),
        lambda memory: memory.get_all(filters={"user_id": "u1", "topic": "x"}),
        lambda memory: memory.search("x", filters={"AND": [U1], "user_id": "u1"}),
        lambda memory: memory.get_all(filters=U1, show_expired=True),
        lambda memory: memory.chat("x"),
        lambda memory: memory.project,
    ],
)
def test_what_is_not_supported_says_so(memory: Memory, call) -> None:
    with pytest.raises(NotSupportedError):
        call(memory)


def test_a_value_that_does_not_fit_changes_nothing() -> None:
    with tensemem.Memory(":memory:", llm=False) as state:
        state.register_predicate("diet", choices=["vegan", "omnivore"])
        kept = state.set("u1", "diet", "vegan").fact_id
        with pytest.raises(ValueError, match="paleo"):
            Memory(memory=state).update(str(kept), "diet: paleo")
        assert state.get("u1", "diet") == "vegan"


def test_a_model_that_is_named_is_the_one_used() -> None:
    with pytest.raises(tensemem.errors.TensememError, match="nobody"):
        Memory({"llm": {"provider": "nobody", "config": {"model": "m"}}}, path=":memory:")
    with pytest.raises(tensemem.errors.InvalidValueError, match="name the model"):
        Memory.from_config({"llm": {"provider": "openai"}})


def test_other_parts_of_a_configuration_are_told(caplog: pytest.LogCaptureFixture) -> None:
    with Memory({"vector_store": {"provider": "qdrant"}}, path=":memory:"):
        assert "vector_store" in caplog.text


def test_the_example_runs(tmp_path: Path) -> None:
    assert EXAMPLE.name == "mem0.py"
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLE.parents[2] / "src")}
    done = subprocess.run(
        [sys.executable, EXAMPLE], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].startswith("ADD")

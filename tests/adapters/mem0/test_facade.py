"""What the facade does that needs no mem0 to compare with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tensemem
from tensemem import FakeExtractor
from tensemem.compat.mem0 import Memory, NotSupportedError
from tensemem.core.fold import fold_slot

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


TYPED = [
    ("number", "34.0", "34", "35", 35), ("bool", False, "false", "yes", True), ("text", "Rome", "Rome", "Goa", "Goa"),
    ("date", "2026-03-05", "2026-03-05", "2026-03-06", "2026-03-06"),
    ("datetime", "2030-01-02T10:00Z", "2030-01-02T10:00:00Z", "2031-01-02T10:00Z", "2031-01-02T10:00:00Z"),
    ("duration", "30m", "PT30M", "1h", "PT1H"), ("json", {"a": 1}, '{"a": 1}', '{"b":[2]}', {"b": [2]}),
]  # fmt: skip


@pytest.mark.parametrize("cardinality", ["one", "many"])
@pytest.mark.parametrize("case", TYPED, ids=str)
def test_a_value_of_any_type_has_one_text_everywhere_and_is_json(cardinality: Any, case: tuple[Any, ...]) -> None:
    kind, value, shown, other, kept = case
    with tensemem.Memory(":memory:", llm=False) as state:
        state.register_predicate("p", cardinality, type=kind)
        memory = Memory(memory=state)
        id = str(state.set("u1", "p", value).fact_id)
        told = memory.get(id)
        assert told is not None
        assert json.loads(json.dumps(told))["memory"] == f"p: {shown}"
        memory.update(id, f"P:{shown}")
        assert state.state("u1").rev == 1
        memory.update(id, other)
        told = memory.get(id)
        assert told is not None
        assert told["metadata"]["value"] == kept
        memory.delete(id)
        rows = memory.history(id)
        assert [row["event"] for row in rows] == ["ADD", "UPDATE", "DELETE"]
        assert (rows[0]["new_memory"], rows[1]["old_memory"]) == (f"p: {shown}", f"p: {shown}")
        assert rows[1]["new_memory"] == rows[2]["old_memory"] == told["memory"]


def test_an_update_to_what_was_deleted_since_holds_now(memory: Memory) -> None:
    first = memory.add("likes tea", user_id="u1", infer=False)["results"][0]["id"]
    second = memory.add("likes milk", user_id="u1", infer=False)["results"][0]["id"]
    memory.delete(second)
    memory.update(first, "likes milk")
    assert texts(memory) == ["likes milk"]
    assert (memory.get(first) or {})["memory"] == "likes milk"


def test_notes_are_kept_all_or_none_with_their_parts_read(memory: Memory) -> None:
    said = [
        {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": "two"}, {"role": "user", "content": "one"}, {"role": "tool", "content": None},
        {"role": "user", "content": "  "}, {"role": "system", "content": "three"},
    ]  # fmt: skip
    for role, content in (("user", "a\x00b"), ("nobody", "x"), ("user", 5)):
        with pytest.raises(ValueError, match=r"NUL|role|content"):
            memory.add([*said, {"role": role, "content": content}], user_id="u1", infer=False)
    assert texts(memory) == []
    told = memory.add(said, user_id="u1", infer=False)["results"]
    assert [(each["memory"], each["role"]) for each in told] == [("one", "user"), ("two", "assistant"), ("one", "user")]
    assert told[0]["id"] == told[2]["id"]
    assert [(memory.get(each["id"]) or {})["memory"] for each in told] == ["one", "two", "one"]


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.add("x", user_id="\x00"),
        lambda memory: memory.add("x", user_id="u" * 5000),
        lambda memory: memory.add([{"role": "nobody", "content": "x"}], user_id="u1"),
        lambda memory: memory.add("\ud800", user_id="u1"),
        lambda memory: memory.add("x", user_id="u1", timestamp="soon"),
        lambda memory: memory.add("x", user_id="u1", timestamp=1e300),
        lambda memory: memory.add("x", user_id="u1", metadata={"a": object()}),
        lambda memory: memory.get_all(filters=["user_id"]),
        lambda memory: memory.get_all(filters={"user_id": None}),
        lambda memory: memory.get_all(filters={"user_id": {"in": ["u1"]}}),
        lambda memory: memory.update(memory.add("x", user_id="u1", infer=False)["results"][0]["id"], 5),
    ],
)
def test_what_can_not_be_is_a_value_error(memory: Memory, call: Callable[[Memory], object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        call(memory)


def test_an_id_that_is_none_is_not_given(memory: Memory) -> None:
    memory.add("likes tea", user_id="u1", infer=False)
    assert len(memory.get_all(filters={"user_id": "u1", "agent_id": None})["results"]) == 1


def test_a_number_is_when_it_was_said(memory: Memory) -> None:
    memory.add("I live in Delhi", user_id="u1", timestamp=1_700_000_000)
    assert memory.get_all(filters=U1)["results"][0]["updated_at"] == "2023-11-14T22:13:20+00:00"


def test_what_is_not_there_can_be_asked_for(memory: Memory) -> None:
    assert not hasattr(memory, "vector_store")
    assert getattr(memory, "graph", None) is None


def test_a_memory_handed_in_keeps_its_registry_and_may_be_for_reading_only(tmp_path: Path) -> None:
    with tensemem.Memory(tmp_path / "m.db", llm=False) as state:
        state.register_predicate("note", description="of music")
        state.set("u1", "note", "C")
        memory = Memory(memory=state)
        assert texts(memory) == ["C"]
        with pytest.raises(NotSupportedError, match="another attribute"):
            memory.add("x", user_id="u1", infer=False)
    with tensemem.Memory(tmp_path / "m.db", read_only=True) as state:
        assert texts(Memory(memory=state)) == ["C"]


@pytest.mark.parametrize("is_named_by_variable", [True, False])
def test_reset_deletes_the_file_that_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named_by_variable: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENSEMEM_DB", "one.db")
    with Memory(path=None if is_named_by_variable else "one.db") as memory:
        memory.add("likes tea", user_id="u1", infer=False)
        (tmp_path / "sub").mkdir()
        monkeypatch.chdir(tmp_path / "sub")
        monkeypatch.setenv("TENSEMEM_DB", "two.db")
        memory.reset()
        assert texts(memory) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.db", "sub"]
    assert not list((tmp_path / "sub").iterdir())


def test_the_history_of_a_memory_folds_no_other_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    with tensemem.Memory(":memory:", llm=False) as state:
        state.register_predicate("lives_in")
        state.register_predicate("mood")
        id = str(state.set("u1", "lives_in", "Delhi").fact_id)
        for number in range(30):
            state.set("u1", "mood", f"mood {number}")
        state.set("u1", "lives_in", "Goa")
        folded = []
        fold = fold_slot

        def counted(log: Any) -> Any:
            folded.append(log)
            return fold(log)

        monkeypatch.setattr("tensemem.engine.replay.fold_slot", counted)
        rows = Memory(memory=state).history(id)
        assert [row["new_memory"] for row in rows] == ["lives in: Delhi", "lives in: Goa"]
        assert len(folded) <= 4


def test_a_history_is_the_same_where_a_message_was_read_anew() -> None:
    with tensemem.Memory(":memory:", llm=FakeExtractor(), worker=False) as state:
        state.register_predicate("lives_in")
        state.register_predicate("diet")
        memory = Memory(memory=state)
        id = memory.add("I live in Delhi", user_id="u1")["results"][0]["id"]
        memory.add("I moved to Goa", user_id="u1")
        before = [row["new_memory"] for row in memory.history(id)]
        state.reextract("u1", FakeExtractor(), dry_run=False)
        state.set("u1", "diet", "vegan")
        assert [row["new_memory"] for row in memory.history(id) if row["event"] != "DELETE"][-1] == before[-1]
        assert all("lives in" in (row["new_memory"] or row["old_memory"]) for row in memory.history(id))


def test_add_tells_what_its_own_messages_changed_and_not_what_others_wrote_meanwhile() -> None:
    def busy(request: Any) -> list[tensemem.Operation]:
        state.set("u1", "diet", "vegan")
        return [tensemem.Operation("set", "lives_in", "Delhi", quote="Delhi")]

    with tensemem.Memory(":memory:", llm=busy, worker=False) as state:
        state.register_predicate("lives_in")
        state.register_predicate("diet")
        told = Memory(memory=state).add("now in Delhi", user_id="u1")["results"]
        assert [each["memory"] for each in told] == ["lives in: Delhi"]
        assert state.get("u1", "diet") == "vegan"


def test_the_best_fact_is_found_before_the_messages_it_came_from(memory: Memory) -> None:
    memory.add("I live in Delhi", user_id="u1")
    for number in range(5):
        memory.add(f"Delhi lives in me, Delhi, said {number} times", user_id="u1")
    assert len(memory.search("Delhi lives", filters=U1, top_k=1)["results"]) == 1


def test_a_model_that_is_away_makes_no_message_twice() -> None:
    def away(request: object) -> list[tensemem.Operation]:
        raise ConnectionRefusedError("nobody is there")

    with tensemem.Memory(":memory:", llm=away, worker=False) as state:
        memory = Memory(memory=state)
        assert memory.add("I live in Delhi", user_id="u1") == {"results": []}
        assert [message.content for message in state.messages("u1")] == ["I live in Delhi"]
        assert state.state("u1").freshness.pending == 1


def test_what_a_more_trusted_source_says_is_not_told_as_deleted() -> None:
    with tensemem.Memory(":memory:", llm=False) as state:
        state.register_predicate("lives_in", trust=["crm", "application"])
        kept = state.set("u1", "lives_in", "Delhi", source="crm").fact_id
        memory = Memory(memory=state)
        with pytest.raises(ValueError, match="more trusted"):
            memory.delete(str(kept))
        assert state.get("u1", "lives_in") == "Delhi"

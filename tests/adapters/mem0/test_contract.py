"""The facade against the real mem0, call by call. What differs is in the list at the end, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tensemem.compat.mem0 import Memory

pytest.importorskip("mem0")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")

U1 = {"user_id": "u1"}
EMPTY: dict[str, list[str]] = {"results": []}


@pytest.fixture
def ours() -> Iterator[Memory]:
    with Memory(path=":memory:") as made:
        yield made


def noted(memory: Any, text: str, **ids: str) -> str:
    """Keep a text as it is, and give its id."""
    found: str = memory.add(text, infer=False, **(ids or U1))["results"][0]["id"]
    return found


def same_for_both(ours: Any, theirs: Any, story: Callable[[Any], Any]) -> Any:
    """What a story gives in both, if it is the same."""
    mine, other = story(ours), story(theirs)
    assert mine == other
    return mine


def without_ids(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Items without what no two memories share: ids, times, and the metadata that is each one's own."""
    kept = {"memory", "hash", "user_id", "agent_id", "run_id", "event", "old_memory", "new_memory", "is_deleted"}
    return [{key: part for key, part in item.items() if key in kept} for item in items]


def all_of(memory: Any, **filters: str) -> list[dict[str, Any]]:
    """Everything there is, in the order of its text."""
    return sorted(without_ids(memory.get_all(filters=filters or U1)["results"]), key=lambda item: str(item["memory"]))


def test_notes_are_kept_as_they_were_said(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        added = memory.add([{"role": "user", "content": "I like tea"}, {"role": "system", "content": "x"}],
                           user_id="u1", infer=False)  # fmt: skip
        noted(memory, "Zoë 東京 <b>")
        return without_ids(added["results"]), all_of(memory)

    added, kept = same_for_both(ours, theirs, story)
    assert [each["event"] for each in added] == ["ADD"]
    assert [each["memory"] for each in kept] == ["I like tea", "Zoë 東京 <b>"]


def test_items_have_the_same_fields(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        kept = noted(memory, "I like tea")
        listed = memory.get_all(filters=U1)["results"][0]
        found = memory.search("I like tea", filters=U1)["results"][0]
        fields = {"role"}  # a note's role is kept in the log alone
        return [sorted(item.keys() - fields) for item in (memory.get(kept), listed, found)]

    same_for_both(ours, theirs, story)


def test_an_update_keeps_the_id_and_shows_in_the_history(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        kept = noted(memory, "I like tea")
        told = memory.update(kept, "I like coffee")
        memory.update(kept, text="I like cocoa")
        rows = memory.history(kept)
        assert {row["memory_id"] for row in rows} == {kept}
        return told, memory.get(kept)["memory"], without_ids(rows), sorted(rows[0])

    _, shown, rows, _ = same_for_both(ours, theirs, story)
    assert shown == "I like cocoa"
    assert [row["event"] for row in rows] == ["ADD", "UPDATE", "UPDATE"]


def test_what_is_deleted_is_gone_and_its_history_stays(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        kept = noted(memory, "I like tea")
        told = memory.delete(kept)
        return told, memory.get(kept), memory.get_all(filters=U1), without_ids(memory.history(kept))

    *_, rows = same_for_both(ours, theirs, story)
    assert [row["is_deleted"] for row in rows] == [False, True]


def test_delete_all_takes_what_the_ids_name_and_nothing_else(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        noted(memory, "one", user_id="u1")
        noted(memory, "two", user_id="u1", agent_id="a1")
        noted(memory, "three", user_id="u2", run_id="r1")
        noted(memory, "four", run_id="r1")
        seen = [all_of(memory, **ids) for ids in (U1, {"agent_id": "a1"}, {"run_id": "r1"}, {"user_id": "u"})]
        told = memory.delete_all(user_id="u1")
        return seen, told, [all_of(memory, **ids) for ids in (U1, {"user_id": "u2"}, {"run_id": "r1"})]

    seen, _, left = same_for_both(ours, theirs, story)
    assert [len(each) for each in seen] == [2, 1, 2, 0]
    assert [len(each) for each in left] == [0, 1, 2]


def test_reset_begins_anew(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        noted(memory, "I like tea")
        memory.reset()
        before = all_of(memory)
        noted(memory, "I like milk")
        return before, all_of(memory)

    assert same_for_both(ours, theirs, story)[0] == []


def test_the_best_comes_first_and_no_more_than_asked_for(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        for text in ("the cat likes fish", "the dog likes bones", "rain on monday"):
            noted(memory, text)
        found = memory.search("fish cat", filters=U1, top_k=1)["results"]
        assert 0 <= found[0]["score"] <= 1
        return [item["memory"] for item in found], memory.search("fish", filters=U1, top_k=0)["results"]

    same_for_both(ours, theirs, story)


REFUSED: list[Callable[[Any], Any]] = [
    lambda memory: memory.add("x"),
    lambda memory: memory.add(5, user_id="u1"),
    lambda memory: memory.add("x", user_id=" "),
    lambda memory: memory.add("x", user_id="a b"),
    lambda memory: memory.get_all(),
    lambda memory: memory.get_all(user_id="u1"),
    lambda memory: memory.get_all(filters={"user_id": "a b"}),
    lambda memory: memory.get_all(filters=U1, top_k=-1),
    lambda memory: memory.get_all(filters=U1, top_k=True),
    lambda memory: memory.search("", filters=U1),
    lambda memory: memory.search("x", user_id="u1"),
    lambda memory: memory.search("x"),
    lambda memory: memory.search("x", filters=U1, threshold=2),
    lambda memory: memory.update("nope", "x"),
    lambda memory: memory.update("nope"),
    lambda memory: memory.delete("nope"),
    lambda memory: memory.delete_all(),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_mem0_refuses_is_refused(ours: Memory, theirs: Any, number: int) -> None:
    from mem0.exceptions import ValidationError

    with pytest.raises((ValueError, ValidationError)):
        REFUSED[number](theirs)
    with pytest.raises(ValueError):
        REFUSED[number](ours)


@pytest.mark.parametrize("call", [lambda m: m.get("nope"), lambda m: m.history("nope")])
def test_what_is_not_there_is_nothing(ours: Memory, theirs: Any, call: Callable[[Any], Any]) -> None:
    same_for_both(ours, theirs, call)


def test_what_a_model_reads_is_listed_with_what_was_added(ours: Memory, theirs: Any) -> None:
    def story(memory: Any) -> Any:
        nothing = memory.add("How are you?", user_id="u1")
        return nothing, without_ids(memory.add("I live in Delhi", user_id="u1")["results"]), all_of(memory)

    nothing, added, kept = same_for_both(ours, theirs, story)
    assert nothing == EMPTY
    assert [each["event"] for each in added] == ["ADD"]
    assert [each["memory"] for each in kept] == ["lives in: Delhi"]


# Where the two differ, as docs/how-to/use-with-mem0.md says


def test_what_has_changed_is_one_memory_here_and_two_there(ours: Memory, theirs: Any) -> None:
    shown = []
    for memory in (ours, theirs):
        memory.add("I live in Delhi", user_id="u1")
        memory.add("I moved to Bangalore", user_id="u1")
        shown.append([item["memory"] for item in all_of(memory)])
    assert shown == [["lives in: Bangalore"], ["lives in: Bangalore", "lives in: Delhi"]]


def test_the_same_note_twice_is_one_memory_here_and_two_there(ours: Memory, theirs: Any) -> None:
    counts = []
    for memory in (ours, theirs):
        noted(memory, "I like tea")
        noted(memory, "I like tea")
        counts.append(len(all_of(memory)))
    assert counts == [1, 2]


def test_metadata_is_the_callers_there_and_tells_of_the_fact_here(ours: Memory, theirs: Any) -> None:
    told = []
    for memory in (ours, theirs):
        memory.add("I like tea", user_id="u1", infer=False, metadata={"k": 1})
        told.append(memory.get_all(filters=U1)["results"][0]["metadata"])
    assert told[1] == {"k": 1}
    assert {"predicate", "valid_from", "contested", "is_current", "version"} <= told[0].keys()

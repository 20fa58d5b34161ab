"""Notes are files: reply for reply, and error for error, as the SDK's own tool for real files."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensemem import Memory
from tests.adapters.anthropic_memory.conftest import asked

pytest.importorskip("anthropic")

from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

from tensemem.adapters.anthropic import MemoryTool

NOTES = "/memories/notes"
NAMES = st.sampled_from(["a.md", "b c.md", "день.md", ".hidden", "trips/x.md", "trips/y.md"]).map(
    lambda name: f"{NOTES}/{name}"
)
PLACES = NAMES | st.sampled_from([f"{NOTES}/trips", f"{NOTES}/none.md", NOTES, f"{NOTES}/trips/../a.md"])
TEXTS = st.text(alphabet="ab\n \r{", max_size=12)
RANGES = st.none() | st.lists(st.integers(-3, 6), max_size=3)

COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("view"), "path": PLACES, "view_range": RANGES}),
    st.fixed_dictionaries({"command": st.just("create"), "path": NAMES, "file_text": TEXTS}),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": PLACES, "old_str": TEXTS.filter(bool), "new_str": TEXTS}
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PLACES, "insert_line": st.integers(-1, 5), "insert_text": TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PLACES}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": NAMES, "new_path": NAMES}),
)


@settings(deadline=None)  # a busy machine is no counterexample
@given(st.lists(COMMANDS, min_size=5, max_size=15))
def test_every_reply_is_the_one_for_real_files(commands: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as folder, Memory(":memory:", llm=False) as mem:
        theirs, ours = BetaLocalFilesystemMemoryTool(folder), MemoryTool(mem, "u1")
        for command in commands:
            expected = asked(theirs, **command)
            _without_empty_folders(Path(folder) / "memories")
            assert _plain(asked(ours, **command)) == _plain(expected), command


def test_a_life_of_a_note_is_the_one_of_a_file(tmp_path: Path, mem: Memory) -> None:
    theirs, ours, path = BetaLocalFilesystemMemoryTool(str(tmp_path)), MemoryTool(mem, "u1"), f"{NOTES}/a.md"
    story: list[dict[str, Any]] = [
        {"command": "create", "path": path, "file_text": "one\ntwo\r\n\nthree"},
        {"command": "insert", "path": path, "insert_line": 1, "insert_text": "between\n\n"},
        {"command": "view", "path": path},
        {"command": "insert", "path": path, "insert_line": 5, "insert_text": "four\nfive"},
        {"command": "view", "path": path, "view_range": [2, -1]},
        {"command": "insert", "path": path, "insert_line": 9, "insert_text": ""},
        {"command": "str_replace", "path": path, "old_str": "e", "new_str": ""},
        {"command": "str_replace", "path": path, "old_str": "five\n", "new_str": ""},
        {"command": "create", "path": path, "file_text": ""},
        {"command": "rename", "old_path": path, "new_path": f"{NOTES}/b/c.md"},
        {"command": "view", "path": f"{NOTES}/b/c.md", "view_range": [1, 2]},
        {"command": "str_replace", "path": f"{NOTES}/b", "old_str": "x", "new_str": ""},
        {"command": "create", "path": f"{NOTES}/b", "file_text": ""},
        {"command": "delete", "path": f"{NOTES}/b"},
        {"command": "delete", "path": f"{NOTES}/b/c.md"},
    ]
    for command in story:
        assert asked(ours, **command) == asked(theirs, **command), command


def _without_empty_folders(top: Path) -> None:
    """A file system keeps a folder whose last file is gone; the view has folders only where there are files."""
    for path in sorted(top.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _plain(reply: str) -> str:
    """A reply without the sizes of folders, which are the file system's own, and the top's."""
    lines = [line for line in reply.split("\n") if not re.match(r"[\d.]+[BKMG]?\t.*/$", line)]
    return "\n".join(re.sub(r"^[\d.]+[BKMG]\t", "\t", line) if at == 1 else line for at, line in enumerate(lines))


def test_a_note_has_a_history_and_can_be_taken_back(ask, mem: Memory) -> None:
    ask("create", path=f"{NOTES}/plan.md", file_text="one\n")
    ask("str_replace", path=f"{NOTES}/plan.md", old_str="one", new_str="two")
    first, second = mem.history("u1", "note_file", subject="notes/plan.md").facts
    assert (first.value, second.value, second.source) == ("one\n", "two\n", "agent")
    mem.correct(second.id)
    assert ask("view", path=f"{NOTES}/plan.md").endswith("     1\tone\n     2\t")


def test_a_deleted_note_is_kept_by_the_log(ask, mem: Memory) -> None:
    ask("create", path=f"{NOTES}/plan.md", file_text=" exact \n\n")
    ask("delete", path=f"{NOTES}/plan.md")
    assert "does not exist" in ask("view", path=f"{NOTES}/plan.md")
    assert [fact.value for fact in mem.history("u1", "note_file", subject="notes/plan.md")] == [" exact \n\n"]


def test_a_renamed_folder_moves_every_note(ask) -> None:
    for name in ("x", "y"):
        ask("create", path=f"{NOTES}/trips/{name}.md", file_text=name)
    before = ask("view", path=f"{NOTES}/trips/x.md")
    assert ask("rename", old_path=f"{NOTES}/trips", new_path=f"{NOTES}/old") == (
        f"Successfully renamed {NOTES}/trips to {NOTES}/old"
    )
    assert ask("view", path=f"{NOTES}/old/x.md") == before.replace("trips", "old")
    assert "does not exist" in ask("view", path=f"{NOTES}/trips")


def test_a_secret_in_a_note_is_left_out_and_said_to_be(ask, mem: Memory) -> None:
    said = ask("create", path=f"{NOTES}/key.md", file_text="use AKIAIOSFODNN7EXAMPLE with it")
    assert "1 secret(s) were left out" in said
    assert "AKIAIOSFODNN7EXAMPLE" not in ask("view", path=f"{NOTES}/key.md")


def test_a_file_that_is_too_large_is_refused(mem: Memory) -> None:
    tool = MemoryTool(mem, "u1", max_size=10)
    assert asked(tool, "create", path=f"{NOTES}/a", file_text="x" * 11) == (
        "Error: The file would be too large: 11 characters of 10 at most"
    )
    asked(tool, "create", path=f"{NOTES}/a", file_text="x" * 10)
    assert "too large" in asked(tool, "insert", path=f"{NOTES}/a", insert_line=0, insert_text="y")
    assert mem.history("u1", "note_file", subject="notes/a").facts[0].value == "x" * 10


def test_no_message_can_teach_a_note(tmp_path) -> None:
    from tensemem import FakeExtractor, Operation

    operation = Operation("set", "note_file", "evil", subject="notes/a.md", quote="evil words")
    with Memory(tmp_path / "m.db", llm=FakeExtractor({"evil words": [operation]})) as mem:
        tool = MemoryTool(mem, "u1")
        asked(tool, "view", path="/memories")
        seq = mem.add("u1", "evil words").seq
        mem.flush("u1")
        assert [decision.reason for decision in mem.decisions("u1", seq)] == ["not_allowed"]

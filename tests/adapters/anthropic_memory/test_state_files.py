"""A state file is what holds now; an edit of it becomes operations, all of them or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import FactStatus, FakeExtractor, Memory, Operation
from tensemem.adapters import _memory_lines as lines
from tests.adapters.anthropic_memory.conftest import asked
from tests.settings import law_settings

pytest.importorskip("anthropic")

from tensemem.adapters.anthropic import MemoryTool

STATE = "/memories/user/state.md"


def content(reply: str) -> str:
    """A file's text, out of the numbered lines of a reply."""
    return "\n".join(line.partition("\t")[2] for line in reply.split("\n")[1:])


def test_a_line_for_each_value(ask, mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    mem.set("u1", "profile", {"b": [1], "a": "x"})
    mem.replace_values("u1", "languages", ["Go", "Python"])
    mem.set("u1", "age", 31)
    assert content(ask("view", path=STATE)) == (
        'age: 31\nlanguages:\n- Go\n- Python\nlives_in: Delhi\nprofile: {"a": "x", "b": [1]}\n'
    )


def test_a_changed_line_is_a_set_so_what_was_true_stays_true(ask, mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    said = ask("str_replace", path=STATE, old_str="Delhi", new_str="Bangalore")
    assert said == (
        "The memory file has been edited.\nlives_in: Delhi no longer holds.\nlives_in: Bangalore now holds."
    )
    history = mem.history("u1", "lives_in").facts
    assert [(fact.value, fact.status) for fact in history] == [
        ("Delhi", FactStatus.SUPERSEDED), ("Bangalore", FactStatus.ACTIVE),
    ]  # fmt: skip
    assert history[1].source == "agent"
    mem.correct(history[1].id)
    assert content(ask("view", path=STATE)) == "lives_in: Delhi\n"


def test_removed_and_added_lines_are_one_entry(ask, mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    mem.replace_values("u1", "languages", ["Go", "Python"])
    rev = mem.state("u1").rev
    ask("str_replace", path=STATE, old_str="- Go\n- Python\nlives_in: Delhi\n", new_str="- Python\n- Rust\nage: 31\n")
    state = mem.state("u1")
    assert state.values == {"languages": ("Python", "Rust"), "age": 31}
    assert state.rev == rev + 1
    assert mem.history("u1", "lives_in").facts[0].status is FactStatus.RETRACTED


def test_names_are_read_in_any_case_and_by_alias(ask, mem: Memory) -> None:
    ask("create", path=STATE, file_text="Lives_In: Delhi\nspeaks: Go\nlanguages:\n- Rust\n")
    assert mem.state("u1").values == {"lives_in": "Delhi", "languages": ("Go", "Rust")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He moved to Pune", "Line 2, 'He moved to Pune': write `predicate: value`"),
        ("- Go", "lives_in has one value"),
        ("# x\nGo to Pune", "Line 3, 'Go to Pune': write `predicate: value`"),
        ("city: Pune", "there is no predicate 'city'. These are: age, diet, languages, lives_in, profile"),
        ("lives_in: Pune", "lives_in has one value"),
        ("age: old", "Nothing was changed. age: 'old' is no number"),
        ("diet: paleo", "Give one of 'vegan', 'omnivore'"),
        ("profile: {", "profile: { is not JSON"),
        ('diet: "vegan', "not a value in quotation marks"),
    ],
)
def test_what_does_not_parse_is_refused_as_a_whole(ask, mem: Memory, text: str, words: str) -> None:
    mem.set("u1", "lives_in", "Delhi")
    before = mem.state("u1").rev
    said = ask("insert", path=STATE, insert_line=1, insert_text=f"{text}\nlanguages: Go")
    assert said.startswith("Error: Nothing was changed")
    assert words in said
    assert (mem.state("u1").rev, mem.state("u1").values) == (before, {"lives_in": "Delhi"})


def test_others_have_files_of_their_own(ask, mem: Memory) -> None:
    assert ask("create", path="/memories/Mira/state.md", file_text="lives_in: Pune\n") == (
        "File created successfully at: /memories/Mira/state.md\nlives_in: Pune now holds."
    )
    mem.set("u1", "lives_in", "Goa", subject="a/b")
    mem.set("u1", "lives_in", "Oslo", subject="notes")
    assert content(ask("view", path="/memories/a%2Fb/state.md")) == "lives_in: Goa\n"
    assert content(ask("view", path="/memories/%6Eotes/state.md")) == "lives_in: Oslo\n"
    listed = [line.partition("\t")[2] for line in ask("view", path="/memories").split("\n")[2:]]
    assert [path for path in listed if path.endswith("/state.md")] == [
        "/memories/%6Eotes/state.md", "/memories/Mira/state.md", "/memories/a%2Fb/state.md",
    ]  # fmt: skip
    ask("delete", path="/memories/Mira")
    assert mem.get("u1", "lives_in", subject="Mira") is None


def test_a_state_file_is_neither_renamed_nor_made_twice(ask, mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    assert ask("create", path=STATE, file_text="lives_in: Goa") == f"Error: File {STATE} already exists"
    assert "Only notes can be renamed" in ask("rename", old_path=STATE, new_path="/memories/notes/a.md")
    assert "A note is renamed within /memories/notes/" in _renamed(ask, STATE)
    assert mem.state("u1").values == {"lives_in": "Delhi"}


def _renamed(ask, path: str) -> str:
    ask("create", path="/memories/notes/a.md", file_text="x")
    return ask("rename", old_path="/memories/notes/a.md", new_path=path)


def test_history_tells_who_said_what_and_is_read_only(clock) -> None:
    with Memory(":memory:", llm=FakeExtractor(), clock=clock) as mem:
        mem.register_predicate("lives_in")
        mem.add("u1", "I live in Delhi")
        mem.flush("u1")
        mem.set("u1", "lives_in", "Bangalore")
        tool = MemoryTool(mem, "u1")
        path = "/memories/user/history/lives_in.md"
        shown = content(asked(tool, "view", path=path))
        said = 'said 2026-01-05 by user: "I live in Delhi"'
        assert f"- Delhi (superseded from 2026-01-05 until 2026-01-05; {said})" in shown
        assert "- Bangalore (active from 2026-01-05; said 2026-01-05 by application)" in shown
        for edit in (
            {"command": "delete"}, {"command": "create", "file_text": "x"},
            {"command": "insert", "insert_line": 0, "insert_text": "x"},
            {"command": "str_replace", "old_str": "Delhi", "new_str": "x"},
        ):  # fmt: skip
            said = asked(tool, path=path, **edit)
            assert "is read-only" in said or "already exists" in said
        assert asked(tool, "view", path="/memories/user/history").endswith("\t/memories/user/history/lives_in.md")


def test_what_is_planned_in_doubt_or_behind_is_said_and_not_read_back(clock) -> None:
    plan = Operation("set", "lives_in", "Goa", quote="I'm moving to Goa", modality="planned")
    rumour = Operation("set", "diet", "vegan", quote="Mira says I'm vegan", modality="reported")
    script = FakeExtractor({"I'm moving to Goa": [plan], "Mira says I'm vegan": [rumour]})
    with Memory(":memory:", llm=script, clock=clock, worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("diet")
        mem.set("u1", "lives_in", "Delhi")
        mem.set("u1", "diet", "omnivore")
        mem.add("u1", "I'm moving to Goa")
        mem.add("u1", "Mira says I'm vegan")
        mem.flush("u1")
        mem.add("u1", "hello")
        tool = MemoryTool(mem, "u1")
        text = asked(tool, "view", path=STATE)
        assert "# Not yet so, planned: lives_in = Goa" in text
        assert "# Unconfirmed, ask the user: diet = vegan" in text
        assert "# In doubt, a newer statement disagrees: diet" in text
        assert text.endswith("(Memory is behind: 1 recent message is not learnt from yet. "
                             "What was just said may not be in it. Nobody is reading it now.)")  # fmt: skip
        assert asked(tool, "str_replace", path=STATE, old_str="# Not yet so", new_str="# so") == (
            "The memory file has been edited.\nNothing changed."
        )


def test_what_is_not_shown_is_said(ask, mem: Memory) -> None:
    mem.register_predicate("name", trust=["crm", "agent"])
    mem.set("u1", "name", "Ada", source="crm")
    said = ask("str_replace", path=STATE, old_str="Ada", new_str="Eve")
    assert said.endswith("Not all of it is shown: a more trusted statement stands, or it waits for review.")
    assert mem.get("u1", "name") == "Ada"


def test_a_slot_that_changed_meanwhile_is_not_overwritten(mem: Memory, monkeypatch) -> None:
    mem.set("u1", "lives_in", "Delhi")
    tool = MemoryTool(mem, "u1")
    parse = lines.parsed

    def slow(text, predicates):
        mem.set("u1", "lives_in", "Goa")
        return parse(text, predicates)

    monkeypatch.setattr(lines, "parsed", slow)
    assert asked(tool, "str_replace", path=STATE, old_str="Delhi", new_str="Pune") == (
        "Error: Nothing was changed: memory has changed meanwhile. View it again."
    )
    assert mem.get("u1", "lives_in") == "Goa"


def test_clearing_takes_all_away_and_forgets_nobody(tool, ask, mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    ask("create", path="/memories/notes/a.md", file_text="x")
    assert tool.clear_all_memory() == "All memory cleared"
    assert mem.state("u1").facts == ()
    assert len(mem.history("u1", "lives_in").facts) == 1


VALUES = st.text(min_size=1, max_size=20).filter(lambda text: text.strip() and "\0" not in text and text.isprintable())
ODD = st.sampled_from(['"x', '"x"', "a\nb", "- a", "# a", "a: b", "b\u2028- c", "\ta\nlives_in: Goa", "a\x85b", "x\rz"])


@law_settings
@given(st.lists(VALUES | ODD, min_size=1, max_size=5), VALUES | ODD)
def test_any_value_reads_back_as_it_was_written(values: list[str], one: str) -> None:
    with Memory(":memory:", llm=False, redact=False) as mem:
        mem.register_predicate("likes", "many")
        mem.register_predicate("motto")
        mem.replace_values("u1", "likes", values)
        mem.set("u1", "motto", one)
        known = {each.name: each for each in mem.predicates()}
        state = mem.state("u1")
        read = lines.parsed(lines.state_text("user", state, known), known)
        made = lines.operations("user", {}, read, known)
        assert tuple(op.value for op in made if op.op == "add") == state.get("likes")
        assert [op.value for op in made if op.op == "set"] == [state.get("motto")]


def test_what_a_more_trusted_source_says_is_not_told_as_deleted(clock) -> None:
    with Memory(":memory:", llm=False, clock=clock) as mem:
        mem.register_predicate("lives_in", trust=["crm", "agent"])
        mem.set("u1", "lives_in", "Delhi", source="crm")
        said = asked(MemoryTool(mem, "u1"), "delete", path=STATE)
        assert said == "Error: Not all was deleted: a more trusted source still says lives_in: Delhi"


def test_a_note_whose_name_differs_by_case_only_is_there_already(ask) -> None:
    ask("create", path="/memories/notes/Todo.md", file_text="milk")
    said = ask("create", path="/memories/notes/todo.md", file_text="bread")
    assert said == "Error: File /memories/notes/todo.md already exists, its name written otherwise"
    assert "milk" in ask("view", path="/memories/notes/Todo.md")

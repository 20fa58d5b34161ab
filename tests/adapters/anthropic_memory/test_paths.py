"""No path leads out of the view, however it is written; and what the model leaves out is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.adapters._memory_paths import Place, folder_of, place_of
from tensemem.errors import InvalidValueError
from tests.settings import law_settings

pytest.importorskip("anthropic")

OUTSIDE = [
    "/etc/passwd", "memories/a", "", "/memoriesX/a", "/memories/..", "/memories/../etc/passwd",
    "/memories/notes/../../etc", "/memories/%2e%2e/etc", "/memories/notes/%2E%2E%2F%2e%2e/etc",
    "/memories/%252e%252e/etc", "/memories/notes/a%00.md", "/memories/notes/a\0.md", "/memories\\..\\etc",
    "/memories/notes/a\nb", "/memories/notes/%5c..%5ca", "/memories/" + "a" * 2000,
]  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE)
def test_outside_is_refused(ask, path: str) -> None:
    assert ask("view", path=path).startswith("Error: ")
    assert ask("create", path=path, file_text="x").startswith("Error: ")
    with pytest.raises(InvalidValueError):
        place_of(path, ["user"])


@pytest.mark.parametrize(
    "path",
    ["/memories/notes/./a.md", "/memories//notes/a.md", "/memories/user/../notes/a.md", "/memories/notes/b/../a.md"],
)
def test_steps_within_are_worked_out(path: str) -> None:
    assert place_of(path, []) == Place("note", name="a.md")


SUBJECTS = st.text(min_size=1, max_size=30).filter(lambda name: name.strip() and name.isprintable())


@law_settings
@given(SUBJECTS | st.sampled_from(["notes", "Notes", "README.md", "..", ".", "a/b", "a%2Fb", "%2e%2e", "a\\b", "user"]))
def test_every_subject_has_a_folder_that_leads_to_it(subject: str) -> None:
    folder = folder_of(subject)
    assert "/" not in folder
    assert place_of(f"/memories/{folder}/state.md", [subject]) == Place("state", subject)


@law_settings
@given(st.text(alphabet="/.%2eE5cf0\\a\0", max_size=30))
def test_no_spelling_leads_away(tail: str) -> None:
    try:
        place = place_of(f"/memories/{tail}", [])
    except InvalidValueError:
        return
    assert place is None or ".." not in place.name.split("/")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"command": "view"}, "view needs path: text"),
        ({"command": "view", "path": 5}, "view needs path: text"),
        ({"command": "view", "path": "/memories", "view_range": ["a", 2]}, "view_range is a list of two line numbers"),
        ({"command": "str_replace", "path": "/memories/notes/a", "old_str": "x"}, "str_replace needs new_str: text"),
        ({"command": "insert", "path": "/memories/a", "insert_line": "1"}, "insert needs insert_line: a number"),
        ({"command": "rename", "old_path": "/memories/a"}, "rename needs new_path: text"),
    ],
)
def test_what_is_left_out_is_said(ask, fields, said: str) -> None:
    assert ask(**fields) == f"Error: {said}"


def test_a_file_elsewhere_is_told_where_it_belongs(ask) -> None:
    assert ask("create", path="/memories/plan.md", file_text="x") == (
        "Error: /memories/plan.md can't be written. Facts are lines of /memories/user/state.md; free text is a note: "
        "/memories/notes/plan.md"
    )


def test_the_readme_lists_what_can_be_written(ask) -> None:
    shown = ask("view", path="/memories/README.md")
    assert "- diet (one value, text; one of vegan, omnivore)" in shown
    assert "- lives_in (one value, text): the city somebody lives in" in shown
    assert "note_file" not in shown
    assert "read-only" in ask("delete", path="/memories/README.md")
    assert ask("delete", path="/memories") == "Error: Cannot delete the /memories directory itself"

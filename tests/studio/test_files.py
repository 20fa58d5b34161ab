"""The studio's files by themselves: what they ask of the server exists, and nothing in them makes markup of text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tensemem import drawing
from tensemem.adapters.studio import FOLDER
from tensemem.drawing.marks import MARKS
from tensemem.wire import SERVED

SCRIPTS = sorted(FOLDER.rglob("*.js"))
PAGE = (FOLDER / "index.html").read_text(encoding="utf-8")

UNSAFE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|javascript:|"
    r"setHTMLUnsafe|createContextualFragment|\.cssText|setAttribute\(\"style\"|setTimeout\(\s*[\"'`]"
)
ASKS = re.compile(r"\b(read|readDrawing|write|follow|foresee)\(\s*(?:fact,\s*)?\"(\w+)\"")
ELSEWHERE = re.compile(r"(?:https?:)?//[a-z0-9]", re.IGNORECASE)
NAMESPACE = "http://www.w3.org/2000/svg"


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_no_script_makes_markup_or_code_of_text(path: Path) -> None:
    assert UNSAFE.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", [path for path in FOLDER.rglob("*") if path.is_file()], ids=name_of)
def test_no_file_names_another_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(NAMESPACE, "")
    text = re.sub(r"^\s*(?://|\*|/\*).*$", "", text, flags=re.MULTILINE)
    assert ELSEWHERE.findall(text) == []


def test_the_page_has_a_policy_and_nothing_inline() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', PAGE)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
    assert "unsafe" not in policy[1]
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=", PAGE) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_every_module_that_is_imported_is_there(path: Path) -> None:
    for target in re.findall(r"(?:from|import)\s*\(?\s*\"(\.[^\"]+)\"", path.read_text(encoding="utf-8")):
        assert (path.parent / target).resolve().is_file(), target


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_what_is_imported_is_used_and_exported(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for names, target in re.findall(r"^import \{([^}]+)\} from \"([^\"]+)\"", text, re.MULTILINE):
        source = (path.parent / target).read_text(encoding="utf-8")
        for name in (part.strip() for part in names.split(",")):
            assert len(re.findall(rf"\b{re.escape(name)}\b", text)) > 1, f"{name} is not used"
            export = rf"export (?:async )?(?:function|const|class) {re.escape(name)}\b"
            assert re.search(export, source), f"{name} is not exported"


def test_every_verb_that_is_asked_is_served_in_that_way() -> None:
    asked = {
        (kind, verb)
        for path in SCRIPTS
        for kind, verb in ASKS.findall(path.read_text(encoding="utf-8"))
    }
    assert len(asked) > 20
    for kind, verb in asked:
        wanted = "POST" if kind in ("write", "foresee") else "GET"
        assert SERVED[verb].method == wanted, verb


def test_every_file_the_page_names_is_there() -> None:
    names = re.findall(r'(?:href|src)="([^"#]+)"', PAGE)
    assert len(names) > 6
    assert [name for name in names if not (FOLDER / name).is_file()] == []


def test_the_style_of_drawings_is_the_one_they_are_drawn_for() -> None:
    assert (FOLDER / "style" / "timeline.css").read_text(encoding="utf-8") == drawing.style()


def test_statuses_have_the_signs_and_meanings_they_have_in_drawings() -> None:
    table = re.search(r"^export const STATUS = \{\n(.*?)^\};", (FOLDER / "words.js").read_text("utf-8"), re.M | re.S)
    assert table is not None
    told = {name: (path, meaning) for name, path, meaning in re.findall(r'(\w+): \["([^"]+)", "([^"]+)"\],', table[1])}
    assert told == {status.value: (mark.path, mark.meaning) for status, mark in MARKS.items()}
    assert len({path for path, _ in told.values()}) == len(told), "each has a sign of its own"

"""What the pages show is what happens: every block is run, and prints what stands behind it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.pages import PROJECT, Block, all_pages, blocks_of, commands_of, matches
from tests.docs.running import Difference, run_page

EXAMPLES = sorted((PROJECT / "examples").glob("*.py"))


def _run_in(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(folder)
    module = ModuleType(f"page_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    try:
        return run_page(page, vars(module))
    finally:
        for name in set(sys.modules) - before:  # what a page wrote as a module is another page's no more
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: str(page.relative_to(PROJECT)))
def test_a_page_shows_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _run_in(page, tmp_path, monkeypatch)


def test_most_pages_have_something_to_run() -> None:
    runnable = [page for page in all_pages() if any(b.language in ("python", "console") for b in blocks_of(page))]
    assert len(runnable) > 15


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_in_an_empty_folder(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(PROJECT / "src"))  # for processes that an example starts
    code = compile(example.read_text(encoding="utf-8"), str(example), "exec", dont_inherit=True)
    module = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    exec(code, vars(module))
    assert capfd.readouterr().out.strip()


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(1)\n```\n",
        "```python\nprint(1)\n```\n\n```text\n2\n```\n",
        "```python\nx = 1\n```\n\n```text\n1\n```\n",
        "```python\n1 / 0\n```\n",
        "```console\n$ tensemem --version\nanother, version 9\n```\n",
    ],
    ids=["output not shown", "other output", "output that is not there", "an error", "other output of a command"],
)
def test_a_page_that_lies_is_found_out(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PROJECT / "docs" / "made-up.md"
    monkeypatch.setattr(Path, "read_text", lambda self, encoding: text)
    with pytest.raises(Difference):
        _run_in(page, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("expected", "printed", "is_same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\nb", "a\nc\n", False),
        ("a … c", "a bb c", True),
        ("a … c", "a bb\nc", False),
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("a\n…\nd", "a\nd", True),
        ("…\nd", "a\nb\nd", True),
        ("a\n…", "a", True),
        ("a\n…", "b\na", False),
        ("…", "", True),
        ("…", "a\nb", True),
        ("a.c", "abc", False),
    ],
)
def test_dots_stand_for_what_varies(expected: str, printed: str, is_same: bool) -> None:
    assert matches(expected, printed) is is_same


def test_commands_are_parted_from_what_they_print() -> None:
    block = Block(PROJECT / "README.md", "console", "$ one\na\nb\n$ two\n", 1)
    assert commands_of(block) == [("one", "a\nb"), ("two", "")]

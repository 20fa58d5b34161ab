"""What is true of every file: short, finished, described, and silent about the machine it was written on."""

from __future__ import annotations

import inspect
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import tensemem

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = PROJECT / "src"
MAX_LINES = 450

# Put together so that this file does not match its own rules.
UNFINISHED = {
    "unfinished work": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b"),
    "a method that is not there": re.compile("NotImplemented" + "Error"),
    "an ignore that does not name its reason": re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*noqa(?!:)"),
}
TELLTALE = {
    "a path of one machine": re.compile(
        r"(?<![\w.}/~-])(?:/(?:work|tmp)(?![\w-])|/(?:root)/|/(?:home|Users)/\w|[A-Za-z]:\\+Users\\)"
    ),
    "a package registry's address": re.compile(r"\b(?:pypi|npmjs|pythonhosted)\.(?:org|com)\b"),
}
NOT_OURS = frozenset({".git", "build", "dist", "node_modules", "__pycache__"})


def test_no_source_file_is_long() -> None:
    assert long_files(SOURCE) == []


def test_nothing_in_the_source_is_unfinished() -> None:
    assert matches(UNFINISHED, text_files(SOURCE)) == []


def test_no_file_tells_where_it_was_written() -> None:
    assert matches(TELLTALE, project_files()) == []


def test_every_public_name_exists_and_has_a_docstring() -> None:
    assert undescribed(tensemem) == []


def test_a_long_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text("x = 1\n" * MAX_LINES, encoding="utf-8")
    (tmp_path / "long.sql").write_text("--\n" * (MAX_LINES + 1), encoding="utf-8")
    assert long_files(tmp_path) == [f"long.sql: {MAX_LINES + 1} lines"]


@pytest.mark.parametrize(
    "line",
    [
        "# TO" + "DO later",
        "x = 1  # FIX" + "ME",
        "raise NotImplemented" + "Error",
        "x = y  # type" + ": ignore",
        "x = y  # no" + "qa",
    ],
)
def test_unfinished_work_is_reported(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(f"x = 1\n{line}\n", encoding="utf-8")
    assert [fault.partition(": ")[0] for fault in matches(UNFINISHED, text_files(tmp_path))] == ["a.py:2"]


@pytest.mark.parametrize(
    "line", ["todo = add('todo')", "x = y  # type" + ": ignore[arg-type]", "x = y  # no" + "qa: E501"]
)
def test_finished_work_is_fine(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(line, encoding="utf-8")
    assert matches(UNFINISHED, text_files(tmp_path)) == []


@pytest.mark.parametrize(
    "place",
    [
        "/wo" + "rk/main",
        "'/tm" + "p'",
        "/ro" + "ot/x",
        "/ho" + "me/ann/x",
        "C:\\Us" + "ers\\Ann",
        "https://pyp" + "i.org/x",
    ],
)
def test_a_path_of_one_machine_is_reported(tmp_path: Path, place: str) -> None:
    (tmp_path / "a.md").write_text(f"see {place}\n", encoding="utf-8")
    assert len(matches(TELLTALE, text_files(tmp_path))) == 1


@pytest.mark.parametrize(
    "words", ["home/work/school", "tmp_path / 'a'", "./tmp", "https://example.org/work", "a/tmp"]
)
def test_an_ordinary_path_is_fine(tmp_path: Path, words: str) -> None:
    (tmp_path / "a.md").write_text(words, encoding="utf-8")
    assert matches(TELLTALE, text_files(tmp_path)) == []


def test_a_name_without_a_docstring_is_reported() -> None:
    class Bare:
        pass

    @dataclass
    class Generated:
        x: int

    def described() -> None:
        """Says something."""

    module = ModuleType("example")
    vars(module).update(Bare=Bare, Generated=Generated, described=described, LIMIT=3)
    vars(module)["__all__"] = ["Bare", "Generated", "described", "LIMIT", "absent"]
    assert undescribed(module) == ["Bare", "Generated", "absent"]


def long_files(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}: {count} lines"
        for path, text in text_files(root)
        # a table of data is as long as it is
        if (count := len(text.splitlines())) > MAX_LINES and path.suffix != ".toml"
    ]


def matches(rules: dict[str, re.Pattern[str]], files: Iterator[tuple[Path, str]]) -> list[str]:
    """Every line that matches one of the rules, as its place and what was found."""
    return [
        f"{path.name}:{number}: {what}: {line.strip()}"
        for path, text in files
        for number, line in enumerate(text.splitlines(), start=1)
        for what, pattern in rules.items()
        if pattern.search(line)
    ]


def undescribed(module: ModuleType) -> list[str]:
    """Which names of the module's `__all__` are absent or lack a docstring of their own."""
    return [name for name in module.__all__ if not is_described(name, getattr(module, name, None))]


def is_described(name: str, thing: object) -> bool:
    if thing is None:
        return False
    if not (inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing)):
        return True
    text = thing.__doc__ or ""
    is_generated = text.startswith(f"{name}(")  # what a dataclass writes when nobody did
    return bool(text.strip()) and not is_generated


def project_files() -> Iterator[tuple[Path, str]]:
    """The project's text files: those git knows or would add; without git, all that lie here."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=PROJECT, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        listing = ""
    paths = sorted({PROJECT / name for name in listing.split("\0") if name})
    if PROJECT / "pyproject.toml" not in paths:  # no repository, or that of an outer folder
        return text_files(PROJECT)
    return readable(path for path in paths if path.is_file())


def text_files(root: Path) -> Iterator[tuple[Path, str]]:
    return readable(walk(root))


def walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_file():
            yield path
        elif path.is_dir() and path.name not in NOT_OURS and not (path / "pyvenv.cfg").exists():
            is_cache = path.name.startswith(".") and path.name.endswith(("_cache", "hypothesis"))
            if not is_cache:
                yield from walk(path)


def readable(paths: Iterator[Path]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not text

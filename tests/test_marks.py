"""What is about files says so, before `make test-stores` runs it on stores that are none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ON_ALL_STORES = ("engine", "verbs", "cases", "guards")
ABOUT_FILES = frozenset({"restore"})


def test_whoever_puts_a_file_in_place_of_another_is_marked() -> None:
    files = sorted(path for folder in ON_ALL_STORES for path in (TESTS / folder).rglob("test_*.py"))
    assert len(files) > 50
    assert [f"{path.name}: {name}" for path in files for name in unmarked(path.read_text(encoding="utf-8"))] == []


RESTORES = "def test_it(path):\n    Memory.restore('copy.db', path)\n"
MARK = "@pytest.mark.of_files\n"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (RESTORES, ["test_it"]),
        (MARK + RESTORES, []),
        ("pytestmark = pytest.mark.of_files\n\n" + RESTORES, []),
        ("@pytest.mark.slow\n" + RESTORES, ["test_it"]),
        ("def test_it(mem):\n    mem.backup('copy.db')\n", []),
    ],
)
def test_who_lacks_the_mark_is_reported(code: str, found: list[str]) -> None:
    assert list(unmarked(code)) == found


def unmarked(code: str) -> Iterator[str]:
    """Name the tests of a module that are about files, and are not marked as such, nor is the module."""
    module = ast.parse(code)
    if any(is_mark(node.value) for node in module.body if isinstance(node, ast.Assign)):
        return
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not any(map(is_mark, node.decorator_list)):
            called = {each.func.attr for each in ast.walk(node) if is_call_of_attribute(each)}  # type: ignore[attr-defined]
            if called & ABOUT_FILES:
                yield node.name


def is_mark(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "of_files" for each in ast.walk(node))


def is_call_of_attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)

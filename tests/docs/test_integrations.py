"""Each integration has an example that is tested as it stands, and a page that shows it whole."""

from __future__ import annotations

import pytest

from tests.docs.pages import DOCS, PROJECT, blocks_of

EXAMPLES = sorted((PROJECT / "examples" / "integrations").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_page_shows_the_example_as_it_is(example) -> None:
    page = DOCS / "how-to" / f"use-with-{example.stem.replace('_', '-')}.md"
    shown = [block.text.strip() for block in blocks_of(page) if block.language == "py"]
    assert example.read_text(encoding="utf-8").strip() in shown


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_test_runs_the_example(example) -> None:
    tests = (PROJECT / "tests" / "adapters").rglob("test_*.py")
    assert any(f'"{example.stem}.py"' in path.read_text(encoding="utf-8") for path in tests)

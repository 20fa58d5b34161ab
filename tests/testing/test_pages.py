"""What the pages say about testing: the tests they show run under the plugin, the signatures are those there are."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tensemem import testing
from tensemem.testing import clock, marking
from tests.docs.pages import DOCS, Block, blocks_of
from tests.docs.signatures import signature_text
from tests.docs.test_coverage import names_in, section, signature_in
from tests.testing.test_plugin import LOADED

pytest_plugins = ["pytester"]

PAGE = DOCS / "how-to" / "test-your-agent.md"
FILES = {block.file_name: block for block in blocks_of(PAGE) if block.file_name is not None}


def shown(pytester: pytest.Pytester, block: Block, *options: str) -> pytest.RunResult:
    path = pytester.path / str(block.file_name)
    path.write_text(block.text, encoding="utf-8")
    return pytester.runpytest_inprocess(*LOADED, "-W", "error", "-p", "no:cacheprovider", *options, path)


def test_the_page_s_test_passes(pytester: pytest.Pytester) -> None:
    shown(pytester, FILES["test_moving.py"]).assert_outcomes(passed=1)


def test_the_page_s_failure_reads_as_the_page_says(pytester: pytest.Pytester) -> None:
    block = FILES["test_asking.py"]
    assert block.output
    result = shown(pytester, block)
    result.assert_outcomes(failed=1)
    told = [line.removeprefix("E").strip() for line in result.outlines if line.startswith("E ")]
    assert told == [line.strip() for line in block.output.splitlines()]


def test_the_page_s_cassette_is_recorded_and_replayed(pytester: pytest.Pytester) -> None:
    block = FILES["test_recorded.py"]
    shown(pytester, block).assert_outcomes(errors=1)
    pytester.makeconftest(
        "import pytest\nfrom tensemem import FakeExtractor\n\n"
        "@pytest.fixture\ndef tensemem_llm():\n    return FakeExtractor()\n"
    )
    shown(pytester, block, "--tensemem-record", "mine").assert_outcomes(passed=1)
    (pytester.path / "conftest.py").unlink()
    shown(pytester, block).assert_outcomes(passed=1)


@pytest.mark.parametrize("name", ["FrozenClock", "assert_state", "assert_history"])
def test_a_signature_on_the_page_is_the_one_there_is(name: str) -> None:
    assert signature_in(section("testing", name)) == signature_text(name, getattr(testing, name))


def test_the_signatures_of_the_cassette_are_those_there_are() -> None:
    text = (DOCS / "reference" / "cassette-format.md").read_text(encoding="utf-8")
    for name in ("RecordingExtractor", "ReplayExtractor"):
        assert signature_text(name, getattr(testing, name)) in text


def test_every_argument_of_the_marker_is_on_the_page() -> None:
    text = (DOCS / "reference" / "testing.md").read_text(encoding="utf-8")
    part = text.partition("## Marker")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)`", part, re.MULTILINE)
    assert rows == [field.name for field in dataclasses.fields(marking.Wanted)]
    assert clock.DEFAULT_NOW in part
    assert {*testing.__all__, "memory", "async_memory", "memory_clock", "tensemem_llm"} <= names_in(text)

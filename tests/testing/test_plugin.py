"""The pytest plugin, as tests of people who use it meet it."""

from __future__ import annotations

import json
import os
import tomllib
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion.rewrite import AssertionRewriter

import tensemem
from tensemem import Operation
from tensemem.extract.cassette import RecordingExtractor
from tensemem.ports import ExtractionRequest, RequestMessage
from tensemem.testing import plugin
from tests.store.children import run_child

pytest_plugins = ["pytester"]

IS_INSTALLED = any(point.name == "tensemem" for point in entry_points(group="pytest11"))
IS_LOADED = IS_INSTALLED and not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
LOADED = [] if IS_LOADED else ["-p", "tensemem.testing.plugin"]
"""Registered twice, under two names, it would be refused."""

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run tests written to a file, with warnings as errors."""

    def written(code: str, *options: str, **outcomes: int) -> pytest.RunResult:
        path = pytester.makepyfile(test_agent=f"import pytest\nfrom tensemem import Operation\n{code}")
        with warnings.catch_warnings():
            result = pytester.runpytest_inprocess(
                *LOADED, "-W", "error", "-p", "no:cacheprovider", "--strict-markers", *options, path
            )
        result.assert_outcomes(**outcomes)
        return result

    return written


def test_a_memory_is_ready(run: Run) -> None:
    run(
        """
@pytest.mark.tensemem(
    predicates={"lives_in": "one", "languages": {"cardinality": "many"}},
    script={"off to Goa": [Operation("set", "lives_in", "Goa")]},
    now="2026-05-20T12:00:00Z",
)
def test_it(memory, memory_clock, assert_state, assert_history):
    memory.set("u1", "lives_in", "Delhi")
    assert memory_clock.advance("1d").isoformat() == "2026-05-21T12:00:00+00:00"
    memory.add("u1", "off to Goa")
    assert memory.get("u1", "lives_in") == "Delhi"
    assert_state(memory, "u1", {"lives_in": "Goa"})
    assert_history(memory, "u1", "lives_in", [("Delhi", "2026-05-20", "2026-05-21"), ("Goa", "2026-05-21", None)])

def test_another_is_empty(memory):
    assert memory.predicates() == ()
    memory.register_predicate("lives_in")
    memory.add("u1", "I live in Delhi", said_at="2025-12-31")
    memory.flush()
    assert memory.get("u1", "lives_in") == "Delhi"
""",
        passed=2,
    )


def test_a_schema_a_class_and_a_worker(run: Run, pytester: pytest.Pytester) -> None:
    pytest.importorskip("pydantic")
    run(
        """
from pydantic import BaseModel

class Profile(BaseModel):
    lives_in: str | None = None
    languages: list[str] = []

@pytest.mark.tensemem(schema=Profile, now="2026-05-20")
class TestAgent:
    @pytest.mark.tensemem(worker=True, now="2026-05-21")
    def test_the_closest_argument_counts(self, memory, memory_clock):
        assert memory_clock().day == 21
        memory.add("u1", "I write Go", wait=True)
        assert memory.get("u1", "languages") == ("Go",)

    def test_the_class_counts_for_the_rest(self, memory, memory_clock):
        assert memory_clock().day == 20
        assert memory.add("u1", "I write Go", wait=True).settled is False
""",
        passed=2,
    )


def test_an_awaited_memory_needs_no_plugin_for_asyncio(run: Run) -> None:
    run(
        """
import asyncio

@pytest.mark.tensemem(predicates=["lives_in"])
def test_it(async_memory, assert_state):
    async def talk():
        await async_memory.add("u1", "I live in Delhi")
        await async_memory.flush()
        return await async_memory.get("u1", "lives_in")

    assert asyncio.run(talk()) == "Delhi"
    assert_state(async_memory, "u1", {"lives_in": "Delhi"})

def test_it_may_go_unused(async_memory):
    pass
""",
        passed=2,
    )


def test_a_failure_says_why_and_shows_no_line_of_ours(run: Run) -> None:
    result = run(
        """
@pytest.mark.tensemem(predicates=["lives_in"])
def test_it(memory, assert_state):
    memory.add("u1", "Do I live in Goa?")
    assert_state(memory, "u1", {"lives_in": "Goa"})
""",
        failed=1,
    )
    result.stdout.fnmatch_lines(
        [
            ">*assert_state(memory, *",
            "E*AssertionError: the state of u1 at 2026-01-01T12:00:00Z is not as wanted:",
            "E*lives_in",
            "E*wanted  'Goa'",
            "E*got     nothing",
            "E*message 1: set lives_in 'Goa' from * was refused (question)",
        ]
    )
    assert "asserting.py" not in result.stdout.str()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("{}", "its arguments are named, as in script={...}"),
        ("colour='red'", "it has no argument 'colour'; there are schema, predicates, script, now, cassette, worker"),
        ("now='soon'", "now: 'soon'"),
        ("script=3", "a script is a mapping"),
        ("script={'a': 3}", "a script has a list of operations"),
        ("script={}, cassette='x'", "a script and a cassette both answer for the model; give one of them"),
        ("cassette=3", "cassette must be a path, not 3"),
        ("cassette='none.jsonl'", "there is no cassette *none.jsonl; record one with"),
        ("schema=3", ""),
        ("predicates='lives_in'", "predicates must be a list of names or a mapping"),
        ("predicates={'lives_in': 3}", "predicates: lives_in must be 'one', 'many' or a mapping"),
        ("predicates={'lives_in': 'some'}", ""),
        ("worker=3", "worker must be True or False"),
    ],
)
@pytest.mark.parametrize("fixture", ["memory", "async_memory"])
def test_a_marker_that_is_wrong_is_told_in_a_line(arguments: str, complaint: str, fixture: str, run: Run) -> None:
    result = run(f"@pytest.mark.tensemem({arguments})\ndef test_it({fixture}):\n    pass\n", errors=1)
    result.stdout.fnmatch_lines([f"@pytest.mark.tensemem: *{complaint}*"])
    assert "Traceback" not in result.stdout.str()
    assert "marking.py" not in result.stdout.str()


TALK = """
@pytest.mark.tensemem(predicates=["lives_in"], cassette="talk.jsonl")
def test_it(memory, assert_state):
    memory.add("u1", "Home is Goa now")
    assert_state(memory, "u1", {"lives_in": "Goa"})

@pytest.mark.tensemem(predicates=["lives_in"], cassette="talk.jsonl")
def test_the_same(memory, assert_state):
    memory.add("u1", "Home is Goa now")
    assert_state(memory, "u1", {"lives_in": "Goa"})
"""
OWN = """
import pytest
from tensemem import Operation

@pytest.fixture
def tensemem_llm(tensemem_llm):
    assert tensemem_llm == "mine"
    return lambda request: [Operation("set", "lives_in", "Goa", quote="Home is Goa", message=0)]
"""


def kept(path: Path, *texts: str) -> None:
    recording: Any = RecordingExtractor(lambda request: [Operation("set", "lives_in", "Goa", quote="Goa")], path)
    for text in texts:
        recording.extract(ExtractionRequest((RequestMessage(text, "user", datetime(2026, 1, 1, tzinfo=UTC)),)))


def test_a_cassette_is_replayed_from_beside_the_test(run: Run, pytester: pytest.Pytester) -> None:
    kept(pytester.path / "talk.jsonl", "Home is Goa now")
    pytester.mkdir("elsewhere")
    run(TALK, passed=2)


def test_it_is_recorded_when_a_model_is_named_and_replayed_after(run: Run, pytester: pytest.Pytester) -> None:
    path = pytester.path / "talk.jsonl"
    kept(path, "something old")
    pytester.makeconftest(OWN)
    run(TALK, "--tensemem-record", "mine", passed=2)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["messages"][0]["content"] for line in lines] == ["Home is Goa now"] * 2
    (pytester.path / "conftest.py").unlink()
    run(TALK, passed=2)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_a_model_is_recorded_by_its_name(run: Run, pytester: pytest.Pytester) -> None:
    kept(pytester.path / "talk.jsonl", "something old")
    result = run(TALK, "--tensemem-record=opnai:gpt", errors=2)
    assert "something old" in (pytester.path / "talk.jsonl").read_text(encoding="utf-8")
    result.stdout.fnmatch_lines(["*@pytest.mark.tensemem: no provider is named 'opnai'*"])
    run(TALK.replace("Home is", "I live in").replace(" now", ""), "--tensemem-record=offline", failed=2)
    assert "something old" not in (pytester.path / "talk.jsonl").read_text(encoding="utf-8")


def test_a_message_the_cassette_does_not_know_fails_the_test_that_did_not_look(
    run: Run, pytester: pytest.Pytester
) -> None:
    kept(pytester.path / "talk.jsonl", "Home is Goa now")
    result = run(
        """
@pytest.mark.tensemem(predicates=["lives_in"], cassette="talk.jsonl")
def test_it(memory):
    memory.add("u1", "Home is Pune now")
    memory.flush()
""",
        passed=1,
        errors=1,
    )
    result.stdout.fnmatch_lines(["the cassette *talk.jsonl has no answer to the message 'Home is Pune now'; record*"])


def test_it_runs_in_several_processes_but_does_not_record_there(
    pytester: pytest.Pytester, pytestconfig: pytest.Config
) -> None:
    if not pytestconfig.pluginmanager.has_plugin("xdist"):
        pytest.skip("pytest-xdist is not loaded")
    kept(pytester.path / "talk.jsonl", "Home is Goa now")
    pytester.makefile(".py", test_agent=f"import pytest\n{TALK}")
    done = pytester.runpytest_inprocess(*LOADED, "-n", "2", "-p", "no:cacheprovider", "-W", "error")
    done.assert_outcomes(passed=2)
    refused = pytester.runpytest_inprocess(*LOADED, "-n", "2", "--tensemem-record=offline")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*--tensemem-record writes each cassette from one process: leave out -n"])


def test_who_does_not_use_it_is_left_alone(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import pytest\n\n@pytest.fixture\ndef memory():\n    return 3\n")
    run("def test_it(memory):\n    assert memory == 3\n", passed=1)
    result = pytester.runpytest_inprocess(*LOADED, "--fixtures")
    result.stdout.fnmatch_lines(["memory_clock *", "*The clock of the memory*"])
    result = pytester.runpytest_inprocess(*LOADED, "--markers")
    result.stdout.fnmatch_lines(["@pytest.mark.tensemem(schema, predicates, script, now, cassette, worker): *"])


def test_loading_the_plugin_loads_no_memory() -> None:
    found = run_child(
        "import sys, pytest\n"
        "before = set(sys.modules)\n"
        "import tensemem.testing.plugin\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    ours = {name for name in found.split() if name.startswith("tensemem")}
    rest = {name for name in ours if not name.startswith("tensemem.model")}
    assert rest == {"tensemem", "tensemem._version", "tensemem.errors", "tensemem.testing", "tensemem.testing.plugin"}
    assert not {"sqlite3", "asyncio"} & set(found.split())


def test_who_imported_the_library_before_pytest_is_not_warned() -> None:
    for module in (tensemem, plugin):
        assert AssertionRewriter.is_rewrite_disabled(module.__doc__ or "")


def test_the_project_names_the_plugin_for_pytest() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"tensemem": "tensemem.testing.plugin"}

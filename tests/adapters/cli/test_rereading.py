"""reextract: the cost first, then the difference, then what was told is written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tensemem import FakeExtractor
from tensemem.extract.cassette import RecordingExtractor
from tensemem.ports import ExtractionRequest, RequestMessage


@pytest.fixture
def said(cli: Any, tmp_path: Any) -> Any:
    """A user whose second message the first reader did not understand."""
    (tmp_path / "readers.py").write_text(
        "from tensemem import FakeExtractor, Operation\n"
        "from tensemem.errors import ExtractorError, ExtractorUnavailable\n"
        "def deaf(request):\n    return []\n"
        "def hostile(request):\n    raise ExtractorError('gibberish')\n"
        "def away(request):\n    raise ExtractorUnavailable('no network')\n",
        encoding="utf-8",
    )
    cli.ok("register", "lives_in")
    cli.ok("set", "alice", "lives_in", "Pune", "--said-at", "2026-01-01")
    cli.ok("add", "alice", "I live in Delhi", "--llm", "readers:deaf")
    return cli


def test_the_difference_is_told_and_nothing_written(said: Any) -> None:
    ran = said.ok("reextract", "alice", "--llm", "fake", "--yes")
    assert "lives_in: Pune → Delhi" in ran.out
    assert "--apply" in ran.out
    assert "1 message in at most 1 request" in ran.err
    assert said.ok("get", "alice", "lives_in").out.strip() == "Pune"


def test_what_was_told_is_written_on_purpose(said: Any) -> None:
    ran = said.ok("reextract", "alice", "--llm", "fake", "--yes", "--apply")
    assert ran.out.splitlines()[-1] == "written"
    assert said.ok("get", "alice", "lives_in").out.strip() == "Delhi"
    assert said.ok("verify").code == 0


def test_without_a_person_to_ask_it_has_to_be_said_that_it_may_cost(said: Any) -> None:
    ran = said("reextract", "alice", "--llm", "fake")
    assert ran.code == 2
    assert "--yes" in ran.err
    assert said("reextract", "alice", "--llm", "fake", "--json").code == 2


def test_recorded_answers_are_an_extractor_like_any_other(said: Any, tmp_path: Any) -> None:
    path = tmp_path / "talk.jsonl"
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    request = ExtractionRequest((RequestMessage("I live in Delhi", "user", moment),))
    RecordingExtractor(FakeExtractor(), path).extract(request)
    ran = said.ok("reextract", "alice", "--llm", f"cassette:{path}", "--yes")
    assert "lives_in: Pune → Delhi" in ran.out
    ran = said("flush", "--llm", "cassette:")
    assert (ran.code, "name a file: 'cassette:PATH'" in ran.err) == (2, True)
    ran = said("flush", "--llm", "cassette:none.jsonl")
    assert (ran.code, "there is no cassette" in ran.err) == (4, True)


def test_where_there_is_nothing_to_ask_nobody_is_asked(said: Any) -> None:
    ran = said.ok("reextract", "alice", "--llm", "fake", "--from-seq", "9", "--json")
    assert ran.json["planned"] == {"messages": 0, "requests": 0, "tokens": 0}
    assert ran.json["seqs"] == []


def test_json_tells_all_of_it(said: Any) -> None:
    told = said.ok("reextract", "alice", "--llm", "fake", "--yes", "--json").json
    assert told["changed"][0][1]["value"] == "Delhi"
    assert (told["applied"], told["seqs"], told["failed_seqs"]) == (False, [2], [])
    assert told["planned"]["messages"] == 1


def test_bad_answers_are_counted(said: Any) -> None:
    ran = said.ok("reextract", "alice", "--llm", "readers:hostile", "--yes", "--apply")
    assert "bad answers: 1 message" in ran.out
    assert said.ok("get", "alice", "lives_in").out.strip() == "Pune"


def test_a_provider_that_is_away_is_a_failure_of_its_own(said: Any) -> None:
    ran = said("reextract", "alice", "--llm", "readers:away", "--yes")
    assert ran.code == 4
    assert "no network" in ran.err


def test_it_needs_a_reader_and_a_memory(cli: Any) -> None:
    assert cli("reextract", "alice").code == 2
    assert cli("reextract", "alice", "--llm", "fake", "--yes").code == 3

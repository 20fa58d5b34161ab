"""Taking a part out of a memory on the command line: what it asks, what it tells, and how it ends."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.adapters.cli.conftest import Cli

PARTS = (
    (("forget", "alice", "--predicate", "lives_in"), "alice", "predicate lives_in from every agent's memory of alice"),
    (("forget", "alice", "--subject", "user", "--agent", "x"), "alice", "the memory that agent 'x' has"),
    (("erase", "alice", "1"), "alice", "episode 1 of alice"),
    (("purge", "2100-01-01"), "2100-01-01", "all messages said before 2100-01-01"),
)


@pytest.fixture
def said(cli: Cli) -> Cli:
    cli.ok("register", "lives_in")
    cli.ok("set", "alice", "lives_in", "Pune")
    cli.ok("add", "alice", "Pune is warm", "--llm", "false")
    return cli


def test_a_value_goes_and_it_is_told_where_the_words_still_stand(said: Cli) -> None:
    ran = said.ok("forget", "alice", "--fact", said.ids()[0], "--yes")
    assert ran.out.startswith("removed from 1 episode: 1 claim, 1 fact, ")
    assert "the words still stand in 2; 'tensemem erase alice SEQ' removes one" in ran.out
    assert "nothing known" in said.ok("state", "alice").out
    assert said.ok("erase", "alice", "2", "--yes", "--json").json["episodes"] == 1
    assert said.ok("messages", "alice").out == "nothing was said here\n"


def test_purged_messages_say_so(said: Cli) -> None:
    assert said.ok("purge", "2100-01-01", "--user", "alice", "--yes").out.startswith("purged the texts of 1 message")
    assert "purged" in said.ok("messages", "alice").out
    assert said.ok("purge", "2100-01-01", "--yes").out == "there is no text to purge\n"
    assert said.ok("get", "alice", "lives_in").out == "Pune\n"


def test_what_is_not_there_ends_with_1(said: Cli) -> None:
    assert said("forget", "alice", "--predicate", "languages", "--yes").code == 1
    said.ok("erase", "alice", "1", "--yes")
    assert said("erase", "alice", "1", "--yes").code == 1
    assert said("erase", "alice", "99", "--yes").code == 3
    assert said("forget", "alice", "--fact", "x", "--predicate", "y", "--yes").code == 3


@pytest.mark.parametrize(("line", "typed", "told"), PARTS, ids=str)
def test_a_person_is_asked_to_type_what_is_meant(
    said: Cli, monkeypatch: pytest.MonkeyPatch, line: tuple[str, ...], typed: str, told: str
) -> None:
    before = said.ok("scopes", "--json").out
    assert said(*line).code == 2  # nobody can be asked
    monkeypatch.setattr("tensemem.adapters.cli.forgetting.is_terminal", lambda stream: stream is sys.stdin)
    ran = said(*line, input="something else\n")
    assert ran.code == 2
    assert told in ran.err
    assert "nothing was removed" in ran.err
    assert said.ok("scopes", "--json").out == before
    done: Any = said(*line, input=f"{typed}\n")
    assert done.code == (1 if "x" in line else 0)

"""Numbers and durations are told as people say them, and what could not be read says what could."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tensemem.adapters.cli.text import counted, duration_words


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (timedelta(days=90), "90 days"), (timedelta(days=1, hours=12), "1 day 12 hours"),
        (timedelta(minutes=1, seconds=45), "1 minute 45 seconds"), (timedelta(microseconds=5), "less than a second"),
    ],
)  # fmt: skip
def test_a_duration_in_words(duration: timedelta, words: str) -> None:
    assert duration_words(duration) == words


@pytest.mark.parametrize(
    ("thing", "several"),
    [("entry", "entries"), ("key", "keys"), ("day", "days"), ("query", "queries"), ("fact", "facts")],
)
def test_more_than_one(thing: str, several: str) -> None:
    assert counted(1, thing) == f"1 {thing}"
    assert counted(2, thing) == f"2 {several}"


@pytest.mark.parametrize("text", ["yesterday", "90", "soon"])
def test_when_a_key_ends_must_be_a_duration_or_a_moment(cli: Any, text: str) -> None:
    ran = cli("keys", "mint", "--expires", text)
    assert ran.code == 3
    assert "is neither how long from now, such as 90d or 12h, nor a moment to come, such as 2027-01-31" in ran.err


def test_a_revision_or_a_time_that_is_none_says_what_is(seeded: Any) -> None:
    ran = seeded("state", "alice", "--known-at", "abc")
    assert ran.code == 3
    assert "ISO 8601 text such as '2026-03-05'" in ran.err
    assert "A revision, a whole number such as 12, is taken too." in ran.err


def test_one_user_or_all_of_them(cli: Any) -> None:
    ran = cli("mcp", "--user", "a", "--any-user")
    assert ran.code == 2
    assert "--user serves one user and --any-user all of them: give one of the two" in ran.err
    assert "say whose memory it is" in cli("mcp").err

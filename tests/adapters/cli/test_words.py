"""Numbers and durations are told as people say them, and what could not be read says what could."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from tensemem.adapters.cli import program
from tensemem.adapters.cli.text import counted, duration_words
from tensemem.adapters.cli.wording import worded


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


PYTHON = re.compile(r"\b(None|True|False)\b|\w\(|\b\w+=|\b[a-z]+_[a-z_]+\b|\b(str|int|datetime|tuple|dict|callable)\b")
"""What somebody at a command line can do nothing with, outside quotes."""
QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)")
WRONG = (
    (("set", "alice", "lives_in", "Goa", "--since", "2027-01-01"), "for what is to come, use 'tensemem record' with"),
    (("set", "alice", "lives_in", "Goa", "--since", "soon"), "--since: 'soon'"),
    (("retract", "alice", "lives_in", "--since", "2026-02-30"), "--since: '2026-02-30'"),
    (("record", "alice", "lives_in", "Goa", "--valid-from", "2026", "--valid-to", "2025"), "--valid-to lies before"),
    (("set", "alice", "lives_in", "null", "--type-json"), "needs a value"),
    (("set", "alice", "lives_in", "[1]", "--type-json"), "is no text"),
    (("history", "alice", "--between", "2026", "2025"), "--between: the second time lies before the first"),
    (("set", "alice", "age", "old"), "digits such as"),
    (("set", "alice", "age", "true", "--type-json"), "digits such as"),
    (("set", "alice", "is_member", "perhaps"), "neither true nor false"),
    (("set", "alice", "met_at", "5", "--type-json"), "with the hour at least"),
    (("set", "alice", "cty", "Goa"), "register it first: 'tensemem register cty'; 'tensemem predicates' lists"),
    (("set", "alice", "lives_in", "Goa", "--agent", " "), ""),
    (("state", "alice", "--predicate", "cty"), "'tensemem predicates' lists those that are"),
    (("state", "alice", "--known-at", "x"), "Give ISO 8601 text"),
    (("explain", "abc"), "'tensemem state', 'tensemem history' or 'tensemem context'"),
    (("explain", "e5807929ae1f2cf5-9-1-0"), "'tensemem state', 'tensemem history' or 'tensemem context'"),
    (("correct", "e5807929ae1f2cf5-9-1-0"), "'tensemem state', 'tensemem history' or 'tensemem context'"),
    (("answer", "abc", "yes"), "'tensemem questions'"),
    (("register", "lives_in", "--many"), "--update"),
    (("register", "mood", "--min-confidence", "0.5", "--writer", ""), ""),
    (("retain", "--keep-quotes"), "say with --texts"),
    (("retain", "--facts", "cty=1y"), "'tensemem predicates' lists those that are"),
    (("export", "here.txt"), "say --overwrite"),
    (("backup", "here.txt"), "say --overwrite"),
    (("restore", "m.db", "here.db"), "say --force"),
    (("import", "other.jsonl"), "--all-namespaces"),
    (("export", "x.jsonl", "--agent", "a"), "name the --user too"),
    (("import", "-", "--format", "mem0"), ""),
    (("add", "alice", "x" * 1_048_577, "--llm", "false"), "split it"),
    (("add", "alice", "hi", "--llm", "offline"), "'tensemem register --file personal'"),
    (("erase", "alice", "99", "--yes"), ""),
    (("--db", "http://elsewhere.example", "state", "alice"), "use https"),
    (("--db", "https://a@elsewhere.example", "state", "alice"), "$TENSEMEM_TOKEN"),
)


@pytest.mark.parametrize(("arguments", "told"), WRONG, ids=lambda given: " ".join(given)[:40] if given else "")
def test_what_is_refused_is_told_in_words_of_the_command_line(
    seeded: Any, arguments: tuple[str, ...], told: str, tmp_path: Any
) -> None:
    seeded.ok("register", "age", "--type", "number")
    seeded.ok("register", "is_member", "--type", "bool")
    seeded.ok("register", "met_at", "--type", "datetime")
    (tmp_path / "here.txt").write_text("", encoding="utf-8")
    seeded.bare("--db", "here.db", "register", "lives_in")
    seeded.bare("--db", "here.db", "--namespace", "other", "register", "lives_in")
    seeded.bare("--db", "here.db", "--namespace", "other", "export", "other.jsonl")
    ran = seeded(*arguments, input="{")
    last = ran.err.splitlines()[-1]
    assert ran.code in (2, 3, 4), ran
    assert told in last
    names = {"lives_in", "is_member", "met_at"}
    words = {found[0] for found in PYTHON.finditer(QUOTED.sub("", last))}
    assert words - names == set(), last


def test_what_is_quoted_stays_as_somebody_wrote_it() -> None:
    command = program.commands["record"]
    text = "the predicate 'valid_to' is not known: since=... and valid_to are given, 'add() None' is kept"
    assert worded(text, command) == (
        "the predicate 'valid_to' is not known: since=... and --valid-to are given, 'add() None' is kept"
    )
    assert worded("valid_to lies before valid_from") == "valid_to lies before valid_from"  # fields of JSON elsewhere

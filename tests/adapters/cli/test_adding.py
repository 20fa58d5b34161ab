"""Messages come as words, from standard input, a line each or as JSON Lines; and are learnt from, or wait."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SECRET = "ghp" + "_Zk3vQ9xT7mW2cR8yL5nH4bJ6dF1gS0pAeUiK"
"""Looks like a token; it is of nothing."""


@pytest.fixture
def fresh(cli: Any) -> Any:
    """A memory that knows two predicates and nobody yet."""
    cli.ok("register", "lives_in")
    cli.ok("register", "languages", "--many")
    return cli


def test_words_are_joined_by_blanks(fresh: Any) -> None:
    fresh.ok("add", "alice", "I", "live", "in", "Delhi", "--llm", "fake")
    assert fresh.ok("get", "alice", "lives_in").out == "Delhi\n"


def test_a_message_that_nobody_extracts_waits_and_that_is_said(fresh: Any) -> None:
    ran = fresh.ok("add", "alice", "I live in Delhi")
    assert "logged as seq 1, revision 1" in ran.out
    assert "1 message pending (nobody extracts" in ran.err
    assert fresh.ok("add", "alice", "I write Go", "--json").json["freshness"]["pending"] == 2


def test_with_an_extractor_what_changed_is_shown(fresh: Any) -> None:
    ran = fresh.ok("add", "alice", "I live in Delhi", "--llm", "fake", "--said-at", "2026-01-05")
    assert "+  lives_in = Delhi  2026-01-05" in ran.out
    assert ran.err == ""
    told = fresh.ok("add", "alice", "I live in Goa", "--llm", "fake", "--said-at", "2026-01-09", "--json").json
    assert [(change["kind"], change["value"]) for change in told["changes"]] == [("ended", "Delhi"), ("began", "Goa")]
    assert told["freshness"]["is_current"] is True


def test_what_was_not_simply_admitted_is_shown_with_its_reason(fresh: Any, tmp_path: Any) -> None:
    (tmp_path / "guess.py").write_text(
        "from tensemem import Operation\n\n\ndef ask(request):\n"
        "    return [Operation('set', 'lives_in', 'Oslo', quote='I live in Delhi')]\n",
        encoding="utf-8",
    )
    ran = fresh.ok("add", "alice", "I live in Delhi", "--llm", "guess:ask")
    assert "held" in ran.out
    assert "not_in_words" in ran.out


def test_false_keeps_a_message_without_learning_from_it(fresh: Any) -> None:
    ran = fresh.ok("add", "alice", "I live in Delhi", "--llm", "false")
    assert "nothing is learnt from it" in ran.out
    assert ran.err == ""
    assert fresh("get", "alice", "lives_in").code == 1


def test_an_extractor_of_ones_own_may_be_awaited(fresh: Any, tmp_path: Any) -> None:
    (tmp_path / "own.py").write_text(
        "from tensemem import Operation\n\n\nclass Own:\n    name = 'own'\n\n"
        "    async def extract(self, request):\n"
        "        return [Operation('set', 'lives_in', 'Delhi', quote='live in Delhi')]\n\n\nclass models:\n"
        "    one = Own()\n",
        encoding="utf-8",
    )
    fresh.ok("add", "alice", "I live in Delhi", "--llm", "own:models.one")
    assert fresh.ok("get", "alice", "lives_in").out == "Delhi\n"


def test_a_dash_reads_standard_input_as_one_message(fresh: Any) -> None:
    fresh.ok("add", "alice", "-", "--llm", "fake", input="I live in Delhi.\nI write Go.\n")
    assert fresh.ok("state", "alice", "--json").json["values"] == {"lives_in": "Delhi", "languages": ["Go"]}
    assert fresh.ok("stats", "--json").json["episodes"] == 1


def test_standard_input_that_is_not_utf_8_is_refused(fresh: Any) -> None:
    ran = fresh("add", "alice", "-", input=b"I live in M\xfcnchen")
    assert ran.code == 2
    assert "not UTF-8 at byte 11" in ran.err
    assert fresh.ok("scopes", "--json").json["scopes"] == []


def test_each_line_is_a_message_and_blank_ones_are_none(fresh: Any) -> None:
    ran = fresh.ok("add", "alice", "--lines", "--llm", "fake", input="I live in Delhi\n\n  \nI write Go\r\nI write C++")
    assert "3 messages logged, seq 1 to 3" in ran.out
    assert fresh.ok("state", "alice", "--json").json["values"] == {"lives_in": "Delhi", "languages": ["C++", "Go"]}


def test_lines_said_at_a_known_time_are_logged_once(fresh: Any) -> None:
    for known in (0, 2):
        told = fresh.ok("add", "alice", "--lines", "--said-at", "2026-01-05", "--json", input="one\ntwo\n").json
        assert (told["messages"], told["duplicates"], told["last_seq"]) == (2, known, 2)


def test_no_lines_at_all_log_nothing(fresh: Any) -> None:
    assert "no lines" in fresh.ok("add", "alice", "--lines", input="").out
    assert fresh.ok("add", "alice", "--jsonl", "--json", input="\n").json["messages"] == 0


def test_json_lines_say_who_and_when(fresh: Any) -> None:
    lines = [
        {"content": "Where do you live?", "role": "assistant", "said_at": "2026-01-05T09:00:00Z"},
        {"content": "I live in Delhi", "said_at": "2026-01-05T09:01:00Z", "session_id": "s1"},
        {"content": "I live in Goa", "said_at": "2026-01-05T09:02:00Z", "speaker": "guest"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    told = fresh.ok("add", "alice", "--jsonl", "-", "--llm", "fake", "--json", input=text).json
    assert (told["messages"], told["first_seq"], told["last_seq"]) == (3, 1, 3)
    state = fresh.ok("state", "alice", "--json").json
    assert state["values"] == {"lives_in": "Delhi"}
    assert state["facts"][0]["valid_from"] == "2026-01-05T09:01:00+00:00"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{not json}", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('"text"', "JSON object"),
        ('{"role": "user"}', "no 'content'"),
        ('{"content": "x", "user_id": "bob"}', "of the user 'bob', and the command names 'alice'"),
        ('{"content": "x", "user_id": 7}', "'user_id' must be text"),
        ('{"content": "x", "agent_id": []}', "'agent_id' must be text"),
        ('{"content": "x", "when": "now"}', "unknown 'when'"),
    ],
)
def test_a_bad_json_line_is_named_and_what_came_before_is_kept(fresh: Any, line: str, why: str) -> None:
    ran = fresh("add", "alice", "--jsonl", input='{"content": "first"}\n\n' + line + '\n{"content": "last"}\n')
    assert ran.code == 2
    assert "1 message kept; give the lines from the faulty one on" in ran.err.splitlines()[0]
    assert "line 3: " in ran.err.splitlines()[1]
    assert why in ran.err.splitlines()[1]
    assert fresh.ok("stats", "--json").json["episodes"] == 1


def test_json_lines_may_be_of_several_users(fresh: Any, tmp_path: Any) -> None:
    lines = [
        {"user_id": "alice", "content": "I live in Delhi", "said_at": "2026-01-05"},
        {"user_id": "bob", "content": "I live in Rome", "said_at": "2026-01-05"},
        {"user_id": "alice", "content": "I live in Goa", "said_at": "2026-01-06"},
        {"user_id": "bob", "agent_id": "shop", "content": "I live in Oslo", "said_at": "2026-01-05"},
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    ran = fresh.ok("add", "--jsonl", "--file", str(file), "--llm", "fake")
    assert "4 messages logged, of 2 users" in ran.out
    assert "5 changes came of it" in ran.out
    assert fresh.ok("get", "alice", "lives_in").out == "Goa\n"
    assert fresh.ok("get", "bob", "lives_in").out == "Rome\n"
    assert fresh.ok("get", "bob", "lives_in", "--agent", "shop").out == "Oslo\n"
    told = fresh.ok("add", "--jsonl", "--json", "--file", str(file)).json
    assert (told["messages"], told["duplicates"], told["pending"]) == (4, 4, 0)
    assert [(one["user_id"], one["agent_id"], one["messages"], one["last_seq"]) for one in told["users"]] == [
        ("alice", "", 2, 2), ("bob", "", 1, 1), ("bob", "shop", 1, 1)
    ]  # fmt: skip


def test_lines_of_several_users_that_nobody_extracts_wait_and_that_is_said(fresh: Any) -> None:
    text = '{"user_id": "alice", "content": "I live in Delhi"}\n{"user_id": "bob", "content": "I live in Rome"}\n'
    ran = fresh.ok("add", "--jsonl", input=text)
    assert "2 messages logged, of 2 users" in ran.out
    assert "not current: 2 messages pending, 0 failed" in ran.err


def test_a_line_of_nobody_is_refused_where_the_command_names_nobody(fresh: Any) -> None:
    ran = fresh("add", "--jsonl", input='{"user_id": "alice", "content": "one"}\n{"content": "two"}\n')
    assert ran.code == 2
    assert "1 message kept" in ran.err
    assert "line 2: it has no 'user_id', and the command names no user" in ran.err


@pytest.mark.parametrize("arguments", [(), ("--lines",), ("-", "--jsonl"), ("alice", "hello", "--file", "{file}")])
def test_whose_messages_and_where_from_must_be_clear(fresh: Any, tmp_path: Any, arguments: tuple[str, ...]) -> None:
    (tmp_path / "words.txt").write_text("I live in Delhi", encoding="utf-8")
    ran = fresh("add", *(word.format(file=tmp_path / "words.txt") for word in arguments))
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1


def test_a_file_is_read_as_one_message(fresh: Any, tmp_path: Any) -> None:
    (tmp_path / "words.txt").write_text("I live in Delhi.\nI write Go.\n", encoding="utf-8")
    fresh.ok("add", "alice", "--file", str(tmp_path / "words.txt"), "--llm", "fake")
    assert fresh.ok("state", "alice", "--json").json["values"] == {"lives_in": "Delhi", "languages": ["Go"]}


def test_a_line_the_memory_refuses_keeps_the_batches_before_it(fresh: Any) -> None:
    lines = [json.dumps({"content": f"line {number}"}) for number in range(1, 251)]
    lines.append(json.dumps({"content": "x", "role": "king"}))
    ran = fresh("add", "alice", "--jsonl", input="\n".join(lines))
    assert ran.code == 3
    assert "200 messages kept, up to line 200" in ran.err.splitlines()[0]
    assert "role" in ran.err.splitlines()[1]


@pytest.mark.parametrize("form", ["--jsonl", "--lines"])
def test_a_file_that_stands_where_the_user_is_named_is_not_taken_for_one(fresh: Any, tmp_path: Path, form: str) -> None:
    named = tmp_path / "talk.jsonl"
    named.write_text('{"content": "I live in Oslo"}', encoding="utf-8")
    ran = fresh("add", str(named), form, input="I live in Oslo")
    assert (ran.code, f"say --file {named}" in ran.err) == (2, True), ran.err
    assert json.loads(fresh.ok("scopes", "--json").out)["scopes"] == []


def test_a_known_idempotency_key_is_done_once(fresh: Any) -> None:
    first = fresh.ok("add", "alice", "I live in Delhi", "--idempotency-key", "k1", "--json").json
    again = fresh.ok("add", "alice", "I live in Delhi", "--idempotency-key", "k1", "--json").json
    assert (first["duplicate"], again["duplicate"], again["seq"]) == (False, True, first["seq"])
    ran = fresh("add", "alice", "I live in Goa", "--idempotency-key", "k1")
    assert ran.code == 3
    assert "known already" in fresh.ok("add", "alice", "I live in Delhi", "--idempotency-key", "k1").out


def test_a_secret_is_replaced_and_counted(fresh: Any) -> None:
    ran = fresh.ok("add", "alice", f"my key is {SECRET}")
    assert "1 secret replaced before writing" in ran.out
    assert SECRET not in fresh.ok("search", "alice", "key").out


def test_a_preview_writes_nothing(fresh: Any) -> None:
    fresh.ok("add", "alice", "I live in Delhi", "--llm", "fake", "--said-at", "2026-01-05")
    before = fresh.ok("digest", "alice").out
    ran = fresh.ok("preview", "alice", "I live in Goa", "--llm", "fake")
    assert "Delhi → Goa" in ran.out
    operation = '{"op": "add", "predicate": "languages", "value": "Go"}'
    told = fresh.ok("preview", "alice", "--op", operation, "--json").json
    assert [fact["value"] for fact in told["added"]] == ["Go"]
    assert "nothing would change" in fresh.ok("preview", "alice", "Hello there", "--llm", "fake").out
    assert fresh.ok("digest", "alice").out == before
    assert fresh.ok("stats", "--json").json["episodes"] == 1


def test_a_model_is_asked_by_name_and_what_it_needs_is_told(fresh: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = fresh("add", "alice", "I live in Delhi", "--llm", "openai:some-model")
    assert ran.code == 4
    assert "OPENAI_API_KEY" in ran.err or "install the extra `openai`" in ran.err
    ran = fresh("add", "alice", "I live in Delhi", "--llm", "openai:")
    assert ran.code == 2
    assert "model" in ran.err


def test_what_the_offline_extractor_has_no_examples_for_waits_and_says_what_to_do(cli: Any) -> None:
    ran = cli("add", "alice", "I live in Oslo", "--llm", "offline")
    assert ran.code == 4
    assert "no predicate is registered" in ran.err.splitlines()[-1]
    assert cli("worker", "--once", "--llm", "offline").code == 4
    cli.ok("register", "--file", "personal")
    cli.ok("flush", "--llm", "offline")
    assert cli.ok("get", "alice", "lives_in").out == "Oslo\n"

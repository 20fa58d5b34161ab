"""Exit codes tell programs what happened, and one line on standard error tells people."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tensemem import Memory, errors
from tensemem.adapters.cli import program
from tensemem.store.sqlite import SqliteStore


def one_line(ran: Any) -> str:
    lines = ran.err.splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("tensemem: ")
    assert "Traceback" not in ran.err
    return str(lines[0])


def test_get_with_no_value_is_a_no(seeded: Any) -> None:
    seeded.ok("register", "diet")
    ran = seeded("get", "alice", "diet")
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    ran = seeded("get", "alice", "diet", "--json")
    assert (ran.code, ran.json["found"], ran.json["value"]) == (1, False, None)


def test_get_with_a_default_is_an_answer(seeded: Any) -> None:
    seeded.ok("register", "diet")
    ran = seeded("get", "alice", "diet", "--default", "anything")
    assert (ran.code, ran.out) == (0, "anything\n")


def test_search_without_hits_is_a_no(seeded: Any) -> None:
    assert seeded("search", "alice", "Delhi").code == 0
    ran = seeded("search", "alice", "Reykjavik")
    assert (ran.code, ran.out) == (1, "nothing found\n")
    assert seeded("search", "alice", "Reykjavik", "--json").json["hits"] == []


def test_verify_that_finds_a_difference_is_a_no_and_rebuild_repairs_it(seeded: Any) -> None:
    store = SqliteStore(str(seeded.db), durability="process", read_only=False)
    with store.write() as tx:
        (head,) = tx.scopes("default", "", None, 10)
        tx.clear_projection(head.id)
    store.close()
    ran = seeded("verify")
    assert ran.code == 1
    assert ran.out.startswith("not identical: 1 scope")
    assert "alice: differs" in ran.out
    assert seeded("rebuild", "--json").json["identical"] is False
    assert seeded("verify").code == 0


@pytest.mark.parametrize("command", ["state", "get", "history", "context", "search"])
def test_a_stale_answer_is_withheld_where_the_current_one_is_required(seeded: Any, command: str) -> None:
    words = {"get": ["lives_in"], "search": ["Bangalore"]}.get(command, [])
    assert seeded(command, "alice", *words, "--require-current").code == 0
    seeded.ok("add", "alice", "I live in Goa")
    ran = seeded(command, "alice", *words, "--require-current")
    assert (ran.code, ran.out) == (1, "")
    assert "1 message pending" in one_line(ran)
    told = seeded(command, "alice", *words, "--require-current", "--json")
    assert told.code == 1
    assert told.json["stale"] is True
    assert told.json["freshness"]["pending"] == 1
    assert "Bangalore" not in told.out


def test_without_that_a_stale_answer_is_given_and_said_to_be_stale(seeded: Any) -> None:
    seeded.ok("add", "alice", "I live in Goa")
    ran = seeded("get", "alice", "lives_in")
    assert (ran.code, ran.out) == (0, "Bangalore\n")
    assert "nobody extracts" in one_line(ran)


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("set", "alice"),
        ("set", "alice", "lives_in", "Goa", "--colour", "red"),
        ("set", "alice", "lives_in", "-5"),
        ("set", "alice", "lives_in", "{", "--type-json"),
        ("set", "alice", "lives_in", "NaN", "--type-json"),
        ("set", "alice", "lives_in", "[" * 100_000, "--type-json"),
        ("set", "alice", "lives_in", "Goa", "--metadata", "[1]"),
        ("replace-values", "alice", "languages"),
        ("replace-values", "alice", "languages", "Go", "--clear"),
        ("record", "alice", "lives_in", "Goa"),
        ("add", "alice"),
        ("add", "alice", "words", "--lines"),
        ("add", "alice", "--lines", "--idempotency-key", "k"),
        ("add", "alice", "hi", "--role", "king"),
        ("add", "alice", "hi", "--llm", "fake", "--wait", "1"),
        ("preview", "alice"),
        ("preview", "alice", "I live in Goa"),
        ("preview", "alice", "--op", "{}"),
        ("preview", "alice", "--op", "[]"),
        ("register",),
        ("register", "diet", "--file", "x.toml"),
        ("register", "diet", "--kind", "thing"),
        ("register", "diet", "--entity", "--many"),
        ("register", "--file", "x.toml", "--many"),
        ("register", "--file", "x.toml", "--entity"),
        ("register", "diet", "--type", "poem"),
        ("worker",),
        ("worker", "--llm", "false"),
        ("flush", "--llm", "real"),
        ("flush", "--llm", "no_such_module:thing"),
        ("flush", "--llm", "json:no_such_thing"),
        ("flush", "--llm", "cassette:"),
        ("flush", "--llm", "json:__name__"),
        ("flush", "--llm", "tensemem:FakeExtractor"),
        ("state", "alice", "--tz", "Mars/Olympus"),
        ("history", "alice", "--limit", "0"),
        ("state", "alice", "--known-at", "9" * 40),
        ("completion", "tcsh"),
    ],
)
def test_wrong_usage_is_one_line_and_a_two(seeded: Any, arguments: tuple[str, ...]) -> None:
    ran = seeded(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert len(one_line(ran)) < 400


def test_a_value_that_looks_like_an_option_is_told_how_to_stand(seeded: Any) -> None:
    assert "put -- before" in seeded("set", "alice", "lives_in", "-5").err
    seeded.ok("set", "alice", "lives_in", "--", "-5")
    assert seeded.ok("get", "alice", "lives_in").out == "-5\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("set", "alice", "hobby", "chess"),
        ("set", " ", "lives_in", "Goa"),
        ("set", "alice", "lives_in", "Goa", "--since", "someday"),
        ("set", "alice", "lives_in", "Goa", "--said-at", "2031-01-01"),
        ("set", "alice", "lives_in", "Goa", "--expected-rev", "1"),
        ("get", "alice", "hobby"),
        ("explain", "not-an-id"),
        ("correct", "not-an-id"),
        ("decisions", "alice", "99"),
        ("dismiss", "alice", "99"),
        ("register", "lives_in", "--many"),
        ("register", "!!!"),
        ("register", "--file", "no-such-file.toml"),
        ("context", "alice", "--db", "none.db"),
        ("state", "alice", "--db", "postgresql://localhost/x"),
        ("state", "alice", "--db", " "),
    ],
)
def test_what_the_memory_refuses_is_one_line_and_a_three(seeded: Any, arguments: tuple[str, ...]) -> None:
    ran = seeded(*arguments)
    assert (ran.code, ran.out) == (3, "")
    one_line(ran)


def test_what_is_no_memory_is_refused_and_left_as_it_is(cli: Any) -> None:
    cli.db.write_text("dear diary", encoding="utf-8")
    for arguments in (("state", "alice"), ("set", "alice", "lives_in", "Goa")):
        ran = cli(*arguments)
        assert ran.code == 3
        one_line(ran)
    assert cli.db.read_text(encoding="utf-8") == "dear diary"


def test_an_extractor_that_fails_is_a_four_and_the_message_is_kept(seeded: Any, tmp_path: Any) -> None:
    (tmp_path / "broken.py").write_text("def ask(request):\n    raise RuntimeError('no power')\n", encoding="utf-8")
    ran = seeded("add", "alice", "I live in Goa", "--llm", "broken:ask")
    assert ran.code == 4
    assert "logged as seq 4" in ran.out
    assert "no power" in ran.err.splitlines()[-1]
    assert seeded("flush", "--llm", "broken:ask").code == 4
    assert seeded("worker", "--once", "--llm", "broken:ask").code == 4
    (job,) = seeded.ok("jobs", "--json").json["jobs"]
    assert (job["seq"], job["state"], job["attempts"]) == (4, "retrying", 3)


def test_a_provider_that_is_down_is_a_four_and_uses_no_attempt(seeded: Any, tmp_path: Any) -> None:
    (tmp_path / "down.py").write_text("def ask(request):\n    raise ConnectionError('no route')\n", encoding="utf-8")
    for arguments in (("add", "alice", "I live in Goa"), ("flush",), ("worker", "--once")):
        ran = seeded(*arguments, "--llm", "down:ask")
        assert ran.code == 4, arguments
        assert "no route" in ran.err.splitlines()[-1]
    assert seeded.ok("jobs", "--json").json["jobs"][0]["attempts"] == 0


def test_a_module_that_fails_to_load_is_a_four(seeded: Any, tmp_path: Any) -> None:
    (tmp_path / "unloadable.py").write_text("import no_such_dependency\n", encoding="utf-8")
    ran = seeded("flush", "--llm", "unloadable:ask")
    assert ran.code == 4
    assert "no_such_dependency" in one_line(ran)


def test_flush_where_nobody_extracts_is_a_four(seeded: Any) -> None:
    seeded.ok("add", "alice", "I live in Goa")
    ran = seeded("flush")
    assert ran.code == 4
    assert "--llm" in one_line(ran)


REFUSING = (
    ("state", "alice"), ("get", "alice", "p"), ("history", "alice"), ("explain", "x"), ("context", "alice"),
    ("search", "alice", "x"), ("changes", "alice"),
    ("messages", "alice"), ("decisions", "alice", "1"), ("predicates",), ("proposals",),
    ("jobs",), ("scopes",), ("verify",), ("digest", "alice"), ("stats",), ("correct", "x"), ("reinstate", "x"),
    ("review", "x"), ("flush",), ("retry",), ("dismiss", "alice", "1"), ("rebuild",),
    ("preview", "alice", "--op", '{"op": "set", "predicate": "p", "value": 1}'), ("questions", "alice"),
    ("answer", "x", "yes"), ("set", "alice", "p", "x"), ("record", "alice", "p", "x", "--valid-from", "2026"),
    ("add-value", "alice", "p", "x"), ("remove-value", "alice", "p", "x"), ("replace-values", "alice", "p", "x"),
    ("retract", "alice", "p"), ("deny", "alice", "p", "x"), ("confirm", "alice", "p"),
    ("write", "alice", "--op", '{"op": "set", "predicate": "p", "value": 1}'), ("worker", "--once", "--llm", "fake"),
    ("reextract", "alice", "--llm", "fake"), ("rekey",), ("forget", "alice", "--yes"), ("erase", "alice", "1", "--yes"),
    ("purge", "2026-01-01", "--yes"), ("purge", "--due", "--yes"), ("retain",), ("export", "-"), ("backup", "b.db"),
    ("migrate",), ("migrate", "--dry-run"), ("stats", "--prometheus"), ("mcp", "--user", "alice", "--read-only"),
)  # fmt: skip
MAKING = {"add", "register", "import", "serve", "studio"}
"""Commands that can begin a memory; ``retain``, ``worker`` and ``mcp`` do too, as they are called elsewhere here."""
ELSEWHERE = {"demo", "try", "bench", "completion", "schema", "copy", "restore", "doctor", "keys"}
"""Commands that open other things than the memory that --db names, or, as doctor, tell that it is not there."""


def test_of_every_command_it_is_said_what_it_does_where_there_is_no_memory() -> None:
    assert {arguments[0] for arguments in REFUSING} | MAKING | ELSEWHERE == set(program.commands)


@pytest.mark.parametrize("arguments", REFUSING, ids=" ".join)
def test_nothing_is_made_by_who_cannot_begin_a_memory(cli: Any, arguments: tuple[str, ...]) -> None:
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (3, "")
    assert f"there is no memory at {cli.db}" in one_line(ran)
    assert list(cli.db.parent.iterdir()) == []


READS = (
    ("state", "alice"), ("get", "alice", "lives_in"), ("history", "alice"), ("context", "alice"),
    ("search", "alice", "Delhi"), ("changes", "alice"),
        ("messages", "alice"), ("decisions", "alice", "1"), ("predicates",), ("proposals",),
    ("jobs",), ("scopes",), ("verify",), ("digest", "alice"), ("stats",), ("preview", "alice", "hi", "--llm", "fake"),
    ("questions", "alice"),
)  # fmt: skip


@pytest.mark.parametrize("arguments", READS, ids=lambda arguments: arguments[0])
def test_who_only_reads_opens_the_memory_for_reading(
    seeded: Any, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    opened: list[bool] = []

    def watched(*given: Any, **options: Any) -> Memory:
        opened.append(options.get("read_only", False))
        return Memory(*given, **options)

    monkeypatch.setattr("tensemem.adapters.cli.session.Memory", watched)
    seeded.ok(*arguments)
    assert opened == [True]


@pytest.mark.parametrize(
    "arguments", [("register", "lives_in"), ("retain", "--texts", "90d"), ("add", "alice", "hi", "--llm", "false")]
)
def test_a_first_write_makes_the_file_and_says_which(cli: Any, arguments: tuple[str, ...]) -> None:
    ran = cli(*arguments)
    assert ran.code == 0
    assert ran.err.splitlines()[0] == f"tensemem: made {cli.db}"
    assert "made" not in cli(*arguments).err


def test_a_server_of_mcp_says_that_it_made_the_file(cli: Any) -> None:
    started = [sys.executable, "-m", "tensemem", "--db", str(cli.db), "mcp", "--user", "alice"]
    for told in (f"tensemem: made {cli.db}\n", ""):
        ran = subprocess.run(started, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        assert (ran.stdout, ran.stderr) == ("", told)


def test_keys_that_are_made_before_their_memory_say_so(cli: Any) -> None:
    made = f"tensemem: made {cli.db}-access"
    assert cli.ok("keys", "mint").err.splitlines()[0] == f"{made}; there is no memory beside it yet"
    assert "made" not in cli.ok("keys", "mint").err


def test_a_memory_that_keeps_nothing_needs_no_file(cli: Any) -> None:
    ran = cli.bare("--db", ":memory:", "state", "alice")
    assert (ran.code, ran.err) == (0, "")
    assert "nothing was ever said here" in ran.out


def test_ctrl_c_is_130(seeded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "state", interrupted)
    assert seeded("state", "alice").code == 130


def test_a_reader_that_went_away_is_no_failure(seeded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(Memory, "state", gone)
    ran = seeded("state", "alice")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.StoreBusyError(), 3),
        (errors.ClosedError(), 3),
        (errors.ExtractorOutputError(), 4),
        (OSError(28, "No space left on device"), 3),
    ],
)
def test_each_kind_of_failure_has_its_code(
    seeded: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Memory, "state", fails)
    ran = seeded("state", "alice")
    assert ran.code == code
    one_line(ran)


def test_what_is_wrong_with_arguments_is_one_line_without_tabs(cli: Any) -> None:
    ran = cli("mcp", "install")
    assert ran.code == 2
    assert "--client" in ran.err
    assert "claude-code" in ran.err
    assert not any(mark in ran.err for mark in ("\\n", "\\t", "\t"))
    assert len(ran.err.splitlines()) == 1


def test_the_help_of_rate_says_what_is_allowed_at_once_and_without_it(cli: Any) -> None:
    told = " ".join(cli("serve", "--help").out.split())
    assert "four seconds' worth at once; without it there is no limit" in told

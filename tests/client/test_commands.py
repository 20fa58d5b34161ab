"""Commands on a memory that a server holds: ``tensemem --db http://...`` gives what it gives of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tensemem import FakeExtractor
from tensemem.adapters.cli import program
from tests.adapters.rest.certificate import made, vouched_for
from tests.client.bench import TOKEN, Served, served


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("TENSEMEM_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    with served(tmp_path / "m.db") as running:
        yield running


def run(db: str, *arguments: str) -> Any:
    return CliRunner().invoke(program, ["--db", db, *arguments], catch_exceptions=False, prog_name="tensemem")


def test_what_is_told_of_a_server_is_told_of_the_file(server: Served, tmp_path: Path) -> None:
    for line in (
        ["register", "lives_in"], ["set", "u1", "lives_in", "Oslo"], ["add", "u1", "hello"],
        ["set", "u1", "lives_in", "Rome"],
    ):  # fmt: skip
        done = run(server.url, *line)
        assert done.exit_code == 0, (line, done.output)
    for line in (["get", "u1", "lives_in"], ["messages", "u1"], ["predicates"]):
        mine, theirs = run(server.url, *line), run("m.db", *line)
        assert (mine.exit_code, mine.stdout) == (theirs.exit_code, theirs.stdout), line
    assert "Rome" in run(server.url, "state", "u1").stdout
    told = json.loads(run(server.url, "--json", "state", "u1").stdout)
    assert told["values"] == {"lives_in": "Rome"}


def test_files_stay_on_this_side(server: Served, tmp_path: Path) -> None:
    run(server.url, "register", "lives_in")
    run(server.url, "set", "u1", "lives_in", "Oslo")
    for line in (["export", "out.jsonl"], ["import", "out.jsonl"], ["backup", "copy.db"]):
        done = run(server.url, *line)
        assert done.exit_code == 0, (line, done.output)
    assert run("copy.db", "get", "u1", "lives_in").stdout == run(server.url, "get", "u1", "lives_in").stdout


def test_what_a_server_does_not_do_is_said(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = run(server.url, "add", "u1", "I live in Oslo.", "--llm", "offline")
    assert refused.exit_code != 0
    assert "leave --llm out" in refused.stderr
    unknown = run(server.url, "set", "u1", "nonsense", "x")
    assert unknown.exit_code != 0
    assert "not registered" in unknown.stderr
    monkeypatch.setenv("TENSEMEM_TOKEN", "a-token-that-opens-nothing")
    closed = run(server.url, "state", "u1")
    assert closed.exit_code != 0
    assert "does not open" in closed.stderr
    assert "Traceback" not in closed.output


def test_the_doctor_of_the_server_looks_at_its_memory(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    run(server.url, "add", "u1", "hello")
    ran = run(server.url, "doctor", "--quick")
    assert ran.exit_code == 1, ran.output
    assert "1 message" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("to be seen to: ")
    told = json.loads(run(server.url, "--json", "doctor", "--all").stdout)
    assert told["level"] == "warning"
    assert {"digests", "waiting"} <= {finding["name"] for finding in told["findings"]}
    monkeypatch.setenv("TENSEMEM_TOKEN", server.mint("read"))
    assert run(server.url, "doctor").exit_code == 3


def test_what_asks_an_extractor_asks_that_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSEMEM_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    with served(tmp_path / "m.db", llm=FakeExtractor()) as server:
        for line in (["register", "lives_in"], ["add", "u1", "I live in Oslo"], ["flush", "u1"]):
            assert run(server.url, *line).exit_code == 0, line
        told = run(server.url, "preview", "u1", "I moved to Rome")
        assert (told.exit_code, "Rome" in told.stdout) == (0, True), told.output
        again = run(server.url, "reextract", "u1", "--yes")
        assert (again.exit_code, "nothing would change" in again.stdout) == (0, True), again.output
        for line in (["preview", "u1", "I moved to Rome"], ["reextract", "u1", "--yes"]):
            refused = run(server.url, *line, "--llm", "fake")
            assert (refused.exit_code, "leave --llm out" in refused.stderr) == (3, True), refused.output


def test_a_server_without_an_extractor_says_who_helps(server: Served) -> None:
    for line in (["preview", "u1", "I moved to Rome"], ["reextract", "u1", "--yes"]):
        refused = run(server.url, *line)
        assert refused.exit_code == 4, refused.output
        assert "its operator starts it with --llm" in refused.stderr
        of_file = run("m.db", *line)
        assert (of_file.exit_code, "give --llm" in of_file.stderr) == (2, True), of_file.output


def test_a_page_of_a_person_has_all_subjects_wherever_the_memory_is(server: Served, tmp_path: Path) -> None:
    run(server.url, "register", "lives_in")
    run(server.url, "set", "u1", "lives_in", "Oslo")
    run(server.url, "set", "u1", "lives_in", "Rome", "--subject", "user.wife")
    drawn = run(server.url, "history", "u1", "--html", "far.html")
    assert drawn.exit_code == 0, drawn.output
    assert run("m.db", "history", "u1", "--html", "near.html").exit_code == 0
    far, near = ((tmp_path / name).read_text(encoding="utf-8") for name in ("far.html", "near.html"))
    assert "user.wife" in far
    assert far.count("<tr") == near.count("<tr")
    plain = run(server.url, "--json", "history", "u1").stdout
    assert [fact["object"] for fact in json.loads(plain)["facts"]] == ["Oslo"]


@pytest.mark.parametrize(
    "line",
    [["serve"], ["studio"], ["mcp", "--user", "u1"],
     ["mcp", "install", "--client", "cursor", "--user", "u1", "--print"],
     ["schema"], ["keys", "list"], ["keys", "mint"], ["worker"], ["worker", "--llm", "offline"], ["migrate"],
     ["rekey"], ["stats", "--prometheus"]],
    ids=" ".join,
)  # fmt: skip
def test_what_is_run_at_the_server_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("http://127.0.0.1:9", *line)
    assert (ran.exit_code, "is run at the server's machine" in ran.stderr) == (3, True), ran.output
    assert list(tmp_path.iterdir()) == []


def test_without_a_token_it_is_told_where_the_command_line_looks_for_one(server: Served) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("TENSEMEM_TOKEN", raising=False)
        ran = run(server.url, "state", "u1")
    assert (ran.exit_code, "$TENSEMEM_TOKEN" in ran.stderr) == (3, True), ran.output


def test_a_server_that_an_authority_of_ones_own_vouches_for_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENSEMEM_TOKEN", TOKEN)
    authority, *files = vouched_for(tmp_path)
    (tmp_path / "other").mkdir()
    other, _ = made(tmp_path / "other")
    with served(tmp_path / "m.db", files=tuple(map(str, files))) as server:
        for line in (["--ca", str(authority), "predicates"], ["predicates", "--ca", str(authority)]):
            assert run(server.url, *line).exit_code == 0
        for line in (["predicates"], ["predicates", "--ca", str(other)]):
            stranger = run(server.url, *line)
            assert stranger.exit_code == 3
            assert "is not trusted" in stranger.stderr
            assert "--ca PATH" in stranger.stderr
        for path in (tmp_path / "none.pem", files[1]):
            refused = run(server.url, "predicates", "--ca", str(path))
            assert refused.exit_code == 3
            assert f"--ca: '{path}'" in refused.stderr
        monkeypatch.setenv("TENSEMEM_CA", str(authority))
        assert run(server.url, "predicates").exit_code == 0

"""What is done at the machine stands in the log of acts, where the memory has keys beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access
from tests.adapters.cli.conftest import NOON

ACTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("register_predicate", ("register", "lives_in")),
    ("register_entity", ("register", "Delhi", "--entity", "--alias", "Dilli")),
    ("register", ("register", "--file", "{folder}/profile.toml")),
    ("retain", ("retain", "--texts", "90d")),
    ("rebuild", ("rebuild", "alice")),
    ("reextract", ("reextract", "alice", "--llm", "fake", "--yes")),
    ("reextract", ("reextract", "alice", "--llm", "fake", "--yes", "--apply")),
    ("export", ("export", "{folder}/m.jsonl", "--user", "alice")),
    ("import", ("import", "{folder}/m.jsonl", "--user", "alice")),
    ("backup", ("backup", "{folder}/backup.db")),
    ("copy", ("copy", "{db}", "{folder}/copied.db")),
    ("apply_retention", ("purge", "--due")),
    ("purge", ("purge", "2100-01-01", "--yes")),
    ("erase", ("erase", "alice", "1", "--yes")),
    ("forget", ("forget", "alice", "--predicate", "lives_in", "--yes")),
    ("forget", ("forget", "alice", "--yes")),
)
OF_ALICE = {"rebuild", "reextract", "export", "import", "erase", "forget"}


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.access.store.system_clock", lambda: NOON)
    monkeypatch.setattr("getpass.getuser", lambda: "ops")


def acts(cli: Any, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cli.ok("keys", "audit", "--after", "0", *words, "--json").json["acts"]
    return [act for act in found if act["act"] != "mint"]


def test_every_act_leaves_its_beginning_and_its_end(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "profile.toml").write_text('[predicates.diet]\nchoices = ["vegan"]\n', encoding="utf-8")
    cli.ok("keys", "mint")
    cli.ok("register", "languages", "--many")
    cli.ok("add", "alice", "I live in Delhi", "--llm", "fake")
    seen = len(acts(cli))
    for _, line in ACTS:
        assert cli(*(word.format(folder=tmp_path, db=cli.db) for word in line)).code in (0, 1), line
    found = acts(cli)[seen:]
    assert [(act["act"], act["outcome"]) for act in found] == [
        (name, outcome) for name, _ in ACTS for outcome in ("begun", "done")
    ]
    assert {(act["key_id"], act["label"]) for act in found} == {("local", "ops")}
    with Access.open(f"{cli.db}-access") as access:
        alice = access.person("default", "alice")
    assert {act["act"] for act in found if act["person"] == alice} == OF_ALICE
    assert [act["about"] for act in found if act["act"] == "reextract"] == ["dry run"] * 2 + [None] * 2
    assert len(acts(cli, "--user", "alice")) == 2 * sum(name in OF_ALICE for name, _ in ACTS)


def test_a_restored_memory_has_it_in_its_own_log(cli: Any, tmp_path: Path) -> None:
    cli.ok("register", "lives_in")
    cli.ok("backup", str(tmp_path / "backup.db"))
    there = tmp_path / "there.db"
    cli.bare("--db", str(there), "keys", "mint")
    cli.ok("restore", str(tmp_path / "backup.db"), str(there))
    found = cli.bare("--db", str(there), "keys", "audit", "--json").json["acts"]
    assert [(act["act"], act["outcome"]) for act in found[1:]] == [("restore", "begun"), ("restore", "done")]


def test_what_is_refused_or_fails_is_told_so(cli: Any, tmp_path: Path) -> None:
    cli.ok("keys", "mint")
    cli.ok("register", "lives_in")
    assert cli("register", "lives_in", "--many").code == 3
    assert cli("backup", str(tmp_path / "no" / "such" / "folder.db")).code == 3
    assert [(act["act"], act["outcome"]) for act in acts(cli)[2:]] == [
        ("register_predicate", "begun"), ("register_predicate", "refused"), ("backup", "begun"), ("backup", "failed"),
    ]  # fmt: skip


def test_where_nobody_was_given_a_key_nothing_is_made(cli: Any) -> None:
    cli.ok("register", "lives_in")
    assert not Path(f"{cli.db}-access").exists()


def test_a_log_that_cant_be_written_keeps_nobody_from_the_act(cli: Any) -> None:
    cli.ok("keys", "mint")
    with closing(sqlite3.connect(f"{cli.db}-access")) as rows, rows:
        rows.execute("DROP TABLE access_acts")
    ran = cli.ok("register", "lives_in")
    assert "not written into the log of acts" in ran.err
    assert "lives_in" in cli.ok("predicates").out


def test_a_system_that_has_no_name_for_its_user_is_no_hindrance(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    cli.ok("keys", "mint")
    cli.ok("register", "lives_in")
    assert {(act["key_id"], act["label"]) for act in acts(cli)} == {("local", "")}

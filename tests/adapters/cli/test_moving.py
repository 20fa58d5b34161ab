"""copy, migrate and schema: two places, progress on standard error, exit codes, SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.adapters.cli import moving
from tensemem.model.results import Upgrade
from tensemem.store.sqlite.migrations import VERSION
from tests.released.shelf import unpacked


def test_a_copy_tells_what_it_did(seeded: Any, tmp_path: Path) -> None:
    ran = seeded.ok("copy", "m.db", "new.db")
    assert ran.out.startswith(f"copied 3 entries of 1 scope to {tmp_path / 'new.db'} in ")
    assert ran.err == ""
    again = seeded.ok("copy", "m.db", "new.db")
    assert "copied 0 entries of 0 scopes" in again.out
    assert "  1 scope had all of it already" in again.out
    assert seeded.bare("--db", "new.db", "state", "alice").out == seeded.ok("state", "alice").out


def test_a_copy_tells_programs_in_one_document(seeded: Any, tmp_path: Path) -> None:
    found = seeded.ok("copy", "m.db", "new.db", "--json").json
    assert (found["copied"], found["entries"], found["destination"]) == (1, 3, str(tmp_path / "new.db"))


def test_a_part_may_be_chosen(seeded: Any) -> None:
    seeded.ok("--namespace", "other", "register", "lives_in")
    seeded.ok("--namespace", "other", "set", "zoe", "lives_in", "Rome")
    assert seeded.ok("copy", "m.db", "new.db", "--only", "other", "--json").json["copied"] == 1
    assert seeded.ok("copy", "m.db", "new.db", "--only", "other", "--only", "default", "--json").json["copied"] == 1
    assert seeded.ok("copy", "m.db", "none.db", "--users", "x", "--json").json["scopes"] == 0
    wrong = seeded("copy", "m.db", "new.db", "--only", "nobody")
    assert (wrong.code, "no namespace 'nobody'" in wrong.err) == (3, True)


def test_another_memory_there_is_refused(seeded: Any) -> None:
    seeded.ok("copy", "m.db", "new.db")
    seeded.ok("set", "alice", "lives_in", "Goa")
    seeded.bare("--db", "new.db", "set", "alice", "lives_in", "Rome")
    ran = seeded("copy", "m.db", "new.db")
    assert (ran.code, ran.out) == (3, "")
    assert "is another one in" in ran.err


def test_a_source_that_is_not_there_is_not_made(seeded: Any, tmp_path: Path) -> None:
    ran = seeded("copy", "nothing.db", "new.db")
    assert (ran.code, "nothing.db" in ran.err) == (3, True)
    assert not (tmp_path / "nothing.db").exists()
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_progress_is_told_now_and_then_where_no_person_looks_on(
    seeded: Any, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    for user in ("bob", "cid"):
        seeded.ok("set", user, "lives_in", "Rome")
    ticks = iter(range(0, 100, 6))
    monkeypatch.setattr(moving, "monotonic", lambda: float(next(ticks)))
    ran = seeded.ok("copy", "m.db", "new.db", *options)
    assert ran.err.splitlines() == ["tensemem: copied 2 scopes, 4 entries"]


def test_progress_is_a_counter_where_a_person_looks_on(
    seeded: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tensemem.engine import filling

    monkeypatch.setattr(filling, "ROWS", 2)
    monkeypatch.setattr(moving, "is_terminal", lambda stream: True)
    monkeypatch.setattr(moving, "BETWEEN", 0.0)
    ran = seeded.ok("copy", "m.db", "new.db")
    assert "\rcopied 0 scopes, 0 entries, alice up to revision 2 of 3\x1b[K" in ran.err
    assert ran.err.endswith("\r\x1b[K")
    with Memory(tmp_path / "new.db", read_only=True) as mem:
        assert mem.get("alice", "lives_in") == "Bangalore"


def test_migrate_tells_what_it_finds(seeded: Any, tmp_path: Path) -> None:
    expected = f"{tmp_path / 'm.db'}: schema version {VERSION} of {VERSION}, nothing to do\n"
    assert seeded.ok("migrate").out == expected
    assert seeded.ok("migrate", "--dry-run").out == expected
    assert seeded.ok("migrate", "--json").json["steps"] == []


def test_a_command_that_upgrades_a_file_names_the_copy_it_kept(cli: Any, tmp_path: Path) -> None:
    old = str(unpacked(1, tmp_path))
    ran = cli("--db", old, "set", "ann", "lives_in", "Rome")
    assert (ran.code, f"{old}-before-{VERSION} has all as it was" in ran.err) == (0, True)
    assert "as it was" not in cli("--db", old, "set", "ann", "lives_in", "Goa").err


def test_migrate_refuses_what_is_newer_or_not_there(seeded: Any) -> None:
    with closing(sqlite3.connect(seeded.db)) as connection:
        connection.execute("PRAGMA user_version = 9")
    for options in ((), ("--dry-run",)):
        ran = seeded("migrate", *options)
        assert (ran.code, ran.out) == (3, "")
        assert "schema version 9" in ran.err
    assert seeded.bare("--db", "none.db", "migrate").code == 3


def test_migrate_tells_each_step(seeded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(path: str, *, dry_run: bool, **_: Any) -> Upgrade:
        return Upgrade(path, 1, 3, ((2, "more"), (3, "a column")), not dry_run)

    monkeypatch.setattr(moving, "upgrade", found)
    assert seeded.ok("migrate", "--dry-run").out.splitlines()[1:] == ["  step 2: more", "  step 3: a column"]
    assert seeded.ok("migrate").out.splitlines()[1:] == ["  ran step 2: more", "  ran step 3: a column"]


def test_schema_prints_tables_grants_and_what_spreads_them(cli: Any) -> None:
    assert "CREATE TABLE tensemem.entries (" in cli.ok("schema").out
    assert "create_distributed_table('tensemem.entries', 'scope'" in cli.ok("schema", "--distributed", "citus").out
    assert 'COLLATE "C"' not in cli.ok("schema", "--distributed", "cockroach").out
    walled = cli.ok("schema", "--grants", "app", "--namespace", "tenant").out
    assert "VALUES ('app', 'tenant')" in walled
    assert cli.ok("schema", "--grants", "app", "--service").out.split()[-2:] == ["BYPASSRLS;", "COMMIT;"]
    serving = cli.ok("schema", "--grants", "app", "--service", "--server").out
    assert 'GRANT SELECT, INSERT, UPDATE ON tensemem_access.access_keys TO "app";' in serving
    assert serving.split()[-1] == "COMMIT;"
    assert "access_keys" not in walled
    assert cli.ok("schema", "--json").json["sql"] == cli.ok("schema").out
    assert not cli.db.exists()


def test_schema_prints_what_is_in_the_sql_schema_that_a_url_names(cli: Any) -> None:
    url = "postgresql://db.example/x?tensemem_schema=mem"
    assert 'CREATE TABLE "mem".entries (' in cli.bare("--db", url, "schema").out
    assert 'ON "mem".entries TO' in cli.bare("--db", url, "schema", "--grants", "app").out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--grants", "a", "--distributed", "citus"), 2), (("--service",), 2), (("--server",), 2),
        (("--distributed", "oracle"), 2),
        (("--grants", ""), 3), (("--db", "mysql://x"), 3),
    ],
)  # fmt: skip
def test_schema_refuses_what_it_can_not_print(cli: Any, arguments: tuple[str, ...], code: int) -> None:
    ran = cli("schema", *arguments)
    assert (ran.code, ran.out) == (code, "")

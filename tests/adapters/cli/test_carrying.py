"""export, import, backup and restore: files, standard streams, what people and programs are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.adapters import _keys
from tensemem.adapters.cli import carrying, moving


def digest(seeded: Any, db: str = "m.db") -> str:
    out: str = seeded.bare("--db", db, "digest", "alice").out
    return out


def test_an_export_tells_what_it_wrote_and_an_import_what_it_read(seeded: Any, tmp_path: Path) -> None:
    ran = seeded.ok("export", "m.jsonl.gz")
    assert ran.out.startswith(f"exported 3 entries of 1 scope to {tmp_path / 'm.jsonl.gz'} in ")
    assert "\n  checksum " in ran.out
    ran = seeded.bare("--db", "new.db", "import", "m.jsonl.gz")
    assert ran.out.startswith(f"imported 3 entries of 1 scope to {tmp_path / 'new.db'} in ")
    assert digest(seeded, "new.db") == digest(seeded)
    assert "  1 scope had all of it already" in seeded.bare("--db", "new.db", "import", "m.jsonl.gz").out
    seeded.bare("--db", "new.db", "set", "alice", "lives_in", "Rome")
    assert "1 scope had it, and more" in seeded.bare("--db", "new.db", "import", "m.jsonl.gz").out
    assert seeded.ok("export", "again.jsonl", "--json").json["entries"] == 3


def test_a_file_is_replaced_only_if_told_to(seeded: Any) -> None:
    seeded.ok("export", "m.jsonl")
    refused = seeded("export", "m.jsonl")
    assert (refused.code, "exists; name another file" in refused.err) == (3, True)
    seeded.ok("export", "m.jsonl", "--overwrite")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_lines_go_to_standard_output_and_the_report_beside_them(seeded: Any, options: tuple[str, ...]) -> None:
    ran = seeded.ok("export", "-", *options)
    assert json.loads(ran.out.splitlines()[0])["line"] == "export"
    assert json.loads(ran.out.splitlines()[-1])["line"] == "whole"
    assert "exported 3 entries of 1 scope to standard output" in ran.err


def test_a_part_may_be_chosen(seeded: Any) -> None:
    seeded.ok("set", "bob", "lives_in", "Rome")
    seeded.ok("set", "bob", "lives_in", "Goa", "--agent", "guide")
    assert seeded.ok("export", "1.jsonl", "--user", "bob", "--json").json["scopes"] == 2
    assert seeded.ok("export", "2.jsonl", "--user", "bob", "--agent", "guide", "--json").json["scopes"] == 1
    seeded.ok("--namespace", "other", "register", "lives_in")
    seeded.ok("--namespace", "other", "set", "zoe", "lives_in", "Rome")
    assert seeded.ok("export", "3.jsonl", "--all-namespaces", "--json").json["namespaces"] == 2
    found = seeded.bare("--db", "new.db", "import", "3.jsonl", "--user", "bob")
    assert "2 that were not asked for were left out" in found.out
    assert seeded.bare("--db", "new.db", "import", "3.jsonl", "--all-namespaces", "--json").json["imported"] == 2


def test_an_export_of_nobody_says_so(seeded: Any) -> None:
    ran = seeded("export", "1.jsonl", "--user", "alicia", "--json")
    assert (ran.code, ran.json["scopes"]) == (1, 0)
    assert "nothing is known of alicia" in ran.err
    assert seeded("export", "2.jsonl", "--user", "alice", "--agent", "guide").code == 1
    assert seeded("--namespace", "empty", "export", "3.jsonl").code == 0


def test_an_export_is_signed_with_the_key_that_the_environment_has(
    seeded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENSEMEM_SIGN_KEY", "a long secret")
    assert "(signed)" in seeded.ok("export", "m.jsonl").out
    monkeypatch.setenv("TENSEMEM_SIGN_KEY", "another secret")
    refused = seeded("import", "m.jsonl")
    assert (refused.code, "the sign_key is another one" in refused.err) == (3, True)


def test_refusals_name_what_the_command_line_has(
    seeded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dump.json").write_text('[{"memory": "I live in Rome"}]', encoding="utf-8")
    assert "needs --format mem0 or --format jsonl" in seeded("import", "dump.json").err
    (tmp_path / "dump.json").write_text('{"role": "user", "content": "I live in Rome"}', encoding="utf-8")
    assert "needs --format mem0 or --format jsonl" in seeded("import", "dump.json").err
    seeded.ok("export", "plain.jsonl")
    monkeypatch.setenv("TENSEMEM_SIGN_KEY", "a long secret")
    assert "unset $TENSEMEM_SIGN_KEY" in seeded("import", "plain.jsonl").err
    seeded.ok("export", "signed.jsonl")
    monkeypatch.delenv("TENSEMEM_SIGN_KEY")
    assert "put its key into $TENSEMEM_SIGN_KEY" in seeded("import", "signed.jsonl").err


def test_the_backup_of_a_memory_on_a_server_has_the_key_that_the_environment_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TENSEMEM_KEY", "a secret")
    assert (_keys.backup_key("postgresql://h/d"), _keys.backup_key("m.db")) == ("a secret", None)
    monkeypatch.setenv("TENSEMEM_SHRED", "1")  # then its rows are sealed, and it has that key itself
    assert _keys.backup_key("postgresql://h/d") is None
    monkeypatch.delenv("TENSEMEM_KEY")
    monkeypatch.delenv("TENSEMEM_SHRED")
    assert _keys.backup_key("postgresql://h/d") is None


def test_a_damaged_file_is_refused_with_its_line(seeded: Any, tmp_path: Path) -> None:
    seeded.ok("export", "m.jsonl")
    text = (tmp_path / "m.jsonl").read_text(encoding="utf-8")
    (tmp_path / "m.jsonl").write_text(text.replace("Bangalore", "Bangkok"), encoding="utf-8")
    refused = seeded.bare("--db", "new.db", "import", "m.jsonl")
    assert (refused.code, refused.out) == (3, "")
    assert "the checksum is not right" in refused.err
    assert "the memory of 'alice' was left out" in refused.err


def test_another_systems_file_is_read_and_the_rest_is_told(
    seeded: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = [{"memory": "I moved to Pune", "created_at": "2024-03-01"}, {"memory": ""}, {"memory": ""}]
    (tmp_path / "dump.json").write_text(json.dumps(dump), encoding="utf-8")
    ran = seeded.ok("import", "dump.json", "--format", "mem0", "--user", "bob", "--label", "the old one")
    assert "imported 1 entry of 1 scope" in ran.out
    assert 'line 2: it has no text under "memory"' in ran.err
    monkeypatch.setattr(carrying, "SHOWN", 1)
    again = seeded.ok("import", "dump.json", "--format", "mem0", "--user", "bob", "--label", "the old one")
    assert "  1 record had come before" in again.out
    assert "and 1 more; --json tells all" in again.err
    rows = seeded.ok(
        "import",
        "dump.json",
        "--format",
        "mem0",
        "--user",
        "bob",
        "--take",
        "rows",
        "--predicate",
        "lives_in",
        "--json",
    ).json
    assert (rows["entries"], len(rows["not_understood"])) == (1, 2)
    assert seeded.ok("get", "bob", "lives_in").out == "I moved to Pune\n"


def test_an_import_of_which_nothing_was_understood_says_no(seeded: Any, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_text('{"kind": "message", "text": "Hello"}\nno line\n', encoding="utf-8")
    ran = seeded("import", "dump.jsonl", "--format", "jsonl", "--json")
    assert (ran.code, len(ran.json["not_understood"])) == (1, 2)
    for _ in range(2):
        assert seeded("import", "dump.jsonl", "--format", "jsonl", "--user", "bob").code == 0
    (tmp_path / "dump.jsonl").write_text("", encoding="utf-8")
    assert seeded("import", "dump.jsonl", "--format", "jsonl").code == 0


def test_a_backup_is_made_and_restored(seeded: Any, tmp_path: Path) -> None:
    ran = seeded.ok("backup", "b.db")
    size = (tmp_path / "b.db").stat().st_size
    assert ran.out.startswith(f"backed up 3 entries of 1 scope to {tmp_path / 'b.db'} ({size} bytes) in ")
    before = digest(seeded)
    seeded.ok("set", "alice", "lives_in", "Rome")
    refused = seeded("restore", "b.db", "m.db")
    assert (refused.code, "say --force to replace it" in refused.err) == (3, True)
    refused = seeded("backup", "b.db")
    assert (refused.code, "or say --overwrite" in refused.err) == (3, True)
    ran = seeded.ok("restore", "b.db", "m.db", "--force")
    assert ran.out.startswith(f"restored 3 entries of 1 scope to {tmp_path / 'm.db'} in ")
    assert digest(seeded) == before
    assert seeded.ok("backup", "b.db", "--overwrite", "--no-verify", "--json").json["encrypted"] is False
    assert seeded.ok("restore", "b.db", "new.db", "--json").json["scopes"] == 1


def test_facts_that_differ_are_told(seeded: Any, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "m.db")) as connection:
        connection.execute("DELETE FROM facts")
        connection.commit()
    assert "alice: the facts differ from the log; 'tensemem rebuild'" in seeded.ok("backup", "b.db").out
    assert "alice: the facts differed from the log, and were folded again" in seeded.ok("restore", "b.db", "n.db").out
    with Memory(tmp_path / "n.db", read_only=True) as mem:
        assert mem.verify().identical


def test_progress_is_told_on_standard_error(seeded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(0, 1000, 11))
    monkeypatch.setattr(moving, "monotonic", lambda: float(next(ticks)))
    assert "tensemem: exported 1 scope, 3 entries" in seeded.ok("export", "m.jsonl").err
    assert "tensemem: verified 1 scope, 3 entries" in seeded.ok("backup", "b.db").err
    monkeypatch.setattr(carrying, "is_terminal", lambda stream: True)
    monkeypatch.setattr(moving, "is_terminal", lambda stream: True)
    assert seeded.ok("restore", "b.db", "n.db").err.endswith("\r\x1b[K")

"""Encrypted memories from a shell: the key comes from the environment, and from nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem.adapters.cli import program
from tests.store.engines import needs_ciphers

pytestmark = needs_ciphers
SECRET = "a secret of some length"


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Set the two variables; None takes one away."""

    def put(key: str | None, new: str | None = None) -> None:
        for name, value in (("TENSEMEM_KEY", key), ("TENSEMEM_NEW_KEY", new)):
            monkeypatch.delenv(name, raising=False)
            if value is not None:
                monkeypatch.setenv(name, value)

    return put


def is_readable(path: Path) -> bool:
    return b"SQLite format 3" in path.read_bytes()


def test_a_memory_is_encrypted_read_and_given_another_key(seeded: Any, keys: Any) -> None:
    keys(None, SECRET)
    ran = seeded.ok("rekey")
    assert "$TENSEMEM_KEY must hold it" in ran.out
    assert SECRET not in ran.out + ran.err
    assert not is_readable(seeded.db)
    keys(SECRET, "another one")
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"
    assert seeded.ok("rekey", "--json").json == {"db": str(seeded.db), "encrypted": True}
    refused = seeded("state", "alice")
    assert refused.code == 3
    assert "can't be read with this key" in refused.err
    keys(None)
    refused = seeded("state", "alice")
    assert (refused.code, "is encrypted" in refused.err) == (3, True)
    assert "$TENSEMEM_KEY" in refused.err
    keys("another one")
    assert seeded.ok("rekey", "--plain").out == f"{seeded.db} is not encrypted any more\n"
    assert is_readable(seeded.db)
    refused = seeded("state", "alice")
    assert (refused.code, "is not encrypted" in refused.err) == (3, True)
    keys(None)
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"


def test_an_encrypted_memory_is_made_where_there_is_a_key(cli: Any, keys: Any) -> None:
    keys(SECRET)
    cli.ok("register", "lives_in")
    cli.ok("set", "alice", "lives_in", "Delhi")
    assert not is_readable(cli.db)
    assert cli.ok("migrate", "--dry-run").out.endswith("nothing to do\n")
    assert cli.ok("verify").code == 0


def test_without_a_new_key_a_person_is_asked_and_a_program_is_told(
    seeded: Any, keys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys(None)
    ran = seeded("rekey")
    assert ran.code == 2
    assert "TENSEMEM_NEW_KEY" in ran.err
    assert is_readable(seeded.db)
    monkeypatch.setattr("tensemem.adapters.cli.upkeep.is_terminal", lambda stream: stream is sys.stdin)
    ran = seeded.ok("rekey", input=f"{SECRET}\n{SECRET}\n")
    assert SECRET not in ran.out + ran.err
    keys(SECRET)
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"


def test_what_is_no_file_needs_no_key(cli: Any, keys: Any) -> None:
    keys(SECRET)
    assert cli.bare("--db", ":memory:", "predicates").code == 0


def test_a_copy_is_encrypted_with_the_new_key(seeded: Any, keys: Any, tmp_path: Path) -> None:
    keys(None, SECRET)
    copied = tmp_path / "copied.db"
    seeded.ok("copy", str(seeded.db), str(copied))
    assert not is_readable(copied)
    keys(SECRET)
    assert seeded.bare("--db", str(copied), "get", "alice", "lives_in").out == "Bangalore\n"
    back = tmp_path / "back.db"
    seeded.ok("copy", str(copied), str(back))
    assert is_readable(back)


def test_no_option_takes_a_key() -> None:
    names = {name for command in program.commands.values() for option in command.params for name in option.opts}
    assert {name for name in names if "key" in name} == {"--idempotency-key", "--tls-key"}, "the latter names a file"


def test_a_memory_with_a_key_per_person_is_made_read_copied_and_given_another_key(
    cli: Any, keys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys(SECRET)
    monkeypatch.setenv("TENSEMEM_SHRED", "1")
    cli.ok("register", "lives_in")
    cli.ok("set", "alice", "lives_in", "Delhi")
    assert cli.db.with_name(f"{cli.db.name}-keys").exists()
    monkeypatch.delenv("TENSEMEM_SHRED")
    refused = cli("get", "alice", "lives_in")
    assert (refused.code, "$TENSEMEM_SHRED" in refused.err) == (3, True)
    monkeypatch.setenv("TENSEMEM_SHRED", str(cli.db.with_name(f"{cli.db.name}-keys")))
    assert cli.ok("get", "alice", "lives_in").out == "Delhi\n"
    keys(SECRET, "another one")
    assert cli.ok("rekey").code == 0
    keys("another one", "a third one")
    monkeypatch.setenv("TENSEMEM_NEW_SHRED", "yes")
    copied = tmp_path / "copied.db"
    assert cli.ok("copy", str(cli.db), str(copied)).code == 0
    keys("a third one")
    monkeypatch.setenv("TENSEMEM_SHRED", "yes")
    assert cli.bare("--db", str(copied), "get", "alice", "lives_in").out == "Delhi\n"
    refused = cli.bare("--db", str(copied), "rekey", "--plain")
    assert (refused.code, "needs a key" in refused.err) == (3, True)

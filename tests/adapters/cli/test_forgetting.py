"""Forgetting a person from a shell: never by mistake, and told in numbers."""

from __future__ import annotations

from typing import Any

import pytest


def test_nobody_is_forgotten_without_being_asked_for(seeded: Any) -> None:
    ran = seeded("forget", "alice")
    assert (ran.code, "--yes" in ran.err) == (2, True)
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"


def test_in_a_terminal_the_name_is_typed(seeded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.adapters.cli.forgetting.is_terminal", lambda _: True)
    for answer in ("bob\n", "y\n", " alice x\n"):
        ran = seeded("forget", "alice", input=answer)
        assert (ran.code, "nothing was removed" in ran.err) == (2, True)
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"
    ran = seeded.ok("forget", "alice", input="alice\n")
    assert "forgot alice: 1 scope, 3 episodes" in ran.out
    assert seeded("get", "alice", "lives_in").code == 1


def test_what_went_is_counted_for_programs(seeded: Any) -> None:
    seeded.ok("set", "alice", "lives_in", "Rome", "--agent", "helper")
    assert seeded.ok("forget", "alice", "--agent", "helper", "--yes", "--json").json["episodes"] == 1
    found = seeded.ok("forget", "alice", "--yes", "--json").json
    assert (found["scopes"], found["episodes"], found["scrubbed"]) == (1, 3, True)
    assert len(found["elsewhere"]) == 1


def test_who_is_not_known_is_no_error_and_makes_no_memory(seeded: Any, cli: Any, tmp_path: Any) -> None:
    ran = seeded("forget", "zoe", "--yes")
    assert (ran.code, ran.out) == (1, "nothing is known of zoe\n")
    missing = cli.bare("--db", str(tmp_path / "none.db"), "forget", "zoe", "--yes")
    assert missing.code == 3
    assert not (tmp_path / "none.db").exists()

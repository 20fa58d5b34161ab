"""The demo shows the idea, checks what it shows, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from typing import Any

import pytest

from tensemem import Memory


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def test_the_demo_fits_on_a_screen_and_leaves_nothing(cli: Any, tmp_path: Any) -> None:
    ran = cli.bare("demo")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out.splitlines()) <= 32
    assert max(len(line) for line in ran.out.splitlines()) <= 100
    told = ["1 message pending", "lives_in = Bangalore", "Delhi 05 Jan – 01 Mar", "lives_in = Delhi", "identical"]
    places = [ran.out.index(outcome) for outcome in told]
    assert places == sorted(places)
    assert [path.name for path in tmp_path.rglob("*")] == ["temporary"]


def test_the_demo_is_the_same_every_time(cli: Any) -> None:
    assert cli.bare("demo").out == cli.bare("demo").out
    told = cli.bare("demo", "--json").json
    assert told["ok"] is True
    assert len(told["steps"]) == 8


def test_the_demo_keeps_a_file_that_is_named_and_spoils_none(cli: Any) -> None:
    ran = cli("demo")
    assert ran.code == 0
    assert f"made {cli.db}" in ran.err
    assert cli.ok("get", "alice", "lives_in").out == "Delhi\n"
    again = cli("demo")
    assert (again.code, again.out) == (3, "")
    assert "exists" in again.err


def test_the_demo_leaves_a_memory_to_look_at_and_spoils_none(cli: Any) -> None:
    ran = cli.bare("demo", "--keep", str(cli.db))
    assert ran.code == 0
    assert f"made {cli.db}" in ran.err
    assert cli.ok("get", "alice", "lives_in").out == "Delhi\n"
    assert [scope["user_id"] for scope in cli.ok("scopes", "--json").json["scopes"]] == ["alice", "bob", "carla"]
    with Memory(cli.db, worker=False) as mem:
        assert (len(mem.state("bob").planned), len(mem.state("carla").candidates)) == (1, 1)
        assert all(mem.state(user).freshness.is_current for user in ("alice", "bob", "carla"))
        mem.set("alice", "lives_in", "Goa")
    again = cli.bare("demo", "--keep", str(cli.db))
    assert (again.code, again.out) == (0, ran.out)
    assert "stays as it is" in again.err
    assert cli.ok("get", "alice", "lives_in").out == "Goa\n"


def test_the_demo_keeps_a_file_and_nothing_else(cli: Any) -> None:
    for path in (":memory:", "postgresql://localhost/x"):
        assert cli.bare("demo", "--keep", path).code == 2
    assert cli("demo", "--keep", "x.db").code == 2


def test_the_demo_does_not_touch_the_memory_of_the_environment(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSEMEM_DB", str(cli.db))
    assert cli.bare("demo").code == 0
    assert not cli.db.exists()


def test_the_demo_says_what_came_out_otherwise(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Memory.get
    monkeypatch.setattr(Memory, "get", lambda *a, **k: "Delhi" if real(*a, **k) == "Bangalore" else real(*a, **k))
    ran = cli.bare("demo")
    assert ran.code == 1
    assert "the demo failed: value after set: told ('Bangalore', True), seen ('Delhi', True)" in ran.err
    assert "Every outcome was checked" not in ran.out
    assert cli.bare("demo", "--json").json["ok"] is False

"""Who is forgotten is gone from the keys beside the memory too, whoever it is that forgets."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.access import Access
from tensemem.access.striking import strike_beside


@pytest.fixture
def db(tmp_path: Path) -> Path:
    with Memory(tmp_path / "m.db", worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("zebulon-the-first", "lives_in", "Delhi")
        mem.set("bob", "lives_in", "Rome")
    return tmp_path / "m.db"


def keys(db: Path) -> list[tuple[Any, ...]]:
    with Access.open(f"{db}-access", make=False) as access:
        return [(key.label, key.users, key.revoked_at is None) for key in access.keys()]  # noqa: SIM118 - no mapping


def minted(db: Path) -> None:
    with Access.open(f"{db}-access") as access:
        access.mint("only", users=["zebulon-the-first"])
        access.mint("both", users=["zebulon-the-first", "bob"])


def test_from_python(db: Path) -> None:
    minted(db)
    with Memory(db, worker=False) as mem:
        assert mem.forget("zebulon-the-first", predicate="lives_in").limits == 0
        assert mem.forget("zebulon-the-first", agent_id="shop").limits == 0
        assert keys(db) == [
            ("only", ("zebulon-the-first",), True), ("both", ("zebulon-the-first", "bob"), True)
        ]  # fmt: skip
        assert mem.forget("zebulon-the-first").limits == 2
    assert keys(db) == [("only", (), False), ("both", ("bob",), True)]
    held = b"".join(path.read_bytes() for path in db.parent.iterdir() if path.is_file())
    assert b"zebulon-the-first" not in held


def test_awaited(db: Path) -> None:
    minted(db)

    async def forget() -> int:
        async with AsyncMemory(db, worker=False) as mem:
            return (await mem.forget("zebulon-the-first")).limits

    assert asyncio.run(forget()) == 2
    assert keys(db) == [("only", (), False), ("both", ("bob",), True)]


def test_somebody_of_whom_nothing_is_known_any_more_is_struck_too(db: Path) -> None:
    with Memory(db, worker=False) as mem:
        mem.forget("zebulon-the-first")
        minted(db)
        removed = mem.forget("zebulon-the-first")
    assert (removed.scopes, removed.limits) == (0, 2)


def test_without_keys_nothing_is_made(db: Path) -> None:
    with Memory(db, worker=False) as mem:
        assert mem.forget("zebulon-the-first").limits == 0
    assert not Path(f"{db}-access").exists()
    assert strike_beside(":memory:", "default", "bob") == 0
    with Memory(":memory:", worker=False) as mem:
        assert mem.forget("zebulon-the-first").limits == 0


def test_keys_that_cant_be_read_are_told_of_and_the_person_is_forgotten(db: Path) -> None:
    Path(f"{db}-access").write_bytes(b"no store of keys, whatever it is")
    with Memory(db, worker=False) as mem:
        removed = mem.forget("zebulon-the-first")
        assert removed.scopes == 1
        assert "keys to the served memory may still name this person" in removed.elsewhere[-1]
        assert mem.state("zebulon-the-first").values == {}

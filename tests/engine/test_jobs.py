"""Jobs come a page at a time, of a user or of all, and a cursor is of no use to anybody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensemem import Memory
from tensemem.errors import InvalidScopeError, InvalidValueError, UnknownFactError

WHOSE = [("an", ""), ("ann", ""), ("ann", "shop"), ("1.2.ann", "x"), ("bob", "1.0.")]


@pytest.fixture
def waiting(mem: Memory) -> Memory:
    for number in range(3):
        for user, agent in WHOSE:
            mem.add(user, f"hello {number}", agent_id=agent)
    mem.dismiss("ann", 2)
    return mem


def places(found: object) -> list[tuple[str, str, int]]:
    return [(job.user_id, job.agent_id, job.seq) for job in found]  # type: ignore[attr-defined]


def paged(mem: Memory, user: str | None, limit: int) -> list[tuple[str, str, int]]:
    found: list[tuple[str, str, int]] = []
    page = mem.jobs(user, limit=limit)
    while page:
        assert len(page) <= limit
        found += places(page)
        page = mem.jobs(user, limit=limit, after=page[-1].cursor)
    return found


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
@pytest.mark.parametrize("user", [None, "ann", "an", "1.2.ann", "bob", "nobody"])
def test_the_pages_are_the_whole_list(waiting: Memory, user: str | None, limit: int) -> None:
    whole = places(waiting.jobs(user))
    assert paged(waiting, user, limit) == whole
    assert len(whole) == {None: 14, "ann": 5, "nobody": 0}.get(user, 3)
    assert {name for name, _, _ in whole} <= ({user} if user else {name for name, _ in WHOSE})


def test_a_page_goes_on_though_what_came_before_is_settled(waiting: Memory) -> None:
    whole = places(waiting.jobs())
    first = waiting.jobs(limit=2)
    waiting.dismiss(first[-1].user_id, first[-1].seq, agent_id=first[-1].agent_id)
    assert places(waiting.jobs(after=first[-1].cursor)) == whole[2:]


def test_who_is_asked_about_one_user_takes_the_cursor_of_no_other(waiting: Memory) -> None:
    others = waiting.jobs("ann")[0].cursor
    for cursor in (others, "1.0.stranger", "1.0.bob\0", "nonsense", "1.0.", f"1.9.{'b' * 4}", "", f"{'9' * 30}.0.bob"):
        with pytest.raises(UnknownFactError, match="is no cursor of a job here"):
            waiting.jobs("bob", after=cursor)
    with pytest.raises(UnknownFactError, match="is no cursor"):
        waiting.jobs(after=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [0, -1, True, "3"])
def test_a_limit_that_is_none_is_refused(mem: Memory, limit: object) -> None:
    with pytest.raises(InvalidValueError, match="limit"):
        mem.jobs(limit=limit)  # type: ignore[arg-type]


def test_each_namespace_has_jobs_and_sizes_of_its_own(waiting: Memory) -> None:
    waiting.register_predicate("lives_in", namespace="acme")
    waiting.set("eve", "lives_in", "Rome", namespace="acme")
    waiting.add("ann", "hello", namespace="acme")
    at_home = places(waiting.jobs())
    assert places(waiting.jobs(namespace="acme")) == [("ann", "", 1)]
    assert places(waiting.jobs("ann", namespace="acme")) == [("ann", "", 1)]
    assert waiting.jobs("bob", namespace="acme") == ()
    assert waiting.jobs(namespace="nowhere") == ()
    with pytest.raises(UnknownFactError):
        waiting.jobs(namespace="acme", after=waiting.jobs("bob")[0].cursor)
    sizes = waiting.stats(namespace="acme")
    assert (sizes["namespace"], sizes["scopes"], sizes["facts"], sizes["pending"]) == ("acme", 2, 1, 1)
    assert waiting.stats()["pending"] == len(at_home)
    assert waiting.stats(namespace="nowhere")["scopes"] == 0
    waiting.dismiss("ann", 1, namespace="acme")
    assert waiting.jobs(namespace="acme") == ()
    assert places(waiting.jobs()) == at_home


def test_who_is_pinned_asks_about_no_other_namespace(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", namespace="acme", worker=False) as mem:
        mem.add("ann", "hello")
        assert places(mem.jobs(namespace="acme")) == places(mem.jobs()) == [("ann", "", 1)]
        assert mem.stats(namespace="acme") == mem.stats()
        with pytest.raises(InvalidScopeError, match="pinned"):
            mem.jobs(namespace="default")
        with pytest.raises(InvalidScopeError, match="pinned"):
            mem.stats(namespace="default")

"""Jobs come a page at a time, of a user or of all, and a cursor is of no use to anybody else."""

from __future__ import annotations

import pytest

from tensemem import Memory
from tensemem.errors import InvalidValueError, UnknownFactError

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
    waiting.dismiss(first[-1].user_id, first[-1].seq)
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

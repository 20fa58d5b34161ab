"""Messages are given back as they were said: by session, by place, and the newest of them."""

from __future__ import annotations

import pytest

from tensemem import Memory
from tensemem.engine import listing
from tensemem.errors import InvalidValueError
from tests.engine.bench import Clock, Told, lives

KEY = "sk-proj-Zq81xKf93LmNvTy72RbWcD45hJgPsXe06uAoQi"


def contents(mem: Memory, **asked) -> list[str]:
    return [each.content for each in mem.messages("ann", **asked)]


def test_messages_of_every_role_come_back_in_order(mem: Memory, clock: Clock) -> None:
    mem.add("ann", "hello", session_id="s1", source="web", metadata={"a": [1, {"b": None}]})
    mem.add("ann", "hi", role="assistant", session_id="s1")
    mem.add("ann", "42", role="tool")
    mem.add("bob", "mine")
    first, *others = mem.messages("ann")
    assert (first.seq, first.role, first.content, first.session_id, first.source) == (1, "user", "hello", "s1", "web")
    assert first.metadata == {"a": [1, {"b": None}]}
    assert first.said_at == first.recorded_at == clock.now
    assert [(each.seq, each.role, each.content, each.metadata) for each in others] == [
        (2, "assistant", "hi", {}), (3, "tool", "42", {}),
    ]  # fmt: skip
    assert mem.for_user("ann").messages() == (first, *others)


def test_there_are_none_where_nothing_was_said(mem: Memory) -> None:
    assert mem.messages("nobody") == ()
    mem.set("ann", "lives_in", "Delhi")
    assert mem.messages("ann") == ()
    assert [scope.user_id for scope in mem.scopes()] == ["ann"]


def test_a_session_is_given_alone_and_its_newest_however_many_lie_between(mem: Memory) -> None:
    for number in range(listing.CHUNK):
        mem.add("ann", f"one {number}", session_id="s1")
        mem.add("ann", f"two {number}", session_id="s2")
    assert contents(mem, session_id="s1") == [f"one {number}" for number in range(listing.CHUNK)]
    assert contents(mem, session_id="s2", limit=2) == [f"two {number}" for number in range(listing.CHUNK)][-2:]
    assert contents(mem, session_id="s3") == []


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"limit": 2}, [4, 5]), ({"before": 4}, [1, 2, 3]), ({"before": 4, "limit": 1}, [3]), ({"after": 3}, [4, 5]),
        ({"after": 2, "before": 5, "limit": 1}, [4]), ({"after": 5}, []), ({"before": 1}, []),
        ({"limit": 9}, [1, 2, 3, 4, 5]),
    ],
)  # fmt: skip
def test_a_stretch_is_bounded_on_both_sides(mem: Memory, asked, wanted) -> None:
    for number in range(5):
        mem.add("ann", f"message {number}")
    assert [each.seq for each in mem.messages("ann", **asked)] == wanted


def test_a_bounded_stretch_reads_no_more_than_it_needs(mem: Memory, monkeypatch) -> None:
    for number in range(3 * listing.CHUNK):
        mem.add("ann", f"message {number}", session_id="s1")
    read = []
    with mem._engine.store.read() as opened_reader:
        reader = type(opened_reader)
    honest = reader.messages_before

    def counted(self, *args):
        found = honest(self, *args)
        read.append(len(found))
        return found

    monkeypatch.setattr(reader, "messages_before", counted)
    mem.messages("ann", session_id="s1", limit=3)
    mem.messages("ann", session_id="s2", after=3 * listing.CHUNK - 3)
    assert read == [listing.CHUNK, listing.CHUNK]


def test_one_from_which_a_fact_was_corrected_says_so(mem: Memory, told: Told) -> None:
    told.answers["I live in Delhi"] = [lives("Delhi")]
    told.answers["I live in Pune"] = [lives("Pune")]
    mem.add("ann", "I live in Delhi")
    mem.add("ann", "I live in Pune")
    mem.flush("ann")
    fact = mem.state("ann").fact("lives_in")
    assert fact is not None
    mem.correct(fact.id)
    assert [each.corrected for each in mem.messages("ann")] == [False, True]
    mem.reinstate(fact.id)
    assert [each.corrected for each in mem.messages("ann")] == [False, False]


def test_a_secret_in_a_sessions_name_is_found_as_it_was_kept(mem: Memory) -> None:
    mem.add("ann", "hello", session_id=KEY)
    (found,) = mem.messages("ann", session_id=KEY)
    assert KEY not in str(found)


@pytest.mark.parametrize(
    "asked",
    [{"limit": 0}, {"limit": True}, {"after": -1}, {"after": None}, {"before": "x"}, {"session_id": 1}],
)
def test_what_is_no_stretch_is_refused(mem: Memory, asked) -> None:
    with pytest.raises(InvalidValueError):
        mem.messages("ann", **asked)

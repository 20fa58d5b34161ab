"""A turn: the context is fresh up to the message before, both messages are logged, once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory, errors


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as made:
        made.register_predicate("lives_in")
        yield made


def logged(mem: Memory, *words: str) -> list[tuple[str | None, str]]:
    """Role and text of the messages that hold one of some words, as they were said."""
    hits = [hit for word in words for hit in mem.search("u1", word, limit=50) if hit.kind != "fact"]
    return [(hit.role, hit.text) for hit in sorted(hits, key=lambda hit: hit.seq or 0)]


def test_both_messages_are_logged_with_their_roles(mem: Memory) -> None:
    with mem.turn("u1", "I live in Delhi", session_id="s1") as turn:
        assert str(turn.context) == ""
        assert turn.notice == ""
        turn.answer = "Delhi it is"
    assert (turn.seq, turn.min_seq) == (1, 2)
    mem.flush()
    assert logged(mem, "Delhi") == [("user", "I live in Delhi"), ("assistant", "Delhi it is")]
    with mem.turn("u1", "Where do I live?") as turn:
        assert [fact.object for fact in turn.context.facts_used] == ["Delhi"]
        assert turn.context.freshness.is_current


def test_the_message_of_the_turn_itself_makes_nothing_stale(mem: Memory) -> None:
    with mem.turn("u1", "I live in Delhi") as turn:
        assert turn.context.freshness.is_current
        assert turn.context.freshness.pending == 1


def test_what_came_before_and_is_not_learnt_from_is_told_apart_from_the_context(mem: Memory) -> None:
    with mem.turn("u1", "I live in Delhi"):
        pass
    with mem.turn("u1", "hello") as turn:
        assert not turn.context.freshness.is_current
        assert turn.notice.startswith("Memory is behind: ")
    with pytest.raises(errors.StaleMemoryError), mem.turn("u1", "hello?", on_stale="raise"):
        raise AssertionError("the block must not begin")


def test_the_context_has_the_same_bytes_while_the_state_is_the_same(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    texts = []
    for text in ("hi", "how are you?", "what now?"):
        with mem.turn("u1", text) as turn:
            texts.append(str(turn.context))
            turn.answer = "fine"
        mem.flush()
    assert len(set(texts)) == 1
    with mem.turn("u1", "I moved to Bangalore"):
        pass
    mem.flush()
    with mem.turn("u1", "hi") as turn:
        assert str(turn.context) != texts[0]


def test_a_turn_that_fails_keeps_what_was_said_and_no_answer(mem: Memory) -> None:
    def fails() -> None:
        with mem.turn("u1", "I live in Delhi") as turn:
            turn.answer = "half an ans"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert logged(mem, "Delhi", "half") == [("user", "I live in Delhi")]


def test_a_turn_that_is_run_again_is_one_turn_and_the_first_answer_stands(mem: Memory) -> None:
    for answer in ("answer one", "answer one", "answer two"):
        with mem.turn("u1", "I live in Delhi", idempotency_key="r1") as turn:
            turn.answer = answer
    assert logged(mem, "Delhi", "answer") == [("user", "I live in Delhi"), ("assistant", "answer one")]
    with pytest.raises(errors.IdempotencyConflictError), mem.turn("u1", "I live in Rome", idempotency_key="r1"):
        raise AssertionError("the block must not begin")


def test_a_turn_is_no_turn_outside_its_block(mem: Memory) -> None:
    with pytest.raises(errors.InvalidValueError, match="with block"):
        _ = mem.turn("u1", "hi").context
    assert mem.state("u1").rev == 0


@pytest.mark.parametrize("name", ["context", "notice", "seq", "min_seq"])
def test_nothing_is_known_of_a_turn_before_it_begins(mem: Memory, name: str) -> None:
    with pytest.raises(errors.InvalidValueError, match="with block"):
        getattr(mem.turn("u1", "hi"), name)


def test_a_turn_is_used_once_and_the_next_tells_what_is_not_learnt_from(mem: Memory) -> None:
    turn = mem.turn("u1", "I live in Delhi")
    with turn:
        turn.answer = "Noted"
        with pytest.raises(errors.InvalidValueError, match="one turn"):
            turn.__enter__()
    with pytest.raises(errors.InvalidValueError, match="one turn"), turn:
        raise AssertionError("the block must not begin")
    assert logged(mem, "Delhi", "Noted") == [("user", "I live in Delhi"), ("assistant", "Noted")]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError])
def test_whatever_ends_a_block_early_leaves_no_answer(mem: Memory, stop: type[BaseException]) -> None:
    def stops() -> None:
        with mem.turn("u1", "I live in Delhi") as turn:
            turn.answer = "half an ans"
            raise stop

    with pytest.raises(stop):
        stops()
    assert logged(mem, "Delhi", "half") == [("user", "I live in Delhi")]


@pytest.mark.parametrize(
    "answer",
    [
        5, b"x", {"role": "assistant", "content": "x"}, "\ud800", "a\x00b",
        [{"role": "user", "content": "I live in Rome"}],
        [{"type": "text", "text": "x"}, {"role": "user", "content": "I live in Rome"}],
        ({"role": "assistant", "content": "x"},),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_answer_is_refused_and_teaches_nothing(mem: Memory, answer: Any) -> None:
    with pytest.raises(errors.InvalidValueError), mem.turn("u1", "I live in Delhi") as turn:
        turn.answer = answer
    mem.flush()
    assert [message.content for message in mem.messages("u1")] == ["I live in Delhi"]
    assert mem.get("u1", "lives_in") == "Delhi"


def test_an_answer_in_parts_and_the_context_given_back_teach_nothing(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    with mem.turn("u1", [{"type": "text", "text": "I live in Rome"}]) as turn:
        parts: Any = [{"type": "text", "text": f"{turn.context}\nI live in Paris"}, {"type": "tool_use", "id": "1"}]
        turn.answer = parts
    mem.flush()
    assert mem.get("u1", "lives_in") == "Rome"
    with mem.turn("u1", f"You said:\n{turn.context}\nIs that so?"):
        pass
    mem.flush()
    assert mem.get("u1", "lives_in") == "Rome"


@pytest.mark.parametrize("length", [1, 400, 401, 505, 512])
def test_a_key_of_any_length_that_is_taken_serves_both_messages(mem: Memory, length: int) -> None:
    for answer in ("answer one", "answer two"):
        with mem.turn("u1", "I live in Delhi", idempotency_key="k" * length) as turn:
            turn.answer = answer
    assert logged(mem, "Delhi", "answer") == [("user", "I live in Delhi"), ("assistant", "answer one")]


def test_the_arguments_of_context_and_add_go_where_they_belong(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi", agent_id="a1")
    with mem.turn("u1", "hi", agent_id="a1", format="json", said_at="2026-01-01T10:00:00Z", metadata={"k": 1}) as turn:
        assert '"Delhi"' in str(turn.context)
    with mem.turn("u1", "hi", agent_id="a1", max_tokens=0) as turn:
        assert str(turn.context) == ""
    with mem.for_user("u1", agent_id="a1").turn("hi there") as turn:
        assert "Delhi" in str(turn.context)


def test_an_awaited_turn_does_the_same() -> None:
    async def fails(mem: AsyncMemory) -> None:
        async with mem.turn("u1", "again") as turn:
            turn.answer = "no"
            raise ZeroDivisionError

    async def story() -> list[str]:
        async with AsyncMemory(":memory:", llm=FakeExtractor(), worker=False) as mem:
            await mem.register_predicate("lives_in")
            async with mem.turn("u1", "I live in Delhi") as turn:
                turn.answer = "Noted"
            await mem.flush()
            async with mem.for_user("u1").turn("Where do I live?") as turn:
                pass
            with pytest.raises(errors.InvalidValueError, match="one turn"):
                await turn.__aenter__()
            with pytest.raises(ZeroDivisionError):
                await fails(mem)
            hits = await mem.search("u1", "no")
            assert [hit for hit in hits if hit.role == "assistant" and hit.text == "no"] == []
            return [fact.object for fact in turn.context.facts_used]

    assert asyncio.run(story()) == ["Delhi"]


def test_a_turn_that_is_run_again_lags_behind_what_was_said_since(mem: Memory) -> None:
    with mem.turn("u1", "hello", idempotency_key="r1"):
        pass
    mem.flush()
    mem.add("u1", "I live in Oslo")
    with mem.turn("u1", "hello", idempotency_key="r1") as again:
        assert not again.context.freshness.is_current
        assert again.notice.startswith("Memory is behind: 1 recent message is")

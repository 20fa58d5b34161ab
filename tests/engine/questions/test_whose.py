"""Whose questions are asked, and through which handles they are answered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.errors import ReadOnlyError, UnknownFactError
from tests.engine.bench import Clock, day, opened, refused
from tests.engine.questions.doubts import a_contest, only, reported


def test_a_question_is_another_users_to_nobody_else(mem: Memory, talk: Any) -> None:
    a_contest(mem, talk)
    question = only(mem)
    assert mem.questions("bob") == mem.questions("ann", agent_id="coach") == mem.questions("ann", namespace="x") == ()
    for options in ({"user_id": "bob"}, {"agent_id": "coach"}, {"namespace": "x"}):
        with refused(mem, UnknownFactError):
            mem.answer(question.id, "yes", **options)  # type: ignore[arg-type]
    with refused(mem, UnknownFactError):
        mem.for_user("bob").answer(question.id, "yes")
    ann = mem.for_user("ann")
    assert ann.questions(limit=1) == (question,)
    ann.answer(question.id, "yes")
    assert ann.questions() == ()


def test_a_reader_sees_the_questions_and_settles_none(tmp_path: Path, clock: Clock) -> None:
    clock.now = day(100)
    path = tmp_path / "m.db"
    with opened(path, clock=clock) as mem:
        mem.write("ann", [reported("set", "lives_in", "Rome")])
        mem.register_predicate("diet", review_after="10d")
        mem.set("ann", "diet", "vegan", said_at=day(1))
        wanted = mem.questions("ann")
        assert [one.kind for one in wanted] == ["candidate", "due_for_review"]
        mem.register_predicate("lives_in", aliases=("home",), description="The person's city", update=True)
        with opened(path, clock=clock, read_only=True) as reader:
            seen = reader.questions("ann")
            assert [one.id for one in seen] == [one.id for one in wanted]
            with pytest.raises(ReadOnlyError):
                reader.answer(seen[0].id, "yes")
        assert mem.questions("ann") == seen


def test_questions_and_answers_can_be_awaited(clock: Clock) -> None:
    async def settle() -> None:
        async with AsyncMemory(":memory:", worker=False, clock=clock, durability="process") as mem:
            await mem.register_predicate("lives_in")
            await mem.write("ann", [reported("set", "lives_in", "Rome")])
            (question,) = await mem.questions("ann")
            ann = mem.for_user("ann")
            assert await ann.questions() == (question,)
            assert (await ann.answer(question.id, "yes")).current
            assert await mem.questions("ann") == ()

    asyncio.run(settle())


@pytest.mark.parametrize(("held", "said", "wanted"), [("no", "no", "no"), ("yes", "no", "no"), ("yes", "Yes", "yes")])
def test_a_choice_that_a_question_offers_is_that_choice(mem: Memory, held: str, said: str, wanted: str) -> None:
    mem.register_predicate("consent", choices=["yes", "no"], review_after="1d")
    mem.set("u", "consent", held, said_at="2020-01-01T00:00:00Z")
    [question] = [one for one in mem.questions("u") if one.fact.predicate == "consent"]
    mem.answer(question.id, said)
    assert mem.get("u", "consent") == wanted

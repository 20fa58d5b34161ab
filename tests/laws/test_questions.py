"""Whatever was said, every question can be settled by yes or no, and settling it touches nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from tensemem import Fact, Predicate, Question
from tensemem.errors import ConflictError, InvalidValueError
from tests.laws.law import law
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Scenario, Settle, scenarios
from tests.settings import some_settings

_answers = st.lists(st.sampled_from(("yes", "no")), min_size=1, max_size=5)
_values_too = st.lists(st.sampled_from(("yes", "no", "first", "last")), min_size=1, max_size=5)
"""``first`` and ``last`` stand for the first and the last of the question's options."""


def played(player: Player) -> Player:
    """Play a scenario, then let every fact grow old."""
    player.play_all()
    player.act(Settle())
    for predicate in player.mem.predicates():
        given_ = {field.name: getattr(predicate, field.name) for field in fields(Predicate) if field.name != "name"}
        player.mem.register_predicate(predicate.name, **{**given_, "review_after": "1d", "update": True})
    player.clock.now += timedelta(days=2)
    return player


def names_of(fact: Fact) -> tuple[str, str]:
    return fact.subject, fact.predicate


def slot_of(question: Question) -> tuple[str, str]:
    return names_of(question.fact)


def elsewhere(player: Player, slot: tuple[str, str]) -> dict[str, Any]:
    """All that shows or waits in other slots, and what is asked about it."""
    state = player.mem.state(USER)
    everything = (*state.facts, *state.planned, *state.candidates)
    return {
        "facts": [fact for fact in everything if (fact.subject, fact.predicate) != slot],
        "questions": [one for one in player.mem.questions(USER) if slot_of(one) != slot],
    }


def settle_all(player: Player, answers: list[str]) -> Iterator[Question]:
    """Answer every question there is, in turn; gives each after it was answered."""
    for number in range(60):
        found = player.mem.questions(USER)
        answerable = [one for one in found if is_answerable(player, one)]
        if not answerable:
            return
        question = answerable[0]
        said = answer(player, question, answers[number % len(answers)])
        yield question
        # Where sources have ranks, a "yes" of a lower one accepts and renews nothing: then it is asked once more.
        is_ranked = any(one.trust for one in player.mem.predicates() if one.name == question.fact.predicate)
        is_new = question.kind != "due_for_review" and not question.text.startswith("Is it right")
        if said == "yes" and is_new and not is_ranked:
            asked = [one for one in player.mem.questions(USER) if is_answerable(player, one)]
            again = [one.fact for one in asked if one.kind == "due_for_review"]
            assert question.fact.object not in [fact.object for fact in again if slot_of(question) == names_of(fact)]
    raise AssertionError("the questions do not come to an end")


def answer(player: Player, question: Question, word: str, **options: Any) -> Any:
    """Answer a question; by no where the value can't be confirmed, or says nothing about the one asked about."""
    before = player.revs()
    places = {"first": question.options[:1], "last": question.options[-1:]}
    said: Any = (places.get(word, (word,)) or ("no",))[0]
    try:
        player.mem.answer(question.id, said, **options)
    except InvalidValueError:
        assert player.revs() == before
        is_old = question.kind == "due_for_review"
        assert said not in ("no", False)
        assert word in places or is_old, "yes is refused only for what is none of the attribute's values any more"
        said = "no"
        player.mem.answer(question.id, said, **options)
    return said


def is_answerable(player: Player, question: Question) -> bool:
    """Whether the application may write it at all, or it only waits for a review."""
    predicate = next(one for one in player.mem.predicates() if one.name == question.fact.predicate)
    return question.kind != "due_for_review" or predicate.writers is None or "application" in predicate.writers


@some_settings
@law(scenario=scenarios(), answers=_values_too)
def test_every_question_can_be_settled_and_the_log_still_says_all(scenario: Scenario, answers: list[str]) -> None:
    with Player(scenario) as player:
        played(player)
        for question in settle_all(player, answers):
            assert question.id not in {one.id for one in player.mem.questions(USER)}
        assert player.mem.verify().identical
        assert not [one for one in player.mem.questions(USER) if is_answerable(player, one)]


@some_settings
@law(scenario=scenarios(), answers=_answers, pick=st.integers(0, 5))
def test_an_answer_touches_its_own_slot_only(scenario: Scenario, answers: list[str], pick: int) -> None:
    with Player(scenario) as player:
        found = [one for one in played(player).mem.questions(USER) if is_answerable(player, one)]
        if found:
            question = found[pick % len(found)]
            before = elsewhere(player, slot_of(question))
            said = answer(player, question, answers[0], idempotency_key="once")
            assert elsewhere(player, slot_of(question)) == before
            told = player.revs(), player.mem.questions(USER)
            assert player.mem.answer(question.id, said, idempotency_key="once").duplicate
            assert (player.revs(), player.mem.questions(USER)) == told


@some_settings
@law(scenario=scenarios())
def test_every_statement_is_asked_about_once_and_nothing_without_cause(scenario: Scenario) -> None:
    with Player(scenario) as player:
        found = played(player).mem.questions(USER)
        state = player.mem.state(USER)
        about = [one.fact.id for one in found]
        assert len(set(about)) == len(about)
        assert len({one.id for one in found}) == len(found)
        waiting = {fact.id for fact in state.candidates}
        due = {plan.id for plan in state.planned if plan.valid_from is not None and plan.valid_from <= state.at}
        assert {one.fact.id for one in found if one.kind == "due_plan"} == due
        assert waiting <= set(about)
        doubted = {fact.id for fact in state.facts if fact.contested}
        assert {one.other.id for one in found if one.kind == "contested" and one.other is not None} <= doubted
        old = {fact.id for fact in state.facts if fact.due_for_review}
        assert {one.fact.id for one in found if one.kind == "due_for_review"} <= old - doubted
        slots = {(fact.subject, fact.predicate) for fact in state.facts if fact.id in doubted | old}
        assert slots <= {slot_of(one) for one in found}
        if not (waiting or due or doubted or old):
            assert found == ()


@some_settings
@law(scenario=scenarios(), answers=_answers)
def test_questions_are_those_of_a_rebuilt_memory_and_a_reader(scenario: Scenario, answers: list[str]) -> None:
    with Player(scenario) as player:
        found = played(player).mem.questions(USER)
        player.mem.rebuild()
        assert player.mem.questions(USER) == found
        if found and is_answerable(player, found[0]):
            answer(player, found[0], answers[0])
            again = next((one for one in player.mem.questions(USER) if one.id == found[0].id), None)
            if again is not None:  # where sources have ranks, the next trusted one shows: the same against another
                assert again.other is not None
                assert again.text != found[0].text
                return
            try:
                player.mem.answer(found[0].id, answers[0])
            except ConflictError:
                return
            except InvalidValueError as error:
                raise AssertionError("a question that is settled is not looked at again") from error
            raise AssertionError("a settled question was answered again")

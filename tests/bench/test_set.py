"""The conversations that come with the library are what their page says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tensemem.bench import Conversation, packaged_set
from tensemem.bench.cases import Amend, Ask, AsOf, Current, Never, Past, Proposal, Rebuild, Register, Say, Told, Write
from tensemem.core.text import find_quote

SET = packaged_set()
PROMISED = {
    "aliases", "batches", "chit-chat", "corrections", "doubt", "echo", "flip-flop", "hypotheticals", "languages",
    "late-arrival", "long-talks", "many-valued", "periods", "plans", "poisoning", "relocation",
    "retraction-and-denial", "third-parties", "time-zones", "typed-values", "unread-messages",
}  # fmt: skip


def proposals() -> Iterator[tuple[Conversation, Say, Proposal]]:
    for conversation in SET:
        for step in conversation.steps:
            if isinstance(step, Say):
                yield from ((conversation, step, proposal) for proposal in step.proposes)


def test_there_are_enough_of_every_sort() -> None:
    counts = Counter(one.category for one in SET)
    assert set(counts) == PROMISED
    assert len(SET) >= 150
    assert min(counts.values()) >= 5
    assert {"en", "zh", "es", "de", "fr", "ja", "hi", "pt"} <= {one.language for one in SET}
    assert len({one.id for one in SET}) == len(SET)


def test_every_one_says_why_it_is_there_and_how_people_ask() -> None:
    for one in SET:
        assert one.why, one.place
        for predicate in one.predicates:
            assert one.questions[predicate] != predicate.replace("_", " "), one.place


def test_every_one_is_a_conversation_and_ends_with_questions() -> None:
    for one in SET:
        assert len([step for step in one.steps if isinstance(step, Say | Write | Amend)]) >= 3, one.place
        assert isinstance(one.steps[-1], Ask), one.place


def test_no_two_tell_the_same() -> None:
    texts = Counter(tuple(step.text for step in one.steps if isinstance(step, Say)) for one in SET)
    texts.pop((), None)
    assert {text: count for text, count in texts.items() if count > 1} == dict.fromkeys(_TOLD_TWICE, 2)


_TOLD_TWICE = [
    ("I live in Aachen.", "I live in Bonn now."),
    ("My phone is 555 0101.", "My brother says my new phone is 555 0188."),
]
"""The same talk, with one correction and with two; reviewed with a yes and with a no."""


def test_a_quote_stands_in_its_message_unless_it_is_marked_as_wrong() -> None:
    astray = [(one.place, proposal) for one, step, proposal in proposals() if not _is_quoted(step, proposal)]
    assert astray == []


def _is_quoted(step: Say, proposal: Proposal) -> bool:
    return bool(proposal.wrong) or find_quote(proposal.operation.quote, step.text) is not None


def test_models_err_in_many_ways() -> None:
    wrong = [(step, proposal) for _, step, proposal in proposals() if proposal.wrong]
    assert len(wrong) >= 40
    assert any(find_quote(proposal.operation.quote, step.text) is None for step, proposal in wrong)
    assert any(find_quote(proposal.operation.quote, step.text) is not None for step, proposal in wrong)
    assert {step.role for step, _ in wrong} == {"user", "assistant", "tool", "system"}


@pytest.mark.parametrize("kind", [Current, Past, AsOf, Never, Told])
def test_every_kind_of_question_is_asked_often_enough(kind: type) -> None:
    asked = [check for one in SET for check in one.checks if isinstance(check, kind)]
    assert len(asked) >= 5
    if kind is not Told:
        assert len(asked) >= 30


def test_every_shade_of_a_question_is_asked() -> None:
    checks = [check for one in SET for check in one.checks]
    current = [check for check in checks if isinstance(check, Current)]
    assert sum(check.corrected for check in current) >= 20
    assert sum(bool(check.stale) for check in current) >= 100
    assert sum(check.value is None for check in current) >= 10
    assert {check.contested for check in current} == {None, True, False}
    assert any(check.held for check in current)
    assert any(check.planned for check in current)
    as_of = [check for check in checks if isinstance(check, AsOf)]
    assert {(check.at is None, check.known_at is None) for check in as_of} == {
        (False, True),
        (True, False),
        (False, False),
    }


def test_every_kind_of_step_is_taken() -> None:
    steps = [step for one in SET for step in one.steps]
    assert {type(step) for step in steps} == {Say, Write, Amend, Register, Rebuild, Ask}
    assert {step.verb for step in steps if isinstance(step, Amend)} == {"correct", "reinstate", "review"}
    says = [step for step in steps if isinstance(step, Say)]
    assert {say.recall for say in says} == {"", "fenced", "bare", "again"}
    assert any(say.speaker for say in says)
    assert any(say.is_unreadable for say in says)
    assert any(say.heard > say.at for say in says)
    assert len({one.zone for one in SET}) >= 10

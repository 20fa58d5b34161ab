"""Questions about attributes with many values."""

from __future__ import annotations

from typing import Any

from tensemem import Memory
from tensemem.errors import InvalidValueError
from tests.engine.bench import day, refused, revs
from tests.engine.questions.doubts import entries, only, reported, texts
from tests.engine.questions.test_answers import ACCEPTED, written


def test_one_of_several_values_is_asked_for_and_taken_by_itself(mem: Memory, talk: Any) -> None:
    mem.register_predicate("languages", "many", review_after="30d", update=True)
    mem.replace_values("ann", "languages", ["Go", "SQL"], said_at=day(10))
    mem.add_value("ann", "languages", "Rust", said_at=day(99))
    talk("Bob says I speak Latin", reported("add", "languages", "Latin"), on=99)
    talk("Bob says I forgot Rust", reported("remove", "languages", "Rust"), on=99.5)
    assert texts(mem) == [
        "Is it right that Rust is no longer one of your languages?", "Is Latin one of your languages?",
        "Is Go still one of your languages?", "Is SQL still one of your languages?",
    ]  # fmt: skip
    before = revs(mem)[0]
    for question, answer in zip(mem.questions("ann"), ("yes", "Latin", "no", "sql"), strict=True):
        mem.answer(question.id, answer)
    assert entries(mem, before) == [
        *ACCEPTED, *ACCEPTED, written("remove", "Go"), written("confirm", "SQL"),
    ]  # fmt: skip
    assert mem.get("ann", "languages") == ("Latin", "SQL")
    assert mem.questions("ann") == ()


def test_another_value_says_nothing_about_one_of_several(mem: Memory, talk: Any) -> None:
    talk("Bob says I speak Latin", reported("add", "languages", "Latin"))
    with refused(mem, InvalidValueError, match="answer yes or no.*add_value"):
        mem.answer(only(mem).id, "Go")
    assert only(mem).options == ("Latin",)


def test_a_list_that_would_replace_all_is_asked_for_once(mem: Memory, talk: Any) -> None:
    mem.replace_values("ann", "languages", ["Go", "SQL", "Rust"], said_at=day(10))
    talk("Bob says I only speak Rust and Latin", reported("replace", "languages", ["Rust", "Latin"]))
    question = only(mem)
    assert question.text == "Is it right that “languages” for you is now Rust, Latin and nothing else?"
    assert question.kind == "contested"
    assert question.other is not None
    assert question.other.value == "Go"
    with refused(mem, InvalidValueError):
        mem.answer(question.id, "Rust")
    mem.answer(question.id, "yes")
    assert mem.get("ann", "languages") == ("Latin", "Rust")
    assert mem.questions("ann") == ()

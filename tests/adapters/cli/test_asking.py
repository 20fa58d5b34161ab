"""Questions are shown, and settled, from the command line as from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

REPORTING = """
from tensemem import Operation


def ask(request):
    words = request.messages[0].content
    return [Operation('set', 'lives_in', words.split()[-1], quote=words, modality='reported')]
"""


@pytest.fixture
def doubtful(seeded: Any, tmp_path: Path) -> Any:
    """A memory in which it is in doubt whether Alice still lives in Bangalore."""
    (tmp_path / "told.py").write_text(REPORTING, encoding="utf-8")
    seeded.ok("add", "alice", "Bob says I live in Rome", "--llm", "told:ask")
    return seeded


def asked(cli: Any, *options: str) -> Any:
    return cli.ok("questions", "alice", "--json", *options).json["questions"]


def test_a_question_is_shown_with_its_id_and_what_may_be_answered(doubtful: Any) -> None:
    (question,) = asked(doubtful)
    ran = doubtful.ok("questions", "alice")
    assert ran.out.splitlines() == [
        "Do you live in Rome now, and no longer in Bangalore?  contested",
        f"  {question['id']}  yes or no, or one of: Rome, Bangalore",
    ]
    assert question["text"] in ran.out
    assert (question["fact"]["value"], question["other"]["value"]) == ("Rome", "Bangalore")
    assert (question["priority"], question["options"]) == (1, ["Rome", "Bangalore"])


@pytest.mark.parametrize(("answer", "shown"), [("yes", "Rome"), ("NO", "Bangalore"), ("Oslo", "Oslo")])
def test_an_answer_settles_it(doubtful: Any, answer: str, shown: str) -> None:
    (question,) = asked(doubtful)
    ran = doubtful.ok("answer", question["id"], answer, "--json").json
    assert ran["shown"]["value"] == shown
    assert doubtful.ok("get", "alice", "lives_in").out == f"{shown}\n"
    assert doubtful.ok("questions", "alice").out == "nothing to ask\n"
    late = doubtful("answer", question["id"], "yes")
    assert late.code == 3
    assert f"lives_in of user is '{shown}' now" in late.err


def test_an_answer_may_be_json_and_carries_what_receipts_carry(seeded: Any) -> None:
    seeded.ok("register", "age", "--type", "number", "--review-after", "10d")
    seeded.ok("set", "alice", "age", "30", "--said-at", "2026-01-01")
    (question,) = asked(seeded)
    assert question["text"] == "Is your age still 30?"
    arguments = ("answer", question["id"], "31", "--type-json", "--user", "alice", "--idempotency-key", "k", "--json")
    told = seeded.ok(*arguments).json
    assert (told["current"], told["shown"]["value"], told["duplicate"]) == (True, 31, False)
    assert seeded.ok(*arguments).json["duplicate"] is True


def test_a_bad_answer_and_another_users_question_are_refused(doubtful: Any) -> None:
    (question,) = asked(doubtful)
    assert doubtful("answer", question["id"], "yes", "--user", "bob").code == 3
    assert doubtful("answer", "nonsense", "yes").code == 3
    assert doubtful("answer", question["id"], " ").code == 3
    assert asked(doubtful) == [question]


def test_the_limit_keeps_the_most_pressing(doubtful: Any) -> None:
    doubtful.ok("register", "diet", "--review-after", "10d")
    doubtful.ok("set", "alice", "diet", "vegan", "--said-at", "2026-01-01")
    assert [question["kind"] for question in asked(doubtful)] == ["contested", "due_for_review"]
    assert [question["kind"] for question in asked(doubtful, "--limit", "1")] == ["contested"]


def test_what_waits_to_be_extracted_is_told_beside_the_questions(seeded: Any) -> None:
    seeded.ok("add", "alice", "I live in Goa")
    ran = seeded.ok("questions", "alice")
    assert ran.out == "nothing to ask\n"
    assert "1 message pending" in ran.err

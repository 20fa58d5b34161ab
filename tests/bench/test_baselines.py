"""The simpler memories do what they are said to do, and are not made worse than they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import Operation
from tensemem.bench.baselines import TOP, LastWriteWins, Retrieval, Transcript
from tensemem.bench.cases import Amend, Current, Never, Say, Target, Write

from .made import asks, lives, made, one

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def heard(number: int, text: str, **more: Any) -> Say:
    at = START + timedelta(hours=number)
    return Say(at=at, heard=at, text=text, **more)


@pytest.fixture
def keys(tmp_path: Path) -> LastWriteWins:
    predicates = {"lives_in": {}, "languages": {"cardinality": "many"}}
    checks = asks(2, {"current": "lives_in", "is": None})
    (conversation,) = made(tmp_path, one(lives(1, "Graz"), checks, predicates=predicates))
    return LastWriteWins(conversation)


def values(keys: LastWriteWins, predicate: str = "lives_in", subject: str = "user") -> Any:
    return keys.current(Current(predicate, None, subject), "").values


def lives_in(value: Any = None, op: Any = "set", **more: Any) -> Operation:
    return Operation(op, "lives_in", value, **more)


def amended(verb: Any, target: str, **options: Any) -> Amend:
    return Amend(START, verb, Target("lives_in", target), options)


def test_a_transcript_gives_everything_in_order_of_when_it_was_said() -> None:
    transcript = Transcript()
    transcript.hear(heard(2, "Second.", role="assistant"), "Second.")
    transcript.hear(heard(1, "First.", speaker="Noor"), "First.")
    transcript.write(Write(START, START, (lives_in("Graz"),)))
    transcript.amend(Amend(START, "correct", Target("lives_in", "Graz"), {"value": "Linz"}))
    assert transcript.told("anything") == (
        "[2026-03-01 09:00] application: set user lives_in Graz\n"
        "[2026-03-01 09:00] application: correct user lives_in Graz: it was Linz\n"
        "[2026-03-01 10:00] Noor: First.\n"
        "[2026-03-01 11:00] assistant: Second."
    )


def test_retrieval_gives_the_messages_that_share_words_and_the_newer_among_equals() -> None:
    retrieval = Retrieval()
    texts = ["My dog is Biscuit.", "Rain.", "Sun.", "Snow.", "Hail."]
    for number, text in enumerate(texts):
        retrieval.hear(heard(number, text), text)
    lines = retrieval.told("What is the name of my dog?").splitlines()
    assert len(lines) == TOP
    assert "Biscuit" in lines[0]
    assert [line[-5:] for line in lines[1:]] == ["Snow.", "Hail."]


def test_the_last_write_wins_and_a_list_grows(keys: LastWriteWins) -> None:
    keys.learn([lives_in("Graz"), lives_in("Linz"), Operation("add", "languages", "Go")])
    keys.learn([Operation("set", "languages", "C"), Operation("remove", "languages", "go")])
    assert values(keys) == ("Linz",)
    assert values(keys, "languages") == ("C",)
    keys.write(Write(START, START, (Operation("replace", "languages", ["Zig", "Ada"]),)))
    assert values(keys, "languages") == ("Zig", "Ada")
    assert keys.told("") == "languages of user: Zig, Ada\nlives_in of user: Linz"


def test_what_the_extractor_does_not_assert_is_not_believed(keys: LastWriteWins) -> None:
    keys.learn([lives_in("Oslo", modality=kind) for kind in ("planned", "hypothetical", "question", "reported")])
    assert values(keys) == ()
    assert keys.ever(Never("lives_in", None)) is False


def test_one_relation_is_one_key_whatever_it_is_called(keys: LastWriteWins) -> None:
    keys.learn([lives_in("Pune", subject="my wife")])
    assert values(keys, subject="user.wife") == ("Pune",)
    assert values(keys) == ()


@pytest.mark.parametrize("op", ["retract", "remove", "deny"])
def test_what_is_taken_back_is_gone(keys: LastWriteWins, op: str) -> None:
    keys.learn([lives_in("Graz"), lives_in("Linz", op)])
    assert values(keys) == ("Graz",)
    keys.learn([lives_in("GRAZ", op)])
    assert values(keys) == ()
    keys.learn([lives_in("Graz"), lives_in(None, "retract")])
    assert values(keys) == ()


def test_a_correction_deletes_or_overwrites(keys: LastWriteWins) -> None:
    keys.learn([lives_in("Graz")])
    keys.amend(amended("correct", "Graz", valid_from="2024"))
    assert values(keys) == ("Graz",)
    keys.amend(amended("correct", "Graz", value="Linz"))
    assert values(keys) == ("Linz",)
    keys.amend(amended("correct", "Linz"))
    assert values(keys) == ()
    keys.amend(amended("reinstate", "Linz"))
    assert values(keys) == ("Linz",)
    keys.amend(amended("review", "Wien", accept=True))
    assert values(keys) == ("Wien",)
    keys.amend(amended("review", "Wien", accept=False))
    assert values(keys) == ()


def test_it_is_behind_while_a_message_waits(keys: LastWriteWins) -> None:
    assert not keys.is_behind
    keys.hear(heard(1, "Hi"), "Hi")
    assert keys.is_behind
    keys.learn([])
    assert not keys.is_behind

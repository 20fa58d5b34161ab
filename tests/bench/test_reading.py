"""A file of conversations is read as it is meant, and what is wrong in it is told with its line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem.bench import read_set
from tensemem.bench.cases import Ask, AsOf, Current, Past, Say, Span, Told
from tensemem.errors import InvalidValueError

from .made import asks, lives, made, moment, one, say, sets, written

NOW = {"current": "lives_in", "is": "Graz"}


def test_a_conversation_is_read(tmp_path: Path) -> None:
    (found,) = made(
        tmp_path,
        one(
            say(2, "Late.", sets("Linz", "Late", since="2026-02", confidence=1, wrong="a guess"), heard=moment(3)),
            say(3, "Hm.", role="assistant"),
            asks(4, {"current": "lives_in", "is": ["Graz", "Linz"], "stale": ["Wien"], "held": [], "contested": True}),
            asks(5, {"corrected": "lives_in", "is": None}, {"context": {"has": ["Graz"]}}),
            asks(6, {"history": "lives_in", "is": [{"value": "Graz", "from": moment(2)}]}),
            asks(7, {"as_of": "lives_in", "known_at": "2026-03", "is": None}),
            zone="Europe/Vienna",
            why="why not",
        ),
    )
    first = found.steps[0]
    assert isinstance(first, Say)
    assert first.heard - first.at == timedelta(days=1)
    assert (first.proposes[0].wrong, first.proposes[0].operation.since) == ("a guess", "2026-02")
    assert (found.zone, found.why, found.place.endswith("set.jsonl:1")) == ("Europe/Vienna", "why not", True)
    checks = [check for step in found.steps if isinstance(step, Ask) for check in step.checks]
    assert checks == [
        Current("lives_in", ("Graz", "Linz"), stale=("Wien",), held=(), contested=True),
        Current("lives_in", None, corrected=True),
        Told(("Graz",), ()),
        Past("lives_in", (Span("Graz", datetime(2026, 3, 2, 9, tzinfo=UTC), None),)),
        AsOf("lives_in", None, known_at="2026-03"),
    ]
    assert found.checks == tuple(checks)


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    line = json.dumps(one(lives(1, "Graz"), asks(2, NOW)))
    path.write_text(f"\ufeff\n{line}\r\n\n", encoding="utf-8")
    assert [item.place for item in read_set(path)] == [f"{path}:2"]


WRONG: list[tuple[dict[str, Any] | str, str]] = [
    ("{", "this is no JSON"),
    ("[" * 100_000, "this is no JSON"),
    ("[]", "the conversation must be an object"),
    (one(asks(1, NOW), id=""), "'id' must not be empty"),
    (one(asks(1, NOW), id=7), "'id' in the conversation must be text"),
    (one(asks(1, NOW), colour="red"), "the conversation has unknown fields: 'colour'"),
    (one(asks(1, NOW), zone="Atlantis"), "Atlantis"),
    (one(asks(1, NOW), predicates={}), "'predicates' must name one at least"),
    (one(asks(1, NOW), predicates={"lives_in": "text"}), "predicate 'lives_in' must be an object"),
    (one(lives(1, "Graz")), "it needs an 'ask' step"),
    (one({"shout": "Hey", "at": moment(1)}), "step 1 must be one of say, write"),
    (one({**lives(1, "Graz"), "rebuild": True}), "step 1 must be one of say, write"),
    (one({"say": "Hi"}), "step 1 lacks 'at'"),
    (one({"say": "Hi", "at": "yesterday"}), "'at' in step 1 must be a time such as"),
    (one({"say": "Hi", "at": "2026-03-01T09:00:00"}), "'at' in step 1 must have a zone"),
    (one(say(1, " ")), "'say' must not be empty"),
    (one(say(1, "Hi", role="ghost")), "'role' in step 1 must be user, assistant, system or tool"),
    (one(say(1, "Hi", recall="whole")), "'recall' in step 1 must be 'fenced', 'bare' or 'again'"),
    (one(say(2, "Hi", heard=moment(1))), "step 1 is heard before it is said"),
    (one(lives(2, "Graz"), lives(1, "Linz")), "step 2 comes before the one above it; say when it was 'heard'"),
    (one(lives(1, "Graz"), lives(1, "Linz")), "step 2 is said at the same time as another one"),
    (one(say(1, "Hi", {"op": "guess", "predicate": "lives_in"})), "'op' in an operation of step 1 must be one of set"),
    (one(say(1, "Hi", sets("Graz", "Hi", modality="sure"))), "'modality' in an operation of step 1"),
    (
        one(say(1, "Hi", sets("Graz", "Hi", confidence="high"))),
        "'confidence' in an operation of step 1 must be a number",
    ),
    (one(say(1, "Hi", sets("Graz", "Hi", confidence=True))), "'confidence' in an operation of step 1 must be a number"),
    (one(say(1, "Hi", sets("Graz", "Hi", quotes=[]))), "an operation of step 1 has unknown fields: 'quotes'"),
    (one({"rebuild": False, "at": moment(1)}), "'rebuild' in step 1 must be true"),
    (one({"correct": "Graz", "at": moment(1)}), "the target of step 1 must be an object"),
    (one(asks(1)), "step 1 asks nothing"),
    (one(asks(1, {"guess": "lives_in"})), "a question of step 1 must be one of current, corrected"),
    (one(asks(1, {"current": "lives_in"})), "a question of step 1 lacks 'is', the answer"),
    (one(asks(1, {"current": "lives_in", "is": 1, "stale": "x"})), "'stale' in a question of step 1 must be a list"),
    (one(asks(1, {"as_of": "lives_in", "is": 1})), "a question of step 1 needs 'at' or 'known_at'"),
    (one(asks(1, {"context": {}})), "'context' in a question of step 1 needs 'has' or 'lacks'"),
    (one(asks(1, {"current": "works_at", "is": None})), "'works_at' is asked for but is not among the predicates"),
]


@pytest.mark.parametrize(("line", "complaint"), WRONG, ids=[complaint for _, complaint in WRONG])
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, line: dict[str, Any] | str, complaint: str) -> None:
    path = written(tmp_path, one(lives(1, "Graz"), asks(2, NOW)))
    second = line if isinstance(line, str) else json.dumps({"id": "b", **line} if line.get("id") == "a" else line)
    path.write_text(f"{path.read_text(encoding='utf-8')}{second}\n", encoding="utf-8")
    with pytest.raises(InvalidValueError) as raised:
        read_set(path)
    assert str(raised.value).startswith(f"{path}:2: ")
    assert complaint in str(raised.value)


def test_two_conversations_of_one_id_are_refused(tmp_path: Path) -> None:
    twice = one(lives(1, "Graz"), asks(2, NOW))
    path = written(tmp_path, twice, twice)
    with pytest.raises(InvalidValueError, match=r"the id 'a' stands at .*:1 already"):
        read_set(path)


def test_an_empty_file_and_one_that_is_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"\n\n")
    with pytest.raises(InvalidValueError, match="holds no conversation"):
        read_set(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidValueError, match="is not UTF-8 text"):
        read_set(path)
    with pytest.raises(FileNotFoundError):
        read_set(tmp_path / "nowhere.jsonl")

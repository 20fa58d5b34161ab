"""The scorer, by extractors that are right, silent, and wrong in known ways."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tensemem import Operation, Predicate
from tensemem.extract.calling import as_extractor
from tensemem.extract.fake import FakeExtractor
from tensemem.ports import ExtractionRequest
from tests.extract.sentences import PREDICATES, Expectation, Sentence, load
from tests.extract.sentences.scoring import Figures, judge, score
from tools import extraction_score

EVERY = load()
BY_TEXT = {one.text: one for one in EVERY}


def as_operation(asked: Expectation, **changes: Any) -> Operation:
    value = asked.values[0] if asked.values else None
    end = {"valid_to": "2020"} if asked.is_past else {}
    fields = {"value": value, "subject": asked.subjects[0], **end, **changes}
    return Operation(asked.op, asked.predicate, **fields)  # type: ignore[arg-type]  # the set's own words


def perfect(_language: str, text: str) -> list[Operation]:
    return [as_operation(asked) for asked in BY_TEXT[text].expect]


def silent(_language: str, _text: str) -> list[Operation]:
    return []


def settled(place: str = "Oslo", **more: Any) -> Expectation:
    return Expectation("set", "lives_in", (place,), **more)


def of(*expect: Expectation, allowed: Sequence[Expectation] = ()) -> Sentence:
    return Sentence("en-9999", "I live in Oslo", "positive", expect, tuple(allowed))


def test_a_perfect_extractor_finds_all_and_asserts_nothing_false() -> None:
    total = score(perfect, EVERY).total
    assert (total.found, total.false) == (total.expected, 0)
    assert (total.recall, total.precision, total.rate) == (1.0, 1.0, 0.0)
    assert total.expected > 500


def test_a_silent_extractor_is_never_wrong_and_finds_nothing() -> None:
    total = score(silent, EVERY).total
    assert (total.found, total.right, total.false) == (0, 0, 0)
    assert (total.recall, total.precision, total.rate) == (0.0, 1.0, 0.0)


def test_what_is_allowed_counts_neither_way() -> None:
    def generous(_language: str, text: str) -> list[Operation]:
        return [as_operation(asked) for asked in BY_TEXT[text].allowed]

    total = score(generous, EVERY).total
    assert total.false == 0
    assert total.found < total.expected / 10


def test_one_false_assertion_in_each_sentence_is_a_rate_of_one() -> None:
    def wrong(language: str, text: str) -> list[Operation]:
        return [*perfect(language, text), Operation("set", "lives_in", "Atlantis")]

    total = score(wrong, EVERY).total
    assert (total.false, total.rate, total.recall) == (len(EVERY), 1.0, 1.0)
    assert total.precision == total.right / (total.right + len(EVERY))


def test_an_extractor_that_reads_one_language_is_told_from_the_others() -> None:
    def english(language: str, text: str) -> list[Operation]:
        return perfect(language, text) if language == "en" else [Operation("set", "name", "Nobody")]

    figures = score(english, EVERY).by_language()
    assert list(figures) == ["en", "zh", "es", "de"]
    assert (figures["en"].recall, figures["en"].rate) == (1.0, 0.0)
    assert all((figures[other].recall, figures[other].rate) == (0.0, 1.0) for other in ("zh", "es", "de"))


def test_figures_by_kind_add_up_to_the_total() -> None:
    result = score(silent, EVERY)
    assert sum(one.sentences for one in result.by_kind().values()) == result.total.sentences == len(EVERY)
    assert result.by_kind()["proverb"].expected == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"value": "Bergen"},
        {"subject": "user.wife"},
        {"value": None},
    ],
)
def test_an_assertion_that_differs_is_false(changes: dict[str, Any]) -> None:
    judged = judge(of(settled()), [as_operation(settled(), **changes)])
    assert (len(judged.false), len(judged.missed), judged.found) == (1, 1, ())


@pytest.mark.parametrize("op", ["retract", "remove", "deny", "replace", "confirm"])
def test_another_kind_of_operation_is_false(op: Any) -> None:
    judged = judge(of(settled()), [Operation(op, "lives_in", ["Oslo", "Bergen"] if op == "replace" else "Oslo")])
    assert len(judged.false) == len(judged.missed) == 1


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (settled(), Operation("add", "lives_in", "Oslo")),
        (settled(), Operation("replace", "lives_in", ["Oslo"])),
        (settled(), Operation("set", "lives_in", " OSLO ")),
        (Expectation("retract", "diet", ("vegan",)), Operation("remove", "diet", "vegan")),
        (Expectation("retract", "partner"), Operation("retract", "partner", "Kim")),
        (Expectation("set", "lives_in", ("New York", "NYC")), Operation("set", "lives_in", "nyc")),
        (Expectation("set", "age", ("34",)), Operation("set", "age", 34.0)),
        (settled(subjects=("user.wife", "Anna")), Operation("set", "lives_in", "Oslo", subject="meine Frau")),
        (settled(subjects=("user.wife", "Anna")), Operation("set", "lives_in", "Oslo", subject="anna")),
        (
            Expectation("replace", "languages", (("Rust", "Go"),)),
            Operation("replace", "languages", ["go", "rust"]),
        ),
    ],
)
def test_ways_of_saying_the_same(asked: Expectation, given: Operation) -> None:
    judged = judge(of(asked), [given])
    assert (judged.found, judged.false, judged.right) == ((asked,), (), (given,))


@pytest.mark.parametrize("modality", ["planned", "hypothetical", "question", "reported"])
def test_what_is_not_asserted_is_neither_found_nor_false(modality: Any) -> None:
    said = [as_operation(settled(), modality=modality), as_operation(settled("Bergen"), modality=modality)]
    judged = judge(of(settled()), said)
    assert (judged.found, judged.false, len(judged.missed)) == ((), (), 1)


def test_a_period_that_is_over_needs_an_end() -> None:
    past = settled(is_past=True)
    assert len(judge(of(allowed=[past]), [as_operation(settled())]).false) == 1
    assert judge(of(allowed=[past]), [as_operation(settled(), valid_to="2013")]).false == ()
    assert judge(of(allowed=[past]), [as_operation(settled(), until="2013")]).false == ()


def test_the_same_assertion_twice_is_one() -> None:
    places = ("Oslo", "oslo", "Bergen", "BERGEN", "Bergen ")
    judged = judge(of(settled()), [as_operation(settled(place)) for place in places])
    assert (len(judged.right), len(judged.false)) == (1, 1)


def test_two_readings_of_one_expectation_are_one_that_is_found() -> None:
    pet = Expectation("add", "pets", ("cat", "Miso"))
    judged = judge(of(pet), [Operation("add", "pets", "cat"), Operation("add", "pets", "Miso")])
    assert (len(judged.found), len(judged.right), judged.false) == (1, 2, ())


def test_no_sentences_have_figures_too() -> None:
    assert (Figures().rate, Figures().recall, Figures().precision) == (0.0, 1.0, 1.0)


# The tool.


class Seen:
    """An extractor that keeps what it was asked."""

    requests: list[ExtractionRequest]

    def __init__(self) -> None:
        self.requests = []

    def extract(self, request: ExtractionRequest) -> list[Operation]:
        self.requests.append(request)
        return []


def garbage(_request: ExtractionRequest) -> list[Mapping[str, str]]:
    return [{"op": "paint", "predicate": "lives_in"}]


def richer() -> list[Predicate]:
    return [Predicate("lives_in", examples=("I live in {value}",)), Predicate("shoe_size")]


def test_the_tool_prints_a_table_and_the_faults(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--extractor", "tensemem:FakeExtractor", "--language", "en", "--half", "dev", "--show", "false"]
    assert extraction_score.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    header, english, total = (line.split() for line in lines[:3])
    assert header == ["language", "sentences", "false", "rate", "expected", "found", "recall", "precision"]
    assert english[1:] == total[1:]
    assert english[1] == str(len(load("en", "dev")))
    shown = sum(line.startswith("    ") for line in lines)
    assert shown == int(english[2]) > 0


def test_the_tool_prints_json_and_what_was_missed(capsys: pytest.CaptureFixture[str]) -> None:
    assert extraction_score.main(["--extractor", "tensemem:FakeExtractor", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    fake = score(extraction_score.asking(as_extractor(FakeExtractor()), PREDICATES), EVERY).total
    assert figures["all"]["false"] == fake.false
    assert figures["all"]["recall"] == fake.recall
    assert extraction_score.main(["--extractor", "tensemem:FakeExtractor", "--language", "zh", "--show", "missed"]) == 0
    shown = sum(line.startswith("    ") for line in capsys.readouterr().out.splitlines())
    assert shown == figures["zh"]["expected"] - figures["zh"]["found"]


def test_the_extractor_is_asked_about_one_message_with_every_predicate() -> None:
    seen = Seen()
    ask = extraction_score.asking(as_extractor(seen), PREDICATES)
    assert ask("en", "I live in Oslo") == []
    (request,) = seen.requests
    assert [(one.content, one.role) for one in request.messages] == [("I live in Oslo", "user")]
    assert request.predicates == PREDICATES


def test_other_predicates_may_be_registered() -> None:
    known = extraction_score.known(richer)
    assert {one.name for one in known} == {one.name for one in PREDICATES}
    assert [one.examples for one in known if one.name == "lives_in"] == [("I live in {value}",)]
    assert extraction_score.known(richer()) == known


@pytest.mark.parametrize("name", ["nowhere", "tensemem:Nothing", "no_such_module:x"])
def test_an_extractor_there_is_not_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert extraction_score.main(["--extractor", name]) == 2
    assert "MODULE:ATTRIBUTE" in capsys.readouterr().err


def test_an_answer_that_can_not_be_read_is_an_error() -> None:
    ask = extraction_score.asking(as_extractor(garbage), PREDICATES)
    with pytest.raises(ValueError, match="garbage answered 'I live in Oslo'"):
        ask("en", "I live in Oslo")

"""The fake extractor: the small English it knows, and the scripts it plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.errors import ExtractorUnavailable, InvalidValueError
from tensemem.extract.answers import read_answer
from tensemem.extract.fake import FakeExtractor
from tensemem.model.operation import Operation
from tensemem.ports import ExtractionRequest, Extractor, RequestMessage

SAID = datetime(2026, 3, 5, 12, tzinfo=UTC)


def asked(*texts: str, role: str = "user", speaker: str | None = None) -> ExtractionRequest:
    return ExtractionRequest(tuple(RequestMessage(text, role, SAID, speaker) for text in texts))


def proposed(text: str) -> list[Operation]:
    return FakeExtractor().extract(asked(text))


def gist(operation: Operation) -> tuple[Any, ...]:
    """What an operation says, without its place: op, predicate, value, then what is not at its default."""
    special = {
        "subject": operation.subject if operation.subject != "user" else None,
        "modality": operation.modality if operation.modality != "asserted" else None,
        "since": operation.since,
        "until": operation.until,
        "valid_from": operation.valid_from,
        "valid_to": operation.valid_to,
    }
    return operation.op, operation.predicate, operation.value, {k: v for k, v in special.items() if v is not None}


def lives(value: str, op: str = "set", **special: str) -> tuple[Any, ...]:
    return op, "lives_in", value, special


def works(value: str, op: str = "set", **special: str) -> tuple[Any, ...]:
    return op, "works_at", value, special


def language(value: Any, op: str = "add", **special: str) -> tuple[Any, ...]:
    return op, "languages", value, special


def named(value: str, **special: str) -> tuple[Any, ...]:
    return "set", "name", value, special


def eats(value: str, op: str = "set", **special: str) -> tuple[Any, ...]:
    return op, "diet", value, special


SENTENCES = {
    "I live in Delhi": [lives("Delhi")],
    "i live in delhi.": [lives("delhi")],
    "I now live in New York City these days.": [lives("New York City")],
    "I LIVE IN DELHI AND I WORK AT ACME": [lives("DELHI"), works("ACME")],
    "I live in 東京": [lives("東京")],
    "I moved to Bangalore": [lives("Bangalore")],
    "I've moved to Bangalore.": [lives("Bangalore")],
    "I’ve just moved to Zürich!": [lives("Zürich")],
    "I moved from Delhi to Pune": [lives("Pune")],
    "I moved to Pune from Delhi": [lives("Pune")],
    "I work at Acme": [works("Acme")],
    "I work for Johnson and Johnson": [works("Johnson and Johnson")],
    "I work at Acme in Berlin as an engineer": [works("Acme")],
    "I'm working at Acme": [works("Acme")],
    "My name is Ann": [named("Ann")],
    "my name's Ann, by the way": [named("Ann")],
    "Please call me Bob.": [named("Bob")],
    "I'm vegetarian": [eats("vegetarian")],
    "I am a vegan now": [eats("vegan")],
    "I went vegan in 2019": [eats("vegan", since="2019")],
    "I'm not vegan anymore": [eats("vegan", "retract")],
    "I speak French": [language("French")],
    "I speak Hindi, English and Brazilian Portuguese": [
        language("Hindi"), language("English"), language("Brazilian Portuguese"),
    ],
    "I write Go": [language("Go")],
    "I write C++. I use C#, and code in F#": [language("C++"), language("C#")],
    "I code in Rust and I live in Pune": [language("Rust"), lives("Pune")],
    "I use python at work": [language("python")],
    "I no longer write Go": [language("Go", "remove")],
    "I stopped using Python": [language("Python", "remove")],
    "I never wrote Java": [language("Java", "deny")],
    "only Rust": [language(("Rust",), "replace")],
    "Only Rust now.": [language(("Rust",), "replace")],
    "I only write Rust and Go": [language(("Rust", "Go"), "replace")],
    "I no longer live in Delhi": [lives("Delhi", "retract")],
    "I don't live in Delhi anymore": [lives("Delhi", "retract")],
    "I do not live in Delhi": [lives("Delhi", "retract")],
    "I used to live in Delhi": [lives("Delhi", "retract")],
    "I never lived in Delhi": [lives("Delhi", "deny")],
    "I have never worked at Acme": [works("Acme", "deny")],
    "I'm moving to Berlin": [lives("Berlin", modality="planned")],
    "I'm moving to Berlin next month": [lives("Berlin", modality="planned")],
    "I'm moving to Berlin on 2026-07-01": [lives("Berlin", modality="planned", valid_from="2026-07-01")],
    "I'll be moving to Berlin": [lives("Berlin", modality="planned")],
    "If I live in Paris": [lives("Paris", modality="hypothetical")],
    "If I win, I live in Paris and I work at Acme": [
        lives("Paris", modality="hypothetical"), works("Acme", modality="hypothetical"),
    ],
    "Do I live in Paris?": [lives("Paris", modality="question")],
    "My wife lives in Pune": [lives("Pune", subject="user.wife")],
    "my wife works at Acme and I live in Goa": [works("Acme", subject="user.wife"), lives("Goa")],
    "My wife and I live in Delhi": [lives("Delhi")],
    "My wife's name is Mira": [named("Mira", subject="user.wife")],
}  # fmt: skip

DATED = {
    "I moved to Pune on 2026-01-10": lives("Pune", since="2026-01-10"),
    "I moved to Pune in 2015": lives("Pune", since="2015"),
    "I moved to Pune in 2015-03.": lives("Pune", since="2015-03"),
    "I live in Pune since 2015": lives("Pune", since="2015"),
    "I live in Pune until 2027-01": lives("Pune", until="2027-01"),
    "I live in Pune since 2015 until 2027": lives("Pune", since="2015", until="2027"),
    "I have lived in Pune since 2015": lives("Pune", since="2015"),
    "I've lived in Pune for 3 years": lives("Pune"),
    "I lived in Pune in 2019": lives("Pune", valid_from="2019", valid_to="2019"),
    "I lived in Pune until 2020": lives("Pune", valid_to="2020"),
    "I lived in Pune from 2015 to 2017": lives("Pune", valid_from="2015", valid_to="2017"),
    "I used to live in Pune from 2015 to 2017": lives("Pune", valid_from="2015", valid_to="2017"),
    "I worked at Acme between 2015 and 2017": works("Acme", valid_from="2015", valid_to="2017"),
    "I no longer live in Pune since 2026-01-10": lives("Pune", "retract", since="2026-01-10"),
}

UNDATED = {
    "I've moved to Pune on 10 January": lives("Pune"),
    "I moved to Pune yesterday": lives("Pune"),
    "I moved to Pune last week and I like it": lives("Pune"),
    "I moved to Pune in May": lives("Pune"),
    "I moved to Pune on 2026-13-45": lives("Pune"),
    "now I work for May": works("May"),
    "I lived in Pune": lives("Pune", "retract"),
}

SILENT = (
    "Hello there",
    "",
    "   ",
    "he writes Go",
    "You live in Delhi",
    "I write letters to my mother",
    "I use a Mac",
    "call me later",
    "Don't call me Bob",
    "my name is not Bob",
    "I'm not moving to Berlin",
    "I've lived in Paris",
    "not only Rust",
    "I don't just write Go",
    "only Ann knows",
    "I live in",
    "I live in 2015",
    "The person I work for is May",
    "Hawaii live in Delhi",
)


@pytest.mark.parametrize(("text", "wanted"), SENTENCES.items(), ids=SENTENCES)
def test_a_small_sentence_is_understood(text: str, wanted: list[tuple[Any, ...]]) -> None:
    assert [gist(operation) for operation in proposed(text)] == wanted


@pytest.mark.parametrize(("text", "wanted"), DATED.items(), ids=DATED)
def test_a_time_written_as_iso_8601_is_taken(text: str, wanted: tuple[Any, ...]) -> None:
    assert [gist(operation) for operation in proposed(text)] == [wanted]


@pytest.mark.parametrize(("text", "wanted"), UNDATED.items(), ids=UNDATED)
def test_any_other_time_is_left_out(text: str, wanted: tuple[Any, ...]) -> None:
    assert [gist(operation) for operation in proposed(text)] == [wanted]


@pytest.mark.parametrize("text", SILENT)
def test_what_it_does_not_know_proposes_nothing(text: str) -> None:
    assert proposed(text) == []


def test_the_quote_is_verbatim_and_names_its_message() -> None:
    request = asked("Hi!", "Well,  I’ve moved to Pune on 2026-01-10, and I write Go.")
    assert [(o.quote, o.message) for o in FakeExtractor().extract(request)] == [
        ("I’ve moved to Pune on 2026-01-10", 1),
        ("I write Go", 1),
    ]


@pytest.mark.parametrize("border", [". ", "\n", "\r\n", "! ", "; ", "\u2028"])
def test_a_match_ends_with_its_sentence(border: str) -> None:
    text = f"I live in Delhi{border}My wife lives in Pune"
    assert [gist(o) for o in proposed(text)] == [lives("Delhi"), lives("Pune", subject="user.wife")]


def test_a_match_never_runs_over_the_border_of_a_message() -> None:
    request = asked("I live in", "Delhi", "I live in Delhi", "My wife lives in Pune")
    assert [(o.value, o.message) for o in FakeExtractor().extract(request)] == [("Delhi", 2), ("Pune", 3)]


def test_a_question_or_condition_does_not_spill_over() -> None:
    request = asked("If I win the lottery I buy a boat. Do I work at Acme? I live in Delhi", "I write Go")
    assert [(o.value, o.modality) for o in FakeExtractor().extract(request)] == [
        ("Acme", "question"),
        ("Delhi", "asserted"),
        ("Go", "asserted"),
    ]


def test_a_condition_that_comes_after_does_not_touch_what_was_said_before() -> None:
    assert [gist(o) for o in proposed("I live in Delhi, ask me if I like it")] == [lives("Delhi")]


def test_what_stands_inside_a_value_is_not_read_again() -> None:
    assert [o.predicate for o in proposed("I live in the town my wife works for Acme")] == ["lives_in"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I live in St. Louis. Hello", "St. Louis"),
        ("I live in Washington D.C.", "Washington D.C."),
        ("I live in the U.S. I like it", "the U.S"),
        ("I live in Paris, France", "Paris"),
        ("I live in Delhi but not for long", "Delhi"),
        ("I live in Delhi and work at home", "Delhi"),
        ("I live in Stratford-upon-Avon - it's nice", "Stratford-upon-Avon"),
    ],
)
def test_a_value_ends_where_its_clause_does(text: str, value: str) -> None:
    assert [operation.value for operation in proposed(text)] == [value]


def test_only_a_person_is_listened_to() -> None:
    fake = FakeExtractor()
    for role in ("assistant", "system", "tool"):
        assert fake.extract(asked("I live in Delhi", role=role)) == []
    assert len(fake.extract(asked("I live in Delhi", role="tool", speaker="guest"))) == 1


@given(st.lists(st.sampled_from([*SENTENCES, *DATED, *UNDATED, *SILENT, "\n", ". ", "?", " and ", "I ", "only "])))
def test_every_quote_stands_in_its_message_and_holds_its_value(parts: list[str]) -> None:
    text = "".join(parts)
    for operation in proposed(text):
        assert operation.quote in text
        values = operation.value if isinstance(operation.value, tuple) else (operation.value,)
        assert all(value and value in operation.quote for value in values)


@given(st.text() | st.from_regex(r"(?:(?:I|my wife) (?:live in|moved to|speak|only) ?\w*[ .,?]?){1,5}"))
def test_any_text_gives_operations_that_are_well_formed(text: str) -> None:
    operations = proposed(text)
    assert list(read_answer(operations, 1)) == operations


def test_a_long_message_takes_time_in_proportion() -> None:
    assert proposed("I live in x" + " y" * 20_000) == []
    assert len(proposed("I live in Delhi. " * 1000)) == 1000


DELHI = Operation("set", "lives_in", "Delhi")
PUNE = Operation("set", "lives_in", "Pune", quote="Pune", message=0)


def test_a_script_answers_by_exact_text() -> None:
    fake = FakeExtractor({" hello ": [DELHI]})
    assert [o.value for o in fake.extract(asked("hello\n"))] == ["Delhi"]
    assert fake.extract(asked("hello there")) == []
    assert fake.extract(asked("I live in Delhi")) == []


def test_a_script_answers_messages_of_any_role() -> None:
    assert len(FakeExtractor({"a": [DELHI]}).extract(asked("a", role="assistant"))) == 1


def test_an_operation_without_a_quote_gets_the_text_and_index_of_its_message() -> None:
    fake = FakeExtractor({"a": [], " b ": [DELHI, PUNE]})
    first, second = fake.extract(asked("a", " b "))
    assert (first.quote, first.message) == (" b ", 1)
    assert second is not PUNE
    assert second == PUNE


def test_a_list_answers_in_order_one_for_each_message() -> None:
    fake = FakeExtractor([[DELHI], [], [PUNE, DELHI]])
    assert [(o.value, o.message) for o in fake.extract(asked("a", "b"))] == [("Delhi", 0)]
    assert [o.value for o in fake.extract(asked("c"))] == ["Pune", "Delhi"]
    assert fake.extract(asked("d")) == []


@pytest.mark.parametrize("error", [ExtractorUnavailable, ExtractorUnavailable("down"), SystemExit, KeyboardInterrupt()])
def test_an_exception_in_a_script_is_raised(error: Any) -> None:
    kind = error if isinstance(error, type) else type(error)
    by_text = FakeExtractor({"a": error, "b": [DELHI]})
    with pytest.raises(kind):
        by_text.extract(asked("b", "a"))
    assert len(by_text.extract(asked("b"))) == 1


def test_an_exception_in_a_list_uses_up_nothing_but_itself() -> None:
    fake = FakeExtractor([[DELHI], ExtractorUnavailable("down"), [PUNE]])
    with pytest.raises(ExtractorUnavailable):
        fake.extract(asked("a", "b"))
    assert [o.value for o in fake.extract(asked("a", "b"))] == ["Delhi", "Pune"]


def test_what_is_no_operation_is_passed_on_unchanged() -> None:
    raw = {"op": "set", "value": 1}
    answer = FakeExtractor({"a": [raw, None, DELHI]}).extract(asked("a"))
    assert answer[0] is raw
    assert answer[1] is None
    assert answer[2].message == 0


def test_the_script_given_is_left_as_it_is() -> None:
    script: list[Any] = [[DELHI], ValueError("x")]
    fake = FakeExtractor(script)
    fake.extract(asked("a"))
    with pytest.raises(ValueError, match="x"):
        fake.extract(asked("b"))
    assert len(script) == 2


@pytest.mark.parametrize("script", ["text", 3, {"a": DELHI}, {"a": "set"}, [DELHI], [None], {"a": {}}, {"a": int}])
def test_a_script_of_another_shape_is_refused(script: Any) -> None:
    with pytest.raises(InvalidValueError, match="list"):
        FakeExtractor(script)


def test_calls_and_requests_are_kept_failures_included() -> None:
    fake = FakeExtractor({"a": ValueError})
    assert (fake.name, fake.calls, fake.requests) == ("fake", 0, ())
    first, second = asked("a"), asked("b")
    with pytest.raises(ValueError):
        fake.extract(first)
    fake.extract(second)
    assert fake.calls == 2
    assert fake.requests == (first, second)


def test_a_list_is_used_up_once_whatever_asks_at_the_same_time() -> None:
    fake = FakeExtractor([[Operation("set", "n", number)] for number in range(200)])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: fake.extract(asked(str(number))), range(200)))
    assert sorted(answer[0].value for answer in answers) == list(range(200))
    assert fake.calls == 200


def test_it_is_an_extractor() -> None:
    assert isinstance(FakeExtractor(), Extractor)

"""What holds for every message: quotes, several messages, whatever text comes, and what it costs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tensemem import Memory, OfflineExtractor, Predicate, errors
from tensemem.core.text import find_quote
from tensemem.errors import InvalidValueError
from tensemem.extract.calling import as_extractor
from tensemem.ports import ExtractionRequest, RequestMessage
from tests.counting import lines_of
from tests.extract.offline.asking import SAID_AT, extractor, predicate, read, ready_made, said, short
from tests.settings import law_settings

STATEMENTS = {
    "I live in Oslo": "set lives_in=Oslo",
    "My wife works at Siemens": "user.wife: set works_at=Siemens",
    "I no longer live in Delhi": "retract lives_in=Delhi",
    "I'm allergic to peanuts": "add allergies=peanuts",
    "我住在杭州": "set lives_in=杭州",
    "Ich spreche Polnisch": "add languages=Polnisch",
    "Vivo en Lima": "set lives_in=Lima",
}
ASIDES = [
    "Thanks for yesterday.",
    "What a day!",
    "How are you?",
    "The printer is broken again.",
    "今天天气不错。",
    "Das Wetter ist schön.",
    "Hace mucho calor.",
    "Is it going to rain?",
]


def test_the_quote_is_the_clause_as_it_stands() -> None:
    (operation,) = read("Hi there! My  older brother\tlives in Oslo now, and it rains.")
    assert operation.quote == "My  older brother\tlives in Oslo"
    (operation,) = read("Last week I moved to Pune.")
    assert operation.quote == "Last week I moved to Pune"


def test_each_message_of_a_request_stands_alone() -> None:
    texts = [
        "If I win the lottery I buy a boat",
        "I live in Delhi",
        "My wife",
        "lives in Pune",
        "Let's rehearse.",
        "I'm Jonas",
    ]
    messages = tuple(RequestMessage(text, "user", SAID_AT) for text in texts)
    found = extractor().extract(ExtractionRequest(messages, predicates=ready_made()))
    assert [(short(operation), operation.message) for operation in found] == [
        ("set lives_in=Delhi", 1),
        ("set name=Jonas", 5),
    ]


def test_each_message_keeps_its_own_time() -> None:
    when = [SAID_AT.replace(month=1, day=10), SAID_AT.replace(month=3, day=20)]
    messages = (
        RequestMessage("I moved to Pune yesterday", "user", when[0]),
        RequestMessage("I moved to Goa yesterday", "user", when[1]),
    )
    found = extractor().extract(ExtractionRequest(messages, predicates=ready_made()))
    assert [operation.since for operation in found] == ["2026-01-09", "2026-03-19"]


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_the_user_is_listened_to(role: str) -> None:
    assert read("I live in Oslo", role=role) == []


def test_the_window_is_never_read() -> None:
    window = (RequestMessage("I live in Oslo", "user", SAID_AT),)
    asked = RequestMessage("yes", "user", SAID_AT)
    assert extractor().extract(ExtractionRequest((asked,), window=window, predicates=ready_made())) == []


@pytest.mark.parametrize(
    ("predicates", "told"),
    [
        ([], "no predicate is registered"),
        ([predicate("city")], "no predicate has examples"),
        ([predicate("city", "I live somewhere")], "can read none of the predicates' examples"),
    ],
)
def test_where_nothing_could_be_learnt_messages_wait_until_something_can(
    predicates: list[Predicate], told: str
) -> None:
    with pytest.raises(errors.ExtractorUnavailable, match=told):
        read("I live in Oslo", predicates)
    with Memory(":memory:", llm="offline", worker=False) as mem:
        for one in predicates:
            mem.register_predicate(one.name, examples=list(one.examples))
        mem.add("u1", "I live in Oslo")
        with pytest.raises(errors.ExtractorUnavailable, match=told):
            mem.flush("u1")
        (job,) = mem.jobs("u1")
        assert (job.attempts, mem.state("u1").freshness.pending) == (0, 1)
        mem.register_predicate("city", examples=["I live in {value}"], update=True)
        assert mem.flush("u1").is_current
        assert mem.get("u1", "city") == "Oslo"


@given(st.sampled_from(sorted(STATEMENTS)), st.lists(st.sampled_from(ASIDES)), st.lists(st.sampled_from(ASIDES)))
@law_settings
def test_unrelated_sentences_around_it_change_nothing(statement: str, before: list[str], after: list[str]) -> None:
    assert said(" ".join([*before, f"{statement}.", *after])) == [STATEMENTS[statement]]
    assert said("\n".join([*before, statement, *after])) == [STATEMENTS[statement]]


PIECES = [
    *STATEMENTS,
    *ASIDES,
    "if ",
    " and ",
    ", ",
    '"',
    "?",
    ":",
    "I ",
    "my ",
    "我",
    "wohne",
    "\n",
    "```",
    "'s",
    "not ",
    "的",
    "2015",
    "@",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=12).map("".join))
@example("I live in \ud800")
@example("我住在\x00")
@example("my my my wife's wife's")
@law_settings
def test_whatever_comes_nothing_is_raised_and_every_quote_and_value_stands_in_the_message(text: str) -> None:
    for operation in read(text):
        assert find_quote(operation.quote, text) is not None
        assert operation.quote in text
        assert operation.message == 0
        assert operation.modality in ("asserted", "planned", "reported")


HOSTILE = [
    "and ", "I ", "my wife ", "I live in ", "I speak English, ", "not ", "a+", "a.b-", "I live in Oslo and ",
    "I really ", "我", "我的", "我住在", "ich ", "wohne ich ", "the author of ", "is ", "Oslo, ", "'s", '"a b', ": ",
    "if ", "now, ", "1. ", "(",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    templates = (*ready_made(), predicate("author", "The author of {subject} is {value}"))
    read("warm up", templates)
    small = lines_of(lambda: read(piece * 100, templates))
    large = lines_of(lambda: read(piece * 400, templates))
    assert large < 4 * small * 1.5 + 2_000


def test_a_message_without_a_word_of_any_example_costs_little() -> None:
    text = "The printer on the second floor makes strange noises again, somebody should look at that soon."
    read(text)
    assert lines_of(lambda: read(text)) < 4_000


def test_the_digest_tells_tables_and_settings_apart() -> None:
    assert OfflineExtractor().prompt_digest == OfflineExtractor().prompt_digest
    others = {
        OfflineExtractor(languages=["en"]).prompt_digest,
        OfflineExtractor(day_first=True).prompt_digest,
        OfflineExtractor(week_start="sunday").prompt_digest,
        OfflineExtractor().prompt_digest,
    }
    assert len(others) == 4


def test_languages_are_chosen_by_code_or_given_as_tables() -> None:
    only = OfflineExtractor(languages=["de"])
    request = ExtractionRequest(
        tuple(RequestMessage(text, "user", SAID_AT) for text in ("Ich wohne in Graz", "I live in Oslo")),
        predicates=(predicate("city", "Ich wohne in {value}"),),
    )
    assert [operation.value for operation in only.extract(request)] == ["Graz"]


@pytest.mark.parametrize("wrong", [{"languages": ["xx"]}, {"week_start": "friday"}])
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError, match=next(iter(wrong))):
        OfflineExtractor(**wrong)


def test_it_is_known_by_name() -> None:
    assert as_extractor("offline").name == "offline"
    assert as_extractor(OfflineExtractor()).prompt_digest == OfflineExtractor().prompt_digest


def test_a_sentence_without_an_end_is_no_talk() -> None:
    filler = "and so on " * 200
    assert said(f"I live in Oslo {filler}") == []
    assert said(f"{filler}. I live in Oslo.") == ["set lives_in=Oslo"]

"""The prompt: equal requests give equal bytes, and what came from outside stays data whatever it holds."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory
from tensemem.extract.answers import Malformed, read_answer
from tensemem.extract.models import flat, prompt
from tensemem.extract.models.prompt import MAX_SHOWN, complaint, example_answer, examples, prompt_digest, render
from tensemem.model.operation import MODALITIES, OPS, Operation
from tensemem.model.predicate import VALUE_TYPES, Predicate
from tensemem.ports import ExtractionRequest, RequestMessage
from tests.extract.models.wires import REQUEST, SAID
from tests.store.children import run_child

SECTIONS = ("predicates", "state", "dialogue", "messages")
MANY = ("languages",)


def section(text: str, name: str) -> Any:
    """What a section holds; there must be exactly one of it."""
    (found,) = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
    return json.loads(found)


def data_of(request: ExtractionRequest) -> str:
    rendered = render(request)
    return f"{rendered.registry}\n\n{rendered.material}"


# What is told


def test_a_message_is_told_with_its_number_its_speaker_and_its_own_time() -> None:
    said = RequestMessage("Ich wohne in Graz", "user", SAID, speaker="Mira")
    request = ExtractionRequest((REQUEST.messages[0], said))
    assert section(data_of(request), "messages")[1] == {
        "message": 1, "role": "user", "speaker": "Mira", "said_at": "2026-03-05T10:30+01:00", "weekday": "Thursday",
        "zone": "Europe/Berlin", "text": "Ich wohne in Graz",
    }  # fmt: skip


def test_a_predicate_is_told_with_all_that_guides_a_reader() -> None:
    full = Predicate(
        "plan", "many", "enum", "the tariff", ("tariff",), ("free", "paid"), ttl=timedelta(days=30), examples=("I pay",)
    )
    request = ExtractionRequest(REQUEST.messages, predicates=(Predicate("lives_in"), full))
    assert section(data_of(request), "predicates") == [
        {"name": "lives_in", "holds": "one", "type": "text"},
        {"name": "plan", "holds": "many", "type": "enum", "description": "the tariff", "aliases": ["tariff"],
         "choices": ["free", "paid"], "examples": ["I pay"], "holds_for": "P30D"},
    ]  # fmt: skip


def test_the_record_is_told_in_an_order_of_its_own() -> None:
    day = datetime(2026, 3, 5, tzinfo=UTC)
    state: dict[str, dict[str, Any]] = {"user": {"b": ("x", "y"), "a": day}, "Mira": {"c": 1}}
    told = section(data_of(replace(REQUEST, state=state)), "state")
    assert told == [
        {"subject": "Mira", "predicate": "c", "value": 1},
        {"subject": "user", "predicate": "a", "value": "2026-03-05T00:00:00+00:00"},
        {"subject": "user", "predicate": "b", "value": ["x", "y"]},
    ]
    turned = {subject: dict(reversed(slots.items())) for subject, slots in reversed(state.items())}
    assert render(replace(REQUEST, state=turned)) == render(replace(REQUEST, state=state))


def test_dialogue_is_context_and_a_long_one_is_shortened_in_its_middle() -> None:
    long = "a" * MAX_SHOWN + "b" * MAX_SHOWN
    request = replace(REQUEST, window=(RequestMessage(long, "assistant", SAID),))
    (told,) = section(data_of(request), "dialogue")
    assert told["role"] == "assistant"
    assert "message" not in told
    assert told["text"] == "a" * (MAX_SHOWN // 2) + " … " + "b" * (MAX_SHOWN // 2)
    request = replace(REQUEST, messages=(RequestMessage(long, "user", SAID),))
    assert section(data_of(request), "messages")[0]["text"] == long  # a message is evidence, and stays whole


# Equal bytes, and the stable part first


def test_the_same_request_gives_the_same_bytes_in_other_processes() -> None:
    code = """
        from datetime import datetime
        from tensemem.extract.models.prompt import prompt_digest, render
        from tensemem.model.predicate import Predicate
        from tensemem.ports import ExtractionRequest, RequestMessage
        said = RequestMessage("I live in Delhi", "user", datetime.fromisoformat("2026-03-05T10:30+01:00"))
        predicates = tuple(Predicate(name, aliases=("x", "y")) for name in ("lives_in", "diet"))
        print(prompt_digest(), hash("x"), ascii(render(ExtractionRequest((said,), (said,), predicates))))
    """
    (one, hash_one, *first), (two, hash_two, *second) = run_child(code).split(), run_child(code).split()
    assert hash_one != hash_two  # so that an order that hangs on it would show
    assert (one, first) == (two, second)


def test_what_changes_least_comes_first() -> None:
    other = replace(REQUEST, messages=(RequestMessage("something else", "user", SAID),), state={}, window=())
    assert render(other).instructions == render(REQUEST).instructions
    assert render(other).registry == render(REQUEST).registry
    assert render(other).material != render(REQUEST).material
    assert render(replace(REQUEST, predicates=())).instructions == render(REQUEST).instructions


def test_the_digest_tells_prompts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prompt_digest()
    assert re.fullmatch("[0-9a-f]{16}", before)
    monkeypatch.setattr(prompt, "instructions", lambda: "other rules")
    prompt_digest.cache_clear()
    try:
        assert prompt_digest() != before
    finally:
        prompt_digest.cache_clear()


# Data stays data

CHARS = "</>messages state predicates dialogue\\\"[]{}\n\u2028\u202e\U000e0041\x7f\x00é上`"
NASTY = st.text(st.sampled_from(CHARS) | st.characters(), max_size=60)


@given(NASTY, NASTY, NASTY)
def test_no_text_can_close_its_section_and_none_is_changed(one: str, two: str, three: str) -> None:
    request = ExtractionRequest(
        (RequestMessage(f"{one}</messages>{two}", "user", SAID, speaker=three),),
        window=(RequestMessage(f"</dialogue><messages>{two}", "assistant", SAID),),
        predicates=(Predicate("p", description=f"{three}</predicates>", aliases=(two,)),),
        state={one: {two: f"</state>{three}"}},
    )
    told = data_of(request)
    assert told.count("<") == told.count(">") == 2 * len(SECTIONS)
    message = section(told, "messages")[0]
    assert (message["text"], message["speaker"]) == (f"{one}</messages>{two}", three)
    assert section(told, "dialogue")[0]["text"] == f"</dialogue><messages>{two}"
    assert section(told, "predicates")[0]["description"] == f"{three}</predicates>"
    assert section(told, "state") == [{"subject": one, "predicate": two, "value": f"</state>{three}"}]


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\ufeff", "\x85", "\U000e0041", "\u2029"])
def test_what_hides_or_reorders_text_is_told_by_number(char: str) -> None:
    request = ExtractionRequest((RequestMessage(f"a{char}b", "user", SAID),))
    assert char not in data_of(request)
    assert section(data_of(request), "messages")[0]["text"] == f"a{char}b"


@pytest.mark.parametrize("text", ["👩‍🔬 नमस्ते می‌خواهم", "上海 Zürich"])
def test_the_words_of_every_language_are_legible(text: str) -> None:
    assert text in data_of(ExtractionRequest((RequestMessage(text, "user", SAID),)))


def test_half_a_surrogate_pair_can_be_sent() -> None:
    told = data_of(ExtractionRequest((RequestMessage("a\ud800b", "user", SAID),)))
    assert told.encode()
    assert section(told, "messages")[0]["text"] == "a\ud800b"


# The rules and their examples


def test_the_rules_name_everything_an_answer_may_hold() -> None:
    words = set(re.findall(r"[\w.]+", (prompt.instructions()).partition("EXAMPLES")[0]))
    assert {*flat.FIELDS, *OPS, *MODALITIES} <= words
    assert {*SECTIONS, *(set(VALUE_TYPES) - {"text", "enum", "entity", "json"})} <= words


def example_request(example: dict[str, Any]) -> ExtractionRequest:
    said = datetime.fromisoformat(example["said_at"])
    return ExtractionRequest(tuple(RequestMessage(text, "user", said) for text in example["messages"]))


each_example = pytest.mark.parametrize("example", examples(), ids=lambda example: example["about"][:20])


@each_example
def test_an_example_is_an_answer_as_it_is_wanted(example: dict[str, Any]) -> None:
    told = json.loads(example_answer(example))
    assert all(tuple(operation) == flat.FIELDS for operation in told["operations"])
    request = example_request(example)
    read = read_answer(flat.read_flat(example_answer(example), request), len(request.messages))
    assert not [item for item in read if isinstance(item, Malformed)]
    for operation in example["operations"]:
        assert operation["quote"] in example["messages"][operation["message"]]


@each_example
def test_the_engine_takes_what_an_example_proposes(example: dict[str, Any]) -> None:
    read = read_answer(flat.read_flat(example_answer(example), example_request(example)), len(example["messages"]))
    proposed = [operation for operation in read if isinstance(operation, Operation)]
    script = {text: [op for op in proposed if op.message == n] for n, text in enumerate(example["messages"])}
    moment = datetime.fromisoformat(example["said_at"])

    def extract(request: ExtractionRequest) -> list[Any]:
        return [replace(op, message=0) for op in script[request.messages[0].content]]

    with Memory(":memory:", llm=extract, worker=False, clock=lambda: moment) as memory:
        for name in example["predicates"]:
            memory.register_predicate(name, "many" if name in MANY else "one")
        for predicate, value in example.get("state", {}).get("user", {}).items():
            memory.set("ann", predicate, value, said_at=moment - timedelta(days=9))
        for role, text in example.get("dialogue", ()):
            memory.add("ann", text, role=role, said_at=moment - timedelta(hours=1))
        for text in example["messages"]:
            seq = memory.add("ann", text, said_at=moment).seq
            memory.flush("ann")
            outcomes = {(decision.outcome, decision.reason) for decision in memory.decisions("ann", seq)}
            # A yes without the value's words waits, and is evidence for what is known all the same.
            yes = {("held", "not_in_words")} if {op.op for op in script[text]} == {"confirm"} else set()
            assert outcomes <= {("admitted", ""), ("planned", ""), ("planned", "planned")} | yes, text


def test_a_complaint_says_what_is_wrong_and_what_is_wanted() -> None:
    told = complaint(["it is not JSON"])
    assert "- it is not JSON" in told
    assert '{"operations": [...]}' in told

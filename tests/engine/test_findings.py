"""Findings: a message without its words is judged as it was with them, whatever stood in it."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import FakeExtractor, Memory, Operation
from tests.engine.bench import opened

PREDICATES: dict[str, dict[str, Any]] = {
    "likes": {},
    "motto": {"verbatim": True},
    "loose": {"verbatim": False},
    "age": {"type": "number"},
    "plan": {"choices": ["free", "pro"]},
    "tools": {"cardinality": "many"},
    "sure": {"min_confidence": 0.9},
}
SAID: dict[str, tuple[str, dict[str, Any], Operation]] = {
    "in words": ("I like tea", {}, Operation("set", "likes", "tea", quote="I like tea")),
    "in some words": ("I like green tea", {}, Operation("set", "likes", "green coffee", quote="green tea")),
    "in none": ("I like tea", {}, Operation("set", "likes", "coffee", quote="I like tea")),
    "whole": ("tea, always tea", {}, Operation("set", "motto", "always tea", quote="always tea")),
    "not as a whole": ("always some tea", {}, Operation("set", "motto", "always tea", quote="some tea")),
    "loose": ("I like tea", {}, Operation("set", "loose", "coffee", quote="I like tea")),
    "a number": ("I am forty", {}, Operation("set", "age", 40, quote="I am forty")),
    "no number": ("I am old", {}, Operation("set", "age", "old", quote="I am old")),
    "no choice": ("I am on gold", {}, Operation("set", "plan", "gold", quote="I am on gold")),
    "no quote": ("I like tea", {}, Operation("set", "likes", "tea", quote="I love tea")),
    "in quotation marks": ('she wrote "I like tea" to me', {}, Operation("set", "likes", "tea", quote="I like tea")),
    "a value in quotation marks": (
        'she wrote "tea" and I like it', {}, Operation("set", "likes", "tea", quote="I like it")
    ),
    "a bare yes": ("yes", {}, Operation("set", "likes", "yes", quote="yes")),
    "a question": ("do I like tea?", {}, Operation("set", "likes", "tea", quote="I like tea", modality="question")),
    "a plan": ("I will like tea", {}, Operation("set", "likes", "tea", quote="like tea", modality="planned")),
    "hearsay": ("they say I like tea", {}, Operation("set", "likes", "tea", quote="I like tea", modality="reported")),
    "unsure": ("I like tea", {}, Operation("set", "sure", "tea", quote="I like tea", confidence=0.5)),
    "a guest of themselves": ("I like tea", {"speaker": "guest"}, Operation("set", "likes", "tea", quote="I like tea")),
    "a guest of you": ("you like tea", {"speaker": "guest"}, Operation("set", "likes", "tea", quote="you like tea")),
    "the assistant": ("you like tea", {"role": "assistant"}, Operation("set", "likes", "tea", quote="you like tea")),
    "nobody knows it": ("I adore tea", {}, Operation("set", "adores", "tea", quote="I adore tea")),
    "several": ("I use saw and axe", {}, Operation("replace", "tools", ["axe", "saw"], quote="saw and axe")),
    "one of several": ("I use a saw", {}, Operation("replace", "tools", ["axe", "saw"], quote="a saw")),
    "nothing": ("I use nothing", {}, Operation("replace", "tools", [], quote="I use nothing")),
    "no name": ("I like tea", {}, Operation("set", "likes", "tea", subject="the user's\u202euser", quote="I like tea")),
}
LATER: dict[str, dict[str, Any]] = {
    "likes": {"verbatim": True},
    "motto": {"verbatim": False},
    "loose": {},
    "adores": {},
    "age": {},
    "plan": {},
    "sure": {"min_confidence": 0.1},
}


def told_of(mem: Memory, seq: int) -> tuple[Any, ...]:
    decided = [(one.outcome, one.reason, one.claim_id) for one in mem.decisions("ann", seq)]
    facts = [
        (one.id, one.subject, one.object, str(one.status), one.paraphrased, one.valid_from)
        for who in ("user", "guest")
        for one in mem.history("ann", subject=who).facts
    ]
    return decided, facts


@pytest.mark.parametrize("keep_quotes", [True, False])
@pytest.mark.parametrize("case", SAID)
def test_a_purged_message_is_judged_as_it_was(case: str, keep_quotes: bool) -> None:
    text, options, operation = SAID[case]
    pair: list[Memory] = []
    for _ in range(2):
        mem = opened(llm=FakeExtractor({text: [operation]}))
        for name, definition in PREDICATES.items():
            mem.register_predicate(name, **definition)
        mem.add("ann", text, **options)
        mem.flush()
        pair.append(mem)
    kept, purged = pair
    assert purged.purge("2100-01-01", keep_quotes=keep_quotes).episodes == 1
    assert told_of(purged, 1) == told_of(kept, 1)
    assert purged.verify().identical
    for name, definition in LATER.items():  # another registry is applied without the words, as far as they were asked
        for mem in pair:
            mem.register_predicate(name, update=True, **definition)
    assert told_of(purged, 1) == told_of(kept, 1)
    assert purged.verify().identical
    for mem in pair:
        mem.close()

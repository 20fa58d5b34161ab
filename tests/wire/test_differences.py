"""What a dry run found can be sent back and written; whatever else is sent in its place leaves the log as it is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory, Operation
from tensemem.errors import InvalidValueError, TensememError
from tensemem.model.scope import Scope
from tensemem.testing import FrozenClock
from tensemem.wire import SERVED, decode, document
from tests.engine.bench import Told, lives
from tests.settings import costly_settings
from tests.wire.going_round import sent

SERVED_SO = SERVED["reextract"]


class Names(Told):
    """An extractor that names its model, and answers with something malformed among the rest."""

    model = "a-model"
    prompt_digest = "abc"


def opened(told: Told) -> Memory:
    mem = Memory(":memory:", llm=told, worker=False, clock=FrozenClock())
    mem.register_predicate("lives_in")
    mem.add("u1", "I live in Delhi")
    mem.flush()
    return mem


def difference(told: Told) -> Any:
    with opened(Told()) as mem:
        return sent(document(mem.reextract("u1", told)))


def written(found: Any) -> dict[str, Any]:
    """Send a difference to a memory of the same log; gives the state then."""
    with opened(Told()) as mem:
        mem.reextract(**decode(SERVED_SO, {"user_id": "u1", "dry_run": False, "difference": found}))
        assert mem.verify().identical
        return mem.state("u1").values


def told_delhi() -> Told:
    told = Names()
    planned = Operation("set", "lives_in", "Delhi", quote="in Delhi", confidence=0.5, modality="planned", since="2027")
    told.answers["I live in Delhi"] = [lives("Delhi"), planned]
    return told


def test_what_was_found_is_written() -> None:
    assert written(difference(told_delhi())) == {"lives_in": "Delhi"}


def test_what_was_malformed_in_an_answer_goes_back_too() -> None:
    found = difference(told_delhi())
    found["extractions"][0][2]["ops"].append({"malformed": "it is no operation", "raw": "7"})
    assert written(found) == {"lives_in": "Delhi"}


def test_a_secret_in_what_is_sent_back_is_not_kept() -> None:
    secret, found = "sk-proj-" + "a1B2c3D4e5" * 5, difference(told_delhi())
    found["extractions"][0][2]["ops"].append({"op": "set", "predicate": "lives_in", "value": secret, "quote": "Delhi"})
    with opened(Told()) as mem:
        mem.reextract(**decode(SERVED_SO, {"user_id": "u1", "dry_run": False, "difference": found}))
        assert len(mem.decisions("u1", 1)) == 3
        assert secret not in str(mem.decisions("u1", 1))


@pytest.mark.parametrize("name", ["subject", "quote", "message", "modality", "confidence", "since", "valid_to"])
def test_a_field_that_comes_as_null_is_one_that_was_not_given(name: str) -> None:
    """Its predicate is not known yet: what stands in the log is only read when it is."""
    found = difference(told_delhi())
    proposed = {"op": "set", "predicate": "mood", "value": "Delhi", "quote": "Delhi", name: None}
    found["extractions"][0][2]["ops"].append(proposed)
    with opened(Told()) as mem:
        mem.reextract(**decode(SERVED_SO, {"user_id": "u1", "dry_run": False, "difference": found}))
        kept = mem.decisions("u1", 1)[2].operation
        assert kept == {field: value for field, value in proposed.items() if value is not None}
        mem.register_predicate("mood")
        assert mem.get("u1", "mood") == (None if name == "quote" else "Delhi")
        assert mem.verify().identical


@pytest.mark.parametrize("mark", [{}, {"placed": True}])
def test_the_log_marks_what_is_sent_back_by_itself(mark: dict[str, Any]) -> None:
    found = difference(told_delhi())
    found["extractions"][0][2]["ops"] = [
        {"op": "replace", "predicate": "knows", "value": ["live", "Delhi"], "quote": "I live in Delhi", **mark},
        {"op": "set", "predicate": "lives_in", "value": "Delhi", "quote": "Delhi", **mark},
    ]
    with opened(Told()) as mem:
        mem.register_predicate("knows", cardinality="many")
        mem.reextract(**decode(SERVED_SO, {"user_id": "u1", "dry_run": False, "difference": found}))
        with mem._engine.store.read() as reader:
            head = reader.head(Scope("default", "u1"))
            assert head is not None
            kept = reader.settlements(head.id, 1)[-1]
    assert ["placed" in operation for operation in kept.body["ops"]] == [True, False]


def body(change: Callable[[dict[str, Any]], Any]) -> Callable[[Any], Any]:
    return lambda found: change(found["extractions"][0][2])


def proposal(**fields: Any) -> Callable[[Any], Any]:
    return body(lambda kept: kept["ops"].append({"op": "set", "predicate": "lives_in", "value": "x", **fields}))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda found: found["extractions"][0].__setitem__(0, 10**30), r"extractions\[0\]: no message has such a seq"),
        (lambda found: found["extractions"][0].__setitem__(1, 0), r"extractions\[0\]: no message has such a seq"),
        (lambda found: found["extractions"].append([1]), r"extractions\[1\]: give a list of 3"),
        (lambda found: found["extractions"].append([1, 1, []]), r"extractions\[1\]: give an object"),
        (body(dict.clear), r"extractions\[0\]: the field extractor is missing"),
        (body(lambda kept: kept.update(mood=1)), r"extractions\[0\]: 'mood' is no field"),
        (body(lambda kept: kept.update(usage="much")), r"extractions\[0\].usage: give an object"),
        (body(lambda kept: kept.update(model=[5])), r"extractions\[0\].model: give text"),
        (body(lambda kept: kept.update(ops="x")), r"extractions\[0\].ops: give a list"),
        (body(lambda kept: kept.update(ops=[{}] * 1001)), r"extractions\[0\].ops: give a list of at most 1000"),
        (body(lambda kept: kept.update(ops=[1])), r"extractions\[0\].ops\[0\]"),
        (body(lambda kept: kept.update(ops=[{"malformed": 1}])), r"ops\[0\]: what was malformed is told by two texts"),
        (proposal(op="drop"), r"extractions\[0\].ops\[2\]: op"),
        (proposal(confidence="x"), r"extractions\[0\].ops\[2\]: confidence"),
        (proposal(subject=[1]), r"extractions\[0\].ops\[2\]: subject"),
        (proposal(since=5), r"extractions\[0\].ops\[2\]: since"),
        (proposal(mood=5), r"extractions\[0\].ops\[2\]"),
    ],
)
def test_what_no_extractor_could_have_said_is_refused(change: Callable[[Any], Any], why: str) -> None:
    found = difference(told_delhi())
    change(found)
    with pytest.raises(InvalidValueError, match=f"difference.*{why}"):
        written(found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


@costly_settings
@given(data=st.data())
def test_a_difference_that_was_tampered_with_is_refused_or_makes_a_log_that_can_be_folded(data: st.DataObject) -> None:
    found = copy.deepcopy(FOUND)
    for _ in range(data.draw(st.integers(1, 2))):
        _tamper(found, data)
    try:
        written(found)
    except TensememError:
        return


FOUND = difference(told_delhi())


def _tamper(found: Any, data: st.DataObject) -> None:
    """Put something else in one place, somewhere in it."""
    place = found["extractions"] if data.draw(st.booleans()) else found
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.integers(0, 3)) == 0:
            place[key] = data.draw(JSON)
            return
        place = inner

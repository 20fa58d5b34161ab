"""Every guard against its adversarial set: through the public API one by one and in a burst, and directly."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem.errors import InvalidValueError
from tests.guards.playing import Case, Several, admitted_directly, cases, one_by_one, opened, outcomes, say, shown

GUARDS = ("quote", "speaker", "quoted_regions", "grounding", "subjects", "poisoning")
CASES = [pytest.param(case, id=case["id"]) for guard in GUARDS for case in cases(guard)]
AT_LEAST = 25


@pytest.mark.parametrize("guard", GUARDS)
def test_a_set_is_large_and_has_each_case_once(guard: str) -> None:
    found = cases(guard)
    assert len(found) >= AT_LEAST
    assert len({case["id"] for case in found}) == len(found)
    assert len({str({**case, "id": "", "why": ""}) for case in found}) == len(found)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("way", ["one by one", "in one burst"])
def test_what_must_come_out_comes_out(case: Case, way: str) -> None:
    is_burst = way == "in one burst"
    if case.get("error"):
        with pytest.raises(InvalidValueError):
            opened(case, None)
        return
    extractor: Any = Several(case["said"]) if is_burst else one_by_one(case)
    with opened(case, extractor) as mem:
        seqs: list[int | None] = []
        for message in case["said"]:
            if message["out"] == ["error"]:
                with pytest.raises(InvalidValueError):
                    say(mem, message)
                seqs.append(None)
                continue
            seqs.append(say(mem, message))
            if not is_burst:
                mem.flush("ann")
        mem.flush("ann")
        for seq, message in zip(seqs, case["said"], strict=True):
            if seq is not None:
                assert outcomes(mem, seq) == ([] if message["out"] == ["no:decisions"] else message["out"])
        assert shown(mem) == case["state"]
        assert mem.rebuild("ann").identical
        context = mem.context("ann").text
        for message in case["said"]:
            for body, outcome in zip(message["ops"], message["out"], strict=False):
                if outcome.startswith("refused") and body["predicate"] not in str(case["state"]):
                    assert body["predicate"] not in context


@pytest.mark.parametrize("case", CASES)
def test_admission_says_the_same_without_a_store(case: Case) -> None:
    if case.get("error"):
        return
    for found, wanted in admitted_directly(case):
        # That a statement finds nothing to take away is told by the timeline, what is malformed by who reads answers.
        assert wanted in (found, f"{found}:retract_mismatch", "refused:malformed")


@pytest.mark.parametrize(
    "quote", ["I moved to Pune", "i MOVED to pune", "I moved\u200b to  Pune", "moved to Pune"], ids=ascii
)
def test_an_operation_of_a_burst_that_names_no_message_belongs_to_the_one_with_its_quote(quote: str) -> None:
    class Forgetful(Several):
        def extract(self, request: Any) -> list[dict[str, Any]]:
            return [{"op": "set", "predicate": "lives_in", "value": "Pune", "quote": quote}]

    with opened({}, Forgetful([])) as mem:
        seqs = [mem.add("ann", text).seq for text in ("I like tea", "I moved to Pune")]
        mem.flush("ann")
        assert [outcomes(mem, seq) for seq in seqs] == [[], ["admitted"]]

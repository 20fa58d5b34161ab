"""The conversations tell: where a rule of the engine is off, the bench says so, and where."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem.bench import packaged_set, run
from tensemem.core import admission, correction, said, timeline
from tensemem.core.text import find_all_quotes

SET = packaged_set()
PLACE_OF = said.Said.place_of


def anywhere(found: said.Said, quote: str) -> tuple[tuple[int, int], str]:
    return PLACE_OF(found, quote)[0] or (0, 2), ""


def in_echoes_too(found: said.Said, quote: str) -> tuple[tuple[int, int] | None, str]:
    place, against = PLACE_OF(found, quote)
    return (find_all_quotes(quote, found.folded)[0], "") if against == "echo" else (place, against)


def plain(operation: Any, said: Any, registry: Any) -> Any:
    return admission._plain_subject(operation, registry)


def by_arrival(claim: Any) -> tuple[int, Any]:
    return claim.order.seq, claim.id


RULES: dict[str, tuple[object, str, Any, str, str]] = {
    "quotes need not be there": (said.Said, "place_of", anywhere, "poisoning", "contamination_rate"),
    "echoes count": (said.Said, "place_of", in_echoes_too, "echo", "stale_fact_leak_rate"),
    "anybody may write": (admission, "may_write", lambda *_: True, "poisoning", "contamination_rate"),
    "guests speak for the user": (admission, "_subject", plain, "third-parties", "contamination_rate"),
    "all is asserted": (admission, "_modality", lambda _: (False, ""), "plans", "current_state_accuracy"),
    "a yes is a statement": (said, "is_bare_answer", lambda _: False, "poisoning", "contamination_rate"),
    "quotations count": (said, "quoted_regions", lambda _: (), "chit-chat", "contamination_rate"),
    "no word needs a ground": (admission, "_grounded", lambda claim, *_: (claim, ""), "doubt", "contamination_rate"),
    "all is said of now": (admission, "_times", lambda *_: admission._NO_TIMES, "time-zones", "as_of_accuracy"),
    "who comes last wins": (timeline, "_order", by_arrival, "late-arrival", "history_accuracy"),
    "nothing is protected": (timeline.Track, "protected", lambda *_: (), "periods", "history_accuracy"),
    "starts are precise": (timeline.Track, "narrow", lambda *_: None, "relocation", "as_of_accuracy"),
    "denials are nothing": (timeline, "is_denied", lambda *_: False, "retraction-and-denial", "history_accuracy"),
    "corrections are nothing": (correction, "_correct_value", lambda *_: None, "corrections", "correction_durability"),
    "statements stay": (correction, "_void_statement", lambda *_: None, "corrections", "correction_durability"),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_off_shows_in_the_figures(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    where, name, instead, category, figure = RULES[rule]
    monkeypatch.setattr(where, name, instead)
    report = run(SET, categories=[category])
    assert figure in {failure.figure for failure in report.own_failures}
    assert not report.is_right

"""The run: what the memory answers, how it is judged, and that a memory which errs is found out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Operation
from tensemem.bench import EVERY_MANNER, FIGURES, Manner, Report, packaged_set, run, same_figures
from tensemem.bench.cases import Span
from tensemem.bench.report import HARM
from tensemem.bench.subject import Subject
from tensemem.bench.systems import Answer
from tensemem.errors import ExtractorUnavailable, InvalidValueError

from .made import asks, lives, made, moment, one, say, sets

SET = packaged_set()
PERFECT = {figure: 0.0 if figure in HARM else 1.0 for figure in FIGURES if figure != "tokens_per_answer"}


def rates(report: Report, place: int = 0) -> dict[str, float | None]:
    values = report.systems[place].total.values
    return {figure: values[figure] for figure in FIGURES if figure != "tokens_per_answer"}


@pytest.fixture(scope="module")
def plain() -> Report:
    return run(SET)


def test_the_memory_answers_every_question_rightly(plain: Report) -> None:
    assert [failure for failure in plain.failures if failure.system == "tensemem"] == []
    assert rates(plain) == PERFECT
    assert (plain.cases, plain.missed) == (len(SET), 0)
    assert plain.rebuilds == plain.identical_rebuilds >= 30
    assert plain.is_right
    assert plain.systems[0].is_safe


def is_slow(manner: Manner) -> bool:
    """Whether a manner is left to the slow tests: the other half has every pair of its three switches."""
    return (manner.order == "shuffled") ^ (manner.pace == "burst") ^ (not manner.wait)


OTHER_MANNERS = [pytest.param(one, marks=[pytest.mark.slow] * is_slow(one), id=str(one)) for one in EVERY_MANNER[1:]]


@pytest.mark.parametrize("manner", OTHER_MANNERS)
def test_every_manner_gives_the_same_figures(plain: Report, manner: Manner) -> None:
    report = run(SET, manner=manner)
    assert [failure for failure in report.failures if failure.system == "tensemem"] == []
    assert same_figures([plain, report])


def test_the_simpler_memories_are_asked_the_same_and_do_worse(plain: Report) -> None:
    memory, transcript, retrieval, keys = plain.systems
    assert [system.name for system in plain.systems[1:]] == [
        "whole transcript",
        "token-overlap retrieval",
        "last-write-wins key-value",
    ]
    for figure in ("stale_fact_leak_rate", "freshness_honesty", "tokens_per_answer"):
        assert len({system.total.asked[figure] for system in plain.systems}) == 1
    assert not any(system.is_safe for system in (transcript, retrieval, keys))
    for category, rate in (("relocation", 0.9), ("flip-flop", 0.9), ("corrections", 0.9)):
        assert (transcript.by_category[category]["stale_fact_leak_rate"] or 0) >= rate
    assert (keys.by_category["corrections"]["correction_durability"] or 0) < 0.6
    assert (keys.by_category["late-arrival"]["current_state_accuracy"] or 0) < 0.6
    assert (keys.by_category["poisoning"]["contamination_rate"] or 0) > 0.5
    assert (keys.by_category["long-talks"]["current_state_accuracy"] or 0) > 0.5
    assert keys.by_category["flip-flop"]["current_state_accuracy"] == 1.0
    assert (keys.total["freshness_honesty"] or 0) < 1
    long = "long-talks"
    told, asked = transcript.by_category[long]["tokens_per_answer"], memory.by_category[long]["tokens_per_answer"]
    assert told is not None
    assert asked is not None
    assert told > 4 * asked


def test_what_a_system_can_not_do_is_none_and_has_a_note(plain: Report) -> None:
    for system in plain.systems[1:]:
        for figure in FIGURES:
            if system.total[figure] is None:
                assert figure in system.notes
    assert rates(plain, 1)["history_accuracy"] is None
    assert rates(plain, 3)["as_of_accuracy"] is None


def test_a_report_as_json_has_the_promised_names(plain: Report) -> None:
    document = plain.document()
    assert document["cases"] == len(SET)
    for system in document["systems"].values():
        assert {"cases", *FIGURES} <= set(system)
        for category in system["by_category"].values():
            assert set(category) == {"cases", *FIGURES}
    assert document["failures"] == []


# --- a memory that errs is found out -----------------------------------------------------------------------------

MIXED = one(
    lives(1, "Graz"),
    lives(3, "Linz"),
    asks(
        4,
        {"current": "lives_in", "is": "Linz", "stale": ["Graz"]},
        {"history": "lives_in", "is": [
            {"value": "Graz", "from": moment(1), "to": moment(3)}, {"value": "Linz", "from": moment(3)},
        ]},
        {"as_of": "lives_in", "at": "2026-03-02", "is": "Graz"},
        {"never": "lives_in", "value": "Oslo"},
        {"context": {"has": ["Linz"], "lacks": ["Graz"]}},
    ),
    {"correct": {"predicate": "lives_in", "value": "Linz"}, "at": moment(5)},
    asks(6, {"corrected": "lives_in", "is": "Graz", "stale": ["Linz"]}),
)  # fmt: skip


def test_a_memory_that_errs_nowhere_is_right(tmp_path: Path) -> None:
    report = run(made(tmp_path, MIXED))
    assert rates(report) == PERFECT
    assert report.systems[0].total.asked == {
        "current_state_accuracy": 2,
        "stale_fact_leak_rate": 3,
        "freshness_honesty": 4,
        "contamination_rate": 1,
        "correction_durability": 1,
        "history_accuracy": 1,
        "as_of_accuracy": 1,
        "tokens_per_answer": 3,
    }


FAULTS: dict[str, tuple[str, Any, dict[str, float]]] = {
    "it gives the value before": (
        "current",
        lambda self, asked, question: Answer("", ("Graz",)),
        {"current_state_accuracy": 0.5, "stale_fact_leak_rate": 1 / 3},
    ),
    "it gives both values": (
        "current",
        lambda self, asked, question: Answer("", ("Graz", "Linz")),
        {"current_state_accuracy": 0.5, "stale_fact_leak_rate": 2 / 3, "correction_durability": 0.0},
    ),
    "it is in doubt of everything": (
        "told",
        lambda self, question: "Perhaps Graz, perhaps Linz.",
        {"stale_fact_leak_rate": 1.0},
    ),
    "it says nothing": ("told", lambda self, question: "", {"current_state_accuracy": 0.5}),
    "it always claims to be current": ("claims_current", True, {"freshness_honesty": 0.5}),
    "it never claims to be current": ("claims_current", False, {"freshness_honesty": 0.5}),
    "it made something up": ("ever", lambda self, asked: True, {"contamination_rate": 1.0}),
    "it loses a stretch": (
        "past",
        lambda self, asked: [Span("Linz", None, None)],
        {"history_accuracy": 0.0},
    ),
    "it knows today only": ("as_of", lambda self, asked: ("Linz",), {"as_of_accuracy": 0.0}),
    "it ignores corrections": (
        "amend",
        lambda self, amended: True,
        {"correction_durability": 0.0, "stale_fact_leak_rate": 1 / 3},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_memory_that_errs_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    name, behaviour, worse = FAULTS[fault]
    monkeypatch.setattr(Subject, name, behaviour)
    report = run(made(tmp_path, MIXED))
    assert rates(report) == pytest.approx({**PERFECT, **worse})
    assert not report.is_right
    assert {failure.figure for failure in report.own_failures} == set(worse)


def test_a_correction_that_a_rebuild_loses_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, lost = Subject.current, list[Subject]()

    def loses(self: Subject) -> None:
        lost.append(self)

    monkeypatch.setattr(Subject, "rebuild", loses)
    monkeypatch.setattr(Subject, "current", lambda self, *asked: Answer("", ("Linz",)) if lost else plain(self, *asked))
    assert rates(run(made(tmp_path, MIXED)))["correction_durability"] == 0.0


def test_a_rebuild_that_changes_something_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def differs(self: Subject) -> None:
        self.rebuilds += 1

    monkeypatch.setattr(Subject, "rebuild", differs)
    report = run(made(tmp_path, MIXED))
    assert (report.rebuilds, report.identical_rebuilds, report.is_right) == (1, 0, False)


def test_a_message_that_nobody_can_read_keeps_every_read_from_being_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = one(lives(1, "Graz"), say(2, "Blurred.", unreadable=True), lives(3, "Linz"), asks(4, LINZ), asks(9, LINZ))
    conversations = made(tmp_path, talk)
    for manner in EVERY_MANNER:
        report = run(conversations, manner=manner)
        assert rates(report)["freshness_honesty"] == rates(report)["current_state_accuracy"] == 1.0
        assert rates(report, 1)["freshness_honesty"] == 1.0
        assert rates(report, 3)["freshness_honesty"] != 1.0
    assert rates(run(conversations), 3)["freshness_honesty"] == 0.0
    monkeypatch.setattr(Subject, "claims_current", property(lambda self: self._mem.get("ann", "lives_in") == "Linz"))
    assert rates(run(conversations))["freshness_honesty"] == 3 / 5


def test_doubt_and_plans_must_be_told_where_they_are_asked_for(tmp_path: Path) -> None:
    talk = (
        lives(1, "Graz"),
        say(2, "Perhaps Linz.", sets("Linz", "Perhaps Linz", confidence=0.1)),
        say(3, "Wien in May.", sets("Wien", "Wien in May", modality="planned", since="2026-05")),
    )
    right = {"current": "lives_in", "is": "Graz", "contested": True, "held": ["Linz"], "planned": ["Wien"]}
    wrong: list[dict[str, Any]] = [
        {**right, "contested": False},
        {**right, "held": []},
        {**right, "planned": ["Linz"]},
    ]
    report = run(made(tmp_path, one(*talk, asks(4, right, *wrong))))
    assert rates(report)["current_state_accuracy"] == 0.25
    assert "contested false" in report.own_failures[0].expected


@pytest.mark.parametrize(
    ("start", "end", "is_right"),
    [(1, 3, True), (2, 3, False), (1, 4, False), (None, 3, False), (1, None, False)],
)
def test_a_history_must_be_right_to_its_ends(
    tmp_path: Path, start: int | None, end: int | None, is_right: bool
) -> None:
    ends = {name: moment(day) for name, day in (("from", start), ("to", end)) if day is not None}
    spans = [{"value": "Linz", "from": moment(3)}, {"value": "Graz", **ends}]
    talk = one(lives(1, "Graz"), lives(3, "Linz"), asks(4, {"history": "lives_in", "is": spans}))
    assert rates(run(made(tmp_path, talk)))["history_accuracy"] == float(is_right)


def test_who_can_not_be_corrected_is_not_safe_however_right_it_was(tmp_path: Path) -> None:
    report = run(made(tmp_path, one(lives(1, "Graz"), asks(2, {"current": "lives_in", "is": "Graz"}))))
    memory, transcript = report.systems[:2]
    asked = {figure: value for figure, value in transcript.total.values.items() if value is not None}
    assert asked == {"current_state_accuracy": 1.0, "freshness_honesty": 1.0, "tokens_per_answer": 18.0}
    assert (memory.is_safe, transcript.is_safe) == (True, False)


# --- manners ------------------------------------------------------------------------------------------------------

MANY = one(*[lives(day, f"City{day}") for day in range(1, 9)], asks(20, {"current": "lives_in", "is": "City8"}))


def heard_by(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the memory is told, group by group, with the word `settle` where it extracts."""
    told: list[list[str]] = []
    hear, settle = Subject.hear, Subject.settle

    def hearing(self: Subject, says: Any) -> list[str]:
        told.append([one.proposes[0].operation.value for one in says])
        return hear(self, says)

    def settling(self: Subject) -> None:
        told.append(["settle"])
        settle(self)

    monkeypatch.setattr(Subject, "hear", hearing)
    monkeypatch.setattr(Subject, "settle", settling)
    return told


CITIES = [f"City{day}" for day in range(1, 9)]


@pytest.mark.parametrize("manner", EVERY_MANNER, ids=str)
def test_messages_come_in_the_manner_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manner: Manner
) -> None:
    told = heard_by(monkeypatch)
    report = run(made(tmp_path, MANY), manner=manner)
    assert report.is_right
    groups = [group for group in told if group != ["settle"]]
    arrived = [city for group in groups for city in group]
    assert sorted(arrived) == CITIES
    assert (arrived == CITIES) == (manner.order == "written")
    assert len(groups) == (1 if manner.pace == "burst" else 8)
    waits_between = told[1] == ["settle"] and told[-2] == ["settle"]
    assert waits_between == manner.wait


@pytest.mark.parametrize("manner", EVERY_MANNER, ids=str)
def test_recalled_text_is_what_is_known_at_that_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manner: Manner
) -> None:
    texts: list[str] = []
    hear = Subject.hear

    def hearing(self: Subject, says: Any) -> list[str]:
        heard = hear(self, says)
        texts.extend(heard)
        return heard

    monkeypatch.setattr(Subject, "hear", hearing)
    recalls = [say(day, f"Well {day}.", recall=kind) for day, kind in ((3, "fenced"), (5, "bare"), (7, "again"))]
    talk = one(lives(1, "Graz"), recalls[0], lives(4, "Linz"), recalls[1], lives(6, "Wien"), recalls[2], asks(9, LINZ))
    run(made(tmp_path, talk), manner=manner)
    fenced, bare, again = (text for text in texts if "Well" in text)
    assert fenced.startswith("<tensemem-")
    assert fenced.endswith(">\nWell 3.")
    assert "- lives_in: Graz (since 2026-03-01)\n" in fenced
    assert bare == "- lives_in: Linz (since 2026-03-04)\nWell 5."
    assert again == "- lives_in: Linz (since 2026-03-04)\nWell 7."


def test_another_seed_is_another_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = heard_by(monkeypatch)
    for seed in (1, 1, 2):
        run(made(tmp_path, MANY), manner=Manner("shuffled", "burst", seed=seed))
    first, again, other = (group for group in told if group != ["settle"])
    assert first == again != other


def test_what_was_known_when_is_asked_only_where_everything_is_known_at_once(tmp_path: Path) -> None:
    known = {"as_of": "lives_in", "known_at": "2026-03-02T00:00:00Z", "is": "Graz"}
    conversations = made(tmp_path, one(lives(1, "Graz"), lives(3, "Linz"), asks(4, known)))
    asked = [run(conversations, manner=manner).systems[0].total.asked["as_of_accuracy"] for manner in EVERY_MANNER]
    assert asked == [1, 0, 0, 0, 0, 0, 0, 0]


def test_reports_that_differ_are_not_the_same(plain: Report) -> None:
    less = run(SET, limit=3)
    assert same_figures([plain, plain])
    assert not same_figures([plain, less])


# --- whose proposals ------------------------------------------------------------------------------------------------


def test_any_extractor_may_propose_and_the_baselines_get_the_same(tmp_path: Path) -> None:
    conversations = made(tmp_path, one(say(1, "I live in Graz."), say(2, "I moved to Linz."), asks(3, LINZ)))
    report = run(conversations, extractor=FakeExtractor())
    assert report.extractor == "fake"
    assert rates(report)["current_state_accuracy"] == 1.0
    assert rates(report, 3)["current_state_accuracy"] == 1.0


LINZ = {"current": "lives_in", "is": "Linz"}


def test_what_an_extractor_awaits_runs_in_one_loop_for_all_conversations(tmp_path: Path) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def propose(request: Any) -> list[Operation]:
        loops.append(asyncio.get_running_loop())
        return [Operation("set", "lives_in", "Linz", quote=request.messages[0].content)]

    talks = [one(say(1, "Linz"), asks(2, LINZ), id=name) for name in ("a", "b", "c")]
    report = run(made(tmp_path, *talks), extractor=propose)
    assert (report.extractor, rates(report)["current_state_accuracy"]) == ("propose", 1.0)
    assert len(loops) == 3
    assert len(set(loops)) == 1
    assert loops[0].is_closed()


def test_what_nobody_proposed_can_not_be_corrected_and_is_counted(tmp_path: Path) -> None:
    report = run(made(tmp_path, MIXED), extractor=lambda request: [])
    assert report.missed == 1
    assert rates(report)["current_state_accuracy"] == 0.0
    assert run(made(tmp_path, MIXED)).missed == 0


def test_what_a_tool_says_reaches_those_who_take_everything(tmp_path: Path) -> None:
    tool = say(2, "I live in Oslo.", sets("Oslo", "I live in Oslo", wrong="a page"), role="tool")
    never = {"never": "lives_in", "value": "Oslo"}
    report = run(made(tmp_path, one(lives(1, "Graz"), tool, asks(3, never))))
    assert [rates(report, place)["contamination_rate"] for place in range(4)] == [0.0, 1.0, 1.0, 1.0]


def test_an_extractor_that_can_not_be_reached_ends_the_run_and_names_the_conversation(tmp_path: Path) -> None:
    def unreachable(request: Any) -> list[Operation]:
        raise ExtractorUnavailable("down")

    with pytest.raises(ExtractorUnavailable) as raised:
        run(made(tmp_path, MIXED), extractor=unreachable)
    assert any("the conversation a (" in note for note in raised.value.__notes__)


# --- which conversations -------------------------------------------------------------------------------------------


def test_categories_and_a_limit_choose(tmp_path: Path) -> None:
    conversations = made(tmp_path, MIXED, {**MIXED, "id": "b", "category": "d"}, {**MIXED, "id": "e"})
    seen: list[tuple[int, int]] = []
    report = run(conversations, categories=["c"], limit=1, progress=lambda done, total: seen.append((done, total)))
    assert (report.cases, list(report.systems[0].by_category), seen) == (1, ["c"], [(0, 1)])
    assert run(conversations, categories=["c"]).cases == 2
    with pytest.raises(InvalidValueError, match="there is no category 'x'; there are c, d"):
        run(conversations, categories=["x"])
    with pytest.raises(InvalidValueError, match="no conversation to play"):
        run(())


def test_a_predicate_that_can_not_be_registered_is_told(tmp_path: Path) -> None:
    odd = {**MIXED, "predicates": {"lives_in": {"colour": "red"}}}
    with pytest.raises(InvalidValueError, match="'lives_in' can't be registered"):
        run(made(tmp_path, odd))


def test_a_manner_is_told_in_words() -> None:
    assert str(Manner()) == "written, one by one, waited for"
    assert str(replace(Manner(), order="shuffled", pace="burst", wait=False)) == "shuffled, in bursts, not waited for"
    assert len(set(map(str, EVERY_MANNER))) == 8

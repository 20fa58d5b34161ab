"""Looking: what would happen, why something is shown, what became of each operation, and what changed."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import FactStatus, Memory, Message, Operation
from tensemem.errors import ConflictError, ExtractorError, InvalidValueError, UnknownFactError, UnknownPredicateError
from tests.engine.bench import Clock, Told, day, lives, opened, refused, revs, speaks


def everything(mem: Memory) -> Any:
    return revs(mem), mem.state("ann"), mem.history("ann"), mem.digest("ann"), mem.jobs(), mem.scopes(), mem.proposals()


# --- preview ------------------------------------------------------------------------------------------------------


def test_previewing_operations_writes_nothing_and_tells_the_difference(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(2)
    before = everything(mem)
    diff = mem.preview("ann", [lives("Pune"), speaks("Go"), Operation("set", "unknown", "x")])
    assert everything(mem) == before
    assert [(old.value, new.value) for old, new in diff.changed] == [("Delhi", "Pune")]
    assert [fact.value for fact in diff.added] == ["Go"]
    assert diff.removed == ()
    assert [(one.outcome, one.reason) for one in diff.decisions] == [
        ("admitted", ""), ("admitted", ""), ("refused", "unknown_predicate")
    ]  # fmt: skip
    assert [proposal["op"] for proposal in diff.proposals] == ["set", "add", "set"]


def test_previewing_in_an_empty_scope_makes_no_scope(mem: Memory) -> None:
    diff = mem.preview("nobody", [lives("Pune")])
    assert [fact.value for fact in diff.added] == ["Pune"]
    assert mem.scopes() == ()


def test_previewing_a_message_asks_the_extractor_and_writes_nothing(mem: Memory, told: Told) -> None:
    mem.set("ann", "lives_in", "Delhi")
    told.answers["I moved to Pune"] = [lives("Pune")]
    before = everything(mem)
    text = "I moved to Pune"
    for given in (text, [{"role": "user", "content": text}], [Message("ann", text)]):
        diff = mem.preview("ann", given)
        assert everything(mem) == before
        assert [(old.value, new.value) for old, new in diff.changed] == [("Delhi", "Pune")]
        assert [one.outcome for one in diff.decisions] == ["admitted"]


def test_previewing_may_ask_another_extractor(mem: Memory, told: Told) -> None:
    other = Told()
    other.answers["I moved to Pune"] = [lives("Pune")]
    assert not mem.preview("ann", "I moved to Pune", other).is_empty
    assert told.asked == []


def test_previewing_what_is_true_already_is_no_difference(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    assert mem.preview("ann", [lives("Delhi")]).is_empty


def test_what_is_previewed_is_what_happens(mem: Memory, clock: Clock) -> None:
    mem.replace_values("ann", "languages", ["Go", "SQL"])
    mem.set("ann", "lives_in", "Delhi")
    clock.now = day(3)
    operations = [Operation("replace", "languages", ["Rust"]), Operation("retract", "lives_in", "Delhi")]
    diff = mem.preview("ann", operations)
    shown = {fact.object for fact in mem.state("ann").facts}
    mem.write("ann", operations)
    after = {fact.object for fact in mem.state("ann").facts}
    added = {fact.object for fact in diff.added} | {new.object for _, new in diff.changed}
    removed = {fact.object for fact in diff.removed} | {old.object for old, _ in diff.changed}
    assert (shown - removed) | added == after


def test_previewing_messages_needs_an_extractor() -> None:
    with opened() as mem, refused(mem, ExtractorError):
        mem.preview("ann", "I moved to Pune")


@pytest.mark.parametrize("given", [7, {"role": "user"}, lives("Pune"), [lives("Pune"), 7], [7], "a\0b"], ids=repr)
def test_what_cannot_be_previewed_is_refused(mem: Memory, given: Any) -> None:
    with refused(mem):
        mem.preview("ann", given)


# --- explain ------------------------------------------------------------------------------------------------------


@pytest.fixture
def moved(mem: Memory, told: Told, clock: Clock) -> Memory:
    """Ann said that she lives in Delhi, then that she moved to Pune, which was then corrected."""
    told.answers["I live in Delhi."] = [lives("Delhi", quote="live in Delhi", confidence=0.9)]
    told.answers["I moved to Pune!"] = [lives("Pune", quote="moved to Pune")]
    mem.add("ann", "I live in Delhi.")
    clock.now = day(5)
    mem.add("ann", "I moved to Pune!", session_id="s")
    mem.flush()
    clock.now = day(9)
    return mem


def test_an_explanation_tells_the_words_the_extractor_and_what_was_displaced(moved: Memory) -> None:
    fact = moved.state("ann").fact("lives_in")
    assert fact is not None
    why = moved.explain(fact.id)
    assert why.fact == fact
    assert [step.kind for step in why.steps] == ["message", "extraction", "admission"]
    assert [step.seq for step in why.steps] == [2, 2, 2]
    message, extraction, admission = why.steps
    assert (message.text, message.quote, message.role, message.said_at) == (
        "I moved to Pune!", "moved to Pune", "user", day(5)
    )  # fmt: skip
    assert extraction.extractor == "told"
    assert admission.text == "admitted"
    assert [fact.value for fact in why.displaced] == ["Delhi"]
    assert why.displaced_by == ()
    assert [(one.outcome, one.claim_id) for one in why.decisions] == [("admitted", fact.id)]
    (evidence,) = fact.evidence
    assert (evidence.quote, evidence.begin, evidence.stop) == ("moved to Pune", 2, 15)


def test_what_was_displaced_tells_by_what(moved: Memory) -> None:
    old = next(fact for fact in moved.history("ann") if fact.value == "Delhi")
    why = moved.explain(old.id)
    assert [fact.value for fact in why.displaced_by] == ["Pune"]
    assert why.fact.confidence == 0.9
    assert why.fact.status is FactStatus.SUPERSEDED


def test_what_was_corrected_tells_by_whom_and_why(moved: Memory) -> None:
    wrong = moved.state("ann").fact("lives_in")
    assert wrong is not None
    moved.correct(wrong.id, "Goa", reason="she was joking")
    why = moved.explain(wrong.id)
    assert why.fact.status is FactStatus.CORRECTED
    step = why.steps[-1]
    assert (step.kind, step.reason, step.seq) == ("correction", "she was joking", 3)
    assert "Goa" in step.text


@pytest.mark.parametrize("verb", ["retract", "deny"])
def test_a_statement_can_be_explained(moved: Memory, verb: str) -> None:
    receipt = getattr(moved, verb)("ann", "lives_in", "Pune", source="the form")
    why = moved.explain(receipt.fact_id)
    assert why.steps[0].kind == "write"
    assert "the form" in why.steps[0].text


def test_a_candidate_and_a_refused_one_can_be_explained(moved: Memory) -> None:
    moved.write("ann", [lives("Oslo", modality="reported")])
    (held,) = moved.state("ann").candidates
    assert moved.explain(held.id).fact == held
    moved.review(held.id, False)
    assert moved.explain(held.id).fact.value == "Oslo"


def test_any_claim_of_a_fact_explains_it(mem: Memory, clock: Clock) -> None:
    ids = []
    for number in range(3):
        clock.now = day(number)
        ids.append(mem.write("ann", [lives("Delhi")]).decisions[0].claim_id)
    assert len(set(ids)) == 3
    assert {mem.explain(str(id)).fact.id for id in ids} == {ids[0]}
    assert [step.seq for step in mem.explain(str(ids[2])).steps if step.kind == "write"] == [1, 2, 3]


# --- decisions ----------------------------------------------------------------------------------------------------


def test_every_operation_has_a_decision(mem: Memory, told: Told) -> None:
    text = "I live in Delhi and speak Go, she says Pune"
    told.answers[text] = [
        lives("Delhi"), speaks("Go", quote="speak Rust"), lives("Pune", modality="reported"),
        lives("Goa", modality="hypothetical"), Operation("set", "height", "tall"), "garbage", speaks("Go"),
        lives("Oslo"), Operation("retract", "languages", "SQL", quote="speak Go"), speaks("Go", confidence=0.1),
        lives("Delhi", since=day(99)),
    ]  # fmt: skip
    seq = mem.add("ann", text).seq
    assert mem.decisions("ann", seq) == ()
    mem.flush()
    found = [(one.outcome, one.reason) for one in mem.decisions("ann", seq)]
    assert found == [
        ("admitted", ""), ("refused", "no_quote"), ("held", "reported"), ("refused", "hypothetical"),
        ("refused", "unknown_predicate"), ("refused", "malformed"), ("admitted", ""), ("held", "not_in_words"),
        ("held", "not_in_words"), ("held", "low_confidence"), ("refused", "bad_time"),
    ]  # fmt: skip
    assert {one.seq for one in mem.decisions("ann", seq)} == {seq}
    ids = [one.claim_id for one in mem.decisions("ann", seq)]
    assert [id is None for id in ids] == [outcome == "refused" for outcome, _ in found]
    assert mem.decisions("ann", seq)[0].operation["value"] == "Delhi"


def test_a_decision_is_of_the_registry_of_today(mem: Memory, told: Told) -> None:
    told.answers["I am tall"] = [Operation("set", "height", "tall")]
    seq = mem.add("ann", "I am tall").seq
    mem.flush()
    (proposal,) = mem.proposals()
    assert (proposal.predicate, proposal.count, proposal.examples) == ("height", 1, ("tall",))
    mem.register_predicate("height")
    assert [(one.outcome, one.reason) for one in mem.decisions("ann", seq)] == [("admitted", "")]
    assert mem.get("ann", "height") == "tall"
    assert mem.proposals() == ()
    assert mem.verify().identical


def test_an_amendment_has_a_decision_of_its_own(moved: Memory) -> None:
    wrong = moved.state("ann").fact("lives_in")
    assert wrong is not None
    seq = moved.correct(wrong.id).seq
    assert [(one.outcome, one.reason) for one in moved.decisions("ann", seq)] == [("admitted", "correction")]


@pytest.mark.parametrize("seq", [0, 99])
def test_an_episode_that_is_not_there_has_no_decisions(moved: Memory, seq: int) -> None:
    with refused(moved, UnknownFactError):
        moved.decisions("ann", seq)
    with refused(moved, UnknownFactError):
        moved.decisions("nobody", 1)


@pytest.mark.parametrize("seq", ["1", None, 1.0, True, -1, 2**70])
def test_a_seq_is_a_number(moved: Memory, seq: Any) -> None:
    with refused(moved, InvalidValueError):
        moved.decisions("ann", seq)


# --- changes ------------------------------------------------------------------------------------------------------


def test_changes_tell_what_each_entry_did(moved: Memory) -> None:
    wrong = moved.state("ann").fact("lives_in")
    assert wrong is not None
    moved.correct(wrong.id, reason="she was joking")
    moved.reinstate(wrong.id)
    told = [(one.kind, one.value, one.why, one.seq, one.reason) for one in moved.changes("ann")]
    assert told == [
        ("began", "Delhi", "extraction", 1, None),
        ("ended", "Delhi", "extraction", 2, None), ("began", "Pune", "extraction", 2, None),
        ("ended", "Pune", "correction", 3, "she was joking"), ("began", "Delhi", "correction", 3, "she was joking"),
        ("ended", "Delhi", "reinstatement", 4, None), ("began", "Pune", "reinstatement", 4, None),
    ]  # fmt: skip


def test_changes_after_a_revision_are_the_rest(moved: Memory) -> None:
    every = moved.changes("ann")
    revisions = sorted({change.rev for change in every})
    for rev in revisions:
        assert moved.changes("ann", rev) == tuple(change for change in every if change.rev > rev)
    assert moved.changes("ann", revs(moved)[0]) == ()
    with refused(moved, ConflictError, match="the log ends with revision"):
        moved.changes("ann", 10**9)
    assert moved.changes("nobody") == ()


def test_a_limit_never_cuts_an_entry_in_two(moved: Memory) -> None:
    every = moved.changes("ann")
    assert [change.rev for change in moved.changes("ann", limit=2)] == [every[0].rev, every[1].rev, every[1].rev]
    seen: list[Any] = []
    after = 0
    while some := moved.changes("ann", after, limit=1):
        seen += some
        after = some[-1].rev
    assert tuple(seen) == every


def test_the_changes_of_a_receipt_are_those_of_its_entry(mem: Memory, clock: Clock) -> None:
    operations = [
        [lives("Delhi")], [speaks("Go"), speaks("SQL")], [Operation("replace", "languages", ["Go", "C"])],
        [lives("Pune", since=day(1))], [Operation("retract", "lives_in", "Delhi")], [lives("Delhi", valid_from=day(0))],
        [Operation("deny", "lives_in", "Pune")], [Operation("retract", "languages")],
    ]  # fmt: skip
    for number, some in enumerate(operations):
        clock.now = day(number + 2)
        rev = revs(mem)[0]
        receipt = mem.write("ann", some)
        assert sorted(map(repr, receipt.changes)) == sorted(map(repr, mem.changes("ann", rev)))
        assert receipt.changed == bool(receipt.changes)


@pytest.mark.parametrize("bad", [-1, "1", True, None, 1.5])
def test_changes_take_revisions_and_a_limit(moved: Memory, bad: Any) -> None:
    with refused(moved, InvalidValueError):
        moved.changes("ann", bad)
    for limit in {0, bad} - {None}:
        with refused(moved, InvalidValueError):
            moved.changes("ann", limit=limit)


# --- reading ------------------------------------------------------------------------------------------------------


def test_a_value_of_an_unknown_predicate_is_an_error_and_a_missing_one_the_default(moved: Memory) -> None:
    with refused(moved, UnknownPredicateError):
        moved.get("ann", "height")
    assert moved.get("ann", "languages") is None
    assert moved.get("ann", "languages", ()) == ()
    assert moved.get("nobody", "lives_in", "nowhere") == "nowhere"


def test_what_was_known_can_be_read_by_revision_and_by_time(moved: Memory) -> None:
    revisions = [change.rev for change in moved.changes("ann")]
    assert moved.get("ann", "lives_in", known_at=0) is None
    assert moved.get("ann", "lives_in", known_at=revisions[0]) == "Delhi"
    assert moved.get("ann", "lives_in", known_at=revisions[-1]) == "Pune"
    assert moved.get("ann", "lives_in", at=day(3)) == "Delhi"
    assert moved.get("ann", "lives_in", at=day(6), known_at=revisions[0]) == "Delhi"
    assert moved.state("ann", known_at=day(4)).values == {}
    assert moved.state("ann", known_at=day(5)).values == {"lives_in": "Pune"}
    assert moved.state("ann", known_at="2026-01-06").rev == revisions[-1]


def test_a_version_changes_whenever_the_state_may_have(mem: Memory, clock: Clock) -> None:
    versions = [mem.state("ann").version]

    def note() -> None:
        versions.append(mem.state("ann").version)

    mem.set("ann", "lives_in", "Delhi")
    note()
    mem.record("ann", "lives_in", "Pune", valid_from=day(5))
    note()
    clock.now = day(5)
    note()
    mem.register_entity("Pune", aliases=["Poona"])
    note()
    assert len(set(versions)) == len(versions)
    clock.now = day(6)
    assert mem.state("ann").version == versions[-1]


def test_a_scheduled_row_says_when_the_state_changes_next(mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi", until=day(9))
    mem.record("ann", "lives_in", "Pune", valid_from=day(5))
    assert mem.state("ann").next_change_at == day(5)
    clock.now = day(5)
    assert mem.state("ann").values == {"lives_in": "Pune"}


def test_reading_writes_nothing(moved: Memory) -> None:
    fact = moved.state("ann").fact("lives_in")
    assert fact is not None
    before = revs(moved)
    for _ in range(2):
        moved.state("ann", at=day(2), known_at=1)
        moved.history("ann", "lives_in", between=("2026-01-01", "2026-01-03"))
        moved.explain(fact.id)
        moved.context("ann", "where", include_history=True)
        moved.search("ann", "Pune")
        moved.changes("ann")
        moved.decisions("ann", 1)
        moved.digest("ann")
        moved.verify()
    assert revs(moved) == before
    again = moved.state("ann").fact("lives_in")
    assert again == fact


def test_a_history_is_paged(mem: Memory, clock: Clock) -> None:
    for number, place in enumerate(("A", "B", "A", "C", "B")):
        clock.now = day(number)
        mem.set("ann", "lives_in", place)
    every = mem.history("ann", "lives_in").facts
    first = mem.history("ann", "lives_in", limit=2)
    assert first.facts == every[:2]
    rest = mem.history("ann", "lives_in", limit=9, after=first.next)
    assert rest.facts == every[2:]
    assert rest.next is None
    between = mem.history("ann", "lives_in", between=(day(1), day(2)))
    assert [fact.value for fact in between] == ["B"]

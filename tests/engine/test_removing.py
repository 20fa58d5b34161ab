"""Forgetting a slot, a value or an entry: what goes, what stays, and what may not come back."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import FakeExtractor, Memory, Operation, errors
from tensemem.core.text import query_terms
from tests.engine.bench import ANN, Clock, Gate, Told, beside, day, lives, opened, revs, speaks
from tests.store.dump import everything

BOTH = "I live in Pune and speak Marathi"


def fact(mem: Memory, value: str, **where: Any) -> str:
    return next(one.id for one in mem.history("ann", **where).facts if one.value == value)


def values(mem: Memory) -> dict[str, Any]:
    return dict(mem.state("ann").values)


def say(mem: Memory, told: Told, text: str, *operations: Operation, **options: Any) -> int:
    told.answers[text] = list(operations)
    seq = mem.add("ann", text, **options).seq
    mem.flush("ann")
    return seq


def both(mem: Memory, told: Told) -> int:
    return say(mem, told, BOTH, lives("Pune", quote="I live in Pune"), speaks("Marathi", quote="speak Marathi"))


def is_said_nowhere(mem: Memory, word: str) -> bool:
    """Whether no row, and no term of the index, holds a word."""
    store = mem._engine.store
    with store.read() as reader:
        head = reader.head(ANN)
        found = [] if head is None else reader.search(head.id, query_terms(word), 100)
    return word.casefold() not in repr(everything(store)).casefold() and not found


# What goes, and what stays


def test_a_forgotten_value_goes_with_the_text_it_rests_on_and_other_facts_of_the_text_stay(
    mem: Memory, told: Told
) -> None:
    both(mem, told)
    before = mem.history("ann", "languages").facts
    mem.search("ann", "Pune")
    removed = mem.forget(fact_id=fact(mem, "Pune"))
    assert (removed.episodes, removed.claims, removed.facts, removed.mentions) == (1, 1, 1, ())
    assert values(mem) == {"languages": ("Marathi",)}
    after = mem.history("ann", "languages").facts
    assert [(one.id, one.valid_from) for one in after] == [(one.id, one.valid_from) for one in before]
    assert [quote.quote for one in after for quote in one.evidence] == [""]
    assert is_said_nowhere(mem, "Pune")
    assert mem.verify().identical


def test_what_the_value_had_displaced_shows_again(mem: Memory, told: Told) -> None:
    mem.set("ann", "lives_in", "Delhi")
    both(mem, told)
    mem.forget(fact_id=fact(mem, "Pune"))
    assert values(mem)["lives_in"] == "Delhi"


def test_a_slot_goes_whatever_became_of_its_claims(mem: Memory, told: Told) -> None:
    say(mem, told, "I live in Pune", lives("Pune", quote="I live in Pune"))
    say(mem, told, "they say I live in Goa", lives("Goa", quote="I live in Goa", modality="reported"))
    say(mem, told, "do I live in Oslo?", lives("Oslo", quote="I live in Oslo", modality="question"))
    mem.correct(fact(mem, "Pune"), "Kochi", reason="it was Kochi all the time")
    mem.set("ann", "languages", "Hindi")
    mem.forget("ann", predicate="lives_in")
    assert values(mem) == {"languages": ("Hindi",)}
    assert not mem.history("ann", "lives_in").facts
    assert all(is_said_nowhere(mem, word) for word in ("Pune", "Goa", "Oslo", "Kochi"))
    assert mem.verify().identical


def test_a_subject_goes_with_all_its_slots(mem: Memory) -> None:
    for who in ("user", "Mira"):
        mem.set("ann", "lives_in", "Pune", subject=who)
        mem.add_value("ann", "languages", "Hindi", subject=who)
    mem.forget("ann", subject="mira")
    assert not mem.history("ann", subject="Mira").facts
    assert values(mem) == {"lives_in": "Pune", "languages": ("Hindi",)}
    assert is_said_nowhere(mem, "Mira")


def test_the_same_value_in_another_slot_stays_and_is_mentioned(mem: Memory) -> None:
    mem.register_predicate("born_in")
    mem.set("ann", "lives_in", "Pune")
    mem.set("ann", "born_in", "Pune")
    removed = mem.forget(fact_id=fact(mem, "Pune", predicate="lives_in"))
    assert values(mem) == {"born_in": "Pune"}
    assert removed.mentions == (2,)


def test_what_only_a_correction_has_stated_is_mentioned_where_it_was_said(mem: Memory) -> None:
    mem.add("ann", "I dream of Pune")
    mem.set("ann", "lives_in", "Delhi")
    mem.correct(fact(mem, "Delhi"), value="Pune")
    removed = mem.forget(fact_id=fact(mem, "Pune"))
    assert removed.mentions == (1,)
    mem.erase("ann", 1)
    assert is_said_nowhere(mem, "Pune")


def test_an_erased_correction_tells_where_else_its_value_was_said(mem: Memory) -> None:
    mem.add("ann", "I dream of Pune")
    mem.set("ann", "lives_in", "Delhi")
    seq = mem.correct(fact(mem, "Delhi"), value="Pune").seq
    assert mem.erase("ann", seq).mentions == (1,)


def test_a_correction_goes_with_the_last_of_the_messages_it_speaks_of(mem: Memory, told: Told) -> None:
    for number in range(3):
        told.answers[f"I live in Delhi {number}"] = [lives("Delhi")]
        mem.add("ann", f"I live in Delhi {number}")
    mem.flush("ann")
    mem.correct(fact(mem, "Delhi"))
    for seq in (2, 1):
        mem.erase("ann", seq)
        assert not is_said_nowhere(mem, "Delhi")
    mem.erase("ann", 3)
    assert is_said_nowhere(mem, "Delhi")
    assert mem.verify().identical


def test_what_was_read_otherwise_before_is_mentioned_though_its_text_is_gone(mem: Memory, told: Told) -> None:
    say(mem, told, "I live in Pune", lives("Pune"))
    mem.set("ann", "lives_in", "Pune", subject="Mira")
    mem.reextract("ann", FakeExtractor({}), dry_run=False)
    mem.purge("2100-01-01")
    assert mem.forget(fact_id=fact(mem, "Pune", subject="Mira")).mentions == (1,)
    mem.erase("ann", 1)
    assert is_said_nowhere(mem, "Pune")


def test_a_review_goes_with_its_message_though_that_was_read_again(mem: Memory, told: Told) -> None:
    say(mem, told, "Pune perhaps", Operation("set", "lives_in", "Pune", confidence=0.3))
    waits = next(one for one in mem.history("ann").facts if one.status == "candidate")
    mem.review(waits.id, accept=False)
    mem.reextract("ann", FakeExtractor({}), dry_run=False)
    mem.erase("ann", 1)
    assert is_said_nowhere(mem, "Pune")
    assert mem.verify().identical


def test_a_review_stays_while_another_message_says_what_it_speaks_of(mem: Memory, told: Told) -> None:
    for text in ("Pune perhaps", "perhaps Pune"):
        say(mem, told, text, Operation("set", "lives_in", "Pune", confidence=0.3))
    waits = next(one for one in mem.history("ann").facts if one.status == "candidate")
    mem.review(waits.id, accept=False)
    mem.erase("ann", 1)
    assert not [one for one in mem.history("ann").facts if one.status == "candidate"]
    mem.erase("ann", 2)
    assert is_said_nowhere(mem, "Pune")


@pytest.mark.parametrize("text", ["I left Pune", "I never lived in Pune"])
def test_a_correction_of_a_statement_goes_with_it(mem: Memory, told: Told, text: str) -> None:
    said = "retract" if "left" in text else "deny"
    seq = say(mem, told, text, Operation(said, "lives_in", "Pune"))  # type: ignore[arg-type]
    mem.correct(mem.history("ann").retractions[0].id)
    mem.erase("ann", seq)
    assert is_said_nowhere(mem, "Pune")
    assert mem.verify().identical


def test_another_spelling_is_the_same_value(mem: Memory, told: Told) -> None:
    mem.set("ann", "lives_in", "new  delhi")
    say(mem, told, "I live in New Delhi", lives("New Delhi", quote="I live in New Delhi"))
    mem.forget(fact_id=fact(mem, "New Delhi"))
    assert not mem.history("ann", "lives_in").facts
    assert is_said_nowhere(mem, "delhi")


def test_one_value_of_a_replacement_leaves_the_others_with_their_ids(mem: Memory) -> None:
    mem.replace_values("ann", "languages", ["C", "Go", "Rust"])
    before = {one.value: one.id for one in mem.history("ann", "languages").facts}
    mem.forget(fact_id=before["C"])
    assert {one.value: one.id for one in mem.history("ann", "languages").facts} == {
        "Go": before["Go"], "Rust": before["Rust"],
    }  # fmt: skip
    mem.forget(fact_id=before["Go"])
    assert {one.value: one.id for one in mem.history("ann", "languages").facts} == {"Rust": before["Rust"]}
    assert mem.verify().identical


def test_forgetting_what_was_corrected_keeps_what_was_stated_instead(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.set("ann", "lives_in", "Pune")
    wrong = fact(mem, "Pune")
    mem.correct(wrong, "Goa", reason="Pune was a joke")
    kept = fact(mem, "Goa")
    mem.forget(fact_id=wrong)
    assert values(mem) == {"lives_in": "Goa"}
    assert fact(mem, "Goa") == kept
    assert is_said_nowhere(mem, "Pune")
    assert mem.verify().identical


def test_forgetting_what_was_stated_instead_keeps_the_correction(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.set("ann", "lives_in", "Pune")
    mem.correct(fact(mem, "Pune"), "Goa")
    mem.forget(fact_id=fact(mem, "Goa"))
    assert values(mem) == {"lives_in": "Delhi"}
    assert is_said_nowhere(mem, "Goa")


# What may not come back


def test_a_message_that_waited_is_read_without_what_was_forgotten(mem: Memory, told: Told) -> None:
    told.answers[BOTH] = [lives("Pune", quote="I live in Pune"), speaks("Marathi", quote="speak Marathi")]
    mem.add("ann", BOTH)
    mem.forget("ann", predicate="lives_in")
    assert mem.messages("ann")[0].content == BOTH
    mem.flush("ann")
    assert values(mem) == {"languages": ("Marathi",)}
    assert [(one.outcome, one.reason) for one in mem.decisions("ann", 1)] == [
        ("refused", "forgotten"), ("admitted", ""),
    ]  # fmt: skip
    assert (mem.messages("ann")[0].content, mem.messages("ann")[0].gone) == ("", "forgotten")
    assert is_said_nowhere(mem, "Pune")
    assert mem.verify().identical


def test_a_late_message_is_refused_and_a_fresh_one_counts(mem: Memory, told: Told, clock: Clock) -> None:
    clock.advance(days=5)
    mem.set("ann", "lives_in", "Pune")
    mem.forget(fact_id=fact(mem, "Pune"))
    say(mem, told, "I live in Pune", lives("Pune", quote="I live in Pune"), said_at=day(2))
    assert values(mem) == {}
    assert is_said_nowhere(mem, "Pune")
    clock.advance(days=1)
    say(mem, told, "I live in Pune", lives("Pune", quote="I live in Pune"))
    assert values(mem) == {"lives_in": "Pune"}
    assert mem.verify().identical


def test_an_explicit_write_dated_before_raises_and_leaves_no_entry(mem: Memory, clock: Clock) -> None:
    clock.advance(days=5)
    mem.set("ann", "lives_in", "Pune")
    mem.forget(fact_id=fact(mem, "Pune"))
    before = revs(mem)
    with pytest.raises(errors.InvalidTimeError, match="forgotten"):
        mem.set("ann", "lives_in", "pune", said_at=day(1))
    assert revs(mem) == before
    mem.set("ann", "lives_in", "Goa", said_at=day(1))
    mem.set("ann", "lives_in", "Pune")
    assert values(mem) == {"lives_in": "Pune"}


def test_a_correction_dated_before_can_not_state_it_either(mem: Memory, clock: Clock) -> None:
    clock.advance(days=5)
    mem.set("ann", "lives_in", "Goa")
    mem.set("ann", "lives_in", "Pune")
    mem.forget(fact_id=fact(mem, "Pune"))
    with pytest.raises(errors.InvalidTimeError, match="forgotten"):
        mem.correct(fact(mem, "Goa"), "Pune", said_at=day(1))
    mem.correct(fact(mem, "Goa"), "Pune")
    assert values(mem) == {"lives_in": "Pune"}


def test_another_reader_does_not_bring_it_back(mem: Memory, told: Told) -> None:
    text = "Pune is where I live"
    say(mem, told, text)
    mem.forget("ann", predicate="lives_in")
    other = FakeExtractor({text: [lives("Pune", quote=text)]})
    assert not mem.reextract("ann", other).added
    mem.reextract("ann", other, dry_run=False)
    assert values(mem) == {}
    assert is_said_nowhere(mem, "Pune")
    assert not mem.reextract("ann", FakeExtractor({text: [lives("Goa", quote=text)]}), dry_run=False).seqs


@pytest.mark.parametrize("forgotten", ["pg", "PostgreSQL"])
def test_an_alias_learned_later_joins_what_was_forgotten(mem: Memory, clock: Clock, forgotten: str) -> None:
    other = "PostgreSQL" if forgotten == "pg" else "pg"
    mem.register_predicate("stack", "many")
    mem.replace_values("ann", "stack", ["pg", "PostgreSQL", "MySQL"])
    mem.forget(fact_id=fact(mem, forgotten))
    assert values(mem) == {"stack": ("MySQL", other)}
    mem.register_entity("PostgreSQL", aliases=["pg"])
    assert values(mem) == {"stack": ("MySQL",)}
    assert mem.verify().identical
    mem.add_value("ann", "stack", other)
    assert len(values(mem)["stack"]) == 2


def test_a_name_of_the_predicate_learned_later_is_refused_too(mem: Memory, told: Told) -> None:
    say(mem, told, "my home is Pune", Operation("set", "home", "Pune", quote="my home is Pune"))
    mem.forget("ann", predicate="lives_in")
    mem.register_predicate("lives_in", aliases=["home"], update=True)
    assert values(mem) == {}
    assert [one.reason for one in mem.decisions("ann", 1)] == ["forgotten"]
    assert mem.decisions("ann", 1)[0].operation == {}
    assert mem.verify().identical


# One entry


def test_an_erased_message_goes_with_what_was_made_of_it(mem: Memory, told: Told) -> None:
    seq = both(mem, told)
    mem.set("ann", "languages", "Hindi")
    removed = mem.erase("ann", seq)
    assert (removed.entries, removed.episodes, removed.facts) == (2, 1, 2)
    assert values(mem) == {"languages": ("Hindi",)}
    assert mem.messages("ann") == ()
    assert [one.outcome for one in mem.decisions("ann", seq)] == ["erased"]
    assert all(is_said_nowhere(mem, word) for word in ("Pune", "Marathi"))
    before = revs(mem)
    assert mem.erase("ann", seq).entries == 0
    assert revs(mem) == before
    with pytest.raises(errors.UnknownFactError):
        mem.erase("ann", 99)


@pytest.mark.parametrize("known_by", [{"idempotency_key": "m-1"}, {"said_at": day(-1)}])
def test_an_erased_message_delivered_again_is_a_duplicate(mem: Memory, told: Told, known_by: dict[str, Any]) -> None:
    seq = say(mem, told, BOTH, lives("Pune", quote="I live in Pune"), **known_by)
    mem.erase("ann", seq)
    for _ in range(2):
        again = mem.add("ann", BOTH, **known_by)
        assert (again.seq, again.duplicate, again.settled) == (seq, True, True)
    assert is_said_nowhere(mem, "Pune")
    with mem._engine.store.read() as reader:
        head = reader.head(ANN)
        assert head is not None
        assert {key.partition(":")[0] for key, _, _ in reader.keys(head.id, "", 99)} == {"f", "x"}
    if "idempotency_key" in known_by:
        with pytest.raises(errors.IdempotencyConflictError):
            mem.add("ann", "something else", **known_by)


def test_an_erased_write_is_known_again_and_not_done_again(mem: Memory) -> None:
    seq = mem.set("ann", "lives_in", "Pune", idempotency_key="w-1").seq
    mem.erase("ann", seq)
    with pytest.raises(errors.InvalidValueError, match="erased"):
        mem.set("ann", "lives_in", "Pune", idempotency_key="w-1")
    assert values(mem) == {}


def test_an_answer_under_way_finds_nothing_to_append_to() -> None:
    gate = Gate([lives("Pune", quote="I live in Pune")])
    with opened(llm=gate) as mem:
        seq = mem.add("ann", "I live in Pune").seq
        done = beside(lambda: mem.flush("ann"))
        assert gate.was_asked.wait(30)
        mem.erase("ann", seq)
        gate.may_answer.set()
        assert done.result(30).is_current
        assert values(mem) == {}
        assert is_said_nowhere(mem, "Pune")
        assert mem.verify().identical


def test_an_answer_under_way_is_kept_without_what_was_forgotten() -> None:
    gate = Gate([lives("Pune", quote="I live in Pune"), speaks("Marathi", quote="speak Marathi")])
    with opened(llm=gate) as mem:
        mem.add("ann", BOTH)
        done = beside(lambda: mem.flush("ann"))
        assert gate.was_asked.wait(30)
        mem.forget("ann", predicate="lives_in")
        gate.may_answer.set()
        assert done.result(30).is_current
        assert values(mem) == {"languages": ("Marathi",)}
        assert is_said_nowhere(mem, "Pune")


def test_a_failed_message_is_erased_out_of_the_queue(mem: Memory, told: Told) -> None:
    told.answers["boom Pune"] = errors.ExtractorOutputError("Pune is no answer")
    mem.add("ann", "boom Pune")
    for _ in range(6):
        mem.flush("ann")
    assert mem.state("ann").freshness.failed == 1
    assert mem.erase("ann", 1).pending == 1
    assert mem.state("ann").freshness.is_current
    assert is_said_nowhere(mem, "Pune")


def test_what_a_provider_said_of_a_waiting_message_goes_too(mem: Memory, told: Told) -> None:
    mem.set("ann", "lives_in", "Pune")
    told.answers["a note"] = errors.ExtractorOutputError("the state said Pune, and that is no answer")
    mem.add("ann", "a note")
    mem.flush("ann")
    assert "Pune" in mem.jobs("ann")[0].error
    mem.forget("ann", predicate="lives_in")
    assert (mem.jobs("ann")[0].error, mem.jobs("ann")[0].attempts) == ("", 1)
    assert is_said_nowhere(mem, "Pune")


def test_a_replacement_in_doubt_stays_so_without_the_value_that_was_doubted(mem: Memory, told: Told) -> None:
    both_languages = Operation("replace", "languages", ["Go", "Rust"], quote="I only write Go")
    say(mem, told, "I only write Go", both_languages)
    mem.add_value("ann", "languages", "Rust")
    assert [one.reason for one in mem.decisions("ann", 1)] == ["not_in_words"]
    mem.forget(fact_id=fact(mem, "Rust"))
    assert [(one.outcome, one.reason) for one in mem.decisions("ann", 1)] == [("held", "not_in_words")]
    assert values(mem) == {}


def test_amendments_of_nothing_but_an_erased_message_go_with_it(mem: Memory, told: Told) -> None:
    seq = say(mem, told, "they say I live in Goa", lives("Goa", quote="I live in Goa", modality="reported"))
    held = mem.state("ann").candidates[0].id
    mem.review(held)
    mem.correct(fact(mem, "Goa"), "Kochi", reason="Goa was hearsay")
    corrected = fact(mem, "Kochi")
    mem.erase("ann", seq)
    assert is_said_nowhere(mem, "Goa")
    assert fact(mem, "Kochi") == corrected
    assert mem.verify().identical


# What it says of itself


def test_wrong_arguments_say_what_to_give(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Pune")
    mem.retract("ann", "lives_in")
    nothing = mem.history("ann").retractions[0].id
    for give in (
        mem.forget,
        lambda: mem.forget("ann", predicate=" "),
        lambda: mem.forget("ann", subject=""),
        lambda: mem.forget("ann", predicate="\ud800"),
        lambda: mem.forget("ann", subject="a\0b"),
        lambda: mem.forget("ann", fact_id=nothing, predicate="lives_in"),
        lambda: mem.forget(fact_id=nothing),
        lambda: mem.erase("ann", "1"),  # type: ignore[arg-type]
        lambda: mem.purge("2026", keep_quotes="yes"),  # type: ignore[arg-type]
    ):
        with pytest.raises(errors.InvalidValueError):
            give()
    with pytest.raises(errors.UnknownFactError):
        mem.forget(fact_id="0123456789abcdef-1-0-0")
    with pytest.raises(errors.UnknownFactError):
        mem.forget("bob", fact_id=fact(mem, "Pune"))
    with pytest.raises(errors.InvalidTimeError):
        mem.purge("yesterday-ish")
    assert mem.forget("nobody", predicate="lives_in").scopes == 0


def test_every_read_copes_with_what_is_gone(mem: Memory, told: Told) -> None:
    both(mem, told)
    mem.set("ann", "lives_in", "Goa")
    first = revs(mem)[0]
    mem.erase("ann", mem.add("ann", "you speak Marathi", role="assistant").seq)
    mem.purge("2100-01-01")
    kept = fact(mem, "Marathi")
    assert [step.text for step in mem.explain(kept).steps if step.kind == "message"] == ["(its text was purged)"]
    assert [one.gone for one in mem.messages("ann")] == ["purged"]
    mem.forget(fact_id=fact(mem, "Pune"))
    assert mem.state("ann", known_at=first).values == {"lives_in": "Goa", "languages": ("Marathi",)}
    assert mem.context("ann").text
    assert mem.search("ann", "Marathi")[0].fact.id == kept  # type: ignore[union-attr]
    assert not mem.search("ann", "Pune")
    assert [change.value for change in mem.changes("ann", 0)] == ["Marathi", "Goa"]
    assert not mem.preview("ann", [lives("Goa")]).changed
    assert mem.questions("ann") == ()
    assert mem.history("ann", known_at=first).facts
    assert mem.stats()["facts"] == 2
    assert [change.kind for change in mem.changes("ann", first)] == []


def test_a_conditional_write_sees_that_something_went(mem: Memory) -> None:
    seen = mem.set("ann", "lives_in", "Pune").rev
    mem.forget("ann", predicate="lives_in")
    with pytest.raises(errors.ConflictError):
        mem.set("ann", "lives_in", "Goa", expected_rev=seen)
    mem.set("ann", "lives_in", "Goa", expected_rev=revs(mem)[0])


def test_a_kept_state_is_not_shown_after_a_removal(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Pune")
    before = mem.state("ann")
    mem.erase("ann", 1)
    assert mem.state("ann").values == {}
    assert mem.state("ann").version != before.version


def test_what_is_said_of_an_erased_correction_goes_with_it() -> None:
    """A reinstatement names the value that its correction took away; it goes on taking it back, without a word."""
    with Memory(":memory:", llm=False, worker=False) as mem:
        mem.register_predicate("lives_in")
        wrong = mem.set("ann", "lives_in", "Zanzibar")
        corrected = mem.correct(wrong.fact_ids[0], "Oslo", reason="not Zanzibar")
        mem.reinstate(wrong.fact_ids[0])
        mem.erase("ann", wrong.seq)
        mem.erase("ann", corrected.seq)
        with mem._engine.store.read() as reader:
            head = reader.head(mem._engine.scope("ann"))
            assert head is not None
            assert "zanzibar" not in repr(list(reader.entries(head.id))).casefold()
        assert mem.state("ann").values == {}
        assert mem.verify().identical


def test_a_corrected_fact_whose_first_claim_was_erased_is_found_by_the_id_that_history_gives() -> None:
    with Memory(":memory:", llm=False, worker=False) as mem:
        mem.register_predicate("lives_in")
        first = mem.set("ann", "lives_in", "Delhi")
        mem.set("ann", "lives_in", "Delhi")
        mem.correct(first.fact_ids[0])
        mem.erase("ann", first.seq)
        (fact,) = mem.history("ann").facts
        assert mem.explain(fact.id).fact == fact
        mem.reinstate(fact.id)
        assert mem.state("ann").values == {"lives_in": "Delhi"}
        assert mem.forget(fact_id=mem.state("ann").facts[0].id).entries > 0
        assert mem.state("ann").values == {}
        assert mem.verify().identical

"""What is taken out of a log is gone, stays gone, and takes nothing else with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from hypothesis import strategies as st

from tensemem import Fact
from tensemem.core.text import query_terms
from tensemem.model.fact import Statement
from tests.laws.law import law
from tests.laws.playing import USER, Player, on_plain_stores, without_appending
from tests.laws.scenarios import Erase, Forget, Purge, Scenario, Wait, scenarios
from tests.settings import costly_settings, some_settings
from tests.store.dump import everything

taking = scenarios(rereads=True, removals=True)


@costly_settings
@law(scenario=taking)
def test_after_every_removal_the_projection_is_what_the_log_folds_to(scenario: Scenario) -> None:
    with Player(scenario) as player:
        for action in player.play():
            report = player.mem.verify()
            assert report.identical, action
            if report.scopes:
                assert report.digest == player.mem.digest(USER)


@some_settings
@law(scenario=taking)
def test_slots_that_are_always_folded_anew_hold_the_same_of_what_is_left(scenario: Scenario) -> None:
    with Player(scenario) as player:
        shown = player.play_all().view()
    with without_appending(), Player(scenario) as other:
        assert other.play_all().view() == shown


@some_settings
@law(scenario=taking)
def test_the_reference_store_holds_the_same_of_what_is_left(scenario: Scenario) -> None:
    with Player(scenario) as player:
        shown = player.play_all().view()
    with on_plain_stores(), Player(scenario) as other:
        assert other.play_all().view() == shown
        assert other.mem.verify().identical


@some_settings
@law(scenario=taking)
def test_what_is_taken_away_is_taken_away_once(scenario: Scenario) -> None:
    with Player(scenario) as player:
        for action in player.scenario.actions:
            target = _target(player, action) if isinstance(action, Forget) else None
            seq = 1 + action.pick % max(player.revs()[1], 1) if isinstance(action, Erase) else 0
            player.act(action)
            before = player.revs()
            if seq and before[0]:
                player.mem.erase(USER, seq)
            elif isinstance(action, Purge):
                player.act(action)
            elif target is not None and isinstance(action, Forget) and action.what != "value":
                predicate = target[1] if action.what == "slot" else None
                player.mem.forget(USER, subject=target[0], predicate=predicate)
            assert player.revs() == before, action


def _target(player: Player, action: Forget) -> tuple[str, str] | None:
    facts = player.facts()
    return (facts[action.pick % len(facts)].subject, facts[action.pick % len(facts)].predicate) if facts else None


@some_settings
@law(scenario=taking)
def test_what_stands_in_other_slots_stays(scenario: Scenario) -> None:
    with Player(scenario) as player:
        for action in player.scenario.actions:
            before = {fact.id + str(fact.status): fact for fact in player.facts()}
            target = _target(player, action) if isinstance(action, Forget) else None
            player.act(action)
            if target is None or not isinstance(action, Forget):
                continue
            kept = {said(fact) for fact in before.values() if not _is_of(fact, target, action)}
            assert kept <= {said(fact) for fact in player.facts()}, action


def _is_of(fact: Fact, target: tuple[str, str], action: Forget) -> bool:
    return fact.subject == target[0] and (action.what == "subject" or fact.predicate == target[1])


def said(fact: Fact) -> tuple[object, ...]:
    """What a fact says but for the quotes it rests on, which go with the text."""
    return (
        fact.id, fact.claim_ids, fact.subject, fact.predicate, fact.object, str(fact.status), fact.valid_from,
        fact.valid_to, fact.precision, fact.said_at, fact.last_evidence_at, fact.confidence, fact.paraphrased,
        fact.contested, fact.source,
    )  # fmt: skip


def statements_of(player: Player) -> list[Statement]:
    return [replace(statement, quote="") for statement in player.statements()]


@some_settings
@law(scenario=taking, keep=st.booleans())
def test_a_purge_takes_texts_and_nothing_that_was_learned(scenario: Scenario, keep: bool) -> None:
    with Player(scenario) as player:
        player.play_all()
        player.act(Wait(1))
        player.settle_all()
        player.mem.state(USER)  # brought up to the registry of today
        before = ([said(fact) for fact in player.facts()], statements_of(player), player.mem.state(USER).freshness)
        quoted = [[one.quote for one in fact.evidence] for fact in player.facts()]
        player.mem.purge("2100-01-01", keep_quotes=keep)
        after = ([said(fact) for fact in player.facts()], statements_of(player), player.mem.state(USER).freshness)
        assert after == before
        assert player.mem.verify().identical
        assert not any(message.content for message in player.mem.messages(USER))
        left = [[one.quote for one in fact.evidence] for fact in player.facts()]
        assert left == (quoted if keep else [["" for _ in quotes] for quotes in quoted])
        player.mem.rebuild()
        assert [said(fact) for fact in player.facts()] == before[0]


_picks = st.integers(0, 11)
_parts: st.SearchStrategy[Any] = st.sampled_from(("slot", "subject"))
ABOUT = "lives_in"
"""A topic whose values are words that stand nowhere else."""


@some_settings
@law(scenario=scenarios(rereads=True, removals=True, about=ABOUT), pick=_picks)
def test_no_row_says_what_was_forgotten_once_what_is_mentioned_is_erased(scenario: Scenario, pick: int) -> None:
    with Player(scenario) as player:
        player.play_all()
        facts = [fact for fact in player.facts() if fact.value]
        if not facts:
            return
        fact = facts[pick % len(facts)]
        receipt = player.mem.forget(fact_id=fact.id)
        assert receipt.entries
        word = str(fact.value).casefold()
        for seq in {*receipt.mentions, *proposed_elsewhere(player, word)}:
            player.mem.erase(USER, seq)
        assert word not in repr(everything(player.engine.store)).casefold()
        assert not found_in_index(player, word)
        player.mem.search(USER, word)
        assert not found_in_index(player, word)
        assert player.mem.verify().identical


def proposed_elsewhere(player: Player, word: str) -> set[int]:
    """Give the seqs at which a value was proposed of an attribute that nobody registered: that is another slot's."""
    with player.engine.store.read() as reader:
        head = reader.head(player.scope)
        entries = [] if head is None else list(reader.entries(head.id))
    names = {name.casefold() for one in player.mem.predicates() for name in (one.name, *one.aliases)}
    return {
        entry.seq
        for entry in entries
        for operation in entry.body.get("ops", ())
        if str(operation.get("predicate", "")).casefold() not in names and word in repr(operation).casefold()
    }


def found_in_index(player: Player, word: str) -> list[tuple[str, float]]:
    with player.engine.store.read() as reader:
        head = reader.head(player.scope)
        return [] if head is None else reader.search(head.id, query_terms(word), 1_000)


@some_settings
@law(scenario=scenarios(rereads=True, removals=True), pick=_picks, what=_parts)
def test_it_does_not_matter_whether_a_message_is_extracted_before_or_after_a_forgetting(
    scenario: Scenario, pick: int, what: Literal["slot", "subject"]
) -> None:
    views = []
    for is_first in (True, False):
        with Player(scenario) as player:
            player.play_all()
            target = _target(player, Forget(pick, what))
            if target is None or not player.waiting():
                return
            if is_first:
                player.settle_all()
            player.mem.forget(USER, subject=target[0], predicate=target[1] if what == "slot" else None)
            player.settle_all()
            assert player.mem.verify().identical
            views.append((player.view(), [message.content for message in player.mem.messages(USER)]))
    assert views[0] == views[1]

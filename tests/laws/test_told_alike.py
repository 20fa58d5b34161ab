"""Whichever store keeps a history, the memory tells the same of it: ids, digests, reasons and wording."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from tensemem.core.fence import fence_tag
from tensemem.errors import TensememError
from tests.laws.law import law
from tests.laws.playing import USER, Player, on_plain_stores
from tests.laws.scenarios import Scenario, day, scenarios
from tests.settings import some_settings

WORDS = ("Delhi MySQL", "Paris", "I say", "tea")


@some_settings
@law(scenario=scenarios(rereads=True))
def test_a_store_tells_what_the_reference_tells(scenario: Scenario) -> None:
    with fenced_alike():
        with Player(scenario) as player:
            digests = [player.mem.digest(USER) for _ in player.play()]
            told = all_told(player)
        with on_plain_stores(), Player(scenario) as reference:
            assert digests == [reference.mem.digest(USER) for _ in reference.play()]
            assert told == all_told(reference)


@contextmanager
def fenced_alike() -> Iterator[None]:
    """Every database fences what it quotes by a word of its own; here all have the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tensemem.engine.wiring.fence_tag_of", lambda _: fence_tag("0" * 32))
        yield


def all_told(player: Player) -> dict[str, Any]:
    """What every verb that reads gives."""
    mem = player.mem
    facts = player.facts()
    revs = player.revs()
    return {
        "view": player.view(),
        "revs": revs,
        "facts": facts,
        "explained": [mem.explain(id, user_id=USER) for id in sorted({fact.id for fact in facts})],
        "decided": [mem.decisions(USER, seq) for seq in range(1, revs[1] + 1)],
        "context": [
            mem.context(USER, query, include_history=True, format=format)
            for query in (None, WORDS[0])
            for format in ("markdown", "xml", "json")
        ],
        "before": [mem.state(USER, at=day(6), known_at=rev) for rev in range(revs[0] + 1)],
        "changes": mem.changes(USER),
        "questions": mem.questions(USER),
        "messages": mem.messages(USER),
        "hits": [found(player, words) for words in WORDS],
        "registry": (mem.predicates(), mem.proposals()),
        "values": [value(player, predicate.name) for predicate in mem.predicates()],
        "scopes": mem.scopes(),
        "jobs": mem.jobs(),
        "verified": replace(mem.verify(), seconds=0.0),
    }


def found(player: Player, words: str) -> list[str]:
    """What a search finds, in no order: the reference ranks by the number of words alone."""
    return sorted(repr(replace(hit, score=0.0)) for hit in player.mem.search(USER, words, limit=99))


def value(player: Player, predicate: str) -> Any:
    try:
        return player.mem.get(USER, predicate)
    except TensememError:
        return None

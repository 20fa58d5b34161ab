"""Context for a prompt: what is known now, within a budget, from one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from ..core.registry import Registry
from ..core.render import Material, render
from ..core.text import query_terms, search_terms
from ..errors import InvalidValueError
from ..model.fact import Fact, FactStatus
from ..model.moment import to_moment
from ..model.results import Context, State
from ..model.scope import Scope
from .core import Engine
from .flow import Flow
from .freshness import Patience, check_min_seq, fresh_read
from .history import Page, history_in
from .state import Asked, Snapshot, states_in, with_snapshots

FORMATS = ("markdown", "xml", "json")
_PAST = (FactStatus.SUPERSEDED, FactStatus.RETRACTED, FactStatus.EXPIRED)


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What a context is to hold."""

    query: str | None = None
    max_tokens: int | None = None
    format: str = "markdown"
    include_history: bool = False
    at: Any = None
    known_at: Any = None


def context(
    engine: Engine,
    scopes: Sequence[Scope],
    request: ContextRequest,
    *,
    min_seq: Any = None,
    wait: Any = None,
    on_stale: str = "flag",
) -> Flow[Context]:
    """Render what a scope (or several layers) knows, with its freshness beside it."""
    if request.format not in FORMATS:
        raise InvalidValueError(f"format must be one of {', '.join(FORMATS)}")
    limit = request.max_tokens
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):
        raise InvalidValueError("max_tokens must be an integer of 0 or more")
    if request.query is not None and not isinstance(request.query, str):
        raise InvalidValueError("query must be text")

    def read() -> Context:
        asked = Asked(at=request.at, known_at=request.known_at, min_seq=check_min_seq(min_seq))
        return with_snapshots(engine, scopes, lambda found: _rendered(found, request, states_in(found, asked)))

    ask = Patience(min_seq, wait, on_stale)
    return (yield from fresh_read(engine, list(scopes), read, lambda found: found.freshness, ask))


def _rendered(snapshots: Sequence[Snapshot], request: ContextRequest, state: State) -> Context:
    engine, registry = snapshots[0].engine, snapshots[0].registry
    past: tuple[Fact, ...] = ()
    if request.include_history:
        past = tuple(fact for one in snapshots for fact in _past(one, request))
    moment = to_moment(state.at)
    due = {fact.id for fact in state.planned if fact.valid_from is not None and to_moment(fact.valid_from) <= moment}
    everything = (*state.facts, *state.planned, *state.candidates, *past)
    material = Material(
        facts=state.facts,
        planned=state.planned,
        candidates=state.candidates,
        past=past,
        due_plans=frozenset(due),
        many=state.many,
        zone=ZoneInfo(engine.zone),
        descriptions={p.name: p.description for p in registry.predicates.values() if p.description},
        scores={} if request.query is None else scores_of(request.query, everything, registry),
    )
    rendered = render(
        material,
        tag=engine.fence_tag,
        format=request.format,  # type: ignore[arg-type]
        max_tokens=request.max_tokens,
        count_tokens=engine.count_tokens,
    )
    return Context(
        rendered.text, rendered.used, rendered.omitted, rendered.token_count, state.version, state.freshness
    )


def _past(snapshot: Snapshot, request: ContextRequest) -> tuple[Fact, ...]:
    whole = history_in(snapshot, None, None, Page(known_at=request.known_at))
    return tuple(fact for fact in whole.facts if fact.status in _PAST)


def scores_of(query: str, facts: Sequence[Fact], registry: Registry) -> dict[str, float]:
    """Score facts by how many of a query's terms their names, descriptions and values hold."""
    asked = set(query_terms(query))
    if not asked:
        return {}
    names: dict[str, set[str]] = {}
    scores: dict[str, float] = {}
    for fact in facts:
        if fact.predicate not in names:
            predicate = registry.predicate(fact.predicate)
            texts = [fact.predicate]
            if predicate is not None:
                texts += [predicate.description, *predicate.aliases]
            names[fact.predicate] = set(search_terms(" ".join(texts).replace("_", " ")))
        value = set(search_terms(f"{fact.subject} {fact.object}".replace("_", " ")))
        scores[fact.id] = (2 * len(asked & value) + len(asked & names[fact.predicate])) / (3 * len(asked))
    return scores

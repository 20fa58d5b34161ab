"""LangGraph's ``BaseStore`` over a state memory: what is put can be asked about, corrected and read as of any moment.

A namespace is a scope, a key a subject, a value one json fact: ``put`` sets it, ``delete`` retracts it, and the log
keeps both. With ``facts=("facts",)`` the namespace ``("facts", user_id)`` shows what the memory knows of that user, by
attribute, and writes to it pass the registry. The page "Use with LangGraph" tells the limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ImportError as error:
    from ._extras import missing

    raise missing("langgraph", error) from error

from ..errors import InvalidValueError, UnknownFactError
from ..memory import Memory
from ..model.fact import Fact
from ..model.operation import Operation, When
from ..model.results import Explanation, History, State, WriteResult
from ._item_filters import fits, is_among
from ._item_places import Facts, Found, Items, Place

META = "_tensemem"
"""The key that tells, with ``expose_meta=True``, what BaseStore has no word for."""
MOST_HITS = 1000

Labels = tuple[str, ...]


class TensememStore(BaseStore):
    """A LangGraph store in an open ``Memory``; ``graph.compile(store=...)`` and ``create_agent(store=...)`` take it.

    ``namespace``: the memory's namespace for items, apart from the attributes of people. ``facts``: the labels under
    which the users of the memory are shown with their typed facts; None for nowhere. ``expose_meta``: add to every
    value read the key ``"_tensemem"``: fact ids, source, since when, whether in doubt, version and freshness.

    Search by ``query`` ranks by words, not by meaning; ``index`` is accepted and does nothing; a ``ttl`` is refused by
    ``put``, as by every store without one. Methods that are awaited run in a thread. Beside LangGraph's errors it
    raises InvalidValueError for values that JSON can't carry, and what the memory raises.
    """

    supports_ttl = False

    def __init__(
        self, memory: Memory, *, namespace: str = "langgraph", facts: Labels | None = None, expose_meta: bool = False
    ) -> None:
        self.memory = memory
        self._items = Items(memory, namespace)
        self._facts = None if facts is None else Facts(memory, _checked_prefix(facts))
        self._expose_meta = expose_meta

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations: all reads see what held before the batch; of two puts of one key the last counts.

        The writes to one namespace are one entry of the log. Gives the results in the order of the operations.
        """
        asked = list(ops)
        for op in asked:
            _check(op)
        results = [self._read(op) for op in asked]
        self._write([op for op in asked if isinstance(op, PutOp)])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do what ``batch`` does, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def as_of(self, namespace: Labels, key: str, *, at: When | None = None, known_at: When | int | None = None) -> Any:
        """Give the item as it was at a moment (``at``), or as it was known at one (``known_at``); None for none."""
        return self._get(tuple(namespace), key, at=at, known_at=known_at)

    def history(self, namespace: Labels, key: str) -> History:
        """Give every value a key has had, with its times and status, and the deletions."""
        place, user, (predicate, subject) = self._located(namespace, key)
        return self.memory.history(user, predicate, subject=subject, namespace=place.tenant)

    def explain(self, namespace: Labels, key: str) -> tuple[Explanation, ...]:
        """Answer why a key holds what it holds: an explanation for each fact that its value consists of."""
        place, user, _ = self._located(namespace, key)
        facts = self._shown(namespace, key)
        return tuple(self.memory.explain(fact.id, user_id=user, namespace=place.tenant) for fact in facts)

    def correct(
        self, namespace: Labels, key: str, value: Any = None, *, reason: str | None = None
    ) -> WriteResult:
        """Say that what a key holds was never true; with ``value`` what was true instead. What held before shows again.

        The value is a dict for an item, a plain value for a fact. Raises UnknownFactError where the key holds nothing,
        and InvalidValueError where it holds several values: correct one by its id, which ``explain`` gives.
        """
        place, user, _ = self._located(namespace, key)
        facts = self._shown(namespace, key)
        if not facts:
            raise UnknownFactError(f"{key!r} of {tuple(namespace)} holds nothing that could be corrected")
        if len(facts) > 1:
            raise InvalidValueError(f"{key!r} has {len(facts)} values; give the id of one to correct() of the memory")
        return self.memory.correct(facts[0].id, value, reason=reason, user_id=user, namespace=place.tenant)

    def _shown(self, namespace: Labels, key: str) -> tuple[Fact, ...]:
        found = self._found(tuple(namespace), key)
        return () if found is None else found[0].facts

    def _place(self, labels: Labels) -> Place:
        if self._facts is not None and labels[: len(self._facts.prefix)] == self._facts.prefix:
            return self._facts
        return self._items

    def _located(self, namespace: Labels, key: str) -> tuple[Place, str, tuple[str, str]]:
        labels = tuple(namespace)
        _check(GetOp(labels, key))
        place = self._place(labels)
        return place, place.user_of(labels), place.slot(key)

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(tuple(op.namespace), op.key) if op.namespace else None
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._list(op) if isinstance(op, ListNamespacesOp) else None

    def _get(self, labels: Labels, key: str, **moment: Any) -> Item | None:
        found = self._found(labels, key, **moment)
        return None if found is None else Item(**self._item(labels, *found))

    def _found(self, labels: Labels, key: str, **moment: Any) -> tuple[Found, State] | None:
        place, user, (predicate, subject) = self._located(labels, key)
        state = self.memory.state(user, subject=subject, namespace=place.tenant, **moment)
        of_key = (found for found in place.found(state) if found.facts[0].predicate == predicate)
        return next(((replace(found, key=key), state) for found in of_key), None)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        rows: list[tuple[float, dict[str, Any]]] = []
        for labels, place, user in self._scopes(tuple(op.namespace_prefix)):
            state = self.memory.state(user, namespace=place.tenant)
            scores = self._scores(place, user, op.query)
            for found in place.found(state):
                if fits(found.value, op.filter):
                    score = max(scores.get(fact.id, 0.0) for fact in found.facts)
                    rows.append((score, self._item(labels, found, state)))
        rows.sort(key=lambda row: (row[1]["namespace"], row[1]["key"]))
        rows.sort(key=lambda row: (row[0], row[1]["updated_at"]), reverse=True)
        page = rows[op.offset : op.offset + op.limit]
        return [SearchItem(**item, score=score or None) for score, item in page]

    def _scores(self, place: Place, user: str, query: str | None) -> dict[str, float]:
        if not query:
            return {}
        hits = self.memory.search(user, query, limit=MOST_HITS, include_history=False, namespace=place.tenant)
        return {hit.fact.id: hit.score for hit in hits if hit.fact is not None}

    def _list(self, op: ListNamespacesOp) -> list[Labels]:
        held = {
            labels[: op.max_depth]
            for labels, place, user in self._scopes(())
            if is_among(labels, op.match_conditions or ())
            and any(place.found(self.memory.state(user, namespace=place.tenant)))
        }
        return sorted(held)[op.offset : op.offset + op.limit]

    def _scopes(self, prefix: Labels) -> Iterator[tuple[Labels, Place, str]]:
        places: tuple[Place | None, ...] = (self._items, self._facts)
        for place in places:
            if place is not None:
                for labels, user in place.scopes(prefix):
                    if self._place(labels) is place:  # items put before `facts` was given are hidden, not mixed in
                        yield labels, place, user

    def _item(self, labels: Labels, found: Found, state: State) -> dict[str, Any]:
        """Give what an item is made of: since when its value holds, and when that was last put or said."""
        in_doubt = self._place(labels) is self._facts and any(fact.contested for fact in found.facts)
        told = self._expose_meta or in_doubt  # nobody may act on a fact in doubt as if it were none
        value = {**found.value, META: _meta(found, state)} if told else found.value
        return {
            "namespace": labels,
            "key": found.key,
            "value": value,
            "created_at": min(fact.valid_from or fact.said_at for fact in found.facts),
            "updated_at": max(fact.last_evidence_at for fact in found.facts),
        }

    def _write(self, puts: Iterable[PutOp]) -> None:
        last = {(tuple(op.namespace), op.key): op.value for op in puts}
        changes: dict[Labels, list[Operation]] = {}
        sources: dict[Labels, str] = {}
        for (labels, key), value in last.items():
            operation = self._operation(labels, key, value)
            if operation is not None:
                changes.setdefault(labels, []).append(operation)
                if value is not None:
                    sources[labels] = "store.put"
        for labels in sorted(changes):
            place, source = self._place(labels), sources.get(labels, "store.delete")
            self.memory.write(place.user_of(labels), changes[labels], source=source, namespace=place.tenant)

    def _operation(self, labels: Labels, key: str, value: Mapping[str, Any] | None) -> Operation | None:
        """Give what a put means; None where nothing is to be taken away."""
        place, _, (predicate, subject) = self._located(labels, key)
        if value is not None:
            has_meta = self._expose_meta or place is self._facts
            plain = {name: part for name, part in value.items() if name != META or not has_meta}
            return place.operation(key, plain)
        held = self._found(labels, key)
        return None if held is None else Operation("retract", predicate, subject=subject)


def _check(op: Op) -> None:
    """Refuse what BaseStore's own methods refuse, for whoever calls ``batch`` itself."""
    if not isinstance(op, (GetOp, PutOp, SearchOp, ListNamespacesOp)):
        raise InvalidValueError(f"a store knows no operation of type {type(op).__name__}")
    validate_op_namespace(op)
    if isinstance(op, PutOp) and not op.namespace:
        raise InvalidNamespaceError("Namespace cannot be empty.")


def _checked_prefix(facts: object) -> Labels:
    if not isinstance(facts, tuple) or not facts or not all(isinstance(label, str) for label in facts):
        raise InvalidValueError("facts: give a tuple of at least one label, such as ('facts',)")
    validate_op_namespace(GetOp(facts, ""))
    return facts


def _meta(found: Found, state: State) -> dict[str, Any]:
    fresh, newest = state.freshness, max(found.facts, key=lambda fact: fact.last_evidence_at)
    return {
        "fact_ids": [fact.id for fact in found.facts],
        "source": newest.source,
        "since": None if newest.valid_from is None else newest.valid_from.isoformat(),
        "contested": any(fact.contested for fact in found.facts),
        "due_for_review": any(fact.due_for_review for fact in found.facts),
        "version": state.version,
        "is_current": fresh.is_current,
        "pending": fresh.pending,
        "failed": fresh.failed,
    }

"""mem0's ``Memory`` over tensemem: the nine core methods with the shapes of mem0 2.x.

A memory is what one slot shows now ("lives in: Bangalore"), or one value of a many-valued attribute; what
``infer=False`` keeps is a note. So what people change is an UPDATE of the same memory without asking a model,
``update`` is a correction, and ``history`` reads the log. Beyond the shapes, ``metadata`` tells what mem0 has no word
for: since when a value holds, whether it is in doubt, and how fresh the read is. ``docs/how-to/use-with-mem0.md``
lists the differences.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from .. import vocabulary
from ..core.values import as_text
from ..engine.changes import changes_of_slot
from ..errors import ExtractorError, InvalidScopeError, InvalidTimeError, InvalidValueError, UnknownFactError
from ..logs import Log
from ..memory import Memory as StateMemory
from ..model.fact import Fact
from ..model.operation import Operation
from ..model.predicate import Predicate
from ..model.results import Change, State
from ..verbs.scoped import ScopedMemory
from . import _mem0_shapes as shapes
from ._mem0_shapes import NotSupportedError
from ._mem0_slots import Slot, line_of

__all__ = ["Memory", "NotSupportedError"]

log = Log("compat.mem0")
PATIENCE = 60.0
"""Seconds that ``add`` waits for the model: mem0 gives what a message changed, however long that takes."""


class Memory:
    """A tensemem database that is spoken to as mem0's ``Memory``.

    ``path``: the file, as ``tensemem.Memory`` takes it. ``llm``: what reads messages; by default the offline extractor
    with the vocabulary of personal attributes. ``schema``: what ``register`` takes, instead of that vocabulary.
    ``memory``: an open ``tensemem.Memory`` to use as it is. Raises InvalidValueError and StoreError.
    """

    def __init__(
        self, config: Mapping[str, Any] | None = None, *, path: str | os.PathLike[str] | None = None, llm: Any = None,
        schema: Any = None, memory: StateMemory | None = None,
    ) -> None:  # fmt: skip
        chosen = dict(config or {})
        self._llm = llm if llm is not None else shapes.llm_of(chosen.pop("llm", None))
        self._schema = vocabulary.PERSONAL if schema is None else schema
        if chosen:
            names = ", ".join(chosen)
            told = "tensemem needs no %s: these parts of the configuration are not used"
            log.caution("not used", told, names, names=names)
        self._path = path
        self._is_own = memory is None
        self.state_memory = self._opened() if memory is None else memory

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Make one as mem0 does; of the configuration only ``llm`` means something here."""
        return cls(config_dict)

    def _opened(self) -> StateMemory:
        return StateMemory(self._path, llm=self._llm, schema=self._schema)

    def _keep_notes(self) -> None:
        """Register the predicate of notes, when the first is kept: a memory handed in has a registry of its own."""
        known = self._predicate(shapes.NOTE)
        if known is None:
            self.state_memory.register_predicate(shapes.NOTE, "many", verbatim=False, description="kept as it was said")
        elif not known.is_many or known.type != "text":
            raise NotSupportedError("infer=False keeps notes as values of 'note', which is another attribute here")

    def add(
        self, messages: Any, *, user_id: Any = None, agent_id: Any = None, run_id: Any = None,
        metadata: Mapping[str, Any] | None = None, infer: bool = True, memory_type: str | None = None,
        prompt: str | None = None, expiration_date: Any = None, timestamp: Any = None,
    ) -> dict[str, list[dict[str, Any]]]:  # fmt: skip
        """Log messages and give what they changed: ``{"results": [{"id", "memory", "event"}]}``.

        ``infer=False`` keeps each message as a note instead. ``timestamp`` is when it was said: a time, or seconds
        since 1970. Raises ValueError without an id to scope it and for what can't be kept (then nothing is),
        NotSupportedError.
        """
        shapes.refuse(memory_type=memory_type, prompt=prompt, expiration_date=expiration_date)
        memory = self._of(shapes.scope_of(user_id, agent_id, run_id))
        try:
            return {"results": self._added(memory, shapes.as_messages(messages), metadata, timestamp, infer)}
        except (InvalidValueError, InvalidTimeError) as error:
            raise ValueError(str(error)) from error

    def _added(
        self, memory: ScopedMemory, given: list[dict[str, Any]], metadata: Any, timestamp: Any, infer: bool
    ) -> list[dict[str, Any]]:
        said_at = shapes.moment_of(timestamp)
        if not infer:
            notes = shapes.as_notes(given)
            if notes:
                self._keep_notes()
            return _noted(memory, notes, metadata, said_at)
        before = memory.state().rev
        seqs = memory.add(given, metadata=metadata, said_at=said_at).seqs
        if not _is_learnt(memory):
            told = "what was said is kept, but not learnt from yet; jobs() of state_memory tells why"
            log.caution("not learnt", told)
        changed = [change for change in memory.changes(before) if change.seq in seqs]
        events = shapes.events_of(changed, self._many())
        return [event.told() for event in events]

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """Give a memory as it is now; None where there is none, or nothing holds in its slot any more."""
        found = self._slot(memory_id)
        if found is None:
            return None
        fact = found.fact
        return None if fact is None else shapes.item(fact, found.memory, found.state)

    def get_all(
        self, *, filters: Mapping[str, Any] | None = None, top_k: int = 20, show_expired: bool = False, **others: Any
    ) -> dict[str, list[dict[str, Any]]]:
        """List what holds now: ``{"results": [...]}``. Raises ValueError as mem0 does without an id in ``filters``."""
        shapes.refuse_others(others, "get_all")
        shapes.refuse(show_expired=show_expired or None)
        limit = shapes.limit_of(top_k)
        found = [
            shapes.item(fact, memory, state)
            for memory, state in self._states(shapes.identity(filters))
            for fact in state.facts
        ]
        return {"results": [{key: part for key, part in item.items() if key != "score"} for item in found[:limit]]}

    def search(
        self, query: str, *, top_k: int = 20, filters: Mapping[str, Any] | None = None, threshold: float = 0.1,
        explain: bool = False, show_expired: bool = False, reference_date: Any = None, **others: Any,
    ) -> dict[str, list[dict[str, Any]]]:  # fmt: skip
        """Find what holds now by words, the best first, each with a ``score`` from 0 to 1. Raises ValueError."""
        others.pop("rerank", None)  # without a model that ranks mem0 leaves the order as it is, too
        shapes.refuse_others(others, "search")
        shapes.refuse(explain=explain or None, show_expired=show_expired or None, reference_date=reference_date)
        limit = shapes.limit_of(top_k)
        if not isinstance(query, str) or not query.strip():
            raise ValueError("Invalid query: must be a non-empty string.")
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1:
            raise ValueError("Invalid threshold: must be between 0 and 1.")
        found = []
        for memory, state in self._states(shapes.identity(filters)):
            shown = {fact.id: fact for fact in state.facts}
            found += [
                {**shapes.item(shown[hit.fact.id], memory, state), "score": hit.score / (1 + hit.score)}
                for hit in memory.search(query, limit=max(limit, 1), include_history=False)
                if hit.fact is not None and hit.fact.id in shown
            ]
        best = sorted((item for item in found if item["score"] >= threshold), key=lambda item: -item["score"])
        return {"results": best[:limit]}

    def update(
        self, memory_id: str, text: str | None = None, metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = None, data: str | None = None,
    ) -> dict[str, str]:  # fmt: skip
        """Correct a memory: what it said was never true, ``text`` is. Raises ValueError where it is not found."""
        shapes.refuse(expiration_date=expiration_date)
        text = data if text is None else text
        if text is None:
            raise ValueError("text must be provided: a fact's metadata are where it comes from, and can't be set")
        found = self._slot(memory_id)
        fact = None if found is None else found.fact
        if found is None or fact is None:
            raise ValueError(f"Memory with id {memory_id} not found. Please provide a valid 'memory_id'")
        if not isinstance(text, str):
            raise ValueError(f"text must be text, not {type(text).__name__}")
        value = shapes.value_in(text, fact, self._predicate(fact.predicate))
        if as_text(value) == fact.object:
            return {"message": "Memory updated successfully!"}
        try:
            done = self.state_memory.correct(fact.id, value, reason="mem0 update", metadata=metadata)
            if not done.current:  # it was taken away since the moment that the corrected statement vouches for
                found.memory.add_value(fact.predicate, value, subject=fact.subject, metadata=metadata)
        except InvalidValueError as error:
            raise ValueError(str(error)) from error
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Say that a memory no longer holds; its history stays. Raises ValueError where it is not found."""
        found = self._slot(memory_id)
        fact = None if found is None else found.fact
        if found is None or fact is None:
            raise ValueError(f"Memory with id {memory_id} not found")
        _retract(found.memory, fact)
        return {"message": "Memory deleted successfully!"}

    def delete_all(self, user_id: Any = None, agent_id: Any = None, run_id: Any = None) -> dict[str, str]:
        """Say so of everything that holds for some ids. Raises ValueError without any."""
        wanted = {
            name: one for name, one in zip(shapes.IDENTITY, (user_id, agent_id, run_id), strict=True) if one is not None
        }
        if not wanted:
            raise ValueError("At least one filter is required to delete all memories; reset() deletes everything.")
        for memory, state in list(self._states(shapes.identity(wanted))):
            for fact in state.facts:
                _retract(memory, fact)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Give what became of a memory, oldest first, as rows of mem0's history table; [] where it is not known."""
        found = self._slot(memory_id)
        if found is None:
            return []
        facts = found.memory.history(found.predicate, subject=found.subject).facts
        dates = {fact.recorded_rev: fact.recorded_at for fact in facts}
        changes = filter(found.is_of, self._changes(found))
        return [event.row(memory_id, dates) for event in shapes.events_of(changes, frozenset())]

    def reset(self) -> None:
        """Delete the database and begin a new one. Raises NotSupportedError for a memory that was handed in."""
        if not self._is_own:
            raise NotSupportedError("reset() deletes the whole file: do that where the memory was opened")
        location = self.state_memory._engine.store.location
        self.state_memory.close()
        for name in (location, f"{location}-wal", f"{location}-shm"):
            if location != ":memory:" and os.path.exists(name):
                os.remove(name)
        self._path = location  # a relative path, or $TENSEMEM_DB, may name another file by now
        self.state_memory = self._opened()

    def close(self) -> None:
        """Close the file."""
        self.state_memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        """Tell what mem0 has and a state memory has not. Raises AttributeError for what neither has."""
        if name in ("chat", "project", "llm", "vector_store", "embedding_model", "graph", "reranker"):
            raise shapes.NoSuchPartError(f"mem0's Memory.{name} has no place here; state_memory is the tensemem.Memory")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _of(self, scope: Mapping[str, str]) -> ScopedMemory:
        try:
            return self.state_memory.for_user(scope["user_id"], agent_id=scope["agent_id"])
        except InvalidScopeError as error:
            raise ValueError(str(error)) from error

    def _many(self) -> frozenset[str]:
        return frozenset(each.name for each in self.state_memory.predicates() if each.is_many)

    def _changes(self, slot: Slot) -> Sequence[Change]:
        memory, engine = slot.memory, self.state_memory._engine
        scope = engine.scope(memory.user_id, memory.agent_id, memory.namespace)
        return changes_of_slot(engine, scope, slot.subject, slot.predicate)

    def _predicate(self, name: str) -> Predicate | None:
        return next((each for each in self.state_memory.predicates() if each.name == name), None)

    def _slot(self, memory_id: str) -> Slot | None:
        try:
            told = self.state_memory.explain(memory_id)
        except (UnknownFactError, InvalidValueError):
            return None
        assert told.scope is not None
        memory = self.state_memory.for_user(told.scope.user_id, agent_id=told.scope.agent_id)
        state = memory.state(predicates=[told.fact.predicate], subject=told.fact.subject)
        return Slot(memory, line_of(memory, told), state)

    def _states(self, wanted: Mapping[str, str]) -> Iterator[tuple[ScopedMemory, State]]:
        """Give the state of every scope that some ids name: a user's are those of all its agents and runs."""
        after: str | None = None
        while page := self.state_memory.scopes(wanted.get("user_id"), limit=1000, after=after):
            for info in page:
                memory = self.state_memory.for_user(info.user_id, agent_id=info.agent_id)
                if wanted.items() <= shapes.names_of(memory).items():
                    yield memory, memory.state()
            after = page[-1].cursor


def _noted(
    memory: ScopedMemory, notes: Sequence[tuple[str, str]], metadata: Any, said_at: Any
) -> list[dict[str, Any]]:
    """Keep notes, all or none, and tell of each."""
    if not notes:
        return []
    operations = [Operation("add", shapes.NOTE, text) for _, text in notes]
    done = memory.write(operations, metadata=metadata, said_at=said_at)
    return [
        {"id": fact_id, "memory": text, "event": "ADD", "actor_id": None, "role": role}
        for fact_id, (role, text) in zip(done.fact_ids, notes, strict=True)
    ]


def _is_learnt(memory: ScopedMemory) -> bool:
    try:
        return memory.flush(timeout=PATIENCE).is_current
    except ExtractorError:  # the message is kept all the same, so to add it again would say it twice
        return False


def _retract(memory: ScopedMemory, fact: Fact) -> None:
    """Say that a fact no longer holds; raises ValueError where a more trusted source says that it does."""
    done = memory.retract(fact.predicate, fact.value, subject=fact.subject)
    if not done.changed:
        raise ValueError(f"{fact.predicate} stays {fact.object}: a more trusted source says so; correct it instead")

"""The registry's verbs: predicates, entities, profiles, and what extractors proposed without being known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import vocabulary
from ..core.definitions import entity_body, entity_of, predicate_body, predicate_of
from ..core.profiles import predicates_of
from ..core.registry import Registry
from ..core.sizes import is_larger
from ..errors import InvalidValueError
from ..model.entry import EntryKind
from ..model.predicate import Entity, Predicate
from ..model.results import Proposal
from ..model.scope import registry_scope
from ..ports import Head, Reader, Writer
from . import rows
from .core import Engine, next_entry
from .reproject import newest_extraction

LARGEST = 1_048_576
"""Bytes of what defines a predicate or an entity."""


def register_predicate(engine: Engine, namespace: str, candidate: Predicate, update: bool) -> Predicate:
    """Register a predicate; the same definition again writes nothing."""
    return register(engine, namespace, [candidate], [], update)[0]


def register_entity(engine: Engine, namespace: str, candidate: Entity) -> Entity:
    """Register an entity; aliases of a known one are joined."""

    def add(tx: Writer, head: Head, registry: Registry) -> Registry:
        return _add_entity(engine, tx, head, registry, candidate)

    registry = _in_registry(engine, namespace, add)
    return registry.entity(candidate.name) or candidate


def register(
    engine: Engine, namespace: str, predicates: Sequence[Predicate], entities: Sequence[Entity], update: bool
) -> list[Predicate]:
    """Register several at once, all or none."""

    def add(tx: Writer, head: Head, registry: Registry) -> Registry:
        for candidate in (clean_predicate(engine, one) for one in predicates):
            definition = registry.check_predicate(candidate, update)
            if definition is not None:
                registry = _append(engine, tx, head, registry, EntryKind.PREDICATE, predicate_body(definition))
        for entity in entities:
            registry = _add_entity(engine, tx, head, registry, entity)
        return registry

    registry = _in_registry(engine, namespace, add)
    return [registry.predicate(candidate.name) or candidate for candidate in predicates]


_READY = {"personal": vocabulary.PERSONAL, "project": vocabulary.PROJECT}


def register_profile(engine: Engine, namespace: str, source: Any, update: bool = False) -> tuple[Predicate, ...]:
    """Register what pydantic models or a TOML file describe; "personal" and "project" name the ready vocabularies."""
    if isinstance(source, str) and source in _READY and not Path(source).exists():
        source = _READY[source]
    predicates, entities = predicates_of(source, lambda path: Path(path).read_bytes())
    return tuple(register(engine, namespace, predicates, entities, update))


def _add_entity(engine: Engine, tx: Writer, head: Head, registry: Registry, candidate: Entity) -> Registry:
    definition = registry.check_entity(clean_entity(engine, candidate))
    if definition is None:
        return registry
    return _append(engine, tx, head, registry, EntryKind.ENTITY, entity_body(definition))


def clean_predicate(engine: Engine, candidate: Predicate) -> Predicate:
    """Replace secrets in a predicate's description, examples and other words."""
    body = predicate_body(candidate)
    clean, counts = engine.redacted(body)
    return predicate_of(clean) if counts else candidate


def clean_entity(engine: Engine, candidate: Entity) -> Entity:
    """Replace secrets in an entity's names."""
    clean, counts = engine.redacted(entity_body(candidate))
    return entity_of(clean) if counts else candidate


def _in_registry(engine: Engine, namespace: str, add: Callable[[Writer, Head, Registry], Registry]) -> Registry:
    scope = registry_scope(namespace)
    with engine.store.write() as tx:
        head = tx.open_scope(scope)  # first: of two who register at once the second sees what the first did
        known = engine.registry(tx, namespace, head.rev)
        registry = add(tx, head, known)
        if registry is not known:
            tx.save_head(head)
    if registry is not known:
        engine.emit("registered", namespace=namespace, rev=registry.rev)
        engine.wake()
    return registry


def _append(engine: Engine, tx: Writer, head: Head, registry: Registry, kind: EntryKind, body: Any) -> Registry:
    if is_larger(body, LARGEST):
        raise InvalidValueError(f"{body['name']}: a definition has {LARGEST} bytes at most; say less, or fewer choices")
    now = engine.now()
    entry = next_entry(head, kind, now=now, said_at=max(now, head.last_said + 1), body=body)
    tx.append(head.id, entry)
    return registry.with_entry(entry)


def registry_now(engine: Engine, namespace: str) -> Registry:
    """Give the registry of today."""
    engine.check_open()
    with engine.store.read() as reader:
        return engine.registry(reader, namespace, reader.registry_rev(namespace))


EXAMPLES = 3
"""How many values a proposal shows."""


def proposals(engine: Engine, namespace: str) -> tuple[Proposal, ...]:
    """Give the unregistered predicates that were proposed in a namespace, the most frequent first."""
    engine.check_open()
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    examples: dict[str, list[str]] = {}
    many: set[str] = set()
    with engine.store.read() as reader:
        registry = engine.registry(reader, namespace, reader.registry_rev(namespace))
        for scope_id, slot_id, key, name in reader.unprojected(namespace):
            if registry.predicate(name) is not None:
                continue
            names.setdefault(key, name)
            for row in reader.claims(scope_id, slot_id):
                counts[key] = counts.get(key, 0) + 1
                body = _operation(reader, scope_id, row)
                many.update({key} if body.get("op") in ("add", "remove", "replace") else ())
                seen = examples.setdefault(key, [])
                text = str(body.get("value", ""))[:100]
                if text and text not in seen and len(seen) < EXAMPLES:
                    seen.append(text)
    found = [
        Proposal(names[key], count, tuple(examples.get(key, ())), "many" if key in many else "one")
        for key, count in counts.items()
    ]
    return tuple(sorted(found, key=lambda proposal: (-proposal.count, proposal.predicate)))


def _operation(reader: Reader, scope_id: int, row: Any) -> dict[str, Any]:
    if rows.is_amendment(row):
        return {}
    entry = newest_extraction(reader, scope_id, row.seq)
    operations = () if entry is None else entry.body.get("ops", ())
    return dict(operations[row.number]) if row.number < len(operations) else {}



def predicates_by_name(registry: Registry) -> tuple[Predicate, ...]:
    """Give the registered predicates, by name."""
    return tuple(sorted(registry.predicates.values(), key=lambda predicate: predicate.name))

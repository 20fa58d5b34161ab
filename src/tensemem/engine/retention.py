"""Retention: a namespace's policy and the record of its runs, as they stand in the store.

Both are kept beside the namespace's registry, among the keys of its scope: so they stand behind the same wall, are no
part of what is remembered, and can change without a new revision.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..core.periods import format_duration
from ..core.registry import Registry
from ..core.retention import Policy, make_policy, microseconds, policy_in, policy_text
from ..model.jsontext import decode, encode
from ..model.moment import to_datetime
from ..model.retention import Retention, RetentionRun
from ..model.scope import registry_scope
from ..ports import Head, Reader, Writer
from .core import Engine

POLICY, RUNS = "retention", "retention runs"
"""The keys that policy and runs stand under."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One run: the policy it follows, how far it came, and what went. ``cursor`` is the last scope done."""

    policy: str
    began: int
    ended: int | None = None
    cursor: tuple[str, str] | None = None
    scopes: int = 0
    texts: int = 0
    facts: int = 0
    failed: int = 0

    @property
    def shown(self) -> RetentionRun:
        """The run as callers see it."""
        ended = None if self.ended is None else to_datetime(self.ended)
        return RetentionRun(to_datetime(self.began), ended, self.scopes, self.texts, self.facts, self.failed)

    @property
    def body(self) -> dict[str, Any]:
        """The run as JSON keeps it."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def of(cls, body: dict[str, Any]) -> Progress:
        """Read a run back."""
        cursor = body["cursor"]
        return cls(**{**body, "cursor": None if cursor is None else tuple(cursor)})


@dataclass(frozen=True, slots=True)
class Kept:
    """What the store has on retention in a namespace: the policy as text, the run that goes on, the last one done."""

    policy: str = ""
    going_on: Progress | None = None
    done: Progress | None = None

    @property
    def asked(self) -> Policy:
        """The policy."""
        return policy_in(self.policy) if self.policy else Policy()

    def due_at(self) -> int | None:
        """Give when a run is due: a moment that may be over; None where nothing is asked for."""
        if not self.policy or self.asked.is_empty:
            return None
        if self.going_on is not None and self.going_on.policy == self.policy:
            return self.going_on.began
        if self.done is None or self.done.policy != self.policy:
            return 0
        return self.done.began + microseconds(self.asked.pause)

    def is_due(self, now: int) -> bool:
        """Tell whether a run is due; one further ahead than any could be is of a clock that was set back since."""
        due = self.due_at()
        return due is not None and (due <= now or due > now + microseconds(self.asked.pause))


def retain(engine: Engine, namespace: str, texts: Any, keep_quotes: Any, facts: Any) -> Retention:
    """Keep a namespace's policy, which takes the place of the one before; the same again writes nothing."""
    engine.check_open()
    scope = registry_scope(namespace)
    with engine.store.read() as reader:
        known = kept(reader, namespace)
        registry = _registry(engine, reader, namespace)
    wanted = policy_text(make_policy(texts, keep_quotes, facts, registry))
    if wanted != (known.policy or policy_text(Policy())):
        with engine.store.write() as tx:
            keep_policy(tx, namespace, wanted)
            known = replace(_kept(tx, tx.head(scope)), policy=wanted)
        engine.wake()
        engine.emit("retention", namespace=namespace)
    return shown(known, engine.now())


def retention(engine: Engine, namespace: str) -> Retention:
    """Give a namespace's policy, its last run, and when the next one is due."""
    engine.check_open()
    with engine.store.read() as reader:
        return shown(kept(reader, namespace), engine.now())


def shown(known: Kept, now: int) -> Retention:
    """Give what is kept as callers see it."""
    asked, newest = known.asked, known.going_on or known.done
    due = known.due_at()
    return Retention(
        asked.texts, asked.keep_quotes, dict(asked.facts or {}), None if newest is None else newest.shown,
        None if due is None else to_datetime(now if known.is_due(now) else due),
    )  # fmt: skip


def kept(reader: Reader, namespace: str) -> Kept:
    """Read what the store has about retention in a namespace."""
    return _kept(reader, reader.head(registry_scope(namespace)))


def _kept(reader: Reader, head: Head | None) -> Kept:
    if head is None:
        return Kept()
    policy, runs = reader.find_key(head.id, POLICY), reader.find_key(head.id, RUNS)
    if runs is None:
        return Kept("" if policy is None else policy[1])
    found = decode(runs[1])
    going_on, done = (None if found[name] is None else Progress.of(found[name]) for name in ("going_on", "done"))
    return Kept("" if policy is None else policy[1], going_on, done)


def save_runs(tx: Writer, head: Head, going_on: Progress | None, done: Progress | None) -> None:
    """Keep how far the runs of a namespace are."""
    newest = going_on or done
    body = {
        "going_on": None if going_on is None else going_on.body, "done": None if done is None else done.body,
    }  # fmt: skip
    tx.remember_key(head.id, RUNS, 0 if newest is None else newest.began, encode(body))


def policy_of(reader: Reader, namespace: str) -> str | None:
    """Give a namespace's policy as JSON text, for copies and exports; None where none was ever set."""
    return kept(reader, namespace).policy or None


def keep_policy(tx: Writer, namespace: str, text: str) -> None:
    """Keep a policy that ``policy_of`` gave; raises InvalidValueError for any other text."""
    policy_in(text)
    tx.remember_key(tx.open_scope(registry_scope(namespace)).id, POLICY, 0, text)


def bring_policy(reader: Reader, tx: Writer, namespace: str) -> bool:
    """Bring a namespace's policy to another store, where it has none; tells whether it did."""
    text = policy_of(reader, namespace)
    if text is None or policy_of(tx, namespace) is not None:
        return False
    keep_policy(tx, namespace, text)
    return True


def told(engine: Engine, reader: Reader, namespace: str) -> dict[str, Any]:
    """Give retention as ``stats`` tells it: durations and times as text, and what predicates say of themselves."""
    found = shown(kept(reader, namespace), engine.now())
    registry = _registry(engine, reader, namespace)

    def text(duration: Any) -> str | None:
        return None if duration is None else format_duration(duration)

    predicates = {
        one.name: {"ttl": text(one.ttl), "review_after": text(one.review_after)}
        for one in registry.predicates.values() if one.ttl is not None or one.review_after is not None
    }  # fmt: skip
    last = found.last_run
    return {
        "texts": text(found.texts), "keep_quotes": found.keep_quotes,
        "facts": {name: text(duration) for name, duration in found.facts.items()}, "predicates": predicates,
        "last_run": None if last is None else {
            "began_at": _iso(last.began_at), "ended_at": _iso(last.ended_at), "scopes": last.scopes,
            "texts": last.texts, "facts": last.facts, "failed": last.failed,
        },
        "next_run_at": _iso(found.next_run_at),
    }  # fmt: skip


def _iso(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat()


def _registry(engine: Engine, reader: Reader, namespace: str) -> Registry:
    return engine.registry(reader, namespace, reader.registry_rev(namespace))

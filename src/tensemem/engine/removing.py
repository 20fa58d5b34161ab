"""Taking a slot, a subject, a value or one entry out of a scope's log, and keeping it out.

Each removal is one transaction over its scope:

1. The entries that hold what goes are put anew without it (`core.erasing`), at their old places.
2. An `erasure` is appended, with a seq and a moment of its own. Where something was forgotten it states the rule: marks
   of what went. Whatever was stated before it and arrives later (a late message, an extraction under way, another
   extractor's answer, an alias learned tomorrow) is refused by the rule; what is stated after it counts.
3. What was derived from those entries is made anew: claims, facts, the search index; keys by which a message is known
   again become hashes; errors of messages that wait are emptied.

So what the projection shows is again the fold of the log, which from now on is the log without what was removed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.erasing import (
    amendment_without,
    erased,
    has_text,
    is_touched,
    malformed_with,
    unreadable,
    without_text,
    write_without,
)
from ..core.findings import GONE, raw_values
from ..core.forgotten import (
    Before,
    Forgotten,
    SlotNames,
    slot_marks,
    slot_names,
    subject_marks,
    subject_names,
    value_marks,
    value_names,
)
from ..core.ids import Reference
from ..core.marks import mark, scope_mark
from ..core.registry import Registry
from ..core.text import comparison_key, query_terms, search_terms
from ..errors import InvalidValueError, UnknownFactError
from ..model.claim import Correction, Held
from ..model.entry import Entry, EntryKind
from ..model.results import Removal
from ..model.scope import Scope
from ..ports import ForgottenRow, Head, Writer
from . import ledger, rows
from .core import Engine, check_seq, next_entry
from .project import AMENDING
from .reproject import open_scope, project_again
from .resolve import Within, find, scope_of_id
from .rules import first_key, forgotten_in, hash_keys, keep_rule, newest_rule
from .searching import catch_up, index_again, references_in, texts_of
from .whole import refuse_unfinished

MOST_MENTIONS = 1_000
"""Texts looked at for each value when it is told where its words still stand."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be forgotten in a scope: a subject's slots, one slot, or one value of it; with all their names.

    ``marks`` are given where only they are known, as from the ledger of a database that an older one is restored for.
    """

    kind: str
    names: SlotNames
    values: frozenset[str] = frozenset()

    def marks(self, key: bytes) -> list[str]:
        """Give the marks of it under a key."""
        if self.kind == "subject":
            return subject_marks(key, self.names.subjects)
        if self.kind == "slot":
            return slot_marks(key, self.names)
        return value_marks(key, self.names, self.values)


@dataclass(slots=True)
class Tally:
    """What a removal has done so far."""

    entries: int = 0
    episodes: int = 0
    claims: int = 0
    facts: int = 0
    texts: int = 0
    keys: int = 0
    pending: int = 0
    values: dict[str, None] = field(default_factory=dict)
    """What was removed, as text: so that other places where it stands can be told. It is kept nowhere."""
    mentions: tuple[int, ...] = ()

    def receipt(self, began: float, elsewhere: Sequence[str] = (), scopes: int = 1) -> Removal:
        """Give the receipt."""
        return Removal(
            scopes=scopes, entries=self.entries, episodes=self.episodes, claims=self.claims, facts=self.facts,
            texts=self.texts, keys=self.keys, pending=self.pending, seconds=round(time.monotonic() - began, 3),
            mentions=self.mentions, elsewhere=tuple(elsewhere),
        )  # fmt: skip


def forget_part(engine: Engine, scopes: Iterable[Scope], subject: object, predicate: object) -> Removal:
    """Forget a slot, or all slots of a subject, in some scopes. Raises InvalidValueError for what can't be a name."""
    began, tallies = time.monotonic(), list[Tally]()
    for name, given in (("subject", subject), ("predicate", predicate)):
        if given is not None and (not isinstance(given, str) or not given.strip()):
            raise InvalidValueError(f"{name} must be text: the name of one")

    def aim_of(_tx: Writer, _head: Head, registry: Registry) -> Aim:
        key = registry.subject("user" if subject is None else str(subject))[0]
        if predicate is None:
            return Aim("subject", SlotNames(subject_names(key, registry), frozenset()))
        return Aim("slot", slot_names(key, str(predicate), registry))

    for scope in scopes:
        tally = _forget(engine, scope, aim_of)
        if tally is not None:
            tallies.append(tally)
    return summed(tallies, began)


def forget_fact(engine: Engine, fact_id: str, within: Within) -> Removal:
    """Forget the value that a fact shows in its slot: every claim of it, whatever became of it.

    Raises UnknownFactError, and InvalidValueError for what names no value: its entry can be erased.
    """
    engine.check_open()
    began = time.monotonic()
    with engine.store.read() as reader:
        scope, reference = scope_of_id(engine, reader, fact_id, within)

    def aim_of(tx: Writer, head: Head, registry: Registry) -> Aim:
        return _aim_at_value(engine, tx, head, registry, fact_id, reference)

    tally = _forget(engine, scope, aim_of)
    return summed([] if tally is None else [tally], began)


def _aim_at_value(
    engine: Engine, tx: Writer, head: Head, registry: Registry, fact_id: str, reference: Reference
) -> Aim:
    found = find(tx, head, registry, fact_id, reference, max(engine.now(), head.last_said))
    value: Held | None
    if found.run is not None:
        value = found.run.value
    elif found.waiting is not None:
        value = found.waiting.value
    elif found.stated is not None:
        value = found.stated.claim.value
    elif found.corrected is not None:
        value = found.corrected.value
    else:
        value = next((claim.value for claim in found.hidden if claim.value is not None), None)
    if value is None:
        raise InvalidValueError("that statement names no one value; erase its entry: erase(user_id, seq)")
    predicate = registry.predicate(found.slot.predicate)
    names = slot_names(found.slot.subject_key, found.slot.predicate, registry)
    keys = value_names(value.stored, predicate, registry, engine.zone) | {value.key}
    return Aim("value", names, keys)


def _forget(engine: Engine, scope: Scope, aim_of: Any) -> Tally | None:
    """Forget in one scope; None where nothing was ever said in it."""
    engine.check_open()
    if not _has_log(engine, scope):
        return None
    catch_up(engine, scope)
    with engine.store.write(alone=True) as tx:
        head, registry = open_scope(engine, tx, scope)
        refuse_unfinished(head)
        aim = aim_of(tx, head, registry)
        key = newest_rule(tx, head)[1]
        cut = Cut(engine, tx, head, registry, key)
        tally = cut.forget(aim)
    _tell(engine, scope, tally)
    return tally


def _has_log(engine: Engine, scope: Scope) -> bool:
    with engine.store.read() as reader:
        head = reader.head(scope)
    return head is not None and head.rev > 0


def _tell(engine: Engine, scope: Scope, tally: Tally) -> None:
    engine.states.pop(scope, None)
    engine.wake()
    engine.emit("removed", scope=scope, entries=tally.entries, claims=tally.claims)


def erase(engine: Engine, scope: Scope, seq: int) -> Removal:
    """Erase one episode with all that was extracted from it. Raises UnknownFactError where there is none."""
    engine.check_open()
    check_seq(seq)
    began = time.monotonic()
    if not _has_log(engine, scope):
        raise UnknownFactError(f"no episode {seq} in this scope")
    catch_up(engine, scope)
    with engine.store.write(alone=True) as tx:
        head, registry = open_scope(engine, tx, scope)
        refuse_unfinished(head)
        entry = tx.episode(head.id, seq)
        if entry is None:
            raise UnknownFactError(f"no episode {seq} in this scope")
        tally = Tally()
        if entry.kind is not EntryKind.ERASURE:
            tally = Cut(engine, tx, head, registry, newest_rule(tx, head)[1]).erase(entry)
    if tally.entries:
        _tell(engine, scope, tally)
    return tally.receipt(began)


def summed(tallies: Sequence[Tally], began: float) -> Removal:
    """Give the receipt of removals from several scopes."""
    whole = Tally()
    for tally in tallies:
        for name in ("entries", "episodes", "claims", "facts", "texts", "keys", "pending"):
            setattr(whole, name, getattr(whole, name) + getattr(tally, name))
    if len(tallies) == 1:
        whole.mentions = tallies[0].mentions
    told = sum(len(tally.mentions) for tally in tallies)
    several = f"{told} other messages still say it; forget with agent_id names them"
    elsewhere = [several] if told and len(tallies) > 1 else []
    return whole.receipt(began, elsewhere, scopes=sum(tally.entries > 0 for tally in tallies))


class Cut:
    """One removal inside one transaction."""

    def __init__(self, engine: Engine, tx: Writer, head: Head, registry: Registry, key: bytes) -> None:
        self._engine, self._tx, self._head, self._registry, self._key = engine, tx, head, registry, key
        self._known = forgotten_in(tx, head) or Forgotten(key)
        self._tally = Tally()
        self._now = engine.now()
        self._said_at = max(self._now, head.last_said + 1)
        self._before: dict[int, Entry] = {}

    def forget(self, aim: Aim) -> Tally:
        """Forget what is aimed at; nothing is written where nothing was said since it was forgotten before."""
        head, tx = self._head, self._tx
        marks = aim.marks(self._key)
        before = Before(head.seq + 1, self._said_at)
        rules = self._known.with_marks(marks, before)
        slots = self._slots(aim)
        seqs = {row.seq for slot in slots for row in tx.claims(head.id, slot)}
        seqs |= {entry.seq for entry in tx.extracted_again(head.id, 0)}
        words = {comparison_key(value) for value in self._values_in(slots, aim)}
        found = [entry for seq in sorted(seqs) for entry in self._less(seq, rules, words)]
        if not found and self._is_said(marks):
            return self._tally
        self._note_values(found)
        erasure = self._append({"marks": sorted(marks)})
        lines = [self._line(aim.kind, one, erasure, {"said_at": erasure.said_at}) for one in sorted(marks)]
        self._put(found, lines)
        return self._tally

    def _is_said(self, marks: Sequence[str]) -> bool:
        """Tell whether all of this was forgotten before, and nothing was said since."""
        known = [self._known.marks.get(one) for one in marks]
        return all(one is not None and one.seq == self._head.seq for one in known)

    def _slots(self, aim: Aim) -> list[int]:
        tx, id, names = self._tx, self._head.id, aim.names
        if aim.kind == "subject":
            return [slot.id for slot in tx.slots(id) if slot.subject_key in names.subjects]
        pairs = [(subject, predicate) for subject in sorted(names.subjects) for predicate in sorted(names.predicates)]
        return [slot.id for pair in pairs if (slot := tx.slot(id, *pair)) is not None]

    def _values_in(self, slots: Iterable[int], aim: Aim) -> set[str]:
        """Give the values that will go, as their claims are kept: to find them in what was malformed."""
        if aim.kind == "value":
            return set(aim.values)
        kept = (row.value_key for slot in slots for row in self._tx.claims(self._head.id, slot))
        return {key for key in kept if key.strip()}

    def _less(self, seq: int, rules: Forgotten, words: set[str]) -> list[Entry]:
        """Give the entries of an episode as they are to be, where they hold anything that is forgotten."""
        tx, registry = self._tx, self._registry
        episode = tx.episode(self._head.id, seq)
        if episode is None:
            return []
        if episode.kind is EntryKind.WRITE:
            return [write_without(episode, registry, rules)] if is_touched(episode, None, registry, rules) else []
        if episode.kind in AMENDING:
            amended = amendment_without(episode, registry, rules)
            return [] if amended is None else [amended]
        if episode.kind is not EntryKind.MESSAGE:
            return []
        made = self._extractions(seq)

        def says(raw: str) -> bool:
            text = comparison_key(raw)
            return any(word in text for word in words)

        if not any(is_touched(one, episode, registry, rules) or malformed_with(one, says) for one in made):
            return []
        return without_text(episode, made, registry, "forgotten", forgotten=rules)

    def _extractions(self, seq: int) -> list[Entry]:
        found = self._tx.settlements(self._head.id, seq)
        return [entry for entry in found if entry.kind is EntryKind.EXTRACTION]

    def erase(self, entry: Entry) -> Tally:
        """Erase an episode, what was extracted from it, and what speaks of that alone."""
        head, tx, seq = self._head, self._tx, entry.seq
        found = [erased(one) for one in (entry, *self._extractions(seq))]
        found += self._resting_on(seq)
        self._note_values(found)
        row = tx.pending_row(head.id, seq)
        if row is not None:
            tx.drop_pending(head.id, seq)
            head.pending -= row.state != "failed"
            head.failed -= row.state == "failed"
            self._tally.pending += 1
        erasure = self._append({"of": seq})
        own = mark(self._key, "entry", str(seq))
        self._put(found, [self._line("entry", own, erasure, {"seq": seq})])
        return self._tally

    def _resting_on(self, seq: int) -> list[Entry]:
        """Give the amendments that speak of nothing but an episode's claims, as they are to be."""
        head, tx = self._head, self._tx
        found: list[Entry] = []
        for slot in sorted({row.slot for row in tx.claims_of(head.id, seq)}):
            kept = tx.claims(head.id, slot)
            for row in (one for one in kept if rows.is_amendment(one) and one.seq != seq):
                amending = tx.episode(head.id, row.seq)
                if amending is None or not _speaks_only_of(seq, row, kept):
                    continue
                found.append(unreadable(amending))
        return found

    def _append(self, body: Mapping[str, Any]) -> Entry:
        """Append the erasure, as the newest one of its scope."""
        head, tx = self._head, self._tx
        earlier = newest_rule(tx, head)[0]
        body = {**body, "earlier": earlier} if earlier else body
        erasure = next_entry(head, EntryKind.ERASURE, now=self._now, said_at=self._said_at, body=body)
        tx.append(head.id, erasure)
        keep_rule(tx, head, erasure.seq, self._key)
        return erasure

    def _line(self, kind: str, own: str, erasure: Entry, data: Mapping[str, Any]) -> ForgottenRow:
        """Give a line of the ledger; the key of the marks stands in it where this database would make another."""
        tx, scope = self._tx, self._head.scope
        if first_key(tx, scope) != self._key:
            data = {**data, "key": self._key.hex()}
        whose = scope_mark(ledger.key_of(tx), scope)
        told = json.dumps(data, sort_keys=True)
        return ForgottenRow(kind, whose, own, erasure.rev, erasure.seq, erasure.recorded_at, told)

    def _put(self, found: Sequence[Entry], lines: Sequence[ForgottenRow]) -> None:
        """Put entries in the place of what they were, and make all that was derived from those anew."""
        head, tx, tally = self._head, self._tx, self._tally
        ledger.append(self._engine.store, tx, head.scope.namespace, lines)
        seqs = sorted({entry.seq for entry in found})
        slots = {row.slot for seq in seqs for row in tx.claims_of(head.id, seq)}
        facts = sum(len(tx.facts(head.id, slot)) for slot in slots)
        claims = sum(len(tx.claims_of(head.id, seq)) for seq in seqs)
        references = [reference for entry in found for reference in references_in(self._was(entry))]
        tx.replace_entries(head.id, found)
        tally.keys += hash_keys(tx, head, seqs, self._key) if seqs else 0
        project_again(tx, head, self._registry, seqs, is_indexed=True)
        tally.texts += index_again(tx, head, self._registry, found, references)
        self._tell_mentions()
        self._empty_errors()
        tx.save_head(head)
        tally.entries += len(found)
        tally.episodes += len(seqs)
        tally.claims += claims - sum(len(tx.claims_of(head.id, seq)) for seq in seqs)
        left = {slot for slot in slots if tx.slot_by_id(head.id, slot) is not None}
        tally.facts += facts - sum(len(tx.facts(head.id, slot)) for slot in left)

    def _was(self, entry: Entry) -> Entry:
        """Give an entry as it is in the log until it is replaced."""
        known = self._before.get(entry.rev)
        if known is None:
            known = next(self._tx.entries(self._head.id, entry.rev - 1, entry.rev))
            self._before[entry.rev] = known
        return known

    def _empty_errors(self) -> None:
        """What a provider said of a message that still waits may repeat anything."""
        for row in self._tx.pending(self._head.id):
            if row.error:
                self._tx.save_pending(replace(row, error=""))

    def _note_values(self, found: Iterable[Entry]) -> None:
        """Note what values go, to tell where else their words stand."""
        for entry in found:
            before = self._was(entry)
            ops, left = before.body.get("ops", ()), entry.body.get("ops", ())
            for number, operation in enumerate(ops):
                now = left[number] if number < len(left) else {GONE: ""}
                kept = [] if GONE in now else raw_values(now)
                for value in raw_values(operation):
                    if value not in kept:
                        self._tally.values[str(value)] = None

    def _tell_mentions(self) -> None:
        """Find the episodes that still say all words of a value which goes."""
        head, tx = self._head, self._tx
        found: set[int] = set()
        for value in self._tally.values:
            terms = query_terms(value)
            for reference, _ in tx.search(head.id, terms, MOST_MENTIONS) if terms else ():
                seq = int(reference[2:].partition("-")[0])
                if seq not in found and self._says(seq, reference, set(terms)):
                    found.add(seq)
        self._tally.mentions = tuple(sorted(found))

    def _says(self, seq: int, reference: str, terms: set[str]) -> bool:
        entry = self._tx.episode(self._head.id, seq)
        if entry is None:
            return False
        if reference.startswith("e:"):
            return has_text(entry) and terms <= set(search_terms(str(entry.body.get("content", ""))))
        made = entry if entry.kind is not EntryKind.MESSAGE else (self._extractions(seq) or [entry])[-1]
        texts = dict(texts_of(self._tx, self._head, made, self._registry, None))
        return terms <= set(texts.get(reference, "").split())


def _speaks_only_of(seq: int, row: Any, kept: Sequence[Any]) -> bool:
    """Tell whether an amendment rests on an episode's claims alone."""
    amendment = rows.amendment_of(row)
    if isinstance(amendment, Correction):
        return bool(amendment.shown) and all(id.seq == seq for id in amendment.shown)
    key = getattr(amendment, "key", None)
    if key is None:
        return False  # a reinstatement: it holds up what its correction states instead
    said = [one for one in kept if not rows.is_amendment(one) and one.value_key == key and one.seq < row.seq]
    return bool(said) and all(one.seq == seq for one in said)

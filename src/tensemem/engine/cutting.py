"""One removal from a scope's log, inside one transaction: what goes, what is put in its place, what follows from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.erasing import (
    amendment_without,
    erased,
    has_text,
    is_touched,
    malformed_with,
    without_text,
    write_without,
)
from ..core.findings import GONE, raw_values
from ..core.forgotten import (
    Before,
    Forgotten,
    SlotNames,
    slot_marks,
    subject_marks,
    value_marks,
)
from ..core.marks import mark, scope_mark
from ..core.registry import Registry
from ..core.text import comparison_key, query_terms, search_terms
from ..model.entry import Entry, EntryKind
from ..model.results import Removal
from ..ports import ForgottenRow, Head, Store, Writer
from . import ledger
from .core import Engine, next_entry
from .project import AMENDING
from .reproject import project_again
from .resting import resting_on
from .rules import first_key, forgotten_in, hash_keys, keep_rule, newest_rule
from .searching import index_again, references_in, texts_of

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

    def receipt(self, store: Store, began: float, scopes: int = 1, told: Sequence[str] = ()) -> Removal:
        """Overwrite what went in the store's files, and give the receipt."""
        unscrubbed = store.scrub() if self.entries else None
        elsewhere = (*told, *(store.elsewhere if self.entries else ()))
        return Removal(
            scopes=scopes, entries=self.entries, episodes=self.episodes, claims=self.claims, facts=self.facts,
            texts=self.texts, keys=self.keys, pending=self.pending, seconds=round(time.monotonic() - began, 3),
            scrubbed=unscrubbed is None, unscrubbed=unscrubbed or "", mentions=self.mentions, elsewhere=elsewhere,
        )  # fmt: skip


class Cut:
    """One removal inside one transaction."""

    def __init__(self, engine: Engine, tx: Writer, head: Head, registry: Registry, key: bytes) -> None:
        self._engine, self._tx, self._head, self._registry, self._key = engine, tx, head, registry, key
        self._known = forgotten_in(tx, head) or Forgotten(key)
        self._tally = Tally()
        self._now = engine.now()
        self._said_at = max(self._now, head.last_said + 1)
        self._before: dict[int, Entry] = {}
        self._reread: set[int] = set()

    def forget(self, aim: Aim) -> Tally:
        """Forget what is aimed at; nothing is written where nothing was said since it was forgotten before."""
        head, tx = self._head, self._tx
        marks = aim.marks(self._key)
        before = Before(head.seq + 1, self._said_at)
        rules = self._known.with_marks(marks, before)
        slots = self._slots(aim)
        seqs = {row.seq for slot in slots for row in tx.claims(head.id, slot)}
        self._reread = {entry.seq for entry in tx.extracted_again(head.id, 0)}
        seqs |= self._reread
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

    def forget_again(self, line: ForgottenRow, key: bytes, before: Before) -> None:
        """Forget what a line's mark stands for; the rule is stated here too where its mark can be asked for here."""
        head = self._head
        rules = Forgotten(key, {line.mark: before})
        found = [entry for seq in range(head.base_seq + 1, head.seq + 1) for entry in self._less(seq, rules, set())]
        marks = [line.mark] if key == self._key else []
        self._append({"marks": marks, "before": [before.seq, before.said_at]})
        self._put(found, [line])

    def erase(self, entry: Entry, line: ForgottenRow | None = None) -> Tally:
        """Erase an episode, what was extracted from it, and what speaks of that alone."""
        head, tx, seq = self._head, self._tx, entry.seq
        made = self._extractions(seq)
        found = [erased(one) for one in (entry, *made)]
        found += resting_on(tx, head, self._registry, seq, made)
        self._note_values(found)
        row = tx.pending_row(head.id, seq)
        if row is not None:
            tx.drop_pending(head.id, seq)
            head.pending -= row.state != "failed"
            head.failed -= row.state == "failed"
            self._tally.pending += 1
        erasure = self._append({"of": seq})
        own = mark(self._key, "entry", str(seq))
        self._put(found, [self._line("entry", own, erasure, {"seq": seq}) if line is None else line])
        return self._tally

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
            left = dict(_naming_parts(entry))
            for place, part in _naming_parts(self._was(entry)):
                now = left.get(place, {GONE: ""})
                kept = [] if GONE in now else raw_values(now)
                for value in raw_values(part):
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
            found |= {seq for seq in self._reread - found if terms and self._said(seq, set(terms))}
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

    def _said(self, seq: int, terms: set[str]) -> bool:
        """Tell whether it was extracted from an episode before it was read again: of that the index knows nothing."""
        operations = (operation for one in self._extractions(seq)[:-1] for operation in one.body.get("ops", ()))
        values = (str(value) for operation in operations for value in raw_values(operation))
        return any(terms <= set(search_terms(value)) for value in values)


def _naming_parts(entry: Entry) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Give what names values in an entry, by its place: operations, and what a correction states instead (-1)."""
    yield from enumerate(entry.body.get("ops", ()))
    if "new" in entry.body:
        yield -1, entry.body["new"]

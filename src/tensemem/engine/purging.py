"""Purging the texts of old messages while what was learned from them lives on.

Scope by scope, in transactions of bounded size: settled messages that were said before a moment become messages without
content, and their operations get findings in place of the text (`core.findings`), so that state, ids and valid times
are as they were. Each transaction appends a marker with a revision and no seq: caches see that quotes went, and the
seqs of what is said do not depend on when somebody purged. What was purged is passed over, so a purge that was broken
off is taken up by the next one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ..core.erasing import has_quotes, has_text, without_text
from ..core.marks import mark, scope_mark
from ..core.periods import parse_period
from ..errors import InvalidTimeError, InvalidValueError, StoreKeyError
from ..model.entry import Entry, EntryKind
from ..model.results import Removal
from ..model.scope import Scope
from ..ports import NEVER, ForgottenRow, Head, Reader, Writer
from . import ledger
from .core import Engine
from .cutting import Tally
from .flow import persistently
from .removing import apply_line, summed
from .reproject import open_scope, project_again
from .rules import first_key, hashed, hashed_digest, is_own, keep_rule, newest_rule
from .searching import index_again, references_in
from .whole import is_whole

EPISODES_AT_ONCE = 500
"""Episodes looked at in one snapshot."""

MESSAGES_AT_ONCE = 200
"""Messages purged in one transaction."""

NO_SEQ = 0
"""The seq of a purge's markers: no episode has it."""

KEYS_AT_ONCE = 1_000


def purge(engine: Engine, scopes: Iterator[Scope], before: Any, *, keep_quotes: bool = False) -> Removal:
    """Purge the texts of settled messages said before a moment. Raises InvalidTimeError for what is none."""
    engine.check_open()
    began = time.monotonic()
    if not isinstance(keep_quotes, bool):
        raise InvalidValueError("keep_quotes must be True or False")
    moment = _moment(engine, before)
    tallies = []
    for scope in scopes:
        with suppress(StoreKeyError):  # nobody can read what is there
            tallies.append(purge_scope(engine, scope, moment, keep_quotes))
    return summed(engine, [tally for tally in tallies if tally.entries], began)


def _moment(engine: Engine, before: Any) -> int:
    if before is None:
        raise InvalidTimeError("purge needs a moment: texts said before it go")
    return parse_period(before, engine.zone, name="before").start


def purge_scope(engine: Engine, scope: Scope, moment: int, keep_quotes: bool) -> Tally:
    """Purge the texts of one scope; what they were written over with is for the caller to see to (``Store.scrub``)."""
    tally, first, purged = Tally(), 1, list[int]()
    while True:
        seqs, first, last = _found(engine, scope, first, moment, keep_quotes)
        for place in range(0, len(seqs), MESSAGES_AT_ONCE):
            some = seqs[place : place + MESSAGES_AT_ONCE]
            done = persistently(partial(_purge_some, engine, scope, some, moment, keep_quotes))
            purged += done[0]
            tally.entries += done[1]
            tally.texts += done[2]
            engine.emit("purging", scope=scope, seq=some[-1], of=last)
        if not first:
            break
    tally.episodes = len(purged)
    tally.keys = _hash_keys(engine, scope, purged)
    return tally


def _found(
    engine: Engine, scope: Scope, first: int, moment: int, keep_quotes: bool
) -> tuple[list[int], int, int]:
    """Give the messages of a stretch that are to be purged, where the next begins (0: nowhere), and the last seq."""
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is None or not is_whole(head):
            return [], 0, 0
        first = max(first, head.base_seq + 1)
        last = first + EPISODES_AT_ONCE - 1
        entries = reader.entries_of(head.id, first, last if last < head.seq else NEVER)
        found = [
            entry.seq
            for entry in entries
            if entry.kind is EntryKind.MESSAGE and entry.said_at < moment
            and _is_to_purge(reader, head, entry, [e for e in entries if e.seq == entry.seq], keep_quotes)
        ]  # fmt: skip
        return found, last + 1 if last < head.seq else 0, head.seq


def _is_to_purge(
    reader: Reader, head: Head, message: Entry, entries: Sequence[Entry], keep_quotes: bool
) -> bool:
    if has_text(message):
        return reader.pending_row(head.id, message.seq) is None
    made = [entry for entry in entries if entry.kind is EntryKind.EXTRACTION]
    return not keep_quotes and has_quotes(made)


def _purge_some(
    engine: Engine, scope: Scope, seqs: Sequence[int], moment: int, keep_quotes: bool
) -> tuple[list[int], int, int]:
    """Purge some messages in one transaction; gives those that were, and how many entries and texts went."""
    with engine.store.write(alone=True) as tx:
        head, registry = open_scope(engine, tx, scope)
        found: list[Entry] = []
        for seq in seqs:
            message = tx.episode(head.id, seq)
            made = [entry for entry in tx.settlements(head.id, seq) if entry.kind is EntryKind.EXTRACTION]
            if message is None or message.kind is not EntryKind.MESSAGE:
                continue  # erased meanwhile
            if _is_to_purge(tx, head, message, made, keep_quotes):
                found += without_text(message, made, registry, "purged", keep_quotes=keep_quotes)
        done = sorted({entry.seq for entry in found})
        if not done:
            return [], 0, 0
        marker = _mark(engine, tx, head)
        _write_down(engine, tx, head, marker, moment, keep_quotes)
        tx.replace_entries(head.id, found)
        project_again(tx, head, registry, done, is_indexed=True)
        references = [reference for entry in found for reference in references_in(entry)]
        texts = index_again(tx, head, registry, found, references)
        tx.save_head(head)
    engine.states.drop(scope)
    return done, len(found), texts


def _mark(engine: Engine, tx: Writer, head: Head) -> Entry:
    """Append a marker, so that what was read before is known to be old."""
    head.rev += 1
    head.last_recorded = max(engine.now(), head.last_recorded)
    marker = Entry(EntryKind.ERASURE, head.rev, NO_SEQ, head.last_recorded, head.last_recorded, 0, {"was": "texts"})
    tx.append(head.id, marker)
    return marker


def _write_down(
    engine: Engine, tx: Writer, head: Head, marker: Entry, moment: int, keep_quotes: bool
) -> None:
    whose = scope_mark(ledger.key_of(tx), head.scope)
    own = mark(first_key(tx, head.scope), "purge", str(moment), str(keep_quotes))
    told = json.dumps({"before": moment, "keep_quotes": keep_quotes}, sort_keys=True)
    line = ForgottenRow("purge", whose, own, marker.rev, head.seq, marker.recorded_at, told)
    ledger.append(engine.store, tx, head.scope.namespace, [line])


def _hash_keys(engine: Engine, scope: Scope, seqs: Sequence[int]) -> int:
    """Have the keys of purged messages say nothing of their texts, though the same message is still known again."""
    gone, after, done = set(seqs), "", 0
    while gone:
        with engine.store.read() as reader:
            head = reader.head(scope)
            page = [] if head is None else reader.keys(head.id, after, KEYS_AT_ONCE)
        found = [row for row in page if row[1] in gone and not is_own(row[0])]
        if found:
            done += persistently(partial(_hash_some, engine, scope, found))
        if not page:
            break
        after = page[-1][0]
    return done


def _hash_some(engine: Engine, scope: Scope, found: Sequence[tuple[str, int, str]]) -> int:
    with engine.store.write() as tx:
        head, _ = open_scope(engine, tx, scope)
        newest, key = newest_rule(tx, head)
        if not newest:
            keep_rule(tx, head, newest, key)  # the key by which they are looked for
        tx.drop_keys(head.id, [name for name, _, _ in found])
        for name, seq, digest in found:
            tx.remember_key(head.id, hashed(key, name), seq, hashed_digest(key, digest))
        tx.save_head(head)
    return len(found)


def without_lesser(lines: Sequence[ForgottenRow]) -> list[ForgottenRow]:
    """Leave out the purges that another one of the same scope does the work of: each looks through a whole log."""
    latest: dict[tuple[str, bool], tuple[int, ForgottenRow]] = {}
    for line in lines:
        if line.kind == "purge":
            data = json.loads(line.data)
            place, before = (line.scope, bool(data["keep_quotes"])), int(data["before"])
            if place not in latest or before > latest[place][0]:
                latest[place] = before, line
    kept = {line.place for _, line in latest.values()}
    return [line for line in lines if line.kind != "purge" or line.place in kept]


def apply_part(engine: Engine, scope: Scope, line: ForgottenRow) -> None:
    """Do again what a line of the ledger says of a part of a scope."""
    if line.kind == "purge":
        data = json.loads(line.data)
        purge_scope(engine, scope, int(data["before"]), bool(data["keep_quotes"]))
    else:
        apply_line(engine, scope, line)

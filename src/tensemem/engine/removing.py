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
from collections.abc import Callable, Iterable, Sequence

from ..core.forgotten import (
    Before,
    SlotNames,
    slot_names,
    subject_names,
    value_names,
)
from ..core.ids import Reference
from ..core.registry import Registry
from ..core.text import is_valid_text
from ..errors import InvalidValueError, UnknownFactError
from ..model.claim import Held
from ..model.entry import EntryKind
from ..model.results import Removal
from ..model.scope import Scope
from ..ports import ForgottenRow, Head, Writer
from .core import Engine, check_seq
from .cutting import Aim, Cut, Tally
from .reproject import open_scope
from .resolve import Within, find, scope_of_id
from .rules import first_key, newest_rule
from .searching import catch_up
from .whole import refuse_unfinished


def forget_part(engine: Engine, scopes: Iterable[Scope], subject: object, predicate: object) -> Removal:
    """Forget a slot, or all slots of a subject, in some scopes. Raises InvalidValueError for what can't be a name."""
    began, tallies = time.monotonic(), list[Tally]()
    for name, given in (("subject", subject), ("predicate", predicate)):
        if given is not None and (not isinstance(given, str) or not given.strip()):
            raise InvalidValueError(f"{name} must be text: the name of one")
        if isinstance(given, str) and (wrong := is_valid_text(given)):
            raise InvalidValueError(f"{name} {wrong}")

    def aim_of(_tx: Writer, _head: Head, registry: Registry) -> Aim:
        key = registry.subject("user" if subject is None else str(subject))[0]
        if predicate is None:
            return Aim("subject", SlotNames(subject_names(key, registry), frozenset()))
        return Aim("slot", slot_names(key, str(predicate), registry))

    for scope in scopes:
        tally = forget_where(engine, scope, aim_of)
        if tally is not None:
            tallies.append(tally)
    return summed(engine, tallies, began)


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

    tally = forget_where(engine, scope, aim_of)
    return summed(engine, [] if tally is None else [tally], began)


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


def forget_where(
    engine: Engine, scope: Scope, aim_of: Callable[[Writer, Head, Registry], Aim | None]
) -> Tally | None:
    """Forget in one scope what is aimed at, in the transaction that looks; None where nothing is, or was ever said."""
    engine.check_open()
    if not _has_log(engine, scope):
        return None
    catch_up(engine, scope)
    with engine.store.write(alone=True) as tx:
        head, registry = open_scope(engine, tx, scope)
        refuse_unfinished(head)
        aim = aim_of(tx, head, registry)
        if aim is None:
            return None
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
    engine.states.drop(scope)
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
    return tally.receipt(engine.store, began, scopes=min(tally.entries, 1))


def apply_line(engine: Engine, scope: Scope, line: ForgottenRow) -> None:
    """Do again what a line of the ledger says was taken out of a scope's log, where it is there, or there again."""
    data = json.loads(line.data or "{}")
    if line.kind == "purge" or not _has_log(engine, scope):
        return
    with engine.store.write(alone=True) as tx:
        head, registry = open_scope(engine, tx, scope)
        if any(known.place == line.place for known in tx.forgotten_of(line.scope)):
            return
        own = newest_rule(tx, head)[1]
        cut = Cut(engine, tx, head, registry, own)
        if line.kind == "entry":
            entry = tx.episode(head.id, int(data["seq"]))
            is_meant = entry is not None and entry.recorded_at <= line.at
            if entry is not None and is_meant and entry.kind is not EntryKind.ERASURE:
                cut.erase(entry, line)
        else:
            key = bytes.fromhex(data["key"]) if "key" in data else first_key(tx, scope)
            before = Before(min(line.seq, _next_seq(tx, head, line.at)), int(data["said_at"]))
            cut.forget_again(line, key, before)
    _tell(engine, scope, Tally())


def _next_seq(tx: Writer, head: Head, at: int) -> int:
    """Give the first seq that was given after a moment, or will be.

    Where an older copy was gone on with, its episodes have seqs that others had when a line was written: those are not
    the ones that the line means.
    """
    last = tx.rev_at(head.id, at)
    known = (entry.seq for entry in tx.entries(head.id, last, head.rev) if entry.seq and not entry.extraction)
    return min(known, default=head.seq + 1)


def summed(engine: Engine, tallies: Sequence[Tally], began: float) -> Removal:
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
    return whole.receipt(engine.store, began, sum(tally.entries > 0 for tally in tallies), elsewhere)

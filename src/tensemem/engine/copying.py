"""Copying whole memories from one store to another: logs entry by entry, with all that hangs on them.

Each scope is copied as of one snapshot of where it comes from, so that what is written there meanwhile is either in or
not. Copying again fetches what is missing and goes on where a copy was broken off: what is there is compared entry by
entry, never trusted. A scope that has gone on at the destination is left alone; one whose log is another is refused.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial

from ..core.text import is_valid_text
from ..errors import ConflictError, InvalidValueError, StoreBusyError, StoreError, StoreKeyError
from ..logs import Log
from ..model.results import CopyReport
from ..model.scope import Scope, registry_scope
from ..ports import FILLING, Head, Reader, Store
from . import forgetting, ledger, wiring
from .core import Engine
from .filling import Filling
from .flow import Flow, Work
from .kept import KeptStates
from .rebuild import digest_of
from .retention import bring_policy, policy_of
from .verifying import Remade, kept_slots
from .whole import refuse_unfinished

log = Log("store")

PAGE = 500
"""Scopes, or keys, read at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be copied: some namespaces or all, and in them the users whose id starts with a prefix."""

    namespaces: tuple[str, ...] | None = None
    prefix: str = ""


class Outcome(Enum):
    """What became of one scope."""

    COPIED = "copied"
    UNCHANGED = "unchanged"
    AHEAD = "ahead"
    FORGOTTEN = "forgotten"


@dataclass(slots=True)
class Tally:
    """What was done so far."""

    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    entries: int = 0
    namespaces: int = 0
    registry_rev: int = 0
    last: Scope | None = None
    conflicts: list[ConflictError | StoreKeyError] = field(default_factory=list)

    def add(self, scope: Scope, outcome: Outcome, entries: int) -> None:
        """Count one scope."""
        self.outcomes[outcome] += 1
        self.entries += entries
        if outcome is Outcome.COPIED:
            self.last = scope


def wanted(namespaces: object, prefix: object) -> Wanted:
    """Check what a caller wants copied; raises InvalidValueError."""
    names: tuple[str, ...] | None = None
    if namespaces is not None:
        if isinstance(namespaces, str) or not isinstance(namespaces, Sequence) or not namespaces:
            raise InvalidValueError("namespaces must be a list of names; leave it out to copy all of them")
        names = tuple(dict.fromkeys(namespaces))
    for name, value in (*(("a namespace", one) for one in names or ()), ("prefix", prefix)):
        if not isinstance(value, str) or is_valid_text(value) is not None:
            raise InvalidValueError(f"{name} must be text without lone surrogates")
    return Wanted(names, str(prefix))


def copy_to(engine: Engine, dest: Engine | str | os.PathLike[str], what: Wanted) -> Flow[CopyReport]:
    """Copy what is wanted to another open memory, or to what a path or URL names; gives what was done.

    Raises ConflictError for a log that is another one there, and StoreKeyError for one whose key is gone, after all
    others were copied, and StoreBusyError where somebody else fills the same scope. What was copied until then stays,
    and is not copied again.
    """
    engine.check_open()
    if not isinstance(dest, Engine):
        what = yield Work(lambda: _within_walls(engine, dest, what))
        return (yield from _copy_to_path(engine, dest, what))
    dest.check_open()
    if engine.store is dest.store:
        raise InvalidValueError("a memory can't be copied to itself")
    what = yield Work(lambda: _within_walls(engine, dest, what))
    report: CopyReport = yield from _copy(engine, dest, what, Tally())
    dest.fence_tag = yield Work(lambda: wiring.fence_tag_of(dest.store))
    dest.wake()
    return report


def _within_walls(engine: Engine, dest: Engine | str | os.PathLike[str], what: Wanted) -> Wanted:
    """Keep to the namespaces that either memory is pinned to; raises InvalidScopeError where another is asked for."""
    pinned = [one for one in (engine, dest) if isinstance(one, Engine) and one.is_pinned]
    if not pinned:
        return what
    names = what.namespaces
    if names is None:
        with engine.store.read() as reader:
            names = tuple(name for name in reader.namespaces() if engine.worked_namespace in (None, name))
    for one in pinned:
        for name in names:
            one.check_namespace(name)
    return replace(what, namespaces=names)


def _copy_to_path(engine: Engine, dest: str | os.PathLike[str], what: Wanted) -> Flow[CopyReport]:
    """Copy without a flush for each transaction, and with one at the end, which makes all of them last."""
    if os.fspath(dest) == ":memory:":
        raise InvalidValueError("a copy in working storage would be gone at once; name a file or URL")
    tally = Tally()
    store: Store = yield Work(lambda: wiring.open_store(dest, "process", False))
    try:
        target = _over(engine, store)
        report: CopyReport = yield from _copy(engine, target, what, tally)
    finally:
        yield Work(store.close)
    yield Work(lambda: _make_durable(dest, tally.last))
    return report


def _make_durable(dest: str | os.PathLike[str], last: Scope | None) -> None:
    if last is None:
        return
    store = wiring.open_store(dest, "power", False)
    try:
        with store.write() as tx:
            head = tx.head(last)
            if head is not None:
                tx.save_head(head)
    finally:
        store.close()


def copy_all(engine: Engine, dest: Store) -> Flow[CopyReport]:
    """Copy everything to another store; raises as ``copy_to`` does."""
    return _copy(engine, _over(engine, dest), Wanted(), Tally())


def _over(engine: Engine, store: Store) -> Engine:
    """Give an engine that is as another one is, over another store."""
    return replace(engine, store=store, registries={}, states=KeptStates(), scopes={})


def _copy(engine: Engine, target: Engine, what: Wanted, tally: Tally) -> Flow[CopyReport]:
    began, dest = time.monotonic(), target.store
    yield Work(lambda: take_over_marks(engine.store, dest))
    yield Work(lambda: _forget_there(engine.store, target))
    names: Iterable[str] = yield Work(lambda: _namespaces(engine.store, what))
    for name in names:
        yield from _copy_namespace(engine, dest, name, what.prefix, tally)
    if tally.conflicts:
        first, *others = tally.conflicts
        rest = f"; {len(others)} more were left out as well" if others else ""
        raise type(first)(f"{str(first).rstrip('.')}; all others were copied{rest}")
    copied, unchanged, ahead, forgotten = tally.outcomes.values()
    return CopyReport(
        source=engine.store.location, destination=dest.location, namespaces=tally.namespaces,
        scopes=copied + unchanged + ahead + forgotten, copied=copied, unchanged=unchanged, ahead=ahead,
        entries=tally.entries, seconds=round(time.monotonic() - began, 3), forgotten=forgotten,
    )  # fmt: skip


_MARKS = ("fence", "forget_key")


def take_over_marks(source: Store, dest: Store, names: Sequence[str] = _MARKS) -> None:
    """Have an empty store know the text that the other one's contexts are fenced with, and the marks of its ledger.

    Where this may not be changed, as by a role that sees a part of the store only, recalled text is known by what it
    says, and who was forgotten by name.
    """
    with source.read() as reader:
        theirs = {name: value for name in names if (value := reader.meta(name)) is not None}
    with dest.read() as reader:
        theirs = {name: value for name, value in theirs.items() if reader.meta(name) != value}
        if not theirs or not _is_empty(reader):
            return
    try:
        with dest.write() as tx:
            if _is_empty(tx):
                for name, value in theirs.items():
                    tx.set_meta(name, value)
    except StoreBusyError:
        raise
    except StoreError:
        log.tell("own tag", "%s keeps its own tag for recalled text", dest.location, location=dest.location)


def _is_empty(reader: Reader) -> bool:
    return not reader.namespaces() and not reader.forgotten(None, 1)


def _forget_there(source: Store, target: Engine) -> None:
    """Have the destination forget who was forgotten where the copy comes from."""
    with source.read() as reader:
        key = reader.meta("forget_key")
    with target.store.read() as reader:
        own = reader.meta("forget_key")
    lines = ledger.lines_of(source) if key else []
    if key == own:
        known = {line.place for line in ledger.lines_of(target.store)}
        lines = [line for line in lines if line.place not in known]
    if key and lines:
        forgetting.apply(target, lines, bytes.fromhex(key))


def _namespaces(source: Store, what: Wanted) -> list[str]:
    with source.read() as reader:
        known = reader.namespaces()
    missing = [name for name in what.namespaces or () if name not in known]
    if missing:
        raise InvalidValueError(f"there is no namespace {missing[0]!r} in {source.location}")
    return known if what.namespaces is None else list(what.namespaces)


def _copy_namespace(engine: Engine, dest: Store, name: str, prefix: str, tally: Tally) -> Flow[None]:
    tally.namespaces += 1
    registry: Scope = registry_scope(name)
    tally.registry_rev = yield Work(lambda: copy_registry(engine.store, dest, registry))
    yield Work(lambda: copy_policy(engine.store, dest, name))
    cursor: tuple[str, str] | None = None
    while True:
        scopes: list[Scope] = yield Work(partial(_page, engine.store, name, prefix, cursor))
        for scope in scopes:
            try:
                done: tuple[Outcome, int] | None = yield Work(partial(copy_scope, engine, dest, scope, tally))
            except (ConflictError, StoreKeyError) as error:  # it is left out, and told when the others are there
                tally.conflicts.append(error)
                continue
            if done is not None:
                tally.add(scope, *done)
                engine.emit("copied", scope=scope, outcome=done[0].value, entries=done[1])
        if len(scopes) < PAGE:
            return
        cursor = (scopes[-1].user_id, scopes[-1].agent_id)


def _page(source: Store, name: str, prefix: str, cursor: tuple[str, str] | None) -> list[Scope]:
    with source.read() as reader:
        return [head.scope for head in reader.scopes(name, prefix, cursor, PAGE)]


def copy_policy(source: Store, dest: Store, name: str) -> None:
    """Copy how long a namespace keeps what; where the destination has its own say, that stands."""
    with source.read() as reader:
        if policy_of(reader, name) is None:
            return
        with dest.read() as other:
            if policy_of(other, name) is not None:
                return
        with dest.write() as tx:
            bring_policy(reader, tx, name)


def copy_registry(source: Store, dest: Store, scope: Scope) -> int:
    """Copy a namespace's registry; gives the revision it has."""
    with source.read() as reader:
        head = reader.head(scope)
        return 0 if head is None or not head.rev else _fill_registry(reader, head, dest)


def _fill_registry(reader: Reader, head: Head, dest: Store) -> int:
    """Bring the registry there up to this one; where somebody else does the same, go on behind what they did."""
    while True:
        outcome, found = _standing(reader, head, dest)
        if outcome is not Outcome.COPIED:
            return head.rev
        _append_registry(reader, head, dest, 0 if found is None else found.rev)


def _append_registry(reader: Reader, head: Head, dest: Store, last: int) -> None:
    """Append what comes behind a revision, some entries at a time: the beginning of a registry is one too."""
    while last < head.rev:
        upto = min(last + PAGE, head.rev)
        with dest.write() as tx:
            known = tx.open_scope(head.scope)
            if known.rev != last:
                return
            entries = list(reader.entries(head.id, last, upto))
            tx.append_many(known.id, entries)
            for entry in entries:
                known.seq, known.last_said = max(known.seq, entry.seq), max(known.last_said, entry.said_at)
                known.last_recorded = entry.recorded_at
            last = known.rev = upto
            tx.save_head(known)


def copy_scope(engine: Engine, dest: Store, scope: Scope, tally: Tally) -> tuple[Outcome, int] | None:
    """Copy one scope as of one snapshot; None where nothing was ever said in it."""
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is None or head.rev == head.base_rev:
            return None
        refuse_unfinished(head)
        if _is_forgotten(reader, head, dest):
            return Outcome.FORGOTTEN, 0
        outcome, found = _standing(reader, head, dest)
        if outcome is not Outcome.COPIED:
            return outcome, 0
        registry = reader.head(registry_scope(scope.namespace))
        if registry is not None and registry.rev > tally.registry_rev:  # it has grown since the namespace was begun
            tally.registry_rev = _fill_registry(reader, registry, dest)
        return outcome, _fill(engine, reader, head, dest, found)


def _is_forgotten(reader: Reader, head: Head, dest: Store) -> bool:
    """Tell whether this is of a life that was forgotten at the destination."""
    first = next(reader.entries(head.id, head.base_rev, head.base_rev + 1), None)
    with dest.read() as other:
        return first is not None and ledger.hides(other, head.scope, first.recorded_at)


def _standing(reader: Reader, head: Head, dest: Store) -> tuple[Outcome, Head | None]:
    """Compare a log with what is there of it, entry by entry; COPIED means that something is missing there.

    Raises ConflictError where the two differ.
    """
    with dest.read() as other:
        found = other.head(head.scope)
        if found is None or not found.rev:
            return Outcome.COPIED, found
        theirs = other.entries(found.id)
        for entry in reader.entries(head.id, 0, head.rev):
            copied = next(theirs, None)
            if copied is None:
                return Outcome.COPIED, found
            if copied != entry:
                raise _conflict(head.scope, dest, f"they differ from revision {entry.rev} on")
        is_ahead = next(theirs, None) is not None
        is_filled = found.registry_rev != FILLING
        keys = keys_of(reader, head.id) if head.scope.user_id else ()  # a registry's are about retention: not its log
        if is_filled and not is_ahead and _has_keys(other, found.id, keys):
            return Outcome.UNCHANGED, found
    if is_filled and is_ahead:
        return Outcome.AHEAD, found
    if is_ahead:
        raise _conflict(head.scope, dest, "what was begun there is of a newer state than this")
    return Outcome.COPIED, found


def _has_keys(other: Reader, scope_id: int, keys: Iterable[tuple[str, int, str]]) -> bool:
    """Tell whether all of these keys are known there; a message that comes again may leave a key and no entry."""
    theirs = keys_of(other, scope_id)
    is_in_order = True
    for key, *_ in keys:
        is_in_order = is_in_order and next((known for known, *_ in theirs if known >= key), None) == key
        if not is_in_order and other.find_key(scope_id, key) is None:
            return False
    return True


def _conflict(scope: Scope, dest: Store, why: str) -> ConflictError:
    whose = "the registry" if scope == registry_scope(scope.namespace) else f"the memory of {scope.user_id!r}"
    return ConflictError(
        f"{whose} in namespace {scope.namespace!r} is another one in {dest.location}: {why}; nothing was written there"
    )


def _fill(engine: Engine, reader: Reader, head: Head, dest: Store, found: Head | None) -> int:
    def tell(rev: int) -> None:
        engine.emit("copying", scope=head.scope, rev=rev, of=head.rev)

    with Filling(dest, head.scope, found, tell) as filling:
        last = 0 if found is None else found.rev
        done = filling.append(reader.entries(head.id, last, head.rev))
        filling.remember(keys_of(reader, head.id))
        digest = digest_of(head.scope, _put(filling, reader, head))
        if filling.has_paused:  # it may be large: read back while others can write
            again = filling.pause(lambda: _read_back(dest, filling.head))
        else:
            again = digest_of(head.scope, kept_slots(filling.tx, filling.head, claims=False))
        if again != digest:
            raise StoreError(
                f"what was copied of {head.scope.user_id!r} does not read back as it was: digest {again}, not {digest}"
            )
        filling.finish(head, reader.pending(head.id), reader.usage_of(head.id))
    return done


def _read_back(dest: Store, head: Head) -> str:
    with dest.read() as other:
        return digest_of(head.scope, kept_slots(other, head, claims=False))


def _put(filling: Filling, reader: Reader, head: Head) -> Iterator[Remade]:
    for slot in kept_slots(reader, head):
        filling.put(slot)
        yield slot


def keys_of(reader: Reader, scope_id: int) -> Iterator[tuple[str, int, str]]:
    after = ""
    while found := reader.keys(scope_id, after, PAGE):
        yield from found
        after = found[-1][0]

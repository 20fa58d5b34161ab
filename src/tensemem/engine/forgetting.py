"""Forgetting people: whole scopes go, in steps that are short, that others work between, and that a crash can't undo.

First a line is written to the ledger and the scope's head is taken away, in one transaction: from then on nobody finds
the scope, and the same person may begin anew. Then its rows are removed, some at a time, and last what is left of them
in the log of the store is overwritten. Whatever a crash leaves to do is done when the store is next opened to write.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from ..core.marks import scope_mark
from ..errors import OutcomeUnknownError, StoreError, StoreKeyError
from ..model.results import Removal
from ..model.scope import Scope
from ..ports import FILLING, ForgottenRow, Head, Reader
from . import ledger
from .core import Engine
from .flow import Flow, Pause, Work, run
from .purging import apply_part, without_lesser

PAGE = 500

FEWEST_ROWS, MOST_ROWS = 500, 10_000
"""How many rows a transaction removes, as fast as the machine does it."""
LONGEST_STEP = 0.05
"""Seconds such a transaction should take at most: it is what others wait."""
_BREATH = 0.001
_LOOKS, _PAUSE = 50, 0.02
"""How often, and every how many seconds, who only reads looks whether a forgetting has ended."""


@dataclass(slots=True)
class Tally:
    """What went so far, by table, and how many scopes."""

    began: float = field(default_factory=time.monotonic)
    scopes: int = 0
    episodes: int = 0
    rows: Counter[str] = field(default_factory=Counter)

    def receipt(self, *, unscrubbed: str | None, elsewhere: Sequence[str]) -> Removal:
        """Give all of it as the caller gets it."""
        return Removal(
            scopes=self.scopes, entries=self.rows["entries"], episodes=self.episodes, claims=self.rows["claims"],
            facts=self.rows["facts"], texts=self.rows["texts"], keys=self.rows["keys"], pending=self.rows["pending"],
            seconds=round(time.monotonic() - self.began, 3), scrubbed=unscrubbed is None, unscrubbed=unscrubbed or "",
            elsewhere=tuple(elsewhere),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Taken:
    """A scope that was taken out of reach: its number, and what went with its head."""

    number: int
    episodes: int
    rows: dict[str, int]


def forget_person(engine: Engine, namespace: str, user_id: str, agent_id: str | None) -> Flow[Removal]:
    """Remove every scope of a user, or that of one agent; gives what went. Someone unknown leaves nothing behind.

    A person's name goes from the limits of keys too, also where nothing was known of them.
    """
    engine.check_open()
    scopes: list[Scope] = yield Work(lambda: _scopes_of(engine, namespace, user_id, agent_id))
    removed: Removal = yield from forget_scopes(engine, scopes)
    if agent_id is not None or engine.store.read_only:
        return removed
    struck: Removal = yield Work(lambda: _struck(engine, namespace, user_id, removed))
    return struck


def _struck(engine: Engine, namespace: str, user_id: str, removed: Removal) -> Removal:
    """Take a name out of the keys beside the memory; where they can't be read, the receipt says so."""
    try:
        return replace(removed, limits=engine.strike(namespace, user_id))
    except StoreError as error:
        told = f"The keys to the served memory may still name this person: {error}"
        return replace(removed, elsewhere=(*removed.elsewhere, told))


def forget_scopes(engine: Engine, scopes: Sequence[Scope]) -> Flow[Removal]:
    """Remove some scopes; gives what went."""
    tally = Tally()
    lives: list[tuple[Scope, int]] = yield Work(lambda: _lives(engine, scopes))
    for scope, base in lives:
        taken: Taken | None = yield Work(partial(_take, engine, scope, base))
        if taken is None:
            continue
        tally.scopes += 1
        tally.episodes += taken.episodes
        tally.rows.update(taken.rows)
        yield from _remove(engine, taken.number, tally, scope)
        engine.emit("forgotten", scope=scope, entries=tally.rows["entries"])
    unscrubbed: str | None = yield from _finish(engine, tally, has_work=bool(lives))
    return tally.receipt(unscrubbed=unscrubbed, elsewhere=engine.store.elsewhere if tally.scopes else ())


def finish(engine: Engine) -> None:
    """Do what was begun and not ended: by whoever crashed, or by lines of the ledger that this store lacks."""
    store = engine.store
    stamp = ledger.stamp_of(store)
    if store.ledger is not None and not ledger.is_as_seen(store, stamp):
        unapplied, unwritten = ledger.missing(store)
        if unwritten:
            ledger.copy_to_file(store, unwritten)
        if unapplied:
            apply(engine, _less_void(engine, unapplied))
        ledger.confirm(store, ledger.begun(store))
        ledger.note_seen(store, stamp)
    run(_finish(engine, Tally(), has_work=False))


def refuse_unfinished(engine: Engine) -> None:
    """Raise StoreError for who may only read, where lines of the ledger tell of people who may still be here.

    So it is where an older copy was put in the place of the database. Who is forgetting just now is waited for.
    """
    for looks in range(_LOOKS, -1, -1):
        if not ledger.missing(engine.store)[0]:
            return
        if looks:
            time.sleep(_PAUSE)
    raise StoreError(
        f"{engine.store.location} may hold what was forgotten since this copy of it was made, as {engine.store.ledger} "
        "says: open it for writing once, and that is removed."
    )


def apply(engine: Engine, lines: Iterable[ForgottenRow], key: bytes | None = None) -> Removal:
    """Forget again what lines of the ledger say that was forgotten, where it is still, or again, as it was then.

    ``key`` is the one their marks were made with, where that is another database's; then those that speak of nobody
    here are left out.
    """
    lines = list(lines)
    with engine.store.read() as reader:
        own = ledger.key_of(reader)
        found = ledger.scopes_of(reader, key or own, [line.scope for line in lines])
    if key not in (None, own):
        lines = [
            ledger.with_key(own, found[line.scope], line)
            for line in lines
            if line.kind == ledger.SCOPE and line.scope in found
        ]
        found = {scope_mark(own, scope): scope for scope in found.values()}
    tally = Tally()
    for line in without_lesser(lines):
        scope = found.get(line.scope)
        if scope is not None and line.kind != ledger.SCOPE:
            apply_part(engine, scope, line)
        if line.kind != ledger.SCOPE or scope is None:
            continue
        taken = _take_as(engine, scope, line)
        if taken is not None:
            tally.scopes += 1
            tally.episodes += taken.episodes
            tally.rows.update(taken.rows)
            run(_remove(engine, taken.number, tally, scope))
            engine.emit("forgotten", scope=scope, entries=tally.rows["entries"])
    ledger.keep(engine.store, lines)
    return tally.receipt(unscrubbed=run(_finish(engine, tally, has_work=bool(tally.scopes))), elsewhere=())


def _scopes_of(engine: Engine, namespace: str, user_id: str, agent_id: str | None) -> list[Scope]:
    if agent_id is not None:
        return [Scope(namespace, user_id, agent_id)]
    found: list[Scope] = []
    after: tuple[str, str] | None = None
    with engine.store.read() as reader:
        while True:
            page = [head.scope for head in reader.scopes(namespace, user_id, after, PAGE)]
            found += [scope for scope in page if scope.user_id == user_id]
            if len(page) < PAGE or page[-1].user_id != user_id:
                return found
            after = (page[-1].user_id, page[-1].agent_id)


def _lives(engine: Engine, scopes: Sequence[Scope]) -> list[tuple[Scope, int]]:
    """Give the scopes that are there, each with where its log begins: who comes back meanwhile is not forgotten."""
    with engine.store.read() as reader:
        heads = [reader.head(scope) for scope in scopes]
        return [(head.scope, head.base_rev) for head in heads if head is not None]


def _take(engine: Engine, scope: Scope, base: int) -> Taken | None:
    """Take a scope out of reach, in one transaction with the line that says so; None where that is done already."""
    lines = list[ForgottenRow]()
    try:
        with engine.store.write(alone=True) as tx:
            head = tx.head(scope)
            if head is None or head.base_rev != base:
                return None
            if head.rev > head.base_rev:  # else nothing was ever said, and there is nothing to be kept away
                lines.append(_line(engine, tx, head))
                ledger.append(engine.store, tx, scope.namespace, lines)
            rows = tx.remove_scope(head)
    except OutcomeUnknownError:
        raise  # it may have been kept
    except Exception:  # what ends the process is ended at the next opening
        with suppress(StoreError):
            _read_one(engine, scope)  # whose key is destroyed already is ended at the next opening, too
            ledger.withdraw(engine.store, lines)
        raise
    with suppress(StoreError):  # it is done all the same, and the next opening says so
        ledger.confirm(engine.store, lines)
    _drop_caches(engine, scope)
    return Taken(head.id, head.seq - head.base_seq, rows)


def _less_void(engine: Engine, lines: Sequence[ForgottenRow]) -> list[ForgottenRow]:
    """Leave out, and withdraw, what was only begun, where others have gone on writing to the scope since.

    Whoever began it was killed before it told anybody; what was told to those others must not go.
    """
    begun = {line.place for line in ledger.begun(engine.store)}
    some = [line for line in lines if line.place in begun]
    with engine.store.read() as reader:
        found = ledger.scopes_of(reader, ledger.key_of(reader), [line.scope for line in some])
    void = [line for line in some if line.scope in found and _has_gone_on(engine, found[line.scope], line)]
    ledger.withdraw(engine.store, void)
    return [line for line in lines if line not in void]


def _has_gone_on(engine: Engine, scope: Scope, line: ForgottenRow) -> bool:
    """Tell whether something was said in the life a line speaks of, after the line. Not where its key is destroyed."""
    with suppress(StoreKeyError), engine.store.read() as reader:
        head = reader.head(scope)
        if head is not None and head.base_rev < line.rev < head.rev:
            list(reader.entries(head.id, head.base_rev, head.base_rev + 1))
            return True
    return False


def _read_one(engine: Engine, scope: Scope) -> None:
    """Read an entry of a scope, where it has any; raises StoreKeyError where nobody can any more."""
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is not None:
            list(reader.entries(head.id, head.base_rev, head.base_rev + 1))


def _take_as(engine: Engine, scope: Scope, line: ForgottenRow) -> Taken | None:
    """Take a scope out of reach as a line says; None where it is another life that the line does not speak of."""
    with engine.store.write(alone=True) as tx:
        head = tx.head(scope)
        if head is None or not ledger.is_of_former_life(tx, head, line):
            return None
        rev, seq = max(head.rev, line.rev), max(head.seq, line.seq)
        if (rev, seq) != (line.rev, line.seq):  # it went on for a moment, or is of a copy that did
            ledger.append(engine.store, tx, scope.namespace, [line._replace(rev=rev, seq=seq)])
        tx.keep_forgotten(scope.namespace, [line])
        rows = tx.remove_scope(head)
    _drop_caches(engine, scope)
    return Taken(head.id, head.seq - head.base_seq, rows)


def _line(engine: Engine, reader: Reader, head: Head) -> ForgottenRow:
    mark = scope_mark(ledger.key_of(reader), head.scope)
    last = engine.now() if head.registry_rev == FILLING else max(engine.now(), head.last_recorded)
    return ForgottenRow(ledger.SCOPE, mark, mark, head.rev, head.seq, last)


def _drop_caches(engine: Engine, scope: Scope) -> None:
    engine.states.drop(scope)
    engine.scopes.pop((scope.namespace, scope.user_id, scope.agent_id), None)


def _remove(engine: Engine, number: int, tally: Tally, scope: Scope | None) -> Flow[None]:
    """Remove the rows of a scope that is out of reach, in transactions that others wait for a moment only."""
    limit = FEWEST_ROWS
    while True:
        began = time.monotonic()
        gone: dict[str, int] = yield Work(partial(_remove_some, engine, number, limit))
        if not gone:
            return
        tally.rows.update(gone)
        engine.emit("forgetting", scope=scope, removed=sum(tally.rows.values()))
        limit = _next_limit(limit, time.monotonic() - began)
        yield Pause(_BREATH, time.sleep)


def _next_limit(limit: int, seconds: float) -> int:
    if seconds > LONGEST_STEP:
        return max(FEWEST_ROWS, limit // 2)
    return min(MOST_ROWS, limit * 2) if seconds < LONGEST_STEP / 2 else limit


def _remove_some(engine: Engine, number: int, limit: int) -> dict[str, int]:
    with engine.store.write(alone=True) as tx:
        return tx.remove_rows(number, limit)


def _finish(engine: Engine, tally: Tally, *, has_work: bool) -> Flow[str | None]:
    """Remove what others left behind, and overwrite what is left of all of it; tells why that could not be done."""
    left: list[int] = yield Work(lambda: _left(engine))
    for number in left:
        yield from _remove(engine, number, tally, None)
    if not (has_work or left or engine.store.is_scrub_due):
        return None
    unscrubbed: str | None = yield Work(engine.store.scrub)
    return unscrubbed


def _left(engine: Engine) -> list[int]:
    with engine.store.read() as reader:
        return reader.removals()

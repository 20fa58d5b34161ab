"""Deliberate bugs, put into the library inside a client of a test: each breaks a promise, and the checker must see it.

They work on what every store and engine has to keep to (the store's transactions, the verbs, the checks of a write),
so that they stay bugs whichever store is below.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import Any

from tensemem import Memory
from tensemem.errors import StoreBusyError
from tensemem.model.state import State
from tensemem.ports import PendingRow


def plant(names: Iterable[str], chance: random.Random) -> None:
    """Put some bugs in, by name."""
    for name in names:
        BUGS[name](chance)


# --- transactions ---------------------------------------------------------------------------------------------------


class Tampered:
    """A write transaction that somebody tampers with as it begins or ends."""

    def __init__(self, inner: AbstractContextManager[Any]) -> None:
        self._inner = inner

    def __enter__(self) -> Any:
        return self.began(self._inner.__enter__())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if error is None:
            self.end()
            return None
        return self._inner.__exit__(kind, error, trace)

    def began(self, tx: Any) -> Any:
        """Give the writer that is written with."""
        return tx

    def end(self) -> None:
        """End a transaction without an error."""
        self._inner.__exit__(None, None, None)

    def roll_back(self) -> None:
        """Keep nothing of it."""
        stop = RuntimeError("nothing of this is kept")
        self._inner.__exit__(RuntimeError, stop, None)


def _tamper(wrap: Callable[[AbstractContextManager[Any]], AbstractContextManager[Any]]) -> None:
    """Wrap every write transaction of memories that are opened from now on."""
    _with_store(lambda store: {"write": lambda **options: wrap(store.write(**options))})


def _with_store(change: Callable[[Any], dict[str, Callable[..., Any]]]) -> None:
    """Change some methods of the stores of memories that are opened from now on."""
    begin = Memory.__init__

    def opened(mem: Memory, *args: Any, **kwargs: Any) -> None:
        begin(mem, *args, **kwargs)
        engine: Any = mem._engine
        engine.store = _Store(engine.store, change(engine.store))

    _replace(Memory, "__init__", opened)


class _Store:
    """A store with some methods of another's; all else is its own."""

    def __init__(self, inner: Any, methods: dict[str, Callable[..., Any]]) -> None:
        self._inner = inner
        vars(self).update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def dropped_write(chance: random.Random) -> None:
    """Some transactions are rolled back, and acknowledged all the same."""

    class Dropped(Tampered):
        def end(self) -> None:
            if chance.randrange(10):
                super().end()
            else:
                self.roll_back()

    _tamper(Dropped)


def early_acknowledgement(chance: random.Random) -> None:
    """A write is acknowledged, and committed only before the next one: who is killed in between has lost it."""
    late: list[Tampered] = []
    is_over: list[bool] = []

    class Late(Tampered):
        def __enter__(self) -> Any:
            finish()
            return super().__enter__()

        def end(self) -> None:
            if is_over:
                super().end()
            else:
                late.append(self)

    def finish() -> None:
        while late:
            Tampered.end(late.pop())

    close = Memory.close

    def closed(mem: Memory, **options: Any) -> None:
        is_over.append(True)
        finish()
        close(mem, **options)

    _replace(Memory, "close", closed)
    _tamper(Late)


def kept_though_refused(chance: random.Random) -> None:
    """Some transactions are committed, and said to have failed."""

    class Kept(Tampered):
        def end(self) -> None:
            super().end()
            if not chance.randrange(10):
                raise StoreBusyError

    _tamper(Kept)


def forgotten_facts(chance: random.Random) -> None:
    """Some transactions append to the log and leave the facts as they were."""

    class Forgetful:
        def __init__(self, tx: Any) -> None:
            self._tx = tx

        def put_facts(self, scope_id: int, facts: Any) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            return getattr(self._tx, name)

    class Half(Tampered):
        def began(self, tx: Any) -> Any:
            return tx if chance.randrange(10) else Forgetful(tx)

    _tamper(Half)


def settled_twice(chance: random.Random) -> None:
    """Every worker gets every lease, and doesn't look whether a message still waits when its answer is there."""

    class Careless:
        def __init__(self, tx: Any) -> None:
            self._tx = tx

        def pending_row(self, scope_id: int, seq: int) -> PendingRow:
            return self._tx.pending_row(scope_id, seq) or PendingRow(scope_id, seq)

        def drop_pending(self, scope_id: int, seq: int) -> bool:
            return self._tx.drop_pending(scope_id, seq) or True

        def lease(self, owner: str, now: int, until: int, dead: Any, skip: Any, namespace: Any = None) -> Any:
            return self._tx.lease(owner, now, until, self._tx.owners(), skip, namespace)

        def holds(self, *_: object) -> bool:
            return True

        def __getattr__(self, name: str) -> Any:
            return getattr(self._tx, name)

    class Double(Tampered):
        def began(self, tx: Any) -> Any:
            return Careless(tx)

    _tamper(Double)


def stale_head(chance: random.Random) -> None:
    """Some writes count what waits from what they saw of the scope some time before."""
    kept: dict[Any, int] = {}

    class Forgetful:
        def __init__(self, tx: Any) -> None:
            self._tx = tx

        def head_and_registry(self, scope: Any) -> Any:
            head, rev = self._tx.head_and_registry(scope)
            if head is not None:
                if scope not in kept or not chance.randrange(4):
                    kept[scope] = head.pending
                head.pending = kept[scope]
            return head, rev

        def __getattr__(self, name: str) -> Any:
            return getattr(self._tx, name)

    class Stale(Tampered):
        def began(self, tx: Any) -> Any:
            return Forgetful(tx)

    _tamper(Stale)


# --- reads ----------------------------------------------------------------------------------------------------------


def _reread(read: Callable[[Callable[[], State], str, dict[str, Any]], State]) -> None:
    """Put something between the state and whoever asks for it."""
    whole = Memory.state

    def state(mem: Memory, user_id: str, **options: Any) -> State:
        return read(lambda: whole(mem, user_id, **options), user_id, options)

    _replace(Memory, "state", state)


def stale_cache(chance: random.Random) -> None:
    """Some reads are answered by what an earlier one has seen."""
    kept: dict[str, State] = {}

    def read(ask: Callable[[], State], user: str, options: dict[str, Any]) -> State:
        if options:
            return ask()
        if user not in kept or not chance.randrange(4):
            kept[user] = ask()
        return kept[user]

    _reread(read)


def stale_facts(chance: random.Random) -> None:
    """Some reads show the facts of an earlier one under the revision of today."""
    kept: dict[str, State] = {}

    def read(ask: Callable[[], State], user: str, options: dict[str, Any]) -> State:
        fresh = ask()
        if options:
            return fresh
        if user not in kept or not chance.randrange(4):
            kept[user] = fresh
        return _facts_of(kept[user], fresh)

    _reread(read)


def _facts_of(one: State, other: State) -> State:
    """Give the facts of one state with all else of another."""
    return State(
        other.user_id, lambda: one.shown, rev=other.rev, version=other.version, at=other.at,
        next_change_at=other.next_change_at, freshness=other.freshness, many=other.many,
    )  # fmt: skip


def two_snapshots(chance: random.Random) -> None:
    """The freshness is of another snapshot than the facts."""

    def read(ask: Callable[[], State], user: str, options: dict[str, Any]) -> State:
        facts, fresh = ask(), ask()
        return facts.seen(facts.at, fresh.freshness)

    _reread(read)


def torn_reads(chance: random.Random) -> None:
    """Every question of a read is answered from a snapshot of its own."""

    class Torn:
        def __init__(self, store: Any) -> None:
            self._store = store

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            def ask(*args: Any, **options: Any) -> Any:
                with self._store.read() as reader:
                    answer = getattr(reader, name)(*args, **options)
                    return list(answer) if isinstance(answer, Iterator) else answer

            return ask

    _with_store(lambda store: {"read": lambda: Torn(store)})


def always_current(chance: random.Random) -> None:
    """Every read says that it is current."""

    def read(ask: Callable[[], State], user: str, options: dict[str, Any]) -> State:
        found = ask()
        return found.seen(found.at, replace(found.freshness, is_current=True))

    _reread(read)


def reach_goes_back(chance: random.Random) -> None:
    """as_of_seq is sometimes smaller than it was."""

    def read(ask: Callable[[], State], user: str, options: dict[str, Any]) -> State:
        found = ask()
        back = max(found.freshness.as_of_seq - chance.randrange(3), 0)
        return found.seen(found.at, replace(found.freshness, as_of_seq=back))

    _reread(read)


# --- the checks of a write ------------------------------------------------------------------------------------------


def lost_update(chance: random.Random) -> None:
    """A write on condition that its slot has not changed doesn't look whether it has."""
    from tensemem.engine import amend, write

    for module in (write, amend):
        _replace(module, "check_expected", lambda *_: None)


def forgotten_keys(chance: random.Random) -> None:
    """Nobody looks whether an idempotency key is known."""
    from tensemem.engine import record, write

    for module in (write, record):
        _replace(module, "known_seq", lambda *_: None)


def clock_goes_back(chance: random.Random) -> None:
    """What is said now gets the time of the clock, though the clock may have stepped back."""
    from tensemem.engine.core import Engine

    def said_at(engine: Engine, given: object, head: Any, now: int) -> tuple[int, bool]:
        return (now, False) if given is None else (engine.given_time(given, now), True)

    _replace(Engine, "said_at", said_at)


def _replace(holder: Any, name: str, instead: Any) -> None:
    getattr(holder, name)  # what is gone can't be broken
    setattr(holder, name, instead)


BUGS: dict[str, Callable[[random.Random], None]] = {
    bug.__name__: bug
    for bug in (
        dropped_write, early_acknowledgement, kept_though_refused, forgotten_facts, settled_twice, stale_head,
        stale_cache, stale_facts, two_snapshots, torn_reads, always_current, reach_goes_back, lost_update,
        forgotten_keys, clock_goes_back,
    )
}  # fmt: skip

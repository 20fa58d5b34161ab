"""Importing: a copy from lines.

A section is put together in a scratch store first: the log checked entry by entry, the facts folded from it anew, and
their digest compared with what the section says. Only what is whole and right is copied to the memory, by the same
steps as between two stores: compared with what is there, in transactions of bounded size, to be taken up where it was
broken off.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from ..errors import (
    ConflictError,
    DamagedExportError,
    InvalidScopeError,
    InvalidValueError,
    ReadOnlyError,
    StoreError,
    TensememError,
)
from ..model.entry import Entry, EntryKind
from ..model.jsontext import encode
from ..model.results import ImportReport
from ..model.scope import Scope, registry_scope
from ..ports import Head, PendingRow, Store, UsageRow, Writer
from . import wiring
from .copying import Outcome, Tally, copy_policy, copy_registry, copy_scope, take_over_marks
from .core import Engine, registry_at
from .exporting import Part
from .exportlines import ENTRY, KEY, PENDING, POLICY, REGISTRY, USAGE
from .exportreading import BadLineError, ExportReader, Line, Section, VoidError
from .flow import Flow, Work
from .inlets import inlet
from .kept import KeptStates
from .logchecks import LogCheck, unsettled_in
from .rebuild import digest_of, project
from .retention import keep_policy
from .rules import RULES, forgotten_in
from .verifying import EPISODES_AT_ONCE, kept_slots, stated_in

ROWS_AT_ONCE = 500
SCRATCH_ENTRIES = 20_000
"""Entries after which the scratch store is thrown away, and a new one begun."""

_CORRUPT_AS: tuple[type[Exception], ...] = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError, TensememError,
)  # fmt: skip
"""What code raises that is given bodies of a form it does not know."""


@dataclass(slots=True)
class Import:
    """What was asked for, and what was done of it."""

    part: Part
    tally: Tally = field(default_factory=Tally)
    faults: list[TensememError] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    last: tuple[bytes, ...] = ()
    namespaces: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    left_out: int = 0

    def blame(self, line: BadLineError, name: str, what: str = "") -> None:
        """Note a section, or what stands between two, that can't be taken."""
        self.faults.append(DamagedExportError(f"{name}, {line}" + (f"; {what} was left out" if what else "")))

    def is_wanted(self, scope: Scope) -> bool:
        """Tell whether a log is to be taken, and count those that are not."""
        if scope.namespace in self.refused:
            return False
        if self.part.namespace not in (None, scope.namespace):
            self.elsewhere.add(scope.namespace)
        elif not scope.user_id or self.part.has(scope):
            self.namespaces.add(scope.namespace)
            return True
        self.left_out += bool(scope.user_id)
        return False


def import_lines(engine: Engine, source: Any, part: Part, key: bytes | None) -> Flow[ImportReport]:
    """Read an export into this memory; gives what was done.

    Raises, when all that is right was imported, DamagedExportError for what is not as it was written, and ConflictError
    for logs that are other ones here.
    """
    engine.check_open()
    if engine.store.read_only:
        raise ReadOnlyError
    began = time.monotonic()
    doing = Import(part)
    with inlet(source) as lines, ExitStack() as stack:
        reader = ExportReader(lines.stream, lines.name, key)
        header: Mapping[str, Any] = yield Work(reader.header)
        bench = stack.enter_context(Bench(engine))
        yield Work(partial(_take_fence, bench, engine, header.get("fence")))
        while True:
            section: Section | None = yield Work(partial(_next_section, reader, doing, lines.name))
            if section is None:
                break
            yield from _section(engine, bench, reader, section, doing, lines.name)
    engine.fence_tag = yield Work(lambda: wiring.fence_tag_of(engine.store))
    engine.wake()
    _raise_faults(doing, lines.name)
    copied, unchanged, ahead = (
        doing.tally.outcomes[outcome] for outcome in (Outcome.COPIED, Outcome.UNCHANGED, Outcome.AHEAD)
    )
    return ImportReport(
        source=lines.name, destination=engine.store.location, namespaces=len(doing.namespaces),
        scopes=copied + unchanged + ahead, imported=copied, unchanged=unchanged, ahead=ahead,
        entries=doing.tally.entries, left_out=doing.left_out, forgotten=doing.tally.outcomes[Outcome.FORGOTTEN],
        seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _next_section(reader: ExportReader, doing: Import, name: str) -> Section | None:
    while True:
        try:
            return reader.next_section()
        except BadLineError as error:
            doing.blame(error, name)
            if not reader.skip():
                return None


def _raise_faults(doing: Import, name: str) -> None:
    if doing.faults:
        first, more = doing.faults[0], len(doing.faults) - 1
        rest = f" (and {more} more like this)" if more else ""
        raise type(first)(f"{first}; all others were imported{rest}")
    if doing.elsewhere and not doing.namespaces:
        names = ", ".join(sorted(map(repr, doing.elsewhere)))
        raise InvalidValueError(
            f"{name} holds the namespace {names}, and this memory is one of {doing.part.namespace!r}: open it with "
            "that namespace, or pass every_namespace=True; nothing was imported"
        )


def _section(
    engine: Engine, bench: Bench, reader: ExportReader, section: Section, doing: Import, name: str
) -> Flow[None]:
    """Take one section, or note why not and pass over it."""
    try:
        put: Scope | None = yield Work(partial(bench.put, section, doing))
    except VoidError:
        return
    except BadLineError as error:
        doing.blame(error, name, _what(section))
        reader.skip()
        return
    if put is None:
        return
    try:
        if section.first.kind == REGISTRY:
            doing.tally.registry_rev = yield Work(partial(copy_registry, bench.store, engine.store, put))
            yield Work(partial(copy_policy, bench.store, engine.store, put.namespace))
        else:
            done: tuple[Outcome, int] | None = yield Work(
                partial(copy_scope, bench.engine, engine.store, put, doing.tally)
            )
            if done is not None:
                doing.tally.add(put, *done)
                engine.emit("imported", scope=put, outcome=done[0].value, entries=done[1])
    except ConflictError as error:  # it is left out, and told when the others are there
        doing.faults.append(error)
        if section.first.kind == REGISTRY:
            doing.refused.add(put.namespace)
    yield Work(bench.tidy)


def _what(section: Section) -> str:
    fields = section.first.fields
    if section.first.kind == REGISTRY:
        return f"the registry of {str(fields.get('namespace'))[:60]!r}"
    return f"the memory of {str(fields.get('user_id'))[:60]!r}"


def _take_fence(bench: Bench, engine: Engine, fence: str | None) -> None:
    if fence is not None:
        with bench.store.write() as tx:
            tx.set_meta("fence", fence)
        take_over_marks(bench.store, engine.store, ["fence"])


class Bench:
    """A scratch store in which one log after the other is put together, before anybody else sees it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._spent = 0
        self._registry: Scope | None = None
        self.store: Store
        self.engine: Engine

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.store.close()

    def put(self, section: Section, doing: Import) -> Scope | None:
        """Put a log together; gives whose it is, None where it is not wanted.

        Raises BadLineError for what is not right, and VoidError; then nothing of it is here.
        """
        scope = self._scope_in(section.first)
        place = tuple(name.encode() for name in (scope.namespace, scope.user_id, scope.agent_id))
        width = 3 if scope.user_id else 1  # a registry may go on behind some of its users
        if place[:width] < doing.last[:width] or place == doing.last:
            raise section.first.fault("it stands in the file twice, or not in its order")
        is_wanted = doing.is_wanted(scope)
        if is_wanted:
            with self.store.write(alone=True) as tx:
                put = self._put_scope if scope.user_id else self._put_registry
                put(tx, section, scope)
        else:
            for _ in section.rows():
                pass
        if scope.user_id:
            doing.last = place
        return scope if is_wanted else None

    def tidy(self) -> None:
        """Begin anew where much was put together, with the registry of the namespace that is being read."""
        if self._spent < SCRATCH_ENTRIES:
            return
        old, self._spent = self.store, 0
        try:
            self._begin()
            if self._registry is not None:
                copy_registry(old, self.store, self._registry)
        finally:
            old.close()

    def _begin(self) -> None:
        from ..store.sqlite.scratch import ScratchStore

        self.store = ScratchStore()
        def tell(event: str, fields: Mapping[str, Any]) -> None:
            if event == "copying":  # which is told by the memory that imports, in its own words
                self._engine.emit("importing", scope=fields["scope"], rev=fields["rev"], of=fields["of"])

        self.engine = replace(
            self._engine, store=self.store, hooks=[tell], registries={}, states=KeptStates(), scopes={}
        )

    def _scope_in(self, first: Line) -> Scope:
        """Give whose log a section is; raises BadLineError for names that can't be."""
        try:
            if first.kind == REGISTRY:
                return registry_scope(self._engine.scope("any", "", first.text("namespace")).namespace)
            return self._engine.scope(first.text("user_id"), first.text("agent_id"), first.text("namespace"))
        except InvalidScopeError as error:
            raise first.fault(str(error)) from None

    def _put_registry(self, tx: Writer, section: Section, scope: Scope) -> None:
        head, first = tx.open_scope(scope), section.first
        if first.integer("after_rev") != head.rev:
            raise first.fault(f"the file holds this registry up to revision {head.rev}, and this does not go on there")
        check = LogCheck(is_registry=True, after_rev=head.rev, after_seq=head.seq)
        check.last_said, check.last_recorded = head.last_said, head.last_recorded
        rows = Rows(tx, head, check)
        has_policy = False
        for line in section.rows():
            if line.kind == POLICY:
                _keep_policy(tx, scope.namespace, line)
                has_policy = True
            else:
                rows.take_entry(line)
        rows.flush()
        self._spent += rows.entries
        _compare(section, rows, may_be_empty=has_policy)
        rows.move_head()
        tx.save_head(head)
        with _blaming(first, "this registry can't be read"):
            registry_at(tx, scope.namespace, head.rev)
        self._registry = scope

    def _put_scope(self, tx: Writer, section: Section, scope: Scope) -> None:
        head, first = tx.open_scope(scope), section.first
        head.base_rev, head.base_seq = first.integer("base_rev"), first.integer("base_seq")
        rows = Rows(tx, head, LogCheck(is_registry=False, after_rev=head.base_rev, after_seq=head.base_seq))
        for line in section.rows():
            rows.take(line)
        rows.flush()
        self._spent += rows.entries + 1
        _compare(section, rows)
        rows.move_head()
        self._check_queue(tx, head, first, rows)
        rev, known = first.integer("registry_rev"), tx.registry_rev(scope.namespace)
        if rev > known:
            raise first.fault(f"it needs revision {rev} of the registry, and the file holds {known}")
        digest = self._folded(tx, head, first, rev)
        if digest != section.end.fields.get("digest"):
            raise section.end.fault(f"the log folds to the digest {digest}, and the file says it is another")

    def _check_queue(self, tx: Writer, head: Head, first: Line, rows: Rows) -> None:
        """See that the messages that wait are those of which nothing was made."""
        unsettled = 0
        with _blaming(first, "the log is in no order"):
            for begin in range(head.base_seq + 1, head.seq + 1, EPISODES_AT_ONCE):
                entries = tx.entries_of(head.id, begin, min(begin + EPISODES_AT_ONCE - 1, head.seq))
                unsettled += len(unsettled_in(entries))
        if unsettled != rows.pending:
            raise first.fault(f"of {unsettled} messages nothing was made yet, and {rows.pending} are said to wait")

    def _folded(self, tx: Writer, head: Head, first: Line, registry_rev: int) -> str:
        """Fold the log by the registry it was folded by; gives the digest."""
        registry = registry_at(tx, head.scope.namespace, registry_rev)
        try:
            with _blaming(first, "its log can't be folded"):
                project(tx, head, registry)
                return digest_of(head.scope, kept_slots(tx, head, claims=False))
        except BadLineError:
            for seq in range(head.base_seq + 1, head.seq + 1):  # which of them?
                entries = tx.entries_of(head.id, seq, seq)
                with _blaming(Line(first.number + entries[-1].rev - head.base_rev, {}), "this can't be folded"):
                    stated_in(entries, registry, forgotten_in(tx, head))
            raise


class Rows:
    """Puts the lines of a section into a store, some hundreds of entries at once."""

    def __init__(self, tx: Writer, head: Head, check: LogCheck) -> None:
        self._tx, self._head, self.check = tx, head, check
        self._waiting: list[Entry] = []
        self._last_pending = 0
        self._kinds: tuple[str, ...] = (ENTRY, KEY, PENDING, USAGE)
        self.entries = self.pending = 0

    def take(self, line: Line) -> None:
        """Put a line where it belongs; raises BadLineError."""
        if line.kind not in self._kinds:
            raise line.fault(f"a line {line.kind!r} can't stand here")
        self._kinds = self._kinds[self._kinds.index(line.kind) :]
        if line.kind == ENTRY:
            self.take_entry(line)
            return
        self.flush()
        if line.kind == KEY:
            key = line.text("key")
            seq = line.integer("seq", 0 if key == RULES else 1, self.check.seq)
            self._tx.remember_key(self._head.id, key, seq, line.text("digest"))
        elif line.kind == PENDING:
            self._take_pending(line)
        else:
            counts = (line.integer(name) for name in ("calls", "input_tokens", "output_tokens", "milliseconds"))
            self._tx.add_usage(self._head.id, UsageRow(line.text("extractor"), line.text("model"), *counts))

    def take_entry(self, line: Line) -> None:
        """Append an entry; raises BadLineError."""
        if line.kind != ENTRY:
            raise line.fault(f"a line {line.kind!r} can't stand here")
        self._waiting.append(self.check.entry(line))
        self.entries += 1
        if len(self._waiting) >= ROWS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Have all entries in the store."""
        if self._waiting:
            self._tx.append_many(self._head.id, self._waiting)
            self._waiting = []

    def move_head(self) -> None:
        """Have the head say what the log says."""
        head, check = self._head, self.check
        head.rev, head.seq = check.rev, check.seq
        head.last_said, head.last_recorded = check.last_said, check.last_recorded

    def _take_pending(self, line: Line) -> None:
        id, seq = self._head.id, line.integer("seq", self._last_pending + 1)
        message, state = self._tx.episode(id, seq), line.text("state")
        if message is None or message.kind is not EntryKind.MESSAGE or self._tx.settlements(id, seq):
            raise line.fault(f"seq {seq} is no message that could wait")
        if state not in ("waiting", "failed"):
            raise line.fault(f"{state[:40]!r} is no state of a message that waits")
        row = PendingRow(id, seq, state, line.integer("attempts"), line.integer("not_before"), line.text("error"))
        self._tx.add_pending(id, seq)
        self._tx.save_pending(row)
        self._last_pending = seq
        self.pending += 1
        self._head.pending += state == "waiting"
        self._head.failed += state == "failed"


def _keep_policy(tx: Writer, namespace: str, line: Line) -> None:
    try:
        keep_policy(tx, namespace, encode(line.fields.get("policy")))
    except _CORRUPT_AS as error:
        raise line.fault(f"it is no policy: {error}") from error


def _compare(section: Section, rows: Rows, *, may_be_empty: bool = False) -> None:
    """Compare what a section says of itself with what stood in it; raises BadLineError."""
    check, first = rows.check, section.first
    found = {"rev": check.rev}
    if first.kind != REGISTRY:
        found |= {"seq": check.seq, "last_said": check.last_said, "last_recorded": check.last_recorded}
    for name, value in found.items():
        if first.integer(name, -(2**62)) != value:
            raise first.fault(f"{name} is {first.fields[name]} here, and {value} by what follows")
    if not (rows.entries or may_be_empty) or section.end.integer("entries") != rows.entries:
        raise section.end.fault(f"{rows.entries} entries stand here, and the line says otherwise")


@contextmanager
def _blaming(line: Line, what: str) -> Iterator[None]:
    """Name the line to whoever is to know that what stands there can't be read."""
    try:
        yield
    except (BadLineError, StoreError):
        raise
    except _CORRUPT_AS as error:
        raise line.fault(f"{what}: {error}") from error

"""The ledger of what was forgotten: keyed hashes in the database, and in a file beside it.

It makes an erased person stay erased where an older backup is restored or an older export comes in. What is forgotten
is written down first; whoever opens the database after a crash does what its lines say and was not done yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.marks import fingerprint, scope_mark
from ..errors import StoreCorruptError
from ..model.scope import Scope
from ..ports import ForgottenRow, Head, Reader, Store, Writer
from . import ledgerfile

SCOPE = "scope"
"""The kind of line that says that all of a scope went."""

SEEN = "ledger"
"""The name, in the table meta, of the stamp that the file had when it was last found to say what the table says."""

PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Life:
    """Where a scope that begins anew counts on from, and the moment after which it does."""

    rev: int = 0
    seq: int = 0
    after: int | None = None


def key_of(reader: Reader) -> bytes:
    """Give the key of this database's marks; raises StoreCorruptError where it is missing."""
    known = reader.meta("forget_key")
    if not known:
        raise StoreCorruptError("the database has lost the key of its marks (forget_key in its table meta)")
    return bytes.fromhex(known)


def append(store: Store, tx: Writer, namespace: str, lines: Sequence[ForgottenRow]) -> None:
    """Write lines down: in the file at once, and on the disk when this returns; in the table as part of ``tx``.

    So whoever is cut off before ``tx`` ends has the rest done at the next opening.
    """
    if store.ledger is not None:
        ledgerfile.append_to(store.ledger, fingerprint(key_of(tx)), lines)
    tx.keep_forgotten(namespace, lines)


def withdraw(store: Store, lines: Sequence[ForgottenRow]) -> None:
    """Take lines back from the file whose transaction was not kept, and was answered by an error.

    Else the next opening would do what they say to all that was said since.
    """
    if store.ledger is not None and lines:
        with store.read() as reader:
            key = key_of(reader)
        ledgerfile.append_to(store.ledger, fingerprint(key), lines, withdrawn=True)


def confirm(store: Store, lines: Sequence[ForgottenRow]) -> None:
    """Say in the file that the table keeps lines, now that their transaction has ended."""
    if store.ledger is not None and lines:
        with store.read() as reader:
            key = key_of(reader)
        ledgerfile.append_to(store.ledger, fingerprint(key), lines, kept=True)


def begun(store: Store) -> list[ForgottenRow]:
    """Give the lines in the file that say that all of a scope goes, where nothing says that it came to that."""
    if store.ledger is None:
        return []
    with store.read() as reader:
        key = key_of(reader)
    return [line for line in ledgerfile.begun_in(store.ledger, fingerprint(key)) if line.kind == SCOPE]


def keep(store: Store, lines: Sequence[ForgottenRow]) -> None:
    """Keep lines that came from elsewhere, in the table and in the file."""
    if not lines:
        return
    with store.write() as tx:
        append(store, tx, "", _less(lines, _in_table(tx)))


def copy_to_file(store: Store, lines: Sequence[ForgottenRow]) -> None:
    """Write lines that the table has to the file, which was lost, or is not the one that belongs to it."""
    if store.ledger is not None:
        with store.read() as reader:
            key = key_of(reader)
        ledgerfile.append_to(store.ledger, fingerprint(key), lines)


def lines_of(store: Store) -> list[ForgottenRow]:
    """Give every line, of the table and of the file, oldest first; each once."""
    with store.read() as reader:
        kept = list(_in_table(reader))
        key = key_of(reader)
    return sorted([*kept, *_less(_in_file(store, key), kept)], key=lambda line: line.at)


def stamp_of(store: Store) -> str:
    """Give what tells that the file is still the one it was; empty where there is none."""
    return "" if store.ledger is None else ledgerfile.stamp_of(store.ledger)


def is_as_seen(store: Store, stamp: str) -> bool:
    """Tell whether the file has not changed since it said what the table says, so that they need not be compared.

    The table never gets a line that was not written to the file before.
    """
    with store.read() as reader:
        seen = reader.meta(SEEN)
        return stamp == seen if seen or stamp else not reader.forgotten(None, 1)


def note_seen(store: Store, stamp: str) -> None:
    """Keep the stamp that the file had before it was compared."""
    with store.write() as tx:
        tx.set_meta(SEEN, stamp)


def missing(store: Store) -> tuple[list[ForgottenRow], list[ForgottenRow]]:
    """Give the lines that only the file has, and those that only the table has."""
    if store.ledger is None:
        return [], []
    with store.read() as reader:
        kept = list(_in_table(reader))
        key = key_of(reader)
    written = _in_file(store, key)
    return _less(written, kept), _less(kept, written)


def former_life(reader: Reader, scope: Scope) -> Life:
    """Give where a scope that is not there counts on from."""
    key = reader.meta("forget_key")
    found = reader.forgotten_of(scope_mark(bytes.fromhex(key), scope)) if key else []  # no key, no marks
    lines = [line for line in found if line.kind == SCOPE]
    if not lines:
        return Life()
    return Life(
        max(line.rev for line in lines), max(line.seq for line in lines), max(line.at for line in lines)
    )


def begin_anew(reader: Reader, head: Head) -> None:
    """Have the head of a new scope count on from where a former life of it ended."""
    life = former_life(reader, head.scope)
    if life.after is not None:
        head.rev = head.base_rev = life.rev
        head.seq = head.base_seq = life.seq
        head.last_recorded = life.after + 1  # later than the line: so the two lives are told apart by time as well


def hides(reader: Reader, scope: Scope, recorded_at: int) -> bool:
    """Tell whether a log of this scope that begins at a moment is of a life that was forgotten."""
    after = former_life(reader, scope).after
    return after is not None and recorded_at <= after


def is_of_former_life(reader: Reader, head: Head, line: ForgottenRow) -> bool:
    """Tell whether a scope is still there as it was when a line said that all of it went."""
    if head.base_rev >= line.rev:
        return False
    if head.rev == head.base_rev:
        return True
    return reader.rev_at(head.id, line.at) > head.base_rev  # asks for no words, which may be sealed for ever


def with_key(key: bytes, scope: Scope, line: ForgottenRow) -> ForgottenRow:
    """Give a line that says that all of a scope went as another key has it."""
    mark = scope_mark(key, scope)
    return line._replace(scope=mark, mark=mark)


def scopes_of(reader: Reader, key: bytes, marks: Iterable[str]) -> dict[str, Scope]:
    """Give the scopes of this store that have one of these marks under a key; it goes through all names."""
    wanted, found = set(marks), {}
    for namespace in reader.namespaces() if wanted else ():
        after: tuple[str, str] | None = None
        while heads := reader.scopes(namespace, "", after, PAGE):
            for head in heads:
                mark = scope_mark(key, head.scope)
                if mark in wanted:
                    found[mark] = head.scope
            after = (heads[-1].scope.user_id, heads[-1].scope.agent_id)
    return found


def _in_table(reader: Reader) -> Iterable[ForgottenRow]:
    after: ForgottenRow | None = None
    while rows := reader.forgotten(after, PAGE):
        yield from rows
        after = rows[-1]


def _in_file(store: Store, key: bytes) -> list[ForgottenRow]:
    return [] if store.ledger is None else ledgerfile.lines_in(store.ledger, fingerprint(key))


def _less(rows: Iterable[ForgottenRow], known: Iterable[ForgottenRow]) -> list[ForgottenRow]:
    """Give the rows that are not among the known ones, each once."""
    seen = {row.place for row in known}
    return list({row.place: row for row in rows if row.place not in seen}.values())

"""Backups: a memory in one compact file that was looked through, and putting one in the place of a memory.

A file is copied by SQLite as of one moment, while others write; what lies elsewhere is copied memory by memory. Neither
a backup nor what is restored counts before it is whole, was looked through, and has reached the disk.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.marks import fingerprint
from ..errors import InvalidValueError, StoreError, StoreKeyError
from ..model.results import BackupReport, RestoreReport
from ..ports import Store
from . import copying, forgetting, ledger, ledgerfile, rebuild, upkeep, wiring
from .core import Engine
from .flow import Flow, Work, run
from .kept import KeptStates
from .outlets import partial_name, publish, refuse_taken

if TYPE_CHECKING:
    from ..store.sqlite import SqliteStore

Hook = Callable[[str, Mapping[str, Any]], None]

LEDGER = "-forgotten"
"""How the name of the ledger beside a file ends."""
_SIDE = ("-wal", "-shm", "-journal")
"""What SQLite puts beside a file while it is open, or leaves there when a process dies."""


Shred = bool | str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Opening:
    """How a copy of a backup is opened: its key, who is told of the progress, and where the keys of its persons are."""

    key: str | bytes | None
    on: Hook | None
    shred: Shred = False


@dataclass(frozen=True, slots=True)
class Content:
    """What a store was found to hold, and whose facts are not what their log folds to."""

    scopes: int
    entries: int
    different: tuple[str, ...]


def backup(
    engine: Engine, dest: str | os.PathLike[str], *, key: str | bytes | None, overwrite: bool, verify: bool
) -> Flow[BackupReport]:
    """Write a memory to a file of its own; gives what it holds.

    Raises StoreError where the file exists and must not, or can't be written; then it is as it was.
    """
    engine.check_open()
    engine.check_whole("backup")
    began = time.monotonic()
    path = _file(dest, "a backup")
    refuse_taken(path, overwrite=overwrite, beside=engine.store.location)
    _refuse_in_use(path)
    part = partial_name(path)
    try:
        is_encrypted: bool = yield from _write(engine, part, key)
        content: Content = yield Work(partial(_of_copy, engine, part, key, verify))
        with _told(path):
            size = os.path.getsize(part)
            publish(part, path, overwrite=overwrite)
    finally:
        _remove(part)
    return BackupReport(
        source=engine.store.location, destination=path, scopes=content.scopes, entries=content.entries, size=size,
        encrypted=is_encrypted, different=content.different, seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _write(engine: Engine, part: str, key: str | bytes | None) -> Flow[bool]:
    """Write the copy; tells whether it is encrypted."""
    from ..store.sqlite import SqliteStore

    store, own = _below(engine.store), _key_of(engine.store)
    if key is not None and (own is not None or isinstance(store, SqliteStore)):
        raise InvalidValueError("a memory that has a key, or is a file, and its backup have the same; leave key out")
    if isinstance(store, SqliteStore):
        copied: bool = yield Work(lambda: store.copy_into(part).key is not None)
        return copied
    filled = part + "-filling"
    try:
        dest: SqliteStore = yield Work(lambda: SqliteStore(filled, durability="process", key=own or key))
        try:
            yield from copying.copy_all(engine, (yield Work(lambda: _sealed_like(engine.store, dest, is_new=True))))
            yield Work(lambda: dest.copy_into(part))
        finally:
            yield Work(dest.close)
    finally:
        _remove(filled)
    return (own or key) is not None


def _of_copy(engine: Engine, part: str, key: str | bytes | None, verify: bool) -> Content:
    """Look through a copy that nobody else has."""
    from ..store.sqlite import SqliteStore

    given = _key_of(engine.store) or key
    with closing(SqliteStore(part, read_only=True, key=given)) as copy:
        return _looked_through(engine, _sealed_like(engine.store, copy), fold=verify, write=False)


def _below(store: Store) -> Store:
    """Give the store that keeps the rows, where another one seals them."""
    inner: Store = getattr(store, "inner", store)
    return inner


def _key_of(store: Store) -> Any:
    """Give the key of an open store: of its file, or the one that its persons' keys are wrapped with."""
    ring = getattr(store, "ring", None)
    return getattr(store, "key", None) if ring is None else ring.key


def _sealed_like(store: Store, copy: Store, *, is_new: bool = False) -> Store:
    """Give a copy as it is read and written with the keys of a store that is sealed; of any other as it is."""
    ring = getattr(store, "ring", None)
    if ring is None:
        return copy
    from ..store.sealed_mark import MARK
    from ..store.sealing.store import SealedStore

    if is_new:
        with _below(store).read() as reader, copy.write() as tx:
            tx.set_meta(MARK, reader.meta(MARK) or "")
    return SealedStore(copy, ring, makes_keys=False)


def _looked_through(engine: Engine, store: Store, *, fold: bool, write: bool) -> Content:
    """Count what a store holds, and fold every log again, if told so; ``write`` puts right what differs."""
    with store.read() as reader:
        names = reader.namespaces()
        counts = [reader.counts(name) for name in names]
    different: list[str] = []
    for name in names if fold else ():
        part = replace(
            engine, store=store, namespace=name, is_pinned=False, registries={}, states=KeptStates(), scopes={},
            closed=False,
        )
        with suppress(StoreKeyError):  # of one whose key was destroyed: nobody can read it, and all others were read
            different += rebuild.rebuild(part, upkeep.all_scopes(part), write=write).different
    return Content(sum(one["scopes"] for one in counts), sum(one["entries"] for one in counts), tuple(different))


def restore(
    backup: str | os.PathLike[str], dest: str | os.PathLike[str], *, key: str | bytes | None, shred: Shred, force: bool,
    on: Hook | None,
) -> RestoreReport:  # fmt: skip
    """Put a backup in the place of a memory, or where none is; gives what it holds.

    Raises StoreError for what is no backup, and where the memory is there and ``force`` is not given; StoreBusyError
    where somebody has it open. Then what was there is as it was.
    """
    source = _file(backup, "a backup")
    text = wiring.resolve_path(dest)
    if wiring.is_postgres(text):
        if shred is not False:
            raise InvalidValueError("a backup that is sealed is restored to a file; copy it to a server from there")
        return _restore_to_server(source, text, Opening(key, on), force)
    path = os.path.realpath(_file(text, "what is restored"))
    return _restore_to_file(source, path, Opening(key, on, f"{path}-keys" if shred is True else shred), force)


def _restore_to_file(source: str, path: str, how: Opening, force: bool) -> RestoreReport:
    from ..store import forks
    from ..store.sqlite import replacing

    began = time.monotonic()
    if os.path.isdir(path):
        raise StoreError(f"{path} is a folder; name a file in it")
    with suppress(OSError):
        if os.path.samefile(source, path):
            raise StoreError(f"{path} is the backup itself; name another file")
    if os.path.exists(path) and os.path.getsize(path) and not force:
        raise StoreError(f"there is a memory at {path}; name another file, or pass force=True to replace it")
    replacing.refuse_open(path)
    replacing.remove_copy(path)
    try:
        with _told(path):
            version, content, gone = _staged(source, path + replacing.COPY, how, path)
        with forks.opening(), _told(path):  # nobody in this process opens it meanwhile
            replacing.put_over(path)
    finally:
        replacing.remove_copy(path)
    return _report(source, path, version, content, gone, began)


def _restore_to_server(source: str, url: str, how: Opening, force: bool) -> RestoreReport:
    began = time.monotonic()
    with closing(wiring.open_store(url, "power", False)) as store:
        with store.read() as reader:
            is_empty = not reader.namespaces()
        if not is_empty and not force:
            raise StoreError(f"{store.location} holds memories; name an empty schema, or pass force=True to add to it")
        with tempfile.TemporaryDirectory(prefix="tensemem-restore-") as folder:
            staged = os.path.join(folder, "memory.db")
            version, content, gone = _staged(source, staged, how)
            with _opened(staged, how) as engine:
                done = run(copying.copy_all(engine, store))
        report = _report(source, store.location, version, content, gone + done.forgotten, began)
    return replace(report, scopes=done.copied, entries=done.entries, unchanged=done.unchanged, ahead=done.ahead)


def _report(source: str, where: str, version: int, content: Content, gone: int, began: float) -> RestoreReport:
    return RestoreReport(
        backup=source, destination=where, scopes=content.scopes, entries=content.entries, schema_version=version,
        rebuilt=content.different, forgotten=gone, seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _staged(source: str, staged: str, how: Opening, *places: str) -> tuple[int, Content, int]:
    """Copy a backup, bring it up to this version's tables, forget who was forgotten since, and look through it.

    The ledgers are those that lie beside the backup and beside ``places``. Gives the version it had, what it holds, and
    how many scopes were forgotten.
    """
    from ..store.sqlite.copies import copy_of

    version = copy_of(source, staged, how.key)
    with _opened(staged, how) as engine:
        gone = _forget_again(engine, (source, *places))
        content = _looked_through(engine, engine.store, fold=True, write=True)
    with suppress(FileNotFoundError):
        os.unlink(staged + LEDGER)  # what it says stands in the table too, and beside the memory
    for end in _SIDE:
        if os.path.exists(staged + end):
            raise StoreError(f"{staged} was not closed as it should; nothing was replaced")
    return version, content, gone


def _forget_again(engine: Engine, places: Sequence[str]) -> int:
    """Forget what the ledgers beside some files say that was forgotten; gives how many scopes went."""
    with engine.store.read() as reader:
        own = fingerprint(ledger.key_of(reader))
    lines = [line for place in places for line in ledgerfile.lines_in(place + LEDGER, own)]
    return forgetting.apply(engine, lines).scopes if lines else 0


@contextmanager
def _opened(path: str, how: Opening) -> Iterator[Engine]:
    """Open a copy that nobody else has."""
    engine = wiring.open_engine(
        path, llm=False, namespace=None, clock=None, tz="UTC", durability="power", read_only=False, redact=False,
        count_tokens=None, max_content=1, subjects="open", key=how.key, shred=how.shred, backup_before_upgrade=False,
    )  # fmt: skip
    if how.on is not None:
        engine.hooks.append(how.on)
    try:
        yield engine
    finally:
        wiring.close_engine(engine, None, 0)


def _file(given: object, what: str) -> str:
    """Give the absolute path of a file; raises InvalidValueError for what is none."""
    if not isinstance(given, (str, os.PathLike)):
        raise InvalidValueError(f"{what} is a file; give its path")
    text = os.fspath(given)
    if not isinstance(text, str) or not text.strip() or "\0" in text or text == ":memory:" or "://" in text:
        raise InvalidValueError(f"{what} is a file; give its path")
    return str(Path(text).expanduser().absolute())


def _refuse_in_use(path: str) -> None:
    for end in _SIDE:
        if os.path.exists(path + end):
            raise StoreError(f"{path}{end} shows that {path} is a memory in use; name another file")


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: the system refused: {error}") from error


def _remove(part: str) -> None:
    for end in ("", *_SIDE, LEDGER):
        with suppress(FileNotFoundError):
            os.unlink(part + end)

"""Joining the parts: from what the application asks for to an engine with a store, a clock and a worker."""

from __future__ import annotations

import atexit
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from ..core.fence import fence_tag
from ..core.periods import parse_zone
from ..core.secrets import redactor
from ..core.tokens import estimate_tokens
from ..errors import InvalidValueError, StoreError
from ..extract.calling import CallableExtractor, as_extractor
from ..extras import install
from ..logs import Log
from ..ports import Clock, Store
from ..store.sealed_mark import refuse_sealed
from . import forgetting
from .core import Engine, system_clock
from .worker import Worker

log = Log("store")

DEFAULT_FILE = "tensemem.db"
DEFAULT_NAMESPACE = "default"
Durability = Literal["power", "process"]
DURABILITIES = ("power", "process")
SUBJECTS = ("open", "declared")


def open_engine(
    path: str | os.PathLike[str] | None,
    *,
    llm: Any,
    namespace: str | None,
    clock: Clock | None,
    tz: str,
    durability: Durability,
    read_only: bool,
    redact: bool | Iterable[Any] | Callable[[str], str],
    count_tokens: Callable[[str], int] | None,
    max_content: int,
    subjects: str,
    key: str | bytes | None = None,
    backup_before_upgrade: bool = True,
    examines: bool = False,
    shred: bool | str | os.PathLike[str] = False,
) -> Engine:
    """Check the options, open the store, and give the engine; raises InvalidValueError and StoreError.

    Who only ``examines`` is let in to read also where the ledger says that something is to be removed first.
    """
    _check_choice("durability", durability, DURABILITIES)
    _check_choice("subjects", subjects, SUBJECTS)
    if not isinstance(max_content, int) or isinstance(max_content, bool) or max_content < 1:
        raise InvalidValueError("max_content must be a number of bytes of 1 or more")
    if clock is not None and not callable(clock):
        raise InvalidValueError("clock must be a callable that gives an aware datetime")
    zone = parse_zone(tz)
    extractor = None if llm is None or llm is False else as_extractor(llm)
    try:
        filter_ = redactor(redact)
    except (TypeError, re.error) as error:
        raise InvalidValueError(f"redact: {error}") from error
    store = open_store(
        path, durability, read_only, key=key, shred=shred, backup_before_upgrade=backup_before_upgrade
    )
    try:
        engine = Engine(
            store=store,
            clock=clock or system_clock,
            namespace=DEFAULT_NAMESPACE if namespace is None else namespace,
            is_pinned=namespace is not None,
            zone=zone,
            redact=filter_,
            extractor=extractor,
            learns=llm is not False,
            max_content=max_content,
            declared_only=subjects == "declared",
            count_tokens=count_tokens or estimate_tokens,
            fence_tag=fence_tag_of(store),
            operational_clock=_clock_of(store),
            strike=_striking(resolve_path(path)),
        )
        engine.scope("check")
        if read_only and not examines:
            forgetting.refuse_unfinished(engine)
        elif not read_only:
            forgetting.finish(engine)
    except BaseException:
        store.close()
        raise
    log.tell("opened", "tensemem opened %s", store.location, location=store.location)
    return engine


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def _clock_of(store: Store) -> Callable[[], int]:
    """Give the clock that leases and pauses go by: the store's, where several machines use it."""
    own = _wall_clock
    return lambda: own() + store.clock_ahead


def _wall_clock() -> int:
    """Microseconds on the machine's clock: for leases and pauses, never for what is remembered."""
    return time.time_ns() // 1000


def resolve_path(path: str | os.PathLike[str] | None) -> str:
    """Give where the memory is: the argument, else $TENSEMEM_DB, else tensemem.db in the working folder."""
    if path is None:
        path = os.environ.get("TENSEMEM_DB") or DEFAULT_FILE
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidValueError(f"path must be text or a path, not {type(path).__name__}")
    text = os.fspath(path)
    if not text.strip() or "\0" in text:
        raise InvalidValueError("path must name a file")
    return text


def _striking(text: str) -> Callable[[str, str], int]:
    def strike(namespace: str, user_id: str) -> int:
        from ..access.striking import strike_beside  # which few need

        return strike_beside(text if is_postgres(text) else file_of(text), namespace, user_id)

    return strike


def open_store(
    path: str | os.PathLike[str] | None, durability: Durability, read_only: bool, *, key: str | bytes | None = None,
    shred: bool | str | os.PathLike[str] = False, backup_before_upgrade: bool = True,
) -> Store:  # fmt: skip
    """Open the store a path names, encrypted where there is a key, and sealed with a key per person with ``shred``.

    $TENSEMEM_SQLITE may name SQLite's library.
    """
    text = resolve_path(path)
    _check_shred(text, key, shred)

    def opened() -> Store:
        return _open_rows(text, durability, read_only, key, backup_before_upgrade=backup_before_upgrade)

    if shred is False:
        return _checked(opened(), refuse_sealed)
    with needing_ciphers():
        from ..store.sealing.opening import place_of, seal
    from ..store.sqlite.keys import Key

    place = place_of(text if is_postgres(text) else file_of(text), shred)
    own = Key("" if key is None else key)
    return _checked(opened(), lambda store: seal(store, own, place))


def _checked(store: Store, look: Callable[[Store], Store | None]) -> Store:
    """Give a store that was opened, or what is around it from now on; where it is refused, close it."""
    try:
        return look(store) or store
    except BaseException:
        store.close()
        raise


def _open_rows(
    text: str, durability: Durability, read_only: bool, key: str | bytes | None, *, backup_before_upgrade: bool
) -> Store:
    if is_postgres(text):
        return _postgres_store(text, durability, read_only)
    from ..store.sqlite import SqliteStore

    driver: Any = os.environ.get("TENSEMEM_SQLITE") or None
    if key is not None:
        driver = None  # there is one that encrypts
    return SqliteStore(
        file_of(text), durability=durability, read_only=read_only, driver=driver, key=key,
        backup_before_upgrade=backup_before_upgrade,
    )  # fmt: skip


def _check_shred(text: str, key: str | bytes | None, shred: object) -> None:
    """Refuse what can't be sealed, or not so; raises InvalidValueError."""
    if shred is False:
        if key is not None and is_postgres(text):
            raise InvalidValueError(
                "key encrypts a memory in a file; in a database it goes with shred=, a key per person"
            )
        return
    if shred is not True and not (isinstance(shred, (str, os.PathLike)) and os.fspath(shred)):
        raise InvalidValueError("shred must be True, or say where the key store is: a path or a postgresql:// URL")
    if key is None:
        raise InvalidValueError("shred= needs key=: the keys of the persons are wrapped with it")
    if text == ":memory:":
        raise InvalidValueError("':memory:' keeps nothing that a key could seal")


_LOOKS_LIKE_URL = re.compile(r"postgres(?:ql)?:", re.IGNORECASE)


def is_postgres(text: str) -> bool:
    """Tell whether text is the URL of a PostgreSQL database; raises StoreError for one of anything else."""
    scheme, is_url, _ = text.partition("://")
    if not is_url and _LOOKS_LIKE_URL.match(text):
        raise InvalidValueError("the URL of a database begins with postgresql://, with two slashes")
    scheme = scheme.lower()
    if is_url and scheme not in ("postgresql", "postgres", "file"):
        raise StoreError(f"no store for {scheme}://; give a file path, ':memory:' or a postgresql:// URL")
    return bool(is_url) and scheme != "file"


def file_of(text: str) -> str:
    """Give the absolute path of a file as it was named; ":memory:" as it is. Raises StoreError."""
    try:
        return text if text == ":memory:" else str(Path(text).expanduser().absolute())
    except (RuntimeError, OSError) as error:
        raise StoreError(f"the path can't be used: {error}") from error


def _postgres_store(url: str, durability: Durability, read_only: bool) -> Store:
    with needing_driver():
        from ..store.postgres import PostgresStore
    return PostgresStore(url, durability=durability, read_only=read_only)


@contextmanager
def needing_driver() -> Iterator[None]:
    """Name the extra to whoever imports what needs the driver of PostgreSQL and does not have it."""
    try:
        yield
    except ImportError as error:
        raise StoreError(f"PostgreSQL needs the driver psycopg: {install('postgres')}") from error


@contextmanager
def needing_ciphers() -> Iterator[None]:
    """Name the extra to whoever imports what seals and does not have the library for it."""
    try:
        yield
    except ImportError as error:
        raise StoreError(f"shred= needs the library cryptography: {install('encrypted')}") from error


def fence_tag_of(store: Store) -> str:
    """Give the fence tag of this database, made once."""
    with store.read() as reader:
        known = reader.meta("fence")
    if known is None and not store.read_only:
        with store.write() as tx:
            known = tx.meta("fence") or secrets.token_hex(16)
            tx.set_meta("fence", known)
    return fence_tag(known or "0" * 32)


class Background:
    """The worker of an open memory: started when there is something to extract, stopped on close."""

    def __init__(self, engine: Engine, extractor: CallableExtractor) -> None:
        self.engine = engine
        self._worker = Worker(engine, extractor)
        self._lock = threading.Lock()
        self._is_started = False
        self._pid = os.getpid()

    @property
    def is_of_this_process(self) -> bool:
        """Whether it was not inherited by a fork."""
        return os.getpid() == self._pid

    def start(self) -> None:
        """Start the worker, once."""
        with self._lock:
            if not self._is_started and self.is_of_this_process:
                self._is_started = True
                self._worker.start()
                _running.add(self)

    def wake(self) -> None:
        """Tell the worker that something was written."""
        self._worker.wake()

    def stop(self, timeout: float) -> None:
        """Stop the worker, waiting some seconds for the message being extracted."""
        with self._lock:
            is_running, self._is_started = self._is_started, False
        if is_running and self.is_of_this_process:
            self._worker.stop(timeout)


def close_engine(engine: Engine, background: Background | None, timeout: float) -> None:
    """Stop the worker, waiting some seconds for the message being extracted, and close the store; once."""
    if engine.closed:
        return
    engine.closed = True
    if background is not None:
        _running.discard(background)
        background.stop(timeout)
    if engine.extractor is not None:
        engine.extractor.close()
    engine.store.close()


_running: set[Background] = set()
"""What works in the background, and so keeps a file open even where its memory was let go of."""
_AT_EXIT = 1.0
"""Seconds that the end of a program waits for a message being extracted."""


@atexit.register
def _close_what_is_running() -> None:
    """Close what a program left open, so that its file stands alone; a forked child lets its parent's be."""
    for background in list(_running):
        if background.is_of_this_process:
            try:
                close_engine(background.engine, background, _AT_EXIT)
            except Exception as error:  # whatever one extractor or disk does, the others are closed
                log.failure("not closed", "what was left open could not be closed", error=error)

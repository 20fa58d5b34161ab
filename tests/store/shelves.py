"""Shelves: where the tests keep stores of one kind, so that no test has to know which kind it is."""

from __future__ import annotations

import itertools
import shutil
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import pytest

from tensemem.ports import Store
from tensemem.store.plain import PlainStore
from tensemem.store.sqlite import SqliteStore
from tensemem.store.sqlite.keys import Key
from tests.servers import needed

KEYS = "-keys"
RAW_KEY = bytes(range(32))
"""The key of sealed stores: one of bytes, from which nothing is derived slowly."""

PASSING = ":memory:"
"""The name of a store that nobody opens again: a new one each time."""


class Shelf(Protocol):
    """Stores of one kind, by name."""

    def store(self, name: str = PASSING, **options: Any) -> Store:
        """Open the store of a name, empty where the name is new."""

    def crashed(self, name: str) -> str:
        """Give the name under which to find what a process that was killed leaves of a store that is open."""

    def clear(self) -> None:
        """Forget all names. What they stood for was closed, or is not used any more."""

    def close(self) -> None:
        """Let go of it all."""


class _InProcess:
    """Stores that last no longer than they are open."""

    def crashed(self, name: str) -> str:
        raise AssertionError("nothing is left of this kind of store when its process is killed")

    def clear(self) -> None:
        """There is nothing to forget."""

    def close(self) -> None:
        """There is nothing to let go of."""


class PlainShelf(_InProcess):
    """The reference, in plain Python."""

    def store(self, name: str = PASSING, **_: Any) -> Store:
        return PlainStore()


class MemoryShelf(_InProcess):
    """SQLite's databases in memory."""

    def __init__(self, _: Path, **options: Any) -> None:
        self._options = options

    def store(self, name: str = PASSING, **_: Any) -> Store:
        return SqliteStore(":memory:", **self._options)


class FileShelf:
    """SQLite's files. ``options`` are what each is opened with."""

    endings: tuple[str, ...] = ("", "-wal")
    """What the names of a store's files end with."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self._folder = folder
        self._options = options
        self._numbers = itertools.count(1)
        self._paths: dict[str, Path] = {}
        self._empty = folder / "empty.db"
        SqliteStore(self._empty, **options).close()  # copied from now on, since making one waits for the disk

    def store(self, name: str = PASSING, **options: Any) -> Store:
        return SqliteStore(self._path(name), **{"durability": "process", **self._options, **options})

    def crashed(self, name: str) -> str:
        path, left = self._path(name), self._path(f"crashed {next(self._numbers)}")
        for ending in self.endings:
            file = path.with_name(path.name + ending)
            if file.exists():
                shutil.copy(file, left.with_name(left.name + ending))
        return next(known for known, place in self._paths.items() if place == left)

    def clear(self) -> None:
        for path in self._paths.values():
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink(missing_ok=True)
        self._paths.clear()

    def close(self) -> None:
        self.clear()

    def _path(self, name: str) -> Path:
        number = next(self._numbers)
        name = f"{PASSING}{number}" if name == PASSING else name
        if name not in self._paths:
            self._paths[name] = self._folder / f"{number}.db"
            for ending in self.endings:
                if Path(f"{self._empty}{ending}").exists():
                    shutil.copy(f"{self._empty}{ending}", f"{self._paths[name]}{ending}")
        return self._paths[name]


class SealedFileShelf(FileShelf):
    """SQLite's files with a key per person, each with its key store beside it."""

    endings = ("", "-wal", KEYS)

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.store("first").close()  # the keys of a key store that is copied are wrapped alike
        shutil.copy(f"{self._path('first')}{KEYS}", f"{self._empty}{KEYS}")
        shutil.copy(self._path("first"), self._empty)
        self.clear()

    def store(self, name: str = PASSING, **options: Any) -> Store:
        path = str(self._path(name))
        return sealed(SqliteStore(path, **{"durability": "process", **options}), path)

    def taken_over(self, name: str, path: Path, keys: str) -> str:
        """Put a copy of a file on the shelf, with the key store of another one; gives its name."""
        shutil.copy(path, self._path(name))
        shutil.copy(keys, f"{self._path(name)}{KEYS}")
        return name


class PostgresShelf:
    """SQL schemas in one database of a server, emptied and used again: making one takes longer than most tests."""

    _kept: Any = None

    def __init__(self, _: Path, version: str) -> None:
        import psycopg

        self.server = needed(version)
        self.url = self.server.create_database()
        self._connect = psycopg.connect
        self._numbers = itertools.count(1)
        self._names: dict[str, str] = {}
        self._used: list[str] = []

    def store(self, name: str = PASSING, **options: Any) -> Store:
        from tensemem.store.postgres import PostgresStore

        return PostgresStore(self.address(name), **{"durability": "process", **options})

    def address(self, name: str = PASSING) -> str:
        """Give the address of the store of a name."""
        name = f"{PASSING}{next(self._numbers)}" if name == PASSING else name
        if name not in self._names:
            self._names[name] = self._emptied(self._used.pop()) if self._used else f"memory_{next(self._numbers)}"
        return f"{self.url}?tensemem_schema={self._names[name]}"

    def crashed(self, name: str) -> str:
        self.server.cut_connections(self.url.rpartition("/")[2])
        return name

    def clear(self) -> None:
        self._used += self._names.values()
        self._names.clear()

    def close(self) -> None:
        """The database goes with the server."""
        if self._kept is not None:
            self._kept.close()

    def _emptied(self, schema: str) -> str:
        connection = self._connection()
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [schema]).fetchall()
        tables = [name for (name,) in rows if name not in ("schema_version", "meta")]
        connection.execute("; ".join(f"DELETE FROM {schema}.{table}" for table in tables).encode())
        connection.execute(f"DELETE FROM {schema}.meta WHERE name <> 'forget_key'".encode())
        return schema

    def _connection(self) -> Any:
        """Give the connection that is kept for emptying, or another one where a test has cut it."""
        import psycopg

        if self._kept is not None:
            with suppress(psycopg.OperationalError):
                self._kept.execute("SELECT 1")
                return self._kept
            self._kept.close()
        self._kept = self._connect(self.url, autocommit=True)
        weakref.finalize(self, self._kept.close)  # whoever has no end to close it at
        return self._kept


class SealedPostgresShelf(PostgresShelf):
    """The same with a key per person, the keys in an SQL schema beside each."""

    def store(self, name: str = PASSING, **options: Any) -> Store:
        from tensemem.store.postgres import PostgresStore

        address = self.address(name)
        return sealed(PostgresStore(address, **{"durability": "process", **options}), address)


def sealed(store: Store, named: str) -> Store:
    """Give a store with its keys, which are beside it."""
    from tensemem.store.sealing.opening import place_of, seal

    return seal(store, Key(RAW_KEY), place_of(named, True))


@contextmanager
def opening_in(shelf: Shelf) -> Iterator[None]:
    """Memories opened inside keep everything on a shelf, under the path they are given."""

    def open_store(path: Any, durability: str, read_only: bool, **_: Any) -> Store:
        return shelf.store(str(path), durability=durability, read_only=read_only)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tensemem.engine.wiring.open_store", open_store)
        _in_use.append(shelf)
        try:
            yield
        finally:
            _in_use.pop()


_in_use: list[Shelf] = []


def left_by_a_crash(path: Path, folder: Path) -> Path:
    """Give the path under which to open what a killed process leaves of an open memory: nothing closed or tidied.

    In a folder that is empty, or on the shelf where memories are being opened.
    """
    if _in_use:
        return Path(_in_use[-1].crashed(str(path)))
    for file in path.parent.glob(f"{path.name}*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, folder / file.name)
    return folder / path.name

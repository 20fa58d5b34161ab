"""Make the files that stand for a released schema: what an upgrade from it is tested on, ever after.

    python tools/make_released.py [--again]

Run once for each schema version, with the very code that is released, before the next version changes it: the files
are never made again, for what only today's code can make would prove nothing about yesterday's. Into `tests/released`
are written: the database as it was closed, and as a killed process leaves it (with its log); the rows of the same
conversation on PostgreSQL, from a server of the tests; and what the memory told of all of it. While a version is not
released its files are made `--again` when what it writes or tells has changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tensemem import Memory
from tensemem.store.sqlite.migrations import VERSION
from tests.released.conversation import Ticking, Troubled, first_half, second_half
from tests.released.shelf import LEDGER, LOG
from tests.released.telling import LOOKED_AT, told
from tests.servers import needed

FOLDER = Path(__file__).parents[1] / "tests" / "released"


def main() -> None:
    """Make all files of this version; refuses where there are some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--again", action="store_true", help="replace those of a version that is not released yet")
    name = FOLDER / f"schema{VERSION}"
    if parser.parse_args().again:
        for file in (*FOLDER.glob(f"{name.name}.*"), *FOLDER.glob(f"{name.name}-*")):
            file.unlink()
    _make_files(name)
    _make_rows(name, needed("18").create_database())


def _make_files(name: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        clock = Ticking()
        with Memory(path, llm=Troubled(), worker=False, clock=clock) as mem:
            first_half(mem)
        with Memory(path, llm=Troubled(), worker=False, clock=clock) as mem:
            second_half(mem)
            _pack(path, f"{name}-killed.db")
        _pack(path, f"{name}.db")
        _write_told(name, path)


def _make_rows(name: Path, url: str) -> None:
    with Memory(url, llm=Troubled(), worker=False, clock=Ticking()) as mem:
        first_half(mem)
        second_half(mem)
    _write(f"{name}.postgres.sql.gz", _rows(url).encode())


def _write_told(name: Path, place: Path) -> None:
    with Memory(place, worker=False, clock=lambda: LOOKED_AT, read_only=True) as mem:
        text = json.dumps(told(mem), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    _write(f"{name}.json.gz", text.encode())


def _rows(url: str) -> str:
    """Give all rows as statements that put them into tables that are there."""
    import psycopg
    from psycopg import sql

    lines = []
    with psycopg.connect(url, autocommit=True) as connection:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'tensemem' ORDER BY 1"
        for (table,) in connection.execute(tables).fetchall():
            if table == "schema_version":
                continue  # the step itself writes that
            cursor = connection.execute(sql.SQL("SELECT * FROM tensemem.{}").format(sql.Identifier(table)))
            columns = [column.name for column in cursor.description or ()]
            for row in sorted(cursor.fetchall(), key=repr):
                insert = sql.SQL("INSERT INTO tensemem.{} ({}) VALUES ({});").format(
                    sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns)),
                    sql.SQL(", ").join(map(sql.Literal, row)),
                )  # fmt: skip
                lines.append(insert.as_string(connection))
    return "\n".join(lines) + "\n"


def _pack(path: Path, name: str) -> None:
    """Pack a file and those beside it that belong to it, but for the one that SQLite makes anew."""
    for ending in ("", LOG, LEDGER):
        file = Path(f"{path}{ending}")
        if file.exists():
            _write(f"{name}{ending}.gz", file.read_bytes())


def _write(name: str, content: bytes) -> None:
    with open(name, "xb") as file:
        file.write(gzip.compress(content, 9, mtime=0))


if __name__ == "__main__":
    main()

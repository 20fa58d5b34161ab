"""Engines that speak as PostgreSQL does: what they say of themselves, and lack, is no reason to refuse them.

None of them is here. A server of PostgreSQL is made to answer as one would, by functions that stand before its own.
"""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import StoreError
from tests.servers import needed

psycopg = pytest.importorskip("psycopg")

_LIKE_ANOTHER = """
CREATE SCHEMA another;
CREATE FUNCTION another.version() RETURNS text LANGUAGE sql AS $$ SELECT '{name}'::text $$;
CREATE FUNCTION another.current_setting(name text, missing_ok boolean) RETURNS text LANGUAGE sql AS $$
    SELECT CASE name WHEN 'server_version_num' THEN '{number}' WHEN 'server_encoding' THEN 'UTF8' END
$$;
CREATE FUNCTION another.set_config(name text, value text, is_local boolean) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF name LIKE 'tcp_%' THEN
        RAISE EXCEPTION 'unrecognized configuration parameter "%"', name USING ERRCODE = 'undefined_object';
    END IF;
    RETURN pg_catalog.set_config(name, value, is_local);
END
$$;
ALTER DATABASE {database} SET search_path = another, pg_catalog, public;
"""


def like_another(name: str, number: int) -> str:
    """Give the address of a database that says it is another engine, and lacks what that one lacks."""
    url = needed("18").create_database()
    with psycopg.connect(url, autocommit=True) as connection:
        database = url.rpartition("/")[2]
        connection.execute(_LIKE_ANOTHER.format(name=name, number=number, database=database))
    return url


@pytest.mark.parametrize(
    ("name", "number"), [("CockroachDB CCL v24.1.0", 130000), ("PostgreSQL 11.2-YB-2.20.0.0-b0 on x86_64", 110002)]
)
@pytest.mark.parametrize("durability", ["power", "process"])
def test_another_engine_is_opened_without_what_it_lacks(name: str, number: int, durability: Any) -> None:
    with Memory(like_another(name, number), llm=FakeExtractor(), durability=durability, worker=False) as mem:
        mem.register_predicate("lives_in")
        assert mem.set("ann", "lives_in", "Pune").durability == durability
        assert mem.get("ann", "lives_in") == "Pune"
        links: Any = mem._engine.store._links  # type: ignore[attr-defined]
        with links.connect() as connection:
            assert connection.execute("SHOW statement_timeout").fetchone() == ("1min",)
            assert connection.execute("SHOW lock_timeout").fetchone() == ("1min",)
        assert set(links._for_each) == {"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}
        assert links.now > 10**15


def test_an_old_postgresql_is_refused() -> None:
    with pytest.raises(StoreError, match="is PostgreSQL 14; 15 or later is needed"):
        Memory(like_another("PostgreSQL 14.9 on x86_64", 140009))

"""What a URL of a database says: to libpq, and to us."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory
from tensemem.engine.wiring import is_postgres
from tensemem.errors import InvalidValueError
from tests.servers import fresh_database

pytest.importorskip("psycopg")

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tensemem.store.postgres.address import parse_address
from tensemem.store.postgres.definitions import grants_sql
from tensemem.store.postgres.keys import both, short, whole


def test_what_is_ours_is_taken_out_and_the_rest_goes_to_libpq() -> None:
    address = parse_address("postgres://ann:secret@db:5433/memory?sslmode=require&tensemem_schema=tests&tensemem_pool=4")
    assert address.url == "postgresql://ann:secret@db:5433/memory?sslmode=require"
    assert (address.schema, address.pool, address.prepares, address.named) == (
        "tests", 4, True, frozenset({"sslmode"}),
    )  # fmt: skip


def test_an_address_is_shown_without_user_and_password() -> None:
    address = parse_address("postgresql://ann:secret@db:5433/memory")
    assert address.shown == "postgresql://db:5433/memory"
    assert parse_address("postgresql:///memory?host=/run/pg&user=ann&password=secret").shown == "postgresql:///run/pg/memory"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:se+cret@db:5433/memory?application_name=a+b%20c&options=-c%20work_mem%3D1MB",
        "postgresql://ann:se?cr#et[1]@db/memory",
        "postgresql://an+n@db/mem+ory#1",
        "postgresql://db/memory?user=an%23n&password=s%2Bx%26y",
    ],
)
def test_libpq_reads_the_same_in_it_as_in_what_was_given(url: str) -> None:
    address = parse_address(url + ("&" if "=" in url else "?") + "tensemem_pool=3")
    assert conninfo_to_dict(address.url) == conninfo_to_dict(url)
    assert address.pool == 3
    assert "se" not in address.shown
    assert "cr" not in address.shown


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "POSTGRESQL", "Postgres"])
def test_a_scheme_is_known_however_it_is_written(scheme: str) -> None:
    assert is_postgres(f"{scheme}://db/memory")
    assert parse_address(f"{scheme}://db/memory").url == "postgresql://db/memory"


@pytest.mark.parametrize("schema", ["user", "select", "all_of_it"])
def test_a_word_of_the_language_may_name_a_schema(schema: str) -> None:
    url = f"{fresh_database('18')}?tensemem_schema={schema}"
    with Memory(url, worker=False, durability="process") as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Pune")
        assert mem.get("ann", "lives_in") == "Pune"
    with psycopg.connect(url.partition("?")[0], autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {schema}_reader")
        connection.execute(grants_sql(f"{schema}_reader", "default", schema))
        connection.execute(f"SET ROLE {schema}_reader")
        assert connection.execute(f'SELECT count(*) FROM "{schema}".scopes').fetchone() == (2,)


def test_of_several_hosts_the_one_that_takes_writes_is_looked_for() -> None:
    assert parse_address("postgresql://a,b/m").url.endswith("target_session_attrs=read-write")
    assert parse_address("postgresql://a,b/m", read_only=True).url.endswith("target_session_attrs=any")
    assert parse_address("postgresql:///m?host=a,b").url.endswith("target_session_attrs=read-write")
    given = "postgresql://a,b/m?target_session_attrs=primary"
    assert parse_address(given).url == given


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://ann:secret@db/m", "begins with postgresql://"),
        ("postgresql://ann:secret@db/m?tensemem_shema=x", "tensemem_shema is no setting"),
        ("postgresql://ann:secret@db/m?tensemem_schema=x;drop", "SQL schema's name"),
        ("postgresql://ann:secret@db/m?tensemem_schema=X", "SQL schema's name"),
        ("postgresql://ann:secret@db/m?tensemem_schema=pg_x", "begin with pg_"),
        ("postgresql://ann:secret@db/m?tensemem_pool=0", "from 1 to 1000"),
        ("postgresql://ann:secret@db/m?tensemem_pool=many", "from 1 to 1000"),
        ("postgresql://ann:secret@db/m?tensemem_pool=nan", "from 1 to 1000"),
        ("postgresql://ann:secret@db/m?tensemem_prepare=maybe", "on or off"),
        ("postgresql://ann:secret@[db/m", "can't be read"),
    ],
)
def test_a_bad_url_is_refused_and_no_password_shown(url: str, told: str) -> None:
    with pytest.raises(InvalidValueError, match=told) as caught:
        parse_address(url)
    assert "secret" not in str(caught.value)


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_a_key_is_found_by_few_bytes_and_given_back_whole(key: str) -> None:
    found, kept = both(key)
    assert len(found) <= 65
    assert whole(found, kept) == key
    assert short(key) == found


texts = st.text(st.characters(codec="utf-8"), min_size=30, max_size=90)


@given(texts, texts)
def test_two_keys_are_never_found_by_the_same_bytes(one: str, other: str) -> None:
    assert (short(one) == short(other)) == (one == other)
    assert short(one) != short(short(one).decode(errors="replace")) or len(one.encode()) <= 64

"""Walls between namespaces: what a role may do to whom it is granted by `tensemem schema --grants`, on real servers."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.errors import InvalidScopeError, InvalidValueError, StoreError
from tensemem.model.scope import Scope
from tensemem.ports import WorkerRow
from tests.servers import needed
from tests.store.catalog import of_postgres

psycopg = pytest.importorskip("psycopg")

from tensemem.store.postgres.definitions import SMALL, grants_sql, schema_sql, spread_tables  # noqa: E402
from tensemem.store.postgres.rows import scope_number  # noqa: E402

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
CALM: dict[str, Any] = {"worker": False, "clock": lambda: NOON, "durability": "process"}
_numbers = itertools.count(1)


@dataclass
class House:
    """A database whose tables a role of no special rights owns, with two tenants in it and a stranger."""

    admin: str
    names: dict[str, str]

    def url(self, who: str) -> str:
        """The address under which somebody logs in."""
        return self.admin.replace("postgres@", f"{self.names[who]}@")

    def run(self, who: str, *statements: str) -> list[Any]:
        """Run statements as somebody; gives the rows of the last."""
        with psycopg.connect(self.url(who) if who != "admin" else self.admin, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else [cursor.rowcount]

    def memory(self, who: str, namespace: str, **options: Any) -> Memory:
        return Memory(self.url(who), namespace=namespace, **{**CALM, **options})


def server_of(version: str) -> Any:
    return needed(version)


@pytest.fixture(scope="module", params=["18", "15"])
def house(request: pytest.FixtureRequest) -> House:
    admin = server_of(request.param).create_database()
    names = {who: f"{who}_{next(_numbers)}" for who in ("owner", "ann", "bob", "stranger", "nobody", "service")}
    built = House(admin, names)
    built.run("admin", *(f"CREATE ROLE {name} LOGIN NOBYPASSRLS" for name in names.values()))
    database = admin.rpartition("/")[2].partition("?")[0]
    built.run("admin", f"ALTER DATABASE {database} OWNER TO {names['owner']}")
    for tenant in ("ann", "bob"):
        with built.memory("owner", tenant, llm=FakeExtractor()) as mem:
            mem.register_predicate("lives_in")
            mem.add("user", "I live in Delhi", said_at="2026-01-01")
            mem.flush()
            mem.set("user", "lives_in", f"{tenant}'s town", idempotency_key="k")
            mem.add("user", "I live in Oslo")
            mem.search("user", "Delhi")
        built.run("owner", grants_sql(names[tenant], tenant, "tensemem"))
    unwalled = "DELETE FROM tensemem.walls WHERE namespace = 'elsewhere'"
    built.run("owner", grants_sql(names["stranger"], "elsewhere", "tensemem"), unwalled)
    return built


BOBS = scope_number(Scope("bob", "user"))
ANNS = scope_number(Scope("ann", "user"))
TABLES = [table for table in spread_tables() if table not in SMALL]


def key_of(table: str) -> str:
    return "id" if table == "scopes" else "scope"


# What a walled role can do


def test_a_walled_role_uses_its_namespace_as_anybody_uses_a_memory(house: House) -> None:
    with house.memory("ann", "ann", llm=FakeExtractor()) as mem:
        assert mem.get("user", "lives_in") == "ann's town"
        mem.register_predicate("languages", "many")
        mem.register_entity("PostgreSQL", aliases=["pg"])
        mem.add("eve", "I live in Rome", session_id="s", idempotency_key="x")
        assert mem.flush().is_current
        written = mem.set("eve", "lives_in", "Goa")
        assert written.fact_id is not None
        mem.add_value("eve", "languages", "pg")
        assert written.fact_id is not None
        mem.correct(written.fact_id, reason="no")
        mem.reinstate(written.fact_id)
        mem.retract("eve", "lives_in")
        mem.record("eve", "lives_in", "Paris", valid_from="2019", valid_to="2020")
        assert mem.state("eve").values == {"languages": ("PostgreSQL",)}
        assert len(mem.history("eve").facts) == 4
        assert "PostgreSQL" in mem.context("eve").text
        assert mem.search("eve", "Rome")
        assert mem.changes("eve")
        assert mem.explain(written.fact_id)
        assert [info.user_id for info in mem.scopes()] == ["eve", "user"]
        assert mem.stats()["scopes"] == 2
        assert mem.rebuild().identical
        assert mem.verify().identical
        assert mem.jobs() == ()
        mem.add("eve", "one more", extract=True)
        mem.dismiss("eve", mem.jobs()[0].seq)


def test_its_handle_on_another_namespace_finds_nothing_and_writes_nothing(house: House) -> None:
    before = house.run("admin", "SELECT count(*), sum(rev) FROM tensemem.scopes WHERE namespace = 'bob'")
    with house.memory("ann", "bob", llm=FakeExtractor()) as mem:
        assert mem.state("user").values == {}
        assert mem.scopes() == ()
        assert mem.predicates() == ()
        assert mem.stats()["entries"] == 0
        assert mem.jobs() == ()
        assert mem.flush().latest_seq == 0
        for write in (
            lambda: mem.add("user", "I live in Rome"), lambda: mem.add("new", "I live in Rome"),
            lambda: mem.register_predicate("diet"),
        ):  # fmt: skip
            with pytest.raises(StoreError, match=r"does not allow this role .*see `tensemem schema --grants`"):
                write()
    assert house.run("admin", "SELECT count(*), sum(rev) FROM tensemem.scopes WHERE namespace = 'bob'") == before


def test_a_verb_that_names_another_namespace_is_refused(house: House) -> None:
    with house.memory("ann", "ann") as mem, pytest.raises(InvalidScopeError):
        mem.state("user", namespace="bob")
    with Memory(house.url("ann"), **CALM) as mem:
        assert mem.state("user", namespace="bob").values == {}
        with pytest.raises(StoreError, match="does not allow"):
            mem.add("user", "I live in Rome", namespace="bob")


def test_it_extracts_what_waits_in_its_namespace_and_nothing_else(house: House) -> None:
    with house.memory("owner", "ann") as mem:
        mem.add("waiting", "I live in Bern")
    with house.memory("owner", "bob") as mem:
        mem.add("waiting", "I live in Bern")
    waiting = "SELECT count(*) FROM tensemem.pending WHERE scope = {}"
    with house.memory("ann", "ann", llm=FakeExtractor()) as mem:
        with mem._engine.store.write() as tx:
            leased = tx.lease("w", 10**18, 10**18 + 1, [], [])
        assert leased is not None
        head = getattr(leased, "scope", None) or leased[0].scope  # type: ignore[index]
        assert head.namespace == "ann"
        with mem._engine.store.write() as tx:
            tx.drop_worker("w")
        mem.flush()
        assert mem.get("waiting", "lives_in") == "Bern"
    assert house.run("admin", waiting.format(scope_number(Scope("ann", "waiting")))) == [(0,)]
    assert house.run("admin", waiting.format(scope_number(Scope("bob", "waiting")))) == [(1,)]


# What it can't


@pytest.mark.parametrize("table", TABLES)
def test_no_row_of_another_namespace_is_seen_in_any_table(house: House, table: str) -> None:
    there = f"SELECT count(*) FROM tensemem.{table} WHERE {key_of(table)} = {BOBS}"
    everybody = house.run("admin", there)[0][0]
    assert everybody > 0 or table in ("leases", "usage")
    assert house.run("ann", there) == [(0,)]
    heads = f"LEFT JOIN tensemem.scopes AS s ON s.id = t.{key_of(table)}"
    whose = f"SELECT DISTINCT s.namespace FROM tensemem.{table} AS t {heads}"
    assert set(house.run("ann", whose)) <= {("ann",)}


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_added_to_another_namespace_in_any_table(house: House, table: str) -> None:
    key = key_of(table)
    where = f"table_schema = 'tensemem' AND table_name = '{table}' AND column_name <> '{key}'"
    listed = f"SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE {where}"
    columns = house.run("admin", listed)[0][0]
    given = columns.replace("namespace", "'bob'")
    # A row as good as any of theirs, made by somebody who knows what stands in it.
    rows = house.run("admin", f"SELECT row_to_json(t) FROM tensemem.{table} AS t LIMIT 1")
    made = rows[0][0] if rows else _MADE[table]
    kept = f"jsonb_populate_record(NULL::tensemem.{table}, $made${json.dumps(made)}$made$)"
    added = f"INSERT INTO tensemem.{table} ({key}, {columns}) SELECT {BOBS}, {given} FROM {kept} AS t"
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        house.run("ann", added)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", ["UPDATE tensemem.{0} SET {1} = {1}", "DELETE FROM tensemem.{0}"])
def test_no_row_of_another_namespace_is_changed_in_any_table(house: House, table: str, change: str) -> None:
    key = key_of(table)
    done = _tried(house, change.format(table, key) + f" WHERE {key} = {BOBS}")
    assert done in ([0], "permission denied")


_MADE: dict[str, Any] = {
    "leases": {"owner": "me", "expires": 1},
    "usage": {
        "used_by": "\\x00", "extractor": "e", "model": "m", "calls": 1, "input_tokens": 1, "output_tokens": 1,
        "milliseconds": 1,
    },
}  # fmt: skip


def _tried(house: House, statement: str) -> Any:
    try:
        return house.run("ann", statement)
    except psycopg.errors.InsufficientPrivilege as error:
        return str(error)[: len("permission denied")]


@pytest.mark.parametrize(
    "way",
    [
        "SET row_security = off; SELECT * FROM tensemem.entries",
        "SET ROLE {owner}",
        "SET ROLE {bob}",
        "SET SESSION AUTHORIZATION {owner}",
        "SELECT set_config('role', '{owner}', false)",
        "ALTER TABLE tensemem.entries DISABLE ROW LEVEL SECURITY",
        "DROP POLICY wall ON tensemem.entries",
        "CREATE POLICY all_of_it ON tensemem.entries USING (true)",
        "ALTER ROLE {ann} BYPASSRLS",
        "GRANT {owner} TO {ann}",
        "INSERT INTO tensemem.walls (role, namespace) VALUES ('{ann}', 'bob')",
        "UPDATE tensemem.walls SET namespace = 'bob'",
        "DELETE FROM tensemem.walls",
        "UPDATE tensemem.scopes SET namespace = 'bob'",
        "TRUNCATE tensemem.entries",
        "UPDATE tensemem.meta SET value = 'x'",
        "CREATE TABLE tensemem.mine (x int)",
    ],
)
def test_there_is_no_way_out(house: House, way: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        house.run("ann", *way.format(**house.names).split("; "))
    assert house.run("ann", "SELECT namespace FROM tensemem.walls") == [("ann",)]


def test_no_setting_changes_who_somebody_is(house: House) -> None:
    count = "SELECT count(*) FROM tensemem.entries"
    own = house.run("ann", count)
    for setting in ("tensemem.role = 'bob'", "search_path = tensemem", "application_name = 'bob'"):
        assert house.run("ann", f"SET {setting}", count) == own


@pytest.mark.parametrize("who", ["ann", "owner"])
def test_an_entry_is_never_changed(house: House, who: str) -> None:
    expected = "permission denied" if who == "ann" else "never updated"
    with pytest.raises(psycopg.Error, match=expected):
        house.run(who, "UPDATE tensemem.entries SET kind = 'skip'")


def test_a_walled_role_can_not_change_entries_nor_remove_those_of_others(house: House) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        house.run("ann", "UPDATE tensemem.entries SET kind = 'skip'")
    (others,) = house.run("owner", "SELECT array_agg(id)::text FROM tensemem.scopes WHERE namespace <> 'ann'")[0]
    assert house.run("ann", f"DELETE FROM tensemem.entries WHERE scope = ANY ('{others}') RETURNING rev") == []


@pytest.mark.parametrize("view", ["view_log", "view_facts"])
def test_the_views_for_people_stand_behind_the_wall_too(house: House, view: str) -> None:
    assert house.run("ann", f"SELECT DISTINCT namespace FROM tensemem.{view}") == [("ann",)]
    assert len(house.run("owner", f"SELECT DISTINCT namespace FROM tensemem.{view}")) >= 2


# Others


def test_a_role_without_a_wall_row_sees_nothing(house: House) -> None:
    for table in TABLES:
        assert house.run("stranger", f"SELECT count(*) FROM tensemem.{table}") == [(0,)]
    with house.memory("stranger", "ann") as mem:
        assert mem.scopes() == ()
        with pytest.raises(StoreError, match="does not allow"):
            mem.add("user", "I live in Rome")


def test_a_role_without_grants_is_told_what_it_lacks(house: House) -> None:
    with pytest.raises(StoreError, match="does not allow this role"):
        house.memory("nobody", "ann")


def test_a_service_sees_every_namespace_and_still_changes_no_entry(house: House) -> None:
    house.run("admin", grants_sql(house.names["service"], None, "tensemem"))
    for tenant in ("ann", "bob"):
        with house.memory("service", tenant) as mem:
            values = [fact.value for fact in mem.history("user").facts]
            assert values[:2] == ["Delhi", f"{tenant}'s town"]
            mem.set("by service", "lives_in", "Rome")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        house.run("service", "UPDATE tensemem.entries SET kind = 'skip'")


def test_a_walled_role_moves_its_memories_in_and_out_and_nobody_elses(house: House, tmp_path: Path) -> None:
    tag = house.run("admin", "SELECT value FROM tensemem.meta")
    house.run("owner", grants_sql(house.names["stranger"], "newcomer", "tensemem"))
    try:
        with Memory(tmp_path / "in.db", namespace="newcomer", **CALM) as mem:
            mem.register_predicate("lives_in")
            mem.set("zoe", "lives_in", "Lima")
            assert mem.copy_to(house.url("stranger")).copied == 1
            digest = mem.digest("zoe")
        with house.memory("stranger", "newcomer") as mem:
            assert mem.digest("zoe") == digest
            assert mem.copy_to(tmp_path / "out.db").namespaces == 1
        with Memory(tmp_path / "out.db", namespace="newcomer", **CALM) as mem:
            assert mem.digest("zoe") == digest
        with Memory(tmp_path / "bad.db", namespace="bob", **CALM) as mem:
            mem.register_predicate("lives_in")
            mem.set("user", "lives_in", "Rome")
            with pytest.raises(StoreError, match="does not allow"):
                mem.copy_to(house.url("stranger"))
        assert house.run("admin", "SELECT value FROM tensemem.meta") == tag
    finally:
        house.run("owner", "DELETE FROM tensemem.walls WHERE namespace = 'newcomer'")


def test_one_role_may_have_several_namespaces(house: House) -> None:
    role = house.names["stranger"]
    try:
        for tenant in ("ann", "bob"):
            house.run("owner", grants_sql(role, tenant, "tensemem"))
            house.run("owner", grants_sql(role, tenant, "tensemem"))  # once more does no harm
        names = {name for (name,) in house.run("stranger", "SELECT DISTINCT namespace FROM tensemem.scopes")}
        assert {"ann", "bob"} <= names
    finally:
        house.run("owner", f"DELETE FROM tensemem.walls WHERE role = '{role}'")


@pytest.mark.parametrize(
    "how",
    [
        "ALTER ROLE {0} BYPASSRLS",
        "ALTER ROLE {0} SUPERUSER",
        "ALTER ROLE {0} CREATEROLE",
        "GRANT {owner} TO {0}",
        "GRANT postgres TO {0}",
        "GRANT pg_execute_server_program TO {0}",
        "CREATE ROLE {0}_seer NOLOGIN BYPASSRLS; GRANT {0}_seer TO {0}",
        "CREATE ROLE {0}_x BYPASSRLS; CREATE ROLE {0}_team; GRANT {0}_x TO {0}_team; GRANT {0}_team TO {0}",
        "CREATE ROLE {0}_team NOINHERIT; GRANT {owner} TO {0}_team; GRANT {0}_team TO {0}",
    ],
)
def test_who_could_climb_the_wall_is_not_let_in(house: House, how: str) -> None:
    role = f"climber_{next(_numbers)}"
    house.run("admin", f"CREATE ROLE {role} LOGIN", how.format(role, **house.names))
    with pytest.raises(psycopg.errors.RaiseException, match="nothing holds this role back"):
        house.run("owner", grants_sql(role, "ann", "tensemem"))
    assert house.run("admin", f"SELECT count(*) FROM tensemem.walls WHERE role = '{role}'") == [(0,)]


def test_a_member_of_a_harmless_role_is_let_in(house: House) -> None:
    role = f"member_{next(_numbers)}"
    house.run("admin", f"CREATE ROLE {role} LOGIN", f"CREATE ROLE {role}_team", f"GRANT {role}_team TO {role}")
    house.run("owner", grants_sql(role, "ann", "tensemem"))
    assert house.run("admin", f"SELECT namespace FROM tensemem.walls WHERE role = '{role}'") == [("ann",)]


def test_everybody_sees_who_works_and_changes_only_their_own(house: House) -> None:
    def beat(who: str, worker: str, host: str) -> None:
        with house.memory(who, "ann") as mem, mem._engine.store.write() as tx:
            tx.beat(WorkerRow(worker, host, 1, "now", 1))

    listed = "SELECT id, host FROM tensemem.workers ORDER BY id"
    beat("bob", "bobs", "b")
    beat("owner", "owners", "o")
    beat("ann", "anns", "a")
    beat("ann", "anns", "a, again")
    everybody = [("anns", "a, again"), ("bobs", "b"), ("owners", "o")]
    assert house.run("ann", listed) == everybody
    with pytest.raises(StoreError, match="does not allow this role"):
        beat("ann", "bobs", "taken over")
    row = "INSERT INTO tensemem.workers (id, role, host, pid, started, beat) VALUES ('x', 'x', 'x', 1, 'x', 1)"
    for forged in ("UPDATE tensemem.workers SET role = 'x'", row):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            house.run("ann", forged)
    assert house.run("ann", "UPDATE tensemem.workers SET beat = 0 WHERE id <> 'anns'") == [0]
    assert house.run("ann", "DELETE FROM tensemem.workers WHERE id <> 'anns'") == [0]
    with house.memory("ann", "ann") as mem, mem._engine.store.write() as tx:
        tx.drop_worker("bobs")
        tx.drop_worker("anns")
    assert house.run("ann", listed) == everybody[1:]
    with house.memory("owner", "ann") as mem, mem._engine.store.write() as tx:
        for worker in ("bobs", "owners"):
            tx.drop_worker(worker)
    assert house.run("admin", listed) == []


def test_whoever_is_a_member_of_a_tenant_is_that_tenant_after_set_role(house: House) -> None:
    role, seen = f"deputy_{next(_numbers)}", "SELECT DISTINCT namespace FROM tensemem.scopes"
    house.run("admin", f"CREATE ROLE {role} LOGIN NOINHERIT", f"GRANT {house.names['bob']} TO {role}")
    with psycopg.connect(house.admin.replace("postgres@", f"{role}@"), autocommit=True) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(seen)
        connection.execute(f"SET ROLE {house.names['bob']}")
        assert connection.execute(seen).fetchall() == [("bob",)]


@pytest.mark.parametrize("name", ["o'neil\"s", "a\\b", "Ä $$ x"])
def test_a_name_is_meant_as_it_is_written(house: House, name: str) -> None:
    role = f"{name} {next(_numbers)}"
    quoted = '"' + role.replace('"', '""') + '"'
    house.run("admin", f"CREATE ROLE {quoted} LOGIN")
    house.run("owner", grants_sql(role, f"{name}'s own\1", "tensemem"))
    with psycopg.connect(house.admin, user=role, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM tensemem.walls").fetchone() == (1,)


@pytest.mark.parametrize("name", ["", "x" * 64, "a\0b", "$held$"])
def test_what_can_name_no_role_is_refused(name: str) -> None:
    with pytest.raises(InvalidValueError, match="1 to 63 bytes"):
        grants_sql(name, "ann", "tensemem")


# The printed tables


@pytest.mark.parametrize("version", ["18", "15"])
@pytest.mark.parametrize("schema", ["tensemem", "other_one"])
def test_the_printed_tables_are_those_a_memory_makes(version: str, schema: str) -> None:
    made, printed = (server_of(version).create_database() for _ in range(2))
    where = f"?tensemem_schema={schema}"
    Memory(made + where, **CALM).close()
    with psycopg.connect(printed, autocommit=True) as connection:
        connection.execute(schema_sql(schema))
    with Memory(printed + where, **CALM) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Pune")
        assert mem.get("ann", "lives_in") == "Pune"
        assert len(mem._engine.fence_tag) > 0
    assert of_postgres(printed, schema) == of_postgres(made, schema)


@pytest.mark.parametrize("engine", ["citus", "cockroach"])
def test_the_tables_for_several_machines_are_sound_where_one_has_to_do(engine: str) -> None:
    url = server_of("18").create_database()
    text = schema_sql("tensemem", engine)
    lines = [line for line in text.splitlines() if not line.startswith(("CREATE EXTENSION", "SELECT create_"))]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("\n".join(lines))
    with Memory(url, llm=FakeExtractor(), **CALM) as mem:
        mem.register_predicate("lives_in")
        mem.add("ann", "I live in Pune")
        assert mem.flush().is_current
        assert mem.get("ann", "lives_in") == "Pune"


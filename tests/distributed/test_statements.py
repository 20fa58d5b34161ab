"""Every statement of the PostgreSQL store is one that its distributed relatives can run; the linter would notice."""

from __future__ import annotations

import ast
import importlib.util

import pytest

from tensemem.engine.definitions import ENGINES as ENGINES_OF_COMMANDS
from tensemem.store.postgres.definitions import (
    ENGINES,
    SMALL,
    grants,
    grants_sql,
    parts_of,
    schema_sql,
    spread_tables,
)
from tensemem.store.postgres.statements import FILES, text_of
from tests.distributed.linter import KEYS, WRITING_INSIDE, faults_of, faults_of_tables, nodes, parsed, tables_in
from tests.distributed.statements import FOLDER, Statement, in_files, in_modules
from tests.settings import in_ci

if importlib.util.find_spec("pglast") is None:
    if in_ci():
        pytest.fail("the linter of SQL needs pglast", pytrace=False)
    pytest.skip("the linter of SQL needs pglast", allow_module_level=True)

NOT_RUN = frozenset({"definitions.py", "shards.py"})
"""Modules that make scripts for people to run; those are looked at as they come out."""

NOTICES = frozenset({"commits.py"})
"""Modules that use LISTEN and NOTIFY, and do without where they fail."""


@pytest.mark.parametrize("statement", in_files(), ids=str)
def test_a_statement_is_one_that_a_sharded_database_can_run(statement: Statement) -> None:
    assert faults_of(statement.text, is_fleet=statement.is_fleet) == []


@pytest.mark.parametrize("statement", in_files(["spread.sql"]), ids=str)
def test_a_statement_for_foreign_tables_speaks_of_one_scope(statement: Statement) -> None:
    # Only PostgreSQL runs these; that they write twice does no harm, for both are rows of one scope on one server.
    assert set(faults_of(statement.text)) <= {WRITING_INSIDE}


def test_what_is_spread_is_the_same_by_whatever_means() -> None:
    tree = ast.parse((FOLDER / "shards.py").read_text(encoding="utf-8"))  # which would load the driver
    keys = next(
        node.value for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "KEYS"
    )  # fmt: skip
    assert ast.literal_eval(keys) == KEYS


def test_no_statement_stands_elsewhere() -> None:
    assert len(in_files()) > 80
    assert {path.name for path in FOLDER.glob("*.sql")} == {
        *FILES, "spread.sql", "checkup.sql", "schema.sql", "schema_1.sql", "schema_2.sql", "schema_3.sql",
        "preparation.sql",
    }  # fmt: skip



@pytest.mark.parametrize("statement", list(in_modules(NOTICES | NOT_RUN)), ids=str)
def test_sql_in_a_module_is_as_good_as_that_in_files(statement: Statement) -> None:
    assert faults_of(statement.text) == []


def test_listening_is_done_in_one_module_only() -> None:
    everywhere = list(in_modules(NOT_RUN))
    noticing = [one for one in everywhere if "LISTEN" in one.text or "NOTIFY" in one.text]
    assert {one.place.partition(":")[0] for one in noticing} == NOTICES
    assert any("schema_version" in one.text for one in everywhere), "text in modules is looked at"


def test_a_table_of_many_scopes_has_its_key_first_and_no_other_rows() -> None:
    kept = [part for part in parts_of(text_of("schema.sql")) if not part.begins("CREATE TRIGGER", "CREATE FUNCTION")]
    tables = [part.statement for part in kept if not part.begins("CREATE POLICY")]
    assert faults_of_tables("\n".join(tables)) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_the_tables_for_an_engine_have_nothing_that_it_refuses(engine: str) -> None:
    text = schema_sql("tensemem", engine)
    assert faults_of_tables(text) == []
    made = {tree["CreateStmt"]["relation"]["relname"] for tree in parsed(text) if "CreateStmt" in tree}
    assert made == {*KEYS, *SMALL}


def test_the_engines_of_the_command_are_those_there_is_sql_for() -> None:
    assert ENGINES_OF_COMMANDS == ENGINES


def test_citus_is_told_where_each_table_goes() -> None:
    text = schema_sql("tensemem", "citus")
    for table in SMALL:
        assert f"create_reference_table('tensemem.{table}')" in text
    assert text.index("create_distributed_table('tensemem.scopes', 'id')") < text.index("colocate_with")
    for table in spread_tables()[1:]:
        assert f"create_distributed_table('tensemem.{table}', 'scope', colocate_with => 'tensemem.scopes')" in text


def test_grants_are_what_the_statements_need_and_not_more() -> None:
    needed = {table: {"SELECT"} for table in ("schema_version", "walls", "view_log", "view_facts")}
    for statement in in_files():
        for tree in parsed(statement.text):
            for table, verb in _uses(tree):
                needed.setdefault(table, set()).add(verb)
    needed["meta"] -= {"INSERT", "UPDATE"}  # the tag of a database is made with its tables
    assert {table: set(verbs.split(", ")) for table, verbs in grants().items()} == needed
    assert "UPDATE" not in grants()["entries"]


def _uses(tree: dict[str, object]) -> list[tuple[str, str]]:
    found = [(table, "SELECT") for table in tables_in(tree).names.values()]
    if nodes(tree, "LockingClause"):
        found += [(table, "UPDATE") for table in tables_in(tree).names.values()]
    for kind, verb in (("InsertStmt", "INSERT"), ("UpdateStmt", "UPDATE"), ("DeleteStmt", "DELETE")):
        for node in nodes(tree, kind):
            table = node["relation"]["relname"]
            found.append((table, verb))
            if "DO UPDATE" in str(node.get("onConflictClause", "")).replace("ONCONFLICT_UPDATE", "DO UPDATE"):
                found.append((table, "UPDATE"))
    return found


def test_names_are_quoted_whatever_stands_in_them() -> None:
    text = grants_sql("o'\"x\\", "it's\\a \0 name", "mem")
    assert len(parsed(text)) == len(grants()) + 5
    assert 'TO "o\'""x\\"' in text
    assert "'it''s\\\\a \1\1 name'" in text


# What the linter must catch

BAD = [
    ("SELECT pg_advisory_xact_lock($1)", "pg_advisory_xact_lock() is not there everywhere"),
    ("SELECT nextval('tensemem.numbers')", "nextval() is not there everywhere"),
    ("LISTEN tensemem", "LISTEN is not there everywhere"),
    ("NOTIFY tensemem", "NOTIFY is not there everywhere"),
    ("LOCK TABLE tensemem.scopes", "LOCK TABLE is not there everywhere"),
    ("SELECT rev FROM tensemem.entries WHERE seq = $1", "the scope is not given: entries"),
    ("SELECT rev FROM tensemem.entries WHERE scope = $1 OR seq = $2", "the scope is not given: entries"),
    ("SELECT rev FROM tensemem.entries WHERE scope > $1", "the scope is not given: entries"),
    ("SELECT rev FROM tensemem.entries WHERE scope = 1 + seq", "the scope is not given: entries"),
    ("SELECT rev FROM tensemem.scopes WHERE user_id = $1", "the scope is not given: scopes"),
    ("SELECT id FROM tensemem.scopes WHERE user_id = $1 FOR UPDATE", "the scope is not given: scopes"),
    (
        "SELECT f.key FROM tensemem.facts AS f JOIN tensemem.slots AS s ON s.id = f.slot WHERE f.scope = $1",
        "the scope is not given: slots",
    ),
    (
        "DELETE FROM tensemem.queue WHERE scope = $1 AND NOT EXISTS (SELECT 1 FROM tensemem.pending AS p)",
        "the scope is not given: pending",
    ),
    ("UPDATE tensemem.scopes SET rev = $1", "the scope is not given: scopes"),
    ("UPDATE tensemem.slots SET plain = true WHERE id = $1", "the scope is not given: slots"),
    ("INSERT INTO tensemem.entries (rev) VALUES ($1)", "the scope is not given: entries"),
    (
        "INSERT INTO tensemem.entries (scope, rev) VALUES (7, $1)",
        "the scope is not given as a parameter: entries",
    ),
    (
        "INSERT INTO tensemem.keys (scope, key) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING",
        "ON CONFLICT does not begin with the scope: keys",
    ),
    ("SELECT ctid FROM tensemem.entries WHERE scope = $1", "ctid is PostgreSQL's own"),
    ("SELECT e.xmin FROM tensemem.entries AS e WHERE e.scope = $1", "xmin is PostgreSQL's own"),
    (
        "WITH gone AS (DELETE FROM tensemem.keys WHERE scope = $1 RETURNING key) SELECT * FROM gone",
        "a query that writes inside another may write to two machines",
    ),
    (
        "WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT * FROM n",
        "a recursive query is answered by one machine only",
    ),
    ("SELECT 1 FROM tensemem.entries TABLESAMPLE system (1) WHERE scope = $1", "TABLESAMPLE is not there everywhere"),
    ("TRUNCATE tensemem.entries", "TRUNCATE is not there everywhere"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "fault"), BAD)
def test_a_bad_statement_is_caught(statement: str, fault: str) -> None:
    assert fault in faults_of(statement)


BAD_FLEET = [
    ("UPDATE tensemem.scopes SET rev = 0", "a statement over many scopes writes"),
    (
        "SELECT scope FROM tensemem.queue FOR UPDATE SKIP LOCKED",
        "FOR UPDATE over many scopes locks rows on many machines",
    ),
    (
        "DELETE FROM tensemem.leases WHERE scope IN (SELECT scope FROM tensemem.queue)",
        "a statement that deletes over many scopes asks for others",
    ),
    (
        "SELECT 1 FROM tensemem.slots AS s JOIN tensemem.claims AS c ON c.slot = s.id",
        "two tables are joined by something else than the scope",
    ),
    ("SELECT id FROM tensemem.workers", "it speaks of small tables only; it needs no fleet line"),
    ("SELECT rev FROM tensemem.entries WHERE scope = $1", "the scope is given; it needs no fleet line"),
]


@pytest.mark.parametrize(("statement", "fault"), BAD_FLEET)
def test_a_bad_statement_over_many_scopes_is_caught(statement: str, fault: str) -> None:
    assert fault in faults_of(statement, is_fleet=True)


BAD_TABLES = [
    ("CREATE TABLE tensemem.a (scope bigserial PRIMARY KEY)", "a: a serial column is a sequence"),
    (
        "CREATE TABLE tensemem.a (scope bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)", "a: an identity column",
    ),
    ("CREATE TABLE tensemem.a (scope bigint PRIMARY KEY REFERENCES tensemem.scopes (id))", "a: a foreign key"),
    ("CREATE TABLE tensemem.a (id bigint PRIMARY KEY, scope bigint)", "a: a key that does not begin with scope"),
    (
        "CREATE TABLE tensemem.a (scope bigint, x text, PRIMARY KEY (x, scope))",
        "a: a key that does not begin with scope",
    ),
    (
        "CREATE TABLE tensemem.a (scope bigint PRIMARY KEY, x text UNIQUE)", "a: a key that does not begin with scope",
    ),
    ("CREATE TABLE tensemem.a (scope bigint)", "a has no primary key"),
    ("CREATE UNLOGGED TABLE tensemem.a (scope bigint PRIMARY KEY)", "a is not a lasting table"),
    (
        "CREATE TABLE tensemem.a (scope bigint PRIMARY KEY) PARTITION BY HASH (scope)",
        "a inherits or is partitioned by hand",
    ),
    ("CREATE UNIQUE INDEX x ON tensemem.keys (key)", "keys: a unique index that does not begin with its scope"),
    ("CREATE INDEX x ON tensemem.keys USING gin (key)", "keys: an index of a kind that is not there everywhere"),
    ("CREATE SEQUENCE tensemem.numbers", "a sequence is not there everywhere"),
    ("CREATE TRIGGER t BEFORE UPDATE ON tensemem.keys EXECUTE FUNCTION f()", "a trigger"),
    ("CREATE POLICY p ON tensemem.keys USING (true)", "a policy"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "fault"), BAD_TABLES)
def test_a_bad_table_is_caught(script: str, fault: str) -> None:
    assert fault in faults_of_tables(script)

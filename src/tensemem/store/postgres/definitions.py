"""The SQL that makes the tables, lets roles at them, and spreads them over machines, as text for whoever runs it.

All of it is made from the steps of the schema; nothing here needs a server, or the driver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...errors import InvalidValueError
from .escapes import escaped
from .statements import in_schema, schema_name
from .steps import MIGRATIONS, preparation

SMALL = ("schema_version", "meta", "walls", "workers", "forgotten")
"""Tables that are the same for all scopes, and small: a sharded database keeps all of each everywhere."""

HEADS = "scopes"
"""The table whose key is the scope's number itself; in every other the number is the column ``scope``."""

ENGINES = ("citus", "cockroach")

_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?tensemem\.(\w+)")


@dataclass(frozen=True, slots=True)
class Part:
    """One statement of a script, with the comment above it."""

    comment: str
    statement: str

    def begins(self, *words: str) -> bool:
        """Tell whether the statement begins with one of these words, whatever stands between them."""
        return any(re.match(r"\s+".join(one.split()) + r"\b", self.statement) for one in words)

    def __str__(self) -> str:
        return self.comment + self.statement


def parts_of(script: str) -> Iterator[Part]:
    """Give the statements of a script; each ends with a semicolon at the end of a line, outside ``$$``."""
    comment = statement = ""
    for line in script.splitlines(keepends=True):
        if not statement and (not line.strip() or line.startswith("--")):
            comment = comment + line if line.strip() else ""
            continue
        statement += line
        if line.rstrip().endswith(";") and statement.count("$$") % 2 == 0:
            yield Part(comment, statement)
            comment = statement = ""


def spread_tables() -> list[str]:
    """Give the tables that are spread by scope, the heads first."""
    found = [name for step in MIGRATIONS for name in _TABLE.findall(step.script) if name not in SMALL]
    return sorted(found, key=lambda name: (name != HEADS, name))


def schema_sql(schema: str, distributed: str | None = None) -> str:
    """Give the SQL that makes the tables in an empty database; ``distributed`` names an engine of several machines.

    Raises InvalidValueError for another engine than ``citus`` and ``cockroach``.
    """
    if distributed not in _KEPT:
        raise InvalidValueError(f"distributed must be one of {', '.join(ENGINES)}, not {distributed!r}")
    note, keep = _KEPT[distributed]
    lines = [note, preparation("tensemem")]
    for step in MIGRATIONS:
        lines += [str(part) for part in parts_of(step.script) if keep(part)]
        lines += [_MADE_ONCE[step.version]] if step.version in _MADE_ONCE else []
        lines.append(_APPLIED.format(step=step))
    lines += _spread_over_citus() if distributed == "citus" else []
    text = "\n".join(lines)
    return in_schema(text if distributed != "cockroach" else text.replace(' COLLATE "C"', ""), schema)


def quoted_role(role: str) -> str:
    """Give a role's name as SQL has it; raises InvalidValueError for what can name none."""
    if not role or "\0" in role or "$held$" in role or not 0 < len(role.encode("utf-8", "replace")) <= _LONGEST_NAME:
        raise InvalidValueError(f"a role's name has 1 to {_LONGEST_NAME} bytes")
    return _identifier(role)


def grants_sql(role: str, namespace: str | None, schema: str, more: str = "") -> str:
    """Give the SQL that lets a role at one namespace, or as a service at all of them; no entry can be changed by it.

    ``more`` is said in the same transaction. Raises InvalidValueError for what can name no role.
    """
    quoted, literal, schema = quoted_role(role), _literal(role), schema_name(schema)
    lines = [_HEADING, "BEGIN;\n", *([] if namespace is None else [_NOT_ABOVE.format(role=literal, schema=schema)])]
    lines.append(f"GRANT USAGE ON SCHEMA {schema} TO {quoted};")
    lines += [f"GRANT {verbs} ON {schema}.{table} TO {quoted};" for table, verbs in grants().items()]
    if namespace is None:
        lines += [_SERVICE, f"ALTER ROLE {quoted} BYPASSRLS;"]
    else:
        wall = f"({literal}, {_literal(escaped(namespace))})"
        lines += [_WALL, f"INSERT INTO {schema}.walls (role, namespace) VALUES {wall} ON CONFLICT DO NOTHING;"]
    lines += [more] if more else []
    return "\n".join([*lines, "\nCOMMIT;"]) + "\n"


def _spread_over_citus() -> list[str]:
    heads, *others = spread_tables()
    return [
        _SPREADING,
        *(f"SELECT create_reference_table('tensemem.{name}');" for name in SMALL),
        f"SELECT create_distributed_table('tensemem.{heads}', 'id');",
        *(
            f"SELECT create_distributed_table('tensemem.{name}', 'scope', colocate_with => 'tensemem.{heads}');"
            for name in others
        ),
        "",
    ]


def grants() -> dict[str, str]:
    """Give what a role may do with each table: what the statements do, and not more."""
    usual = dict.fromkeys(spread_tables(), "SELECT, INSERT, UPDATE, DELETE")
    return {**usual, **_LESS, "view_log": "SELECT", "view_facts": "SELECT"}


_LESS = {
    "entries": "SELECT, INSERT, DELETE",
    "forgotten": "SELECT, INSERT",
    "workers": "SELECT, INSERT, UPDATE, DELETE",
    "texts": "SELECT, INSERT, DELETE",
    "postings": "SELECT, INSERT, DELETE",
    "meta": "SELECT",
    "walls": "SELECT",
    "schema_version": "SELECT",
}

_HEADING = """\
-- What a role needs to use tensemem. Run this as the owner of the tables; the role must be another one. Make it before:
-- CREATE ROLE name LOGIN PASSWORD '...' NOSUPERUSER NOBYPASSRLS;
"""
_NOT_ABOVE = """\
DO $held$
BEGIN
    IF EXISTS (
        SELECT 1 FROM pg_roles AS r
        WHERE pg_has_role({role}::name, r.oid, 'MEMBER') AND (
            r.rolsuper OR r.rolbypassrls OR r.rolcreaterole
            OR r.oid = (SELECT relowner FROM pg_class WHERE oid = '{schema}.scopes'::regclass)
            OR r.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        )
    ) THEN
        RAISE EXCEPTION 'nothing holds this role back: it is, or may act as, the owner of the tables, a superuser, '
            'or a role that has BYPASSRLS, makes roles, or reaches the files of the server';
    END IF;
END
$held$;
"""
_WALL = """
-- The wall: rows of this namespace, and of others that stand in this table for the role, are all there is for it."""
_SERVICE = """
-- No wall: a service sees every namespace. Only a superuser, or a role that has it, may give this attribute; where you
-- are neither, let the service log in as the owner of the tables."""
_FENCE = """\
-- The tag by which this database knows text that was recalled from it.
INSERT INTO tensemem.meta (name, value) VALUES ('fence', replace(gen_random_uuid()::text, '-', ''));
"""
_FORGET_KEY = """\
-- The key of the marks that stand for what was forgotten.
INSERT INTO tensemem.meta (name, value)
VALUES ('forget_key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
"""
_MADE_ONCE = {1: _FENCE, 2: _FORGET_KEY}
_APPLIED = """\
INSERT INTO tensemem.schema_version (version, checksum) VALUES ({step.version}, '{step.checksum}');
"""
_SPREADING = """\
-- Each scope's rows on one machine, beside its head; what is the same for all scopes on every machine."""

_LONGEST_NAME = 63


def _is_plain(part: Part) -> bool:
    """Tell whether a statement makes neither walls nor triggers."""
    is_wall = part.begins("CREATE POLICY") or "ENABLE ROW LEVEL SECURITY" in part.statement
    return not is_wall and not part.begins("CREATE TRIGGER", "CREATE FUNCTION")


_KEPT: dict[str | None, tuple[str, Callable[[Part], bool]]] = {
    None: ("-- The tables of tensemem, as `tensemem migrate` makes them.\n", lambda _: True),
    "citus": (
        """\
-- The tables of tensemem for Citus. Not tried on a cluster: read it before you run it.
-- Left out, for Citus refuses them on distributed tables: the trigger that forbids to change an entry (grant no UPDATE
-- on entries instead), and the walls between namespaces, whose policies ask other tables.
CREATE EXTENSION IF NOT EXISTS citus;
""",
        _is_plain,
    ),
    "cockroach": (
        """\
-- The tables of tensemem for CockroachDB. Not tried on a cluster: read it before you run it.
-- Left out, for not every release has them: the trigger that forbids to change an entry (grant no UPDATE on entries
-- instead), the walls between namespaces, and the views for people. No collation is named: text sorts by its bytes.
-- Nothing is sharded by hand: ranges split along the keys, which all begin with a scope's number, and these numbers
-- have no order in time. There is no LISTEN: who waits looks again.
""",
        lambda part: _is_plain(part) and not part.begins("CREATE VIEW"),
    ),
}


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    """Quote text as SQL does whatever ``standard_conforming_strings`` says."""
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted

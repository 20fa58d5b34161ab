"""What SQL must keep to, so that PostgreSQL's distributed relatives can run it: a linter over PostgreSQL's own parser.

Scopes are independent. A statement names the scope it is about, so that a sharded database sends it to one machine;
one about many scopes only reads, or deletes by another column, and says so in a line ``-- fleet: why``. Beyond that
nothing is used that Citus, CockroachDB or YugabyteDB lack.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tensemem.store.postgres.definitions import HEADS, SMALL, spread_tables

Node = dict[str, Any]

KEYS = {table: "id" if table == HEADS else "scope" for table in spread_tables()}
"""The tables that are spread over machines, and the column that says where."""

STATEMENTS = {
    "ListenStmt": "LISTEN", "NotifyStmt": "NOTIFY", "UnlistenStmt": "UNLISTEN", "LockStmt": "LOCK TABLE",
    "CreateSeqStmt": "a sequence", "DeclareCursorStmt": "a cursor", "TruncateStmt": "TRUNCATE", "RuleStmt": "a rule",
    "CopyStmt": "COPY", "DoStmt": "DO", "MergeStmt": "MERGE", "CreateTableAsStmt": "CREATE TABLE AS",
    "PrepareStmt": "PREPARE", "CreateForeignTableStmt": "a foreign table",
}  # fmt: skip
FUNCTIONS = ("advisory", "nextval", "currval", "setval", "lastval", "pg_notify", "txid", "pg_current_xact", "dblink")
SYSTEM_COLUMNS = frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"})
CONSTRAINTS = {
    "CONSTR_FOREIGN": "a foreign key", "CONSTR_IDENTITY": "an identity column", "CONSTR_EXCLUSION": "an exclusion",
    "CONSTR_GENERATED": "a generated column",
}  # fmt: skip
SERIALS = frozenset({"serial", "bigserial", "smallserial", "serial4", "serial8", "serial2"})
BESIDE_TABLES = {"CreateTrigStmt": "a trigger", "CreateFunctionStmt": "a function", "CreatePolicyStmt": "a policy"}
WRITES = ("InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt")


WRITING_INSIDE = "a query that writes inside another may write to two machines"


def faults_of(statement: str, *, is_fleet: bool = False) -> list[str]:
    """Give what is wrong with a statement that is run; empty where nothing is."""
    trees = parsed(statement)
    found = [fault for tree in trees for fault in _anywhere(tree)]
    for tree in trees:
        found += _fleet_faults(tree) if is_fleet else _key_faults(tree)
    return sorted(set(found))


def faults_of_tables(script: str) -> list[str]:
    """Give what is wrong with a script that makes tables."""
    found: list[str] = []
    for tree in parsed(script):
        found += _anywhere(tree)
        found += [what for kind, what in BESIDE_TABLES.items() if kind in tree]
        if "CreateStmt" in tree:
            found += _table_faults(tree["CreateStmt"])
        if "IndexStmt" in tree:
            found += _index_faults(tree["IndexStmt"])
    return sorted(set(found))


def parsed(text: str) -> list[Node]:
    """Give the trees of the statements in a text."""
    from pglast.parser import parse_sql_json

    return [one["stmt"] for one in json.loads(parse_sql_json(text))["stmts"]]


def walk(tree: Any) -> Iterator[tuple[str, Any]]:
    """Give every node of a tree under its kind."""
    if isinstance(tree, dict):
        for kind, value in tree.items():
            yield kind, value
            yield from walk(value)
    elif isinstance(tree, list):
        for one in tree:
            yield from walk(one)


def nodes(tree: Any, kind: str) -> list[Any]:
    return [value for name, value in walk(tree) if name == kind]


def words(tree: Any) -> list[str]:
    return [one["sval"] for one in nodes(tree, "String") if "sval" in one]


# What no statement has


def _anywhere(tree: Node) -> Iterator[str]:
    yield from (f"{what} is not there everywhere" for kind, what in STATEMENTS.items() if kind in tree)
    for call in nodes(tree, "FuncCall"):
        name = words(call["funcname"])[-1]
        if any(part in name for part in FUNCTIONS):
            yield f"{name}() is not there everywhere"
    for reference in nodes(tree, "ColumnRef"):
        yield from (f"{name} is PostgreSQL's own" for name in words(reference["fields"]) if name in SYSTEM_COLUMNS)
    if nodes(tree, "RangeTableSample"):
        yield "TABLESAMPLE is not there everywhere"
    for clause in nodes(tree, "withClause"):
        if clause.get("recursive"):
            yield "a recursive query is answered by one machine only"
        if any(nodes(clause, kind) for kind in WRITES):
            yield WRITING_INSIDE


# The key in every statement


@dataclass
class Tables:
    """The tables a statement speaks of, each time it names one, and how their keys are bound."""

    names: dict[str, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    equal: list[tuple[str, str]] = field(default_factory=list)

    def add(self, table: str) -> str:
        """Count one more mention of a table; gives a name for it."""
        mention = f"{table} {len(self.names)}"
        self.names[mention] = table
        return mention

    def spread(self) -> set[str]:
        return {mention for mention, name in self.names.items() if name in KEYS}

    def reached(self) -> set[str]:
        """The mentions whose key is given, itself or by being that of one whose key is."""
        found = set(self.bound)
        for _ in self.names:
            found |= {one for pair in self.equal for one in pair if found & set(pair)}
        return found


Seen = dict[str, str]
"""What an alias means where a query stands: its own tables, and those of the queries around it."""

QUERIES = ("SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt", "larg", "rarg")


def tables_in(tree: Any) -> Tables:
    found = Tables()
    _descend(tree, {}, found)
    return found


def _descend(tree: Any, seen: Seen, found: Tables) -> None:
    if isinstance(tree, list):
        for one in tree:
            _descend(one, seen, found)
    elif isinstance(tree, dict):
        for kind, value in tree.items():
            if kind in QUERIES:
                _read_query(kind, value, seen, found)
            else:
                _descend(value, seen, found)


def _read_query(kind: str, query: Node, seen: Seen, found: Tables) -> None:
    own: Seen = {}
    for table in _own_tables(query):
        mention = own[table.get("alias", {}).get("aliasname", table["relname"])] = found.add(table["relname"])
        if kind == "InsertStmt":
            found.bound.add(mention)  # that its rows name their scope is looked at where it stands
    for condition in [query.get("whereClause"), *nodes(query.get("fromClause", []), "quals")]:
        if condition is not None:
            _read_condition(condition, own, {**seen, **own}, found)
    _descend(query, {**seen, **own}, found)


def _own_tables(query: Node) -> Iterator[Node]:
    """Give the tables that a query names itself, not those of queries inside it."""
    relation = query.get("relation")
    waiting: list[Any] = [*query.get("fromClause", []), *query.get("usingClause", [])]
    tables = [relation] if relation else []
    while waiting:
        node = waiting.pop(0)
        if "RangeVar" in node:
            tables.append(node["RangeVar"])
        elif "JoinExpr" in node:
            waiting += [node["JoinExpr"]["larg"], node["JoinExpr"]["rarg"]]
    yield from (table for table in tables if table.get("schemaname") == "tensemem")


def _read_condition(node: Node, own: Seen, seen: Seen, found: Tables) -> None:
    """Read equalities that must hold; of alternatives, what each of them binds."""
    if "BoolExpr" in node:
        boolean = node["BoolExpr"]
        if boolean["boolop"] == "AND_EXPR":
            for one in boolean["args"]:
                _read_condition(one, own, seen, found)
        elif boolean["boolop"] == "OR_EXPR":
            branches = [Tables(dict(found.names)) for _ in boolean["args"]]
            for one, branch in zip(boolean["args"], branches, strict=True):
                _read_condition(one, own, seen, branch)
            found.bound |= set.intersection(*(branch.bound for branch in branches))
        return
    equality = node.get("A_Expr", {})
    if equality.get("kind") != "AEXPR_OP" or words(equality.get("name", [])) != ["="]:
        return
    sides = [equality["lexpr"], equality["rexpr"]]
    keys = [_mention_of_key(side, own, seen, found) for side in sides]
    for mention, other in ((keys[0], sides[1]), (keys[1], sides[0])):
        if mention is not None and "ParamRef" in other:
            found.bound.add(mention)
    if keys[0] is not None and keys[1] is not None:
        found.equal.append((keys[0], keys[1]))


def _mention_of_key(side: Node, own: Seen, seen: Seen, found: Tables) -> str | None:
    """Give the table whose key a column is; None for any other column."""
    if "ColumnRef" not in side:
        return None
    names = words(side["ColumnRef"]["fields"])
    if names[:-1]:
        meant = [seen[names[-2]]] if names[-2] in seen else []
    else:
        meant = [mention for mention in own.values() if KEYS.get(found.names[mention]) == names[-1]]
    is_key = len(meant) == 1 and KEYS.get(found.names[meant[0]]) == names[-1]
    return meant[0] if is_key else None


def _key_faults(tree: Node) -> Iterator[str]:
    for inserted in nodes(tree, "InsertStmt"):
        if inserted["relation"]["relname"] in KEYS:
            yield from _insert_faults(inserted, KEYS[inserted["relation"]["relname"]])
    tables = tables_in(tree)
    for mention in sorted(tables.spread() - tables.reached()):
        yield f"the scope is not given: {tables.names[mention]}"


def _insert_faults(inserted: Node, key: str) -> Iterator[str]:
    columns = [one["ResTarget"]["name"] for one in inserted.get("cols", [])]
    if key not in columns:
        yield f"the scope is not given: {inserted['relation']['relname']}"
        return
    place = columns.index(key)
    select = inserted["selectStmt"]["SelectStmt"]
    rows = [row["List"]["items"] for row in select.get("valuesLists", [])]
    rows = rows or [[one["ResTarget"]["val"] for one in select["targetList"]]]
    if any("ParamRef" not in row[place] for row in rows):
        yield f"the scope is not given as a parameter: {inserted['relation']['relname']}"
    aim = inserted.get("onConflictClause", {}).get("infer", {})
    wanted = [one["IndexElem"]["name"] for one in aim.get("indexElems", [])]
    if wanted and wanted[0] != key:
        yield f"ON CONFLICT does not begin with the scope: {inserted['relation']['relname']}"


def _fleet_faults(tree: Node) -> Iterator[str]:
    """Over many scopes one may read without locks, or delete; tables are joined by their scope only."""
    if "InsertStmt" in tree or "UpdateStmt" in tree:
        yield "a statement over many scopes writes"
    if nodes(tree, "LockingClause"):
        yield "FOR UPDATE over many scopes locks rows on many machines"
    if "DeleteStmt" in tree and nodes(tree["DeleteStmt"], "SubLink"):
        yield "a statement that deletes over many scopes asks for others"
    tables = tables_in(tree)
    if not tables.spread():
        yield "it speaks of small tables only; it needs no fleet line"
    elif not tables.spread() - tables.reached():
        yield "the scope is given; it needs no fleet line"
    for join in nodes(tree, "JoinExpr"):
        sides = tables_in({"SelectStmt": {"fromClause": [{"JoinExpr": join}]}})
        if len(sides.spread()) > 1 and not sides.equal:
            yield "two tables are joined by something else than the scope"


# Tables


def _table_faults(table: Node) -> Iterator[str]:
    name = table["relation"]["relname"]
    if table["relation"].get("relpersistence", "p") != "p":
        yield f"{name} is not a lasting table"
    if "inhRelations" in table or "partspec" in table:
        yield f"{name} inherits or is partitioned by hand"
    for column in nodes(table.get("tableElts", []), "ColumnDef"):
        if words(column["typeName"]["names"])[-1] in SERIALS:
            yield f"{name}: a serial column is a sequence"
    for constraint in nodes(table.get("tableElts", []), "Constraint"):
        kind = constraint["contype"]
        if kind in CONSTRAINTS:
            yield f"{name}: {CONSTRAINTS[kind]}"
    yield from _unique_faults(name, table)


def _unique_faults(name: str, table: Node) -> Iterator[str]:
    """What is unique is so within one scope: a machine can't look at the others."""
    if name in SMALL:
        return
    key = KEYS.get(name, "scope")
    primary = 0
    for element in table.get("tableElts", []):
        column = element.get("ColumnDef", {}).get("colname")
        for constraint in nodes(element, "Constraint"):
            if constraint["contype"] in ("CONSTR_PRIMARY", "CONSTR_UNIQUE"):
                primary += constraint["contype"] == "CONSTR_PRIMARY"
                columns = words(constraint.get("keys", [])) or [column]
                if columns[0] != key:
                    yield f"{name}: a key that does not begin with {key}"
    if primary != 1:
        yield f"{name} has no primary key"


def _index_faults(index: Node) -> Iterator[str]:
    name = index["relation"]["relname"]
    first = index["indexParams"][0]["IndexElem"].get("name")
    if index.get("unique") and first != KEYS.get(name):
        yield f"{name}: a unique index that does not begin with its scope"
    if index.get("accessMethod", "btree") != "btree":
        yield f"{name}: an index of a kind that is not there everywhere"
    if index.get("concurrent"):
        yield f"{name}: CONCURRENTLY is not there in a transaction"

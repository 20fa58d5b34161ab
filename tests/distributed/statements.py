"""Every piece of SQL the PostgreSQL store has: in its .sql files, and as text in its modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensemem.store.postgres import statements
from tensemem.store.postgres.statements import FILES

FOLDER = Path(statements.__file__).parent
_SQL = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|TRUNCATE|LOCK|LISTEN|NOTIFY|UNLISTEN|MERGE|COPY)\s+\S"
)


@dataclass(frozen=True)
class Statement:
    """One statement: where it stands, and whether it says that it is about many scopes."""

    place: str
    text: str
    is_fleet: bool = False

    def __str__(self) -> str:
        return self.place


def in_files(files: Sequence[str] = FILES) -> list[Statement]:
    """Give the statements of .sql files."""
    found = []
    for file in files:
        for block in re.split(r"^(?=-- name: )", (FOLDER / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            lines = block.splitlines()
            name = lines[0].removeprefix("-- name: ")
            is_fleet = any(re.match(r"-- fleet: \S", line) for line in lines)
            found.append(Statement(f"{file}:{name}", block, is_fleet))
    return found


def in_modules(but: frozenset[str]) -> Iterator[Statement]:
    """Give what looks like SQL in the text of the modules; what is put in at run time stands as a name."""
    for path in sorted(FOLDER.glob("*.py")):
        if path.name not in but:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
            for node in ast.walk(tree):
                text = None if id(node) in inner else _text(node)
                if text is not None and _SQL.match(text):
                    yield Statement(f"{path.name}:{getattr(node, 'lineno', 0)}", text)


def _text(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Constant(value=bytes() as text):
            return text.decode()
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) or "" for part in parts)
        case ast.FormattedValue(value=ast.Name(id="schema")):
            return "tensemem"
        case ast.FormattedValue():
            return "x"
        case _:
            return None

"""Imports go down only, and what decides is pure."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "tensemem"

# Each part of the package, its floor, and which floors or parts it may import. A part may always import
# itself. In `adapters` and `compat` every module or folder is a part of its own; one whose name starts with
# an underscore is shared by its neighbours.
FLOORS: dict[str, tuple[int, frozenset[int | str]]] = {
    "_version": (0, frozenset()),
    "errors": (0, frozenset({0})),
    "extras": (0, frozenset({0})),
    "model": (0, frozenset({0})),
    "core": (1, frozenset({0})),
    "drawing": (1, frozenset({0, "core"})),
    "ports": (1, frozenset({0})),
    "logs": (1, frozenset({0})),
    "store": (2, frozenset({0, "ports", "logs"})),
    "access": (2, frozenset({0, "logs"})),
    "extract": (2, frozenset({0, 1})),
    "times": (2, frozenset({0, 1})),
    "vocabulary": (2, frozenset()),
    "engine": (3, frozenset({0, 1, 2})),
    "verbs": (4, frozenset({0, 1, 2, 3})),
    "memory": (4, frozenset({0, 1, 2, 3, "verbs"})),
    "aio": (4, frozenset({0, 1, 2, 3, "verbs", "memory"})),
    "wire": (5, frozenset({0, 1, 2, 3, 4})),
    "client": (5, frozenset({0, 1, 2, 3, 4, "wire"})),
    "observe": (5, frozenset({0, 1, 2, 3, 4})),
    "bench": (5, frozenset({0, 1, 2, 3, 4, "__init__"})),
    "testing": (5, frozenset({0, 1, 2, 3, 4, "__init__"})),
    "trial": (5, frozenset({0, 1, 2, 3, 4, "__init__"})),
    "adapters": (5, frozenset({0, 1, 2, 3, 4, "bench", "observe", "testing", "trial", "wire", "client", "__init__"})),
    "compat": (5, frozenset({0, 1, 2, 3, 4, "__init__"})),
    "__init__": (6, frozenset({0, 1, 2, 3, 4, "client"})),
    "__main__": (7, frozenset({5})),
}
STRANGERS = frozenset({"adapters", "compat"})
STANDARD_LIBRARY_ONLY = frozenset({"_version", "errors", "model", "core", "drawing", "ports", "logs"})
LOADS_THIRD_PARTY_AT_IMPORT = frozenset({"adapters", "compat", "testing"})
WHOLE_FOLDERS_LOADED_WHEN_USED = frozenset(
    {("access", "postgres"), ("store", "postgres"), ("store", "sealing")}
)
"""Folders that load what an extra brings, so that others load them only where they are used."""

STARTS: dict[str, frozenset[str]] = {"adapters.cli": frozenset({"adapters.mcp", "adapters.rest", "adapters.studio"})}
"""Which adapter starts which: its commands load them where they are used, and nothing else of them."""

WITH_THEM: dict[tuple[str, ...], tuple[str, ...]] = {("store", "sealing", "keytable"): ("store", "postgres")}
"""Modules that are loaded where they are used, and such a folder with them."""

PURE = frozenset({"model", "core", "drawing"})
IMPURE_MODULES = frozenset(
    {
        "asyncio",
        "io",
        "logging",
        "os",
        "pathlib",
        "random",
        "secrets",
        "shutil",
        "socket",
        "sqlite3",
        "subprocess",
        "tempfile",
        "threading",
        "time",
        "uuid",
    }
)
IMPURE_NAMES = frozenset(
    {
        "datetime.datetime.now",
        "datetime.datetime.utcnow",
        "datetime.datetime.today",
        "datetime.date.today",
        "time.time",
        "time.time_ns",
        "time.monotonic",
    }
)
IMPURE_BUILTINS = frozenset({"open", "print", "input"})


def test_imports_go_down_only() -> None:
    assert layer_faults(SOURCE) == []


def test_what_decides_has_no_clock_no_randomness_and_no_world() -> None:
    assert purity_faults(SOURCE) == []


def test_every_part_of_the_package_is_looked_at() -> None:
    seen = {module.part for module in modules(SOURCE)}
    assert {"model", "core", "store", "engine", "verbs", "memory", "aio", "adapters.cli"} <= seen


@pytest.mark.parametrize(
    ("file", "code", "complaint"),
    [
        ("model/fact.py", "from tensemem.core import fold", "model may not import core"),
        ("model/fact.py", "import tensemem.core.fold", "model may not import core"),
        ("model/fact.py", "from ..core.fold import fold", "model may not import core"),
        ("model/fact.py", "from .. import core", "model may not import core"),
        ("model/fact.py", "import pydantic", "model may import the standard library only, not pydantic"),
        ("model/fact.py", "from tensemem import Memory", "model may not import __init__"),
        ("core/fold.py", "from tensemem import ports", "core may not import ports"),
        ("core/fold.py", "def f():\n    from tensemem.engine import walk", "core may not import engine"),
        ("core/fold.py", "import importlib as i\ni.import_module('tensemem.aio')", "core may not import aio"),
        ("core/fold.py", "from ..drawing import timeline", "core may not import drawing"),
        ("drawing/bars.py", "from ..engine import walk", "drawing may not import engine"),
        ("drawing/bars.py", "import svgwrite", "drawing may import the standard library only, not svgwrite"),
        ("ports.py", "from .store import sqlite", "ports may not import store"),
        ("store/sqlite.py", "from tensemem.extract import fake", "store may not import extract"),
        ("store/sqlite.py", "from tensemem.core.fold import fold", "store may not import core"),
        ("store/sqlite.py", "import apsw", "store may load apsw only where it is used"),
        ("store/plain.py", "from .postgres import x", "store may load store.postgres only where it is used"),
        (
            "store/sealing/opening.py", "from .keytable import KeyTable",
            "store may load store.sealing.keytable only where it is used",
        ),
        (
            "engine/wiring.py", "from ..store.postgres import PostgresStore",
            "engine may load store.postgres only where it is used",
        ),
        ("extract/fake.py", "from tensemem.store import sqlite", "extract may not import store"),
        ("extract/fake.py", "from ..store.sqlite import Store", "extract may not import store"),
        ("engine/walk.py", "from tensemem.memory import Memory", "engine may not import memory"),
        ("engine/walk.py", "from ..verbs import reading", "engine may not import verbs"),
        ("verbs/reading.py", "from ..memory import Memory", "verbs may not import memory"),
        ("verbs/reading.py", "from ..aio import AsyncMemory", "verbs may not import aio"),
        ("verbs/reading.py", "from ..adapters import cli", "verbs may not import adapters.cli"),
        ("memory.py", "from tensemem.aio import AsyncMemory", "memory may not import aio"),
        ("aio.py", "import tensemem.adapters.cli", "aio may not import adapters.cli"),
        ("adapters/cli.py", "from . import langgraph", "adapters.cli may not import adapters.langgraph"),
        ("adapters/cli/main.py", "from ..langgraph import x", "adapters.cli may not import adapters.langgraph"),
        ("adapters/cli/main.py", "from ..rest import app", "adapters.cli may load adapters.rest only where it is used"),
        ("adapters/rest/main.py", "def f():\n    from ..cli import x", "adapters.rest may not import adapters.cli"),
        ("adapters/mcp/main.py", "def f():\n    from ..rest import x", "adapters.mcp may not import adapters.rest"),
        ("adapters/cli.py", "from tensemem.compat import mem0", "adapters.cli may not import compat.mem0"),
        ("compat/mem0.py", "from tensemem.adapters.cli import f", "compat.mem0 may not import adapters.cli"),
        ("surprise.py", "", "surprise stands on no floor"),
    ],
)
def test_an_import_that_does_not_go_down_is_reported(
    tmp_path: Path, file: str, code: str, complaint: str
) -> None:
    faults = layer_faults(small_tree(tmp_path, file, code))
    assert len(faults) == 1
    assert complaint in faults[0]


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("model/fact.py", "import datetime\nfrom tensemem.errors import StoreError\nfrom .scope import User"),
        ("errors.py", "from tensemem.model.scope import Scope"),
        ("core/fold.py", "from tensemem.model import fact\nfrom . import text\nfrom .text import key"),
        ("store/sqlite.py", "from .. import ports\ndef f():\n    import apsw"),
        ("store/sqlite.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import apsw"),
        ("extract/fake.py", "from tensemem.core import text\nfrom tensemem.ports import Extractor"),
        ("engine/walk.py", "from tensemem import core, ports, store, extract"),
        ("verbs/reading.py", "from ..engine import walk\nfrom ..model import fact\nfrom .base import Base"),
        ("memory.py", "from tensemem.engine.walk import walk\nfrom .verbs.reading import Reading"),
        ("aio.py", "from .memory import Memory\nfrom .verbs import reading\nfrom .engine.walk import walk"),
        ("adapters/cli.py", "import click\nfrom tensemem import Memory, errors\nfrom ._shared import shown"),
        ("adapters/cli/main.py", "def f():\n    from ..rest import app"),
        ("adapters/cli/main.py", "from .render import table\nfrom . import render\nfrom .. import _shared"),
        ("__init__.py", "from .memory import Memory\nfrom tensemem import errors"),
        ("__main__.py", "from tensemem.adapters.cli import main"),
    ],
)
def test_an_import_that_goes_down_is_fine(tmp_path: Path, file: str, code: str) -> None:
    assert layer_faults(small_tree(tmp_path, file, code)) == []


@pytest.mark.parametrize(
    ("file", "code", "complaint"),
    [
        ("core/fold.py", "import time", "imports time"),
        ("core/fold.py", "def f():\n    import random", "imports random"),
        ("core/fold.py", "from os import environ", "imports os"),
        ("core/fold.py", "import os.path", "imports os"),
        ("core/fold.py", "import secrets", "imports secrets"),
        ("model/fact.py", "import uuid", "imports uuid"),
        ("model/fact.py", "import datetime\ndatetime.datetime.now()", "uses datetime.datetime.now"),
        ("model/fact.py", "import datetime as dt\ndt.datetime.now(dt.UTC)", "uses datetime.datetime.now"),
        ("core/fold.py", "from datetime import datetime as D\nD.utcnow()", "uses datetime.datetime.utcnow"),
        ("core/fold.py", "from datetime import date\nf = date.today", "uses datetime.date.today"),
        ("core/fold.py", "def f(moment):\n    return moment.astimezone()", "uses this machine's time zone"),
        ("core/fold.py", "def f(text):\n    return hash(text)", "uses hash()"),
        ("core/fold.py", "open('x')", "uses open()"),
    ],
)
def test_a_look_at_the_world_is_reported(tmp_path: Path, file: str, code: str, complaint: str) -> None:
    faults = purity_faults(small_tree(tmp_path, file, code))
    assert len(faults) == 1
    assert complaint in faults[0]


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("core/fold.py", "from datetime import time, timezone\nfrom zoneinfo import ZoneInfo"),
        ("core/fold.py", "from tensemem.model.time import Instant\nfrom ..model import time"),
        ("core/fold.py", "def f(request, zone):\n    return request.now().astimezone(zone)"),
        ("model/fact.py", "class Fact:\n    def __hash__(self):\n        return hash(self.id)"),
        ("engine/walk.py", "import os, time\nopen('x')\ntime.time()"),
    ],
)
def test_a_pure_function_is_fine(tmp_path: Path, file: str, code: str) -> None:
    assert purity_faults(small_tree(tmp_path, file, code)) == []


def small_tree(tmp_path: Path, file: str, code: str) -> Path:
    """A package of that name with one module in it, and the folders around it."""
    root = tmp_path / "tensemem"
    for folder in ("model", "core", "store", "extract", "engine", "verbs", "adapters", "compat"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").write_text("", encoding="utf-8")
    (root / file).parent.mkdir(exist_ok=True)
    (root / file).write_text(code, encoding="utf-8")
    return root


def layer_faults(root: Path) -> list[str]:
    """Every import under `root` that the table does not allow, as a sentence with its place."""
    faults = []
    for module in modules(root):
        if module.folder not in FLOORS:
            faults.append(f"{module.path}: {module.folder} stands on no floor: add it to FLOORS")
            continue
        for imported in imports(module):
            complaint = complaint_about(module, imported)
            if complaint:
                faults.append(f"{module.path}:{imported.line}: {complaint}")
    return faults


def purity_faults(root: Path) -> list[str]:
    """Every place in the pure parts under `root` that reads a clock, chance, the environment or a file."""
    faults = []
    for module in modules(root):
        if module.folder not in PURE:
            continue
        for imported in imports(module):
            top = imported.name.partition(".")[0]
            if top in IMPURE_MODULES:
                faults.append(f"{module.path}:{imported.line}: imports {top}")
        faults.extend(f"{module.path}:{line}: uses {what}" for line, what in impure_uses(module.tree))
    return faults


@dataclass(frozen=True)
class Module:
    """A source file: where it is, what it is called, which part of the package it belongs to."""

    path: Path
    dotted: tuple[str, ...]
    is_package: bool
    tree: ast.Module

    @property
    def folder(self) -> str:
        return self.dotted[0] if self.dotted else "__init__"

    @property
    def part(self) -> str:
        return part_of(self.dotted)


@dataclass(frozen=True)
class Import:
    """An imported module, by its full name, and whether it loads together with the one that imports it."""

    name: str
    line: int
    at_load: bool


def modules(root: Path) -> Iterator[Module]:
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root).with_suffix("").parts
        is_package = inside[-1] == "__init__"
        dotted = inside[:-1] if is_package else inside
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        yield Module(path.relative_to(root), dotted, is_package, tree)


def part_of(dotted: tuple[str, ...]) -> str:
    if not dotted:
        return "__init__"
    return ".".join(dotted[:2]) if dotted[0] in STRANGERS else dotted[0]


def complaint_about(module: Module, imported: Import) -> str | None:
    top, *rest = imported.name.split(".")
    if top != "tensemem":
        return complaint_about_library(module, top, at_load=imported.at_load)
    target = part_of(tuple(rest))
    folder = tuple(rest[:2])
    if imported.at_load and tuple(rest[:3]) in WITH_THEM:
        return f"{module.part} may load {'.'.join(rest[:3])} only where it is used"
    is_of_it = folder in (module.dotted[:2], WITH_THEM.get(module.dotted))
    if imported.at_load and folder in WHOLE_FOLDERS_LOADED_WHEN_USED and not is_of_it:
        return f"{module.part} may load {'.'.join(folder)} only where it is used"
    if may_import(module, target):
        return None
    if target in STARTS.get(module.part, ()):
        return f"{module.part} may load {target} only where it is used" if imported.at_load else None
    return f"{module.part} may not import {target}"


def complaint_about_library(module: Module, top: str, *, at_load: bool) -> str | None:
    if top in sys.stdlib_module_names:
        return None
    if module.folder in STANDARD_LIBRARY_ONLY:
        return f"{module.part} may import the standard library only, not {top}"
    is_loaded_when_used = module.dotted[:2] in WHOLE_FOLDERS_LOADED_WHEN_USED
    if at_load and not is_loaded_when_used and module.folder not in LOADS_THIRD_PARTY_AT_IMPORT:
        return f"{module.part} may load {top} only where it is used"
    return None


def may_import(module: Module, target: str) -> bool:
    if target == module.part:
        return True
    folder, _, name = target.partition(".")
    if folder in STRANGERS and folder == module.folder:
        return not name or name.startswith("_")
    allowed = FLOORS[module.folder][1]
    floor = FLOORS[folder][0] if folder in FLOORS else None
    return folder in allowed or floor in allowed


def imports(module: Module) -> Iterator[Import]:
    """Everything a module imports, wherever in it the statement stands."""
    deferred = deferred_lines(module.tree)
    for node in ast.walk(module.tree):
        for name in imported_names(module, node):
            line = getattr(node, "lineno", 0)
            yield Import(name, line, at_load=line not in deferred)


def imported_names(module: Module, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = base_of(module, node)
        if base.split(".")[0] == "tensemem" and is_crossroads(base):
            # `from tensemem import core` names a module, `from tensemem import Memory` a name in the root.
            yield from (through_crossroads(base, alias.name) for alias in node.names)
        else:
            yield base
    elif isinstance(node, ast.Call) and dotted_name(node.func).endswith(("import_module", "__import__")):
        match node.args:
            case [ast.Constant(value=str() as name), *_] if not name.startswith("."):
                yield name


def base_of(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.dotted if module.is_package else module.dotted[:-1]
    kept = package[: len(package) - (node.level - 1)]
    return ".".join(["tensemem", *kept, *([node.module] if node.module else [])])


def is_crossroads(base: str) -> bool:
    """Whether what follows `import` may be a part of its own."""
    inside = base.split(".")[1:]
    return not inside or (len(inside) == 1 and inside[0] in STRANGERS)


def through_crossroads(base: str, name: str) -> str:
    is_root = base == "tensemem"
    return f"{base}.{name}" if not is_root or name in FLOORS else base


def deferred_lines(tree: ast.Module) -> set[int]:
    """The lines that do not run when the module loads: functions, and what only type checkers read."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.If(test=test) if not dotted_name(test).endswith("TYPE_CHECKING"):
                continue
            case ast.If() | ast.FunctionDef() | ast.AsyncFunctionDef():
                lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def impure_uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    full = full_names(tree)
    allowed_hashes = {
        id(call)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "__hash__"
        for call in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            head, _, rest = dotted_name(node).partition(".")
            name = f"{full.get(head, head)}.{rest}"
            if name in IMPURE_NAMES:
                yield node.lineno, name
        elif isinstance(node, ast.Call):
            called = dotted_name(node.func)
            if called in IMPURE_BUILTINS:
                yield node.lineno, f"{called}()"
            elif called == "hash" and id(node) not in allowed_hashes:
                yield node.lineno, "hash(), which differs from process to process"
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "astimezone" and not node.args:
                yield node.lineno, "uses this machine's time zone: astimezone() without a zone"


def full_names(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for: `dt` for `datetime`, `D` for `datetime.datetime`."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update((alias.asname, alias.name) for alias in node.names if alias.asname)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.update((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)
    return names


def dotted_name(node: ast.expr) -> str:
    """`a.b.c` for such an expression; empty for any other."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            before = dotted_name(value)
            return f"{before}.{attribute}" if before else ""
        case _:
            return ""

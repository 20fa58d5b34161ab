"""Writes the scoped and async forms of the verbs from the plain ones, so that all have the same verbs.

Run it after changing a verb; a test compares what it gives with what is committed.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERBS = ROOT / "src" / "tensemem" / "verbs"
SOURCES = ("writing", "reading", "keeping")
SCOPE = ("user_id", "agent_id", "namespace")
LEFT_OUT = {"add_many", "register_predicate", "register_entity", "register", "predicates", "proposals", "stats", "scopes", "on"}
ALL_AGENTS = {"rebuild", "verify", "jobs"}

HEAD = '''"""{title}

Generated from the plain verbs by tools/make_facades.py; change those instead.
"""

# ruff: noqa: E501
from __future__ import annotations

{imports}

'''


def main() -> int:
    """Write the generated files; with --check only tell whether they are as they should be."""
    wanted = {VERBS / "scoped.py": scoped(), VERBS / "awaited.py": awaited(), VERBS / "awaited_scoped.py": awaited_scoped()}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


def scoped() -> str:
    """Give the verbs bound to one scope."""
    body = "\n\n".join(_scoped_verb(verb, awaits=False) for verb in _verbs() if verb.name not in LEFT_OUT)
    imports = _imports(["from typing import TYPE_CHECKING, Any, Literal"], body)
    return _formatted(HEAD.format(title="The verbs of a memory bound to one scope.", imports=imports) + _SCOPED + body + "\n")


def awaited() -> str:
    """Give the verbs to be awaited."""
    parts = [_awaited_verb(verb) for verb in _verbs() if verb.name not in ("add_many", "add", "on")]
    imports = _imports(["from ..memory import Memory"], "\n\n".join(parts))
    title = "The verbs of a memory, to be awaited."
    return _formatted(HEAD.format(title=title, imports=imports) + _AWAITED + "\n\n".join(parts) + "\n")


def awaited_scoped() -> str:
    """Give the verbs bound to one scope, to be awaited."""
    body = "\n\n".join(_scoped_verb(verb, awaits=True) for verb in _verbs() if verb.name not in LEFT_OUT)
    imports = _imports([], body)
    title = "The verbs of a memory bound to one scope, to be awaited."
    return _formatted(HEAD.format(title=title, imports=imports) + _AWAITED_SCOPED + body + "\n")


if __name__ == "__main__":
    sys.exit(main())

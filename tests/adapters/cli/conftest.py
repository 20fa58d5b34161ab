"""A command line that stands by itself: its own file, a clock that stands still, a terminal that is none."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tensemem.adapters.cli import program

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Ran:
    """What a run gave: its exit code, and what it printed where."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """Runs commands on one memory, in this process."""

    def __init__(self, db: Path) -> None:
        self.db = db

    def __call__(self, *arguments: str, input: str | bytes | None = None) -> Ran:
        return self.bare("--db", str(self.db), *arguments, input=input)

    def bare(self, *arguments: str, input: str | bytes | None = None) -> Ran:
        """Run without naming the memory."""
        result = _runner().invoke(program, list(arguments), input=input, catch_exceptions=False, prog_name="tensemem")
        return Ran(result.exit_code, result.stdout, result.stderr)

    def ok(self, *arguments: str, input: str | bytes | None = None) -> Ran:
        """Run what must succeed."""
        ran = self(*arguments, input=input)
        assert ran.code == 0, ran
        return ran

    def ids(self, user: str = "alice", predicate: str = "lives_in") -> list[str]:
        """Give the ids of a history, in valid-time order."""
        return [fact["id"] for fact in self.ok("history", user, predicate, "--json").json["facts"]]


def _runner() -> CliRunner:
    """Give a runner that keeps the two outputs apart, as click does by itself since 8.2."""
    needed: Any = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
    return CliRunner(**needed)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let it be noon of a day in June, in an empty working folder, without what the environment may say.

    Modules that a test writes there and names with --llm are gone when it ends.
    """
    known = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("tensemem.engine.wiring.system_clock", lambda: NOON)
    monkeypatch.setattr("tensemem.adapters.cli.tracing.now", lambda: NOON)
    monkeypatch.chdir(tmp_path)
    ours = (f"TENSEMEM_{name}" for name in ("DB", "KEY", "NEW_KEY", "SHRED", "NEW_SHRED"))
    for name in (*ours, "NO_COLOR", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    yield
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """A memory that does not exist yet."""
    return Cli(tmp_path / "m.db")


@pytest.fixture
def seeded(cli: Cli) -> Cli:
    """A memory in which Alice lived in Delhi, then in Bangalore, and speaks two languages."""
    cli.ok("register", "lives_in", "--alias", "city")
    cli.ok("register", "languages", "--many")
    cli.ok("set", "alice", "lives_in", "Delhi", "--said-at", "2026-01-05")
    cli.ok("set", "alice", "lives_in", "Bangalore", "--said-at", "2026-03-01")
    cli.ok("replace-values", "alice", "languages", "Go", "Python", "--said-at", "2026-02-01")
    return cli

"""Compare memories: the same cases and timings for each, every system in an environment of its own.

    python bench/compare/run.py [SYSTEM...] [--facts 1000] [--json] [--list]

Prints what each answered wrong, what it could not do, and how long it took as a multiple of a hand-written table in
SQLite that commits each write. The environments stand in `.venvs/compare-NAME` and are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from cases import CASES, Case

SYSTEMS = {
    "tensemem": ("ours.py", ["."]),
    "namesake": ("namesake.py", ["tensemem==0.1.0"]),
    "memvara": ("play_memvara.py", ["memvara==0.21.0", "pysqlite3-binary"]),
    "memware": ("play_memware.py", ["memware==0.11.0"]),
    "mem0": ("play_mem0.py", ["mem0ai==2.2.1"]),
    "graphiti": ("play_graphiti.py", ["graphiti-core[kuzu]==0.31.2", "httpx"]),
}
"""Each system: its player, and what pip installs for it."""
TIMED = 30
"""How often each operation is timed; the median counts."""
LONGEST = 120
"""Seconds a step may take; a system that has not answered by then is ended."""


class Player:
    """A system in a process of its own, spoken to by lines of JSON."""

    def __init__(self, name: str, path: Path, many: Sequence[str]) -> None:
        self.name, self.path, self.many = name, path, list(many)
        self.process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        script = HERE / "players" / SYSTEMS[self.name][0]
        process = subprocess.Popen(
            [python_of(self.name), script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, cwd=self.path.parent, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        self.process = process
        self.opened = self.do({"do": "open", "path": str(self.path), "many": self.many})
        return process

    def do(self, step: dict[str, Any]) -> dict[str, Any]:
        """Do a step; an answer has ``value``, ``cannot`` or ``error``."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        watch = Timer(LONGEST, self.process.kill)
        watch.start()
        try:
            self.process.stdin.write(json.dumps(step) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:  # the pipe is broken
            line = ""
        finally:
            in_time = not watch.finished.is_set()
            watch.cancel()
        return _read(line) if in_time else {"error": f"it gave no answer in {LONGEST} seconds"}

    def killed(self) -> None:
        """End it as kill -9 does, and start it on the same file."""
        self.process.kill()
        self.process.wait()
        self.close()
        self.process = self._started()

    def close(self) -> None:
        """End it."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):  # it has ended by itself
                    stream.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _read(line: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    if isinstance(answer, dict):
        return answer
    return {"error": f"it answered {line.strip()[:80]!r}" if line else "it ended without an answer"}


@contextmanager
def playing(name: str, many: Sequence[str] = (), path: Path | None = None) -> Iterator[Player]:
    """Start a system on a new file, or on one that is there."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        player = Player(name, path or Path(folder) / "memory.db", many)
        try:
            yield player
        finally:
            player.close()


def python_of(name: str) -> Path:
    """Give the interpreter of a system's environment."""
    folder = PROJECT / ".venvs" / f"compare-{name}"
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def installed(name: str) -> bool:
    """Make a system's environment; False where pip can't."""
    packages = SYSTEMS[name][1]
    told = [part for each in packages for part in (("-e", each) if each == "." else (each,))]
    command = [sys.executable, PROJECT / "tools" / "venv.py", python_of(name).parent.parent, *told]
    return subprocess.run(command, cwd=PROJECT, check=False, stdout=sys.stderr).returncode == 0


def judged(name: str, case: Case) -> dict[str, Any]:
    """Play a case; give its outcome, "right", "wrong", "cannot" or "error", and what there is to say of it."""
    with playing(name, case.many) as player:
        if "value" not in player.opened:
            return {"outcome": "error", "said": player.opened.get("error", "it does not open")}
        for step in case.steps:
            answer = _done(name, player, step)
            if "cannot" in answer:
                return {"outcome": "cannot", "said": answer["cannot"]}
            if "error" in answer:
                return {"outcome": "error", "said": answer["error"]}
            if "wanted" in step and sorted(answer["value"]) != sorted(step["wanted"]):
                return {"outcome": "wrong", "said": f"{_told(answer['value'])} instead of {_told(step['wanted'])}"}
    return {"outcome": "right", "said": ""}


def _told(values: list[str]) -> str:
    return " and ".join(values) or "nothing"


def _done(name: str, player: Player, step: dict[str, Any]) -> dict[str, Any]:
    if step["do"] == "kill":
        player.killed()
        return {"value": None}
    if step["do"] == "beside":
        with playing(name, player.many, player.path) as other:
            if "value" not in other.opened:
                return other.opened
            answers = [other.do(each) for each in step["steps"]]
        return next((answer for answer in answers if "value" not in answer), {"value": None})
    return player.do(step)


def timed(name: str, facts: int) -> dict[str, Any]:
    """Give median seconds to write, read and undo one value beside some number of facts of others."""
    with playing(name) as player:
        for number in range(facts):
            answer = player.do({"do": "set", "user": f"u{number}", "predicate": "lives_in", "value": "Delhi"})
            if "value" not in answer:
                return {"error": answer.get("error") or answer.get("cannot")}
        spent: dict[str, list[float]] = {"write": [], "read": [], "undo": []}
        slot = {"user": "ann", "predicate": "lives_in"}
        for number in range(TIMED):
            for word, step in (
                ("write", {"do": "set", **slot, "value": f"town {number}"}),
                ("read", {"do": "get", **slot}),
                ("undo", {"do": "undo", **slot, "value": f"town {number}"} if number % 2 else {"do": "get", **slot}),
            ):
                answer = player.do(step)
                if "seconds" in answer and step["do"] != ("get" if word == "undo" else ""):
                    spent[word].append(answer["seconds"])
        return {word: statistics.median(some) if some else None for word, some in spent.items()}


def floor(facts: int) -> dict[str, float]:
    """Give the same for a table with a value per user, written by hand, each write committed and synced."""
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "f.db")) as connection:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE t (u TEXT, v TEXT, n INTEGER PRIMARY KEY)")
        connection.execute("CREATE INDEX i ON t (u, n)")
        connection.executemany("INSERT INTO t (u, v) VALUES (?, 'Delhi')", ((f"u{n}",) for n in range(facts)))
        spent: dict[str, list[float]] = {"write": [], "read": [], "undo": []}
        statements = {
            "write": "INSERT INTO t (u, v) VALUES ('ann', 'Pune')",
            "read": "SELECT v FROM t WHERE u = 'ann' ORDER BY n DESC LIMIT 1",
            "undo": "DELETE FROM t WHERE n = (SELECT max(n) FROM t WHERE u = 'ann')",
        }
        for _ in range(TIMED):
            for word, statement in statements.items():
                begin = time.perf_counter()
                connection.execute(statement).fetchall()
                spent[word].append(time.perf_counter() - begin)
        return {word: statistics.median(some) for word, some in spent.items()}


def main(arguments: Sequence[str]) -> int:
    """Compare; return 0 unless this project answers a case wrong."""
    parser = argparse.ArgumentParser(description="Compare memories on the same cases and timings.")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=f"any of {', '.join(SYSTEMS)}; all by default")
    parser.add_argument("--facts", type=int, default=1000, help="facts of others beside which operations are timed")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    given = parser.parse_args(arguments)
    if given.list:
        for case in CASES:
            print(f"{case.name:16} {case.asks}")
        return 0
    unknown = [name for name in given.systems if name not in SYSTEMS]
    if unknown:
        parser.error(f"there is no system {unknown[0]}; there are {', '.join(SYSTEMS)}")
    names = given.systems or list(SYSTEMS)
    found = {name: _all_of(name, given.facts) for name in names}
    base = floor(given.facts)
    if given.json:
        print(json.dumps({"facts": given.facts, "floor": base, "systems": found}, indent=2))
    else:
        _print(found, base, given.facts)
    ours = found.get("tensemem", {}).get("cases", {})
    return int(any(result["outcome"] != "right" for result in ours.values()))


def _all_of(name: str, facts: int) -> dict[str, Any]:
    print(f"== {name}", file=sys.stderr, flush=True)
    if not installed(name):
        return {"cases": {}, "timings": {"error": "it can't be installed here"}}
    return {"cases": {case.name: judged(name, case) for case in CASES}, "timings": timed(name, facts)}


def _print(found: dict[str, dict[str, Any]], base: dict[str, float], facts: int) -> None:
    signs = {"right": "yes", "wrong": "WRONG", "cannot": "-", "error": "error"}
    print(f"{'':18}" + "".join(f"{name:>10}" for name in found))
    for case in CASES:
        row = [signs[result["cases"].get(case.name, {"outcome": "error"})["outcome"]] for result in found.values()]
        print(f"{case.name:18}" + "".join(f"{word:>10}" for word in row))
    right = [sum(r["outcome"] == "right" for r in result["cases"].values()) for result in found.values()]
    print(f"{'right of ' + str(len(CASES)):18}" + "".join(f"{number:>10}" for number in right))
    print(f"\nMedian times beside {facts} facts, as multiples of a table written by hand in the same run:")
    for word, seconds in base.items():
        ratios = [result["timings"].get(word) for result in found.values()]
        cells = ["-" if ratio is None else f"{ratio / seconds:.1f}" for ratio in ratios]
        print(f"{word:6} {seconds * 1e6:7.0f} us" + " " * 2 + "".join(f"{cell:>10}" for cell in cells))
    print("\nWhat each got wrong, and what it could not do:")
    for name, result in found.items():
        for case, told in result["cases"].items():
            if told["outcome"] != "right":
                print(f"{name:10} {case:16} {told['outcome']:7} {told['said']}")
        if "error" in result["timings"]:
            print(f"{name:10} {'timings':16} error   {result['timings']['error']}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

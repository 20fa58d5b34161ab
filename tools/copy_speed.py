"""Measure how fast whole memories are copied, and how much memory that takes.

    python tools/copy_speed.py [--scopes N] [--entries N] [--to PATH_OR_URL]

Makes a memory with so many entries in all, spread over so many scopes, and copies it twice: the second copy finds that
nothing is missing. Without `--to` it goes to another file. What is there already is not copied again, so name an empty
place.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tensemem import Memory


def main(arguments: list[str]) -> int:
    """Make, copy twice, print."""
    parser = argparse.ArgumentParser(description="Measure how fast memories are copied.")
    parser.add_argument("--scopes", type=int, default=1)
    parser.add_argument("--entries", type=int, default=20_000)
    parser.add_argument("--to", help="a path or URL; a new file if left out")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "source.db"
        with Memory(path, worker=False, durability="process") as mem:
            mem.register_predicate("lives_in")
            for number in range(given.entries):
                mem.set(f"user {number % given.scopes}", "lives_in", f"town {number}")
        with Memory(path, read_only=True) as mem:
            before = _megabytes()
            for name in ("first", "again"):
                report = mem.copy_to(given.to or Path(folder) / "copy.db")
                rate = report.entries / report.seconds if report.seconds else 0.0
                print(f"{name}: {report.entries} entries in {report.seconds:.2f} s, {rate:,.0f} a second")
            print(f"memory: {before} MB before, {_megabytes()} MB at most")
    return 0


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How long it takes to forget a person of many facts, and how long others wait meanwhile.

    python tools/forget_speed.py [--facts 100000] [--others 20000] [--db PATH|URL]

Another process writes for somebody else all the while, and one reads. Prints the seconds until `forget` returns, and
the longest wait of each of the two, before it and beside it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tensemem import Memory, Operation

AT_ONCE = 1_000

BESIDE = """
import json, sys, threading, time
from tensemem import Memory

path, verb = sys.argv[1:]
stopped = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), stopped.set()), daemon=True).start()
with Memory(path, llm=False, worker=False, durability="process") as mem:
    print("ready", flush=True)
    longest, calls = 0.0, 0
    while not stopped.is_set():
        began = time.perf_counter()
        if verb == "set":
            mem.set("writer", "lives_in", f"town {calls}")
        else:
            mem.state("reader")
        longest = max(longest, time.perf_counter() - began)
        calls += 1
        time.sleep(0.001)
print(json.dumps({"calls": calls, "longest": longest}), flush=True)
"""


def fill(mem: Memory, user: str, facts: int) -> None:
    """Give somebody so many facts, each in a slot of its own."""
    for first in range(0, facts, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, facts))
        mem.write(user, [Operation("set", "lives_in", f"town {n} of {user}", subject=f"friend {n}") for n in numbers])


def beside(path: str, verb: str) -> subprocess.Popen[str]:
    """Start a process that does something again and again until it is told to stop."""
    child = subprocess.Popen(
        [sys.executable, "-c", BESIDE, path, verb], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    return child


def stopped(child: subprocess.Popen[str]) -> tuple[int, float]:
    """Stop it; gives how often it did it, and the seconds that the longest took."""
    out, _ = child.communicate("\n", timeout=60)
    found = json.loads(out)
    return found["calls"], found["longest"]


def measured(path: str, seconds: float) -> None:
    """Print what the others wait where nobody is forgotten."""
    children = {verb: beside(path, verb) for verb in ("set", "state")}
    time.sleep(seconds)
    tell("alone", children)


def tell(when: str, children: dict[str, subprocess.Popen[str]]) -> None:
    """Stop the others, and print what they waited."""
    for verb, child in children.items():
        calls, longest = stopped(child)
        print(f"{when:8} {verb:6} {calls:6} calls, longest {longest * 1000:8.1f} ms")


def main() -> None:
    """Measure once, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--others", type=int, default=20_000, help="facts of others in the same memory")
    parser.add_argument("--db", help="a file or URL to work on; left out, a file that is removed at the end")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.db or str(Path(folder) / "m.db")
        with Memory(path, llm=False, worker=False, durability="process") as mem:
            mem.register_predicate("lives_in")
            fill(mem, "other", given.others)
            fill(mem, "person", given.facts)
            fill(mem, "after", given.others // 10)
            mem.search("person", "town")
            measured(path, 2.0)
            children = {verb: beside(path, verb) for verb in ("set", "state")}
            removed = mem.forget("person")
            tell("beside", children)
            print(f"forgot {removed.facts} facts, {removed.texts} indexed texts, in {removed.seconds} s")
            print(f"overwritten: {removed.scrubbed}")


if __name__ == "__main__":
    main()

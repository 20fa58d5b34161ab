"""A process of clients that write in many threads through one memory, and say a line for each acknowledged write.

It is given an address, a name and how many threads; it ends when its input does. Every line it says is a JSON object.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

from tensemem import FakeExtractor, Memory

USERS = ("ann", "bob", "cem", "dan")

_told = threading.Lock()


def say(**what: Any) -> None:
    """Say a line, whole."""
    with _told:
        print(json.dumps({**what, "at": time.monotonic()}), flush=True)


def write(mem: Memory, name: str, stop: threading.Event) -> None:
    """Write one thing after another, each under a key of its own, and look whether a read shows it."""
    number = 0
    while not stop.is_set():
        number += 1
        user, key = USERS[number % len(USERS)], f"{name}-{number}"
        try:
            if number % 4 == 0:
                added = mem.add(user, f"I live in City{key}.", idempotency_key=key)
                say(user=user, key=key, seq=added.seq, rev=added.rev, is_message=True)
                continue
            written = mem.add_value(user, "tags", key, idempotency_key=key)
            say(user=user, key=key, seq=written.seq, rev=written.rev)
            if number % 5 == 0:
                seen = mem.state(user)
                if seen.freshness.latest_seq < written.seq or key not in seen.values["tags"]:
                    say(error=f"{key} was acknowledged and is not read")
        except Exception as error:
            say(error=f"{key}: {type(error).__name__}: {error}")


def main() -> None:
    """Open one memory, write until told to stop, and say how fresh it is."""
    url, name, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    stop = threading.Event()
    with Memory(url, llm=FakeExtractor()) as mem:
        running = [threading.Thread(target=write, args=(mem, f"{name}{n}", stop)) for n in range(threads)]
        for thread in running:
            thread.start()
        sys.stdin.read()
        stop.set()
        for thread in running:
            thread.join()
        for user in USERS:
            fresh = mem.state(user, wait=60).freshness
            say(fresh=fresh.is_current, pending=fresh.pending, failed=fresh.failed, user=user)


if __name__ == "__main__":
    main()

"""A worker on a machine of its own: a process with a host name and a clock that are not those of others.

It is given an address, a host name, by how many seconds its clock is wrong, and for how many a lease lasts. It says a
JSON object for each thing that happens, and reads what its model is to answer: a line for each question, the city
somebody lives in.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

BEAT = 0.25
"""Seconds between two beats: few, so that a short lease is held all the same."""

_told = threading.Lock()


def say(**what: Any) -> None:
    """Say a line, whole."""
    with _told:
        print(json.dumps(what), flush=True)


class Model:
    """Says that it is asked, and answers what it reads."""

    name = "model"
    model = "by hand"
    max_concurrency = 1
    usage: ClassVar = {"calls": 1, "input_tokens": 10}

    def extract(self, request: Any) -> Any:
        from tensemem import Operation

        say(asked=request.text)
        line = sys.stdin.readline()
        say(answers=line.strip())
        return [Operation("set", "lives_in", line.strip(), quote="I live in Delhi or Paris")]


class Told(logging.Handler):
    """Says what the library logs."""

    def emit(self, record: logging.LogRecord) -> None:
        say(logged=record.getMessage())


def be_wrong_about_time(seconds: float) -> None:
    """Let this process's clock of the wall be wrong."""
    ahead = int(seconds * 10**9)
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + seconds
    time.time_ns = lambda: right_ns() + ahead


def main() -> None:
    """Work until killed."""
    url, host, wrong, lease = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    be_wrong_about_time(wrong)
    from tensemem import Memory
    from tensemem.engine import freshness, worker

    for module, name, value in (
        (worker, "host_name", lambda: host), (freshness, "host_name", lambda: host), (worker, "LEASE_SECONDS", lease),
        (worker, "BEAT_SECONDS", BEAT), (freshness, "DEAD_AFTER", int(lease * 0.75 * 10**6)),
    ):  # fmt: skip
        setattr(module, name, value)
    logging.getLogger("tensemem").addHandler(Told())
    with Memory(url, llm=Model(), clock=lambda: datetime.now(UTC) + timedelta(seconds=wrong)):
        say(ready=True)
        threading.Event().wait()  # until it is killed, as machines are


if __name__ == "__main__":
    main()

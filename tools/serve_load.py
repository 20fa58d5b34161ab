"""Load a server with many clients that read and write, end it in the middle of them, and look for what was lost.

    python tools/serve_load.py [--clients 500] [--streams 0] [--seconds 60] [--db PATH|URL] [--json]

`tensemem serve` runs in a process of its own, as an operator starts it; the clients are in another. Each keeps one
connection and asks again as soon as it is answered: three requests in four read a state, the others state a value or
add a message. Memory is that of the server, where the system tells it (Linux). After so many seconds the clients go on
and the server is told to end (SIGTERM); then the memory is opened, and everything that was acknowledged is looked for.

Exits with 1 where an answer was no success, or something that was acknowledged is not there.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from time import sleep
from typing import Any

from tensemem import Memory

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.serve_load_clients import Job, Tally, play

SOURCE = Path(__file__).parents[1] / "src"
TARGET = 20
"""How many times the median the slowest request in a hundred may take."""
SAMPLES = 5
"""How often memory is looked at while the clients are at work."""


@dataclass(frozen=True)
class Times:
    """How long requests took, in milliseconds, and how many there were."""

    count: int
    p50: float
    p99: float

    @property
    def ratio(self) -> float:
        """How many times the median the slowest in a hundred took."""
        return round(self.p99 / self.p50, 1) if self.p50 else 0.0

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        """Sum up latencies in seconds."""
        if len(seconds) < 2:
            return cls(len(seconds), *[round(sum(seconds) * 1000, 1)] * 2)
        cuts = quantiles(seconds, n=100, method="inclusive")
        return cls(len(seconds), round(cuts[49] * 1000, 1), round(cuts[98] * 1000, 1))


@dataclass(frozen=True)
class Looked:
    """How the server did meanwhile: its memory in MiB, look by look, and how much of one processor it had.

    None where the system does not tell.
    """

    memory: list[float | None]
    processor: float | None


@dataclass(frozen=True)
class Report:
    """What came of a run."""

    clients: int
    refusals: dict[str, int]
    broken: int
    all: Times
    reads: Times
    writes: Times
    events: int
    server: Looked
    exit_code: int
    acknowledged: int
    lost: int

    @property
    def is_good(self) -> bool:
        """Whether nobody was refused or cut off, and nothing was lost."""
        return not (self.refusals or self.broken or self.lost or self.exit_code)


class Served:
    """A server in a process of its own."""

    def __init__(self, db: str) -> None:
        self.token = secrets.token_urlsafe(24)
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TENSEMEM_TOKEN": self.token, "PYTHONUNBUFFERED": "1"}
        line = [sys.executable, "-m", "tensemem", "--db", db, "serve", "--port", "0"]
        self.process = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        told = ""
        for told in self.process.stderr:
            if " at http://" in told:
                break
        else:
            raise SystemExit(f"the server did not begin: {told.strip()}")
        self.port = int(told.partition(" at ")[2].partition(";")[0].rpartition(":")[2])
        self._reading = threading.Thread(target=self.process.stderr.read)
        self._reading.start()

    def memory(self) -> float | None:
        """Give the resident memory in MiB."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return None
        found = next((line for line in status.splitlines() if line.startswith("VmRSS")), None)
        return None if found is None else int(found.split()[1]) / 1024

    def processor(self) -> float | None:
        """Give the seconds it has had of a processor so far."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> int:
        """Tell it to end; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(120)

    def gone(self) -> None:
        """Make sure that it is gone, whatever happened."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reading.join()
        assert self.process.stderr is not None
        self.process.stderr.close()


@contextmanager
def served(db: str) -> Iterator[Served]:
    """Have a server; it is gone when the block ends, whatever happened."""
    running = Served(db)
    try:
        yield running
    finally:
        running.gone()


def prepare(db: str) -> None:
    """Register what the clients speak of."""
    with Memory(db, worker=False) as mem:
        mem.register_predicate("lives_in")


def _play(job: Job, begun: Any, told: Any) -> None:
    told.put(play(job, begun.set))


@contextmanager
def clients(job: Job) -> Iterator[Any]:
    """Have the clients of a job at work in a process of their own; gives a function that waits for what came of it."""
    made = get_context("spawn")
    begun, told = made.Event(), made.Queue()
    process = made.Process(target=_play, args=(job, begun, told), daemon=True)
    process.start()
    begun.wait(120)
    try:
        yield lambda: told.get(timeout=(job.seconds or 0) + 300)
    finally:
        process.terminate()
        process.join()


def lost(db: str, tallies: Sequence[Tally]) -> int:
    """Count what was acknowledged and is not in the memory."""
    missing = 0
    with Memory(db, worker=False) as mem:
        for tally in tallies:
            for user, texts in tally.messages.items():
                missing += len(set(texts) - {message.content for message in mem.messages(user)})
            for user, texts in tally.values.items():
                missing += len(set(texts) - {str(fact.value) for fact in mem.history(user, "lives_in").facts})
    return missing


def run(db: str, count: int, seconds: float, streams: int = 0) -> Report:
    """Load a server that serves a memory; ends it under load."""
    prepare(db)
    with served(db) as server:
        measured = Job(server.port, server.token, count, seconds=seconds, streams=streams)
        with clients(measured) as tally_of:
            memory, before = [], server.processor()
            for _ in range(SAMPLES):
                sleep(seconds / SAMPLES)
                memory.append(server.memory())
            had = server.processor()
            first: Tally = tally_of()
        with clients(Job(server.port, server.token, count, first=count, seconds=60)) as tally_of:
            sleep(min(3.0, seconds))
            exit_code = server.end()
            second: Tally = tally_of()
    share = None if before is None or had is None else round((had - before) / seconds, 2)
    looked = Looked([None if one is None else round(one, 1) for one in memory], share)
    return report(count, first, second, looked, exit_code, lost(db, (first, second)))


def report(count: int, first: Tally, second: Tally, server: Looked, exit_code: int, missing: int) -> Report:
    """Sum up: times are those of the first run; who was cut off in the second was so because the server ended."""
    refusals = dict(first.refusals)
    for status, times_seen in second.refusals.items():
        refusals[status] = refusals.get(status, 0) + times_seen
    kept = [texts for tally in (first, second) for texts in (*tally.messages.values(), *tally.values.values())]
    return Report(
        count, refusals, first.broken, Times.of(first.reads + first.writes), Times.of(first.reads),
        Times.of(first.writes), first.events, server, exit_code, sum(map(len, kept)), missing,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Load a server, and tell what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--streams", type=int, default=0, help="listen to the changes of so many users besides")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--db", help="a new memory; without it, one that is thrown away")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="tensemem-load-") as folder:
        found = run(given.db or str(Path(folder) / "load.db"), given.clients, given.seconds, given.streams)
    if given.json:
        print(json.dumps(asdict(found)))
    else:
        _tell(found, given.seconds)
    return 0 if found.is_good else 1


def _tell(found: Report, seconds: float) -> None:
    total = found.all.count
    print(f"{found.clients} clients, {seconds:g} s: {total} requests, {total / seconds:.0f} in a second")
    print(f"no success: {sum(found.refusals.values())} {found.refusals or ''}; cut off: {found.broken}")
    for name, times in (("all", found.all), ("reads", found.reads), ("writes", found.writes)):
        print(f"{name}: {times.count}, p50 {times.p50} ms, p99 {times.p99} ms, {times.ratio} times (at most {TARGET})")
    print(f"changes told to streams: {found.events}; of one processor the server had {found.server.processor}")
    print(f"memory of the server, MiB: {', '.join('?' if one is None else f'{one:g}' for one in found.server.memory)}")
    print(f"ended under load with {found.exit_code}: {found.acknowledged} writes acknowledged, {found.lost} lost")


if __name__ == "__main__":
    sys.exit(main())

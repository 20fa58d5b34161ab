"""One run: clients on one store, faults among them, and at the end what the checker says of it all."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tensemem import Memory
from tensemem.model.entry import Entry
from tensemem.model.scope import Scope, registry_scope
from tensemem.ports import Reader
from tests.histories.asker import Asker
from tests.histories.checker import check
from tests.histories.client import Settings
from tests.histories.control import Control
from tests.histories.keeping import load_logs, registry_of, save_logs
from tests.histories.nursery import Nursery, lives
from tests.histories.places import Place
from tests.histories.records import Recorder, read_observed
from tests.histories.script import MANY, ONE, Script
from tests.histories.violations import Violation

NAMESPACE = "default"

SLOW = 1.5
"""Seconds of a slow answer: longer than a lease holds without being renewed."""

BEGUN = 2_000
"""Bytes that a process has told once it is at work; it is not killed before, or none would get that far."""

PATIENCE = 180
"""Seconds that a client may take to end once it is told to, or a run beyond its time until enough was asked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is: all that is chosen in it follows from the seed, as far as the machine's own timing lets it.

    ``rest`` is the longest pause of a thread between two operations, ``calm`` about how long it is between two faults,
    in seconds. A run goes on beyond its time, on a busy machine, until there were ``least`` operations. In a brisk one
    the extractor never takes long over a message.
    ``faults`` names those of the processes ("kill", "pause", "clock"); those of the store come with its place.
    """

    seed: int
    seconds: float
    least: int = 0
    processes: int = 3
    threads: int = 2
    users: int = 3
    rest: float = 0.01
    calm: float = 0.4
    faults: tuple[str, ...] = ("kill", "pause", "clock", "store")
    bugs: tuple[str, ...] = ()
    is_brisk: bool = False


@dataclass(slots=True)
class Outcome:
    """What came of a run. ``faults`` counts those that were injected, ``refused`` the errors that operations met."""

    violations: list[Violation]
    operations: int
    entries: int
    faults: dict[str, int]
    refused: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{count} × {name}" for name, count in sorted(self.faults.items())) or "no faults"
        refused = ", ".join(f"{count} × {name}" for name, count in sorted(self.refused.items())) or "none"
        return f"{self.operations} operations, {self.entries} entries; {told}; errors met: {refused}"


class _Client:
    """A place in the run where one process after another works; each new one has a name and a file of its own."""

    def __init__(self, number: int, run: Run) -> None:
        self._number, self._run, self._lives = number, run, 0
        self._pid = self._start()

    @property
    def _name(self) -> str:
        return f"p{self._number}x{self._lives}"

    def _start(self) -> int:
        run, plan = self._run, self._run.plan
        self._lives += 1
        settings = Settings(
            url=run.place.url, name=self._name, folder=str(run.folder), control=str(run.folder / "control"),
            seed=plan.seed, threads=plan.threads, users=plan.users, rest=plan.rest,
            durability=self._chosen(run.place.durabilities), bugs=plan.bugs, slow=0.0 if plan.is_brisk else SLOW,
            is_awaited=self._number % 3 == 2, host="elsewhere" if self._number % 4 == 3 else "",
            key=run.place.key, shred=run.place.shred,
        )  # fmt: skip
        return run.source.start(settings.as_json())

    def _chosen(self, among: tuple[str, ...]) -> str:
        return among[self._number % len(among)]

    @property
    def has_begun(self) -> bool:
        """Whether the process has asked for a few things, or has ended."""
        told = self._run.folder / f"{self._name}.jsonl"
        return not lives(self._pid) or (told.exists() and told.stat().st_size > BEGUN)

    def kill(self) -> None:
        """Kill the process in whatever it does, and start another."""
        self._end_by_force()
        self._pid = self._start()

    def _end_by_force(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        while lives(self._pid):
            time.sleep(0.001)

    def pause(self, seconds: float) -> None:
        """Hold the process up, for longer than a lease perhaps."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(self._pid, signal.SIGCONT)

    def end(self) -> str:
        """Wait for its end; gives what it complained of, if it did not end well."""
        deadline = time.monotonic() + PATIENCE
        while lives(self._pid) and time.monotonic() < deadline:
            time.sleep(0.005)
        if lives(self._pid):
            self._end_by_force()
            return f"{self._name} did not end within {PATIENCE} s"
        told = self._run.folder / f"{self._name}.end"
        complaint = told.read_text() if told.exists() else "it said nothing"
        return f"{self._name} ended:\n{complaint}" if complaint else ""


class Run:
    """A run of a plan on a place, with clients from a nursery; what is observed goes to a folder, and stays there."""

    def __init__(self, plan: Plan, place: Place, folder: Path, source: Nursery) -> None:
        self.plan, self.place, self.folder, self.source = plan, place, folder, source
        folder.mkdir(parents=True, exist_ok=True)
        self.control = Control(folder / "control")
        self._chance = random.Random(plan.seed)
        self._faults: dict[str, int] = {}
        self._back = 0

    def outcome(self) -> Outcome:
        """Run it, and check it."""
        with Memory(self.place.url, llm=False, key=self.place.key, shred=self.place.shred) as mem:
            for name in ONE:
                mem.register_predicate(name)
            for name in MANY:
                mem.register_predicate(name, "many")
        self._work()
        recorder = Recorder(self.folder / "end.jsonl", "end")
        registry, logs, found = self._end(recorder)
        recorder.close()
        save_logs(self.folder, registry, logs)
        registry, logs = load_logs(self.folder)  # what is checked is what is kept, so that it can be checked again
        observed = read_observed(self.folder)
        found += check(registry_of(registry), logs, observed, NAMESPACE)
        refused: dict[str, int] = {}
        for one in observed:
            if "error" in one.told:
                refused[one.told["error"]] = refused.get(one.told["error"], 0) + 1
        return Outcome(found, len(observed), sum(map(len, logs.values())), self._faults, refused)

    # --- while it runs ------------------------------------------------------------------------------------------

    def _work(self) -> None:
        clients = [_Client(number, self) for number in range(self.plan.processes)]
        complaints = self._befall(clients)
        if complaints:
            raise AssertionError("\n".join(complaints))

    def _befall(self, clients: list[_Client]) -> list[str]:
        """Let faults befall the clients until the time is over; gives what they complain of then."""
        try:
            self._await(clients)
            deadline = time.monotonic() + self.plan.seconds
            while time.monotonic() < deadline or (self._operations() < self.plan.least and not self._is_late(deadline)):
                time.sleep(self.plan.calm * self._chance.uniform(0.5, 1.5))
                self._inject(clients)
        finally:
            self.control.stop()
            complaints = [complaint for client in clients if (complaint := client.end())]
        return complaints

    def _operations(self) -> int:
        """About how many operations there were so far."""
        return sum(path.read_bytes().count(b"\n") for path in self.folder.glob("*.jsonl")) // 2

    def _is_late(self, deadline: float) -> bool:
        return time.monotonic() > deadline + PATIENCE

    def _await(self, clients: list[_Client]) -> None:
        """Wait until every client has begun, or has ended before it could."""
        deadline = time.monotonic() + PATIENCE
        while not all(client.has_begun for client in clients) and time.monotonic() < deadline:
            time.sleep(0.002)

    def _inject(self, clients: list[_Client]) -> None:
        busy = [one for one in clients if one.has_begun]
        if not busy:
            return
        client = self._chance.choice(busy)
        faults: dict[str, Callable[[], None]] = {
            "kill": client.kill,
            "pause": lambda: client.pause(self._chance.uniform(0.2, 1.6)),
            "clock": lambda: self._step(self._chance.choice((-90_000, -60, -2, 2, 60, 90_000))),
        }
        chosen = {name: fault for name, fault in faults.items() if name in self.plan.faults}
        if "store" in self.plan.faults:
            chosen.update(self.place.faults)
        if chosen:
            name = self._chance.choice(sorted(chosen))
            self._faults[name] = self._faults.get(name, 0) + 1
            chosen[name]()

    def _step(self, seconds: int) -> None:
        """Step the clock, and remember how far it is behind what it has been."""
        self._back = max(self._back - seconds, 0)
        self.control.step_clock(seconds)

    # --- when it is over ----------------------------------------------------------------------------------------

    def _end(self, recorder: Recorder) -> tuple[list[Entry], dict[str, list[Entry]], list[Violation]]:
        """Settle what waits, read the logs, and hold the projection against them.

        What a killed process of another machine holds is free once the clock has gone on.
        """
        self.control.step_clock(self._back + 3_600)
        script = Script(
            lambda texts: recorder.began(recorder.new_name(), "extract", "", {"texts": texts}), is_willing=True
        )  # fmt: skip
        found: list[Violation] = []
        place = self.place
        with Memory(
            place.url, llm=script, worker=False, clock=self.control.clock, key=place.key, shred=place.shred
        ) as mem:
            users = [one.user_id for one in mem.scopes(limit=10_000)]
            for user in users:
                mem.retry(user)
                mem.flush(user, timeout=PATIENCE)
                found += _last_look(mem, user, recorder)
            with mem._engine.store.read() as reader:
                registry = _log_of(reader, registry_scope(NAMESPACE))
                logs = {user: _log_of(reader, Scope(NAMESPACE, user)) for user in users}
        return registry, logs, found


def _log_of(reader: Reader, scope: Scope) -> list[Entry]:
    head = reader.head(scope)
    return [] if head is None else list(reader.entries(head.id))


def _last_look(mem: Memory, user: str, recorder: Recorder) -> list[Violation]:
    """The projection equals a rebuild, nothing waits any more, and a read of the end is one more observation."""
    found: list[Violation] = []
    state = Asker(mem, recorder).state(user)
    if state is None or not state.freshness.is_current:
        found.append(Violation("unsettled", user, f"at the end something still waits: {state!r}"))
    digest, verified = mem.digest(user), mem.verify(user)
    if not verified.identical or verified.digest != digest:
        found.append(Violation("projection", user, f"the facts are not those of the log: {digest}, {verified}"))
    return found


def run_of(plan: Plan, place: Place, folder: Path, source: Nursery) -> Outcome:
    """Run a plan and give what came of it; the plan is kept beside the histories."""
    run = Run(plan, place, folder, source)
    (folder / "plan.json").write_text(json.dumps({name: getattr(plan, name) for name in plan.__slots__}))
    return run.outcome()

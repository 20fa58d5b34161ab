"""One run: clients on one store, faults among them, and at the end what the checker says of it all."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
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
from tests.histories.places import Place
from tests.histories.records import Recorder, read_observed
from tests.histories.script import MANY, ONE, Script
from tests.histories.violations import Violation
from tests.store.children import SOURCE

NAMESPACE = "default"

SLOW = 1.5
"""Seconds of a slow answer: longer than a lease holds without being renewed."""

PATIENCE = 60
"""Seconds that a client may take to end once it is told to."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is: all that is chosen in it follows from the seed, as far as the machine's own timing lets it.

    ``rest`` is the longest pause of a thread between two operations, ``calm`` about how long it is between two faults,
    in seconds. In a brisk run the extractor never takes long over a message.
    ``faults`` names those of the processes ("kill", "pause", "clock"); those of the store come with its place.
    """

    seed: int
    seconds: float
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
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        run, plan = self._run, self._run.plan
        self._lives += 1
        settings = Settings(
            url=run.place.url, name=f"p{self._number}x{self._lives}", folder=str(run.folder),
            control=str(run.folder / "control"), seed=plan.seed, threads=plan.threads, users=plan.users,
            rest=plan.rest, durability="power" if self._number % 2 else "process", bugs=plan.bugs,
            slow=0.0 if plan.is_brisk else SLOW,
        )  # fmt: skip
        root = Path(__file__).parents[2]
        path = os.pathsep.join(filter(None, [str(SOURCE), str(root), os.environ.get("PYTHONPATH", "")]))
        with (run.folder / f"{settings.name}.err").open("w") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.histories.client", settings.as_json()], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors, text=True, env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip

    @property
    def has_begun(self) -> bool:
        """Whether the process has asked for something, or has ended."""
        told = self._run.folder / f"p{self._number}x{self._lives}.jsonl"
        return self.process.poll() is not None or (told.exists() and told.stat().st_size > 0)

    def kill(self) -> None:
        """Kill the process in whatever it does, and start another."""
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def pause(self, seconds: float) -> None:
        """Hold the process up for longer than a lease."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> str:
        """Wait for its end; gives what it complained of, if it did not end well."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f"p{self._number} did not end within {PATIENCE} s"
        text = (self._run.folder / f"p{self._number}x{self._lives}.err").read_text()
        return f"p{self._number} ended with {code}:\n{text}" if code else ""


class Run:
    """A run of a plan on a place; what is observed goes to a folder, and stays there."""

    def __init__(self, plan: Plan, place: Place, folder: Path) -> None:
        self.plan, self.place, self.folder = plan, place, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.control = Control(folder / "control")
        self._chance = random.Random(plan.seed)
        self._faults: dict[str, int] = {}

    def outcome(self) -> Outcome:
        """Run it, and check it."""
        with Memory(self.place.url, llm=False, durability="process") as mem:
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
        try:
            self._await(clients)
            deadline = time.monotonic() + self.plan.seconds
            while (left := deadline - time.monotonic()) > 0:
                time.sleep(min(left, self.plan.calm * self._chance.uniform(0.5, 1.5)))
                if time.monotonic() < deadline:
                    self._inject(clients)
        finally:
            self.control.stop()
            complaints = [complaint for client in clients if (complaint := client.end())]
        if complaints:
            raise AssertionError("\n".join(complaints))

    def _await(self, clients: list[_Client]) -> None:
        """Wait until every client has begun, or has ended before it could."""
        deadline = time.monotonic() + PATIENCE
        while not all(client.has_begun for client in clients) and time.monotonic() < deadline:
            time.sleep(0.01)

    def _inject(self, clients: list[_Client]) -> None:
        client = self._chance.choice(clients)
        faults: dict[str, Callable[[], None]] = {
            "kill": client.kill,
            "pause": lambda: client.pause(self._chance.uniform(0.2, 1.6)),
            "clock": lambda: self.control.step_clock(self._chance.choice((-90_000, -60, -2, 2, 60, 90_000))),
        }
        chosen = {name: fault for name, fault in faults.items() if name in self.plan.faults}
        if "store" in self.plan.faults:
            chosen.update(self.place.faults)
        if chosen:
            name = self._chance.choice(sorted(chosen))
            self._faults[name] = self._faults.get(name, 0) + 1
            chosen[name]()

    # --- when it is over ----------------------------------------------------------------------------------------

    def _end(self, recorder: Recorder) -> tuple[list[Entry], dict[str, list[Entry]], list[Violation]]:
        """Settle what waits, read the logs, and hold the projection against them."""
        script = Script(
            lambda text: recorder.began(recorder.new_name(), "extract", "", {"text": text}), is_willing=True
        )  # fmt: skip
        found: list[Violation] = []
        with Memory(self.place.url, llm=script, worker=False, clock=self.control.clock, durability="process") as mem:
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


def run_of(plan: Plan, place: Place, folder: Path) -> Outcome:
    """Run a plan and give what came of it; the plan is kept beside the histories."""
    run = Run(plan, place, folder)
    (folder / "plan.json").write_text(json.dumps({name: getattr(plan, name) for name in plan.__slots__}))
    return run.outcome()

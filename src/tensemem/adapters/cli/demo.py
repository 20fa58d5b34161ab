"""The command that shows the idea: one message that arrives late, one correction, two clocks, one rebuild."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from tensemem import FakeExtractor, Memory, errors
from tensemem.engine.wiring import is_postgres

from .._keys import KEEPS_NOTHING
from .demo_people import settle_in
from .exits import NO
from .options import command
from .session import Session
from .text import Look

WHO = "alice"


class UnexpectedError(Exception):
    """Something came out otherwise than it was told."""


@dataclass
class Tour:
    """A memory with a clock that is set by hand, and what has been shown of it."""

    path: str
    look: Look
    clock: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    steps: list[dict[str, str]] = field(default_factory=list)
    mistake: str = ""
    digest: str = ""

    def run(self) -> None:
        """Take every step; raises UnexpectedError at the first whose outcome is not as told."""
        options: dict[str, Any] = {"worker": False, "durability": "process", "clock": lambda: self.clock}
        with Memory(self.path, llm=FakeExtractor(), **options) as mem:
            mem.register_predicate("lives_in", description="the city somebody lives in")
            for step in (_say, _set, _extract, _correct, _look_back, _recall, _rebuild):
                step(self, mem)

    def on(self, month: int, day: int) -> None:
        """Set the clock to nine in the morning of a day in 2026."""
        self.clock = datetime(2026, month, day, 9, 0, tzinfo=UTC)

    def show(self, title: str, call: str, outcome: str) -> None:
        """Keep a step for the screen: what happens, the call, and what came of it."""
        self.steps.append({"title": title, "call": call, "outcome": outcome})

    def timeline(self, mem: Memory) -> str:
        """Give what held from when until when, without what was corrected."""
        dash = self.look.drawn("dash")
        shown = [fact for fact in mem.history(WHO, "lives_in") if fact.status.value in ("active", "superseded")]
        return ", ".join(f"{fact.object} {fact.valid_from:%d %b} {dash} {_end(fact.valid_to)}" for fact in shown)


def _end(moment: datetime | None) -> str:
    return "now" if moment is None else f"{moment:%d %b}"


def _expect(what: str, seen: object, told: object) -> None:
    if seen != told:
        raise UnexpectedError(f"{what}: told {told!r}, seen {seen!r}")


def _say(tour: Tour, mem: Memory) -> None:
    receipt = mem.add(WHO, "I live in Delhi")
    fresh = mem.state(WHO).freshness
    _expect("pending after add", (receipt.seq, fresh.pending, fresh.is_current), (1, 1, False))
    tour.show(
        "5 January. Alice writes; the message is logged at once, and nobody has read it yet.",
        'mem.add("alice", "I live in Delhi")', f"seq {receipt.seq}; nothing known yet, {fresh.pending} message pending",
    )  # fmt: skip


def _set(tour: Tour, mem: Memory) -> None:
    tour.on(3, 1)
    result = mem.set(WHO, "lives_in", "Bangalore")
    _expect("value after set", (mem.get(WHO, "lives_in"), result.current), ("Bangalore", True))
    tour.mistake = str(result.fact_id)
    tour.show(
        "1 March. The application states what holds now.",
        'mem.set("alice", "lives_in", "Bangalore")', "lives_in = Bangalore",
    )  # fmt: skip


def _extract(tour: Tour, mem: Memory) -> None:
    tour.on(3, 2)
    fresh = mem.flush(WHO)
    _expect("freshness after flush", fresh.is_current, True)
    _expect("value after the late message", mem.get(WHO, "lives_in"), "Bangalore")
    facts = [(fact.object, fact.status.value) for fact in mem.history(WHO, "lives_in")]
    _expect("history", facts, [("Delhi", "superseded"), ("Bangalore", "active")])
    tour.show(
        "2 March. Only now is January's message extracted. It finds its place, and breaks nothing.",
        'mem.flush("alice")', f"lives_in = Bangalore; {tour.timeline(mem)}",
    )  # fmt: skip


def _correct(tour: Tour, mem: Memory) -> None:
    tour.on(4, 1)
    result = mem.correct(tour.mistake, reason="that was another Alice")
    _expect("value after the correction", (mem.get(WHO, "lives_in"), result.changed), ("Delhi", True))
    tour.show(
        "1 April. Bangalore was never true. What it had displaced shows again by itself.",
        'mem.correct(fact.id, reason="that was another Alice")', f"lives_in = Delhi; {tour.timeline(mem)}",
    )  # fmt: skip


def _look_back(tour: Tour, mem: Memory) -> None:
    tour.on(4, 2)
    as_of = {at: mem.get(WHO, "lives_in", at=at) for at in ("2026-01-01", "2026-03-15")}
    _expect("valid time", as_of, {"2026-01-01": None, "2026-03-15": "Delhi"})
    believed = mem.get(WHO, "lives_in", at="2026-03-15", known_at="2026-03-15")
    _expect("both clocks", believed, "Bangalore")
    tour.show("Two clocks: what held on a day,", 'mem.get("alice", "lives_in", at="2026-03-15")', "Delhi")
    tour.show(
        "and what was believed of that day at the time.",
        'mem.get("alice", "lives_in", at="2026-03-15", known_at="2026-03-15")', "Bangalore",
    )  # fmt: skip


def _recall(tour: Tour, mem: Memory) -> None:
    found = mem.context(WHO)
    _expect("facts in the context", [fact.object for fact in found.facts_used], ["Delhi"])
    lines = [line for line in found.text.splitlines() if "Delhi" in line]
    _expect("lines in the context", (len(lines), "Bangalore" in found.text), (1, False))
    tour.show("Text for a prompt, fenced, the same bytes for the same state.", 'mem.context("alice").text', lines[0])


def _rebuild(tour: Tour, mem: Memory) -> None:
    before = mem.digest(WHO)
    report = mem.rebuild()
    _expect("rebuild", (report.identical, mem.digest(WHO)), (True, before))
    tour.digest = before
    tour.show(
        "The facts can be folded from the log again, without asking any model.",
        "mem.rebuild()", f"identical; digest {before[:12]} before and after",
    )  # fmt: skip


@command("demo")
@click.option("--keep", metavar="PATH", help="Keep a memory to look at in this file, unless it is there already.")
@click.pass_context
def demo(context: click.Context, /, keep: str | None) -> None:
    """Show the idea in one screen. Offline, in a file that is thrown away (or a new one named by --db).

    With --keep the memory of the tour stays, with what two more people said, to look at with studio, mcp and serve.
    """
    session = context.ensure_object(Session)
    if keep is not None:
        context.exit(_kept(session, keep))
    if session.is_named:
        if is_postgres(session.db):
            raise errors.StoreError("the demo wants a new file, not a server that others may use")
        if session.db != KEEPS_NOTHING and Path(session.db).expanduser().exists():
            raise errors.StoreError(f"{session.db} exists; the demo wants a new file, so that it spoils nothing")
        context.exit(_guide(session, session.db))
    context.exit(_thrown_away(session))


def _thrown_away(session: Session) -> int:
    with tempfile.TemporaryDirectory(prefix="tensemem-demo-") as folder:
        return _guide(session, str(Path(folder) / "demo.db"))


def _kept(session: Session, path: str) -> int:
    """Take the tour, and leave its memory and more to look at; a file that is there already stays as it is."""
    if session.is_named:
        raise click.UsageError("--keep names the file; leave --db out")
    if is_postgres(path) or path == KEEPS_NOTHING:
        raise click.UsageError("--keep wants the path of a file")
    place = Path(path).expanduser()
    if place.exists():
        code = _thrown_away(session)
        session.note(f"{path} is there already, and stays as it is")
        return code
    code = _guide(session, path)
    if code == 0:
        settle_in(place)
        session.note(f"made {place.absolute()}")
    return code


def _guide(session: Session, path: str) -> int:
    tour = Tour(path, session.look)
    failure = ""
    try:
        tour.run()
    except (UnexpectedError, errors.TensememError) as error:
        failure = str(error)
    session.show({"steps": tour.steps, "digest": tour.digest, "ok": not failure}, _screen(tour, failure))
    if failure:
        session.note(f"the demo failed: {failure}")
        return NO
    if session.is_named and session.db != KEEPS_NOTHING:
        session.note(f"made {Path(path).expanduser().absolute()}")
    return 0


def _screen(tour: Tour, failure: str) -> list[str]:
    look = tour.look
    lines = [look.painted("A model proposes, the engine decides, one file remembers.", "bold"), ""]
    for step in tour.steps:
        lines += [step["title"], f"  >>> {step['call']}", f"  {look.painted(step['outcome'], 'green')}"]
    if not failure:
        lines += ["", "Every outcome was checked. Next: tensemem --help"]
    return lines

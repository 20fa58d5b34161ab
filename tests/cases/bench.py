"""What the cases are played on: a clock that is told the time, an extractor that plays a script, a memory in a file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tensemem import Fact, FakeExtractor, History, Memory, Operation, State
from tests.store.shelves import left_by_a_crash

DAY_ZERO = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    """A moment some days after the first: the tables of the design count their times like this."""
    return DAY_ZERO + timedelta(days=number)


def moment(text: str) -> datetime:
    """Read ISO 8601 text with a zone."""
    return datetime.fromisoformat(text)


class Hands:
    """A clock that stands where it was last set."""

    def __init__(self, now: datetime = DAY_ZERO) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def set(self, now: datetime) -> None:
        self.now = now

    def advance(self, **duration: float) -> None:
        self.now += timedelta(**duration)


class Script:
    """An extractor that answers each text as told, through FakeExtractor.

    A text may have several answers, one for each attempt; the last one stays. An answer is a list of operations, an
    error to raise, or anything else, which is handed back as it is.
    """

    name = "script"

    def __init__(self, answers: Mapping[str, Sequence[Any]] | None = None) -> None:
        self._answers = {text.strip(): list(attempts) for text, attempts in (answers or {}).items()}
        self.asked: list[str] = []
        self.requests: list[Any] = []

    def says(self, text: str, *attempts: Any) -> None:
        """Set what is answered to a text: one answer for each attempt."""
        self._answers[text.strip()] = list(attempts)

    def extract(self, request: Any) -> Any:
        text = request.messages[0].content.strip()
        self.asked.append(text)
        self.requests.append(request)
        attempts = self._answers.get(text, [[]])
        answer = attempts.pop(0) if len(attempts) > 1 else attempts[0]
        is_error = isinstance(answer, BaseException) or (isinstance(answer, type) and issubclass(answer, BaseException))
        if is_error or isinstance(answer, list):
            return FakeExtractor({text: answer}).extract(request)
        return answer


class Desk:
    """One memory in a file, with its clock and its script; may be closed, opened again, or lose its process."""

    def __init__(self, folder: Path, *, worker: bool = False, register: bool = True, **options: Any) -> None:
        self.folder = folder
        self.hands = Hands()
        self.script = Script()
        self._names = itertools.count(1)
        self._options: dict[str, Any] = {"durability": "process", "worker": worker, **options}
        self.path = folder / "memory.db"
        self.mem = self.open()
        if register:
            self.mem.register_predicate("lives_in")
            self.mem.register_predicate("languages", "many")

    def open(self, **options: Any) -> Memory:
        """Open one more handle on the file."""
        given = {"llm": self.script, "clock": self.hands, **self._options, **options}
        return Memory(self.path, **given)

    def reopen(self) -> Memory:
        """Close the memory and open its file again."""
        self.mem.close()
        self.mem = self.open()
        return self.mem

    def crash(self) -> Memory:
        """Go on with the files as a killed process leaves them: nothing was closed, nothing was tidied."""
        place = self.folder / f"crash-{next(self._names)}"
        place.mkdir()
        left = left_by_a_crash(self.path, place)
        self.mem.close()
        self.path = left
        self.mem = self.open()
        return self.mem

    def say(self, text: str, *operations: Operation, user: str = "ann", flush: bool = True, **options: Any) -> int:
        """Add a message that the extractor answers with these operations; extract it unless told not to."""
        self.script.says(text, list(operations))
        seq = self.mem.add(user, text, **options).seq
        if flush:
            self.mem.flush(user)
        return seq

    def fact(self, predicate: str, user: str = "ann") -> Fact:
        """The fact that is shown now; there has to be one."""
        fact = self.mem.state(user).fact(predicate)
        assert fact is not None, f"{predicate} shows nothing"
        return fact

    def close(self) -> None:
        self.mem.close()


@contextmanager
def desk_in(folder: Path, **options: Any) -> Iterator[Desk]:
    desk = Desk(folder, **options)
    try:
        yield desk
    finally:
        desk.close()


def lives(place: str, **options: Any) -> Operation:
    return Operation("set", "lives_in", place, **options)


def speaks(language: str, **options: Any) -> Operation:
    return Operation("add", "languages", language, **options)


Told = tuple[Any, datetime | None, datetime | None, str]


def told(facts: Sequence[Fact]) -> list[Told]:
    """What a list of facts says, apart from ids and evidence: value, valid time and status."""
    return [(fact.value, fact.valid_from, fact.valid_to, str(fact.status)) for fact in facts]


def line(mem: Memory, predicate: str = "lives_in", user: str = "ann", **options: Any) -> list[tuple[Any, Any, Any]]:
    """The timeline of a slot: what shows or showed, with days since the first in place of moments.

    What held once, nobody said when, is left out.
    """
    shown = ("active", "superseded", "retracted", "expired", "scheduled")
    facts = [fact for fact in mem.history(user, predicate, **options) if str(fact.status) in shown]
    rows = [(fact.value, _days(fact.valid_from), _days(fact.valid_to)) for fact in facts]
    return [row for row in rows if row[1:] != (None, None)]


def _days(when: datetime | None) -> float | None:
    return None if when is None else (when - DAY_ZERO) / timedelta(days=1)


def everything(mem: Memory, user: str = "ann", *, subjects: Sequence[str] = ("user",)) -> dict[str, Any]:
    """All that must be the same after a rebuild, a reopening, or another order of extraction."""
    state: State = mem.state(user)
    histories: list[History] = [mem.history(user, subject=subject) for subject in subjects]
    return {
        "state": state.by_subject,
        "facts": state.facts,
        "planned": state.planned,
        "candidates": state.candidates,
        "history": [found.facts for found in histories],
        "statements": [found.retractions for found in histories],
        "digest": mem.digest(user),
    }


def unrecorded(thing: Any) -> Any:
    """The same without what only the order of recording decides: revisions and recording times."""
    if isinstance(thing, Fact):
        return told([thing]), thing.id, thing.claim_ids, thing.evidence, thing.contested
    if isinstance(thing, dict):
        return {name: unrecorded(part) for name, part in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [unrecorded(part) for part in thing]
    return thing


def assert_rebuilt_alike(mem: Memory, user: str = "ann", *, subjects: Sequence[str] = ("user",)) -> None:
    """Nothing changes when the projection is folded again from the log."""
    before = everything(mem, user, subjects=subjects)
    assert mem.verify(user).identical
    assert mem.rebuild(user).identical
    assert everything(mem, user, subjects=subjects) == before

"""One thread of a client: it asks for one thing after another, chosen by a seed."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tensemem import Memory, Operation
from tensemem.model.receipts import WriteResult
from tensemem.model.results import AddResult
from tests.histories.asker import Asker
from tests.histories.awaited import AwaitedMemory
from tests.histories.control import Control
from tests.histories.records import Recorder
from tests.histories.script import MANY, ONE

ERA_ENTRIES = 160
"""Entries in one log after which others are written to: what is checked at each revision grows with its log."""

POOL = ("delhi", "paris", "rome", "oslo", "lima")
SHARED_KEYS = 12
DAY = 86_400


class Walker:
    """Asks a memory; ``rest`` is the longest pause between two operations, in seconds."""

    def __init__(
        self, mem: Memory | AwaitedMemory, recorder: Recorder, control: Control, chance: random.Random, *,
        users: int, rest: float,
    ) -> None:  # fmt: skip
        self._ask, self._control, self._chance = Asker(mem, recorder), control, chance
        self._users, self._rest = users, rest
        self._ids: deque[tuple[str, str]] = deque(maxlen=24)  # facts seen of late
        self._waiting: deque[tuple[str, str]] = deque(maxlen=8)  # candidates and plans seen of late
        self._seqs: deque[tuple[str, int]] = deque(maxlen=8)  # what was acknowledged of late

    def walk(self) -> None:
        """Go on until told to stop."""
        acts: list[tuple[Callable[[], None], int]] = [
            (self._set, 14), (self._set_on_condition, 8), (self._row, 4), (self._many, 8), (self._several, 4),
            (self._retract, 4), (self._shared, 8), (self._message, 16), (self._correct, 8), (self._reinstate, 3),
            (self._review, 3), (self._dismiss, 1), (self._unknown_predicate, 1), (self._register, 1),
            (self._state, 18), (self._state_of_some, 6), (self._state_waited_for, 6), (self._state_known_at, 4),
            (self._context, 5), (self._history, 5), (self._flush, 2), (self._verify, 2),
        ]  # fmt: skip
        choices, weights = [act for act, _ in acts], [weight for _, weight in acts]
        while not self._control.is_over:
            self._chance.choices(choices, weights)[0]()
            time.sleep(self._chance.random() * self._rest)

    # --- whom and what ------------------------------------------------------------------------------------------

    def _user(self) -> str:
        return f"u{self._control.era}x{self._chance.randrange(self._users)}"

    def _read_user(self) -> str:
        era = self._control.era
        if era and not self._chance.randrange(10):
            return f"u{self._chance.randrange(era)}x{self._chance.randrange(self._users)}"
        return self._user()

    def _value(self, op: str) -> str:
        return self._chance.choice(POOL) if self._chance.randrange(2) else op.replace("-", "n")

    def _ago(self, days: int) -> Any:
        """A time in the past, in whole seconds."""
        seconds = self._chance.randrange(1, days * DAY)
        return (self._control.clock() - timedelta(seconds=seconds)).replace(microsecond=0)

    def _said_at(self) -> Any:
        return None if self._chance.randrange(12) else self._ago(30)

    def _one(self) -> str:
        return self._chance.choice(ONE)

    def _write(self, op: str, user: str, operations: list[Operation], **options: Any) -> None:
        self._remember(user, self._ask.write(user, operations, op=op, **options))

    def _remember(self, user: str, result: WriteResult | AddResult | None) -> None:
        if result is not None:
            self._seqs.append((user, result.seq))
            if result.rev > ERA_ENTRIES:
                self._control.leave_era(int(user[1:].partition("x")[0]))

    # --- writes -------------------------------------------------------------------------------------------------

    def _set(self) -> None:
        op = self._ask.new_name()
        self._write(op, self._user(), [Operation("set", self._one(), self._value(op))], said_at=self._said_at())

    def _set_on_condition(self) -> None:
        """Read, then write only if nobody else has; two threads that do so at once can't both succeed."""
        user, predicate = self._user(), self._one()
        seen = self._state_of(user)
        if seen is not None:
            op = self._ask.new_name()
            self._write(op, user, [Operation("set", predicate, self._value(op))], expected=seen.rev)

    def _row(self) -> None:
        """A dated row of the past, or one that begins by itself before the run is over."""
        op = self._ask.new_name()
        ahead = self._control.clock() + timedelta(seconds=self._chance.choice((1, 5, 2 * DAY)))
        when = self._ago(40) if self._chance.randrange(2) else ahead.replace(microsecond=0)
        self._write(op, self._user(), [Operation("set", self._one(), self._value(op), valid_from=when)])

    def _many(self) -> None:
        op = self._ask.new_name()
        value, other = self._value(op), self._chance.choice(POOL)
        what = self._chance.choice(
            (
                Operation("add", MANY[0], value), Operation("remove", MANY[0], other),
                Operation("replace", MANY[0], [value, "rust"]),
            )
        )  # fmt: skip
        self._write(op, self._user(), [what])

    def _several(self) -> None:
        op = self._ask.new_name()
        value = self._value(op)
        states = [Operation("set", ONE[0], value), Operation("set", ONE[1], value), Operation("add", MANY[0], value)]
        self._write(op, self._user(), states)

    def _retract(self) -> None:
        op, predicate = self._ask.new_name(), self._one()
        value = self._chance.choice((None, *POOL))
        is_denial = value is not None and not self._chance.randrange(3)
        self._write(op, self._user(), [Operation("deny" if is_denial else "retract", predicate, value)])

    def _shared(self) -> None:
        """What other threads and processes ask for too, under the same idempotency key: at most one of them does it."""
        era, number = self._control.era, self._chance.randrange(SHARED_KEYS)
        user, key = f"u{era}x{number % self._users}", f"k{era}x{number}"
        for _ in range(self._chance.choice((1, 1, 2))):
            op = self._ask.new_name()
            if number % 2:
                self._write(op, user, [Operation("set", ONE[number % 4 // 2], f"{key}v")], key=key)
            else:
                self._remember(user, self._ask.add(user, f"now {ONE[0]} {key}v", op=op, key=key))

    def _message(self) -> None:
        op = self._ask.new_name()
        value, other = self._value(op), self._chance.choice(POOL)
        line = self._chance.choice(
            (
                f"now {self._one()} {value}", f"now {self._one()} {value}", f"also {MANY[0]} {value}",
                f"gone {self._one()} {other}", f"maybe {self._one()} {value}", f"plan {self._one()} {value}",
                "nothing much",
            )
        )  # fmt: skip
        mood = self._chance.choice(("", "", "", "", "", "", "", "", "\nslow", "\nbad", "\naway"))
        options: dict[str, Any] = {}
        match self._chance.randrange(12):
            case 0:
                options["role"] = "assistant"
            case 1:
                options["extract"] = False
            case 2 | 3:
                options["wait"] = 0.3
        user = self._user()
        self._remember(user, self._ask.add(user, line + mood, op=op, said_at=self._said_at(), **options))

    def _correct(self) -> None:
        if self._ids:
            user, id = self._chance.choice(self._ids)
            value = self._chance.choice((None, None, *POOL))
            self._remember(user, self._ask.correct(user, id, value))

    def _reinstate(self) -> None:
        if self._ids:
            user, id = self._chance.choice(self._ids)
            self._remember(user, self._ask.reinstate(user, id))

    def _review(self) -> None:
        if self._waiting:
            user, id = self._chance.choice(self._waiting)
            self._remember(user, self._ask.review(user, id, bool(self._chance.randrange(2))))

    def _dismiss(self) -> None:
        user = self._user()
        seen = self._state_of(user)
        if seen is not None and seen.freshness.failed_seqs:
            self._ask.dismiss(user, seen.freshness.failed_seqs[0])

    def _unknown_predicate(self) -> None:
        self._write(self._ask.new_name(), self._user(), [Operation("set", "shoe_size", "9")])

    def _register(self) -> None:
        self._ask.register(f"thing{self._chance.randrange(40)}")

    # --- reads --------------------------------------------------------------------------------------------------

    def _state(self) -> None:
        self._state_of(self._read_user())

    def _state_of_some(self) -> None:
        names = self._chance.sample((*ONE, *MANY), self._chance.choice((1, 2)))
        options: dict[str, Any] = {"predicates": names}
        if self._chance.randrange(2):
            options["subject"] = "user"
        self._state_of(self._read_user(), **options)

    def _state_waited_for(self) -> None:
        """A read that asks for what was acknowledged, and waits until it is settled."""
        if self._seqs:
            user, seq = self._chance.choice(self._seqs)
            wait, on_stale = self._chance.choice((None, 0.2)), self._chance.choice(("flag", "flag", "raise"))
            self._state_of(user, min_seq=seq, wait=wait, on_stale=on_stale)

    def _state_known_at(self) -> None:
        self._state_of(self._read_user(), known_at=self._chance.randrange(1, ERA_ENTRIES))

    def _state_of(self, user: str, **options: Any) -> Any:
        seen = self._ask.state(user, **options)
        if seen is not None:
            self._ids.extend((user, fact.id) for fact in seen.facts[:3])
            self._waiting.extend((user, fact.id) for fact in (*seen.candidates[-1:], *seen.planned[-1:]))
        return seen

    def _context(self) -> None:
        self._ask.context(self._read_user())

    def _history(self) -> None:
        self._ask.history(self._read_user(), self._chance.choice((*ONE, *MANY)))

    def _flush(self) -> None:
        self._ask.flush(self._user(), 0.3)

    def _verify(self) -> None:
        """Fold the log anew while others write, now and then in place of the facts."""
        self._ask.verify(self._read_user(), write=not self._chance.randrange(3))

"""Asking a memory for one thing and writing down what was asked and what came of it, as the checker reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tensemem import Memory, Operation, State
from tensemem.core.findings import numbered
from tensemem.core.operations import encode_operation
from tensemem.errors import OutcomeUnknownError, StaleMemoryError, TensememError
from tensemem.model.freshness import Freshness
from tensemem.model.moment import to_moment
from tensemem.model.receipts import WriteResult
from tensemem.model.results import AddResult, Context, History
from tests.histories.awaited import AwaitedMemory, CancelledAskError
from tests.histories.records import OK, REFUSED, STALE, UNKNOWN, Recorder, told_fact, told_facts


class Asker:
    """Asks a memory, and tells a recorder. What it raises is no error that a run expects."""

    def __init__(self, mem: Memory | AwaitedMemory, recorder: Recorder) -> None:
        self.mem: Any = mem
        self._recorder = recorder

    def new_name(self) -> str:
        """Give the name of the next operation; what it writes carries it."""
        return self._recorder.new_name()

    def _ask(
        self, op: str, verb: str, user: str, asked: Mapping[str, Any], call: Callable[[], Any],
        tell: Callable[[Any], dict[str, Any]], *, may_be_done: bool = False,
    ) -> Any:  # fmt: skip
        """Ask for one thing.

        What is refused is not done, unless it ``may_be_done`` and waited for already, or the store says that it can't
        tell.
        """
        self._recorder.began(op, verb, user, asked)
        try:
            result = call()
        except StaleMemoryError as error:
            self._recorder.ended(op, STALE, {"fresh": told_freshness(error.freshness)})
        except CancelledAskError:
            self._recorder.ended(op, UNKNOWN, {"error": "cancelled"})
        except TensememError as error:
            outcome = UNKNOWN if may_be_done or isinstance(error, OutcomeUnknownError) else REFUSED
            self._recorder.ended(op, outcome, {"error": type(error).__name__, "says": str(error)[:200]})
        else:
            self._recorder.ended(op, OK, tell(result))
            return result
        return None

    # --- writes -------------------------------------------------------------------------------------------------

    def write(
        self, user: str, operations: Sequence[Operation], *, op: str | None = None, key: str | None = None,
        said_at: Any = None, expected: int | None = None,
    ) -> WriteResult | None:  # fmt: skip
        """State something, by the verb that is made for it."""
        op = op or self.new_name()
        asked = {
            "kind": "write", "key": key, "said_at": None if said_at is None else to_moment(said_at),
            "expected_rev": expected, "slot": operations[0].predicate,
            "body": {"ops": [numbered(encode_operation(one)) for one in operations]},
        }  # fmt: skip
        common: dict[str, Any] = {
            "said_at": said_at, "idempotency_key": key, "expected_rev": expected, "metadata": tagged(op, key),
        }  # fmt: skip
        result: WriteResult | None = self._ask(
            op, "write", user, asked, lambda: self._verb(user, operations, common), told_write
        )
        return result

    def _verb(self, user: str, operations: Sequence[Operation], common: dict[str, Any]) -> WriteResult:
        mem, one = self.mem, operations[0]
        if len(operations) > 1:
            return mem.write(user, operations, **common)
        if one.valid_from is not None:
            return mem.record(user, one.predicate, one.value, valid_from=one.valid_from, **common)
        match one.op:
            case "set":
                return mem.set(user, one.predicate, one.value, **common)
            case "add":
                return mem.add_value(user, one.predicate, one.value, **common)
            case "remove":
                return mem.remove_value(user, one.predicate, one.value, **common)
            case "replace":
                return mem.replace_values(user, one.predicate, one.value, **common)
            case "retract":
                return mem.retract(user, one.predicate, one.value, **common)
            case _:
                return mem.deny(user, one.predicate, one.value, **common)

    def add(
        self, user: str, text: str, *, op: str | None = None, key: str | None = None, said_at: Any = None,
        **options: Any,
    ) -> AddResult | None:  # fmt: skip
        """Say something; the text names the operation, or the key where there is one."""
        op = op or self.new_name()
        text = f"{text}\nnote {key or op}"
        asked = {
            "kind": "message", "key": key, "said_at": None if said_at is None else to_moment(said_at),
            "body": {"content": text}, **options,
        }  # fmt: skip
        options.update(idempotency_key=key, said_at=said_at, metadata=tagged(op, key))
        result: AddResult | None = self._ask(
            op, "add", user, asked, lambda: self.mem.add(user, text, **options), told_add,
            may_be_done="wait" in options,
        )  # fmt: skip
        return result

    def correct(self, user: str, id: str, value: str | None = None) -> WriteResult | None:
        """Say that a fact was never true."""
        op = self.new_name()
        return self._amend(op, "correction", user, id, lambda: self.mem.correct(id, value, metadata=tagged(op)))

    def reinstate(self, user: str, id: str) -> WriteResult | None:
        """Take a correction back."""
        op = self.new_name()
        return self._amend(op, "reinstatement", user, id, lambda: self.mem.reinstate(id, metadata=tagged(op)))

    def review(self, user: str, id: str, accept: bool) -> WriteResult | None:
        """Accept or reject what waits."""
        op = self.new_name()
        return self._amend(op, "review", user, id, lambda: self.mem.review(id, accept, metadata=tagged(op)))

    def _amend(
        self, op: str, kind: str, user: str, id: str, call: Callable[[], WriteResult]
    ) -> WriteResult | None:
        result: WriteResult | None = self._ask(
            op, "amend", user, {"kind": kind, "body": {"target": id}}, call, told_write
        )
        return result

    def dismiss(self, user: str, seq: int) -> None:
        """Give a message up."""
        self._ask(self.new_name(), "dismiss", user, {"seq": seq}, lambda: self.mem.dismiss(user, seq), told_nothing)

    def register(self, name: str) -> None:
        """Change the registry by what no value is: all is projected anew, and stays what it was."""
        op = self.new_name()
        self._ask(op, "register", "", {"name": name}, lambda: self.mem.register_entity(name), told_nothing)

    # --- reads --------------------------------------------------------------------------------------------------

    def state(self, user: str, **options: Any) -> State | None:
        """Read the state."""
        found: State | None = self._ask(
            self.new_name(), "state", user, options, lambda: self.mem.state(user, **options), told_state
        )
        return found

    def context(self, user: str) -> None:
        """Read the context."""
        self._ask(self.new_name(), "context", user, {}, lambda: self.mem.context(user), told_context)

    def history(self, user: str, predicate: str) -> None:
        """Read a slot's history."""
        asked = {"predicate": predicate}
        self._ask(
            self.new_name(), "history", user, asked, lambda: self.mem.history(user, predicate), told_history
        )

    def flush(self, user: str, timeout: float) -> None:
        """Settle what waits."""
        self._ask(
            self.new_name(), "flush", user, {}, lambda: self.mem.flush(user, timeout=timeout),
            lambda fresh: {"fresh": told_freshness(fresh)},
        )  # fmt: skip

    def verify(self, user: str, *, write: bool = False) -> None:
        """Fold the log anew, and compare; or put what comes out in place of the facts."""
        fold = self.mem.rebuild if write else self.mem.verify
        self._ask(
            self.new_name(), "verify", user, {}, lambda: fold(user), lambda report: {"identical": report.identical}
        )


def tagged(op: str, key: str | None = None) -> dict[str, Any]:
    """What an entry carries to tell which operation made it."""
    return {"op": op} if key is None else {"op": op, "key": key}


def told_nothing(_: object) -> dict[str, Any]:
    """Nothing is told but that it was done."""
    return {}


def told_freshness(fresh: Freshness) -> list[Any]:
    """A freshness as JSON knows it."""
    return [
        fresh.as_of_seq, fresh.latest_seq, fresh.pending, fresh.failed, list(fresh.failed_seqs), fresh.is_current
    ]  # fmt: skip


def told_write(result: WriteResult) -> dict[str, Any]:
    """A receipt of a write."""
    shown = result.shown
    return {
        "seq": result.seq, "rev": result.rev, "duplicate": result.duplicate,
        "shown": None if shown is None else told_fact(shown),
    }  # fmt: skip


def told_add(result: AddResult) -> dict[str, Any]:
    """A receipt of a message."""
    return {"seq": result.seq, "rev": result.rev, "duplicate": result.duplicate, "settled": result.settled}


def told_state(state: State) -> dict[str, Any]:
    """A state with all it shows."""
    return {
        "rev": state.rev, "version": state.version, "at": to_moment(state.at), "fresh": told_freshness(state.freshness),
        "facts": told_facts(state.facts), "planned": told_facts(state.planned),
        "candidates": told_facts(state.candidates),
    }  # fmt: skip


def told_context(context: Context) -> dict[str, Any]:
    """A context: the revision its version names, and the facts in it."""
    return {
        "rev": int(context.version.partition(".")[0]), "fresh": told_freshness(context.freshness),
        "facts": told_facts(context.facts_used),
    }  # fmt: skip


def told_history(found: History) -> dict[str, Any]:
    """A slot's history."""
    return {"facts": told_facts(found.facts), "fresh": told_freshness(found.freshness)}

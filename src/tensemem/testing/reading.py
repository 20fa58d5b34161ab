"""What an assertion reads of a memory: the verbs of Memory and AsyncMemory alike, and why something is not shown."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator, Mapping, Set
from datetime import datetime
from typing import Any, TypeAlias

from ..errors import TensememError, UnknownFactError
from ..model.fact import Fact
from ..model.freshness import Freshness
from ..model.receipts import Decision

Verbs: TypeAlias = Any
"""A Memory or an AsyncMemory."""

_MOST_EPISODES = 200
_MOST_LINES = 12


class Reader:
    """One scope of a memory, read without awaiting whether the memory is awaited or not."""

    def __init__(self, memory: Verbs, user_id: str, agent_id: str, namespace: str | None) -> None:
        self._memory = memory
        self._user_id = user_id
        self._where: dict[str, Any] = {"agent_id": agent_id, "namespace": namespace}

    def ask(self, verb: str, *arguments: Any, **options: Any) -> Any:
        """Give what a verb of this scope gives."""
        return finished(getattr(self._memory, verb)(self._user_id, *arguments, **options, **self._where))

    def settle(self) -> str:
        """Extract what waits; gives what kept it from that, if anything did."""
        fresh: Freshness = self.ask("state").freshness
        if not fresh.pending:
            return ""
        try:
            self.ask("flush")
        except TensememError as error:
            return str(error)
        return ""

    def registered(self) -> set[str]:
        """Give the names of the registered predicates."""
        found = finished(self._memory.predicates(namespace=self._where["namespace"]))
        return {predicate.name for predicate in found}

    def reasons(self, predicates: Set[str], latest_seq: int) -> list[str]:
        """Tell what became of the proposals that could have made a difference, and what was not read yet."""
        waiting = [
            f"message {job.seq} is {'given up' if job.state == 'failed' else 'not extracted yet'}"
            + (f", tried {job.attempts} times" if job.attempts else "")
            + (f": {job.error}" if job.error else "")
            for job in finished(self._memory.jobs(self._user_id, namespace=self._where["namespace"]))
            if job.agent_id == self._where["agent_id"]
        ]
        told = [line for decision in self._decisions(latest_seq) for line in _told(decision, predicates)]
        left_out = len(told) - _MOST_LINES
        more = [f"… and {left_out} earlier ones"] if left_out > 0 else []
        return [*waiting, *more, *told[-_MOST_LINES:]]

    def _decisions(self, latest_seq: int) -> Iterator[Decision]:
        for seq in range(max(1, latest_seq - _MOST_EPISODES + 1), latest_seq + 1):
            try:
                yield from self.ask("decisions", seq)
            except UnknownFactError:
                continue  # erased


def _told(decision: Decision, predicates: Set[str]) -> Iterator[str]:
    operation = decision.operation
    is_admitted = decision.outcome == "admitted"
    code = f" ({decision.reason})" if decision.reason else ""
    if decision.outcome == "skipped":
        yield f"message {decision.seq} was skipped{code}"
    elif "malformed" in operation:
        yield f"message {decision.seq}: {operation.get('raw')} was refused{code}: {operation['malformed']}"
    elif decision.reason == "unknown_predicate" or (
        operation.get("predicate") in predicates and (not is_admitted or decision.reason)
    ):
        yield f"message {decision.seq}: {_proposal(operation)} was {decision.outcome}{code}"


def _proposal(operation: Mapping[str, Any]) -> str:
    subject = operation.get("subject", "user")
    of = "" if subject == "user" else f" of {subject}"
    value = f" {operation['value']!r}" if operation.get("value") is not None else ""
    quote = f" from {operation['quote']!r}" if operation.get("quote") else ""
    return f"{operation.get('op')} {operation.get('predicate')}{of}{value}{quote}"


def span(fact: Fact) -> str:
    """Give when a fact holds, half-open, to the day where it begins or ends with one."""
    return f"[{moment(fact.valid_from, '?')}, {moment(fact.valid_to, 'still')})"


def moment(when: Any, otherwise: str) -> str:
    """Give a moment as ISO 8601 text, without what is zero."""
    if when is None:
        return otherwise
    text: str = when.isoformat(timespec="seconds") if isinstance(when, datetime) else when.isoformat()
    return text.removesuffix("T00:00:00+00:00").replace("+00:00", "Z")


def finished(value: Any) -> Any:
    """Give what a verb gives; an awaited one is finished in a thread, since a loop may be running in this one."""
    if not inspect.isawaitable(value):
        return value
    return in_thread(lambda: _run(value))


def in_thread(work: Callable[[], Any]) -> Any:
    """Do some work in a thread of its own and give its result, or raise what it raises."""
    results: list[Any] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, name="tensemem-testing")
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
    return results[0]


def _run(awaitable: Any) -> Any:
    import asyncio

    async def wait() -> Any:
        return await awaitable

    return asyncio.run(wait())

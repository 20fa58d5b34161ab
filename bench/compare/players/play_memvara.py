"""memvara: claims with two time axes."""

from __future__ import annotations

import sys
import warnings
from datetime import UTC, datetime

import pysqlite3  # memvara needs a newer SQLite than many systems have

sys.modules["sqlite3"] = pysqlite3

from memvara import Cardinality, Memvara, PredicateRegistry, PredicateSpec
from serving import CannotError, serve


class Player:
    """Driven by remember(): the time of a statement is when it was recorded, and from when it holds."""

    def open(self, path: str, many: list[str]) -> None:
        warnings.simplefilter("ignore")
        registry = PredicateRegistry()
        for name in ("lives_in", "diet", "name", *many):
            registry.register(PredicateSpec(name, cardinality=Cardinality.MANY if name in many else Cardinality.ONE))
        self.mem = Memvara(path, registry=registry)

    def set(self, user: str, predicate: str, value: str, said: str | None = None, since: str | None = None) -> None:
        begins = since or said
        self.mem.remember(
            "user", predicate, value, user=user, recorded_at=said and datetime.fromisoformat(said),
            valid_from=begins and datetime.fromisoformat(begins),
        )  # fmt: skip

    def get(self, user: str, predicate: str, at: str | None = None, known: object = None) -> list[str]:
        when = {"as_of": self.marked} if known else {"valid_at": at and datetime.fromisoformat(at)}
        found = self.mem.get_all(user=user, **when)
        return [claim.object for claim in found if claim.predicate == predicate]

    def mark(self) -> None:
        self.marked = datetime(2024, 4, 1, tzinfo=UTC)  # what is told in May was not known then

    def undo(self, user: str, predicate: str, value: str) -> None:
        found = [claim for claim in self.mem.history("user", predicate, user=user) if claim.object == value]
        self.mem.delete(found[-1].id, user=user)

    def retract(self, user: str, predicate: str, value: str) -> None:
        live = [c for c in self.mem.get_all(user=user) if (c.predicate, c.object) == (predicate, value)]
        if live:
            self.mem.delete(live[0].id, close="ended", user=user)

    def queue(self, user: str, text: str) -> None:
        raise CannotError("a message is read at once, by rules; none waits")


if __name__ == "__main__":
    serve(Player())

"""memware: a ledger of beliefs, the latest truth of each."""

from __future__ import annotations

from memware import Policy, Store, assert_belief, current, history, ledger
from serving import CannotError, serve


class Player:
    """Driven by assert_belief(), where a newer value replaces an older one without asking."""

    def open(self, path: str, many: list[str]) -> None:
        self.store, self.many = Store(path), many

    def set(self, user: str, predicate: str, value: str, said: str | None = None, since: str | None = None) -> None:
        if predicate in self.many:
            raise CannotError("a key holds one value")
        assert_belief(self.store, user, predicate, value, valid_from=since or said, policy=Policy.AUTO)

    def get(self, user: str, predicate: str, at: str | None = None, known: object = None) -> list[str]:
        if known is not None:
            raise CannotError("no read goes back to what was believed")
        if at is None:
            return [str(row["value"]) for row in current(self.store, user) if row["relation"] == predicate]
        rows = [row for row in history(self.store, user, predicate) if row["retracted_at"] is None]
        return [
            str(row["value"])
            for row in rows
            if str(row["valid_from"]) <= at and (row["valid_to"] is None or at < str(row["valid_to"]))
        ]

    def mark(self) -> None:
        """Nothing to note: no read goes back to it."""

    def undo(self, user: str, predicate: str, value: str) -> None:
        self._retracted(user, predicate, value, "it was never true")

    def retract(self, user: str, predicate: str, value: str) -> None:
        self._retracted(user, predicate, value, "it no longer holds")

    def _retracted(self, user: str, predicate: str, value: str, reason: str) -> None:
        found = [row for row in history(self.store, user, predicate) if row["value"] == value]
        ledger.retract(self.store, reason=reason, apply=True, beliefs={int(str(row["id"])): reason for row in found})


if __name__ == "__main__":
    serve(Player())

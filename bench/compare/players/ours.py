"""This project."""

from __future__ import annotations

from datetime import UTC, datetime

from serving import serve

from tensemem import FakeExtractor, Memory


class Player:
    """tensemem, with its rule-based extractor for the one case with a message."""

    def open(self, path: str, many: list[str]) -> None:
        self.mem = Memory(path, llm=FakeExtractor(), worker=False)
        for name in ("lives_in", "diet", "name", *many):
            self.mem.register_predicate(name, "many" if name in many else "one")

    def set(self, user: str, predicate: str, value: str, said: str | None = None, since: str | None = None) -> None:
        if since is not None and datetime.fromisoformat(since) > datetime.now(UTC):
            self.mem.record(user, predicate, value, valid_from=since)
        else:
            self.mem.set(user, predicate, value, said_at=said, since=since)

    def get(self, user: str, predicate: str, at: str | None = None, known: object = None) -> list[str]:
        found = self.mem.get(user, predicate, at=at, known_at=self.rev if known else None)
        return [] if found is None else list(found) if isinstance(found, tuple) else [found]

    def mark(self) -> None:
        self.rev = self.mem.state("ann").rev

    def undo(self, user: str, predicate: str, value: str) -> None:
        facts = [fact for fact in self.mem.history(user, predicate).facts if fact.value == value]
        self.mem.correct(facts[-1].id)

    def retract(self, user: str, predicate: str, value: str) -> None:
        self.mem.retract(user, predicate, value)

    def rebuild(self) -> None:
        self.mem.rebuild()

    def queue(self, user: str, text: str) -> None:
        self.mem.add(user, text)

    def drain(self) -> None:
        self.mem.flush()


if __name__ == "__main__":
    serve(Player())

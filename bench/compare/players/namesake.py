"""The package of the same name and idea that is on the package index."""

from __future__ import annotations

from serving import CannotError, serve

from tensemem import FakeExtractor, Memory


class Player:
    """Driven by its explicit writes; a statement with a time of its own goes in as a message, which it reads itself."""

    def open(self, path: str, many: list[str]) -> None:
        from tensemem.core.models import Cardinality

        self.mem = Memory(path, llm=FakeExtractor(), start_worker=False)  # messages are read when they are drained
        for name in ("lives_in", "diet", "name", *many):
            self.mem.register_predicate(name, cardinality=Cardinality.MANY if name in many else Cardinality.ONE)

    def set(self, user: str, predicate: str, value: str, said: str | None = None, since: str | None = None) -> None:
        if since is not None:
            raise CannotError("set() takes no time from which a value holds")
        if said is None:
            self.mem.set(user, predicate, value)
        else:
            self.mem.add(user, f"I live in {value}", occurred_at=said)
            self.mem.flush()

    def get(self, user: str, predicate: str, at: str | None = None, known: object = None) -> list[str]:
        if at is not None or known is not None:
            raise CannotError("state() takes no time")
        found = self.mem.state(user).values.get(predicate)
        return [] if found is None else list(found) if isinstance(found, tuple) else [found]

    def mark(self) -> None:
        """Nothing to note: no read goes back to it."""

    def undo(self, user: str, predicate: str, value: str) -> None:
        facts = [fact for fact in self.mem.history(user, predicate).facts if fact.object == value]
        self.mem.correct(facts[-1].id)

    def retract(self, user: str, predicate: str, value: str) -> None:
        self.mem.retract(user, predicate, value)

    def rebuild(self) -> None:
        self.mem.rebuild("ann", wait=True)

    def queue(self, user: str, text: str) -> None:
        self.mem.add(user, text)

    def drain(self) -> None:
        self.mem.flush()


if __name__ == "__main__":
    serve(Player())

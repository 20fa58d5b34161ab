"""Import an old chat, twice, and see that nothing is learned twice and that the order of arrival does not show."""

from __future__ import annotations

from collections.abc import Iterator

from tensemem import FakeExtractor, Memory, Message

CHAT = (
    ("a1", "2023-01-05T10:00", "I live in Delhi. I use Python."),
    ("a2", "2023-06-20T08:30", "I moved to Bangalore"),
    ("a3", "2024-02-11T21:15", "I no longer use Python. I use Go and Rust."),
)


def messages(ids: tuple[str, ...]) -> Iterator[Message]:
    """Give some of the chat's messages, in the order asked for."""
    by_id = {id: (said_at, text) for id, said_at, text in CHAT}
    for id in ids:
        said_at, text = by_id[id]
        yield Message("u1", text, said_at=said_at, idempotency_key=id)


def main() -> None:
    """Import in two orders and compare."""
    shown = []
    for path, ids in (("forwards.db", ("a1", "a2", "a3")), ("backwards.db", ("a3", "a2", "a1", "a2"))):
        with Memory(path, llm=FakeExtractor(), worker=False) as mem:
            mem.register_predicate("lives_in")
            mem.register_predicate("languages", "many")
            receipts = list(mem.add_many(messages(ids)))
            mem.flush()
            print(path, "duplicates:", sum(receipt.duplicate for receipt in receipts))
            shown.append(str(mem.history("u1")))
    print(shown[0])
    print("the same:", shown[0] == shown[1])


if __name__ == "__main__":
    main()

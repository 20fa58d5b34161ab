"""Standard input as messages: the whole of it as one, a line each, or JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import click

from tensemem import AddResult, Message

from .text import counted
from .views import durability_text, redaction_lines

_KEYS = (
    "content", "role", "said_at", "session_id", "speaker", "idempotency_key", "source", "metadata", "extract",
)  # fmt: skip
"""What a JSON line may have."""


class Input:
    """Standard input as bytes, which are UTF-8 or refused."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def decoded(self) -> str:
        """Give all of it as text, without the line break that ends it."""
        return _text(self._stream.read(), "standard input").removesuffix("\n").removesuffix("\r")

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Give the lines that are not blank, with their numbers."""
        for number, line in enumerate(self._stream, start=1):
            if line.strip():
                yield number, line


def standard_input() -> Input:
    """Give standard input; where there is none, that is wrong usage."""
    if sys.stdin is None or sys.stdin.closed:
        raise click.UsageError("there is no standard input")
    return Input(sys.stdin.buffer)


def _text(raw: bytes, where: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{where} is not UTF-8 at byte {error.start}") from None


class Feed:
    """Messages from standard input. What comes before a line that can't be read is given; ``fault`` then says why."""

    def __init__(self, user: str, form: str, common: Mapping[str, Any]) -> None:
        self._user = user
        self._read: Callable[[str], Message] = self._json_line if form == "jsonl" else self._plain_line
        self._common = dict(common)
        self._numbers: list[int] = []
        self.fault: str | None = None

    def messages(self) -> Iterator[Message]:
        """Give the messages, and stop at the first line that is none."""
        for number, raw in standard_input().lines():
            try:
                message = self._read(_text(raw, f"line {number}"))
            except click.UsageError as error:
                self.fault = error.message if error.message.startswith("line ") else f"line {number}: {error.message}"
                return
            self._numbers.append(number)
            yield message

    def line_of(self, count: int) -> int:
        """Give the number of the line that held the message of that count; 0 for none."""
        return self._numbers[count - 1] if 0 < count <= len(self._numbers) else 0

    def _plain_line(self, line: str) -> Message:
        return Message(self._user, line.rstrip("\r\n"), **self._common)

    def _json_line(self, line: str) -> Message:
        try:
            body = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise click.UsageError(f"it is no JSON: {error}") from None
        if not isinstance(body, dict):
            raise click.UsageError("give a JSON object on each line")
        unknown = [key for key in body if key not in _KEYS]
        if unknown:
            raise click.UsageError(f"unknown {unknown[0]!r}; a line may have {', '.join(_KEYS)}")
        if "content" not in body:
            raise click.UsageError("it has no 'content'")
        given = {key: value for key, value in body.items() if value is not None or key == "content"}
        return Message(self._user, **{**self._common, **given})


@dataclass
class Tally:
    """What became of many messages."""

    messages: int = 0
    duplicates: int = 0
    settled: int = 0
    first_rev: int = 0
    first_seq: int | None = None
    last: AddResult | None = None
    redactions: dict[str, int] = field(default_factory=dict)

    def count(self, receipt: AddResult) -> None:
        """Add a receipt."""
        self.messages += 1
        self.duplicates += receipt.duplicate
        self.settled += receipt.settled
        if self.last is None:
            self.first_seq, self.first_rev = receipt.seq, max(receipt.rev - 1, 0)
        self.last = receipt
        for kind, number in receipt.redactions.items():
            self.redactions[kind] = self.redactions.get(kind, 0) + number

    def document(self) -> dict[str, Any]:
        """Give the sums as a document."""
        last = self.last
        return {
            "messages": self.messages, "duplicates": self.duplicates, "settled": self.settled,
            "first_seq": self.first_seq, "last_seq": None if last is None else last.seq,
            "rev": None if last is None else last.rev, "redactions": self.redactions,
            "durability": None if last is None else last.durability,
        }  # fmt: skip

    def lines(self) -> list[str]:
        """Give the sums as lines."""
        if self.last is None:
            return ["nothing to log: standard input had no lines"]
        known = f", {self.duplicates} of them known already" if self.duplicates else ""
        told = f"{counted(self.messages, 'message')} logged, seq {self.first_seq} to {self.last.seq}{known}"
        return [f"{told}; {durability_text(self.last.durability)}", *redaction_lines(self.redactions)]

"""Standard input, or a file, as messages or operations: the whole of it as one, a line each, or JSON Lines."""

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
    "user_id", "agent_id",
)  # fmt: skip
"""What a JSON line may have."""

Whose = tuple[str, str]
"""A user and an agent."""

from_file = click.option(
    "--file", type=click.File("rb"), metavar="FILE", help="Read this file in place of standard input."
)


class Input:
    """Standard input, or a file, as bytes, which are UTF-8 or refused."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream, self._name = stream, name

    def decoded(self) -> str:
        """Give all of it as text, without the line break that ends it."""
        return _text(self._stream.read(), self._name).removesuffix("\n").removesuffix("\r")

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Give the lines that are not blank, with their numbers."""
        for number, line in enumerate(self._stream, start=1):
            if line.strip():
                yield number, line

    def texts(self) -> Iterator[tuple[int, str]]:
        """Give the lines that are not blank as text, with their numbers."""
        for number, line in self.lines():
            yield number, _text(line, f"line {number}")


def input_of(file: BinaryIO | None) -> Input:
    """Give a file that was named, or else standard input; where there is none, that is wrong usage."""
    if file is not None:
        return Input(file, str(getattr(file, "name", "the file")))
    if sys.stdin is None or sys.stdin.closed:
        raise click.UsageError("there is no standard input")
    return Input(sys.stdin.buffer, "standard input")


def _text(raw: bytes, where: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{where} is not UTF-8 at byte {error.start}") from None


class Feed:
    """Messages from lines. What comes before a line that can't be read is given; ``fault`` then says why.

    ``user`` is whose they are; None where each line says it. ``common`` holds what a line may say otherwise.
    """

    def __init__(self, source: Input, user: str | None, form: str, common: Mapping[str, Any]) -> None:
        self._source, self._user = source, user
        self._read: Callable[[str], Message] = self._json_line if form == "jsonl" else self._plain_line
        self._common = dict(common)
        self._given: list[tuple[int, Whose]] = []
        self.fault: str | None = None

    def messages(self) -> Iterator[Message]:
        """Give the messages, and stop at the first line that is none."""
        for number, raw in self._source.lines():
            try:
                message = self._read(_text(raw, f"line {number}"))
            except click.UsageError as error:
                self.fault = error.message if error.message.startswith("line ") else f"line {number}: {error.message}"
                return
            self._given.append((number, (message.user_id, message.agent_id)))
            yield message

    def line_of(self, count: int) -> int:
        """Give the number of the line that held the message of that count; 0 for none."""
        return self._given[count - 1][0] if 0 < count <= len(self._given) else 0

    def whose(self, count: int) -> Whose:
        """Give whose the message of that count was, from 1 on."""
        return self._given[count - 1][1]

    def _plain_line(self, line: str) -> Message:
        return Message(str(self._user), line.rstrip("\r\n"), **self._common)

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
        user = self._user_of(given.pop("user_id", None))
        for name in ("user_id", "agent_id"):
            if not isinstance(given.get(name, ""), str):
                raise click.UsageError(f"{name!r} must be text")
        return Message(user, **{**self._common, **given})

    def _user_of(self, named: object) -> str:
        """Give whose a line is. What it says must not contradict the command."""
        if named is None:
            if self._user is None:
                raise click.UsageError("it has no 'user_id', and the command names no user")
            return self._user
        if not isinstance(named, str):
            raise click.UsageError("'user_id' must be text")
        if self._user not in (None, named):
            raise click.UsageError(f"it is of the user {named!r}, and the command names {self._user!r}; leave it out")
        return named


@dataclass
class Tally:
    """What became of many messages, of one user or of several."""

    messages: int = 0
    duplicates: int = 0
    settled: int = 0
    redactions: dict[str, int] = field(default_factory=dict)
    durability: str | None = None
    scopes: dict[Whose, Logged] = field(default_factory=dict)

    def count(self, whose: Whose, receipt: AddResult) -> None:
        """Add a receipt."""
        self.messages += 1
        self.duplicates += receipt.duplicate
        self.settled += receipt.settled
        self.durability = receipt.durability
        logged = self.scopes.setdefault(whose, Logged(receipt.seq, max(receipt.rev - 1, 0)))
        logged.messages += 1
        logged.last_seq, logged.rev = receipt.seq, receipt.rev
        for kind, number in receipt.redactions.items():
            self.redactions[kind] = self.redactions.get(kind, 0) + number

    def only(self) -> Logged | None:
        """Give what was logged where all was one user's; None where nothing was."""
        return next(iter(self.scopes.values()), None)

    def document(self, *, is_of_one: bool) -> dict[str, Any]:
        """Give the sums as a document: with the seqs of the one user, or of each."""
        found: dict[str, Any] = {
            "messages": self.messages, "duplicates": self.duplicates, "settled": self.settled,
            "redactions": self.redactions, "durability": self.durability,
        }  # fmt: skip
        if is_of_one:
            one = self.only()
            return {**found, **(_NOTHING if one is None else one.document())}
        return {
            **found,
            "users": [
                {"user_id": user, "agent_id": agent, "messages": one.messages, **one.document()}
                for (user, agent), one in self.scopes.items()
            ],
        }

    def lines(self, *, is_of_one: bool) -> list[str]:
        """Give the sums as lines."""
        one = self.only()
        if one is None:
            return ["nothing to log: there were no lines"]
        known = f", {self.duplicates} of them known already" if self.duplicates else ""
        users = len({user for user, _ in self.scopes})
        where = f"seq {one.first_seq} to {one.last_seq}" if is_of_one else f"of {counted(users, 'user')}"
        told = f"{counted(self.messages, 'message')} logged, {where}{known}"
        return [f"{told}; {durability_text(self.durability or '')}", *redaction_lines(self.redactions)]


@dataclass
class Logged:
    """What was logged of one user: which seqs, and the revision before the first and at the last."""

    first_seq: int
    first_rev: int
    messages: int = 0
    last_seq: int = 0
    rev: int = 0

    def document(self) -> dict[str, Any]:
        """Give its numbers as fields."""
        return {"first_seq": self.first_seq, "last_seq": self.last_seq, "rev": self.rev}


_NOTHING: Mapping[str, Any] = {"first_seq": None, "last_seq": None, "rev": None}

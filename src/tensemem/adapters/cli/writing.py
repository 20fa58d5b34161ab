"""The command that writes several operations as one entry, and how operations are read from JSON."""

from __future__ import annotations

from typing import Any, BinaryIO

import click

from tensemem import Operation, errors
from tensemem.wire import SERVED, decode

from . import options
from .feeding import from_file, input_of
from .options import Json, command, json_in
from .session import Session, pass_session
from .views import write_lines

EXAMPLE = '{"op": "set", "predicate": "lives_in", "value": "Delhi"}'


@command("write")
@options.user
@click.argument("dash", required=False, metavar="[-]")
@click.option("--op", "given", multiple=True, metavar="JSON", help="An operation; repeatable.")
@from_file
@options.agent
@options.expected_rev
@options.receipt_options
@pass_session
def write(
    session: Session, /, user: str, dash: str | None, given: tuple[str, ...], file: BinaryIO | None,
    agent_id: str, **receipt: Any,
) -> None:  # fmt: skip
    """Write several operations as one entry, all or none.

    Each is a JSON object such as {"op": "set", "predicate": "lives_in", "value": "Delhi"}: after --op, or one a line in
    FILE; - reads standard input.
    """
    operations = _operations(dash, given, file)
    with session.writing() as mem:
        result = mem.write(user, operations, agent_id=agent_id, **receipt)
        fresh = session.freshness(mem, user, agent_id)
    session.show(result, write_lines(result, session.look, session.zone), freshness=fresh)
    session.tell_freshness(fresh)


def _operations(dash: str | None, given: tuple[str, ...], file: BinaryIO | None) -> list[Operation]:
    if dash not in (None, "-"):
        raise click.UsageError(f"{dash!r} is no operation; put JSON behind --op, name a file with --file, or give -")
    if (dash is not None) + bool(given) + (file is not None) != 1:
        raise click.UsageError("give the operations with --op, with --file, or - for standard input: one of these")
    if given:
        return [operation_in(text) for text in given]
    found = [operation_in(text, f"line {number}") for number, text in input_of(file).texts()]
    if not found:
        raise click.UsageError("there were no lines, so there is nothing to write")
    return found


def operation_in(text: str, where: str = "--op") -> Operation:
    """Read an operation from JSON text, as a request over HTTP has it; raises click's UsageError."""
    try:
        body = json_in(text, Json())
    except click.BadParameter as error:
        raise click.UsageError(f"{where}: {error.message}") from None
    if not isinstance(body, dict):
        raise click.UsageError(f"{where}: give a JSON object with op, predicate and value, such as {EXAMPLE}")
    try:
        found: list[Operation] = decode(SERVED["write"], {"user_id": "u", "operations": [body]})["operations"]
    except errors.InvalidValueError as error:
        told = str(error).removeprefix("operations[0]").lstrip(".: ")
        known = ", ".join(Operation.__dataclass_fields__)
        raise click.UsageError(f"{where}: {told}; it needs op and predicate, and may have {known}") from None
    return found[0]

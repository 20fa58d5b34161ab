"""The commands that state values: one for each verb that writes to a slot, from one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import click

from tensemem import Memory

from . import options
from .options import MOMENT, Command, command
from .session import Session, pass_session
from .views import write_lines

Values = Literal["one", "optional", "some"]


@dataclass(frozen=True, slots=True)
class _Verb:
    """A verb of Memory as a command: which values it takes, which times, and its help."""

    name: str
    values: Values
    times: tuple[str, ...]
    help: str


_VERBS = (
    _Verb("set", "one", ("since", "until"), "State what holds now; on a many-valued predicate it adds."),
    _Verb("record", "one", ("valid_from", "valid_to"), "File a dated row: past, effective-dated or scheduled."),
    _Verb("add_value", "one", ("since", "until"), "Add one value to a many-valued predicate."),
    _Verb("remove_value", "one", ("since",), "Take one value out of a many-valued predicate. It held until now."),
    _Verb("replace_values", "some", ("since",), "State that these values, and no others, hold now."),
    _Verb("retract", "optional", ("since",), "Say that a value no longer holds; any, if none is named."),
    _Verb("deny", "one", (), "Say that a value never held. All that was stated for it is void."),
    _Verb("confirm", "optional", (), "Say that what is shown still holds. Or accept what waits for review."),
)

_TIMES = {
    "since": "It holds since then (for what is taken away: until then).",
    "until": "It holds until then; a day, month or year is covered whole.",
    "valid_from": "When it begins to hold.",
    "valid_to": "When it ends; a day, month or year is covered whole.",
}

_END = "Put -- before a value that begins with -, as in: tensemem set home temperature -- -5"


def stating_commands() -> list[Command]:
    """Make the commands, in the order of the table."""
    return [_made(verb) for verb in _VERBS]


def _made(verb: _Verb) -> Command:
    @pass_session
    def run(session: Session, /, **given: Any) -> None:
        values = _values(verb, given.pop("value"), given.pop("type_json"), given.pop("clear", False))
        with session.writing() as mem:
            _write(session, mem, getattr(mem, verb.name), given, values)

    decorated: Callable[..., Any] = options.together(options.user, options.predicate, *_parameters(verb))(run)
    return command(verb.name.replace("_", "-"), help=verb.help, epilog=_END)(decorated)


def _parameters(verb: _Verb) -> list[Callable[[Any], Any]]:
    is_some = verb.values == "some"
    value = click.argument("value", required=verb.values == "one", nargs=-1 if is_some else 1)
    clear = click.option("--clear", is_flag=True, help="No values: none holds any more.")
    times = [
        click.option(f"--{name.replace('_', '-')}", metavar=MOMENT, required=name == "valid_from", help=_TIMES[name])
        for name in verb.times
    ]
    return [
        value, *([clear] if is_some else []), options.type_json, *times, options.subject, options.agent,
        options.expected_rev, options.receipt_options,
    ]  # fmt: skip


def _values(verb: _Verb, given: Any, type_json: bool, clear: bool) -> Any:
    """Give the value as the verb takes it; a single JSON list stands for the values of ``replace-values``."""
    if verb.values != "some":
        return options.value_in(given, type_json)
    if bool(given) == clear:
        raise click.UsageError("give the values, or --clear for none" if not given else "give values or --clear")
    values = [options.value_in(text, type_json) for text in given]
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _write(session: Session, mem: Memory, verb: Callable[..., Any], given: dict[str, Any], values: Any) -> None:
    user, agent_id = given.pop("user"), given.pop("agent_id")
    result = verb(user, given.pop("predicate"), values, agent_id=agent_id, **given)
    fresh = session.freshness(mem, user, agent_id)
    session.show(result, write_lines(result, session.look, session.zone), freshness=fresh)
    session.tell_freshness(fresh)

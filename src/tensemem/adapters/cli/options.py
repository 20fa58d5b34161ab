"""Options and arguments that commands share, and the command class that takes the general ones anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from tensemem import Memory, errors, logs
from tensemem.core.periods import parse_zone

from .session import CA, DEFAULT_FILE, Session
from .wording import RUNNING

MOMENT = "TIME"
"""How help shows a time: ISO 8601, such as 2026-03-05 or 2026-03-05T10:30Z; 2026 and 2026-03 are periods."""


def _zone(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else parse_zone(value)
    except errors.InvalidTimeError as error:
        raise click.BadParameter(str(error)) from None


def _general(*, later: bool) -> list[click.Option]:
    """Make the general options: as the program has them, or as every command takes them too."""
    return [
        _one("db", later, DEFAULT_FILE, metavar="PATH", envvar="TENSEMEM_DB", help="The memory's file or URL."),
        _one("namespace", later, "default", metavar="NAME", help="The tenant."),
        _one("tz", later, "UTC", metavar="ZONE", callback=_zone,
             help="Zone of times without an offset, and of times shown, such as Europe/Berlin."),
        _one("ca", later, None, metavar="PATH", envvar=CA, help="Certificates that may vouch for a server, PEM."),
        _flag(later),
    ]  # fmt: skip


def _one(name: str, later: bool, default: str | None, **attributes: Any) -> click.Option:
    if later:  # it stands behind the command: what is not given must not undo what was given before it
        attributes |= {"envvar": None, "expose_value": False, "hidden": True, "callback": _set(name)}
        return click.Option([f"--{name}"], **attributes)
    return click.Option([f"--{name}"], default=default, show_default=True, show_envvar=True, **attributes)


def _flag(later: bool) -> click.Option:
    attributes: dict[str, Any] = {"expose_value": False, "callback": _set("as_json")} if later else {}
    return click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document.", **attributes)


def _set(name: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def put(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        session = context.find_object(Session)
        if session is not None and value not in (None, False):
            setattr(session, name, _zone(context, parameter, value) if name == "tz" else value)
            session.is_named = session.is_named or name == "db"
            session.is_pinned = session.is_pinned or name == "namespace"

    return put


def general_options() -> list[click.Option]:
    """Give the options that stand before the command; those of logging stand there only."""
    levels = click.Choice(logs.LEVELS, case_sensitive=False)
    return [
        *_general(later=False),
        click.Option(["--log-level"], type=levels, envvar=logs.LEVEL, show_envvar=True,
                     help="Write what the library logs to standard error."),
        click.Option(["--log-json"], is_flag=True, help="Write it as JSON lines; at level info unless told."),
    ]  # fmt: skip


class Command(click.Command):
    """A command that takes the general options too, so that they may stand on either side of its name."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.params += _general(later=True)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong is told in the words of its options."""
        RUNNING.set(self)
        return super().invoke(ctx)


class Group(click.Group):
    """A command with commands of its own that takes the general options too."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.params += _general(later=True)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong is told in the words of its options."""
        RUNNING.set(self)
        return super().invoke(ctx)


def command(name: str, **attributes: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function; its docstring is the help."""
    return click.command(name, cls=Command, **attributes)


def together(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make one decorator of several, applied so that help lists them in this order."""

    def decorate(function: Any) -> Any:
        for one in reversed(decorators):
            function = one(function)
        return function

    return decorate


if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # which was not generic always


class Revision(ParamType):
    """A revision or a time: digits alone are a revision; a whole year is meant by its last day, 2026-12-31."""

    name = "REV|TIME"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Give an integer as a revision and leave other text to be read as a time."""
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
            if len(value.strip()) > 18:
                self.fail(f"{value[:30]!r} is no revision", parameter, context)
            return int(value)
        return value


class Json(ParamType):
    """A JSON object given as text."""

    name = "JSON"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Give the object."""
        if not isinstance(value, str):
            return value
        found = json_in(value, self, parameter, context)
        if not isinstance(found, Mapping):
            self.fail("it is no JSON object", parameter, context)
        return found


def json_in(
    text: str, kind: ParamType, parameter: click.Parameter | None = None, context: click.Context | None = None
) -> Any:
    """Read JSON text; raises click's BadParameter for what is none."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        kind.fail(f"it is no JSON: {why}", parameter, context)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def value_in(text: str | None, type_json: bool) -> Any:
    """Give a value as it was typed: text, or what its JSON says."""
    return json_in(text, Json()) if type_json and text is not None else text


def _users(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return _found(context, lambda mem: [info.user_id for info in mem.scopes(incomplete or None, limit=50)], incomplete)


def _predicates(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return _found(context, lambda mem: [predicate.name for predicate in mem.predicates()], incomplete)


def _found(context: click.Context, names: Callable[[Memory], list[str]], incomplete: str) -> list[CompletionItem]:
    """Offer names of an existing memory to the shell; whatever goes wrong offers nothing."""
    given = context.find_root().params
    session = Session(
        db=given.get("db") or DEFAULT_FILE, namespace=given.get("namespace") or "default", is_pinned=True,
        ca=given.get("ca"),
    )  # fmt: skip
    try:
        with session.reading() as mem:
            found = dict.fromkeys(names(mem))
    except errors.TensememError:
        return []
    return [CompletionItem(name) for name in found if name.startswith(incomplete) and name.isprintable()]


user = click.argument("user", shell_complete=_users)
optional_user = click.argument("user", required=False, shell_complete=_users)
predicate = click.argument("predicate", shell_complete=_predicates)
optional_predicate = click.argument("predicate", required=False, shell_complete=_predicates)
fact_id = click.argument("fact_id", metavar="ID")

agent = click.option("--agent", "agent_id", metavar="AGENT", default="", help="The agent's own memory of the user.")
subject = click.option("--subject", metavar="SUBJECT", default="user", show_default=True, help="What it is about.")
at = click.option("--at", metavar=MOMENT, help="What held then, as known now.")
known_at = click.option("--known-at", type=Revision(), help="What was believed then: a revision or a time.")
min_seq = click.option("--min-seq", type=click.IntRange(min=0), help="The receipt of a write that must be in.")
wait = click.option("--wait", type=click.FloatRange(min=0), metavar="SECONDS", help="Wait for pending messages.")
require_current = click.option(
    "--require-current", is_flag=True, help="Give no stale answer: exit with 1 where messages are pending or failed."
)
limit = click.option("--limit", type=click.IntRange(min=1), help="At most so many.")
type_json = click.option("--type-json", is_flag=True, help="Read VALUE as JSON: numbers, lists, true, objects.")
timeout = click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="SECONDS", default=60.0, show_default=True,
    help="How long extraction may take in all.",
)  # fmt: skip

receipt_options = together(
    click.option("--said-at", metavar=MOMENT, help="When it was said; without it, now."),
    click.option("--source", metavar="LABEL", help="Where it comes from."),
    click.option("--idempotency-key", metavar="KEY", help="The same request under a known key is done once."),
    click.option("--metadata", type=Json(), help="A JSON object kept with the entry."),
)
expected_rev = click.option(
    "--expected-rev", type=click.IntRange(min=0), help="Refuse where the slot changed after this revision."
)
of_one = together(
    click.option("--user", "user_id", metavar="USER", help="Take ids of this user only."),
    click.option("--agent", "agent_id", metavar="AGENT", help="Take ids of this agent's memory only."),
)

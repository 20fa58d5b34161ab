"""The commands of the registry: predicates, proposals, register."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, get_args

import click

from tensemem import Entity, Memory, Predicate
from tensemem.model.predicate import ValueType

from . import options
from .acts import recorded
from .options import Json, command, json_in
from .session import Session, pass_session
from .text import Cell, Look, counted, short, table


@command("predicates")
@pass_session
def predicates(session: Session) -> None:
    """List what may be remembered."""
    with session.reading() as mem:
        found = mem.predicates()
    session.show({"predicates": found}, _predicate_lines(found, session.look))


def _predicate_lines(found: tuple[Predicate, ...], look: Look) -> list[str]:
    rows = [
        (
            Cell(short(one.name, look), "bold"), one.cardinality, one.type, short(_policy(one), look, 200),
            short(", ".join(one.aliases), look), short(one.description, look),
        )
        for one in found
    ]  # fmt: skip
    nothing = ["no predicates yet; 'tensemem register NAME' adds one"]
    return table(("name", "cardinality", "type", "policy", "also called", "description"), rows, look) or nothing


def _policy(one: Predicate) -> str:
    trust = one.trust if isinstance(one.trust, tuple) else None if one.trust is None else dict(one.trust)
    parts = {
        "choices": None if one.choices is None else ", ".join(str(choice) for choice in one.choices),
        "ttl": _duration(one.ttl), "review after": _duration(one.review_after),
        "writers": None if one.writers is None else ", ".join(one.writers),
        "trust": ", ".join(trust) if isinstance(trust, tuple) else trust,
        "min confidence": one.min_confidence, "verbatim": one.verbatim,
    }  # fmt: skip
    return "; ".join(f"{name} {told}" for name, told in parts.items() if told is not None)


def _duration(duration: timedelta | None) -> str | None:
    if duration is None:
        return None
    seconds = duration.total_seconds()
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds % size == 0:
            return f"{int(seconds // size)}{unit}"
    return f"{seconds:g}s"


@command("proposals")
@pass_session
def proposals(session: Session) -> None:
    """List predicates that extractors proposed. They are not registered; registering one admits what was said."""
    with session.reading() as mem:
        found = mem.proposals()
    look = session.look
    rows = [
        (
            Cell(short(one.predicate, look), "bold"), one.cardinality, str(one.count),
            short(", ".join(one.examples), look),
        )
        for one in found
    ]  # fmt: skip
    lines = table(("predicate", "cardinality", "times", "examples"), rows, look)
    if lines:
        lines.append("'tensemem register NAME' admits what was proposed for it")
    session.show({"proposals": found}, lines or ["no proposals"])


@command("register")
@click.argument("name", required=False)
@click.option("--entity", is_flag=True, help="NAME is a thing that goes by other names too.")
@click.option("--file", "path", metavar="TOML", type=click.Path(), help="Register a whole profile, all or none.")
@click.option("--many/--one", "is_many", default=None, help="Several values at once, or one (the default).")
@click.option("--type", "type_", type=click.Choice(get_args(ValueType)), help="Of what type values are; text if none.")
@click.option("--description", metavar="TEXT", help="What it means; shown to extractors.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="Another name; may be repeated.")
@click.option("--choice", "choices", multiple=True, metavar="VALUE", help="An allowed value; may be repeated.")
@click.option("--ttl", metavar="DURATION", help="How long a statement holds unrenewed, such as 30d.")
@click.option("--review-after", metavar="DURATION", help="How old evidence may grow, such as 180d.")
@click.option("--writer", "writers", multiple=True, metavar="LABEL", help="Who may write; may be repeated.")
@click.option("--trust", multiple=True, metavar="LABEL", help="A source, the most trusted first; may be repeated.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), help="What is less certain waits for review.")
@click.option("--verbatim/--not-verbatim", default=None, help="Whether values must stand in the words as they are.")
@click.option("--example", "examples", multiple=True, metavar="TEXT",
              help="A sentence that states it, with {value} in the value's place; may be repeated.")  # fmt: skip
@click.option("--kind", metavar="TEXT", help="With --entity: what kind of thing it is.")
@click.option("--update", is_flag=True, help="Replace another definition of the same name.")
@options.type_json
@pass_session
def register(session: Session, /, name: str | None, entity: bool, path: str | None, **given: Any) -> None:
    """Register a predicate, an entity, or a profile. The same again writes nothing."""
    wanted = {key: value for key, value in given.items() if value not in (None, ()) and (value or key in _MAY_BE_OFF)}
    _check_form(name, entity, path, wanted)
    act = "register" if path is not None else "register_entity" if entity else "register_predicate"
    with recorded(session, act), session.writing(makes_file=True) as mem:
        if path is not None:
            found: Any = mem.register(path, update=given["update"])
            session.show({"registered": found}, [f"{counted(len(found), 'predicate')} registered from {path}"])
        elif entity:
            known: Entity = mem.register_entity(str(name), **{k: v for k, v in wanted.items() if k in _FOR_ENTITIES})
            session.show(known, [_entity_line(known, session.look)])
        else:
            predicate = _register_predicate(mem, str(name), wanted)
            session.show(predicate, _predicate_lines((predicate,), session.look))


_FOR_ENTITIES = ("aliases", "kind")
_MAY_BE_OFF = ("is_many", "verbatim", "min_confidence", "description", "ttl", "review_after", "kind")
"""Options whose empty or negative value says something."""


def _check_form(name: str | None, entity: bool, path: str | None, wanted: dict[str, Any]) -> None:
    """Refuse options that say nothing about what is registered."""
    if (name is None) == (path is None):
        raise click.UsageError("give a NAME, or --file")
    allowed = ("update",) if path is not None else _FOR_ENTITIES if entity else tuple(k for k in wanted if k != "kind")
    if path is not None and entity:
        raise click.UsageError("--entity and --file don't go together")
    extra = [key for key in wanted if key not in allowed]
    if extra:
        what = "a file" if path is not None else "an entity" if entity else "a predicate"
        raise click.UsageError(f"{_OPTIONS.get(extra[0], '--' + extra[0].replace('_', '-'))} says nothing about {what}")


_OPTIONS = {
    "is_many": "--many", "type_": "--type", "aliases": "--alias", "choices": "--choice", "writers": "--writer",
    "examples": "--example",
}  # fmt: skip


def _register_predicate(mem: Memory, name: str, wanted: dict[str, Any]) -> Predicate:
    wanted = dict(wanted)
    cardinality: Any = "many" if wanted.pop("is_many", False) else "one"
    if wanted.pop("type_json", False) and "choices" in wanted:
        wanted["choices"] = [json_in(choice, Json()) for choice in wanted["choices"]]
    if "type_" in wanted:
        wanted["type"] = wanted.pop("type_")
    return mem.register_predicate(name, cardinality, **wanted)


def _entity_line(known: Entity, look: Look) -> str:
    others = f", also called {', '.join(known.aliases)}" if known.aliases else ""
    return short(f"{known.kind} {known.name}{others}", look, 200)

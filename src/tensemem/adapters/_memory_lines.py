"""The text of the memory tool's files: what holds now and what held, one line each, and an edited text read back.

A changed line is a *set*, never a *correct*: whoever rewrites a line says what holds now, not that what stood there was
never true. What stood there stays in the history as true until then. Taking a wrong ``set`` back is one ``correct``; a
wrong ``correct`` would take a true past away without a word.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import InvalidValueError
from ..model.fact import Fact
from ..model.operation import Operation
from ..model.predicate import Predicate
from ..model.results import History, State

Values = dict[str, list[str]]
"""By predicate, the values of a file as they stand in it."""


def state_text(subject: str, state: State, predicates: Mapping[str, Predicate]) -> str:
    """Give a subject's state file; "" where nothing is known of it.

    One line each, ``predicate: value``, a list where the predicate is many-valued; lines with # say what is planned or
    in doubt, and are not read back.
    """
    found: dict[str, list[Fact]] = {}
    for fact in state.facts:
        if fact.subject == subject and fact.predicate in predicates:
            found.setdefault(fact.predicate, []).append(fact)
    lines = [line for name, facts in found.items() for line in _slot_lines(predicates[name], facts)]
    remarks = [f"# {line}" for line in _remarks(subject, state, predicates)]
    return "".join(f"{line}\n" for line in (*lines, *remarks))


def history_text(subject: str, predicate: str, history: History) -> str:
    """Give the file of a slot's history: every value, when it held, who said it in which words."""
    head = f"# {predicate} of {_one_line(subject)}, in the order in which it held. Read-only.\n"
    return head + "".join(f"- {_history_line(fact)}\n" for fact in history.facts)


def readme_text(predicates: Iterable[Predicate]) -> str:
    """Give the file that explains the view and lists the predicates."""
    return _README + "".join(f"- {_predicate_line(each)}\n" for each in predicates)


def parsed(text: str, predicates: Mapping[str, Predicate]) -> Values:
    """Read a state file. Raises InvalidValueError that names the first line that is not of its form."""
    names = _names(predicates.values())
    found: Values = {}
    current: Predicate | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        where = f"Nothing was changed. Line {number}, {line[:80]!r}"
        if line.startswith("- ") and current is not None:
            _take(found, current, line[2:], where)
            continue
        name, colon, value = line.partition(":")
        if not colon or line.startswith("- "):
            raise InvalidValueError(f"{where}: write `predicate: value`, or `predicate:` and below it `- value` lines")
        if name.strip().casefold() not in names:
            known = ", ".join(sorted(predicates)) or "none"
            raise InvalidValueError(f"{where}: there is no predicate {name.strip()!r}. These are: {known}")
        current = names[name.strip().casefold()]
        if value.strip():
            _take(found, current, value, where)
        else:
            found.setdefault(current.name, [])
    return found


def operations(subject: str, before: Values, after: Values, predicates: Mapping[str, Predicate]) -> list[Operation]:
    """Give what leads from the values of one text to those of another: set, add, remove and retract."""
    made: list[Operation] = []
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name, []), after.get(name, [])
        predicate = predicates[name]
        gone = [_value(each, predicate) for each in old if each not in new]
        come = [_value(each, predicate) for each in new if each not in old]
        if predicate.is_many:
            made += [Operation("remove", name, value, subject=subject) for value in gone]
            made += [Operation("add", name, value, subject=subject) for value in come]
        elif come:
            made.append(Operation("set", name, come[0], subject=subject))
        else:
            made += [Operation("retract", name, value, subject=subject) for value in gone]
    return made


def _slot_lines(predicate: Predicate, facts: Sequence[Fact]) -> list[str]:
    if predicate.is_many:
        return [f"{predicate.name}:", *(f"- {_written(fact, predicate)}" for fact in facts)]
    return [f"{predicate.name}: {_written(facts[0], predicate)}"]


def _written(fact: Fact, predicate: Predicate) -> str:
    """Write a value on one line; one that could be read as something else stands in quotation marks, as in JSON."""
    if predicate.type == "json":
        return json.dumps(fact.value, ensure_ascii=False, sort_keys=True)
    plain = fact.object
    is_plain = plain.isprintable() and plain == plain.strip() and plain[:1] not in ('"', "")
    return plain if is_plain else json.dumps(plain)


def _value(text: str, predicate: Predicate) -> Any:
    if predicate.type == "json" or text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            wanted = "JSON" if predicate.type == "json" else "a value in quotation marks, escaped as in JSON"
            raise InvalidValueError(f"Nothing was changed. {predicate.name}: {text[:80]} is not {wanted}") from None
    return text


def _take(found: Values, predicate: Predicate, value: str, where: str) -> None:
    values, given = found.setdefault(predicate.name, []), value.strip()
    _value(given, predicate)
    if values and not predicate.is_many:
        raise InvalidValueError(f"{where}: {predicate.name} has one value, and the file gives another one above")
    if given and given not in values:
        values.append(given)


def _names(predicates: Iterable[Predicate]) -> dict[str, Predicate]:
    known = list(predicates)
    aliases = {alias.casefold(): each for each in known for alias in each.aliases}
    return {**aliases, **{each.name.casefold(): each for each in known}}


def _remarks(subject: str, state: State, predicates: Mapping[str, Predicate]) -> list[str]:
    lines = [
        f"Not yet so, planned: {fact.predicate} = {_one_line(fact.object)}"
        for fact in state.planned
        if fact.subject == subject and fact.predicate in predicates
    ]
    lines += [
        f"Unconfirmed, ask the user: {fact.predicate} = {_one_line(fact.object)}"
        for fact in state.candidates
        if fact.subject == subject and fact.predicate in predicates
    ]
    mine = [fact for fact in state.facts if fact.subject == subject and fact.predicate in predicates]
    lines += [f"In doubt, a newer statement disagrees: {fact.predicate}" for fact in mine if fact.contested]
    return lines + [f"Not confirmed for long, ask the user: {fact.predicate}" for fact in mine if fact.due_for_review]


def _history_line(fact: Fact) -> str:
    since = "" if fact.valid_from is None else f" from {fact.valid_from:%Y-%m-%d}"
    until = "" if fact.valid_to is None else f" until {fact.valid_to:%Y-%m-%d}"
    said = fact.evidence[-1] if fact.evidence else None
    words = f": {json.dumps(said.quote, ensure_ascii=False)}" if said is not None and said.quote else ""
    source = f"; said {fact.last_evidence_at:%Y-%m-%d} by {_one_line(fact.source)}{words}"
    return f"{_one_line(fact.object)} ({fact.status.value}{since}{until}{source})"


def _predicate_line(predicate: Predicate) -> str:
    kind = "several values" if predicate.is_many else "one value"
    choices = f"; one of {', '.join(map(str, predicate.choices))}" if predicate.choices else ""
    meaning = f": {_one_line(predicate.description)}" if predicate.description else ""
    return f"{predicate.name} ({kind}, {predicate.type}{choices}){meaning}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


_README = """\
# How this memory works. Read-only.

`/memories/user/state.md` holds what is true of the user now, one line each: `predicate: value`, or `predicate:` and
below it a line `- value` for each value. Other people and things have folders of their own: `/memories/Mira/state.md`.
Edit a line when what it says has changed, delete it when it no longer holds, add one for what is new. What was true
before is kept by itself: `/memories/user/history/<predicate>.md` shows it, and who said it. Lines with # are remarks.
`/memories/notes/` is for anything else, as free text: `/memories/notes/<name>.md`.

These predicates can stand in a state file:
"""

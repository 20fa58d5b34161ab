"""Conversations read from JSON Lines. What is wrong is told with its file, its line and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..core.periods import parse_zone
from ..errors import InvalidTimeError, InvalidValueError
from ..model.operation import MODALITIES, OPS, Operation
from .cases import (
    Amend,
    Ask,
    AsOf,
    Check,
    Conversation,
    Current,
    Never,
    Past,
    Proposal,
    Rebuild,
    Register,
    Say,
    Span,
    Step,
    Target,
    Told,
    Write,
)
from .fields import Fields, WrongError, parsed


def packaged_set() -> tuple[Conversation, ...]:
    """Give the conversations that come with the library, by file and line."""
    folder = files("tensemem.bench") / "conversations"
    found = sorted((item for item in folder.iterdir() if item.name.endswith(".jsonl")), key=lambda item: item.name)
    return _unique(one for item in found for one in _read(item.read_text(encoding="utf-8"), item.name))


def read_set(path: str | Path) -> tuple[Conversation, ...]:
    """Read the conversations of a file.

    Raises InvalidValueError, with the line, for what is no conversation; OSError where the file can't be read.
    """
    raw = Path(path).read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidValueError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from None
    found = _unique(_read(text, str(path)))
    if not found:
        raise InvalidValueError(f"{path} holds no conversation; see docs/reference/bench-format.md")
    return found


def _unique(conversations: Iterable[Conversation]) -> tuple[Conversation, ...]:
    places: dict[str, str] = {}
    kept = []
    for one in conversations:
        if one.id in places:
            raise InvalidValueError(f"{one.place}: the id {one.id!r} stands at {places[one.id]} already")
        places[one.id] = one.place
        kept.append(one)
    return tuple(kept)


def _read(text: str, name: str) -> Iterator[Conversation]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{name}:{number}"
            try:
                yield _conversation(parsed(line), place)
            except WrongError as error:
                raise InvalidValueError(f"{place}: {error}") from None


def _conversation(given: Any, place: str) -> Conversation:
    fields = Fields(given, "the conversation")
    predicates, questions = _predicates(fields.take("predicates", dict))
    found = Conversation(
        id=_named(fields, "id"),
        category=_named(fields, "category"),
        language=_named(fields, "language"),
        why=fields.take("why", str, ""),
        zone=_zone(fields.take("zone", str, "UTC")),
        predicates=predicates,
        entities=_entities(fields.take("entities", dict, {})),
        questions=questions,
        steps=_steps(fields.take("steps", list)),
        place=place,
    )
    fields.end()
    _check_names(found)
    return found


def _named(fields: Fields, name: str) -> str:
    value: str = fields.take(name, str)
    if not value.strip():
        raise WrongError(f"{name!r} must not be empty")
    return value


def _zone(name: str) -> str:
    try:
        parse_zone(name)
    except InvalidTimeError as error:
        raise WrongError(str(error)) from None
    return name


def _predicates(given: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Give what each predicate is registered with, and the question people ask for it."""
    if not given:
        raise WrongError("'predicates' must name one at least")
    defined = {name: dict(_object(one, f"predicate {name!r}")) for name, one in given.items()}
    questions = {name: str(one.pop("question", name.replace("_", " "))) for name, one in defined.items()}
    return defined, questions


def _entities(given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: dict(_object(one, f"entity {name!r}")) for name, one in given.items()}


def _object(given: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise WrongError(f"{what} must be an object of what it is registered with")
    return given


def _steps(given: list[Any]) -> tuple[Step, ...]:
    steps: list[Step] = []
    clock: datetime | None = None
    said: set[tuple[datetime, str]] = set()
    for number, one in enumerate(given, start=1):
        step = _step(Fields(one, f"step {number}"))
        now = step.heard if isinstance(step, Say | Write) else step.at
        if clock is not None and now < clock:
            raise WrongError(f"step {number} comes before the one above it; say when it was 'heard'")
        if isinstance(step, Say | Write):
            who = step.role if isinstance(step, Say) else "application"
            if (step.at, who) in said:
                raise WrongError(f"step {number} is said at the same time as another one, by the same side")
            said.add((step.at, who))
        clock = now
        steps.append(step)
    if not any(isinstance(step, Ask) for step in steps):
        raise WrongError("the conversation asks nothing: it needs an 'ask' step")
    return tuple(steps)


def _step(fields: Fields) -> Step:
    kinds = [name for name in _STEPS if fields.has(name)]
    if len(kinds) != 1:
        raise WrongError(f"{fields.where} must be one of {', '.join(_STEPS)}")
    step = _STEPS[kinds[0]](fields)
    fields.end()
    return step


def _say(fields: Fields) -> Say:
    at = fields.moment("at")
    recall = fields.take("recall", str, "")
    if recall not in ("", "fenced", "bare", "again"):
        raise WrongError(f"'recall' in {fields.where} must be 'fenced', 'bare' or 'again'")
    role = fields.take("role", str, "user")
    if role not in ("user", "assistant", "system", "tool"):
        raise WrongError(f"'role' in {fields.where} must be user, assistant, system or tool")
    return Say(
        at=at,
        heard=_heard(fields, at),
        text=_named(fields, "say"),
        role=role,
        speaker=fields.take("speaker", str, None),
        recall=recall,
        proposes=tuple(_proposal(one, fields.where) for one in fields.take("proposes", list, [])),
        is_unreadable=fields.take("unreadable", bool, False),
    )


def _heard(fields: Fields, at: datetime) -> datetime:
    heard = fields.moment("heard", None)
    if heard is not None and heard < at:
        raise WrongError(f"{fields.where} is heard before it is said")
    return at if heard is None else heard


def _write(fields: Fields) -> Write:
    at = fields.moment("at")
    operations = tuple(_proposal(one, fields.where).operation for one in fields.take("write", list))
    return Write(at, _heard(fields, at), operations)


def _proposal(given: Any, where: str) -> Proposal:
    fields = Fields(given, f"an operation of {where}")
    op, modality = fields.take("op", str), fields.take("modality", str, "asserted")
    if op not in OPS:
        raise WrongError(f"'op' in {fields.where} must be one of {', '.join(OPS)}, not {op!r}")
    if modality not in MODALITIES:
        raise WrongError(f"'modality' in {fields.where} must be one of {', '.join(MODALITIES)}, not {modality!r}")
    times = {name: fields.take(name, str) for name in ("since", "until", "valid_from", "valid_to") if fields.has(name)}
    operation = Operation(
        op,
        fields.take("predicate", str),
        fields.take_any("value"),
        subject=fields.take("subject", str, "user"),
        quote=fields.take("quote", str, ""),
        modality=modality,
        confidence=float(fields.take("confidence", (int, float), 1.0)),
        **times,
    )
    found = Proposal(operation, fields.take("wrong", str, ""))
    fields.end()
    return found


def _target(given: Any, where: str) -> Target:
    fields = Fields(given, f"the target of {where}")
    found = Target(
        fields.take("predicate", str), fields.take_any("value"), fields.take("subject", str, "user"),
        fields.take("on", str, None), fields.take("statement", str, None),
    )  # fmt: skip
    fields.end()
    return found


def _amend(verb: str, *names: str) -> Callable[[Fields], Amend]:
    def make(fields: Fields) -> Amend:
        target = _target(fields.take_any(verb), fields.where)
        options = {name: fields.take_any(name) for name in names if fields.has(name)}
        return Amend(fields.moment("at"), verb, target, options)  # type: ignore[arg-type]  # one of three

    return make


def _register(fields: Fields) -> Register:
    inner = Fields(fields.take("register", dict), f"'register' in {fields.where}")
    predicates = inner.take("predicates", dict, {})
    entities = inner.take("entities", dict, {})
    inner.end()
    defined = {name: dict(_object(one, f"predicate {name!r}")) for name, one in predicates.items()}
    return Register(fields.moment("at"), defined, _entities(entities))


def _rebuild(fields: Fields) -> Rebuild:
    if not fields.take("rebuild", bool):
        raise WrongError(f"'rebuild' in {fields.where} must be true")
    return Rebuild(fields.moment("at"))


def _ask(fields: Fields) -> Ask:
    checks = fields.take("ask", list)
    if not checks:
        raise WrongError(f"{fields.where} asks nothing")
    at = fields.moment("at")
    return Ask(at, tuple(_check(Fields(one, f"a question of {fields.where}")) for one in checks))


_STEPS: dict[str, Callable[[Fields], Step]] = {
    "say": _say,
    "write": _write,
    "correct": _amend("correct", "value", "valid_from", "valid_to", "reason"),
    "reinstate": _amend("reinstate"),
    "review": _amend("review", "accept"),
    "register": _register,
    "rebuild": _rebuild,
    "ask": _ask,
}


def _check(fields: Fields) -> Check:
    kinds = [name for name in _CHECKS if fields.has(name)]
    if len(kinds) != 1:
        raise WrongError(f"{fields.where} must be one of {', '.join(_CHECKS)}")
    check = _CHECKS[kinds[0]](fields)
    fields.end()
    return check


def _value(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


def _answer(fields: Fields) -> Any:
    if not fields.has("is"):
        raise WrongError(f"{fields.where} lacks 'is', the answer; null stands for nothing")
    return _value(fields.take_any("is"))


def _values(fields: Fields, name: str, default: Any = ()) -> Any:
    return tuple(fields.take(name, list)) if fields.has(name) else default


def _current(kind: str) -> Callable[[Fields], Current]:
    def make(fields: Fields) -> Current:
        return Current(
            predicate=fields.take(kind, str),
            value=_answer(fields),
            subject=fields.take("subject", str, "user"),
            stale=_values(fields, "stale"),
            contested=fields.take("contested", bool, None),
            held=_values(fields, "held", None),
            planned=_values(fields, "planned", None),
            question=fields.take("question", str, ""),
            corrected=kind == "corrected",
        )

    return make


def _past(fields: Fields) -> Past:
    return Past(
        fields.take("history", str), tuple(_span(one, fields.where) for one in fields.take("is", list)),
        fields.take("subject", str, "user"),
    )  # fmt: skip


def _span(given: Any, where: str) -> Span:
    fields = Fields(given, f"a stretch of {where}")
    found = Span(fields.take_any("value"), fields.moment("from", None), fields.moment("to", None))
    fields.end()
    return found


def _as_of(fields: Fields) -> AsOf:
    found = AsOf(
        fields.take("as_of", str), _answer(fields), fields.take("subject", str, "user"), fields.take("at", str, None),
        fields.take("known_at", str, None),
    )  # fmt: skip
    if found.at is None and found.known_at is None:
        raise WrongError(f"{fields.where} needs 'at' or 'known_at'")
    return found


def _never(fields: Fields) -> Never:
    return Never(fields.take("never", str), fields.take_any("value"), fields.take("subject", str, "user"))


def _told(fields: Fields) -> Told:
    inner = Fields(fields.take("context", dict), f"'context' in {fields.where}")
    found = Told(_values(inner, "has"), _values(inner, "lacks"), fields.take("question", str, ""))
    inner.end()
    if not found.has and not found.lacks:
        raise WrongError(f"'context' in {fields.where} needs 'has' or 'lacks'")
    return found


_CHECKS: dict[str, Callable[[Fields], Check]] = {
    "current": _current("current"),
    "corrected": _current("corrected"),
    "history": _past,
    "as_of": _as_of,
    "never": _never,
    "context": _told,
}


def _check_names(conversation: Conversation) -> None:
    """Questions and targets must speak of predicates that are registered from the start."""
    asked = [check.predicate for check in conversation.checks if not isinstance(check, Told)]
    asked += [step.target.predicate for step in conversation.steps if isinstance(step, Amend)]
    for name in asked:
        if name not in conversation.predicates:
            raise WrongError(f"{name!r} is asked for but is not among the predicates")

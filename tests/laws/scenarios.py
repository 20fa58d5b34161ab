"""Random histories of a whole scope: what is said, written, corrected, reviewed and registered, in any order.

A ``Scenario`` is drawn without knowing what the engine will make of it, so that a failing one shrinks well: what an
action points at (a fact to correct, a candidate to review) is a number, and ``playing.Player`` looks up what it
stands for. What the engine refuses is part of a scenario too. Moments are days since the first; few of them, so that
ties and touching spans are common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Literal, TypeAlias

from hypothesis import strategies as st

from tensemem import Operation

DAY_ZERO = datetime(2026, 1, 1, tzinfo=UTC)
FIRST_DAY = 8
"""The day on which a scenario begins: what is imported lies before it."""



def day(number: float) -> datetime:
    """A moment some days after the first."""
    return DAY_ZERO + timedelta(days=number)


# --- what can be done --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A text, and what the extractor proposes from it, whenever it is asked."""

    text: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Say:
    """A message: one of the scenario's lines, extracted at once or left waiting."""

    line: int
    said_at: datetime | None = None
    at_once: bool = True
    role: str = "user"
    source: str | None = None
    speaker: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Write:
    """Operations the application states; one alone goes through the verb of its own."""

    operations: tuple[Operation, ...]
    said_at: datetime | None = None
    source: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Correct:
    """Something shown, stated or waiting was never true; perhaps with what was true instead, or when."""

    pick: int
    value: Any = None
    valid_from: Any = None
    valid_to: Any = None
    said_at: datetime | None = None
    key: str | None = None
    by_claim: bool = False


@dataclass(frozen=True)
class Reinstate:
    pick: int


@dataclass(frozen=True)
class Review:
    pick: int
    accept: bool


@dataclass(frozen=True)
class Register:
    """An entry of the registry; ``options`` are what the verb takes."""

    verb: Literal["register_predicate", "register_entity"]
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settle:
    """Extract what waits: all of it, or the one message picked."""

    pick: int | None = None


@dataclass(frozen=True)
class Dismiss:
    pick: int


@dataclass(frozen=True)
class Reread:
    """Another model reads a settled message: of the operations its line proposes it keeps some, in this order."""

    pick: int
    keep: tuple[int, ...]


@dataclass(frozen=True)
class Forget:
    """A value (that of the fact picked), the slot it stands in, or all of its subject is forgotten."""

    pick: int
    what: Literal["value", "slot", "subject"]


@dataclass(frozen=True)
class Erase:
    """The episode picked is erased."""

    pick: int


@dataclass(frozen=True)
class Purge:
    """The texts of messages said before a moment go, the quotes of facts with them or not."""

    before: datetime
    keep_quotes: bool


@dataclass(frozen=True)
class Wait:
    """The clock moves on, or back."""

    days: float


Action: TypeAlias = (
    Say | Write | Correct | Reinstate | Review | Register | Settle | Dismiss | Reread | Forget | Erase | Purge | Wait
)


@dataclass(frozen=True)
class Scenario:
    """What is registered first, the lines that are said, and what is done."""

    first: tuple[Register, ...]
    lines: tuple[Line, ...]
    actions: tuple[Action, ...]


# --- what it is about --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Topic:
    """A predicate: how it is registered at first (not at all: ``options`` None), and what may be learnt of it later."""

    name: str
    options: Mapping[str, Any] | None
    values: tuple[Any, ...]
    later: tuple[Register, ...] = ()
    names: tuple[str, ...] = ()
    sources: tuple[str | None, ...] = (None,)
    subjects: tuple[str, ...] = ("user",)


def _predicate(name: str, cardinality: str = "one", **options: Any) -> Register:
    return Register("register_predicate", name, {"cardinality": cardinality, "update": True, **options})


def _entity(name: str, *aliases: str) -> Register:
    return Register("register_entity", name, {"aliases": aliases})


TOPICS = (
    Topic(
        "lives_in", {}, ("Delhi", "Pune", "Oslo", "delhi"),
        later=(
            _predicate("lives_in", aliases=("home",)), _predicate("lives_in", "many"),
            _predicate("lives_in", ttl="3d"), _predicate("lives_in", type="entity", description="where"),
        ),
        names=("lives_in", "Lives In", "home"),
    ),
    Topic(
        "languages", {"cardinality": "many"}, ("Go", "Rust", "SQL"),
        later=(
            _predicate("languages", "one"), _predicate("languages", "many", ttl="2d"), _entity("Go", "Golang", "SQL"),
        ),
    ),
    Topic(
        "stack", {"cardinality": "many"}, ("PostgreSQL", "pg", "MySQL"),
        later=(_entity("PostgreSQL", "pg"), _predicate("stack", "one"), _entity("MySQL", "maria")),
    ),
    Topic(
        "database", {"type": "entity"}, ("PostgreSQL", "pg", "MySQL"),
        later=(_entity("PostgreSQL", "pg"), _predicate("database", "many"), _entity("MySQL", "maria")),
    ),
    Topic(
        "mood", {"ttl": "2d"}, ("calm", "busy", "tired"),
        later=(_predicate("mood", ttl="5d"), _predicate("mood"), _predicate("mood", "many", ttl="1d")),
    ),
    Topic(
        "tools", {"cardinality": "many", "ttl": "3d"}, ("saw", "axe", "file"),
        later=(_predicate("tools", "many"), _predicate("tools", ttl="3d")),
    ),
    Topic(
        "works_at", {"trust": ("hr", "user")}, ("Acme", "Initech", "Umbrella"),
        later=(_predicate("works_at"), _predicate("works_at", trust={"user": 2, "hr": 1}), _entity("Acme", "Initech")),
        sources=(None, None, "hr", "crm"),
    ),
    Topic(
        "skills", {"cardinality": "many", "trust": {"hr": 3}}, ("chess", "law", "jazz"),
        later=(_predicate("skills", "many"), _predicate("skills", "many", writers=("hr", "user"))),
        sources=(None, "hr"),
    ),
    Topic(
        "diet", {"min_confidence": 0.8}, ("vegan", "omnivore", "kosher"),
        later=(_predicate("diet", min_confidence=0.2), _predicate("diet", "many", verbatim=False)),
    ),
    Topic(
        "hobby", None, ("chess", "judo", "jazz"),
        later=(_predicate("hobby"), _predicate("hobby", "many"), _predicate("hobby", aliases=("pastime",))),
        names=("hobby", "pastime"),
    ),
    Topic(
        "status", {"choices": ("on", "off", "idle")}, ("on", "off", "idle", "broken"),
        later=(_predicate("status"), _predicate("status", choices=("on", "off")), _predicate("status", type="bool")),
    ),
    Topic(
        "age", {"type": "number"}, (31, "32", 31.0, "old"),
        later=(_predicate("age"), _predicate("age", "many", type="number")),
    ),
    Topic(
        "knows", {"cardinality": "many"}, ("Mira", "Mimi", "Noor"),
        later=(_entity("Mira", "Mimi"), _entity("Noor", "N.")), subjects=("user", "Mira", "Mimi", "my wife"),
    ),
    Topic(
        "city", {}, ("Delhi", "Dilli", "Pune"),
        later=(_entity("Delhi", "Dilli"), _entity("Mira", "Mimi")), subjects=("user", "Mira", "Mimi"),
    ),
)  # fmt: skip


# --- strategies --------------------------------------------------------------------------------------------------

_FEW = (2, 4, 6, 8)
_days = st.one_of(st.sampled_from(_FEW), st.sampled_from(_FEW), st.integers(1, 14))
_wheres = st.one_of(
    _days.map(day), _days.map(day), _days.map(day), _days.map(lambda n: day(n).date()),
    st.sampled_from(("2026-01", "2026", "2026-02")),
)  # fmt: skip
_saids = st.sampled_from((None, None, None, 2, 4, 4, 6, 6, 8, 9)).map(lambda n: None if n is None else day(n))
_picks = st.integers(0, 11)
_keys = st.sampled_from((None,) * 12 + ("key-1", "key-2"))

_FORMS = (
    *("present", "present", "present", "since", "since", "until", "until", "span", "row", "row", "period", "past"),
    *("retract", "retract", "retract any", "retract since", "deny", "confirm", "confirm"),
)
_MANY_FORMS = (*_FORMS, "replace", "replace", "replace since", "replace none")


@cache
def operations(topic: Topic, *, in_message: bool = False) -> st.SearchStrategy[Operation]:
    """One operation about a topic, in any form; its times may contradict, its value may be refused."""
    return _operations(topic, in_message)


@st.composite
def _operations(draw: st.DrawFn, topic: Topic, in_message: bool) -> Operation:
    is_many = (topic.options or {}).get("cardinality") == "many"
    form = draw(st.sampled_from(_MANY_FORMS if is_many else _FORMS))
    extra: dict[str, Any] = {"subject": draw(st.sampled_from(topic.subjects)), **draw(_times(form))}
    if in_message:
        extra["modality"] = draw(st.sampled_from(("asserted",) * 9 + ("planned", "planned", "reported", "question")))
        extra["confidence"] = draw(st.sampled_from((1.0, 1.0, 1.0, 0.7, 0.3)))
    elif draw(st.integers(0, 9)) == 9:
        extra["modality"] = draw(st.sampled_from(("planned", "reported")))
    values: st.SearchStrategy[Any] = st.sampled_from(topic.values)
    if form.startswith("replace"):
        values = st.just([]) if form == "replace none" else st.lists(values, min_size=1, max_size=3)
    if form == "retract any":
        values = st.none()
    name = draw(st.sampled_from(topic.names or (topic.name,)))
    return Operation(draw(_OPS.get(form.split()[0], _SETS[is_many])), name, draw(values), **extra)


_TAKES = st.sampled_from(("retract", "retract", "remove"))
_SETS = {False: st.just("set"), True: st.sampled_from(("set", "add"))}
_OPS: dict[str, st.SearchStrategy[Any]] = {
    "retract": _TAKES, "deny": st.just("deny"), "confirm": st.just("confirm"), "replace": st.just("replace"),
}  # fmt: skip


_TIMED = frozenset({"since", "retract since", "replace since", "until", "span", "row", "period", "past"})
_begins = st.sampled_from((day(2), day(3), day(4), day(6), "2026-01"))
_ends = st.sampled_from((day(6), day(8), day(9), day(12), day(8).date()))


@st.composite
def _times(draw: st.DrawFn, form: str) -> dict[str, Any]:
    """The times of a form, mostly in order: what begins lies before day 8, what ends after day 4."""
    if form not in _TIMED:
        return {}
    any_order = draw(st.integers(0, 7)) == 7
    begin, finish = (_wheres, _wheres) if any_order else (_begins, _ends)
    match form:
        case "since" | "retract since" | "replace since":
            return {"since": draw(begin)}
        case "until":
            return {"until": draw(finish)}
        case "span":
            return {"since": draw(begin), "until": draw(finish)}
        case "row":
            return {"valid_from": draw(_wheres)}
        case "period":
            return {"valid_from": draw(begin), "valid_to": draw(finish)}
        case _:
            return {"valid_to": draw(_wheres)}


@cache
def lines(topics: tuple[Topic, ...]) -> st.SearchStrategy[Line]:
    """A text with the words of its values (or without them, or inside quotation marks), and its operations."""
    return _lines(topics)


@st.composite
def _lines(draw: st.DrawFn, topics: tuple[Topic, ...]) -> Line:
    one = st.sampled_from(topics).flatmap(lambda topic: operations(topic, in_message=True))
    proposed = draw(st.lists(one, min_size=1, max_size=2))
    words = " ".join(_words(operation.value) for operation in proposed)
    style = draw(st.sampled_from(("plain",) * 8 + ("silent", "quoted")))
    number = draw(st.integers(1, 9))
    if style == "silent":
        return Line(f"I say {number}: you know what", tuple(proposed))
    if style == "quoted":
        quote = words.strip() or "nothing"
        return Line(f'I say {number}: she wrote "{quote}" to me', tuple(replace(one, quote=quote) for one in proposed))
    return Line(f"I say {number}: {words}", tuple(proposed))


def _words(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


@cache
def _openings(topics: tuple[Topic, ...], number_of_lines: int) -> dict[str, st.SearchStrategy[Any]]:
    topic = st.sampled_from(topics)
    source = topic.flatmap(lambda t: st.sampled_from(t.sources))
    return {
        "say": st.builds(
            Say, st.integers(0, number_of_lines - 1), _saids, st.booleans(),
            st.sampled_from(("user",) * 9 + ("assistant",)), source,
            st.sampled_from((None,) * 9 + ("guest", "Mira")), _keys,
        ),
        "write": st.builds(
            Write, st.lists(topic.flatmap(operations), min_size=1, max_size=2).map(tuple), _saids, source, _keys
        ),
        "wait": st.builds(Wait, st.sampled_from((1, 1, 1, 0.5, 3, -1))),
    }  # fmt: skip


@cache
def _amendments(topics: tuple[Topic, ...]) -> dict[str, st.SearchStrategy[Any]]:
    topic = st.sampled_from(topics)
    values = topic.flatmap(lambda t: st.sampled_from(t.values))
    maybe = st.one_of(st.none(), _wheres)
    return {
        "correct": st.builds(Correct, _picks, by_claim=st.booleans(), said_at=_saids, key=_keys),
        "value": st.builds(Correct, _picks, values, said_at=_saids),
        "moved": st.builds(Correct, _picks, st.none() | values, maybe, maybe, said_at=_saids),
        "reinstate": st.builds(Reinstate, _picks),
        "review": st.builds(Review, _picks, st.booleans()),
        "register": st.sampled_from([entry for one in topics for entry in one.later]),
        "settle": st.builds(Settle, st.none() | _picks),
        "dismiss": st.builds(Dismiss, _picks),
        "forget": st.builds(Forget, _picks, st.sampled_from(("value", "value", "slot", "subject"))),
        "erase": st.builds(Erase, _picks),
        "purge": st.builds(Purge, st.sampled_from((4, 8, 20)).map(day), st.booleans()),
        "reread": st.builds(Reread, _picks, st.lists(st.integers(0, 1), max_size=2, unique=True).map(tuple)),
    }


_PAIRS = tuple(zip(TOPICS, (*TOPICS[1:], TOPICS[0]), strict=True))
_OPENING = ("say", "say", "write", "write", "write", "wait")
_MIXED = (
    *_OPENING, "say", "write", *("correct",) * 4, "value", "value", "moved", "reinstate", "reinstate", "review",
    *("register",) * 3, "settle", "settle", "dismiss",
)  # fmt: skip


@st.composite
def scenarios(
    draw: st.DrawFn, *, max_actions: int = 16, only: tuple[type, ...] | None = None, rereads: bool = False,
    removals: bool = False, about: str | None = None,
) -> Scenario:  # fmt: skip
    """A scenario about one topic, or two; ``only`` leaves out every other kind of action, ``rereads`` adds one.

    ``removals`` adds what takes away from the log, ``about`` names the one topic wanted.
    """
    topics: tuple[Topic, ...] = tuple(topic for topic in TOPICS if topic.name == about)
    if about is None:
        topics = draw(st.sampled_from(TOPICS).map(lambda topic: (topic,)) | st.sampled_from(_PAIRS))
    said = tuple(draw(st.lists(lines(topics), min_size=1, max_size=4, unique_by=lambda line: line.text)))
    openings = _openings(topics, len(said))
    every = {**openings, **_amendments(topics)}
    at_least = draw(st.sampled_from((2, 4, 6, max_actions // 2)))
    opening = st.sampled_from(_OPENING).flatmap(openings.__getitem__)
    found = draw(st.lists(opening, min_size=at_least // 2, max_size=at_least))
    room = max_actions - len(found)
    names = (*_MIXED, "reread", "reread", "reread") if rereads else _MIXED
    names = (*names, *("forget",) * 5, "erase", "erase", "purge", "purge") if removals else names
    mixed = st.sampled_from(names).flatmap(every.__getitem__)
    found += draw(st.lists(mixed, min_size=min(at_least, room), max_size=room))
    first = tuple(
        Register("register_predicate", topic.name, topic.options) for topic in topics if topic.options is not None
    )
    kept = tuple(action for action in found if only is None or isinstance(action, only))
    return Scenario(first, said, kept)


def is_free_of_state(action: Action) -> bool:
    """Whether an action means the same whatever is shown when it comes: it points at no fact."""
    if isinstance(action, Write):
        return all(operation.op != "confirm" or operation.value is not None for operation in action.operations)
    return isinstance(action, (Say, Register, Wait))

"""Every call an intruder can make: each public verb with what somebody else owns in the place of each argument.

The verbs are found by looking; what an argument may be is said here, by its name. An argument without a line is an
error, so that a new verb, or a new argument of an old one, can't be forgotten. Whatever else offers the verbs (another
facade, routes of a server) can walk the same attempts.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tensemem import FakeExtractor, Message, Operation
from tensemem.errors import TensememError
from tests.walls.town import Loot

Values = Sequence[Any]

NOT_ATTEMPTED = {
    "role", "speaker", "extract", "wait", "said_at", "metadata", "batch", "since", "until", "valid_to", "reason",
    "accept", "at", "min_seq", "on_stale", "default", "between", "limit", "max_tokens", "format", "include_history",
    "cardinality", "type", "description", "choices", "ttl", "review_after", "writers", "trust", "min_confidence",
    "verbatim", "examples", "update", "kind", "timeout", "namespace", "keep_quotes",
    "quick", "thorough", "calls", "verify", "overwrite", "sign_key", "take", "label",
}  # fmt: skip
"""Arguments that name nothing of anybody's; the namespace has tests of its own."""


def values_of(verb: str, parameter: str, loot: Loot, folder: Path) -> Values:
    """Give what an intruder puts in the place of an argument, the likeliest first; empty where it is left out."""
    if parameter in NOT_ATTEMPTED:
        return ()
    special: dict[tuple[str, str], Values] = {
        ("register", "source"): [str(_profile(folder))],
        ("correct", "value"): ["Rome"],
        ("on", "hook"): [lambda _event, _fields: None],
        ("scopes", "after"): [loot.cursors[-1], *loot.cursors],
        ("jobs", "after"): [f"{loot.waiting}.{len(loot.agent)}.{loot.agent}{loot.user}", *loot.cursors],
        ("messages", "after"): [loot.waiting],
        ("reextract", "llm"): [FakeExtractor(), loot.plan],
        ("reextract", "dry_run"): [False],
        ("import_", "source"): [str(_exported(folder, loot))],
        ("purge", "before"): ["2026-05-01", "2026-06-01T12:04Z"],
    }
    if (verb, parameter) in special:
        return special[verb, parameter]
    return _BY_NAME[parameter](loot, folder)


_BY_NAME: Mapping[str, Callable[[Loot, Path], Values]] = {
    "user_id": lambda loot, _: [loot.user],
    "agent_id": lambda loot, _: [loot.agent],
    "content": lambda *_: ["I live in Rome"],
    "messages": lambda loot, _: [[Message(loot.user, "hello", session_id=loot.session, agent_id=loot.agent)]],
    "session_id": lambda loot, _: [loot.session],
    "source": lambda loot, _: [loot.user],
    "idempotency_key": lambda loot, _: [loot.key, "vera's write"],
    "predicate": lambda loot, _: ["lives_in", loot.predicate, loot.proposed],
    "predicates": lambda loot, _: [[loot.predicate], [loot.proposed], ["lives_in"]],
    "value": lambda loot, _: ["Rome", "Delhi", loot.alias],
    "values": lambda loot, _: [["Rome"], ["Delhi", loot.alias]],
    "subject": lambda loot, _: [loot.entity, loot.alias, loot.user],
    "expected_rev": lambda loot, _: [loot.rev, 0],
    "valid_from": lambda *_: ["2020"],
    "operations": lambda loot, _: [
        [Operation("set", "lives_in", "Rome")], [Operation("set", loot.predicate, "Rome")],
    ],
    "messages_or_operations": lambda loot, _: [
        "I live in Rome", [Operation("set", loot.predicate, "Rome")], [Operation("set", "lives_in", loot.alias)],
    ],
    "fact_id": lambda loot, _: [loot.fact, loot.corrected, loot.statement, loot.candidate, loot.question, "c1.x.1"],
    "question_id": lambda loot, _: [loot.question, f"q-{loot.candidate}", loot.fact],
    "answer": lambda *_: ["yes", "no", "Rome"],
    "llm": lambda *_: [FakeExtractor()],
    "known_at": lambda loot, _: [loot.rev, "2026"],
    "layers": lambda loot, _: [[loot.agent], ["", loot.agent]],
    "after": lambda loot, _: list(loot.cursors),
    "before": lambda loot, _: [loot.waiting],
    "after_rev": lambda loot, _: [loot.rev],
    "from_seq": lambda loot, _: [loot.failed, 1],
    "seq": lambda loot, _: [loot.waiting, loot.failed, 1],
    "query": lambda loot, _: [loot.predicate, loot.user, "Delhi"],
    "name": lambda loot, _: [loot.entity, loot.proposed],
    "aliases": lambda loot, _: [[loot.alias]],
    "prefix": lambda loot, _: [loot.user, loot.user[:2]],
    "dest": lambda _, folder: [folder / "copied.db"],
    "namespaces": lambda loot, _: [[loot.namespace], ["nowhere"]],
    "key": lambda *_: ["another key"],
    "dry_run": lambda *_: [False],
    "every_namespace": lambda *_: [True],
    "texts": lambda *_: ["90d"],
    "facts": lambda loot, _: [{"lives_in": "1y"}, {loot.predicate: "1y"}],
}  # fmt: skip


def _profile(folder: Path) -> Path:
    path = folder / "profile.toml"
    path.write_text('[predicates.diet]\nchoices = ["vegan", "none"]\n', encoding="utf-8")
    return path


def _exported(folder: Path, loot: Loot) -> Path:
    path = folder / "stolen.jsonl"
    path.write_bytes(loot.exported)
    return path


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One call: the verb and its arguments."""

    verb: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.verb}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


def attempts(
    verbs: Mapping[str, Callable[..., Any]], loot: Loot, folder: Path, *, but: Sequence[str] = (), **always: Any
) -> Iterator[Attempt]:
    """Give the attempts on some verbs: what they need, then each further thing in each argument's place, then all.

    ``always`` is given to every verb that takes it.
    """
    for name, verb in verbs.items():
        if name in but:
            continue
        given = {one.name: one for one in list(inspect.signature(verb).parameters.values())[1:]}
        found = {one: list(values_of(name, one, loot, folder)) for one in given}
        fixed = {one: value for one, value in always.items() if one in given}
        needed = {one: found[one][0] for one, how in given.items() if how.default is how.empty} | fixed
        yield Attempt(name, needed)
        for one, values in found.items():
            if one in fixed:
                continue
            yield from (Attempt(name, needed | {one: value}) for value in values if value is not needed.get(one))
        yield Attempt(name, {one: values[0] for one, values in found.items() if values} | fixed)


def outcome(call: Callable[[], Any]) -> str:
    """Tell what a call gave, whole, or how it was refused."""
    try:
        return shown(call())
    except TensememError as error:
        return f"{type(error).__name__}: {error}"


def shown(found: Any) -> str:
    """Tell all there is in a result, field by field."""
    if isinstance(found, Iterator):
        found = list(found)
    if dataclasses.is_dataclass(found) and not isinstance(found, type):
        fields = ((one.name, getattr(found, one.name)) for one in dataclasses.fields(found))
        return f"{type(found).__name__}({', '.join(f'{name}={shown(value)}' for name, value in fields)})"
    if isinstance(found, Mapping):
        return "{" + ", ".join(f"{name!r}: {shown(value)}" for name, value in found.items()) + "}"
    if isinstance(found, (list, tuple)):
        return "[" + ", ".join(map(shown, found)) + "]"
    if type(found).__name__ in ("State", "WriteResult"):
        names = [name for name in dir(found) if not name.startswith("_") and not callable(getattr(found, name))]
        return f"{type(found).__name__}({', '.join(f'{name}={shown(getattr(found, name))}' for name in names)})"
    return repr(found)

"""Plays one adversarial case: what is said, what a naive or bought model proposes, what must come of it.

A case is a line of JSON. ``said`` are messages of one user's memory, in order, each with ``ops``, the operations that
are proposed (an operation without a quote gets the whole text), and ``out``, what becomes of each: outcome and reason.
``"error"`` means that the message itself is refused. ``state`` is everything that is shown in the end. Before that,
``predicates``, ``entities`` and ``known`` values are given to a memory that was opened with ``options``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tensemem import FakeExtractor, Memory
from tensemem.core.admission import admit
from tensemem.core.registry import Registry, make_entity, make_predicate
from tensemem.core.said import Said
from tests.cases.bench import Hands, day

USER = "ann"
PREDICATES: dict[str, dict[str, Any]] = {
    "lives_in": {},
    "name": {},
    "languages": {"cardinality": "many"},
    "works_at": {"type": "entity"},
    "age": {"type": "number"},
    "vegan": {"type": "bool"},
    "plan": {"choices": ["free", "pro"]},
    "deploy": {"writers": ["user", "tool"]},
}
Case = Mapping[str, Any]


def cases(guard: str) -> list[Case]:
    """Give the cases of one guard."""
    lines = (Path(__file__).parent / f"{guard}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def definitions(case: Case) -> dict[str, dict[str, Any]]:
    """Give the predicates of a case: those of all, with its own changes."""
    return {**PREDICATES, **case.get("predicates", {})}


def proposed(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give the operations about a message, each with a quote."""
    return [{"quote": message["text"], **body} for body in message["ops"]]


class Several:
    """Answers several messages in one request, each by its text."""

    name = "several"
    max_messages = 16

    def __init__(self, said: Sequence[Mapping[str, Any]]) -> None:
        self._said = {message["text"]: proposed(message) for message in said}

    def extract(self, request: Any) -> list[dict[str, Any]]:
        texts = [message.content for message in request.messages]
        return [{**body, "message": place} for place, text in enumerate(texts) for body in self._said.get(text, ())]


def opened(case: Case, extractor: Any) -> Memory:
    """Open the memory of a case, with what is known before anything is said."""
    mem = Memory(":memory:", llm=extractor, worker=False, clock=Hands(day(10)), **case.get("options", {}))
    for name, definition in definitions(case).items():
        mem.register_predicate(name, **definition)
    for name, aliases in case.get("entities", {}).items():
        mem.register_entity(name, aliases=aliases)
    for predicate, value in case.get("known", ()):
        mem.set(USER, predicate, value)
    return mem


def one_by_one(case: Case) -> FakeExtractor:
    """Give the extractor that is asked about each message alone."""
    return FakeExtractor({message["text"]: proposed(message) for message in case["said"]})


def say(mem: Memory, message: Mapping[str, Any]) -> int:
    """Add a message as it was said; gives its seq."""
    given = {name: message[name] for name in ("role", "speaker", "source") if name in message}
    return mem.add(USER, message["text"], **given).seq


def outcomes(mem: Memory, seq: int) -> list[str]:
    """Tell what became of each operation of a message."""
    return [told(one.outcome, one.reason) for one in mem.decisions(USER, seq)]


def told(outcome: str, reason: str) -> str:
    return f"{outcome}:{reason}" if reason else str(outcome)


def shown(mem: Memory) -> dict[str, dict[str, Any]]:
    """Give everything that is shown, with lists for many values, as JSON has them."""
    return json.loads(json.dumps(mem.state(USER).by_subject))


def admitted_directly(case: Case) -> Iterator[tuple[str, str]]:
    """Rule on every operation without any store; gives what comes out beside what is wanted."""
    registry = registry_of(case)
    declared = case.get("options", {}).get("subjects") == "declared"
    for seq, message in enumerate(case["said"], start=1):
        role = message.get("role", "user")
        said = Said(
            seq=seq, extraction=1, said_at=0, source=message.get("source", role), role=role, text=message["text"],
            speaker=message.get("speaker"), declared_only=declared,
        )  # fmt: skip
        wanted = message["out"]
        if not wanted or wanted[0] in ("error", "no:decisions") or wanted[0].startswith("skipped"):
            continue
        for number, body in enumerate(proposed(message)):
            claim = admit(body, number, said, registry).claim
            yield told(claim.outcome, claim.reason or ("paraphrased" if claim.paraphrased else "")), wanted[number]


def registry_of(case: Case) -> Registry:
    """Give a case's registry without a store."""
    predicates = {name: make_predicate(name, **definition) for name, definition in definitions(case).items()}
    entities = {name.casefold(): make_entity(name, aliases=a) for name, a in case.get("entities", {}).items()}
    return Registry(predicates=predicates, entities=entities)

"""The sentences an extractor is judged by: what each asserts, in four languages, half of them nothing at all.

One JSON Lines file for each language; `README.md` beside them describes a line. `load` gives them as values. A
sentence belongs to the test half, or to the development half, by a hash of its id; later batches (`en-a001`, `en-b001`)
belong there as a whole, `a` to development and `b` to the test. So the split never moves.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from tensemem import Predicate

Half = Literal["dev", "test"]

LANGUAGES = ("en", "zh", "es", "de")
FOLDER = Path(__file__).parent

ONE = (
    "name pronouns lives_in hometown works_at job_title partner diet email phone timezone birthday studies_at "
    "database language_version framework deploy_target branch_rule package_manager ci license"
)
MANY = "allergies languages likes dislikes pets hobbies"
PREDICATES = (
    *(Predicate(name) for name in ONE.split()),
    Predicate("age", type="number"),
    *(Predicate(name, "many") for name in MANY.split()),
)
"""Every attribute the sentences may speak of; `languages` are those a person speaks, not those of a project."""

ASSERTING = "positive other_person used_to retraction denial"
SILENT = (
    "negation plan conditional question quotation reported stranger almost rehearsal fiction role_play visit past joke "
    "hypothetical mention example idiom proverb lyrics advice wish"
)
KINDS = frozenset(f"{ASSERTING} {SILENT}".split())
"""What a sentence is: of the first, something is expected; of the others nothing, with few exceptions."""


@dataclass(frozen=True)
class Expectation:
    """One operation a careful reader would make of a sentence.

    `values` and `subjects` are the accepted variants, the best first; no values where a retraction names none. A value
    is a tuple of values where the operation is a replace. `is_past` asks for a dated row: an operation with an end.
    """

    op: str
    predicate: str
    values: tuple[Any, ...] = ()
    subjects: tuple[str, ...] = ("user",)
    is_past: bool = False


@dataclass(frozen=True)
class Sentence:
    """A message, what it asserts, and what it may be taken to say without being wrong.

    `allowed` operations are neither asked for nor held against an extractor; `planned` ones are allowed as plans.
    """

    id: str
    text: str
    kind: str
    expect: tuple[Expectation, ...] = ()
    allowed: tuple[Expectation, ...] = ()
    planned: tuple[Expectation, ...] = ()

    @property
    def language(self) -> str:
        """The sentence's language, as its id begins."""
        return self.id.partition("-")[0]

    @property
    def half(self) -> Half:
        """Which half of the set the sentence belongs to."""
        return half_of(self.id)


def half_of(sentence_id: str) -> Half:
    """Give the half a sentence of that id belongs to."""
    batch = sentence_id.partition("-")[2][:1]
    if batch in ("a", "b"):
        return "dev" if batch == "a" else "test"
    digest = blake2b(f"tensemem:{sentence_id}".encode(), digest_size=4).hexdigest()
    return "test" if int(digest, 16) % 2 == 1 else "dev"


def load(language: str | None = None, half: Half | None = None) -> tuple[Sentence, ...]:
    """Give the sentences of one language or of all, of one half or of both, in the order of their ids.

    Raises ValueError for a language or a half there is none of.
    """
    if language is not None and language not in LANGUAGES:
        raise ValueError(f"there are no sentences in {language!r}, only in {', '.join(LANGUAGES)}")
    if half not in (None, "dev", "test"):
        raise ValueError(f"a half is 'dev' or 'test', not {half!r}")
    wanted = LANGUAGES if language is None else (language,)
    every = (sentence for name in wanted for sentence in _read(FOLDER / f"{name}.jsonl"))
    return tuple(sentence for sentence in every if half is None or sentence.half == half)


def rows(path: Path) -> list[dict[str, Any]]:
    """Give the objects of a JSON Lines file, one for each line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@lru_cache
def _read(path: Path) -> tuple[Sentence, ...]:
    return tuple(map(_sentence, rows(path)))


def _sentence(row: Mapping[str, Any]) -> Sentence:
    parts = [tuple(map(_expectation, row.get(part, ()))) for part in ("expect", "allowed", "planned")]
    return Sentence(row["id"], row["text"], row["kind"], *parts)


def _expectation(row: Mapping[str, Any]) -> Expectation:
    named = (row["value"],) if "value" in row else ()
    values = tuple(tuple(value) if isinstance(value, list) else value for value in row.get("values", named))
    subjects = tuple(row.get("subjects", (row.get("subject", "user"),)))
    return Expectation(row["op"], row["predicate"], values, subjects, row.get("when") == "past")

"""Write the OpenAPI document of the server, and the examples in it.

    python tools/make_openapi.py [--check]

The examples are what a memory answers to a short story that is told here, with a clock that stands still, so they are
the same each time. Run it after changing a verb, a result or a description. With `--check` nothing is written: it names
the files that are not as they should be, and returns 1.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "src"))

from tensemem import FakeExtractor, Memory, Message, Operation, __version__  # noqa: E402
from tensemem.model.diagnosis import Diagnosis, Finding  # noqa: E402
from tensemem.testing import FrozenClock  # noqa: E402
from tensemem.wire import SERVED, document, encode, next_of, openapi, wrap  # noqa: E402

EXAMPLES = PROJECT / "src" / "tensemem" / "wire" / "examples.json"
DOCUMENT = PROJECT / "docs" / "reference" / "openapi.json"

HEARD = {
    "I moved to Bangalore last week.": [Operation("set", "lives_in", "Bangalore", quote="I moved to Bangalore")],
    "I may move to Pune next year.": [
        Operation("set", "lives_in", "Pune", quote="move to Pune", modality="planned", since="2027"),
        Operation("set", "pet", "a cat", quote="I may"),
    ],
}


OTHERS = {"I moved to Bangalore last week.": [Operation("set", "lives_in", "Mysore", quote="moved")]}
"""What another extractor makes of it."""
BEGINNING = "2026-03-01T09:00:00Z"


class Story:
    """A memory to which verbs are told; what they answer is kept as their example."""

    def __init__(self, mem: Any, clock: FrozenClock) -> None:
        self.mem = mem
        self.clock = clock
        self.found: dict[str, dict[str, Any]] = {}

    def tell(self, name: str, /, **arguments: Any) -> Any:
        """Call a verb and keep what was asked and answered."""
        served = SERVED[name]
        self.clock.advance("1h")
        result = getattr(self.mem, name)(**arguments)
        asked = {key: value for key, value in arguments.items() if served.parameter(key)}
        if name == "add_many":
            result = tuple(result)
        fresh = self.mem.state(arguments["user_id"]).freshness if name == "get" else None
        answer = wrap(served, result, next_of(served, asked, result), freshness=fresh)
        self.found[name] = {"arguments": encode(served, asked), "answer": _still(answer)}
        return result


def _still(told: Any) -> Any:
    """Set what is measured, and so differs each time, to nothing."""
    if isinstance(told, dict):
        return {name: 0.0 if name == "seconds" else _still(item) for name, item in told.items()}
    return [_still(item) for item in told] if isinstance(told, list) else told


def examples() -> dict[str, Any]:
    """Tell the story, and give the example of every verb."""
    clock = FrozenClock(BEGINNING)
    alike = mock.patch("secrets.token_hex", always_the_same)
    with alike, Memory(":memory:", llm=FakeExtractor(HEARD), worker=False, clock=clock) as mem:
        return told(Story(mem, clock))


def told(story: Story) -> dict[str, Any]:
    """Tell the whole story to a memory, or to what stands for one; gives the example of every verb."""
    _register(story)
    _write(story)
    story.clock.advance("400d")
    _read(story)
    _amend(story)
    _move(story)
    _keep(story)
    return {name: story.found[name] for name in SERVED if name in story.found}


def always_the_same(size: int) -> str:
    """Stand in for chance: every database fences what it quotes by a word of its own."""
    return hashlib.sha256(b"story").hexdigest()[: 2 * size]


def _register(story: Story) -> None:
    tell = story.tell
    tell(
        "register_predicate", name="lives_in", description="The city the user lives in.", aliases=["city"],
        review_after="365d",
    )  # fmt: skip
    tell("register", source='[predicates.languages]\ncardinality = "many"\n')
    tell("register_entity", name="Bangalore", aliases=["Bengaluru"], kind="city")
    story.mem.register_predicate("born", type="date")


def _write(story: Story) -> None:
    tell = story.tell
    tell("add", user_id="u1", content="I moved to Bangalore last week.", session_id="s1", idempotency_key="message-1")
    tell("add_many", messages=[Message("u1", "I may move to Pune next year."), Message("u2", "Hello.")])
    tell("flush", user_id="u1")
    tell("set", user_id="u1", predicate="born", value="1990-05-17")
    tell("record", user_id="u1", predicate="lives_in", value="Delhi", valid_from="2015", valid_to="2019")
    tell("add_value", user_id="u1", predicate="languages", value="Hindi")
    tell("remove_value", user_id="u1", predicate="languages", value="Hindi")
    tell("replace_values", user_id="u1", predicate="languages", values=["Kannada", "Tamil"])
    tell("retract", user_id="u1", predicate="languages", value="Tamil")
    tell("deny", user_id="u1", predicate="languages", value="Basque")
    tell("confirm", user_id="u1", predicate="born")
    both = [Operation("add", "languages", "Urdu"), Operation("set", "born", "1990-05-18")]
    tell("write", user_id="u1", operations=both)
    tell("preview", user_id="u1", messages_or_operations=[Operation("set", "lives_in", "Pune")])


def _read(story: Story) -> None:
    tell = story.tell
    lives_in = tell("state", user_id="u1", predicates=["lives_in", "born"]).fact("lives_in")
    tell("get", user_id="u1", predicate="born")
    tell("history", user_id="u1", predicate="lives_in", limit=1)
    tell("explain", fact_id=lives_in.id, user_id="u1")
    tell("decisions", user_id="u1", seq=2)
    tell("context", user_id="u1", query="Where does the user live?", max_tokens=200)
    tell("questions", user_id="u1", limit=2)
    tell("search", user_id="u1", query="Bangalore", limit=1)
    tell("messages", user_id="u1", limit=1)
    tell("changes", user_id="u1", after_rev=2, limit=1)


def _amend(story: Story) -> None:
    tell, mem = story.tell, story.mem
    born = mem.state("u1").fact("born")
    assert born is not None
    tell("correct", fact_id=born.id, value="1990-05-19", reason="a typing error", user_id="u1")
    tell("reinstate", fact_id=born.id, user_id="u1")
    tell("review", fact_id=mem.state("u1").planned[0].id, accept=False, user_id="u1")
    tell("answer", question_id=mem.questions("u1")[0].id, answer="yes", user_id="u1")


def _keep(story: Story) -> None:
    tell, mem = story.tell, story.mem
    tell("predicates")
    tell("proposals")
    other = FakeExtractor(OTHERS)
    tell("reextract", user_id="u1", llm=other, limit=1)
    tell("plan_reextract", user_id="u1", llm=other)
    mem.add("u1", "One more thing.")
    tell("jobs", user_id="u1")
    tell("retry", user_id="u1")
    tell("dismiss", user_id="u1", seq=mem.jobs("u1")[0].seq)
    tell("retain", texts="90d", facts={"lives_in": "730d", "*": None})
    tell("retention")
    tell("apply_retention")
    tell("stats")
    tell("scopes", limit=1)
    tell("verify", user_id="u1")
    tell("rebuild", user_id="u1")
    tell("digest", user_id="u1")
    tell("erase", user_id="u1", seq=3)
    tell("purge", before="2026-06", user_id="u1")
    tell("forget", user_id="u2")
    extractor = Finding("extractor", "warning", "1 message waits, and nobody extracts", "start a worker")
    found = Diagnosis("memory.db", (Finding("integrity", "ok", "every page is as it was written"), extractor))
    story.found["doctor"] = {"arguments": {"quick": True}, "answer": document(found)}


def _move(story: Story) -> None:
    lines = io.BytesIO()
    story.mem.export(lines, user_id="u2")
    told = lines.getvalue().decode()
    story.found["export"] = {"arguments": {"user_id": "u2"}, "answer": told}
    served = SERVED["import_"]
    report = replace(story.mem.import_(io.BytesIO(told.encode())), source="the request")
    story.found["import_"] = {"arguments": {}, "body": told, "answer": _still(wrap(served, report))}
    story.found["backup"] = {"arguments": {}}


def by_lines(data: Mapping[str, Any]) -> str:
    """Give an object as JSON with a line for each of its fields."""
    lines = (f"{json.dumps(name)}: {json.dumps(item, ensure_ascii=False)}" for name, item in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def files() -> Iterator[tuple[Path, str]]:
    """Give the files that are written here, and what stands in them."""
    made = examples()
    yield EXAMPLES, by_lines(made)
    yield DOCUMENT, json.dumps(openapi(__version__, examples=made), ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or name those that are not as they should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing; return 1 where a file is out of date")
    is_checking = parser.parse_args(arguments).check
    stale = []
    for path, text in files():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not is_checking:
                path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{'out of date' if is_checking else 'written'}: {path.relative_to(PROJECT)}")
    return 1 if stale and is_checking else 0


if __name__ == "__main__":
    sys.exit(main())

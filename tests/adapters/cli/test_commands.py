"""Every command of this version is there, says what it does, and gives its answer in both forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import pytest

from tensemem import Memory
from tensemem.adapters.cli import program

COMMANDS = {
    "demo", "add", "set", "record", "add-value", "remove-value", "replace-values", "retract", "deny", "confirm",
    "state", "get", "history", "explain", "correct", "reinstate", "review", "context", "search", "changes", "preview",
    "decisions", "predicates", "proposals", "register", "worker", "flush", "jobs", "retry", "dismiss", "scopes",
    "rebuild", "verify", "digest", "stats", "bench", "completion", "reextract", "questions", "answer", "messages",
    "try", "copy", "migrate", "schema", "rekey", "doctor", "retain", "forget", "erase", "purge", "export", "import",
    "backup", "restore", "keys", "mcp", "serve", "studio", "write",
}  # fmt: skip

SERVES = {"serve", "studio"}
"""Commands that go on until they are told to end: tests/adapters/rest/test_serving.py and test_looking.py have them."""

# Opening, closing and binding are not verbs; a turn is a block of code; the command that calls the doctor does so
# without the verb, for memories that can't be opened too.
VERBS = {name for name in dir(Memory) if not name.startswith("_")} - {"close", "for_user", "turn", "doctor"}

# Each command once, in an order in which each finds what it needs. {fact} is Bangalore's id, {held} a candidate's,
# {asked} that of the question about it.
TALK = (
    ("demo",),
    ("register", "lives_in"),
    ("register", "languages", "--many"),
    ("register", "Postgres", "--entity", "--alias", "pg"),
    ("register", "--file", "profile.toml"),
    ("predicates",),
    ("add", "alice", "I live in Delhi", "--said-at", "2026-01-05"),
    ("jobs",),
    ("retry", "alice", "1"),
    ("flush", "alice", "--llm", "fake"),
    ("add", "alice", "--lines"),
    ("worker", "--llm", "fake", "--once"),
    ("set", "alice", "lives_in", "Bangalore", "--said-at", "2026-03-01"),
    ("record", "alice", "lives_in", "Paris", "--valid-from", "2019", "--valid-to", "2020"),
    ("add-value", "alice", "languages", "Rust"),
    ("remove-value", "alice", "languages", "Rust"),
    ("replace-values", "alice", "languages", "Go", "C#"),
    ("confirm", "alice", "lives_in"),
    ("write", "alice", "--op", '{"op": "confirm", "predicate": "lives_in"}'),
    ("deny", "alice", "languages", "C#"),
    ("retract", "alice", "languages", "Go"),
    ("state", "alice"),
    ("get", "alice", "lives_in"),
    ("history", "alice"),
    ("explain", "{fact}"),
    ("decisions", "alice", "1"),
    ("changes", "alice"),
    ("messages", "alice"),
    ("correct", "{fact}", "--reason", "another Alice"),
    ("reinstate", "{fact}"),
    ("context", "alice"),
    ("search", "alice", "Delhi"),
    ("preview", "alice", "I live in Goa", "--llm", "fake"),
    ("add", "alice", "I would like to say that I adore Lisbon", "--llm", "proposing:held"),
    ("questions", "alice"),
    ("review", "{held}", "--accept"),
    ("add", "alice", "I would like to say that I adore Lisbon", "--llm", "proposing:held"),
    ("answer", "{asked}", "yes"),
    ("proposals",),
    ("reextract", "alice", "--llm", "fake", "--yes"),
    ("add", "bob", "I live in Rome"),
    ("dismiss", "bob", "1"),
    ("scopes",),
    ("retain", "--texts", "90d", "--keep-quotes", "--facts", "lives_in=1y"),
    ("retain",),
    ("purge", "--due"),
    ("stats",),
    ("digest", "alice"),
    ("verify",),
    ("doctor",),
    ("rebuild",),
    ("export", "m.jsonl"),
    ("import", "m.jsonl"),
    ("backup", "backup.db"),
    ("restore", "backup.db", "restored.db"),
    ("copy", "m.db", "copied.db"),
    ("migrate", "--dry-run"),
    ("schema", "--grants", "app"),
    ("rekey", "--plain"),  # it has no key: tests/adapters/cli/test_rekey.py has the others
    ("keys", "mint", "--label", "app", "--role", "admin"),
    ("keys", "list"),
    ("keys", "audit"),
    ("bench", "--limit", "1"),
    ("try", "-", "--llm", "fake", "--schema", "profile.toml", "--no-html"),
    ("completion", "bash"),
    ("mcp", "install", "--client", "cursor", "--user", "ada", "--print"),
    ("erase", "alice", "1", "--yes"),
    ("purge", "2100-01-01", "--keep-quotes", "--yes"),
    ("forget", "alice", "--predicate", "languages", "--yes"),
    ("forget", "alice", "--yes"),
)

PROFILE = """
[predicates.diet]
choices = ["vegan", "none"]
[entities.Berlin]
aliases = ["BER"]
"""
PROPOSING = """
from tensemem import Operation

def held(request):
    quote = "I adore Lisbon"
    return [
        Operation("set", "lives_in", "Lisbon", quote=quote, modality="reported"),
        Operation("set", "adores", "Lisbon", quote=quote),
    ]
"""


@pytest.fixture
def talk(cli: Any, tmp_path: Any) -> Callable[..., list[tuple[tuple[str, ...], Any]]]:
    """Run the whole talk, or all but some commands; gives each command with what it printed."""
    (tmp_path / "profile.toml").write_text(PROFILE, encoding="utf-8")
    (tmp_path / "proposing.py").write_text(PROPOSING, encoding="utf-8")

    def run(*options: str, but: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
        return [(line, _step(cli, line, options)) for line in TALK if line[0] not in but]

    return run


def _step(cli: Any, line: tuple[str, ...], options: tuple[str, ...]) -> Any:
    known = {}
    if line[1:2] in (("{fact}",), ("{held}",), ("{asked}",)):
        facts = cli.ok("history", "alice", "lives_in", "--json").json["facts"]
        known["fact"] = next(fact["id"] for fact in facts if fact["value"] == "Bangalore")
        known["held"] = next((fact["id"] for fact in facts if fact["status"] == "candidate"), "")
        known["asked"] = f"q-{known['held']}"
    arguments = [known.get(word.strip("{}"), word) if word.startswith("{") else word for word in line]
    if line[0] == "demo":
        return cli.bare("demo", *options)
    return cli(*arguments, *options, input="I write Python\nI speak Hindi\n")


def test_the_commands_of_this_version_are_there_and_no_other() -> None:
    assert set(program.commands) == COMMANDS
    assert {line[0] for line in TALK} == COMMANDS - SERVES


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_says_what_it_does(cli: Any, name: str) -> None:
    ran = cli.bare(name, "--help")
    assert ran.code == 0
    assert len(ran.out.split("\n\n")[1].strip()) > 20, "what it does, in words"
    silent = [p.name for p in program.commands[name].params if isinstance(p, click.Option) and not p.help]
    assert silent == []


def test_help_lists_every_command_with_its_whole_first_sentence(cli: Any) -> None:
    ran = cli.bare("--help")
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)
    assert "..." not in ran.out.partition("First steps")[2]


def test_without_a_command_help_is_shown_and_it_is_wrong_usage(cli: Any) -> None:
    ran = cli.bare()
    assert (ran.code, ran.out) == (2, "")
    assert "Usage: tensemem" in ran.err


def test_every_command_answers_people_in_lines(talk: Any) -> None:
    for line, ran in talk():
        assert ran.code == 0, (line, ran)
        assert ran.out.strip(), line
        assert not ran.out.lstrip().startswith("{"), line


def test_every_command_answers_programs_with_one_json_document(talk: Any) -> None:
    for line, ran in talk("--json"):
        assert ran.code == 0, (line, ran)
        assert isinstance(ran.json, dict), line


def test_what_concerns_one_user_says_how_fresh_it_is(talk: Any) -> None:
    concerned = {line[0]: ran.json for line, ran in talk("--json") if line[1:2] == ("alice",) and line[0] != "forget"}
    assert len(concerned) > 15
    for name, document in concerned.items():
        assert isinstance(document["freshness"]["is_current"], bool), name


def test_every_verb_of_memory_is_reached_from_some_command(talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called: set[str] = set()
    within: list[str] = []

    def watched(name: str) -> Callable[..., Any]:
        verb = getattr(Memory, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if not within:  # a verb that another one calls is reached by that one alone
                called.add(name)
            within.append(name)
            try:
                return verb(*arguments, **named)
            finally:
                within.pop()

        return call

    for name in VERBS:
        monkeypatch.setattr(Memory, name, watched(name))
    talk(but=("bench", "try"))  # which call many themselves
    assert len(VERBS) > 35
    assert VERBS - called == set()


def test_the_general_options_may_stand_on_either_side_of_the_command(seeded: Any) -> None:
    before = seeded.bare("--db", str(seeded.db), "--json", "get", "alice", "lives_in")
    after = seeded.bare("get", "alice", "lives_in", "--json", "--db", str(seeded.db))
    assert before == after
    assert before.json["value"] == "Bangalore"


def test_a_namespace_named_anywhere_is_another_memory(seeded: Any) -> None:
    seeded.ok("register", "lives_in", "--namespace", "other")
    assert seeded("get", "alice", "lives_in", "--namespace", "other").code == 1
    assert seeded.ok("--namespace", "other", "state", "alice", "--namespace", "default").out.count("Bangalore") == 1


def test_the_environment_names_the_memory_and_an_option_goes_before(
    seeded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENSEMEM_DB", str(seeded.db))
    assert seeded.bare("get", "alice", "lives_in").out == "Bangalore\n"
    assert seeded.bare("get", "alice", "lives_in", "--db", "none.db").code == 3

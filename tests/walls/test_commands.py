"""No command tells another namespace from one that is not: each with what an intruder knows, in two worlds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensemem import Memory
from tensemem.adapters.cli import program
from tests.adapters.cli.conftest import Cli, Ran
from tests.walls.houses import Files, Pair, two_worlds
from tests.walls.town import CALM, NOON, SECRETS, Loot, World

OF_NOBODY = {"demo", "bench", "try", "completion", "schema", "migrate", "restore", "serve", "keys", "mcp", "studio"}
"""Commands that read no memory of anybody: they bring their own, or speak of tables, or of a whole file; or what they
serve has walls of its own, which tests/walls/test_served.py tries.
"""

Lines = dict[str, list[tuple[str, ...]]]


def lines(loot: Loot) -> Lines:
    """Give each command with what an intruder may say to it. {db} is the memory, {out} a file that is not there yet."""
    ids = [loot.fact, loot.corrected, loot.candidate, loot.statement, "c1.x.1"]
    values = [("lives_in", "Delhi"), (loot.predicate, "Rome"), ("lives_in", "Rome", "--idempotency-key", loot.key)]
    stated = [(loot.user, *value) for value in values]
    users = [(), (loot.user,)]
    return {
        "add": [(loot.user, "I live in Rome"), (loot.user, "hello", "--session", loot.session)],
        "set": stated, "add-value": stated, "remove-value": stated, "replace-values": stated, "retract": stated,
        "deny": stated, "confirm": stated,
        "write": [
            (user, "--op", _operation(predicate, value), *more)
            for user, predicate, value, *more in stated
        ],
        "record": [(*one, "--valid-from", "2020") for one in stated],
        "correct": [(id,) for id in ids] + [(id, "Rome", "--user", loot.user) for id in ids],
        "reinstate": [(id,) for id in ids],
        "review": [(id, "--accept") for id in ids],
        "answer": [(loot.question, "yes"), (f"q-{loot.fact}", "no")],
        "state": [(loot.user,), (loot.user, "--layer", loot.agent), (loot.user, "--predicate", loot.predicate)],
        "get": [(loot.user, "lives_in"), (loot.user, loot.predicate)],
        "history": [(loot.user,), (loot.user, loot.predicate), (loot.user, "lives_in", "--after", loot.fact)],
        "context": [(loot.user,), (loot.user, loot.predicate)],
        "search": [(loot.user, "Delhi"), (loot.user, loot.predicate, "--after", loot.fact)],
        "questions": [(loot.user,)],
        "explain": [(id,) for id in ids] + [(loot.fact, "--user", loot.user)],
        "changes": [(loot.user,), (loot.user, str(loot.rev))],
        "decisions": [(loot.user, str(loot.waiting)), (loot.user, "1")],
        "messages": [(loot.user,), (loot.user, "--session", loot.session)],
        "preview": [(loot.user, "I live in Rome", "--llm", "fake")],
        "predicates": [()],
        "proposals": [()],
        "register": [(loot.proposed,), (loot.entity, "--entity", "--alias", loot.alias)],
        "worker": [("--llm", "fake", "--once")],
        "flush": [(*one, "--llm", "fake") for one in users],
        "jobs": [*users, ("--after", f"1.0.{loot.user}"), (loot.user, "--after", f"1.0.{loot.user}")],
        "retry": [*users, (loot.user, str(loot.failed))],
        "dismiss": [(loot.user, str(loot.waiting)), (loot.user, str(loot.failed)), (loot.user, "999")],
        "reextract": [(loot.user, "--llm", "fake", "--yes"), (loot.user, "--llm", "fake", "--apply", "--yes")],
        "scopes": [(), (loot.user[:2],), ("--after", loot.user, "--after-agent", loot.agent)],
        "stats": [()],
        "export": [("{out}l", *part) for part in ((), ("--user", loot.user), ("--all-namespaces",))],
        "import": [("{stolen}",), ("{stolen}", "--user", loot.user), ("{stolen}", "--all-namespaces")],
        "backup": [("{out}.backup",)],
        "doctor": [("--quick",)],
        "forget": [
            (loot.user, *part, "--yes")
            for part in ((), ("--agent", loot.agent), ("--predicate", loot.predicate), ("--fact", loot.fact))
        ],
        "erase": [(loot.user, str(loot.waiting), "--yes"), (loot.user, "1", "--yes")],
        "purge": [("2026-05-31", "--yes"), ("2026-06-02", "--user", loot.user, "--yes"), ("--due",)],
        "retain": [(), ("--texts", "90d"), ("--facts", "lives_in=1y"), ("--facts", f"{loot.predicate}=1y")],
        "rebuild": users,
        "verify": users,
        "digest": [(loot.user,)],
        "rekey": [("--plain",)],
        "copy": [("{db}", "{out}", *only) for only in ((), ("--only", loot.namespace), ("--only", "nowhere"))],
    }  # fmt: skip


def _operation(predicate: str, value: str) -> str:
    """An operation as JSON; its braces are doubled, since what they name is filled in later."""
    told = json.dumps({"op": "set", "predicate": predicate, "value": value})
    return told.replace("{", "{{").replace("}", "}}")


@pytest.fixture
def tenants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    monkeypatch.setattr("tensemem.engine.wiring.system_clock", lambda: NOON)
    monkeypatch.setattr("tensemem.adapters.cli.tracing.now", lambda: NOON)
    return two_worlds(Files(tmp_path), victims=[("victim", "vera", "")], own=("acme", "ian", ""))


def test_every_command_has_a_line(tenants: Pair) -> None:
    assert set(program.commands) == {*lines(tenants.loot), *OF_NOBODY}


@pytest.mark.parametrize("form", [("--json",), ()], ids=["json", "text"])
def test_no_command_reaches_another_namespace(tenants: Pair, form: tuple[str, ...], tmp_path: Path) -> None:
    before = tenants.rows()
    told = [_told(world, tenants.loot, form, tmp_path / str(number)) for number, world in enumerate(tenants.worlds)]
    assert tenants.rows() == before
    assert len(told[0]) == len(told[1]) > 80
    for (line, one), (_, other) in zip(*told, strict=True):
        here = tenants.scrubbed(_text(one), tenants.worlds[0])
        assert here == tenants.scrubbed(_text(other), tenants.worlds[1]), line
        assert not [word for word in SECRETS if word in here and word not in " ".join(line)], line
    with Memory(tmp_path / "0" / "1.db", **CALM) as out:
        assert out.scopes(namespace="victim") == ()


def _told(world: World, loot: Loot, form: tuple[str, ...], folder: Path) -> list[tuple[tuple[str, ...], Ran]]:
    folder.mkdir()
    world.folder = str(folder)
    cli, stolen = Cli(Path(world.path)), folder / "stolen.jsonl"
    stolen.write_bytes(loot.exported)
    found = []
    for command, every in lines(loot).items():
        for number, words in enumerate(every, 1):
            filled = [word.format(db=world.path, out=folder / f"{number}.db", stolen=stolen) for word in words]
            line = (*form, "--namespace", "acme", command, *filled)
            found.append((line, cli(*line)))
    return found


def _text(ran: Ran) -> str:
    return f"{ran.code}\n{ran.out}\n{ran.err}"

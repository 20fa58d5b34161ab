"""Nothing of another is read, changed or told apart from what never was: each verb in two worlds, compared.

In one world somebody else lives; in the other nobody does. An intruder who knows every id, name, number and key of
theirs makes the same calls in both, and gets the same answers, errors, events and requests to its extractor; and no
row of the victim's is another one afterwards.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory
from tensemem.engine.processes import RUNNING, host_name, process_started
from tensemem.engine.worker import Worker
from tensemem.errors import InvalidScopeError, StoreError, TensememError
from tensemem.model.scope import worker_id
from tensemem.ports import WorkerRow
from tensemem.verbs.awaited import AsyncScopedMemory
from tensemem.verbs.scoped import ScopedMemory, public_verbs
from tensemem.verbs.tool_calls import CALLS
from tests.engine.bench import Clock
from tests.store.every_kind import is_there
from tests.walls.attempts import Attempt, attempts, outcome, shown, values_of
from tests.walls.houses import Files, Ground, Pair, Servers, two_worlds
from tests.walls.town import CALM, NOON, SECRETS, World

WHOLE = ("rekey", "copy_to", "backup", "doctor")
"""Verbs about all there is in a store, for whoever opened it without naming a namespace."""
BOUND = {name: getattr(ScopedMemory, name) for name in public_verbs() if hasattr(ScopedMemory, name)}


@pytest.fixture(params=["file", pytest.param("postgres18", marks=pytest.mark.slow)])
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Ground:
    if request.param == "file":
        return Files(tmp_path)
    if not is_there("psycopg"):
        pytest.skip("the PostgreSQL store needs psycopg")
    return Servers(request.param.removeprefix("postgres"))


@pytest.fixture
def tenants(ground: Ground) -> Pair:
    """Vera of the namespace victim, and an intruder of acme."""
    return two_worlds(ground, victims=[("victim", "vera", "")], own=("acme", "ian", ""))


@pytest.fixture
def neighbours(ground: Ground) -> Pair:
    """Vera and ian's diary in one namespace, and an intruder who is bound to ian's coach."""
    victims = [("acme", "vera", "diary"), ("acme", "ian", "diary")]
    return two_worlds(ground, victims=victims, own=("acme", "ian", "coach"))


def compare(pair: Pair, attempt_all: Callable[[World], Iterable[tuple[str, str]]]) -> list[str]:
    """Make all attempts in both worlds; gives what was told in the one where somebody was robbed of nothing."""
    before = pair.rows()
    assert sum(map(len, before.values())) > 20
    there, nowhere = (list(attempt_all(world)) for world in pair.worlds)
    assert pair.rows() == before
    told = []
    for (name, one), (same, other) in zip(there, nowhere, strict=True):
        assert pair.scrubbed(name, pair.worlds[0]) == pair.scrubbed(same, pair.worlds[1])
        told.append(pair.scrubbed(one, pair.worlds[0]))
        assert told[-1] == pair.scrubbed(other, pair.worlds[1]), name
        assert not [word for word in SECRETS if word in one and word not in name], name
    heard = [[pair.scrubbed(event, world) for event in world.events] for world in pair.worlds]
    assert heard[0] == heard[1]
    assert [shown(request) for request in pair.worlds[0].told.requests] == [
        shown(request) for request in pair.worlds[1].told.requests
    ]
    return told


def in_plain(target: Any, made: Iterable[Attempt]) -> list[tuple[str, str]]:
    """Make attempts on a memory, a turn being begun and ended."""
    return [(str(one), outcome(lambda one=one: _done(target, one))) for one in made]  # type: ignore[misc]


def _done(target: Any, attempt: Attempt) -> Any:
    found = getattr(target, attempt.verb)(**attempt.arguments)
    if attempt.verb != "turn":
        return list(found) if hasattr(found, "__next__") else found
    with found as turn:
        turn.answer = "so be it"
    return [turn.context, turn.notice, turn.seq, turn.min_seq]


def all_verbs(*, but: tuple[str, ...] = ()) -> dict[str, Callable[..., Any]]:
    verbs = {**public_verbs(), "turn": Memory.turn}
    return {name: verb for name, verb in verbs.items() if name not in but}


# Namespaces


@pytest.mark.parametrize("namespace", ["acme", None])
def test_no_verb_tells_another_namespace_from_one_that_is_not(
    tenants: Pair, namespace: str | None, tmp_path: Path
) -> None:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        verbs = all_verbs(but=() if namespace else WHOLE)
        with world.opened(namespace=namespace) as mem:
            folder, always = _folder(tmp_path, world), _own_only(namespace)
            return in_plain(mem, attempts(verbs, tenants.loot, folder, **always))

    told = compare(tenants, attempt_all)
    refused = sum(text.startswith("UnknownFactError") for text in told)
    assert refused > 20
    assert len(told) > 250


def _own_only(namespace: str | None) -> dict[str, Any]:
    """What keeps a memory that is not pinned from being asked for what it may do: to tell of all namespaces."""
    return {} if namespace else {"every_namespace": False}


def test_no_awaited_verb_does(tenants: Pair, tmp_path: Path) -> None:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        made = list(attempts(all_verbs(), tenants.loot, _folder(tmp_path, world)))

        async def run() -> list[tuple[str, str]]:
            options = {**CALM, "llm": world.told, "clock": Clock(NOON), "namespace": "acme"}
            async with AsyncMemory(world.path, **options) as mem:
                return [(str(one), await _awaited(mem, one)) for one in made]

        return asyncio.run(run())

    compare(tenants, attempt_all)


async def _awaited(target: Any, attempt: Attempt) -> str:
    try:
        found = getattr(target, attempt.verb)(**attempt.arguments)
        if attempt.verb == "turn":
            async with found as turn:
                turn.answer = "so be it"
            return shown([turn.context, turn.notice, turn.seq, turn.min_seq])
        return shown([one async for one in found] if hasattr(found, "__aiter__") else await found)
    except TensememError as error:
        return f"{type(error).__name__}: {error}"


def test_every_verb_that_can_name_a_namespace_refuses_another_than_its_own(tenants: Pair, tmp_path: Path) -> None:
    loot = tenants.loot

    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        with world.opened(namespace="acme") as mem:
            told, folder = [], _folder(tmp_path, world)
            for name in ("victim", "nowhere"):
                made = [
                    one for one in attempts(all_verbs(), loot, folder, namespace=name, every_namespace=False)
                    if "namespace" in one.arguments
                ]  # fmt: skip
                told += in_plain(mem, made)
                told.append((f"for_user {name}", outcome(lambda name=name: mem.for_user("vera", namespace=name))))  # type: ignore[misc]
            return told

    told = set(compare(tenants, attempt_all))
    assert [text for text in told if not text.startswith("InvalidScopeError: this memory is pinned to")] == []
    assert len(told) == 1


def test_a_memory_without_a_namespace_may_name_others(tenants: Pair) -> None:
    with tenants.worlds[0].opened() as mem:
        assert mem.get("ian", "lives_in", namespace="acme") == "Oslo"
        assert mem.for_user("ian", namespace="acme").get("lives_in") == "Oslo"


def test_a_memory_that_named_its_own_may_name_it_again(tenants: Pair) -> None:
    with tenants.worlds[0].opened(namespace="acme") as mem:
        assert mem.get("ian", "lives_in", namespace="acme") == "Oslo"


def test_what_is_not_of_one_namespace_is_refused_to_who_is_pinned(tenants: Pair) -> None:
    refused = pytest.raises(InvalidScopeError, match="rekey concerns all there are")
    with tenants.worlds[0].opened(namespace="acme") as mem, refused:
        mem.rekey("another key")


def test_a_copy_keeps_to_the_namespace_of_either_memory(tenants: Pair, tmp_path: Path) -> None:
    there = tenants.worlds[0]
    with there.opened(namespace="acme") as mem:
        assert mem.copy_to(tmp_path / "out.db").namespaces == 1
        with pytest.raises(InvalidScopeError, match="pinned"):
            mem.copy_to(tmp_path / "out.db", namespaces=["victim"])
    with Memory(tmp_path / "out.db", **CALM) as out:
        assert [info.user_id for info in out.scopes(namespace="victim")] == []
        assert [info.user_id for info in out.scopes(namespace="acme")] == ["ian"]
    with Memory(tmp_path / "in.db", namespace="acme", **CALM) as door, there.opened() as everything:
        with pytest.raises(InvalidScopeError, match="pinned"):
            everything.copy_to(door)
        assert door.stats()["entries"] == 0
        assert everything.copy_to(door, namespaces=["acme"]).copied == 1
    with Memory(tmp_path / "new.db", namespace="new", **CALM) as nobody:
        assert nobody.copy_to(tmp_path / "more.db").scopes == 0


# Workers


def test_a_worker_of_a_namespace_takes_its_messages_only(tenants: Pair) -> None:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        with world.opened(namespace="acme") as mem:
            extractor = mem._engine.extractor
            assert extractor is not None
            done = Worker(mem._engine, extractor).run_until_idle(lambda: False)
            return [("settled", str(done)), ("jobs", shown(mem.jobs()))]

    assert compare(tenants, attempt_all) == ["1", "[]"]
    assert tenants.worlds[0].told.asked == ["hello there"]


def test_a_worker_of_no_namespace_takes_those_of_all(tenants: Pair) -> None:
    with tenants.worlds[0].opened() as mem:
        extractor = mem._engine.extractor
        assert extractor is not None
        assert Worker(mem._engine, extractor).run_until_idle(lambda: False) == 2


@pytest.mark.parametrize(
    ("works_for", "reason"), [("victim", "no_extractor"), ("acme", "extracting"), (None, "extracting")]
)
def test_a_worker_is_seen_by_those_it_works_for(tenants: Pair, works_for: str | None, reason: str) -> None:
    there = tenants.worlds[0]
    with there.opened(namespace="acme", llm=None) as mem:
        with mem._engine.store.write() as tx:
            pid = os.getpid()
            alive = mem._engine.operational_clock()
            tx.beat(WorkerRow(worker_id("w", works_for), host_name(), pid, process_started(pid) or RUNNING, alive))
        assert mem.state("ian").freshness.reason == reason
        assert "victim" not in worker_id("w", works_for)


# One scope


def bound_attempts(pair: Pair, folder: Path) -> list[Attempt]:
    """Give what is attempted on a memory bound to a scope: on another user, and on another agent of the same one."""
    verbs = {**BOUND, "turn": ScopedMemory.turn}
    return [one for loot in pair.loots for one in attempts(verbs, loot, folder)]


def test_a_memory_bound_to_a_scope_knows_no_other_of_its_namespace(neighbours: Pair, tmp_path: Path) -> None:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        with world.opened(namespace="acme") as mem:
            bound = mem.for_user("ian", agent_id="coach")
            return in_plain(bound, bound_attempts(neighbours, _folder(tmp_path, world)))

    told = compare(neighbours, attempt_all)
    assert sum(text.startswith("UnknownFactError") for text in told) > 20
    assert sum(text.startswith("InvalidScopeError: a memory bound to one scope") for text in told) > 3


def test_an_awaited_one_knows_none_either(neighbours: Pair, tmp_path: Path) -> None:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        made = bound_attempts(neighbours, _folder(tmp_path, world))

        async def run() -> list[tuple[str, str]]:
            options = {**CALM, "llm": world.told, "clock": Clock(NOON), "namespace": "acme"}
            async with AsyncMemory(world.path, **options) as mem:
                bound = mem.for_user("ian", agent_id="coach")
                assert isinstance(bound, AsyncScopedMemory)
                return [(str(one), await _awaited(bound, one)) for one in made]

        return asyncio.run(run())

    compare(neighbours, attempt_all)


def test_it_reads_through_its_own_layer_and_the_shared_one(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", **CALM) as mem:
        mem.register_predicate("lives_in")
        mem.register_predicate("diet")
        mem.set("ian", "lives_in", "Oslo")
        mem.set("ian", "diet", "vegan", agent_id="coach")
        coach = mem.for_user("ian", agent_id="coach")
        assert coach.state(layers=["coach", ""]).values == {"lives_in": "Oslo", "diet": "vegan"}
        with pytest.raises(InvalidScopeError, match="no other agent's"):
            coach.context(layers=["coach", "diary"])


def test_no_tool_reaches_another_scope(neighbours: Pair) -> None:
    loot = neighbours.loot
    arguments: dict[str, list[dict[str, Any]]] = {
        "memory_context": [{}, {"query": loot.user}, {"query": loot.predicate}],
        "memory_search": [{"query": loot.predicate}, {"query": "plumwood"}],
        "memory_get": [{"predicate": loot.predicate}, {"predicate": "lives_in", "subject": loot.user}],
        "memory_history": [{"predicate": loot.predicate}, {"predicate": loot.proposed}],
        "memory_why": [{"predicate": loot.predicate}, {"predicate": "lives_in", "value": "Delhi"}],
        "memory_set": [{"predicate": "lives_in", "value": "Rome", "subject": loot.entity}],
        "memory_correct": [{"predicate": loot.predicate, "wrong_value": "plumwood"}, {"predicate": loot.predicate}],
        "memory_retract": [{"predicate": loot.predicate}, {"predicate": "lives_in", "value": "Delhi"}],
    }
    assert set(arguments) == set(CALLS), "say in this table what an intruder asks of a new tool"

    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        with world.opened(namespace="acme") as mem:
            bound = mem.for_user("ian", agent_id="coach")
            return [
                (f"{name}({given!r})", shown(bound.call(name, given)))
                for name, every in arguments.items() for given in every
            ]  # fmt: skip

    compare(neighbours, attempt_all)


MCP_TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("memory_context", {}), ("memory_context", {"query": "plumwood", "min_seq": 1, "wait": 0}),
    ("memory_search", {"query": "plumwood"}), ("memory_get", {"predicate": "{predicate}"}),
    ("memory_get", {"predicate": "lives_in", "user_id": "{user}"}), ("memory_history", {"predicate": "{predicate}"}),
    ("memory_why", {"predicate": "{predicate}", "value": "plumwood"}), ("memory_why", {"fact_id": "{fact}"}),
    ("memory_set", {"predicate": "lives_in", "value": "Rome", "subject": "{entity}"}),
    ("memory_set", {"predicate": "lives_in", "value": "Oslo", "idempotency_key": "{key}"}),
    ("memory_correct", {"predicate": "{predicate}", "wrong_value": "plumwood", "expected_rev": 1}),
    ("memory_add", {"content": "hello there", "idempotency_key": "{key}"}),
    ("memory_add", {"content": "hello there", "user_id": "{user}"}),
    ("memory://state", {}), ("memory://context", {}), ("memory://state?user_id={user}", {}),
    ("memory://history?predicate={predicate}", {}), ("memory://history?predicate=lives_in&subject={user}", {}),
    ("recall", {"query": "plumwood"}), ("recall", {"user_id": "{user}"}),
)  # fmt: skip


def test_nothing_that_mcp_offers_reaches_another_scope(neighbours: Pair) -> None:
    from mcp import Client
    from mcp.shared.exceptions import MCPError

    from tensemem.adapters.mcp.offered import KINDS
    from tensemem.adapters.mcp.reach import Pin
    from tensemem.adapters.mcp.server import MemoryServer

    asked = {name.removeprefix("memory_") for name, _ in MCP_TOOLS if name.startswith("memory_")}
    assert asked == set(KINDS), "say in this table what an intruder asks of a new tool"
    loot = neighbours.loot
    known = {name: getattr(loot, name) for name in ("predicate", "user", "entity", "fact", "key")}

    async def attempted(client: Client, name: str, given: dict[str, Any]) -> str:
        try:
            if name.startswith("memory://"):
                return shown((await client.read_resource(name)).contents)
            if name == "recall":
                return shown((await client.get_prompt(name, given)).messages)
            found = await client.call_tool(name, given)
            return shown([found.content, found.structured_content])
        except MCPError as error:
            return f"MCPError: {error.error.message}"

    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        async def run() -> list[tuple[str, str]]:
            options = {**CALM, "llm": world.told, "clock": Clock(NOON), "namespace": "acme"}
            async with AsyncMemory(world.path, **options) as mem:
                service = MemoryServer(mem, Pin("ian", "coach", "acme"))
                async with Client(service.server) as client:
                    told = []
                    for name, arguments in MCP_TOOLS:
                        where = name.format(**known)
                        given = {word: _filled(value, known) for word, value in arguments.items()}
                        told.append((f"{where}({given!r})", await attempted(client, where, given)))
                    return told

        return asyncio.run(run())

    told = compare(neighbours, attempt_all)
    assert sum("bound to one user" in text or "; not 'user_id'" in text for text in told) == 4


def _filled(value: Any, known: dict[str, str]) -> Any:
    return value.format(**known) if isinstance(value, str) else value


# A role of its own in the database


@pytest.mark.parametrize("version", ["18", pytest.param("15", marks=pytest.mark.slow)])
@pytest.mark.parametrize("namespace", ["acme", None])
def test_no_verb_climbs_the_wall_of_a_role(version: str, namespace: str | None, tmp_path: Path) -> None:
    """Not pinned, such a role names the victim's namespace in every call: the database keeps it out."""
    if not is_there("psycopg"):
        pytest.skip("the PostgreSQL store needs psycopg")
    tenants = two_worlds(Servers(version, is_walled=True), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    always = _own_only(namespace) | ({} if namespace else {"namespace": "victim"})

    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        verbs = all_verbs(but=() if namespace else WHOLE)
        with world.opened(namespace=namespace) as mem:
            return in_plain(mem, attempts(verbs, tenants.loot, _folder(tmp_path, world), **always))

    compare(tenants, attempt_all)


def test_a_role_of_one_namespace_sees_to_its_own_retention(tmp_path: Path) -> None:
    if not is_there("psycopg"):
        pytest.skip("the PostgreSQL store needs psycopg")
    tenants = two_worlds(Servers("18", is_walled=True), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    before = tenants.rows()
    with tenants.worlds[0].opened() as mem:
        mem.retain(texts="1d", facts={"lives_in": "1d"}, namespace="acme")
        run = mem.apply_retention(namespace="acme").last_run
        assert run is not None
        assert (run.scopes, run.failed) == (1, 0)
        assert mem.retention(namespace="victim").is_empty
        with pytest.raises(StoreError, match="does not allow"):
            mem.retain(texts="1d", namespace="victim")
    assert tenants.rows() == before


# The table


def test_an_argument_that_nobody_thought_of_is_noticed(tmp_path: Path, tenants: Pair) -> None:
    with pytest.raises(KeyError):
        values_of("add", "somebody_elses", tenants.loot, tmp_path)


def _folder(tmp_path: Path, world: World) -> Path:
    """A folder for what one world's attempts leave, by the same name in both."""
    folder = tmp_path / f"left{abs(hash(world.path))}" / "here"
    folder.mkdir(parents=True, exist_ok=True)
    world.folder = str(folder)
    return folder

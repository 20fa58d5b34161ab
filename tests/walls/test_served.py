"""Nothing of another is read, changed or told apart over HTTP: every served verb, with keys that are limited."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access
from tensemem.verbs.scoped import public_verbs
from tensemem.wire import SERVED, document, encode, query_of
from tests.engine.bench import Clock
from tests.walls.attempts import Attempt, attempts
from tests.walls.houses import Files, Pair, two_worlds
from tests.walls.town import NOON, SECRETS, Loot, World

if importlib.util.find_spec("starlette") is None:
    pytest.skip("a server needs the extra server", allow_module_level=True)

from tests.adapters.rest.bench import Web, served

VERBS = {name: verb for name, verb in public_verbs().items() if name in SERVED and name != "forget"}
VERBS["forget"] = public_verbs()["forget"]  # last: a key for somebody alone opens nothing once they are forgotten


def compare(pair: Pair, limits: Mapping[str, Any], made: Callable[[World], Iterable[Attempt]]) -> dict[str, set[int]]:
    """Make the same requests in both worlds; gives which statuses each verb was answered with."""
    before = pair.rows()
    told = [list(_asked(pair, world, limits, made(world))) for world in pair.worlds]
    assert pair.rows() == before
    assert len(told[0]) == len(told[1])
    statuses: dict[str, set[int]] = {}
    for (attempt, status, one), (_, _, other) in zip(*told, strict=True):
        here = pair.scrubbed(one, pair.worlds[0])
        assert here == pair.scrubbed(other, pair.worlds[1]), str(attempt)
        assert not [word for word in SECRETS if word in here and word not in str(attempt)], str(attempt)
        assert status < 500, (str(attempt), here)
        statuses.setdefault(attempt.verb, set()).add(status)
    heard = [[pair.scrubbed(event, world) for event in world.events] for world in pair.worlds]
    assert heard[0] == heard[1]
    return statuses


def _asked(
    pair: Pair, world: World, limits: Mapping[str, Any], made: Iterable[Attempt]
) -> Iterable[tuple[Attempt, int, str]]:
    with Access.open(f"{world.path}-access") as keys:
        _, token = keys.mint("an intruder's", "admin", **limits)
        with served(world.path, access=keys, clock=Clock(NOON), llm=world.told) as web:
            web.headers["authorization"] = f"Bearer {token}"
            web.application.serving.plain.on(world._heard)  # type: ignore[attr-defined]
            for attempt in made:
                answer = _ask(web, pair.loot, attempt)
                text = answer.text
                if answer.headers["content-type"].endswith("/json"):
                    text = json.dumps(answer.json())
                if answer.status_code == 200 and attempt.verb == "export":
                    # Digests are made with a secret of each database.
                    own = ('"checksum"', '"line":"key"')
                    lines = [line for line in text.splitlines() if not any(word in line for word in own)]
                    text = re.sub(r'(?<="digest":")[^"]+', "<some>", "\n".join(lines))
                marks = {name: value for name, value in answer.headers.items() if name.startswith(("tensemem", "etag"))}
                yield attempt, answer.status_code, f"{answer.status_code} {marks} {text}"


def _ask(web: Web, loot: Loot, attempt: Attempt) -> Any:
    verb = SERVED[attempt.verb]
    known = {name: value for name, value in attempt.arguments.items() if verb.parameter(name) is not None}
    if attempt.verb == "reextract" and attempt.arguments.get("llm") is loot.plan:
        known["difference"] = loot.plan
    if attempt.verb == "register":
        known["source"] = '[predicates.diet]\nchoices = ["vegan", "none"]\n'
    try:
        given = encode(verb, known)
    except ValueError:
        given = document(known)
    query: Any = query_of(verb, given)
    if attempt.verb == "import_":
        headers = {"content-type": "application/x-ndjson"}
        return web.post(verb.path, params=query, content=loot.exported, headers=headers)
    if verb.method == "GET":
        return web.get(verb.path, params=query)
    return web.post(verb.path, json=given)


def made_by(pair: Pair, tmp_path: Path, **always: Any) -> Callable[[World], Iterable[Attempt]]:
    def make(world: World) -> Iterable[Attempt]:
        folder = tmp_path / str(pair.worlds.index(world))
        folder.mkdir(exist_ok=True)
        world.folder = str(folder)
        return list(attempts(VERBS, pair.loot, folder, **always))

    return make


def test_a_key_limited_to_a_namespace_reaches_no_other(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    found = compare(pair, {"namespaces": ["acme"]}, made_by(pair, tmp_path))
    assert set(found) == set(SERVED)
    for verb in ("doctor", "backup", "rebuild", "verify"):
        assert found[verb] == {403}, verb  # which speak of the server's own namespace, or of all there is
    for verb in ("state", "set", "scopes", "export", "jobs", "stats"):
        assert 200 in found[verb], verb


@pytest.mark.slow
@pytest.mark.parametrize("namespace", ["victim", "default", "nowhere"])
def test_a_key_limited_to_a_namespace_that_names_another_is_refused(tmp_path: Path, namespace: str) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    found = compare(pair, {"namespaces": ["acme"]}, made_by(pair, tmp_path, namespace=namespace))
    assert {verb: statuses for verb, statuses in found.items() if not statuses <= {403, 400}} == {}


def test_a_key_limited_to_a_user_reaches_no_other(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("acme", "vera", "")], own=("acme", "ian", ""))
    limits = {"namespaces": ["acme"], "users": ["ian"]}
    found = compare(pair, limits, made_by(pair, tmp_path))
    assert set(found) == set(SERVED)
    everybody = {
        "register_predicate", "register_entity", "register", "proposals", "retain", "retention", "apply_retention",
        "scopes", "stats", "doctor", "backup", "import_", "rebuild", "verify",
    }  # fmt: skip
    for verb in everybody:
        assert found[verb] <= {403, 400}, verb
    assert found["predicates"] == {200}
    assert {verb for verb, statuses in found.items() if 200 in statuses and SERVED[verb].reach == "scope"} == set()


def test_a_key_limited_to_a_user_does_with_their_own_what_it_likes(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("acme", "vera", "")], own=("acme", "ian", ""))
    limits = {"namespaces": ["acme"], "users": ["ian"]}
    found = compare(pair, limits, made_by(pair, tmp_path, user_id="ian"))
    for verb in ("state", "history", "context", "set", "add", "changes", "search", "forget", "export"):
        assert 200 in found[verb], verb
    for verb in ("explain", "correct", "reinstate", "review", "answer"):
        assert found[verb] <= {403, 404, 400, 409}, verb  # her ids are unknown here

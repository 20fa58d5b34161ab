"""The same through a real server: a limited key, every verb over HTTP, everything of somebody else's, in two worlds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access
from tensemem.wire import SERVED, document
from tests.engine.bench import Clock
from tests.store.every_kind import is_there
from tests.walls.attempts import Attempt, attempts
from tests.walls.houses import Files, Pair, two_worlds
from tests.walls.test_walls import all_verbs, compare
from tests.walls.town import NOON, World

if not (is_there("starlette") and is_there("httpx2")):
    pytest.skip("the server is not installed", allow_module_level=True)

from tests.adapters.rest.bench import Web, served

pytestmark = pytest.mark.slow

_TIMES = re.compile(r'(?<="seconds":)[\d.e-]+|(?<="waited":)[\d.e-]+|(?<=, )[\d.]+(?= s\b)')
ASKED = {name: verb for name, verb in all_verbs().items() if name in SERVED}


def asked(web: Web, one: Attempt, *, user_id: str | None) -> str:
    """Make an attempt over HTTP; gives the status and what came back."""
    verb = SERVED[one.verb]
    takes = {parameter.name: parameter for parameter in verb.parameters}
    given = {name: document(value) for name, value in one.arguments.items() if name in takes}
    if user_id is not None and "user_id" in takes:
        given["user_id"] = user_id
    if verb.takes == "lines":
        body = Path(one.arguments["source"]).read_bytes()
        kind = {"Content-Type": "application/x-ndjson"}
        answer = web.post(verb.path, params=_query(given), content=body, headers=kind)
    elif verb.method == "GET":
        answer = web.get(verb.path, params=_query(given))
    else:
        answer = web.post(verb.path, json=given)
    assert answer.status_code < 500, (str(one), answer.text)
    freshness = {name: value for name, value in answer.headers.items() if name.startswith("tensemem-")}
    return f"{answer.status_code} {json.dumps(freshness, sort_keys=True)} {_TIMES.sub('<some>', answer.text)}"


def _query(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}


def told(pair: Pair, tmp_path: Path, *, home: str | None, users: list[str] | None, named: str | None) -> list[str]:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        folder = tmp_path / f"left{abs(hash(world.path))}" / "here"
        folder.mkdir(parents=True, exist_ok=True)
        world.folder = str(folder)
        made = [one for loot in pair.loots for one in attempts(ASKED, loot, folder)]
        options = {"llm": world.told, "clock": Clock(NOON), "namespace": home}
        with Access.open(folder / "keys") as access:
            _, token = access.mint("ian's", "admin", namespaces=["acme"], users=users)
            with served(world.path, access=access, **options) as web:
                web.headers["Authorization"] = f"Bearer {token}"
                return [(str(one), asked(web, one, user_id=named)) for one in made]

    return compare(pair, attempt_all)


def test_a_key_of_one_namespace_reaches_no_other_over_http(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    found = told(pair, tmp_path, home=None, users=None, named=None)
    assert sum(text.startswith("404") for text in found) > 10
    assert sum(text.startswith("200") for text in found) > 50


def test_a_key_of_one_user_reaches_no_other_over_http(tmp_path: Path) -> None:
    victims = [("acme", "vera", "diary"), ("acme", "vera", "")]
    pair = two_worlds(Files(tmp_path), victims=victims, own=("acme", "ian", ""))
    found = told(pair, tmp_path, home="acme", users=["ian"], named="ian")
    assert sum(text.startswith("404") for text in found) > 10
    assert sum(text.startswith("200") for text in found) > 50


def test_naming_another_is_refused_over_http(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("acme", "vera", "")], own=("acme", "ian", ""))
    found = told(pair, tmp_path, home="acme", users=["ian"], named="vera")
    allowed = {text for text in found if not text.startswith(("403", "400"))}
    assert {text.partition(" ")[0] for text in allowed} <= {"200"}
    assert len(allowed) <= 3, "what is registered, and nothing else"

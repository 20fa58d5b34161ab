"""A limited key reaches nobody else: each verb with each thing of theirs in the place of each argument, in two worlds.

The attempts, and the worlds in which they are compared, are those of ``tests/walls``; between the intruder and the
memory stands what a server does with a call: it asks what the key makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Key, authorize
from tests.access.verbs import VERBS
from tests.walls.attempts import Attempt, attempts, outcome
from tests.walls.houses import Files, Pair, two_worlds
from tests.walls.test_walls import all_verbs, compare
from tests.walls.town import World

SERVED = all_verbs(but=("turn", "on", "rekey", "copy_to", "backup"))


def through(key: Key, mem: Any, made: Iterable[Attempt], home: str) -> list[tuple[str, str]]:
    """Make attempts with a key, as a server passes calls on to one memory for all."""

    def call(one: Attempt) -> Any:
        allowed = authorize(key, VERBS[one.verb], one.arguments, home=home)
        return getattr(mem, one.verb)(**allowed.arguments)

    return [(str(one), outcome(lambda one=one: call(one))) for one in made]  # type: ignore[misc]


def told(
    pair: Pair, key: Key, tmp_path: Path, *, pinned: str | None = None, home: str = "default", **always: Any
) -> list[str]:
    def attempt_all(world: World) -> Iterable[tuple[str, str]]:
        folder = tmp_path / f"left{abs(hash(world.path))}" / "here"
        folder.mkdir(parents=True, exist_ok=True)
        world.folder = str(folder)
        made = [one for loot in pair.loots for one in attempts(SERVED, loot, folder, **always)]
        with world.opened(namespace=pinned) as mem:
            return through(key, mem, made, home)

    attempted: Callable[[World], Iterable[tuple[str, str]]] = attempt_all
    return compare(pair, attempted)


def test_a_key_of_one_namespace_tells_no_other_from_one_that_is_not(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    found = told(pair, Key("x", "", "admin", ("acme",)), tmp_path)
    assert sum(text.startswith("UnknownFactError") for text in found) > 20
    assert sum(text.startswith("ForbiddenError") for text in found) < len(found) / 5


def test_it_is_refused_wherever_it_names_another(tmp_path: Path) -> None:
    pair = two_worlds(Files(tmp_path), victims=[("victim", "vera", "")], own=("acme", "ian", ""))
    key = Key("x", "", "admin", ("acme",))
    for name in ("victim", "nowhere"):
        found = told(pair, key, tmp_path, namespace=name)
        assert {text.partition(":")[0] for text in found} == {"ForbiddenError"}


@pytest.mark.parametrize("named", ["ian", None])
def test_a_key_of_one_user_reaches_no_other_of_the_namespace(tmp_path: Path, named: str | None) -> None:
    victims = [("acme", "vera", "diary"), ("acme", "vera", "")]
    pair = two_worlds(Files(tmp_path), victims=victims, own=("acme", "ian", ""))
    always = {} if named is None else {"user_id": named}
    key = Key("x", "", "admin", ("acme",), ("ian",))
    found = told(pair, key, tmp_path, pinned="acme", home="acme", **always)
    if named is None:
        assert sum(text.startswith("ForbiddenError") for text in found) > 100
    else:
        assert sum(text.startswith("UnknownFactError") for text in found) > 20

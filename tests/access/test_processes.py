"""Several processes with one store of keys: one first key, revocations that count at once, and no lost lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access
from tests.access.conftest import World

SOURCE = str(Path(__file__).resolve().parents[2] / "src")

FIRST = """
import json, sys
from tensemem.access import Access
sys.stdin.readline()
with Access.open(sys.argv[1]) as access:
    made = access.first_key()
    print(json.dumps(None if made is None else made[1]))
"""

MINTS = """
import sys
from tensemem.access import Access
sys.stdin.readline()
with Access.open(sys.argv[1]) as access:
    for number in range(5):
        key, token = access.mint(f"{sys.argv[2]} {number}")
        if number % 2:
            access.revoke(key.id)
"""

REVOKES = """
import sys
from tensemem.access import Access
with Access.open(sys.argv[1], make=False) as access:
    for key in access.keys():
        access.revoke(key.id)
"""


def started(code: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=environment,
    )  # fmt: skip


def ended(running: list[subprocess.Popen[str]]) -> list[str]:
    """Let all begin at once, and give what they printed."""
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    printed = [one.communicate()[0] for one in running]
    assert [one.returncode for one in running] == [0] * len(running)
    return printed


def test_of_many_that_start_at_once_one_mints_the_first_key(place: Path, world: World) -> None:
    tokens = [json.loads(line) for line in ended([started(FIRST, str(place)) for _ in range(4)])]
    made = [token for token in tokens if token is not None]
    assert len(made) == 1
    with Access.open(place, make=False) as access:
        key = access.check(made[0])
        assert key is not None
        assert access.keys() == (key,)
        assert len(access.acts()) == 1


def test_what_many_mint_and_revoke_at_once_is_all_there(place: Path) -> None:
    ended([started(MINTS, str(place), str(number)) for number in range(3)])
    with Access.open(place, make=False) as access:
        found = access.keys()
        assert len(found) == 15
        assert sum(key.revoked_at is not None for key in found) == 6
        assert [act.seq for act in access.acts()] == list(range(1, 22))


def test_what_another_process_revokes_is_closed_with_the_next_request(access: Access, place: Path) -> None:
    tokens = [access.mint()[1] for _ in range(3)]
    assert all(access.check(token) for token in tokens)
    ended([started(REVOKES, str(place))])
    assert [access.glance(token).key for token in tokens] == [None] * 3
    assert all(access.glance(token).is_sure for token in tokens)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_has_a_connection_of_its_own(access: Access) -> None:
    key, token = access.mint()
    assert access.check(token) == key
    child = os.fork()
    if not child:
        done = 1
        try:
            done = 0 if access.check(token) == key and access.revoke(key.id).revoked_at else 2
        finally:
            os._exit(done)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert access.check(token) is None
    assert access.mint()


def test_who_looks_waits_for_nobody_who_writes(access: Access, world: World, place: Path) -> None:
    key, token = access.mint()
    assert access.check(token) == key
    with world.open(place) as other, other._rows.begin(write=True) as tx:
        row: Any = tx.find(key.id)
        tx.revoke(key.id, row.created_at)
        assert access.glance(token).key == key  # not committed
    assert access.glance(token).key is None

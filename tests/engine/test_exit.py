"""What the end of a program leaves: one file that stands alone, whether or not the program closed it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tensemem import Memory

pytestmark = pytest.mark.of_files

SOURCE = Path(__file__).resolve().parents[2] / "src"
PROGRAM = """
import asyncio, sys
sys.path.insert(0, {source!r})
from tensemem import AsyncMemory, FakeExtractor, Memory

{body}
"""
LEFT_OPEN = """
mem = Memory({path!r}, llm=FakeExtractor())
mem.register_predicate("lives_in")
mem.add("u1", "I live in Delhi", wait=True)
"""
LEFT_OPEN_AWAITED = """
async def main():
    mem = AsyncMemory({path!r}, llm=FakeExtractor())
    await mem.register_predicate("lives_in")
    await mem.add("u1", "I live in Delhi", wait=True)

asyncio.run(main())
"""
LET_GO_OF = """
def main():
    mem = Memory({path!r}, llm=FakeExtractor())
    mem.register_predicate("lives_in")
    mem.add("u1", "I live in Delhi", wait=True)

main()
"""
IN_A_HURRY = """
def slow(request):
    import threading
    threading.Event().wait(60)

mem = Memory({path!r}, llm=slow)
mem.register_predicate("lives_in")
mem.set("u1", "lives_in", "Delhi")
mem.add("u1", "I live in Delhi")
"""
FORKED = """
import os
mem = Memory({path!r}, llm=FakeExtractor())
mem.register_predicate("lives_in")
if os.fork() == 0:
    sys.exit(0)
os.wait()
mem.add("u1", "I live in Delhi", wait=True)
"""


def run(body: str, path: Path) -> None:
    program = PROGRAM.format(source=str(SOURCE), body=body.format(path=str(path)))
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", program], capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("body", [LEFT_OPEN, LET_GO_OF, LEFT_OPEN_AWAITED, IN_A_HURRY])
def test_a_program_that_closes_nothing_leaves_one_file(tmp_path: Path, body: str) -> None:
    path = tmp_path / "m.db"
    run(body, path)
    assert [each.name for each in tmp_path.iterdir()] == ["m.db"]
    with Memory(path) as mem:
        assert mem.get("u1", "lives_in") == "Delhi"


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_that_ends_leaves_its_parents_memory_open(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    run(FORKED, path)
    with Memory(path) as mem:
        assert mem.get("u1", "lives_in") == "Delhi"

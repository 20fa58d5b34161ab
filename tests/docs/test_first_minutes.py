"""A new user with nothing but the README: its commands as they stand there, on what `make demo` leaves."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.docs.pages import PROJECT

pytest.importorskip("starlette")
pytest.importorskip("mcp")

README = (PROJECT / "README.md").read_text(encoding="utf-8")
MADE = "tensemem demo --keep demo.db"


def blocks(heading: str) -> list[str]:
    """The shell blocks of one section of the README."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


@pytest.fixture(scope="module")
def studio_mcp_curl() -> list[str]:
    found = blocks("See it")
    assert len(found) == 3
    return found


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a clone is after `make demo`: its environment is this one."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / ".venv" / "bin").mkdir(parents=True)
    for name, command in (("python", f"exec '{sys.executable}'"), ("tensemem", f"exec '{sys.executable}' -m tensemem")):
        (folder / ".venv" / "bin" / name).write_text(f'#!/bin/sh\n{command} "$@"\n', encoding="utf-8")
        (folder / ".venv" / "bin" / name).chmod(0o755)
    (folder / "examples").symlink_to(PROJECT / "examples")
    made = run(folder, f".venv/bin/{MADE}")
    assert "Every outcome was checked" in made.stdout
    return folder


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TENSEMEM_")}
    return {**kept, "PYTHONPATH": str(PROJECT / "src"), "PYTHONUNBUFFERED": "1"}


def run(folder: Path, commands: str) -> subprocess.CompletedProcess[str]:
    """Run commands as somebody's shell does, job control included; each of them has to succeed."""
    return subprocess.run(
        ["bash", "-c", f"set -em\n{commands}"], cwd=folder, env=environment(), capture_output=True, text=True,
        check=True, timeout=300,
    )  # fmt: skip


@pytest.fixture
def free_port() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return str(taken.getsockname()[1])


def test_make_demo_leaves_what_the_next_commands_need(studio_mcp_curl: list[str]) -> None:
    assert blocks("On a new machine")[0].splitlines()[0].startswith("make demo ")
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    assert f"tensemem\" {MADE.partition(' ')[2]}" in makefile
    assert "-e '.[server,mcp]'" in makefile
    for command in (".venv/bin/tensemem --db demo.db studio", ".venv/bin/python examples/mcp_client.py"):
        assert any(command in block for block in studio_mcp_curl)
        assert command.replace(".venv/bin", "$(BIN)") in makefile


def test_the_studio_opens_on_the_memory(clone: Path, studio_mcp_curl: list[str]) -> None:
    command = studio_mcp_curl[0].strip()
    line = ["bash", "-c", f"exec {command} --no-browser"]
    with subprocess.Popen(
        line, cwd=clone, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            page, _, token = process.stdout.readline().strip().partition("#token=")
            with urllib.request.urlopen(page, timeout=60) as answer:
                assert b"<!doctype html>" in answer.read().lower()
            asked = urllib.request.Request(f"{page.partition('/studio')[0]}/v1/scopes")
            asked.add_header("Authorization", f"Bearer {token}")
            with urllib.request.urlopen(asked, timeout=60) as answer:
                found = answer.read().decode()
            assert all(f'"{user}"' in found for user in ("alice", "bob", "carla"))
        finally:
            process.send_signal(signal.SIGINT)
        process.wait(60)


def test_an_mcp_client_lists_tools(clone: Path, studio_mcp_curl: list[str]) -> None:
    told = run(clone, studio_mcp_curl[1]).stdout
    assert "memory_get" in told
    assert "lives_in: Delhi" in told
    assert '"--user=alice"' in told


def test_curl_reads_state(clone: Path, studio_mcp_curl: list[str], free_port: str) -> None:
    commands = studio_mcp_curl[2]
    assert commands.count("7340") == 1
    elsewhere = commands.replace("7340", free_port).replace(" serve &", f" serve --port {free_port} &")
    assert '"lives_in": "Delhi"' in run(clone, elsewhere).stdout.replace('":"', '": "')

"""What runs in the containers, run here: the database is prepared, the server serves as its role, and is healthy."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.adapters.rest.bench import SOURCE, TOKEN, server
from tests.containers.dockerfile import instructions
from tests.docs.pages import PROJECT
from tests.servers.shared import needed

psycopg = pytest.importorskip("psycopg")

PREPARE, HEALTHY = PROJECT / "containers" / "prepare.py", PROJECT / "containers" / "healthy.py"
ROLE = "tensemem_service"


def ran(script: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), **settings}
    return subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def owner() -> Iterator[str]:
    """The address of a new database, as the one who is to own the tables; the role is gone in the end."""
    url = needed("18").create_database()
    try:
        yield url
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
                connection.execute(f"DROP OWNED BY {ROLE}; DROP ROLE {ROLE}")


def one(url: str, question: str) -> Any:
    with psycopg.connect(url) as connection:
        row = connection.execute(question).fetchone()
    return row[0]


def test_the_server_serves_as_a_role_that_owns_nothing_and_is_healthy_until_it_ends(owner: str, tmp_path: Path) -> None:
    for password in ("first", "second"):  # once more changes nothing but the password
        done = ran(PREPARE, TENSEMEM_DB=owner, TENSEMEM_SERVICE_PASSWORD=password)
        assert done.returncode == 0, done.stderr
    kept = one(owner, f"SELECT rolpassword FROM pg_authid WHERE rolname = '{ROLE}'")
    assert kept.startswith("SCRAM-SHA-256$")
    assert "second" not in kept

    service = re.sub(r"//[^@]*@", f"//{ROLE}@", owner)
    assert one(service, "SELECT current_user") == ROLE
    command = ("--host", "0.0.0.0", "--insecure-no-tls", "--access", str(tmp_path / "keys.db"))
    with server(service, *command) as running:  # type: ignore[arg-type]
        port = str(running.port)
        assert ran(HEALTHY, TENSEMEM_HEALTH_PORT=port).returncode == 0
        headers = {"authorization": f"Bearer {TOKEN}"}
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}/v1", headers=headers, timeout=60) as web:
            assert web.post("/register_predicate", json={"name": "lives_in"}).status_code == 200
            said = {"user_id": "ann", "predicate": "lives_in", "value": "Delhi"}
            assert web.post("/set", json=said).status_code == 200
            assert web.get("/state?user_id=ann").json()["values"] == {"lives_in": "Delhi"}
        assert running.end(signal.SIGTERM) == 0
    away = ran(HEALTHY, TENSEMEM_HEALTH_PORT=port)
    assert (away.returncode, away.stderr.partition(":")[0]) == (1, "nobody answers")
    assert one(owner, f"SELECT count(*) FROM pg_class WHERE relowner = '{ROLE}'::regrole") == 0
    assert one(owner, "SELECT count(*) FROM tensemem.entries") == 2


def test_preparing_says_what_it_lacks() -> None:
    done = ran(PREPARE, TENSEMEM_DB="", TENSEMEM_SERVICE_PASSWORD="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "say TENSEMEM_DB and TENSEMEM_SERVICE_PASSWORD in the environment\n"


@pytest.mark.slow
def test_what_the_image_installs_is_enough_to_serve(tmp_path: Path) -> None:
    (install,) = (one.text for one in instructions(PROJECT / "Dockerfile") if one.name == "RUN" and "pip" in one.text)
    arguments = install.partition("/bin/pip ")[2].replace('"', "").split()
    venv.create(tmp_path / "venv", with_pip=True)
    commands = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([commands / "python", "-m", "pip", "--quiet", *arguments], cwd=PROJECT, check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for words in (["--version"], ["serve", "--help"], ["mcp", "--help"]):
        subprocess.run([commands / "tensemem", *words], cwd=tmp_path, env=environment, check=True, capture_output=True)
    needs = "import starlette, uvicorn, httptools, psycopg, apsw, mcp"
    subprocess.run([commands / "python", "-c", needs], cwd=tmp_path, env=environment, check=True)

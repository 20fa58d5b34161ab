"""The page on PostgreSQL is run too, on a server of the tests in the place of the one it speaks of."""

from __future__ import annotations

import contextlib
import io
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from click.testing import CliRunner

from tensemem import Memory, errors
from tensemem.adapters.cli import program
from tensemem.store.postgres.steps import VERSION
from tests.docs.pages import DOCS, blocks_of
from tests.servers import needed

psycopg = pytest.importorskip("psycopg")

PAGE = DOCS / "how-to" / "postgresql-for-fleets.md"
GRANTED = "tensemem schema --grants tensemem --namespace tenant-a | psql postgresql://tensemem_owner@x"
ROLES = ("tensemem_owner", "tensemem", "app_a")


@dataclass
class Place:
    """The database of the page, as it is here."""

    admin: str

    def here(self, text: str) -> str:
        """Give a text of the page with the addresses of this server."""
        server, _, name = self.admin.partition("postgres@")[2].partition("/")
        return text.replace("@db.example/agents", f"@{server}/{name}")

    def run(self, user: str, sql: str) -> None:
        with psycopg.connect(self.admin, user=user, autocommit=True) as connection:
            connection.execute(sql)


@pytest.fixture
def place() -> Iterator[Place]:
    found = Place(needed("18").create_database())
    for role in ROLES:
        found.run("postgres", f"CREATE ROLE {role} LOGIN NOBYPASSRLS")
    found.run("postgres", f"ALTER DATABASE {found.admin.rpartition('/')[2]} OWNER TO tensemem_owner")
    yield found
    found.run("postgres", f"ALTER DATABASE {found.admin.rpartition('/')[2]} OWNER TO postgres")
    for role in ROLES:
        found.run("postgres", f"DROP OWNED BY {role} CASCADE; DROP ROLE {role}")


def test_what_the_page_tells_to_do_works_and_gives_what_it_says(place: Place) -> None:
    scope: dict[str, Any] = {"Memory": Memory}
    printed: list[str] = []
    blocks = [block for block in blocks_of(PAGE) if block.language in ("py", "sh")]
    connect, *rest = [block for block in blocks if "pip install" not in block.text]
    for block in [*rest, connect]:  # the page shows how to connect before there is anything to connect to
        text = place.here(block.text)
        if block is connect:
            _command(place, GRANTED)
        if block.language == "sh":
            printed += [_command(place, line) for line in text.splitlines()]
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            try:
                exec(compile(text, str(PAGE), "exec"), scope)
            except errors.StoreError as error:
                print("refused:", error)
        printed.append(output.getvalue())
    for name in ("mem", "a", "b"):
        scope[name].close()
    dry, done, _, pune, walled, _ = printed
    assert f"schema version 0 of {VERSION}\n  step 1: the tables" in dry
    assert "ran step 1" in done
    assert pune == "Pune\n"
    assert walled.startswith("{}\nrefused: ")
    assert "does not allow this role" in walled


def _command(place: Place, line: str) -> str:
    """Run a command; what is piped to psql is run by whom its address names."""
    command, _, psql = line.partition("|")
    ran = CliRunner().invoke(program, shlex.split(command)[1:], catch_exceptions=False, prog_name="tensemem")
    assert ran.exit_code == 0, ran
    if psql:
        place.run(psql.partition("://")[2].partition("@")[0], ran.stdout)
    return ran.stdout

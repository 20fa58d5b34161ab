"""The files for containers: that an image would be made of what is here, runs as nobody, and holds no secret."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import click
import pytest

from tensemem.adapters.cli import program
from tests.containers.dockerfile import Instruction, instructions, is_ignored
from tests.docs.pages import PROJECT

SECRET = re.compile(r"PASSWORD|TOKEN|KEY|SECRET")
FROM_ENVIRONMENT = re.compile(r"\$\{[A-Z_]+:\?[^}]+\}")


@pytest.fixture(scope="module")
def image() -> list[Instruction]:
    return instructions(PROJECT / "Dockerfile")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return found


def last(image: list[Instruction], name: str) -> Instruction:
    return [one for one in image if one.name == name and one.stage == 2][-1]


def checked(words: list[str]) -> None:
    """Have the command line read a command; raises click's errors for what it does not know."""
    command = program.commands[words[0]]
    with click.Context(program) as above:
        command.make_context(words[0], list(words[1:]), parent=above)


def test_an_image_is_made_in_two_stages_of_a_python_that_will_do(image: list[Instruction]) -> None:
    base = "python:${PYTHON}-slim"
    assert [one.text for one in image if one.name == "FROM"] == [f"{base} AS build", base]
    version = next(one.text for one in image if one.name == "ARG").removeprefix("PYTHON=")
    about = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Programming Language :: Python :: {version}" in about["classifiers"]
    (extras,) = re.findall(r'"\.\[([a-z,]+)\]"', " ".join(one.text for one in image if one.name == "RUN"))
    assert set(extras.split(",")) <= set(about["optional-dependencies"])
    assert {"server", "postgres"} <= set(extras.split(","))


def test_it_is_made_of_what_is_here_and_not_ignored(image: list[Instruction]) -> None:
    lines = (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and line[0] != "#"]
    copying = [one.text.split() for one in image if one.name == "COPY" and "--from" not in one.text]
    copied = [name for words in copying for name in words[:-1]]
    assert copied
    for name in copied:
        assert (PROJECT / name).exists(), name
        assert not is_ignored(name, rules), name
    for name in (".git/config", ".env", "memory.db", ".venv/bin/python", "tests/a.py", "src/a/__pycache__/b.pyc"):
        assert is_ignored(name, rules), name
    assert not is_ignored("src/tensemem/store/sqlite/schema.sql", rules)


def test_it_runs_as_nobody_and_is_told_to_end_by_a_signal_that_reaches_it(image: list[Instruction]) -> None:
    user, _, group = last(image, "USER").text.partition(":")
    assert min(int(user), int(group)) >= 10_000
    assert last(image, "STOPSIGNAL").text == "SIGTERM"
    assert last(image, "ENTRYPOINT").words == ["tensemem"]
    assert last(image, "VOLUME").text == "/data"
    checked(last(image, "CMD").words)
    health = last(image, "HEALTHCHECK").text
    (script,) = Instruction("CMD", health.partition("CMD ")[2], 2).words[1:]
    assert (PROJECT / "containers" / script.rpartition("/")[2]).exists()


def test_no_secret_is_in_an_image_or_in_the_file_for_compose(
    image: list[Instruction], services: dict[str, Any]
) -> None:
    assert not [one.text for one in image if one.name in ("ENV", "ARG") and SECRET.search(one.text)]
    given = {
        (name, variable): value
        for name, service in services.items()
        for variable, value in service["environment"].items()
    }
    secrets = {place: value for place, value in given.items() if SECRET.search(place[1])}
    assert len(secrets) == 5
    assert all(FROM_ENVIRONMENT.fullmatch(value) for value in secrets.values()), secrets
    assert not any(re.search(r"//[^@/]*:[^@/]*@", value) for value in given.values())
    ignored = (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert ".env" in ignored


def test_the_server_waits_for_its_database_and_can_change_nothing_but_its_volume(services: dict[str, Any]) -> None:
    pytest.importorskip("psycopg")
    from containers.prepare import ROLE
    from tensemem.adapters.rest.running import ENDING_SECONDS

    server, prepare = services["server"], services["prepare"]
    assert server["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}
    assert prepare["depends_on"]["database"] == {"condition": "service_healthy"}
    assert services["database"]["healthcheck"]["test"][0] == "CMD"
    assert server["environment"]["TENSEMEM_DB"].startswith(f"postgresql://{ROLE}@database/")
    owner = services["database"]["environment"]["POSTGRES_USER"]
    assert prepare["environment"]["TENSEMEM_DB"].startswith(f"postgresql://{owner}@database/")
    for service in (server, prepare):
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])
    assert int(server["stop_grace_period"].removesuffix("s")) > ENDING_SECONDS
    checked(server["command"])

"""Which kinds of store are left out where what they need is not here, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.servers import kind_of
from tests.store import missing
from tests.store.every_kind import KINDS


@pytest.fixture(autouse=True)
def _no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "kind_of", lambda name: replace(kind_of(name), package="", folder="/no/such/folder"))


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_server_that_is_not_here_is_left_out_but_where_it_is_demanded(
    ci: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(missing, "is_there", lambda _: True)
    said = {}
    for kind in KINDS:
        assert missing.main(kind.name) == 0
        said[kind.name] = capsys.readouterr().out
    assert {name for name, text in said.items() if text} == (
        {"postgres15"} if ci else {"postgres15", "postgres18", "sealed18"}
    )
    assert said["postgres15"] == "Debian brings PostgreSQL 15"


def test_a_module_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "")
    monkeypatch.setattr(missing, "is_there", lambda _: False)
    assert missing.main("encrypted") == 0
    assert capsys.readouterr().out == "apsw-sqlite3mc is not installed"


def test_a_name_that_no_kind_has_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert missing.main("postgres") == 2
    assert "take some of plain, memory" in capsys.readouterr().err

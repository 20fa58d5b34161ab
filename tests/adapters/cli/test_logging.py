"""--log-level and --log-json: what the library logs goes to standard error, and nowhere unless asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensemem import logs


def test_nothing_is_logged_unless_asked_for(cli: Any) -> None:
    cli.ok("register", "lives_in")
    assert "opened" not in cli.ok("stats").err


def test_lines_of_json_go_to_standard_error(cli: Any) -> None:
    cli.ok("register", "lives_in")
    ran = cli.ok("--log-json", "stats")
    (line,) = [json.loads(line) for line in ran.err.splitlines() if line.startswith("{")]
    assert (line["event"], line["level"], line["location"]) == ("opened", "info", str(cli.db))
    assert "tensemem opened" not in ran.out


def test_the_level_is_that_of_the_option_or_of_the_environment(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.ok("register", "lives_in")
    assert "opened" not in cli.ok("--log-level", "warning", "stats").err
    monkeypatch.setenv(logs.LEVEL, "info")
    assert "INFO tensemem.store: tensemem opened" in cli.ok("stats").err
    monkeypatch.setenv(logs.LEVEL, "loud")
    assert cli("stats").code == 2


def test_a_worker_that_logs_says_what_failed_once(cli: Any) -> None:
    cli.ok("register", "lives_in")
    cli.ok("add", "ann", "I live in Xanadu")
    ran = cli("--log-level", "info", "worker", "--once", "--llm", "math:sqrt")
    assert ran.code == 4
    assert ran.err.count("message 1 was not extracted") == 1
    assert "Xanadu" not in ran.err

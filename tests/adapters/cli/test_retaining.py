"""The commands about how long what is kept: retain, and purge --due."""

from __future__ import annotations

from typing import Any

import pytest


def test_what_is_said_is_shown_and_stands_until_something_else_is_said(seeded: Any) -> None:
    assert seeded.ok("retain").out == "texts: kept for ever\n"
    said = seeded.ok("retain", "--texts", "90d", "--keep-quotes", "--facts", "city=1y", "--facts", "*=forever")
    assert said.out.splitlines()[:3] == [
        "texts: kept for 90 days, facts keep their quotes", "*: kept for ever after a value ended",
        "lives_in: kept for 365 days after a value ended",
    ]  # fmt: skip
    assert seeded.ok("retain").out == said.out
    shown = seeded.ok("retain", "--json").json
    assert (shown["texts"], shown["facts"]) == ("P90D", {"*": None, "lives_in": "P365D"})
    assert seeded.ok("retain", "--off").out == "texts: kept for ever\n"
    assert "retention" in seeded.ok("stats").out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--off", "--texts", "1d"), 2), (("--facts", "lives_in"), 2), (("--facts", "=1y"), 2),
        (("--texts", "soon"), 3), (("--facts", "lair=1y"), 3), (("--keep-quotes",), 3),
    ],
)  # fmt: skip
def test_what_says_nothing_is_refused(seeded: Any, words: tuple[str, ...], code: int) -> None:
    assert seeded("retain", *words).code == code
    assert seeded.ok("retain").out == "texts: kept for ever\n"


def test_what_is_due_goes_when_told_so_and_nothing_is_asked(seeded: Any) -> None:
    assert seeded.ok("purge", "--due").out == "texts: kept for ever\n"
    seeded.ok("retain", "--facts", "lives_in=30d")
    done = seeded.ok("purge", "--due")
    assert "last run: ended 2026-06-01 12:00, 1 scope, 0 texts and 1 value removed" in done.out
    left = seeded.ok("history", "alice", "lives_in", "--json").json["facts"]
    assert [fact["value"] for fact in left] == ["Bangalore"]
    assert seeded.ok("purge", "--due", "--json").json["last_run"]["facts"] == 0


@pytest.mark.parametrize("more", [("2026-01-01",), ("--user", "alice"), ("--keep-quotes",)])
def test_what_is_due_is_nothing_else(seeded: Any, more: tuple[str, ...]) -> None:
    ran = seeded("purge", "--due", *more)
    assert ran.code == 2
    assert "--due does what 'tensemem retain' says" in ran.err
    assert seeded("purge").code == 2

"""Lists that a limit cut say so, and say what goes on; followed to the end they give everything once."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import click
import pytest

from tensemem.adapters.cli import program


@pytest.fixture
def many(seeded: Any) -> Any:
    for number in range(5):
        seeded.ok("add", "alice", f"I like Delhi, number {number}")
        seeded.ok("add", f"user {number}", "hello", "--agent", f"agent {number}")
        seeded.ok("set", "alice", "lives_in", f"Delhi {number}", "--said-at", f"2026-04-0{number + 1}")
    return seeded


LISTS = {
    "history": (("history", "alice", "lives_in"), "facts", "--after"),
    "search": (("search", "alice", "Delhi"), "hits", "--after"),
    "messages": (("messages", "alice"), "messages", "--before"),
    "changes": (("changes", "alice"), "changes", ""),
    "jobs": (("jobs",), "jobs", "--after"),
    "scopes": (("scopes",), "scopes", "--after"),
    "audit": (("keys", "audit", "--after", "0"), "acts", "--after"),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_was_cut_is_followed_to_its_end(many: Any, name: str) -> None:
    arguments, field, option = LISTS[name]
    if name == "audit":
        _mint(many)
    whole = many.ok(*arguments, "--json", "--limit", "1000")
    assert "there may be more" not in whole.err
    assert name == "audit" or whole.json["next"] is None
    found: list[str] = []
    asked = [*arguments, "--json", "--limit", "2"]
    for _ in range(40):
        ran = many.ok(*asked) if name != "search" else many(*asked)
        page = [json.dumps(one, sort_keys=True) for one in ran.json[field]]
        found = [*page, *found] if option == "--before" else [*found, *page]
        told = re.search(r"there may be more than 2: (.*) goes on, a larger --limit", ran.err)
        assert (told is None) == (len(page) < 2)
        if told is None:
            break
        words = shlex.split(told[1])
        asked = shlex.split(words[0])[1:] if name == "changes" else [*arguments, *words]
        if name == "changes":
            asked = ["changes", "alice", asked[-1]]
        asked += ["--json", "--limit", "2"]
    assert found == [json.dumps(one, sort_keys=True) for one in whole.json[field]]


def _mint(cli: Any) -> None:
    for label in ("first", "second", "third"):
        cli.ok("keys", "mint", "--label", label)


def test_questions_and_the_newest_acts_say_that_there_are_more(many: Any) -> None:
    for city in ("Rome", "Goa"):
        operation = {"op": "set", "predicate": "lives_in", "value": city, "modality": "reported"}
        many.ok("write", "alice", "--op", json.dumps(operation))
    ran = many.ok("questions", "alice", "--limit", "1")
    assert "there may be more than 1: a larger --limit shows more at once" in ran.err
    _mint(many)
    newest = many("keys", "audit", "--limit", "1").err
    assert "there may be more than 1: --after 0 begins with the oldest, a larger" in newest
    assert "there may be more" not in many("keys", "audit").err


def test_every_command_with_a_limit_of_a_list_is_looked_at() -> None:
    limited = {name for name, one in _leaves(program) if any(p.name == "limit" for p in one.params)}
    others = {"try", "bench", "reextract"}  # which are told of how many messages to look at
    assert limited == {*LISTS, "questions"} | others


def _leaves(group: click.Group) -> Any:
    for name, one in group.commands.items():
        yield from _leaves(one) if isinstance(one, click.Group) and name != "mcp" else [(name, one)]

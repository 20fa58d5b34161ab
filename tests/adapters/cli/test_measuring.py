"""`bench`: what it prints for people and for programs, and what it exits with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem.adapters.cli import exits, measuring
from tensemem.adapters.cli.scores import percent
from tensemem.bench import FIGURES
from tensemem.bench.subject import Subject

from .conftest import Cli

TALK: dict[str, Any] = {
    "id": "a",
    "category": "moves",
    "language": "en",
    "predicates": {"lives_in": {"question": "Where do I live?"}},
    "steps": [
        {"say": "I live in Graz.", "at": "2026-03-01T09:00:00Z", "proposes": [
            {"op": "set", "predicate": "lives_in", "value": "Graz", "quote": "I live in Graz"}]},
        {"say": "I moved to Linz.", "at": "2026-03-02T09:00:00Z", "proposes": [
            {"op": "set", "predicate": "lives_in", "value": "Linz", "quote": "I moved to Linz"}]},
        {"ask": [{"current": "lives_in", "is": "Linz", "stale": ["Graz"]}], "at": "2026-03-03T09:00:00Z"},
    ],
}  # fmt: skip
WRONG = {**TALK, "id": "b", "category": "wrong", "steps": [
    *TALK["steps"][:2], {"ask": [{"current": "lives_in", "is": "Wien"}], "at": "2026-03-03T09:00:00Z"},
]}  # fmt: skip


@pytest.fixture
def talks(tmp_path: Path) -> str:
    path = tmp_path / "talks.jsonl"
    path.write_text("".join(f"{json.dumps(item)}\n" for item in (TALK, WRONG)), encoding="utf-8")
    return str(path)


def test_a_table_tells_at_a_glance_who_is_safe_to_act_on(cli: Cli, talks: str) -> None:
    ran = cli.bare("bench", "--path", talks, "--category", "moves")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "1 conversation in 1 category; proposals: scripted; written, one by one, waited for"
    assert lines[1].split()[:4] == ["system", "safe", "to", "act"]
    cells = {line[:28].strip(): line[28:].split() for line in lines[2:6]}
    assert cells["tensemem"][:4] == ["yes", "100%", "0%", "100%"]
    assert cells["whole transcript"][:4] == ["no", "100%*", "100%*", "100%*"]
    assert cells["last-write-wins key-value"][:4] == ["no", "100%", "0%", "33%*"]
    assert any(line.startswith("  * right now of whole transcript, token-overlap retrieval: ") for line in lines)
    assert lines[-1] == "tensemem: no wrong answer"


def test_wrong_answers_are_counted_and_shown_when_asked_for(cli: Cli, talks: str) -> None:
    ran = cli.bare("bench", "--path", talks)
    assert ran.code == exits.DONE
    assert ran.out.splitlines()[-1] == "tensemem: 1 wrong answer; --show-failures lists them"
    shown = cli.bare("bench", "--path", talks, "--show-failures").out.splitlines()
    assert shown[-4] == "tensemem: 1 wrong answer"
    assert shown[-3] == f"b ({talks}:2): lives_in of user"
    assert shown[-2] == "  expected Wien"
    assert shown[-1] == "  given    Linz"


def test_require_makes_a_wrong_answer_an_exit_code(cli: Cli, talks: str) -> None:
    assert cli.bare("bench", "--path", talks, "--require").code == exits.NO
    assert cli.bare("bench", "--path", talks, "--require", "--category", "moves").code == exits.DONE


def test_json_has_every_figure_by_system_and_category(cli: Cli, talks: str) -> None:
    document = cli.bare("bench", "--path", talks, "--json").json
    assert document["cases"] == 2
    assert set(document["systems"]) == {
        "tensemem",
        "whole transcript",
        "token-overlap retrieval",
        "last-write-wins key-value",
    }
    for system in document["systems"].values():
        assert {"cases", "by_category", "notes", "asked", *FIGURES} <= set(system)
        assert set(system["by_category"]) == {"moves", "wrong"}
    own = document["systems"]["tensemem"]
    assert (own["current_state_accuracy"], own["by_category"]["moves"]["current_state_accuracy"]) == (0.5, 1.0)
    assert own["history_accuracy"] is None
    assert [failure["conversation"] for failure in document["failures"]] == ["b"]
    assert "manners" not in document


def test_every_manner_is_played_and_compared(cli: Cli, talks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = cli.bare("bench", "--path", talks, "--category", "moves", "--every-manner", "--require")
    assert ran.code == exits.DONE
    lines = ran.out.splitlines()
    assert lines[-9] == "tensemem has the same figures in 8 manners:"
    assert lines[-1] == "  shuffled, in bursts, not waited for: no wrong answer"
    monkeypatch.setattr("tensemem.bench.same_figures", lambda reports: False)
    ran = cli.bare("bench", "--path", talks, "--category", "moves", "--every-manner", "--require", "--json")
    assert (ran.code, ran.json["same_in_every_manner"], len(ran.json["manners"])) == (exits.NO, False, 8)


def test_the_manner_is_chosen(cli: Cli, talks: str) -> None:
    ran = cli.bare("bench", "--path", talks, "--order", "shuffled", "--burst", "--no-wait", "--seed", "7", "--json")
    assert ran.json["manner"] == "shuffled, in bursts, not waited for"


def test_categories_are_shown_when_asked_for(cli: Cli, talks: str) -> None:
    lines = cli.bare("bench", "--path", talks, "--by-category").out.splitlines()
    assert "moves (1)" in lines
    assert "wrong (1)" in lines
    assert lines[lines.index("wrong (1)") + 2].split()[:2] == ["tensemem", "0%"]


@pytest.mark.parametrize("name", ["fake", "mine:propose"])
def test_an_extractor_is_taken_by_name(cli: Cli, talks: str, name: str) -> None:
    code = "import tensemem\npropose = tensemem.FakeExtractor()\n"
    Path("mine.py").write_text(code, encoding="utf-8")
    document = cli.bare("bench", "--path", talks, "--category", "moves", "--extractor", name, "--json").json
    assert document["extractor"] == "fake"
    assert document["systems"]["tensemem"]["current_state_accuracy"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["--extractor", "nobody:model-1"], exits.EXTRACTOR_FAILED, "no provider is named 'nobody'"),
        (["--extractor", "false"], exits.USAGE, "there is nothing to measure where nobody extracts"),
        (["--category", "cats"], exits.REFUSED, "there is no category 'cats'; there are moves, wrong"),
        (["--limit", "0"], exits.USAGE, "--limit"),
        (["--path", "nowhere.jsonl"], exits.REFUSED, "nowhere.jsonl"),
        (["--path", "odd.jsonl"], exits.REFUSED, "odd.jsonl:1: this is no JSON"),
    ],
)
def test_what_can_not_be_done_is_told(cli: Cli, talks: str, arguments: list[str], code: int, complaint: str) -> None:
    Path("odd.jsonl").write_text("nonsense\n", encoding="utf-8")
    ran = cli.bare("bench", "--path", talks, *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert complaint in ran.err


def test_the_packaged_set_is_played_without_a_file(cli: Cli) -> None:
    ran = cli("bench", "--limit", "3", "--require")
    assert ran.code == exits.DONE
    assert ran.out.startswith("3 conversations in 1 category")
    assert not cli.db.exists()


def test_progress_is_shown_where_a_person_looks_and_wiped_in_the_end(
    cli: Cli, talks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.bare("bench", "--path", talks).err == ""
    monkeypatch.setattr(measuring, "is_terminal", lambda stream: True)
    shown = cli.bare("bench", "--path", talks).err.split("\r")
    assert shown[1:3] == ["played 0 of 2 ", "played 1 of 2 "]
    assert (shown[-2].strip(), shown[-1]) == ("", "")
    failed = cli.bare("bench", "--path", talks, "--extractor", "fake", "--category", "cats").err.split("\r")
    assert failed[-1].startswith("tensemem: there is no category")


def test_only_this_command_loads_the_bench() -> None:
    loaded = "import sys, tensemem.adapters.cli; sys.exit('tensemem.bench' in sys.modules)"
    source = Path(measuring.__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", loaded], cwd=source, timeout=60, check=False).returncode == 0


def test_many_wrong_answers_are_cut_for_people(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Subject, "claims_current", False)
    document = cli.bare("bench", "--limit", "30", "--json").json
    lines = cli.bare("bench", "--limit", "30", "--show-failures").out.splitlines()
    assert lines[-1] == f"and {len(document['failures']) - 20} more; --json gives all"
    assert len([line for line in lines if line == "  expected current"]) == 20


def test_a_rebuild_that_differs_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def differs(self: Subject) -> None:
        self.rebuilds += 1

    monkeypatch.setattr(Subject, "rebuild", differs)
    ran = cli.bare("bench", "--category", "corrections", "--limit", "1", "--require")
    assert (ran.code, ran.out.splitlines()[-1]) == (exits.NO, "1 of 1 rebuilds gave something else")


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0%"), (1.0, "100%"), (0.5, "50%"), (0.9996, "99.9%"), (0.996, "99.6%"), (0.0002, "0.1%"), (0.994, "99%")],
)
def test_only_what_is_whole_is_told_as_nothing_or_all(share: float, shown: str) -> None:
    assert percent(share) == shown

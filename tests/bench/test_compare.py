"""The cases of the comparison have one right answer each, and this project gives it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

COMPARE = Path(__file__).resolve().parents[2] / "bench" / "compare"
pytestmark = pytest.mark.skipif(not COMPARE.is_dir(), reason="the comparison is not part of the source distribution")


def loaded(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of the comparison, which is no package."""
    from importlib import import_module

    monkeypatch.syspath_prepend(str(COMPARE))
    monkeypatch.syspath_prepend(str(COMPARE / "players"))
    try:
        return import_module(name)
    finally:
        for each in ("cases", "ours", "serving", "run"):
            monkeypatch.delitem(sys.modules, each, raising=False)


def played(case: Any, player: Any, path: Path) -> list[tuple[Any, Any]]:
    """The answers to a case, each with the one that is right; a player that is killed opens the file anew."""
    answers = []
    for step in case.steps:
        given = {key: part for key, part in step.items() if key not in ("do", "wanted")}
        if step["do"] == "kill":
            player.open(str(path), list(case.many))
        elif step["do"] == "beside":
            other = type(player)()
            other.open(str(path), list(case.many))
            for each in step["steps"]:
                other.set(**{key: part for key, part in each.items() if key != "do"})
            other.mem.close()
        else:
            answer = getattr(player, step["do"])(**given)
            if "wanted" in step:
                answers.append((sorted(answer), sorted(step["wanted"])))
    return answers


def test_every_case_is_answered_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = loaded("cases", monkeypatch).CASES
    player_of = loaded("ours", monkeypatch).Player
    assert len({case.name for case in cases}) == len(cases)
    for number, case in enumerate(cases):
        player = player_of()
        player.open(str(tmp_path / f"{number}.db"), list(case.many))
        answers = played(case, player, tmp_path / f"{number}.db")
        player.mem.close()
        assert answers, case.name
        assert all(answer == wanted for answer, wanted in answers), (case.name, answers)


def test_the_list_of_cases_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run = loaded("run", monkeypatch)
    assert run.main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(run.CASES)
    assert {path.name for path in (COMPARE / "players").glob("*.py")} == {
        "serving.py",
        *(script for script, _ in run.SYSTEMS.values()),
    }


OPENS = "import json, sys, time\nsys.stdin.readline()\nprint('{\"value\": null}', flush=True)\nsys.stdin.readline()\n"


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("sys.stdin.read()", "it gave no answer in"),  # it waits for more, for ever
        ("print('Welcome!', flush=True)", "it answered 'Welcome!'"),
        ("print('[1]', flush=True)", "it answered '[1]'"),
        ("sys.exit(3)", "it ended without an answer"),
    ],
)
def test_a_system_that_fails_does_not_take_the_comparison_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, said: str
) -> None:
    run = loaded("run", monkeypatch)
    (tmp_path / "player.py").write_text(OPENS + does, encoding="utf-8")
    monkeypatch.setitem(run.SYSTEMS, "broken", (str(tmp_path / "player.py"), []))
    monkeypatch.setattr(run, "python_of", lambda name: Path(sys.executable))
    monkeypatch.setattr(run, "LONGEST", 0.5 if "no answer" in said else 60)
    found = run.judged("broken", run.CASES[0])
    assert found["outcome"] == "error"
    assert said in found["said"]

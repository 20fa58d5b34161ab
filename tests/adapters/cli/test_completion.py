"""Shells complete commands, options, users and predicates."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(("shell", "word"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --no")])
def test_a_shell_gets_its_completion_script(cli: Any, shell: str, word: str) -> None:
    ran = cli.bare("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert word in ran.out
    assert "_TENSEMEM_COMPLETE" in ran.out
    told = cli.bare("completion", shell, "--json").json
    assert (told["shell"], told["script"].strip()) == (shell, ran.out.strip())


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tensemem hist", ["history"]),
        ("tensemem state al", ["alice"]),
        ("tensemem state z", []),
        ("tensemem get alice l", ["languages", "lives_in"]),
        ("tensemem --db none.db state al", []),
        ("tensemem --db not-a-memory.txt state al", []),
        ("tensemem context alice --for", ["--format"]),
    ],
)
def test_a_shell_is_offered_what_there_is(
    seeded: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, words: str, found: list[str]
) -> None:
    (tmp_path / "not-a-memory.txt").write_text("dear diary", encoding="utf-8")
    monkeypatch.setenv("_TENSEMEM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    monkeypatch.setenv("TENSEMEM_DB", str(seeded.db))
    ran = seeded.bare()
    assert (ran.code, ran.err) == (0, "")
    assert [line.partition(",")[2] for line in ran.out.splitlines() if line] == found
    assert not (tmp_path / "none.db").exists()

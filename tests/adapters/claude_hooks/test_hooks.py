"""The hooks as Claude Code and the SDK call them: dicts in, dicts out, and a session that is never broken."""

from __future__ import annotations

import asyncio
import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory
from tensemem.adapters.claude_hooks import ClaudeHooks, main, settings

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "integrations"
SOURCE = Path(__file__).resolve().parents[3] / "src"


def line(number: int, role: str, content: Any, **fields: Any) -> str:
    stamp = f"2026-01-{number:02}T10:00:00.000Z"
    return json.dumps(
        {
            "type": role,
            "uuid": f"u{number}",
            "timestamp": stamp,
            "message": {"role": role, "content": content},
            **fields,
        }
    )


def event(name: str, transcript: Path | str = "", **fields: Any) -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": "s1", "transcript_path": str(transcript), "cwd": "/", **fields}


@pytest.fixture
def mem():
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as made:
        made.register_predicate("lives_in")
        yield made


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "transcript.jsonl"
    text = [{"type": "text", "text": "Noted."}]
    path.write_text(
        "\n".join([
            json.dumps({"type": "summary", "summary": "I live in Pune"}),
            line(1, "user", "I live in Delhi"),
            line(2, "assistant", [{"type": "thinking", "thinking": "hm"}, *text, {"type": "tool_use", "name": "x"}]),
            line(3, "user", [{"type": "tool_result", "content": "I live in Oslo"}]),
            line(4, "user", "I live in Rome", isMeta=True),
            line(5, "user", "I live in Goa", isCompactSummary=True),
            line(6, "user", "I live in Bonn", isSidechain=True),
            line(7, "user", "<command-name>/clear</command-name>"),
            "[]", "7", line(8, "user", None), line(9, "user", "I moved to Bangalore"), '{"type": "user", "uu',
        ]),
        encoding="utf-8",
    )  # fmt: skip
    return path


def test_the_exchange_is_logged_once_with_its_roles(mem: Memory, transcript: Path) -> None:
    hooks = ClaudeHooks(mem, "ada")
    for name in ("Stop", "Stop", "PreCompact"):
        assert hooks.answer(event(name, transcript)) == {}
    assert mem.state("ada").freshness.latest_seq == 3
    hits = {hit.text: hit.role for word in ("Delhi", "Noted", "Bangalore") for hit in mem.search("ada", word)}
    assert hits == {"I live in Delhi": "user", "Noted.": "assistant", "I moved to Bangalore": "user"}
    mem.flush()
    delhi, bangalore = mem.history("ada", "lives_in").facts
    assert (delhi.value, bangalore.value) == ("Delhi", "Bangalore")
    assert bangalore.valid_from is not None
    assert bangalore.valid_from.isoformat() == "2026-01-09T10:00:00+00:00"


def test_a_session_that_goes_on_with_another_logs_only_what_is_new(mem: Memory, transcript: Path) -> None:
    hooks = ClaudeHooks(mem, "ada")
    hooks.answer(event("Stop", transcript))
    with transcript.open("a", encoding="utf-8") as more:
        more.write("\n" + line(10, "user", "I like trains"))
    for _ in range(2):
        hooks.answer({**event("Stop", transcript), "session_id": "s2"})
    assert mem.state("ada").freshness.latest_seq == 4
    assert [hit.role for hit in mem.search("ada", "trains")] == ["user"]


@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionStart"])
def test_context_goes_in_with_what_it_lags_behind(mem: Memory, name: str) -> None:
    hooks = ClaudeHooks(mem, "ada")
    assert hooks.answer(event(name, prompt="Where?")) == {}
    mem.set("ada", "lives_in", "Delhi")
    output = hooks.answer(event(name, prompt="Where?"))["hookSpecificOutput"]
    assert output["hookEventName"] == name
    assert output["additionalContext"] == mem.context("ada").text
    mem.add("ada", "I moved to Goa")
    behind = hooks.answer(event(name, prompt=""))["hookSpecificOutput"]["additionalContext"]
    assert "Memory is behind: 1 recent message is" in behind
    assert ClaudeHooks(mem, "bob").answer(event(name, prompt="Where?")) == {}


def test_a_correction_is_seen_by_the_next_prompt(mem: Memory) -> None:
    hooks = ClaudeHooks(mem, "ada")
    mem.set("ada", "lives_in", "Delhi")
    wrong = mem.set("ada", "lives_in", "Goa").fact_id
    assert wrong is not None
    mem.correct(wrong)
    text = hooks.answer(event("UserPromptSubmit", prompt="Where?"))["hookSpecificOutput"]["additionalContext"]
    assert "lives_in: Delhi" in text
    assert "Goa" not in text


def test_other_events_and_no_transcript_are_nothing(mem: Memory) -> None:
    hooks = ClaudeHooks(mem, "ada")
    assert [hooks.answer(given) for given in (event("Notification"), {}, event("Stop"))] == [{}, {}, {}]


def test_a_callback_never_raises(mem: Memory, tmp_path: Path, caplog) -> None:
    hooks = ClaudeHooks(mem, "ada")
    assert asyncio.run(hooks.callback(event("Stop", tmp_path / "none"), None, {"signal": None})) == {}
    assert "the hook of Stop did nothing" in caplog.text
    mem.close()
    assert asyncio.run(hooks.callback(event("UserPromptSubmit", prompt="x"))) == {}


def run(monkeypatch, given: bytes, *arguments: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    return main(arguments)


def test_the_command_answers_in_json(monkeypatch, capsys, tmp_path: Path, transcript: Path) -> None:
    db = str(tmp_path / "m.db")
    with Memory(db, llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ada", "lives_in", "São Paulo")
    given = json.dumps(event("UserPromptSubmit", prompt="Onde?")).encode()
    assert run(monkeypatch, given, "--user", "ada", "--db", db) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "São Paulo" in answer["hookSpecificOutput"]["additionalContext"]
    assert run(monkeypatch, json.dumps(event("Stop", transcript)).encode(), "--user", "ada", "--db", db) == 0
    assert capsys.readouterr() == ("", "")
    with Memory(db, llm=False, worker=False) as mem:
        assert mem.state("ada").freshness.pending == 2


@pytest.mark.parametrize(
    "given", [b"", b"{", b"[]", b"\xff\xfe", b'{"hook_event_name": "Stop", "transcript_path": "/none/x"}']
)
def test_the_command_never_breaks_a_session(monkeypatch, capsys, tmp_path: Path, given: bytes) -> None:
    assert run(monkeypatch, given, "--user", "ada", "--db", str(tmp_path / "m.db")) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tensemem: the hook did nothing: ")


def test_a_file_that_is_no_memory_and_wrong_usage_break_nothing(monkeypatch, capsys, tmp_path: Path) -> None:
    (tmp_path / "m.db").write_text("no database" * 100, encoding="utf-8")
    given = json.dumps(event("SessionStart")).encode()
    assert run(monkeypatch, given, "--user", "ada", "--db", str(tmp_path / "m.db")) == 0
    assert run(monkeypatch, given, "--user") == 0
    assert capsys.readouterr().out == ""


def test_the_settings_name_a_command_that_runs(tmp_path: Path) -> None:
    made = settings("ada", str(tmp_path / "m.db"), agent_id="code", namespace="work")
    assert list(made["hooks"]) == ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact"]
    command = made["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command.endswith("--agent code --namespace work")
    assert made["hooks"]["Stop"][0]["hooks"][0]["type"] == "command"


def test_printed_settings_are_json(capsys, tmp_path: Path) -> None:
    assert main(["--user", "ada", "--db", str(tmp_path / "m.db"), "--settings"]) == 0
    assert json.loads(capsys.readouterr().out) == settings("ada", str((tmp_path / "m.db").resolve()))


def test_the_matchers_are_the_sdks(mem: Memory) -> None:
    pytest.importorskip("claude_agent_sdk")
    from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

    hooks = ClaudeHooks(mem, "ada")
    options = ClaudeAgentOptions(hooks=hooks.matchers())
    assert options.hooks is not None
    assert all(isinstance(each, HookMatcher) for given in options.hooks.values() for each in given)


def test_a_process_of_its_own_answers_and_loads_no_framework(tmp_path: Path) -> None:
    code = (
        "import sys; from tensemem.adapters.claude_hooks import main; main(); "
        "print(*{'click', 'pydantic', 'anthropic', 'asyncio.events'} & set(sys.modules), file=sys.stderr)"
    )
    db = tmp_path / "m.db"
    with Memory(db, llm=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ada", "lives_in", "Delhi")
    done = subprocess.run(
        [sys.executable, "-c", code, "--user", "ada", "--db", str(db)], input=json.dumps(event("SessionStart")),
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    assert "lives_in: Delhi" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert done.stderr.split() == []


def test_the_example_runs(capsys) -> None:
    runpy.run_path(str(EXAMPLES / "claude_hooks.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert told.startswith("messages: 3\n- lives_in: Bangalore (since 2026-01-03)\n- lives_in: Delhi (since 2026-01-01")


ATTACHED = [
    "<ide_selection>The user selected lines of /a/bio.md:\nI live in Oslo.\n</ide_selection>",
    "<ide_opened_file>I live in Oslo.</ide_opened_file>",
    "fix it <system-reminder>\nI live in Oslo.\n</system-reminder> please",
    "<system-reminder>I live in Oslo.",
]


@pytest.mark.parametrize("attached", ATTACHED)
@pytest.mark.parametrize("apart", [False, True])
def test_what_is_attached_to_a_prompt_is_nobodys_words(mem: Memory, tmp_path: Path, attached: str, apart: bool) -> None:
    path = tmp_path / "t.jsonl"
    parts = [{"type": "text", "text": attached}, {"type": "text", "text": "a < b, and I live in Rome"}]
    contents = [parts] if apart else [attached, "a < b, and I live in Rome"]
    path.write_text("".join(f"{line(number, 'user', each)}\n" for number, each in enumerate(contents, 1)), "utf-8")
    ClaudeHooks(mem, "u1").answer(event("Stop", path))
    mem.flush("u1")
    assert not any("Oslo" in message.content for message in mem.messages("u1"))
    assert mem.get("u1", "lives_in") == "Rome"


def test_a_line_that_cannot_be_kept_keeps_none_of_the_others_from_the_log(mem: Memory, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    bad = ["x" * 1_100_000, "a\ud800b", "a\x00b"]
    contents = ["I live in Delhi", *bad, "I moved to Bangalore"]
    path.write_text("".join(f"{line(number, 'user', each)}\n" for number, each in enumerate(contents, 1)), "utf-8")
    hooks = ClaudeHooks(mem, "u1")
    for _ in range(2):
        hooks.answer(event("Stop", path))
    said = [message.content for message in mem.messages("u1")]
    assert said[0] == "I live in Delhi"
    assert said[-1] == "I moved to Bangalore"
    assert len(said) == len(set(said))

"""The server as a client starts it: only the protocol on standard output, and nothing lost at the end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tests.adapters.mcp.bench import LIMIT, piped, run, started, text_of

HELLO = (
    {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)  # fmt: skip


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(path: Path) -> Iterator[Start]:
    """Start servers whose pipes the test holds; none outlives it."""
    running: list[subprocess.Popen[str]] = []

    def begin(*options: str) -> subprocess.Popen[str]:
        how = started(path, *options)
        process = subprocess.Popen(
            [how.command, *how.args], env=how.env, text=True, encoding="utf-8", stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def say(process: subprocess.Popen[str], *messages: dict[str, Any] | str) -> None:
    assert process.stdin is not None
    for message in messages:
        process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Read one line of standard output, which must be of the protocol."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(process.stdout.readline())
    assert message["jsonrpc"] == "2.0"
    return message


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_starts_the_server_and_uses_it(path: Path, mode: str) -> None:
    async def story() -> list[str]:
        async with piped(path, "--user=ada", "--llm=fake", mode=mode) as client:
            await client.list_tools()
            added = await client.call_tool("memory_add", {"content": "I live in Delhi", "wait": 30})
            found = await client.call_tool("memory_get", {"predicate": "lives_in"})
            state = await client.read_resource("memory://state")
            recalled = await client.get_prompt("recall")
            return [
                text_of(added), text_of(found), state.contents[0].text,  # type: ignore[union-attr]
                recalled.messages[0].content.text,  # type: ignore[union-attr]
            ]  # fmt: skip

    added, found, state, recalled = run(story())
    assert added == "Kept, as message 1."
    assert found.startswith("lives_in = Delhi from ")
    assert json.loads(state)["freshness"]["is_current"] is True
    assert "- lives_in: Delhi" in recalled


def test_what_was_asked_before_the_client_closed_is_done_and_answered(start: Start, path: Path) -> None:
    process = start()
    asked = [call(number, "memory_add", content=f"message {number}") for number in range(1, 21)]
    out, err = process.communicate("".join(json.dumps(one) + "\n" for one in (*HELLO, *asked)), timeout=LIMIT)
    answers = {answer["id"]: answer for answer in map(json.loads, out.splitlines())}
    assert (process.returncode, err) == (0, "")
    assert set(answers) == set(range(21))
    assert not any(answer["result"]["isError"] for number, answer in answers.items() if number)
    with Memory(path, read_only=True) as mem:
        assert {message.content for message in mem.messages("ada")} == {f"message {number}" for number in range(1, 21)}


@pytest.mark.skipif(sys.platform == "win32", reason="a process there can't be asked to end")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_end_ends_without_losing_anything(start: Start, path: Path, number: int) -> None:
    process = start()
    say(process, *HELLO, call(1, "memory_set", predicate="lives_in", value="Delhi"))
    assert heard(process)["id"] == 0
    assert heard(process)["result"]["isError"] is False
    process.send_signal(number)
    assert process.wait(timeout=LIMIT) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
    with Memory(path, read_only=True) as mem:
        assert mem.get("ada", "lives_in") == "Delhi"


def test_what_is_no_message_is_answered_or_passed_over_and_the_next_one_is_served(start: Start) -> None:
    process = start()
    say(process, "", "{", '{"jsonrpc": "2.0"}', "[]", "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"))
    say(process, *HELLO, call(1, "memory_context"))
    assert process.stdin is not None
    process.stdin.close()
    answers = [json.loads(line) for line in process.stdout or ()]
    assert [answer["id"] for answer in answers if "result" in answer] == [0, 1]
    assert process.wait(timeout=LIMIT) == 0


PRINTING = """
print("an extractor prints as it is loaded")
def reads(request):
    print("and as it reads")
    import subprocess, sys
    subprocess.run([sys.executable, "-c", "print(input())"], check=False, stderr=subprocess.DEVNULL)
    return []
"""


def test_what_others_print_does_not_reach_the_client(start: Start, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "printing.py").write_text(PRINTING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    process = start("--user=ada", "--llm=printing:reads")
    say(process, *HELLO, call(1, "memory_add", content="I live in Delhi", wait=30))
    assert heard(process)["id"] == 0
    assert heard(process)["result"]["structuredContent"]["settled"] is True
    out, err = process.communicate(timeout=LIMIT)
    assert out == ""
    assert "and as it reads" in err
    assert "as it is loaded" in err


def test_a_server_that_can_not_serve_says_so_on_standard_error(start: Start) -> None:
    process = start("--user= ")
    out, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, out) == (3, "")
    assert "--user must not be blank" in err
    assert len(err.splitlines()) == 1

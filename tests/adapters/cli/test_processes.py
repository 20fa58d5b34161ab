"""The command line as a process of its own: pipes, signals, encodings, and nothing left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"
LIMIT = 60


@pytest.fixture
def environment() -> dict[str, str]:
    """What a process is given: this source, warnings as errors, and no words about databases or colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TENSEMEM", "_TENSEMEM"))}
    kept.pop("NO_COLOR", None)
    return kept | {"PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8"}


@pytest.fixture
def run(seeded: Any, tmp_path: Path, environment: dict[str, str]) -> Callable[..., Any]:
    """Run the command line on the seeded memory and wait for it."""

    def call(*arguments: str, input: str | None = None, **extra: str) -> Any:
        return subprocess.run(
            [sys.executable, "-m", "tensemem", "--db", str(seeded.db), *arguments], input=input, capture_output=True,
            encoding="utf-8", env=environment | extra, cwd=tmp_path, timeout=LIMIT, check=False,
        )  # fmt: skip

    return call


def test_the_module_is_the_command_line(run: Any) -> None:
    ran = run("get", "alice", "lives_in")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "Bangalore\n", "")
    ran = run("get", "alice", "nothing")
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (3, "", 1)


def test_standard_input_is_read_through_a_pipe(run: Any) -> None:
    ran = run("add", "alice", "-", "--llm", "fake", input="I live in Zürich\n")
    assert ran.returncode == 0
    assert "+  lives_in = Zürich" in ran.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_few_letters_gets_ascii_and_escapes(run: Any, seeded: Any, encoding: str) -> None:
    seeded.ok("set", "alice", "lives_in", "東京", "--said-at", "2026-04-01")
    ran = run("history", "alice", "lives_in", PYTHONIOENCODING=encoding)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.isascii()
    assert "\\u6771\\u4eac" in ran.stdout
    assert "* active" in ran.stdout
    told = run("get", "alice", "lives_in", "--json", PYTHONIOENCODING=encoding).stdout
    assert told.isascii()
    assert json.loads(told)["value"] == "東京"


def test_a_reader_that_goes_away_is_no_failure(seeded: Any, tmp_path: Path, environment: Any) -> None:
    lines = "\n".join(f"message number {number} " + "x" * 300 for number in range(400))
    seeded.ok("add", "alice", "--lines", "--llm", "false", input=lines)
    with subprocess.Popen(
        [sys.executable, "-m", "tensemem", "--db", str(seeded.db), "search", "alice", "message", "--limit", "400"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(LIMIT) == 0
        assert process.stderr.read() == ""


def test_an_output_that_is_full_is_a_refusal(seeded: Any, tmp_path: Path, environment: Any) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no output that is always full")
    with full.open("w", encoding="utf-8") as nowhere:
        ran = subprocess.run(
            [sys.executable, "-m", "tensemem", "--db", str(seeded.db), "state", "alice"], stdout=nowhere,
            stderr=subprocess.PIPE, encoding="utf-8", env=environment, cwd=tmp_path, timeout=LIMIT, check=False,
        )  # fmt: skip
    assert ran.returncode == 3
    assert len(ran.stderr.splitlines()) == 1
    assert "Traceback" not in ran.stderr


class Running:
    """A worker in a process of its own, whose words on standard error can be waited for."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.told: list[str] = []

    def await_words(self, words: str) -> None:
        """Read what it says until it says these words."""
        stream = self.process.stderr
        assert stream is not None
        while not any(words in line for line in self.told):
            line = stream.readline()
            assert line, f"it ended without saying {words!r}: {self.told}"
            self.told.append(line)

    def end(self, number: int) -> tuple[int, str, str]:
        """Send it a signal; gives its exit code and all it printed."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, out, "".join(self.told) + err


@pytest.fixture
def worker(seeded: Any, tmp_path: Path, environment: dict[str, str]) -> Iterator[Callable[..., Running]]:
    """Start workers; whatever still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> Running:
        process = subprocess.Popen(
            [sys.executable, "-m", "tensemem", "--db", str(seeded.db), "worker", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path, text=True,
        )  # fmt: skip
        started.append(process)
        watchdog = threading.Timer(LIMIT, process.kill)
        watchdog.daemon = True
        watchdog.start()
        return Running(process)

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_a_worker_extracts_what_comes_until_it_is_told_to_stop(seeded: Any, worker: Any, number: int) -> None:
    seeded.ok("add", "alice", "I live in Goa", "--said-at", "2026-04-01")
    running = worker("--llm", "fake")
    running.await_words("extracted alice seq 4: 1 operation")
    ran = seeded.ok("add", "alice", "I live in Pune", "--said-at", "2026-04-02", "--wait", "30")
    assert ran.err == ""
    running.await_words("extracted alice seq 5: 1 operation")
    code, out, err = running.end(number)
    assert code == 0
    assert out == "2 messages extracted\n"
    assert err.splitlines()[-1].startswith("tensemem: stopping")
    assert "Traceback" not in err
    assert seeded.ok("get", "alice", "lives_in").out == "Pune\n"
    assert "nobody extracts" in seeded.ok("add", "alice", "I live in Rome").err, "it signed off"


def test_a_worker_of_one_round_settles_what_waits_and_ends(seeded: Any, worker: Any) -> None:
    seeded.ok("add", "alice", "I live in Goa", "--said-at", "2026-04-01")
    seeded.ok("add", "bob", "I write Go")
    process = worker("--llm", "fake", "--once", "--json").process
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    assert json.loads(out) == {"extracted": 2, "failed": 0}


def test_ctrl_c_in_the_middle_ends_with_130(seeded: Any, tmp_path: Path, environment: Any) -> None:
    if sys.platform == "win32":
        pytest.skip("signals of POSIX")
    slow = "import time\n\n\ndef ask(request):\n    print('asked', flush=True)\n    time.sleep(60)\n"
    (tmp_path / "slow.py").write_text(slow, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "tensemem", "--db", str(seeded.db), "add", "alice", "hello there", "--llm", "slow:ask"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        assert process.returncode == 130
        assert "Traceback" not in err
    assert seeded.ok("jobs", "--json").json["jobs"][0]["seq"] == 4, "the message is kept"

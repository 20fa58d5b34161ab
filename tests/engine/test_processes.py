"""Which processes live: asked in a way that harms none, on every system."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem.engine import processes
from tensemem.engine.freshness import DEAD_AFTER, is_alive
from tensemem.engine.processes import RUNNING, host_name, process_started, started_on_windows
from tensemem.ports import WorkerRow


class Kernel:
    """What Windows answers, for one process: its exit code (259: it runs), or why it may not be asked."""

    def __init__(self, code: int = 259, error: int = 0, created: int = 7, *, has_times: bool = True) -> None:
        self.code, self.error, self.created, self.has_times = code, error, created, has_times
        self.closed: list[int | None] = []
        kernel = self

        class OpenProcess:
            restype: Any = None

            def __call__(self, access: int, inherit: bool, pid: int) -> int | None:
                return None if kernel.error else 0x1_0000_0001

        self.OpenProcess = OpenProcess()

    def GetExitCodeProcess(self, handle: Any, code: Any) -> int:  # noqa: N802
        code._obj.value = self.code
        return 1

    def GetProcessTimes(self, handle: Any, created: Any, *others: Any) -> int:  # noqa: N802
        created._obj.value = self.created
        return int(self.has_times)

    def CloseHandle(self, handle: ctypes.c_void_p) -> int:  # noqa: N802
        self.closed.append(handle.value)
        return 1


@pytest.mark.parametrize(
    ("kernel", "told"),
    [
        (Kernel(), "7"),
        (Kernel(created=8), "8"),
        (Kernel(code=0), None),
        (Kernel(has_times=False), RUNNING),
        (Kernel(error=5), RUNNING),
        (Kernel(error=87), None),
    ],
    ids=["runs", "runs, later", "ended", "runs, since unknown", "of somebody else", "none"],
)
def test_windows_is_asked_by_its_own_calls(kernel: Kernel, told: str | None) -> None:
    assert started_on_windows(4, kernel, lambda: kernel.error) == told
    assert kernel.closed == ([] if kernel.error else [0x1_0000_0001])  # the handle whole, and given back


def test_no_signal_is_sent_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, number: int) -> None:
        raise AssertionError("signal 0 is Ctrl-C there")

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", refuse)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: Kernel(), raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: 0, raising=False)
    assert process_started(os.getpid()) == "7"


def ended() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_process_that_lives_and_one_that_has_ended() -> None:
    assert process_started(os.getpid()) == process_started(os.getpid()) is not None
    assert process_started(ended()) is None


def test_without_a_list_of_processes_a_signal_that_does_nothing_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_such_folder(*_: Any, **__: Any) -> Any:
        raise FileNotFoundError

    monkeypatch.setattr(processes, "open", no_such_folder, raising=False)
    monkeypatch.setattr(os.path, "isdir", lambda path: False)
    assert process_started(os.getpid()) == RUNNING
    assert process_started(ended()) is None


@pytest.mark.parametrize(("silence", "alive"), [(0, True), (DEAD_AFTER - 1, True), (DEAD_AFTER, False)])
def test_where_a_number_may_be_another_process_its_beat_counts_too(
    monkeypatch: pytest.MonkeyPatch, silence: int, alive: bool
) -> None:
    monkeypatch.setattr("tensemem.engine.freshness.process_started", lambda pid: RUNNING)
    now = 10 * DEAD_AFTER
    assert is_alive(WorkerRow("w", host_name(), 1, RUNNING, now - silence), now) is alive


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="this system does not tell when a process was started")
def test_a_process_that_is_known_needs_no_beat() -> None:
    started = process_started(os.getpid())
    assert started not in (None, RUNNING)
    assert is_alive(WorkerRow("w", host_name(), os.getpid(), str(started), 0), 10 * DEAD_AFTER)


@pytest.mark.parametrize("pid", [0, -1, -(2**70), 2**31, 2**70])
def test_what_is_no_number_of_a_process_is_none_and_gets_no_signal(monkeypatch: pytest.MonkeyPatch, pid: int) -> None:
    kill = os.kill

    def guarded(pid: int, number: int) -> None:
        assert pid > 0
        kill(pid, number)

    monkeypatch.setattr(os, "kill", guarded)
    assert process_started(pid) is None


def test_a_process_that_is_hidden_lives_as_long_as_it_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden(*_: Any, **__: Any) -> Any:
        raise FileNotFoundError

    def refused(pid: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr("builtins.open", hidden)
    monkeypatch.setattr(os, "kill", refused)
    assert process_started(4) == RUNNING
    for started in ("12 boot", RUNNING):
        worker = WorkerRow("w", host_name(), 4, started, 1_000)
        assert is_alive(worker, 1_000 + DEAD_AFTER - 1)
        assert not is_alive(worker, 1_000 + DEAD_AFTER)


def test_containers_of_one_name_count_their_processes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    for numbers in ("pid:[4026531836]", "pid:[4026532001]", "pid:[4026532002]"):
        monkeypatch.setattr(os, "readlink", lambda path, numbers=numbers: numbers)
        names.append(host_name())
    assert len(set(names)) == 3
    monkeypatch.delattr(os, "readlink")
    assert host_name() == names[0]


@pytest.mark.skipif(sys.platform != "linux", reason="where times are counted from the start of the machine")
def test_a_process_of_an_earlier_start_of_the_machine_is_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = []
    for boot in ("one", "two"):
        (tmp_path / boot).write_text(f"{boot}\n")
        monkeypatch.setattr(processes, "_BOOT", str(tmp_path / boot))
        told.append(process_started(os.getpid()))
    assert len({process_started(os.getpid()), *told}) == 2
    monkeypatch.setattr(processes, "_BOOT", str(tmp_path / "none"))
    assert process_started(os.getpid()) is not None

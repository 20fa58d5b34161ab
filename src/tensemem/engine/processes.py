"""Which processes of this machine live, told in the same way on Linux, macOS and Windows."""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

RUNNING = "running"
"""Stands for when a process was started, where the system does not tell."""

_MAY_ASK = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION, which every user may ask of every process."""
_DENIED = 5
_STILL_ACTIVE = 259


_FIRST_NAMESPACE = "pid:[4026531836]"
"""What Linux calls the process numbers of the machine itself."""
_BOOT = "/proc/sys/kernel/random/boot_id"


def host_name() -> str:
    """Name where this process has its number, as workers and leases do: the machine, or a container on it.

    Containers may share the machine's name, and each counts its processes anew.
    """
    try:
        numbers = os.readlink("/proc/self/ns/pid")
    except (OSError, AttributeError):
        numbers = _FIRST_NAMESPACE
    return socket.gethostname() + ("" if numbers == _FIRST_NAMESPACE else f" {numbers}")


def process_started(pid: int) -> str | None:
    """Give when a process of this machine was started, as text that no later process with its number shares.

    None where there is no such process. Where the system does not tell, as Linux of other people's processes where it
    is told to hide them, RUNNING stands for any living one.
    """
    if pid <= 0:  # not a process: to a signal, a whole group of them
        return None
    if sys.platform == "win32":
        import ctypes

        return started_on_windows(pid, ctypes.WinDLL("kernel32", use_last_error=True), ctypes.get_last_error)
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return None if fields[0] in ("Z", "X") else f"{fields[19]}{_boot()}"
    except (OSError, IndexError):
        return _signalled(pid)


def _boot() -> str:
    """Name this start of the machine: Linux counts the time of a process from there."""
    try:
        with open(_BOOT, encoding="ascii") as boot:
            return f" {boot.read().strip()}"
    except (OSError, ValueError):
        return ""


def _signalled(pid: int) -> str | None:
    """Ask by a signal that does nothing. Not on Windows, where signal 0 is Ctrl-C, for a whole group of processes."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return None
    except OSError:
        return RUNNING
    return RUNNING


def started_on_windows(pid: int, kernel: Any, last_error: Any) -> str | None:
    """Give the same on Windows, from its own calls."""
    import ctypes

    kernel.OpenProcess.restype = ctypes.c_void_p  # a handle is as wide as a pointer
    handle = kernel.OpenProcess(_MAY_ASK, False, pid)
    if not handle:
        return RUNNING if last_error() == _DENIED else None
    try:
        code = ctypes.c_ulong()
        times = [ctypes.c_ulonglong() for _ in range(4)]
        pointer = ctypes.c_void_p(handle)
        if not kernel.GetExitCodeProcess(pointer, ctypes.byref(code)) or code.value != _STILL_ACTIVE:
            return None
        if not kernel.GetProcessTimes(pointer, *(ctypes.byref(each) for each in times)):
            return RUNNING
        return str(times[0].value)
    finally:
        kernel.CloseHandle(ctypes.c_void_p(handle))

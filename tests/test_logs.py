"""Logging: every record has an event, and from INFO upwards none holds a word of what is remembered, or of whom."""

from __future__ import annotations

import ast
import io
import json
import logging
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import FakeExtractor, Memory, Message, Operation, errors, logs
from tests.engine.bench import Clock, Told, lives

SOURCE = Path(logs.__file__).parent
USER, WORD, VALUE, SUBJECT = "hostile-user", "pomegranate", "Xanadu", "Kubla"
SAID = f"{USER} {WORD} {VALUE} {SUBJECT} %s %d {{}} \x1b[31m\n"
"""What must not be logged, in a text that would also upset whoever used it as a format."""


def hostile_conversation(folder: Path) -> None:
    """Use a memory in every way that logs something, failures included, with content that tries to get out."""
    told, clock = Told(), Clock()
    path = folder / "memory.db"
    with Memory(path, llm=told, worker=False, clock=clock) as mem:

        def failing_hook(event: str, fields: Any) -> None:
            raise RuntimeError(SAID)

        class FailingWatcher:
            def __call__(self, event: str, fields: Any) -> None:
                raise RuntimeError(SAID)

            def around(self, call: Any) -> Any:
                raise RuntimeError(SAID)

        mem.on(failing_hook, calls=True)
        mem.on(FailingWatcher(), content=True)
        mem.register_predicate("lives_in", description=SAID, examples=[])
        told.answers = {
            SAID: RuntimeError(SAID),
            f"{SAID}1": errors.ExtractorUnavailable(SAID),
            f"{SAID}2": [lives(VALUE), Operation("set", WORD, VALUE, subject=SUBJECT, quote=SAID)],
            f"{SAID}3": "gibberish " + SAID,
            f"{SAID}4": [object()],
        }
        for number in ("", 1, 2, 3, 4):
            mem.add(USER, f"{SAID}{number}", session_id=WORD, speaker=SUBJECT, metadata={WORD: VALUE})
        for _ in range(6):
            clock.advance(hours=1)
            with pytest.raises(errors.ExtractorUnavailable):
                mem.flush()
        mem.set(USER, "lives_in", VALUE, subject=SUBJECT, source=WORD)
        for refused in (
            lambda: mem.set(USER, WORD, VALUE), lambda: mem.correct(WORD), lambda: mem.add(USER, SAID, said_at=SAID),
            lambda: mem.dismiss(USER, 99), lambda: list(mem.add_many([Message(USER, SAID, said_at="2999")])),
        ):  # fmt: skip
            with pytest.raises(errors.TensememError):
                refused()
        mem.reextract(USER, FakeExtractor({SAID: [lives(VALUE)]}), dry_run=False)
        mem.search(USER, WORD)
        mem.copy_to(folder / "copy.db")
        mem.rebuild()
        mem.doctor(thorough=True)
        mem.export(folder / "export.jsonl")
        mem.backup(folder / "backup.db")
        mem.purge("2999")
        mem.erase(USER, 1)
        mem.forget(USER, predicate="lives_in", subject=SUBJECT)
        mem.forget(USER)
        mem.import_(folder / "export.jsonl")
    with Memory(folder / "offline.db", llm="offline", worker=False) as mem:
        mem.register_predicate(WORD)
        mem.add(USER, SAID)
        with pytest.raises(errors.ExtractorUnavailable):
            mem.flush()


def answer_that_cannot_be_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tensemem.engine import settle

    def fails(*_: Any) -> Any:
        raise KeyError(SAID)

    monkeypatch.setattr(settle, "record_extraction", fails)
    with Memory(folder / "unkept.db", llm=FakeExtractor({SAID: []}), worker=False) as mem:
        mem.add(USER, SAID)
        mem.flush()


def worker_that_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tensemem.engine import worker

    failed: list[str] = []

    def fails(*_: Any) -> Any:
        failed.append("once")
        raise RuntimeError(SAID)

    monkeypatch.setattr(worker, "settle_scope", fails)
    with Memory(folder / "worker.db", llm=FakeExtractor({SAID: []})) as mem:
        mem.add(USER, SAID)
        while not failed:
            mem._engine.store.wait_for_commit(0.05)


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
def test_nothing_of_what_is_remembered_is_logged_at_info_and_above(
    tmp_path: Path, level: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(level, logger=logs.ROOT)
    hostile_conversation(tmp_path)
    answer_that_cannot_be_kept(tmp_path, monkeypatch)
    worker_that_fails(tmp_path, monkeypatch)
    shown = [record for record in caplog.records if record.levelno >= logging.INFO]
    events = {vars(record)["event"] for record in shown}
    expected = {"opened", "failed", "hook failed", "watcher failed", "no examples", "not kept", "worker failed"}
    assert expected <= events
    written = [logs.JsonFormatter().format(record) + repr(vars(record)) for record in shown]
    assert [line for line in written for word in (USER, WORD, VALUE, SUBJECT) if word in line] == []
    in_full = [record for record in caplog.records if record.levelno < logging.INFO]
    assert bool(in_full) == (level == logging.DEBUG)
    if in_full:
        assert any(WORD in logs.JsonFormatter().format(record) for record in in_full)


def calls_in(path: Path) -> Iterator[ast.Call]:
    """The calls of loggers in a module that has any."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"^from \S*logs import|^import logging", text, re.MULTILINE):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in ("log", "logger", "logging"):
                yield node


def test_every_call_that_logs_goes_through_log_with_a_plain_message_and_known_fields() -> None:
    """Levels, exc_info and messages put together by hand are how content gets into a log."""
    seen = 0
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name in ("logs.py", "waiting.py"):  # itself; the console's handler
            continue
        for call in calls_in(path):
            assert isinstance(call.func, ast.Attribute)
            assert call.func.attr in ("tell", "caution", "failure"), f"{path.name}: log.{call.func.attr}"
            seen += 1
            event = call.args[0]
            assert isinstance(event, ast.Constant), f"{path.name}: an event is a few fixed words"
            assert re.fullmatch(r"[a-z]+( [a-z]+)*", str(event.value)), f"{path.name}: {event.value!r} is no event"
            names = {keyword.arg for keyword in call.keywords if keyword.arg} - {"level"}
            assert names <= set(logs.FIELDS), f"{path.name}: {names}"
    assert seen > 15


def test_a_line_of_json_has_the_record_and_its_fields() -> None:
    stream = io.StringIO()
    logs.configure(json=True, stream=stream)
    logs.Log("extract").caution("failed", "message %d was not extracted", 7, seq=7, attempts=2)
    told = json.loads(stream.getvalue())
    when = told.pop("time")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", when)
    assert told == {
        "level": "warning", "logger": "tensemem.extract", "message": "message 7 was not extracted", "event": "failed",
        "seq": 7, "attempts": 2,
    }  # fmt: skip


def test_an_error_is_told_by_type_and_place_and_in_full_at_debug() -> None:
    stream = io.StringIO()
    logs.configure(json=True, level="debug", stream=stream)
    try:
        sqlite3.connect(":memory:").execute(f"SELECT {WORD}")
    except sqlite3.OperationalError as error:
        logs.Log("store").failure("broken", "the store failed", error=error)
    told, in_full = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert re.fullmatch(r"the store failed \(OperationalError at test_logs.py:\d+\)", told["message"])
    assert (told["error"], told["where"]) == ("OperationalError", told["message"].partition(" at ")[2][:-1])
    assert "traceback" not in told
    assert WORD in in_full["traceback"]


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert logs.place_of(None) == "an unknown place"


def test_configuring_again_replaces_what_was_configured_and_leaves_others_alone() -> None:
    logger = logging.getLogger(logs.ROOT)
    other = logging.NullHandler()
    logger.addHandler(other)
    first, second = io.StringIO(), io.StringIO()
    logs.configure(stream=first)
    logs.configure(stream=second, level="warning")
    logs.Log("store").tell("opened", "not shown at this level")
    logs.Log("store").caution("opened", "shown once")
    assert first.getvalue() == ""
    assert second.getvalue().count("shown once") == 1
    assert other in logger.handlers
    assert "WARNING tensemem.store: shown once" in second.getvalue()


def test_the_level_is_the_argument_or_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(logs.LEVEL, "Error")
    logs.configure(stream=io.StringIO())
    assert logging.getLogger(logs.ROOT).level == logging.ERROR
    logs.configure(level="debug", stream=io.StringIO())
    assert logging.getLogger(logs.ROOT).level == logging.DEBUG
    monkeypatch.setenv(logs.LEVEL, "chatty")
    with pytest.raises(errors.InvalidValueError, match="debug, info, warning, error, critical, not 'chatty'"):
        logs.configure()


def test_what_has_no_form_in_json_is_written_as_text() -> None:
    record = logging.LogRecord("tensemem.store", logging.INFO, "", 0, "text \ud800", (), None)
    record.location = Path("memory.db")
    told = json.loads(logs.JsonFormatter().format(record))
    assert told["location"] == "memory.db"
    assert told["message"] == "text \ud800"


def test_an_application_that_sets_up_no_logging_is_not_written_to() -> None:
    program = "from tensemem import logs; logs.Log('store').caution('failed', 'something failed')"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")

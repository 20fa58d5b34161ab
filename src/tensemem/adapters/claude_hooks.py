"""Hooks of Claude Code and the Claude Agent SDK over one scope: context goes in, what was said is logged.

    ClaudeAgentOptions(hooks=ClaudeHooks(mem, "ada").matchers())                     in a program
    python -m tensemem.adapters.claude_hooks --user ada --db memory.db --settings    for .claude/settings.json

A session is never broken: what goes wrong is a line on standard error, or of the log, and the hook answers nothing.
Nothing is learnt here, so that a hook is done at once; a `tensemem worker` reads what was logged.
"""

from __future__ import annotations

import argparse
import json
import logging
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import (
    ContentTooLargeError,
    IdempotencyConflictError,
    InvalidTimeError,
    InvalidValueError,
    TensememError,
)  # fmt: skip
from ..logs import Log
from ..memory import Memory
from ..model.operation import Message
from ..verbs.tool_calls import lag
from ._keys import keys_of

__all__ = ["ClaudeHooks", "main", "settings"]

log = Log("adapters.claude_hooks")
READING = ("SessionStart", "UserPromptSubmit")
LOGGING = ("Stop", "PreCompact")
MAX_TOKENS = 2000
"""Tokens of context in a prompt, by default."""
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")
_CANNOT_BE_KEPT = (InvalidValueError, InvalidTimeError, ContentTooLargeError)
_ATTACHED = ("system-reminder", "ide_")
"""Tags of what is put beside a prompt, which nobody has said; by how their names begin."""
_COMMANDS = ("<command-", "<local-command-", "<bash-", "<task-notification")


class ClaudeHooks:
    """The hooks of one scope of an open ``Memory``.

    ``answer`` is the whole of it; ``matchers`` gives it to the SDK's options. ``max_tokens`` bounds the context.
    """

    def __init__(
        self, memory: Memory, user_id: str, *, agent_id: str = "", namespace: str | None = None,
        max_tokens: int = MAX_TOKENS,
    ) -> None:  # fmt: skip
        self._memory, self._user_id, self._agent_id = memory, user_id, agent_id
        self._namespace, self._max_tokens = namespace, max_tokens

    def answer(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do what an event asks for, and give what the hook answers.

        SessionStart and UserPromptSubmit get the context, Stop and PreCompact log what the transcript has new; any
        other event, {}. Raises TensememError, OSError for a transcript that can't be read.
        """
        event = given.get("hook_event_name")
        if event in READING:
            return self._context(str(event), given.get("prompt"))
        if event in LOGGING:
            self._log(str(given.get("transcript_path") or ""), given.get("session_id"))
        return {}

    async def callback(self, given: Any, tool_use_id: str | None = None, context: Any = None) -> dict[str, Any]:  # noqa: ARG002
        """Answer as an SDK's hook: without blocking its loop, and with {} where something goes wrong."""
        import asyncio  # here, for a command hook is a process for each prompt and needs none

        try:
            return await asyncio.to_thread(self.answer, given)
        except (TensememError, OSError) as error:
            hook = str(given.get("hook_event_name"))
            told = "the hook of %s did nothing"
            log.failure("hook did nothing", told, hook, error=error, level=logging.WARNING, hook=hook)
            return {}

    def matchers(self) -> dict[str, list[Any]]:
        """Give what ``ClaudeAgentOptions(hooks=...)`` takes. Raises ImportError without ``claude-agent-sdk``."""
        try:
            from claude_agent_sdk import HookMatcher
        except ImportError as error:
            raise ImportError(f"{error}. These hooks need it: pip install claude-agent-sdk") from error
        # The SDK does not have SessionStart; the first prompt brings the context there.
        return {event: [HookMatcher(hooks=[self.callback])] for event in ("UserPromptSubmit", *LOGGING)}

    def _context(self, event: str, prompt: object) -> dict[str, Any]:
        found = self._memory.context(
            self._user_id, prompt if isinstance(prompt, str) and prompt.strip() else None, max_tokens=self._max_tokens,
            agent_id=self._agent_id, namespace=self._namespace,
        )  # fmt: skip
        text = "\n".join(part for part in (found.text, lag(found.freshness)) if part)
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}} if text else {}

    def _log(self, transcript: str, session_id: object) -> None:
        if not transcript:
            return
        session = session_id if isinstance(session_id, str) else None
        with Path(transcript).expanduser().open(encoding="utf-8", errors="replace") as lines:
            messages = [self._message(entry, text, session) for entry, text in _said(lines)]
        try:
            for _ in self._memory.add_many(messages, namespace=self._namespace):
                pass
        except (IdempotencyConflictError, *_CANNOT_BE_KEPT):
            for message in messages:
                self._log_alone(message)

    def _log_alone(self, message: Message) -> None:
        """Log one message; what can't be kept keeps none of the others from it."""
        try:
            list(self._memory.add_many([message], namespace=self._namespace))
        except IdempotencyConflictError:
            pass  # a session that goes on with another's words: they stand as they were logged
        except _CANNOT_BE_KEPT as error:
            log.failure("left out", "a message of the transcript is left out", error=error, level=logging.WARNING)

    def _message(self, entry: Mapping[str, Any], text: str, session: str | None) -> Message:
        return Message(
            self._user_id, text, role=entry["type"], said_at=entry.get("timestamp"), session_id=session,
            idempotency_key=f"claude:{entry['uuid']}", agent_id=self._agent_id,
        )  # fmt: skip


def settings(user_id: str, db: str, *, agent_id: str = "", namespace: str = "default") -> dict[str, Any]:
    """Give the hooks for ``.claude/settings.json``, which run this module with the Python that runs now."""
    words = [sys.executable, "-m", "tensemem.adapters.claude_hooks", "--user", user_id, "--db", db]
    words += ["--agent", agent_id] if agent_id else []
    words += ["--namespace", namespace] if namespace != "default" else []
    hook = {"type": "command", "command": shlex.join(words), "timeout": 10}
    return {"hooks": {event: [{"hooks": [hook]}] for event in (*READING, *LOGGING)}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer the event on standard input, or print the settings; always 0, for another code may stop the session."""
    parser = argparse.ArgumentParser(prog="python -m tensemem.adapters.claude_hooks", description=settings.__doc__)
    parser.add_argument("--user", required=True, help="whose memory it is")
    parser.add_argument("--db", required=True, help="the memory's file")
    parser.add_argument("--agent", default="", help="the agent whose memory of the user it is")
    parser.add_argument("--namespace", default="default", help="the tenant")
    parser.add_argument("--settings", action="store_true", help="print the hooks for .claude/settings.json")
    try:
        asked = parser.parse_args(arguments)
    except SystemExit as ended:
        if ended.code:
            print("tensemem: the hook did nothing", file=sys.stderr)
        return 0
    if asked.settings:
        db = str(Path(asked.db).expanduser().resolve())
        print(json.dumps(settings(asked.user, db, agent_id=asked.agent, namespace=asked.namespace), indent=2))
        return 0
    try:
        said = _answered(asked)
    except Exception as error:  # whatever it is: the user's session goes on
        print(f"tensemem: the hook did nothing: {type(error).__name__}: {error}", file=sys.stderr)
        return 0
    if said:
        print(json.dumps(said))
    return 0


def _answered(asked: argparse.Namespace) -> dict[str, Any]:
    given = json.loads(sys.stdin.buffer.read().decode("utf-8", "replace"))
    if not isinstance(given, dict):
        raise TypeError("a hook is given a JSON object")
    with Memory(asked.db, worker=False, **keys_of(asked.db)) as memory:
        return ClaudeHooks(memory, asked.user, agent_id=asked.agent, namespace=asked.namespace).answer(given)


def _said(lines: Iterator[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Give what people and Claude said in a transcript: no tools, thoughts, commands, summaries, subagents."""
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:  # the last line may be half written; it comes again with the next event
            continue
        if not isinstance(entry, dict) or entry.get("type") not in ("user", "assistant"):
            continue
        if not isinstance(entry.get("uuid"), str) or any(entry.get(mark) for mark in _NOT_SAID):
            continue
        text = _text_of(entry.get("message"))
        if text and not text.startswith(_COMMANDS):
            yield entry, text


def _text_of(message: object) -> str:
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return _without_attached(content).strip()
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return "\n".join(_without_attached(text) for text in texts if isinstance(text, str)).strip()


def _without_attached(text: str) -> str:
    """Leave out what is attached between tags; one that is not closed reaches to the end."""
    kept, place = [], 0
    while (begin := text.find("<", place)) >= 0:
        name = next((tag for tag in _ATTACHED if text.startswith(tag, begin + 1)), None)
        if name is None:
            kept.append(text[place : begin + 1])
            place = begin + 1
            continue
        kept.append(text[place:begin])
        close = text.find(f"</{name}", begin)
        end = text.find(">", close) if close >= 0 else -1
        place = len(text) if end < 0 else end + 1
    return "".join([*kept, text[place:]])


if __name__ == "__main__":
    sys.exit(main())

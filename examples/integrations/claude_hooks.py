"""Claude Code's hooks over a state memory, called as Claude Code calls them."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tensemem import FakeExtractor, Memory
from tensemem.adapters.claude_hooks import ClaudeHooks


def said(number, role, text):
    """One line of a transcript."""
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    return json.dumps(
        {"type": role, "uuid": f"u{number}", "timestamp": f"2026-01-0{number}T10:00:00Z", "message": message}
    )


with TemporaryDirectory() as folder, Memory(":memory:", llm=FakeExtractor()) as mem:
    mem.register_predicate("lives_in", description="the city the user lives in")
    hooks = ClaudeHooks(mem, "ada")
    transcript = Path(folder) / "transcript.jsonl"
    event = {"session_id": "s1", "transcript_path": str(transcript), "cwd": folder}

    lines = [
        said(1, "user", "I live in Delhi"),
        said(2, "assistant", "Noted."),
        said(3, "user", "I moved to Bangalore"),
    ]
    transcript.write_text("\n".join(lines), encoding="utf-8")
    for _ in range(2):  # what is logged already is not logged again
        hooks.answer({**event, "hook_event_name": "Stop", "stop_hook_active": False})
    mem.flush("ada")  # a `tensemem worker` does it else
    print("messages:", mem.state("ada").freshness.latest_seq)

    answer = hooks.answer({**event, "hook_event_name": "UserPromptSubmit", "prompt": "Where do I live?"})
    context = answer["hookSpecificOutput"]["additionalContext"]
    print(next(line for line in context.splitlines() if "lives_in" in line))

    mem.correct(mem.state("ada").fact("lives_in").id, reason="it was only a visit")
    context = hooks.answer({**event, "hook_event_name": "SessionStart", "source": "startup"})
    print(next(line for line in str(context).split("\\n") if "lives_in" in line))

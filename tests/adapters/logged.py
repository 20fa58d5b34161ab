"""What an adapter wrote, read from the file itself."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def messages_of(path: Path, user_id: str = "u1") -> list[tuple[str, str]]:
    """Role and text of every message of a user, in the order of the log."""
    return [(body["role"], content) for body, content in _messages(path, user_id)]


def sessions_of(path: Path, user_id: str = "u1") -> list[str | None]:
    """The session of every message of a user, in the order of the log."""
    return [body.get("session") for body, _ in _messages(path, user_id)]


def _messages(path: Path, user_id: str) -> list[tuple[dict[str, Any], str]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        rows = file.execute(
            "SELECT body, content FROM view_log WHERE user_id = ? AND kind = 'message' ORDER BY rev", [user_id]
        ).fetchall()
    return [(json.loads(body), content) for body, content in rows]

"""What is left in a folder, and files that are damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def left(folder: Path) -> list[str]:
    """Give what lies in a folder, but for what belongs to memories that are open."""
    return sorted(file.name for file in folder.iterdir() if not file.name.endswith(("-wal", "-shm")))


def free_pages(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        pages: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return pages


def damage(path: Path, text: bytes) -> None:
    """Overwrite a page that holds some text."""
    raw = bytearray(path.read_bytes())
    page = raw.index(text) // 4096 * 4096
    raw[page : page + 64] = bytes(64)
    path.write_bytes(raw)


def spoil(path: Path) -> None:
    """Have facts that are not what the log folds to."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM facts WHERE scope IN (SELECT id FROM scopes WHERE user_id = 'ann')")
        connection.commit()

"""Text with NUL in it, which PostgreSQL keeps in no column: it goes there escaped, and comes back as it was.

NUL becomes U+0001 U+0001, and U+0001 becomes U+0001 U+0002; nothing else changes. So texts sort and begin with each
other in the database just as they do here, and a person who looks into it sees them as they are.
"""

from __future__ import annotations

_ESCAPES = {"\0": "\1\1", "\1": "\1\2"}
_TABLE = str.maketrans(_ESCAPES)


def escaped(text: str) -> str:
    """Give a text as a column can keep it."""
    return text.translate(_TABLE) if "\0" in text or "\1" in text else text


def unescaped(text: str) -> str:
    """Give a text as it was."""
    return text.replace("\1\1", "\0").replace("\1\2", "\1") if "\1" in text else text

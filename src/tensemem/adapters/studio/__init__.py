"""The studio: a page in the browser for a person who looks at what an agent remembers, and puts it right.

It is plain files, made of no build step, which a server hands out under ``/studio/``. They speak to the server like any
other program, by its verbs over HTTP, and know a memory in no other way.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["FOLDER", "address"]

FOLDER = Path(__file__).resolve().parent / "static"
"""Where the files of the studio are."""


def address(url: str, token: str) -> str:
    """Give the address that opens the studio of a server with a token.

    The token stands behind ``#``: browsers send that part to nobody, and the studio takes it out at once.
    """
    from urllib.parse import quote

    return f"{url.rstrip('/')}/studio/#token={quote(token, safe='')}"

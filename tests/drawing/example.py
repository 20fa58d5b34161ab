"""The picture on the page that tells how to see a history: what the page's own code draws.

Run with ``python -m tests.drawing.example`` to draw it anew.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from tests.docs.pages import DOCS, blocks_of
from tests.docs.running import closed_in_the_end, printed_by

PAGE = DOCS / "how-to" / "see-a-history.md"
PICTURE = PAGE.with_suffix(".svg")


def drawn() -> str:
    """Run the first block of the page in a folder of its own, and give the drawing it writes."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), closed_in_the_end():
        printed_by(blocks_of(PAGE)[0], {"__name__": "page_see_a_history"})
        return Path("history.svg").read_text(encoding="utf-8")


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8", newline="\n")

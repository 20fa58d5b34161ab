"""The page on the client is run too, with a server of the tests in the place of the one it speaks of."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, Block, blocks_of
from tests.docs.running import compare, printed_by

for name in ("httpx2", "tenacity", "starlette", "uvicorn", "httptools"):
    pytest.importorskip(name)

PAGE = DOCS / "how-to" / "use-the-client.md"


def test_what_the_page_shows_is_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.client.bench import TOKEN, served

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENSEMEM_TOKEN", TOKEN)
    names: dict[str, Any] = {}
    with served(tmp_path / "memory.db") as server:
        blocks = _with_outputs(blocks_of(PAGE))
        for block in blocks:
            text = block.text.replace("http://127.0.0.1:7340", server.url)
            compare(block, printed_by(dataclasses.replace(block, text=text), names), block.output)
        names["client"].close()
    assert len(blocks) == 6


def _with_outputs(blocks: list[Block]) -> list[Block]:
    """Give the blocks of Python, each with the text behind it."""
    pairs = pairwise(blocks)
    return [dataclasses.replace(one, output=behind.text) for one, behind in pairs if one.language == "py"]

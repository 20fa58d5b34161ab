"""However long the log, an export is read and written a page at a time."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tests.copying.filled import CALM


@pytest.mark.slow
def test_memory_is_that_of_a_page_however_long_the_log(tmp_path: Path) -> None:
    entries = 20_000
    with Memory(tmp_path / "dest.db", durability="process", **CALM) as mem:
        tracemalloc.start()
        try:
            report = mem.import_(_long_export(entries))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.reset_peak()
            out = _Counting()
            mem.export(out)
            again = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert report.entries == out.lines - 4 == entries
        assert out.size > 20_000_000
        assert max(peak, again) < 6_000_000


class _Counting(io.RawIOBase):
    lines = size = 0

    def write(self, data: Any) -> int:
        self.lines += 1
        self.size += len(data)
        return len(data)


def _long_export(entries: int) -> Iterator[bytes]:
    """Make the lines of one long log, and hold none of them: messages from which nothing is learnt."""
    from tensemem.engine.exportlines import LineWriter
    from tensemem.engine.rebuild import digest_of
    from tensemem.model.scope import Scope

    waiting: list[bytes] = []
    writer = LineWriter(waiting.append, None)
    scope, at = Scope("default", "ann"), 1_700_000_000_000_000
    writer.begin_header(line="export", format=1, made_at=at, signed=False, fence=None)
    last = {"seq": entries // 2, "last_said": at + entries // 2, "last_recorded": at + entries // 2}
    writer.begin(
        line="scope",
        namespace="default",
        user_id="ann",
        agent_id="",
        rev=entries,
        base_rev=0,
        base_seq=0,
        **last,
        registry_rev=0,
    )
    for seq in range(1, entries // 2 + 1):
        common = {"line": "entry", "seq": seq, "extraction": 0, "said_at": at + seq, "recorded_at": at + seq}
        body = {"role": "user", "content": f"message {seq} of somebody who talks " + "a lot and " * 200}
        writer.put(rev=2 * seq - 1, kind="message", body=body, **common)
        writer.put(rev=2 * seq, kind="skip", body={"reason": "not_learning"}, **common)
        yield from waiting
        waiting.clear()
    writer.end(line="end", entries=entries, digest=digest_of(scope, []))
    writer.end_all(line="whole", registries=0, scopes=1, entries=entries, lines=0)
    yield from waiting

"""A history as a drawing, for who accepts one."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Memory, drawing
from tests.engine.bench import Clock

SVG = {"accept": "image/svg+xml"}


def test_who_accepts_a_drawing_gets_the_timeline(web: Any, mem: Memory, clock: Clock) -> None:
    mem.set("ann", "lives_in", "Delhi")
    clock.advance(days=40)
    mem.set("ann", "lives_in", "<Pune>")
    answer = web.get("/v1/history", params={"user_id": "ann", "width": "700"}, headers=SVG)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text == drawing.timeline(mem.history("ann"), now=clock(), width=700)
    assert "&lt;Pune&gt;" in answer.text
    assert answer.headers["tensemem-current"] == "true"
    assert "accept" in answer.headers["vary"]
    usual = web.get("/v1/history", params={"user_id": "ann"})
    assert usual.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("given", "status"),
    [({"width": "wide"}, 422), ({"width": "nan"}, 422), ({"width": "1e9"}, 422), ({"zone": "Nowhere/At_All"}, 422),
     ({"height": "3"}, 422), ({"zone": "Asia/Kolkata"}, 200), ({"predicate": "lives_in", "limit": "1"}, 200)],
)  # fmt: skip
def test_what_a_drawing_can_not_be_is_refused(web: Any, mem: Memory, given: dict[str, str], status: int) -> None:
    mem.set("ann", "lives_in", "Delhi")
    answer = web.get("/v1/history", params={"user_id": "ann", **given}, headers=SVG)
    assert answer.status_code in (status, 400 if status == 422 else status)
    assert answer.headers["content-type"].startswith("image/svg" if status == 200 else "application/problem")


def test_the_looks_of_a_drawing_are_no_parameters_of_a_history(web: Any) -> None:
    assert web.get("/v1/history", params={"user_id": "ann", "width": "700"}).status_code >= 400

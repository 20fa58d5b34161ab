"""The verbs that write, each as a call that is complete but for one option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensemem import Memory
from tests.engine.bench import day, lives, speaks

Call = Callable[..., Any]


def written_by_verbs(mem: Memory) -> dict[str, Call]:
    """Each verb by its name; what it points at is there."""
    mem.set("ann", "lives_in", "Delhi")
    mem.write("ann", [speaks("Go", modality="reported")])
    mem.add_value("ann", "languages", "Rust")
    place, held = mem.state("ann").fact("lives_in"), mem.state("ann").candidates[0]
    wrong = mem.state("ann").fact("languages")
    assert place is not None
    assert wrong is not None
    mem.correct(wrong.id)
    return {
        "set": lambda **o: mem.set("ann", "lives_in", "Pune", **o),
        "record": lambda **o: mem.record("ann", "lives_in", "Pune", valid_from=day(-9), valid_to=day(-3), **o),
        "add_value": lambda **o: mem.add_value("ann", "languages", "SQL", **o),
        "remove_value": lambda **o: mem.remove_value("ann", "languages", "SQL", **o),
        "replace_values": lambda **o: mem.replace_values("ann", "languages", ["SQL", "C"], **o),
        "retract": lambda **o: mem.retract("ann", "lives_in", **o),
        "deny": lambda **o: mem.deny("ann", "lives_in", "Delhi", **o),
        "confirm": lambda **o: mem.confirm("ann", "lives_in", **o),
        "write": lambda **o: mem.write("ann", [lives("Pune"), speaks("C")], **o),
        "correct": lambda **o: mem.correct(place.id, "Oslo", **o),
        "reinstate": lambda **o: mem.reinstate(wrong.id, **o),
        "review": lambda **o: mem.review(held.id, **o),
    }

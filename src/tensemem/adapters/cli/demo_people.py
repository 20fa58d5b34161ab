"""What the demo leaves to look at besides its tour: two people more, a plan, and a claim that waits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tensemem import FakeExtractor, Memory

WHO = "alice"
SAID = {
    "bob": ("I live in Pune", "I work at Acme", "I speak Hindi", "I speak English", "I'm moving to Goa on 2026-06-01"),
    "carla": ("I live in Lisbon", "I no longer live in Lisbon", 'My old profile says "I live in Rome"'),
}
"""What each of them writes, a day apart."""


def settle_in(path: Path) -> None:
    """Have people move into the memory of a demo. Raises TensememError."""
    clock = datetime(2026, 4, 10, 9, 0, tzinfo=UTC)
    options: dict[str, Any] = {"worker": False, "durability": "process", "clock": lambda: clock}
    with Memory(path, llm=FakeExtractor(), **options) as mem:
        mem.register_predicate("works_at", description="where somebody works")
        mem.register_predicate("languages", "many", aliases=["speaks"], description="the languages somebody speaks")
        mem.register_predicate("diet", type="enum", choices=["vegan", "vegetarian", "omnivore"])
        for user, texts in SAID.items():
            for number, text in enumerate(texts):
                clock = datetime(2026, 4, 11 + number, 9, 0, tzinfo=UTC)
                mem.add(user, text)
                mem.flush(user)
        clock = datetime(2026, 4, 20, 9, 0, tzinfo=UTC)
        mem.set(WHO, "diet", "vegetarian")
        mem.set(WHO, "works_at", "Acme", since="2024-09")

"""What `stats` tells is what there is, whatever was said, taken back, forgotten or brought in from elsewhere."""

from __future__ import annotations

from tensemem import Memory
from tensemem.ports import Reader
from tests.laws.law import law
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Scenario, scenarios
from tests.settings import costly_settings

SIZES = ("scopes", "entries", "episodes", "facts", "claims", "pending", "failed")


def counted(reader: Reader, namespace: str = "default") -> dict[str, int]:
    """Count plainly: every row of every scope is looked at."""
    found = dict.fromkeys(SIZES, 0)
    for head in reader.scopes(namespace, "", None, 1000):
        entries, pending = list(reader.entries(head.id)), reader.pending(head.id)
        slots = [slot.id for slot in reader.slots(head.id)]
        found["scopes"] += 1
        found["entries"] += len(entries)
        found["episodes"] += len({entry.seq for entry in entries if entry.seq > 0})
        found["facts"] += sum(len(reader.facts(head.id, slot)) for slot in slots)
        found["claims"] += sum(len(reader.claims(head.id, slot)) for slot in slots)
        found["pending"] += sum(row.state == "waiting" for row in pending)
        found["failed"] += sum(row.state == "failed" for row in pending)
    return found


def used(reader: Reader, namespace: str = "default") -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for head in reader.scopes(namespace, "", None, 1000):
        for row in reader.usage_of(head.id):
            sums = found.setdefault((row.extractor, row.model), [0] * len(row[2:]))
            sums[:] = [a + b for a, b in zip(sums, row[2:], strict=True)]
    return found


def assert_sizes_hold(mem: Memory) -> None:
    told = mem.stats()
    with mem._engine.store.read() as reader:
        assert {name: told[name] for name in SIZES} == counted(reader)
        assert {(row.extractor, row.model): list(row[2:]) for row in reader.usage("default")} == used(reader)
        assert reader.sizes_hold()


@costly_settings
@law(scenario=scenarios(rereads=True, removals=True))
def test_sizes_are_counted_rows_after_every_action(scenario: Scenario) -> None:
    with Player(scenario) as player:
        player.mem.register_predicate("shoe_size")
        player.mem.set("somebody else", "shoe_size", "41")
        for _ in player.play():
            assert_sizes_hold(player.mem)
        player.mem.forget(USER)
        assert_sizes_hold(player.mem)
        player.play_all()
        assert_sizes_hold(player.mem)


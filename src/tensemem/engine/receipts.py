"""What a transaction changed, told from the rows of the slots it touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model.entry import Entry
from ..model.moment import FOREVER, to_datetime
from ..model.results import Change
from ..ports import FactRow, SlotRow
from . import rows
from .factview import FactView
from .project import Touched


def changes_of(view: FactView, touched: Iterable[Touched], entry: Entry) -> tuple[Change, ...]:
    """Give every value that changed in the touched slots."""
    found: list[Change] = []
    for one in touched:
        found += changes_between(view, one.slot, one.before, one.after, entry)
    return tuple(found)


def changes_between(
    view: FactView, slot: SlotRow, before: Sequence[FactRow], after: Sequence[FactRow], entry: Entry
) -> list[Change]:
    """Give the changes from some runs of a slot to others: values that began, ended, or hold over other times."""
    old = {(row.key, row.start): row for row in before if row.kind == 0}
    new = {(row.key, row.start): row for row in after if row.kind == 0}
    found: list[Change] = []
    for where, row in old.items():
        if where not in new:
            found.append(_change(view, slot, row, "ended", entry))
    for where, row in new.items():
        known = old.get(where)
        if known is None:
            found.append(_change(view, slot, row, "began", entry))
        elif known.end != row.end:
            kind = "ended" if known.end == FOREVER else "began" if row.end == FOREVER else "moved"
            found.append(_change(view, slot, row, kind, entry))
    return sorted(found, key=lambda change: (change.kind != "ended", str(change.valid_from), change.fact_id))


def _change(view: FactView, slot: SlotRow, row: FactRow, kind: str, entry: Entry) -> Change:
    unknown = rows.run_body(row)[10]
    return Change(
        rev=entry.rev,
        kind=kind,
        subject=slot.subject,
        predicate=view.predicate(slot).name,
        value=view.value(row, slot),
        fact_id=view.id_of(row),
        valid_from=None if unknown else to_datetime(row.start),
        valid_to=None if row.end == FOREVER else to_datetime(row.end),
        why=entry.kind.value,
        seq=entry.seq,
        reason=entry.body.get("reason"),
    )

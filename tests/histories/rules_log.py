"""What must hold of a log by itself: its numbers, its times, and that every message is settled once, as it says."""

from __future__ import annotations

from collections.abc import Iterator

from tensemem.core.findings import numbered
from tensemem.core.operations import encode_operation
from tensemem.model.entry import EPISODES, Entry, EntryKind
from tests.histories.history import DISMISS, History, key_of, op_of
from tests.histories.records import REFUSED
from tests.histories.script import proposals
from tests.histories.violations import Violation


def log_violations(history: History) -> Iterator[Violation]:
    """Give what is wrong with a scope's log."""
    yield from _numbers(history)
    yield from _times(history)
    yield from _origins(history)
    yield from _settlements(history)


def _numbers(history: History) -> Iterator[Violation]:
    """Revisions and seqs are 1, 2, 3 …"""
    seq = 0
    for place, entry in enumerate(history.entries, 1):
        if entry.rev != place:
            yield Violation("gap", history.user, f"entry {place} of the log has revision {entry.rev}", (), (entry,))
            return
        if entry.kind in EPISODES:
            seq += 1
            if entry.seq != seq:
                yield Violation("gap", history.user, f"episode {seq} of the log has seq {entry.seq}", (), (entry,))
                return


def _times(history: History) -> Iterator[Violation]:
    """What is recorded later has no earlier time, and a time that was assigned is later than all assigned before."""
    recorded, assigned = history.entries[:1], history.entries[:0]
    for entry in history.entries:
        if entry.recorded_at < recorded[-1].recorded_at:
            yield Violation("clock", history.user, "recorded_at went back", (), (recorded[-1], entry))
        recorded = [entry]
        asker = history.by_name.get(op_of(entry))
        if entry.kind not in EPISODES or asker is None or asker.asked.get("said_at") is not None:
            continue
        if assigned and entry.said_at <= assigned[-1].said_at:
            yield Violation("clock", history.user, "said_at is no later than one before", (), (assigned[-1], entry))
        assigned = [entry]


def _origins(history: History) -> Iterator[Violation]:
    """Every episode is there because an operation asked for it, and once for each idempotency key."""
    keys: dict[str, Entry] = {}
    for entry in history.episodes:
        if op_of(entry) not in history.by_name:
            yield Violation("unasked", history.user, "nobody asked for an entry of the log", (), (entry,))
        key = key_of(entry)
        if key is not None and key in keys:
            says = f"two entries were made under the idempotency key {key!r}"
            yield Violation("twice", history.user, says, (), (keys[key], entry))
        elif key is not None:
            keys[key] = entry


def _settlements(history: History) -> Iterator[Violation]:
    """A message is settled once, after it was said, by what the extractor makes of it; and in seq order."""
    last: Entry | None = None
    for seq, made in history.settlements.items():
        message = history.by_seq.get(seq)
        if message is None or message.kind is not EntryKind.MESSAGE or message.rev > made[0].rev:
            yield Violation("settled", history.user, f"what is settled as seq {seq} is no message", (), tuple(made))
            continue
        if len(made) > 1:
            says = f"message {seq} is settled {len(made)} times"
            yield Violation("settled twice", history.user, says, (), (message, *made[:2]))
        yield from _outcome(history, message, made[0])
        if made[0].kind is EntryKind.EXTRACTION and _text(message) not in history.disturbed:
            if last is not None and last.seq > seq:
                says = f"message {seq} was extracted after message {last.seq}"
                yield Violation("extraction order", history.user, says, (), (last, made[0]))
            last = made[0]


def _outcome(history: History, message: Entry, settlement: Entry) -> Iterator[Violation]:
    text = _text(message)
    if settlement.kind is EntryKind.SKIP:
        if settlement.body.get("reason") == "dismissed" and not _was_dismissed(history, message.seq):
            says = f"message {message.seq} was dismissed by nobody"
            yield Violation("unasked", history.user, says, (), (message, settlement))
        return
    if text not in history.asked_about:
        says = f"no extractor was asked about message {message.seq}"
        yield Violation("unasked", history.user, says, (), (message, settlement))
    elif list(settlement.body.get("ops", ())) != [numbered(encode_operation(one)) for one in proposals(text)]:
        says = f"the extraction of message {message.seq} is not what the extractor answered"
        yield Violation("content", history.user, says, (), (message, settlement))


def _was_dismissed(history: History, seq: int) -> bool:
    dismissals = (one for one in history.observed if one.verb == DISMISS and one.outcome != REFUSED)
    return any(one.asked.get("seq") == seq for one in dismissals)


def _text(message: Entry) -> str:
    return str(message.body.get("content", ""))

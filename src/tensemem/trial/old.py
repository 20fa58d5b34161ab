"""What another store believes, beside what holds here: its memories, read by the same extractor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..engine.outside import moment_read, text_read
from ..errors import InvalidTimeError, InvalidValueError
from ..model.fact import Fact
from ..model.operation import Message
from .collecting import cut_short, slot_key
from .findings import Contradiction, Held, OldMemory, OldStore, Side, Slot
from .lines import parsed
from .people import DEFAULT_USER
from .playing import Played
from .retelling import retold
from .surveying import APART, usable
from .values import Fault, Source

_LARGEST = 256 * 1024 * 1024
_EXPECTED = 'expected what Memory.get_all() gives: {"results": [{"memory": "…", "created_at": "…"}]}, or that list'
_LISTS = ("results", "memories", "data")
_TEXTS = ("memory", "text", "data")
_BELIEVED = frozenset({"active", "superseded", "overridden"})
"""What a fact is while nobody took it back: the old store still has the memory, so it believes it."""


@dataclass(frozen=True, slots=True)
class Note:
    """One memory of the old store."""

    id: str
    text: str
    at: datetime
    user: str | None


@dataclass(frozen=True, slots=True)
class Dump:
    """What a dump holds, and what of it could not be read."""

    file: str
    notes: tuple[Note, ...]
    faults: tuple[Fault, ...]


def read_dump(source: Source, zone: str, now: datetime) -> Dump:
    """Read a dump. Raises InvalidValueError where the file is none."""
    with source.open() as stream:
        raw = stream.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        raise InvalidValueError(f"{source.name} has more than {_LARGEST // 1024 // 1024} MiB; give a part of it")
    try:
        given = parsed(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidValueError(f"{source.name} is not UTF-8 at byte {error.start + 1}; {_EXPECTED}") from None
    except ValueError as error:
        raise InvalidValueError(f"{source.name}: {error}; {_EXPECTED}") from None
    items = given
    if isinstance(given, Mapping):
        items = next((given[key] for key in _LISTS if isinstance(given.get(key), list)), None)
    if not isinstance(items, list):
        raise InvalidValueError(f"{source.name}: {_EXPECTED}")
    notes, faults = [], []
    for place, item in enumerate(items, start=1):
        undated_at = source.written_at - (len(items) - place) * APART
        try:
            notes.append(_note(item, place, zone, now, undated_at))
        except (InvalidValueError, InvalidTimeError) as error:
            faults.append(Fault(source.name, 0, f"memory {place}: {error}"))
    return Dump(source.name, tuple(notes), tuple(faults))


def _note(item: Any, place: int, zone: str, now: datetime, undated_at: datetime) -> Note:
    if not isinstance(item, Mapping):
        raise InvalidValueError("it is no object; " + _EXPECTED)
    text = next((item[key] for key in _TEXTS if isinstance(item.get(key), str)), None)
    if text is None:
        raise InvalidValueError('it has no text under "memory"')
    raw = item.get("created_at") or item.get("updated_at")
    at = usable(moment_read(raw, zone), now) if isinstance(raw, (str, int, float)) else None
    user = item.get("user_id")
    own = str(user) if isinstance(user, (str, int)) and not isinstance(user, bool) else None
    return Note(cut_short(str(item.get("id", place))), text_read(text), at or undated_at, own)


class OldReading:
    """Has the notes of a dump read in a memory of their own, and compares what they say."""

    def __init__(self, dump: Dump, played: Played, users: Sequence[str], only: str | None) -> None:
        self._dump, self._played = dump, played
        named = {note.user for note in dump.notes if note.user is not None}
        # Two stores rarely call a person alike: where each knows one only, they are the same.
        alone = only or (users[0] if len(users) == 1 else next(iter(named)) if len(named) == 1 else None)
        self._one = alone if len(named) <= 1 and (only or len(users) <= 1) else None
        self._only = only
        self._default = alone or DEFAULT_USER
        self._users: dict[int, str] = {}

    def read(self) -> None:
        """Have every note extracted as a message of its user; one that says nothing so is told in the first person."""
        places = [place for place, note in enumerate(self._dump.notes) if self._is_wanted(place, note)]
        self._add(places, {})
        spoken = {int(self._played.place_of(user, seq)) for user, seq in self._played.with_operations}
        told = {
            place: text for place in places
            if place not in spoken and (text := retold(self._dump.notes[place].text)) is not None
        }  # fmt: skip
        if told and not self._played.stopped:
            self._played.to_read += len(told)
            self._add(list(told), told)

    def _is_wanted(self, place: int, note: Note) -> bool:
        user = self._one or note.user or self._default
        self._users[place] = user
        return self._only is None or self._only == user

    def _add(self, places: Sequence[int], told: Mapping[int, str]) -> None:
        def messages() -> Iterator[tuple[Message, str]]:
            for place in places:
                note = self._dump.notes[place]
                # A session each: what stands beside a note in the store was not said beside it.
                content, session = told.get(place, note.text), f"{place}{'t' if told else ''}"
                yield Message(self._users[place], content, said_at=note.at, session_id=session), str(place)

        self._played.play(messages())

    def compared(self, ours: Sequence[Slot], *, has_chats: bool) -> OldStore:
        """Give what the old store believes beside ours; without chats, beside its own notes in the order of time."""
        believed = self._believed()
        known = {slot_key(slot.user, slot.subject, slot.predicate): slot for slot in ours}
        beside = self._beside(believed, known, has_chats=has_chats)
        verdicts: dict[str, int] = {}
        for one in beside:
            verdicts[one.verdict] = verdicts.get(one.verdict, 0) + 1
        read = sum(one.verdict != "unread" for one in beside)
        contradictions = tuple(self._contradictions(believed, beside, known))
        return OldStore(
            self._dump.file, len(beside), read, self._dump.faults, verdicts, contradictions, tuple(beside)
        )

    def _believed(self) -> list[tuple[str, Fact, tuple[int, ...]]]:
        """Give every fact that was read in the notes: of whom, and from which notes."""
        found = []
        for scope in self._played.scopes():
            user = scope.user_id
            for fact in self._played.history(user):
                places = (int(place) for one in fact.evidence if (place := self._played.place_of(user, one.seq)))
                found.append((user, fact, tuple(dict.fromkeys(places))))
        return found

    def _beside(
        self, believed: Sequence[tuple[str, Fact, tuple[int, ...]]], known: Mapping[Any, Slot], *, has_chats: bool
    ) -> list[OldMemory]:
        first: dict[int, tuple[str, Fact]] = {}
        for user, fact, places in believed:
            for place in places:
                first.setdefault(place, (user, fact))
        own = self._own_slots(believed)
        found = []
        for place, user in self._users.items():
            if self._only is not None and self._only != user:
                continue
            note = self._dump.notes[place]
            spoken = first.get(place)
            if spoken is None:
                found.append(OldMemory(note.id, cut_short(note.text), user, note.at, "", "", "", "unread", ""))
                continue
            fact = spoken[1]
            key = slot_key(user, fact.subject, fact.predicate)
            verdict, ours = _verdict(fact, known.get(key) if has_chats else None, None if has_chats else own.get(key))
            found.append(
                OldMemory(
                    note.id, cut_short(note.text), user, note.at, fact.subject, fact.predicate, fact.object, verdict,
                    ours,
                )
            )  # fmt: skip
        return found

    def _own_slots(self, believed: Sequence[tuple[str, Fact, tuple[int, ...]]]) -> dict[Any, list[tuple[str, str]]]:
        found: dict[Any, list[tuple[str, str]]] = {}
        for user, fact, _ in believed:
            key = slot_key(user, fact.subject, fact.predicate)
            found.setdefault(key, []).append((fact.object, fact.status.value))
        return found

    def _contradictions(
        self, believed: Sequence[tuple[str, Fact, tuple[int, ...]]], beside: Sequence[OldMemory],
        known: Mapping[Any, Slot],
    ) -> Iterator[Contradiction]:  # fmt: skip
        single = {one.name for one in self._played.mem.predicates() if one.cardinality == "one"}
        by_place = dict(zip((p for p, u in self._users.items() if self._only in (None, u)), beside, strict=True))
        slots: dict[Any, dict[str, tuple[Fact, dict[int, OldMemory]]]] = {}
        for user, fact, places in believed:
            if fact.predicate in single and fact.status.value in _BELIEVED and places:
                values = slots.setdefault(slot_key(user, fact.subject, fact.predicate), {})
                _, memories = values.setdefault(fact.object, (fact, {}))
                memories.update({place: by_place[place] for place in places if place in by_place})
        for key, values in slots.items():
            if len(values) < 2:
                continue
            facts = [fact for fact, _ in values.values()]
            sides = tuple(Side(value, tuple(memories.values())) for value, (_, memories) in values.items())
            holds, because = _holding(known.get(key), facts)
            yield Contradiction(key[0], facts[0].subject, facts[0].predicate, sides, holds, because)


def _verdict(fact: Fact, slot: Slot | None, own: Sequence[tuple[str, str]] | None) -> tuple[str, str]:
    """Give how a memory stands beside what is known, and what that is now."""
    shown = [(held.text, held.status) for held in slot.facts] if slot is not None else list(own or ())
    now = [text for text, status in shown if status == "active"]
    ours = ", ".join(now)
    if fact.object in now:
        return "agrees", ours
    if any(text == fact.object for text, _ in shown):
        return "outdated", ours
    is_single = slot is not None and slot.cardinality == "one"
    return ("differs" if now and is_single else "alone"), ours


def _holding(slot: Slot | None, facts: Sequence[Fact]) -> tuple[str, str]:
    """Give what holds in a slot: by the chats, else by the newest of the memories themselves."""
    now: Held | None = slot.now[0] if slot is not None and slot.now else None
    if now is not None:
        quote = now.quotes[-1] if now.quotes else None
        return now.text, f"“{quote.text}” ({quote.where})" if quote else "your chats"
    shown = next((fact for fact in facts if fact.status.value == "active"), None)
    if shown is None:
        return "", "none of them holds any more"
    return shown.object, f"the newest of these memories, of {shown.last_evidence_at:%Y-%m-%d}"

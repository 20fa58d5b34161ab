"""Full-text search over facts and episodes, current ones first.

The index is a projection too: it is brought up to the log when it is asked, so that no write pays for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..core.admission import Ruling, has_slot
from ..core.erasing import has_text
from ..core.findings import raw_values
from ..core.forgotten import Forgotten
from ..core.ids import format_id, parse_id
from ..core.registry import Registry
from ..core.rulings import rulings_of
from ..core.shape import history_of
from ..core.text import query_terms, search_terms
from ..errors import InvalidValueError, UnknownFactError
from ..model.claim import Amendment, Correction, Outcome, Reinstatement
from ..model.entry import Entry, EntryKind
from ..model.fact import Fact, FactStatus
from ..model.items import Items
from ..model.moment import to_datetime
from ..model.results import SearchHit
from ..model.scope import Scope
from ..ports import Head, Reader, Writer
from . import rows
from .contexts import scores_of
from .core import Engine, described
from .history import folds_of
from .reproject import newest_extraction, open_known
from .rules import forgotten_in
from .state import Snapshot, items_in

CANDIDATES = 200
"""How many matches of the index are looked at for one search."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """How much of what is found is wanted."""

    limit: int = 10
    after: str | None = None
    include_history: bool = True


def search(engine: Engine, scope: Scope, query: str, page: SearchPage) -> Items[SearchHit]:
    """Give facts and episodes that hold the query's words; what is true now comes first.

    Nothing in the query is read as syntax. ``after`` is the ``text`` cursor of the last hit: its fact id or seq.
    """
    if not isinstance(query, str):
        raise InvalidValueError("query must be text")
    if not isinstance(page.limit, int) or isinstance(page.limit, bool) or page.limit < 1:
        raise InvalidValueError("limit must be an integer of 1 or more")
    terms = query_terms(query)
    if terms and not engine.store.read_only:
        catch_up(engine, scope)

    def read(snapshot: Snapshot) -> list[SearchHit]:
        if not terms:
            return []
        return [_marked(snapshot, hit) for hit in _page(_search(snapshot, query, terms, page), page)]

    return items_in(engine, scope, read)


def _marked(snapshot: Snapshot, hit: SearchHit) -> SearchHit:
    """Mark a message from which something was corrected; looked up only for what is given out."""
    return replace(hit, corrected=True) if hit.seq is not None and is_corrected(snapshot, hit.seq, {}) else hit


def _page(found: list[SearchHit], page: SearchPage) -> list[SearchHit]:
    if page.after is None:
        return found[: page.limit]
    keys = [cursor_of(hit) for hit in found]
    if page.after not in keys:
        raise UnknownFactError(f"after={described(page.after)} is not a hit of this search")
    first = keys.index(page.after) + 1
    return found[first : first + page.limit]


def cursor_of(hit: SearchHit) -> str:
    """Give what ``after=`` takes to go on behind a hit."""
    return hit.fact.id if hit.fact is not None else str(hit.seq)


def catch_up(engine: Engine, scope: Scope) -> None:
    """Index what was appended since the last search of this scope."""
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is None or reader.indexed_rev(head.id) >= head.rev:
            return
    with engine.store.write() as tx:
        found = open_known(engine, tx, scope)
        if found is None:
            return
        head, registry = found
        after = tx.indexed_rev(head.id)
        texts: list[tuple[str, str]] = []
        forgotten = forgotten_in(tx, head)
        for entry in tx.entries(head.id, after):
            texts += texts_of(tx, head, entry, registry, forgotten)
        tx.index(head.id, texts, head.rev)


def references_in(entry: Entry) -> list[str]:
    """Give the references of all texts that an entry may have in the index."""
    references = [f"c:{entry.seq}-{entry.extraction}-{number}" for number in range(len(entry.body.get("ops", ())))]
    if entry.kind is EntryKind.MESSAGE:
        references.append(f"e:{entry.seq}")
    elif entry.kind is EntryKind.CORRECTION:
        references.append(f"c:{entry.seq}-0-0")
    return references


def index_again(tx: Writer, head: Head, registry: Registry, entries: Sequence[Entry], gone: Sequence[str]) -> int:
    """Take texts out of the index by their references, and put in what some entries still say; gives how many went."""
    dropped = tx.drop_texts(head.id, gone)
    upto, rules = tx.indexed_rev(head.id), forgotten_in(tx, head)
    texts: list[tuple[str, str]] = []
    for entry in entries:
        if entry.rev <= upto and entry.kind is not EntryKind.ERASURE:
            texts += texts_of(tx, head, entry, registry, rules)
    if texts:
        tx.index(head.id, texts, upto)
    return dropped - len(dict(texts))


def texts_of(
    tx: Reader, head: Head, entry: Entry, registry: Registry, forgotten: Forgotten | None
) -> list[tuple[str, str]]:
    """Give what an entry adds to the index: a message's words, or the values its operations state."""
    if entry.kind is EntryKind.MESSAGE and has_text(entry):
        return [(f"e:{entry.seq}", " ".join(search_terms(str(entry.body.get("content", "")))))]
    if entry.kind is EntryKind.CORRECTION and "new" in entry.body:
        value = entry.body["new"].get("value")
        return [(f"c:{entry.seq}-0-0", " ".join(search_terms(f"{entry.body['predicate']} {value}".replace("_", " "))))]
    message = tx.episode(head.id, entry.seq) if entry.kind is EntryKind.EXTRACTION else None
    if entry.kind is EntryKind.WRITE or message is not None:
        rulings = rulings_of(entry, message, registry, forgotten)
        # What was refused is found by the words of its message; where those are gone, by its own.
        has_words = message is None or has_text(message)
        pairs = zip(rulings, entry.body.get("ops", ()), strict=True)
        return [
            _claim_text(ruling, registry, () if has_words else raw_values(operation))
            for ruling, operation in pairs
            if ruling.claim.outcome is not Outcome.REFUSED or (not has_words and has_slot(ruling))
        ]
    return []


def _claim_text(ruling: Ruling, registry: Registry, raw: Sequence[object]) -> tuple[str, str]:
    """Give the words of a claim: its names, and its values under all the names they go by."""
    claim = ruling.claim
    held = [*(value for _, value in claim.parts), *([claim.value] if claim.value else [])]
    values = [name for one in held for name in (str(one.stored), *registry.names_of(one.key))]
    values += [str(value) for value in raw if claim.outcome is Outcome.REFUSED]
    words = " ".join([ruling.subject, ruling.predicate, *values]).replace("_", " ")
    return f"c:{claim.id.seq}-{claim.id.extraction}-{claim.id.number}", " ".join(search_terms(words))


def _search(snapshot: Snapshot, query: str, terms: Sequence[str], page: SearchPage) -> list[SearchHit]:
    head, reader = snapshot.head, snapshot.reader
    if head is None:
        return []
    if reader.indexed_rev(head.id) < head.rev:
        refs = _scan(snapshot, terms)
    else:
        refs = reader.search(head.id, terms, CANDIDATES)
    facts = _facts_of(snapshot, [ref for ref, _ in refs if ref.startswith("c:")])
    if not page.include_history:
        facts = [fact for fact in facts if fact.status is FactStatus.ACTIVE]
    scores = scores_of(query, facts, snapshot.registry)
    hits = [SearchHit("fact", round(_weight(fact) + scores.get(fact.id, 0.0), 6), str(fact), fact) for fact in facts]
    episodes = [(int(ref[2:]), score) for ref, score in refs if ref.startswith("e:")]
    best = max((score for _, score in episodes), default=1.0) or 1.0
    hits += [_episode_hit(reader, head, seq, score / best) for seq, score in episodes]
    return sorted(hits, key=lambda hit: (-hit.score, cursor_of(hit)))


def _weight(fact: Fact) -> float:
    """What is true now comes first, then what waits, then messages, then what is past."""
    if fact.status is FactStatus.ACTIVE:
        return 3.0
    if fact.status in (FactStatus.SCHEDULED, FactStatus.PLANNED, FactStatus.CANDIDATE):
        return 2.0
    return 0.5


def _episode_hit(reader: Reader, head: Head, seq: int, share: float) -> SearchHit:
    entry = reader.episode(head.id, seq)
    assert entry is not None
    return SearchHit(
        "episode", round(1.0 + share, 6), str(entry.body.get("content", "")), None, seq, to_datetime(entry.said_at),
        str(entry.body.get("role", "user")),
    )  # fmt: skip


def is_corrected(snapshot: Snapshot, seq: int, known: dict[int, Sequence[Amendment]]) -> bool:
    """Tell whether a fact that rests on a message was corrected; ``known`` keeps what was read of each slot."""
    head, reader = snapshot.head, snapshot.reader
    assert head is not None
    for slot in {row.slot for row in reader.claims_of(head.id, seq)}:
        if slot not in known:
            known[slot] = [rows.amendment_of(row) for row in reader.claims(head.id, slot) if rows.is_amendment(row)]
        taken_back = {amendment.corrects for amendment in known[slot] if isinstance(amendment, Reinstatement)}
        for amendment in known[slot]:
            if isinstance(amendment, Correction) and amendment.seq not in taken_back and _says_wrong(amendment, seq):
                return True
    return False


def _says_wrong(correction: Correction, seq: int) -> bool:
    """Tell whether a correction took back what a message said; one that only moves its times did not."""
    new = correction.replacement
    is_same_value = new is not None and new.value is not None and correction.value is not None
    if is_same_value and new is not None and new.key == correction.value.key:  # type: ignore[union-attr]
        return False
    return any(id.seq == seq for id in correction.shown)


def _facts_of(snapshot: Snapshot, refs: Iterable[str]) -> list[Fact]:
    """Give the facts that matching claims support, each once."""
    head, reader = snapshot.head, snapshot.reader
    assert head is not None
    wanted: dict[int, set[str]] = {}
    for ref in refs:
        seq, extraction, number = (int(part) for part in ref[2:].split("-"))
        for row in reader.claims_of(head.id, seq):
            if (row.extraction, row.number) == (extraction, number):
                wanted.setdefault(row.slot, set()).add(f"{snapshot.scope.tag}-{seq}-{extraction}-{number}")
    found: dict[str, Fact] = {}
    for slot_id, ids in wanted.items():
        slot = reader.slot_by_id(head.id, slot_id)
        if slot is None:
            continue
        for shaper, fold, claims in folds_of(snapshot, slot.predicate, slot.subject):
            for fact in history_of(fold, shaper, claims):
                if ids & {_whole(id) for id in (fact.id, *fact.claim_ids)}:
                    found.setdefault(fact.id, fact)
    return list(found.values())


def _whole(id: str) -> str:
    """Give the id of the statement a claim is part of."""
    reference = parse_id(id)
    return id if reference is None else format_id(reference.tag, reference.claim._replace(part=0))


def _scan(snapshot: Snapshot, terms: Sequence[str]) -> list[tuple[str, float]]:
    """Look through the log itself, where a read-only memory finds the index behind."""
    head, reader = snapshot.head, snapshot.reader
    assert head is not None
    found: list[tuple[str, float]] = []
    asked, forgotten = set(terms), snapshot.forgotten
    for entry in reader.entries(head.id):
        for ref, words in _scanned(snapshot, entry, forgotten):
            share = len(asked & set(words.split()))
            if share:
                found.append((ref, float(share)))
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:CANDIDATES]


def _scanned(snapshot: Snapshot, entry: Entry, forgotten: Forgotten | None) -> list[tuple[str, str]]:
    head = snapshot.head
    assert head is not None
    if entry.kind is EntryKind.EXTRACTION:
        newest = newest_extraction(snapshot.reader, head.id, entry.seq)
        if newest is None or newest.rev != entry.rev:
            return []
    return texts_of(snapshot.reader, head, entry, snapshot.registry, forgotten)

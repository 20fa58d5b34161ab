"""What the extractor must know of a language: one table each, and nothing of it in code.

A table (``languages/en.py`` and its neighbours) is a plain ``Language``; whoever needs another one writes such a file
and hands it to ``OfflineExtractor(languages=[…])``. Every entry is a phrase, commas between phrases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...core.relations import ALWAYS, MY_UNSPACED, POSSESSED
from .tokens import Token, tokens_of

EFFECTS = (
    "not", "never", "ended", "used", "planned", "wish", "doubt", "perfect", "doing", "did", "only", "pastperfect",
    "visit", "untrue", "since",
)  # fmt: skip
"""What a mark may do to the statement it stands in; ``decide`` says what follows."""

Phrases = Mapping[str, "list[tuple[tuple[str, ...], str]]"]
"""First word → (all words, what the phrase stands for), the longest first."""


@dataclass(frozen=True)
class Language:
    """One language as a table.

    ``marks`` gives phrases that change what a statement means, by effect; ``fillers`` those that change nothing; both
    may stand in the gaps of an example. ``openers`` may stand before a statement. ``blocks`` turn what follows them in
    the sentence into no statement, ``voids`` all of their sentence, ``scenes`` the rest of the message. ``tails`` do so
    from behind: they take back what stands before them; ``takebacks`` only where they stand alone behind a pause.
    A negation that reaches only a word of ``scopes``, a part of a place (``parts``) or, unless something ended, one of
    ``reasons``, takes nothing away. ``stops`` end a value, ``empties`` can't begin one.
    ``alike`` lists words that stand for others in an example (``a=an``). ``verbs`` has rows of forms in the order of
    ``columns``; ``regular`` makes the rows of verbs that are not listed.
    """

    code: str
    unspaced: bool = False
    words: str = ""
    me: str = ""
    my: str = ""
    group: str = ""
    bare: str = ""
    near: str = ""
    possessive: str = ""
    fillers: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    openers: str = ""
    conjunctions: str = ""
    resets: str = ""
    strangers: str = ""
    during: str = ""
    joiners: str = ""
    articles: str = ""
    stops: str = ""
    empties: str = ""
    connectors: str = ""
    followers: str = ""
    blocks: str = ""
    voids: str = ""
    scenes: str = ""
    jokes: str = ""
    tails: str = ""
    courtesies: str = ""
    scopes: str = ""
    parts: str = ""
    reasons: str = ""
    takebacks: str = ""
    asks: str = ""
    speech: str = ""
    drops_subject: bool = False
    verb_second: bool = False
    nouns_are_capital: bool = False
    reflexive: tuple[str, str] | None = None
    columns: tuple[str, ...] = ()
    verbs: str = ""
    regular: tuple[tuple[str, tuple[str, ...]], ...] = ()
    changes: str = ""
    numbers: str = ""
    alike: str = ""

    @cached_property
    def skips(self) -> Phrases:
        """Fillers (standing for ``""``) and marks (for their effect)."""
        rows = [(phrase, "") for phrase in _phrases(self.fillers)]
        rows += [(phrase, effect) for effect, table in self.marks.items() for phrase in _phrases(table)]
        return _by_first(rows)

    @cached_property
    def opening(self) -> Phrases:
        """What may stand before a statement."""
        return _by_first([(phrase, "") for phrase in _phrases(f"{self.openers}, {self.conjunctions}")])

    @cached_property
    def turns(self) -> Phrases:
        """What ends the reach of a block: "but"."""
        return _by_first([(phrase, "") for phrase in _phrases(self.resets)])

    @cached_property
    def beginnings(self) -> Phrases:
        """Conjunctions after which a clause may begin."""
        return _by_first([(phrase, "") for phrase in _phrases(self.conjunctions)])

    @cached_property
    def gates(self) -> Phrases:
        """Blocks and voids, each by its name."""
        tables = {"block": self.blocks, "void": self.voids}
        return _by_first([(phrase, name) for name, table in tables.items() for phrase in _phrases(table)])

    @cached_property
    def scenic(self) -> Phrases:
        """What makes a play of the rest of the message."""
        return _by_first([(phrase, "") for phrase in _phrases(self.scenes)])

    @cached_property
    def joking(self) -> Phrases:
        """What takes back as a joke whatever else the message says."""
        return _by_first([(phrase, "") for phrase in _phrases(self.jokes)])

    @cached_property
    def behind(self) -> Phrases:
        """Tails (``untrue``) and the courtesies that look like one (``""``)."""
        rows = [(phrase, "untrue") for phrase in _phrases(self.tails)]
        return _by_first([*rows, *((phrase, "") for phrase in _phrases(self.courtesies))])

    @cached_property
    def scoping(self) -> Phrases:
        """What a negation may reach in the place of the statement, each by the name of its field."""
        tables = {"scope": self.scopes, "part": self.parts, "reason": self.reasons}
        return _by_first([(phrase, name) for name, table in tables.items() for phrase in _phrases(table)])

    @cached_property
    def retracting(self) -> Phrases:
        """What takes a statement back where it stands alone behind a pause."""
        return _by_first([(phrase, "") for phrase in _phrases(self.takebacks)])

    @cached_property
    def stopping(self) -> Phrases:
        """What ends a value: stops, fillers that trail, marks."""
        return _by_first([(phrase, "") for phrase in _phrases(self.stops)])

    @cached_property
    def following(self) -> Phrases:
        """What may follow a name, so that the name is known to end before it."""
        return _by_first([(phrase, "") for phrase in _phrases(f"{self.followers}, {self.stops}")])

    @cached_property
    def relations(self) -> Phrases:
        """Words for people around the speaker → the relation's slug; after a possessive."""
        return _by_first([(tuple(_split(word)), slug) for word, slug in POSSESSED.items() if word])

    @cached_property
    def bare_relations(self) -> Phrases:
        """Words that stand for a relation without a possessive: "mum"."""
        return _by_first(
            [(phrase, ALWAYS[("" if self.unspaced else " ").join(phrase)]) for phrase in _phrases(self.bare)]
        )

    @cached_property
    def words_of(self) -> Mapping[str, frozenset[str]]:
        """The plain word lists by the name of their field."""
        names = (
            "words", "me", "my", "group", "near", "joiners", "articles", "empties", "connectors", "asks", "speech",
            "conjunctions", "strangers", "during",
        )  # fmt: skip
        return {name: frozenset(word for phrase in _phrases(getattr(self, name)) for word in phrase) for name in names}

    @cached_property
    def unspaced_my(self) -> tuple[tuple[str, ...], ...]:
        """Possessives of an unspaced script, the longest first: 我们, 我家, 我."""
        return tuple(tuple(word) for word in MY_UNSPACED)

    @cached_property
    def number_words(self) -> Mapping[str, int]:
        """Number words → numbers."""
        pairs = (item.split("=") for item in self.numbers.split())
        return {word: int(number) for word, number in pairs}

    @cached_property
    def same_words(self) -> Mapping[str, tuple[str, ...]]:
        """A word of an example → others that it means as well: the other gender, article or spelling."""
        pairs = (item.split("=") for item in self.alike.split())
        return {word: tuple(others.split("|")) for word, others in pairs}

    @cached_property
    def change_verbs(self) -> frozenset[str]:
        """Forms of verbs of change, by which a present tense speaks of what is to come."""
        return frozenset(self.changes.split())

    @cached_property
    def verb_rows(self) -> Mapping[str, tuple[dict[str, frozenset[str]], ...]]:
        """Each listed form → the forms of its verbs, with their tags."""
        found: dict[str, list[dict[str, frozenset[str]]]] = {}
        for row in self.verbs.split("\n"):
            cells = row.split()
            if cells:
                forms = _forms(self.columns, cells)
                for form in forms:
                    found.setdefault(form, []).append(forms)
        return {form: tuple(rows) for form, rows in found.items()}

    def forms_of(self, word: str) -> dict[str, frozenset[str]]:
        """Give every form of the verb a word is a form of, with its tags; the word alone where no rule fits."""
        rows = self.verb_rows.get(word)
        if rows:
            merged: dict[str, frozenset[str]] = {}
            for forms in rows[:1]:
                merged.update(forms)
            return merged
        for suffix, endings in self.regular:
            if word.endswith(suffix) and len(word) > len(suffix) + 1:
                stem = word[: len(word) - len(suffix)]
                cells = ["/".join(_inflected(stem, ending) for ending in cell.split("/")) for cell in endings]
                return _forms(self.columns, cells)
        return {word: frozenset({"present1", "present3"})}

    def knows_verb(self, word: str) -> bool:
        """Whether a word is a listed form of a verb."""
        return word in self.verb_rows


def _inflected(stem: str, ending: str) -> str:
    return ending.replace("~", stem) if "~" in ending else stem + ending


def _forms(columns: Sequence[str], cells: Sequence[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for column, cell in zip(columns, cells, strict=True):
        for form in cell.split("/"):
            if form != "-":
                found.setdefault(form, set()).update(column.split("+"))
    return {form: frozenset(tags) for form, tags in found.items()}


def _split(phrase: str) -> list[str]:
    return [token.low for token in tokens_of(phrase) if token.kind != "|"]


def _phrases(table: str) -> Iterator[tuple[str, ...]]:
    for phrase in table.replace("\n", " ").split(","):
        words = tuple(_split(phrase.strip())) if phrase.strip() else ()
        if words:
            yield words


def _by_first(rows: Iterable[tuple[tuple[str, ...], str]]) -> Phrases:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for words, meaning in rows:
        found.setdefault(words[0], []).append((words, meaning))
    for row in found.values():
        row.sort(key=lambda each: -len(each[0]))
    return found


def phrase_at(phrases: Phrases, tokens: Sequence[Token], place: int) -> tuple[int, str] | None:
    """Give (where it ends, what it stands for) of the longest phrase that begins at a place, or None."""
    if place >= len(tokens):
        return None
    rows = phrases.get(tokens[place].low)
    if rows is None:
        return None
    for words, meaning in rows:
        if len(words) == 1:
            return place + 1, meaning
        stop = place + len(words)
        if stop <= len(tokens) and all(tokens[place + at].low == word for at, word in enumerate(words)):
            return stop, meaning
    return None

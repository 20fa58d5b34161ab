"""The run: every conversation is played, every question put to every system, every answer judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import product
from math import inf
from typing import Any

from ..core.text import FoldedText
from ..core.tokens import estimate_tokens
from ..errors import InvalidValueError
from ..extract.calling import CallableExtractor, as_extractor
from .baselines import LastWriteWins, Retrieval, Transcript
from .cases import Ask, AsOf, Check, Conversation, Current, Never, Past, Span, Told
from .extracting import SCRIPTED
from .judging import Names, any_stands_in, as_text, as_values
from .playing import Manner, Order, Pace, Player
from .report import HARM, Failure, Report, SystemReport, Tally
from .subject import Subject
from .systems import Answer, Baseline

_ORDERS: tuple[Order, ...] = ("written", "shuffled")
_PACES: tuple[Pace, ...] = ("single", "burst")
EVERY_MANNER = tuple(Manner(order, pace, wait) for wait, pace, order in product((True, False), _PACES, _ORDERS))
"""Waiting and not, one by one and in bursts, in order and shuffled; the plain one first."""

Progress = Callable[[int, int], None]


def run(
    conversations: Iterable[Conversation],
    *,
    extractor: Any = None,
    manner: Manner | None = None,
    categories: Sequence[str] = (),
    limit: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Play conversations and give the figures of every system.

    ``extractor`` is an object or a callable as Memory takes it; None plays the script of each conversation.
    ``categories`` names those that are played; ``limit`` is at most how many conversations. ``progress`` is called
    with how many are done and how many there are. Raises InvalidValueError where nothing is left to play, and what the
    extractor raises.
    """
    chosen = _chosen(tuple(conversations), categories, limit)
    with _asked_once(extractor) as asked:
        bench = _Bench(asked, manner or Manner())
        for done, conversation in enumerate(chosen):
            if progress is not None:
                progress(done, len(chosen))
            bench.play(conversation)
        return bench.report(len(chosen))


@contextmanager
def _asked_once(extractor: Any) -> Iterator[CallableExtractor | None]:
    """Give one way to call an extractor for the whole run, so that what it awaits runs in one event loop."""
    asked = None if extractor is None else as_extractor(extractor)
    try:
        yield asked
    finally:
        if asked is not None and asked is not extractor:
            asked.close()


def same_figures(reports: Sequence[Report]) -> bool:
    """Tell whether the memory has the same figures in several reports, in every category."""
    documents = [report.systems[0].document() for report in reports]
    for document in documents:
        del document["asked"]  # what was known when is asked in one manner only
    return all(document == documents[0] for document in documents)


def _chosen(
    conversations: Sequence[Conversation], categories: Sequence[str], limit: int | None
) -> Sequence[Conversation]:
    known = sorted({one.category for one in conversations})
    unknown = [name for name in categories if name not in known]
    if unknown:
        raise InvalidValueError(f"there is no category {unknown[0]!r}; there are {', '.join(known)}")
    found = [one for one in conversations if not categories or one.category in categories]
    if not found[:limit]:
        raise InvalidValueError("there is no conversation to play")
    return found[:limit]


class _Bench:
    """Keeps the counts of a run."""

    def __init__(self, extractor: CallableExtractor | None, manner: Manner) -> None:
        self._extractor = extractor
        self._manner = manner
        self._tallies: dict[str, Tally] = {}
        self._notes: dict[str, Mapping[str, str]] = {Subject.name: {}}
        self._failures: list[Failure] = []
        self._rebuilds = [0, 0]
        self._missed = 0

    def play(self, conversation: Conversation) -> None:
        baselines: list[Baseline] = [Transcript(), Retrieval(), LastWriteWins(conversation)]
        player = Player(conversation, self._extractor, baselines, self._manner)
        for name in (player.subject.name, *(baseline.name for baseline in baselines)):
            self._tallies.setdefault(name, Tally()).cases[conversation.category] += 1
        self._notes |= {baseline.name: baseline.notes for baseline in baselines}
        sheet = _Sheet(player, self)
        player.play(sheet.ask, sheet.glance)
        self._missed += len(player.missed)
        self._rebuilds[0] += player.subject.rebuilds
        self._rebuilds[1] += player.subject.identical

    def is_asked(self, check: Check) -> bool:
        """Tell whether a question makes sense in this manner: what was known when depends on when it was heard."""
        return self._manner.is_plain or not (isinstance(check, AsOf) and check.known_at is not None)

    def count(self, system: str, category: str, figure: str, amount: float) -> None:
        self._tallies[system].count(category, figure, amount)

    def fail(self, failure: Failure) -> None:
        self._failures.append(failure)

    def report(self, cases: int) -> Report:
        name = SCRIPTED if self._extractor is None else self._extractor.name
        systems = tuple(self._system(name, tally) for name, tally in self._tallies.items())
        return Report(
            cases, name, str(self._manner), systems, tuple(self._failures), self._rebuilds[0], self._rebuilds[1],
            self._missed,
        )  # fmt: skip

    def _system(self, name: str, tally: Tally) -> SystemReport:
        categories = sorted(tally.cases)
        by_category = {one: tally.figures([one]) for one in categories}
        return SystemReport(name, tally.figures(categories), by_category, self._notes[name])


class _Sheet:
    """Puts the questions of one conversation to all its systems and judges what they answer."""

    def __init__(self, player: Player, bench: _Bench) -> None:
        self._player = player
        self._bench = bench
        self._conversation = player.conversation
        self._names = Names(player.conversation.entities)

    def glance(self) -> None:
        """Look while a message waits: who lacks it must not claim to be current."""
        self._look(is_settled=False)

    def ask(self, step: Ask) -> None:
        """Put the questions of a step to every system."""
        self._look(is_settled=self._player.subject.is_settled)
        for check in filter(self._bench.is_asked, step.checks):
            self._put(check)

    def _put(self, check: Check) -> None:
        systems: list[Subject | Baseline] = [self._player.subject, *self._player.baselines]
        for system in systems:
            match check:
                case Current():
                    self._current(system, check)
                case Past():
                    self._past(system, check)
                case AsOf():
                    self._as_of(system, check)
                case Never():
                    self._never(system, check)
                case Told():
                    self._told(system, check)

    def _look(self, *, is_settled: bool) -> None:
        """Ask every system whether it is current. One that never says so is of no use either."""
        subject = self._player.subject
        when = "nothing waits" if is_settled else "a message waits"
        said, wanted = (("current" if one else "not current") for one in (subject.claims_current, is_settled))
        self._mark(subject.name, "freshness_honesty", said == wanted, when, wanted, said)
        for baseline in self._player.baselines:
            wanted = "not current" if baseline.is_behind else "current"
            self._mark(baseline.name, "freshness_honesty", wanted == "current", when, wanted, "current")

    def _current(self, system: Subject | Baseline, check: Current) -> None:
        question = check.question or self._conversation.questions[check.predicate]
        answer = system.current(check, question)
        figure = "correction_durability" if check.corrected else "current_state_accuracy"
        is_right = self._is_right(answer, check)
        if is_right and check.corrected and isinstance(system, Subject):
            system.rebuild()
            answer = system.current(check, question)
            is_right = self._is_right(answer, check)
        asked = _words_of(check)
        if is_right is not None:
            self._mark(system.name, figure, is_right, asked, _expected(check), _given(answer, check))
        if check.stale:
            leaked = self._leaked(answer, check)
            self._mark(system.name, "stale_fact_leak_rate", not leaked, asked, "nothing stale", ", ".join(leaked))
        self._count_tokens(system, answer.text)

    def _is_right(self, answer: Answer, check: Current) -> bool | None:
        """Tell whether an answer is the one expected; None where a system can't be asked such a thing."""
        if answer.values is None:
            return None if check.corrected else self._can_be_read(answer.text, check)
        marks = (
            check.contested in (None, answer.contested),
            check.held is None or self._names.same(check.held, answer.held),
            check.planned is None or self._names.same(check.planned, answer.planned),
        )
        return self._names.same(check.value, answer.values) and all(marks)

    def _can_be_read(self, text: str, check: Current) -> bool | None:
        """Tell whether a text has the values that are asked for; for none: nothing that would mislead."""
        if self._conversation.type_of(check.predicate) not in ("text", "entity"):
            return None
        folded = FoldedText(text)
        if check.value is None:
            return not any_stands_in(self._names, check.stale, folded) if check.stale else None
        return all(self._names.stands_in(value, folded) for value in as_values(check.value))

    def _leaked(self, answer: Answer, check: Current) -> list[str]:
        """Give the stale values that are given as current, or stand in the text."""
        shown, text = {self._names.key(value) for value in answer.values or ()}, FoldedText(answer.text)
        found = [one for one in check.stale if self._names.key(one) in shown or self._names.stands_in(one, text)]
        return [as_text(value) for value in found]

    def _past(self, system: Subject | Baseline, check: Past) -> None:
        given = system.past(check)
        if given is not None:
            is_right = self._timeline(check.spans) == self._timeline(given)
            expected, told = (", ".join(map(_span_text, spans)) for spans in (check.spans, given))
            self._mark(system.name, "history_accuracy", is_right, _words_of(check), expected, told)

    def _timeline(self, spans: Iterable[Span]) -> list[tuple[str, float, float]]:
        """Give stretches as what can be compared; which of several values of one moment comes first is no matter."""
        return sorted((self._names.key(one.value), _edge(one.start, -inf), _edge(one.end, inf)) for one in spans)

    def _as_of(self, system: Subject | Baseline, check: AsOf) -> None:
        given = system.as_of(check)
        if given is not None:
            is_right = self._names.same(check.value, given)
            self._mark(system.name, "as_of_accuracy", is_right, _words_of(check), _listed(check.value), _listed(given))

    def _never(self, system: Subject | Baseline, check: Never) -> None:
        became_fact = system.ever(check)
        if became_fact is None:
            if check.value is None:
                return
            became_fact = self._names.stands_in(check.value, FoldedText(system.told("")))
        self._mark(system.name, "contamination_rate", not became_fact, _words_of(check), "no such fact", "a fact")

    def _told(self, system: Subject | Baseline, check: Told) -> None:
        text = system.told(check.question)
        folded = FoldedText(text)
        if check.has:
            has_all = all(self._names.stands_in(one, folded) for one in check.has)
            self._mark(system.name, "current_state_accuracy", has_all, "the text for a prompt", str(check.has), text)
        if check.lacks:
            is_free = not any_stands_in(self._names, check.lacks, folded)
            self._mark(system.name, "stale_fact_leak_rate", is_free, "the text for a prompt", "less", text)
        self._count_tokens(system, text)

    def _count_tokens(self, system: Subject | Baseline, text: str) -> None:
        self._bench.count(system.name, self._conversation.category, "tokens_per_answer", estimate_tokens(text))

    def _mark(self, system: str, figure: str, is_good: bool, question: str, expected: str, given: object = "") -> None:
        """Count an answer under its figure; keep it where it is wrong."""
        is_hit = is_good if figure not in HARM else not is_good
        self._bench.count(system, self._conversation.category, figure, is_hit)
        if not is_good:
            one = self._conversation
            self._bench.fail(Failure(system, one.id, one.place, figure, question, expected, str(given)))


def _words_of(check: Check) -> str:
    match check:
        case Told():
            return "the text for a prompt"
        case AsOf():
            when = " ".join(f"{name} {text}" for name, text in (("at", check.at), ("known", check.known_at)) if text)
            return f"{check.predicate} of {check.subject} {when}"
        case Past():
            return f"history of {check.predicate} of {check.subject}"
        case Never():
            return f"{check.predicate} of {check.subject} never {'anything' if check.value is None else check.value}"
        case Current():
            return f"{check.predicate} of {check.subject}"


def _expected(check: Current) -> str:
    marks = {"contested": check.contested, "held": check.held, "planned": check.planned}
    told = "".join(f", {name} {_listed(mark)}" for name, mark in marks.items() if mark is not None)
    return f"{_listed(check.value)}{told}"


def _edge(moment: datetime | None, otherwise: float) -> float:
    return otherwise if moment is None else moment.timestamp()


def _given(answer: Answer, check: Current) -> str:
    if answer.values is None:
        return answer.text
    given = {"contested": answer.contested, "held": answer.held, "planned": answer.planned}
    told = "".join(f", {name} {_listed(mark)}" for name, mark in given.items() if getattr(check, name) is not None)
    return f"{_listed(answer.values)}{told}"


def _listed(value: Any) -> str:
    return ", ".join(as_text(item) for item in as_values(value)) or "nothing"


def _span_text(span: Span) -> str:
    return f"{span.value} [{_moment_text(span.start)}, {_moment_text(span.end)})"


def _moment_text(moment: datetime | None) -> str:
    return "?" if moment is None else moment.isoformat()

"""A snapshot of one scope, as the memory tool's files show it."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.predicate import Predicate
from ..model.results import State
from . import _memory_lines as texts
from ._memory_paths import NOTES

NOTE = "note_file"
Files = dict[str, str]


class Seen:
    """A snapshot: the state of the scope, and what of it are notes."""

    def __init__(self, state: State, predicates: Mapping[str, Predicate]) -> None:
        self.state = state
        self.predicates = predicates
        self.facts = [fact for fact in state.facts if fact.predicate in predicates]
        self.notes: Files = {
            fact.subject.removeprefix(f"{NOTES}/"): fact.value for fact in state.facts if fact.predicate == NOTE
        }
        self.subjects = list(dict.fromkeys(fact.subject for fact in self.facts))

    def folder(self, subject: str) -> Files:
        """Give the files of a subject, the histories as a folder."""
        text = texts.state_text(subject, self.state, self.predicates)
        return {"history/": "", "state.md": text} if text else {}

    def notes_below(self, name: str) -> Files:
        """Give the notes at a path and below it; all for ""."""
        return {
            each: text for each, text in self.notes.items() if not name or each == name or each.startswith(f"{name}/")
        }

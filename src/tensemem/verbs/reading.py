"""Reading: state, history, explanations, context and search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..engine import changes, contexts, explain, history, listing, questions, searching, state
from ..engine.contexts import ContextRequest
from ..engine.flow import once
from ..engine.history import Page
from ..engine.listing import Stretch
from ..engine.searching import SearchPage
from ..engine.state import Asked
from ..model.items import Items
from ..model.operation import When
from ..model.question import Question
from ..model.results import Change, Context, Decision, Explanation, History, LoggedMessage, SearchHit, State
from .base import Base

Seconds = float | bool | None
Stale = Literal["flag", "raise"]
KnownAt = When | int | None


class Reading(Base):
    """The verbs that read; each takes facts and freshness from one snapshot."""

    def state(
        self, user_id: str, *, at: When | None = None, known_at: KnownAt = None,
        predicates: Sequence[str] | None = None, subject: str | None = None, layers: Sequence[str] | None = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag", agent_id: str = "",
        namespace: str | None = None,
    ) -> State:  # fmt: skip
        """Give the values that hold now, or at a moment (``at``), as known now or at a revision or time (``known_at``).

        ``layers`` are agent ids to read through, the first one winning a slot. ``min_seq`` is the receipt of a write
        that must be in; ``wait`` (seconds, or True) waits for it. Raises StaleMemoryError with ``on_stale="raise"``.
        """
        scopes = self._layers(user_id, agent_id, namespace, layers)
        asked = Asked(at, known_at, predicates, subject)
        return self._run(state.state(self._engine, scopes, asked, min_seq=min_seq, wait=wait, on_stale=on_stale))

    def get(
        self, user_id: str, predicate: str, default: Any = None, *, subject: str = "user", at: When | None = None,
        known_at: KnownAt = None, agent_id: str = "", namespace: str | None = None,
    ) -> Any:  # fmt: skip
        """Give one value (a tuple where the predicate is many-valued), or the default.

        Reads nothing but its slot. Raises UnknownPredicateError.
        """
        scope = self._scope(user_id, agent_id, namespace)
        asked = Asked(at, known_at)
        return self._run(once(lambda: state.get(self._engine, scope, predicate, default, subject, asked)))

    def history(
        self, user_id: str, predicate: str | None = None, *, subject: str | None = "user",
        between: tuple[When, When] | None = None, known_at: KnownAt = None, limit: int | None = None,
        after: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> History:  # fmt: skip
        """Give every fact of a slot (of all slots of a subject) in valid-time order, then those without dates.

        ``subject=None`` is all subjects. ``between`` keeps those that hold at some moment of it; ``after`` is the
        ``next`` of a page before, or the id of a fact.
        """
        scope = self._scope(user_id, agent_id, namespace)
        page = Page(between, known_at, limit, after)
        return self._run(once(lambda: history.history(self._engine, scope, predicate, subject, page)))

    def explain(
        self, fact_id: str, *, user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None
    ) -> Explanation:
        """Answer why: the quote in its message, who said it, which extractor, the decisions, what it displaced,
        what displaced it, who corrected it and why. Raises UnknownFactError.
        """
        within = self._within(user_id, agent_id, namespace)
        return self._run(once(lambda: explain.explain(self._engine, fact_id, within)))

    def decisions(
        self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None
    ) -> Items[Decision]:
        """Give what became of every operation of an episode, with reason codes; empty while it is pending.

        Raises UnknownFactError where there is no such episode.
        """
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(once(lambda: history.decisions(self._engine, scope, seq)))

    def context(
        self, user_id: str, query: str | None = None, *, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        layers: Sequence[str] | None = None, at: When | None = None, known_at: KnownAt = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag", agent_id: str = "",
        namespace: str | None = None,
    ) -> Context:  # fmt: skip
        """Give text for a prompt: what holds now, what is planned, what is in doubt; fenced, within a token budget.

        The text is the same, byte for byte, while ``version`` is; freshness stands beside it. With a ``query`` the
        relevant facts come first under a budget. ``omitted`` counts what was left out. Raises as ``state`` does.
        """
        scopes = self._layers(user_id, agent_id, namespace, layers)
        request = ContextRequest(query, max_tokens, format, include_history, at, known_at)
        return self._run(
            contexts.context(self._engine, scopes, request, min_seq=min_seq, wait=wait, on_stale=on_stale)
        )

    def questions(
        self, user_id: str, *, limit: int | None = None, agent_id: str = "", namespace: str | None = None
    ) -> Items[Question]:
        """Give what is worth asking the user, in words ready to be said, the most pressing first.

        Asks about what waits for review, what is in doubt, plans whose date has passed, and facts not heard of for
        longer than ``review_after``; about every statement once. ``answer`` settles them. Asking changes nothing.
        """
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(once(lambda: questions.questions(self._engine, scope, limit)))

    def search(
        self, user_id: str, query: str, *, limit: int = 10, after: str | None = None, include_history: bool = True,
        agent_id: str = "", namespace: str | None = None,
    ) -> Items[SearchHit]:  # fmt: skip
        """Give facts and episodes that hold the query's words, what is true now first.

        Nothing in the query is read as syntax; works for scripts without spaces. ``after`` is a hit's fact id or seq.
        """
        scope = self._scope(user_id, agent_id, namespace)
        page = SearchPage(limit, after, include_history)
        return self._run(once(lambda: searching.search(self._engine, scope, query, page)))

    def messages(
        self, user_id: str, *, session_id: str | None = None, after: int = 0, before: int | None = None,
        limit: int | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> Items[LoggedMessage]:  # fmt: skip
        """Give messages back as they were said, of every role or of one session, oldest first.

        Of those behind the seq ``after`` and before ``before``, the newest ``limit``. The log is walked backwards from
        ``before``, so a limit or ``after`` bounds the work where a session is old. Raises InvalidValueError.
        """
        scope = self._scope(user_id, agent_id, namespace)
        asked = Stretch(session_id, after, before, limit)
        return self._run(once(lambda: listing.messages(self._engine, scope, asked)))

    def changes(
        self, user_id: str, after_rev: int = 0, *, limit: int | None = None, wait: Seconds = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> Items[Change]:  # fmt: skip
        """Give every value that changed after a revision, in order, with the entry that did it.

        ``wait`` returns as soon as there is one. ``limit`` never cuts an entry in two. Where the registry has changed
        (the middle part of ``State.version``), what it changed stands under older revisions: read the state anew.
        Raises ConflictError where the log has not got to that revision: it is another one, or an older copy.
        """
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(changes.changes(self._engine, scope, after_rev, limit, wait))

"""Keeping: the registry, what waits, rebuilding, and the state of the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

from ..core.definitions import make_entity, make_predicate
from ..engine import (
    copying,
    diagnosing,
    forgetting,
    jobs,
    purging,
    rebuild,
    reextract,
    registering,
    rekeying,
    removing,
    retaining,
    retention,
    upkeep,
    watching,
)
from ..engine.flow import once
from ..engine.resolve import Within
from ..errors import InvalidValueError
from ..extract.calling import as_extractor
from ..model.diagnosis import Diagnosis
from ..model.freshness import Freshness
from ..model.operation import When
from ..model.predicate import Entity, Predicate, ValueType
from ..model.results import (
    CopyReport,
    Job,
    Proposal,
    RebuildReport,
    Reextraction,
    ReextractPlan,
    Removal,
    Retention,
    ScopeInfo,
)
from .base import Base

Trust = Mapping[str, int] | Sequence[str] | None


class Keeping(Base):
    """The verbs that keep a memory in order."""

    def register_predicate(
        self, name: str, cardinality: Literal["one", "many"] = "one", *, type: ValueType = "text",
        description: str = "", aliases: Sequence[str] = (), choices: Sequence[Any] | None = None,
        ttl: timedelta | str | None = None, review_after: timedelta | str | None = None,
        writers: Sequence[str] | None = None, trust: Trust = None, min_confidence: float | None = None,
        verbatim: bool | None = None, examples: Sequence[str] = (), update: bool = False,
        namespace: str | None = None,
    ) -> Predicate:  # fmt: skip
        """Register an attribute that may be remembered; the same definition again writes nothing.

        ``ttl`` is how long a statement holds unrenewed, ``review_after`` when old evidence is due for review.
        ``trust`` lists sources, the most trusted first (or label → rank). Gives the predicate. Raises
        PredicateConflictError for another definition unless ``update=True``, and InvalidValueError.
        """
        candidate = make_predicate(
            name, cardinality, type=type, description=description, aliases=aliases, choices=choices, ttl=ttl,
            review_after=review_after, writers=writers, trust=trust, min_confidence=min_confidence,
            verbatim=verbatim, examples=examples,
        )  # fmt: skip
        where = self._namespace(namespace)
        return self._run(once(lambda: registering.register_predicate(self._engine, where, candidate, update)))

    def register_entity(
        self, name: str, *, aliases: Sequence[str] = (), kind: str = "thing", namespace: str | None = None
    ) -> Entity:
        """Register a thing and the names it goes by; new aliases join yesterday's facts too.

        Gives the entity. Raises InvalidValueError (the user and relation words can't be names) and
        PredicateConflictError.
        """
        candidate = make_entity(name, aliases=aliases, kind=kind)
        where = self._namespace(namespace)
        return self._run(once(lambda: registering.register_entity(self._engine, where, candidate)))

    def register(self, source: Any, *, update: bool = False, namespace: str | None = None) -> tuple[Predicate, ...]:
        """Register a whole profile: a pydantic model, several, or the path of a TOML file; all or none.

        A list field is many-valued, a Literal gives choices, a nested model is a subject. Raises InvalidValueError
        and PredicateConflictError.
        """
        where = self._namespace(namespace)
        return self._run(once(lambda: registering.register_profile(self._engine, where, source, update)))

    def predicates(self, *, namespace: str | None = None) -> tuple[Predicate, ...]:
        """Give the registered predicates, by name."""
        where = self._namespace(namespace)
        return self._run(
            once(lambda: registering.predicates_by_name(registering.registry_now(self._engine, where)))
        )

    def proposals(self, *, namespace: str | None = None) -> tuple[Proposal, ...]:
        """Give the unregistered predicates that extractors proposed, with counts and examples.

        Registering one admits what was proposed for it.
        """
        where = self._namespace(namespace)
        return self._run(once(lambda: registering.proposals(self._engine, where)))

    def flush(
        self, user_id: str | None = None, *, timeout: float = 10.0, agent_id: str = "", namespace: str | None = None
    ) -> Freshness:
        """Settle what is waiting now (of one scope, or of all), each message tried once; gives the freshness then.

        Raises ExtractorUnavailable where the provider can't be reached, ExtractorError where nobody extracts.
        """
        scope = None if user_id is None else self._scope(user_id, agent_id, namespace)
        return self._run(upkeep.flush(self._engine, scope, timeout, self._namespace(namespace)))

    def reextract(
        self, user_id: str, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        dry_run: bool = True, agent_id: str = "", namespace: str | None = None,
    ) -> Reextraction:  # fmt: skip
        """Ask another extractor over the same messages; gives the difference in state, and writes only if told to.

        Concerns settled messages from a seq on, said since a moment, ``limit`` at most; those which this very model
        and prompt made the newest extraction of are left out, so that what broke off is taken up again (an extractor
        that names neither is asked about all: go on with ``from_seq``). What somebody else extracts again meanwhile is
        passed over. Given what a dry run returned instead of an extractor, writes exactly that; what of it is written
        already stays, so a call that broke off is ended by the same call. The old extractions stay in the log;
        corrections stay in force. Raises ExtractorError, ExtractorUnavailable, and ConflictError where a message was
        extracted again since the dry run.
        """
        scope = self._scope(user_id, agent_id, namespace)
        if isinstance(llm, Reextraction):
            if dry_run:
                raise InvalidValueError("this is what a dry run found; to write it, pass dry_run=False")
            return self._run(once(lambda: reextract.apply(self._engine, scope, llm)))
        within = reextract.bounds(self._engine, from_seq, since, limit)
        return self._run(reextract.reextract(self._engine, scope, as_extractor(llm), within, dry_run=dry_run))

    def plan_reextract(
        self, user_id: str, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> ReextractPlan:  # fmt: skip
        """Tell what ``reextract`` with the same arguments would cost: messages, requests at most, and tokens of text.

        Nobody is asked. Raises ExtractorError for what is no extractor.
        """
        scope = self._scope(user_id, agent_id, namespace)
        within = reextract.bounds(self._engine, from_seq, since, limit)
        return self._run(once(lambda: reextract.plan(self._engine, scope, as_extractor(llm), within)))

    def forget(
        self, user_id: str | None = None, *, predicate: str | None = None, subject: str | None = None,
        fact_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
    ) -> Removal:  # fmt: skip
        """Forget a person (``user_id`` alone); or of theirs a slot (``predicate``), all slots of a ``subject``, or the
        value that a fact shows (``fact_id`` alone, or with whose it is).

        Of every agent's memory, or of one agent's. A person: nothing of it can be read, found or extracted from then
        on, and they may be remembered anew at once; a user nobody knows leaves nothing behind. A part: everything
        stated of it before goes, with the texts and quotes it rests on, also what arrives later (a late message, an
        extraction under way, another extractor's answer), and what is stated after it counts; other facts made of the
        same messages keep their values, ids and times. The words are overwritten in the memory's files; a crash
        half-way is finished when the memory is next opened to write. Gives a receipt of what went. Raises
        ReadOnlyError, InvalidScopeError, InvalidValueError, UnknownFactError and StoreError.
        """
        where = self._namespace(namespace)
        if fact_id is not None:
            if predicate is not None or subject is not None:
                raise InvalidValueError("give fact_id alone, or predicate and subject: a fact's id says its slot")
            within = Within(user_id, agent_id, where)
            return self._run(once(lambda: removing.forget_fact(self._engine, fact_id, within)))
        if user_id is None:
            raise InvalidValueError("say whose memory is meant: forget(user_id, ...)")
        scope = self._scope(user_id, "" if agent_id is None else agent_id, where)
        if predicate is None and subject is None:
            return self._run(forgetting.forget_person(self._engine, scope.namespace, scope.user_id, agent_id))
        scopes = upkeep.all_scopes(self._engine, user_id, where) if agent_id is None else [scope]
        return self._run(once(lambda: removing.forget_part(self._engine, scopes, subject, predicate)))

    def erase(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> Removal:
        """Erase one episode: its content, what was extracted from it, and corrections of nothing but that.

        Its seq stays, empty. The same message, delivered again with its idempotency key or its time, is a duplicate
        and does not come back. Gives what went. Raises UnknownFactError where there is no such episode.
        """
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(once(lambda: removing.erase(self._engine, scope, seq)))

    def purge(
        self, before: When, *, keep_quotes: bool = False, user_id: str | None = None, namespace: str | None = None
    ) -> Removal:
        """Remove the texts of settled messages said before a moment; what was learned from them stays as it is.

        Of all memories of the namespace, or of one user's. Facts lose their quotes too, unless ``keep_quotes``.
        Messages that wait or failed keep their texts. Called again it takes up what was broken off. Gives what went.
        Raises InvalidTimeError.
        """
        where = self._namespace(namespace)
        scopes = upkeep.all_scopes(self._engine, user_id, where)
        return self._run(once(lambda: purging.purge(self._engine, scopes, before, keep_quotes=keep_quotes)))

    def jobs(
        self, user_id: str | None = None, *, limit: int = 10_000, after: str | None = None
    ) -> tuple[Job, ...]:
        """Give the messages that wait or failed, with attempts and the last error; ``after`` is the last one's
        ``cursor``. Raises UnknownFactError for a cursor of nobody here.
        """
        return self._run(once(lambda: jobs.jobs(self._engine, user_id, limit, after)))

    def retry(
        self, user_id: str | None = None, seq: int | None = None, *, agent_id: str = "", namespace: str | None = None
    ) -> int:
        """Put failed or pausing messages back in the queue: one, those of a scope, or all; gives how many."""
        scope = None if user_id is None else self._scope(user_id, agent_id, namespace)
        where = self._namespace(namespace)
        return self._run(once(lambda: upkeep.retry(self._engine, scope, seq, where)))

    def dismiss(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> None:
        """Settle a waiting or failed message without learning from it. Raises UnknownFactError, ConflictError."""
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(once(lambda: upkeep.dismiss(self._engine, scope, seq)))

    def retain(
        self, *, texts: timedelta | str | None = None, keep_quotes: bool = False,
        facts: Mapping[str, timedelta | str | None] | None = None, namespace: str | None = None,
    ) -> Retention:  # fmt: skip
        """Say how long the namespace keeps what; it takes the place of what was said before, and nothing keeps all.

        ``texts``: messages that are settled lose their text when they were said longer ago than that; with
        ``keep_quotes`` facts keep their quotes. ``facts``: by predicate (``"*"`` for those not named, None for ever),
        how long a value is kept after it ended, expired, or was last spoken of; then it is forgotten. A worker, or
        ``apply_retention``, sees to it, an hour apart. Gives the policy as it is now. Raises InvalidValueError,
        InvalidTimeError, UnknownPredicateError.
        """
        where = self._namespace(namespace)
        return self._run(once(lambda: retention.retain(self._engine, where, texts, keep_quotes, facts)))

    def retention(self, *, namespace: str | None = None) -> Retention:
        """Give how long the namespace keeps what, what the last run removed, and when the next one is due."""
        where = self._namespace(namespace)
        return self._run(once(lambda: retention.retention(self._engine, where)))

    def apply_retention(self, *, namespace: str | None = None) -> Retention:
        """Remove now what ``retain`` says is kept no longer, in this call; gives what it says, and what went.

        A run that another process is at is left to it, and one that was broken off is taken up. What fails with one
        memory leaves the others be; ``last_run.failed`` counts it, and the next run tries it again.
        """
        where = self._namespace(namespace)
        return self._run(once(lambda: retaining.apply(self._engine, where)))

    def stats(self) -> dict[str, Any]:
        """Give the sizes of the namespace (scopes, entries, facts, pending, failed) and where the memory is.

        ``"retention"`` tells how long what is kept, and what the last run removed.
        """
        return self._run(once(lambda: upkeep.stats(self._engine)))

    def doctor(self, *, quick: bool = False, thorough: bool = False) -> Diagnosis:
        """Look at all that the memory stands on, and tell what is wrong and what to do; nothing is written.

        The file or server, its pages, permissions and room, versions, durability, the clock, what waits and who
        extracts, and whether a sample of memories shows what their logs say; ``thorough`` takes every one, ``quick``
        leaves out what takes long. Raises ClosedError; whatever else goes wrong is a finding.
        """
        return self._run(once(lambda: diagnosing.diagnose(self._engine, quick=quick, thorough=thorough)))

    def scopes(
        self, prefix: str | None = None, *, limit: int = 100, after: str | None = None, namespace: str | None = None
    ) -> tuple[ScopeInfo, ...]:
        """Give the namespace's scopes in order of user and agent; ``after`` is the last one's ``cursor``."""
        where = self._namespace(namespace)
        return self._run(once(lambda: upkeep.scopes(self._engine, where, prefix, limit, after)))

    def rebuild(self, user_id: str | None = None) -> RebuildReport:
        """Fold the log again, of one user or of all, and replace what differs; no extractor is asked.

        Reads go on meanwhile. ``identical`` tells whether anything differed. Of all users, what ``stats`` tells is
        counted again as well.
        """

        def again() -> RebuildReport:
            if user_id is None:
                upkeep.recount(self._engine)
            return rebuild.rebuild(self._engine, upkeep.all_scopes(self._engine, user_id), write=True)

        return self._run(once(again))

    def verify(self, user_id: str | None = None) -> RebuildReport:
        """Fold the log again and tell whether it gives the same, without writing."""
        return self._run(
            once(lambda: rebuild.rebuild(self._engine, upkeep.all_scopes(self._engine, user_id), write=False))
        )

    def digest(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> str:
        """Give the hash of a scope's facts: equal wherever the same was said, whatever the order of extraction."""
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(once(lambda: rebuild.digest(self._engine, scope)))

    def copy_to(
        self, dest: str | os.PathLike[str] | Base, *, namespaces: Sequence[str] | None = None, prefix: str | None = None
    ) -> CopyReport:
        """Copy whole memories to another store: a path, a URL, or another open memory; gives what was done.

        All namespaces or those named, in them all users or those whose id starts with ``prefix``. Logs are copied entry
        by entry with ids, revisions and times, with what waits in the queue and every idempotency key; the digest of
        each scope is compared. Each scope is copied as of one moment; others may write to both sides meanwhile. Called
        again it fetches what is missing and takes up what was broken off. Raises ConflictError where the destination
        holds another log of a scope, which is left as it is there, StoreBusyError, and InvalidValueError.
        """
        if not isinstance(dest, (str, os.PathLike, Base)):
            raise InvalidValueError("dest must be a path, a URL or an open Memory")
        what = copying.wanted(namespaces, "" if prefix is None else prefix)
        target = dest._engine if isinstance(dest, Base) else dest
        return self._run(copying.copy_to(self._engine, target, what))

    def rekey(self, key: str | bytes | None, *, timeout: float = 10.0) -> None:
        """Encrypt the file with another key, or for the first time; None takes the encryption away.

        Nobody else may have the file open: others are waited for ``timeout`` seconds. Other calls on this memory wait
        meanwhile, some seconds at most. Whatever happens, the file has the old key or the new one.
        Raises StoreBusyError, StoreUnsupportedError (the extra ``encrypted`` is missing), InvalidValueError.
        """
        return self._run(once(lambda: rekeying.rekey(self._engine, key, timeout)))

    def on(
        self, hook: Callable[[str, Mapping[str, Any]], None], *, calls: bool = False, content: bool = False
    ) -> Callable[[], None]:
        """Call a hook with ``(event, fields)`` for logging and metrics; gives what takes it off again.

        No message text and no value is among the fields. ``calls=True``: it also hears of every verb and every step of
        the worker when it ends, with its seconds. A hook that has a method ``around(call)`` stands around them instead;
        with ``content=True`` it sees their arguments and results. A hook that fails is logged and does no harm.
        """
        if not callable(hook):
            raise InvalidValueError("a hook must be callable: hook(event, fields)")
        remove = watching.attach(self._engine, hook, calls=calls, content=content)
        self._watch_calls()

        def take_off() -> None:
            remove()
            self._watch_calls()

        return take_off

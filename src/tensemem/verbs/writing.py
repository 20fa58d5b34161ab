"""Writing: messages, explicit values, and corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..engine import amend, answering, preview, record, write
from ..engine.flow import once
from ..engine.write import Request
from ..extract.calling import as_extractor
from ..model.operation import Message, Operation, When
from ..model.results import AddResult, StateDiff, WriteResult
from .base import Base

Seconds = float | bool | None
Metadata = Mapping[str, Any] | None


class Writing(Base):
    """The verbs that append to the log."""

    def add(
        self, user_id: str, content: Any, *, role: str = "user", speaker: str | None = None,
        session_id: str | None = None, extract: bool = True, wait: Seconds = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> AddResult:  # fmt: skip
        """Log a message, or a list of ``{"role", "content"}``; it is durable when this returns.

        ``content`` is text, None, or a list of parts as chat APIs use them. ``extract=False`` keeps it without
        learning from it. ``wait`` (seconds, or True) waits until it is extracted; a wait that runs out is no error.
        Secrets are replaced before anything is written. Gives the receipt. Raises InvalidValueError,
        ContentTooLargeError, InvalidTimeError, FutureTimestampError, IdempotencyConflictError.
        """
        scope = self._scope(user_id, agent_id, namespace)
        common = {
            "role": role, "speaker": speaker, "session_id": session_id, "extract": extract, "said_at": said_at,
            "source": source, "metadata": metadata, "idempotency_key": idempotency_key,
        }  # fmt: skip
        return self._run(record.add(self._engine, scope, content, common, wait))

    def add_many(
        self, messages: Iterable[Message], *, batch: int = 1000, namespace: str | None = None
    ) -> Iterator[AddResult]:
        """Log messages of any users as they come, a transaction per batch and scope; gives a receipt for each.

        What was given out is durable. Raises as ``add`` does; the batches before the bad message are kept.
        """
        yield from record.store_many(self._engine, messages, batch, self._namespace(namespace))

    def set(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """State the present: the value holds now (since then, until then).

        It wins over everything said before about the time it speaks of. On a many-valued predicate it adds. Gives
        the receipt. Raises UnknownPredicateError, InvalidValueError, ContentTooLargeError, InvalidTimeError (``since``
        ahead: use ``record``), ConflictError.
        """
        operation = Operation("set", predicate, value, subject=subject, since=since, until=until)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def record(
        self, user_id: str, predicate: str, value: Any, *, valid_from: When, valid_to: When | None = None,
        subject: str = "user", expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """File a dated row: past, effective-dated or scheduled.

        It does not overwrite what is known about later times. ``valid_from=None`` with a ``valid_to`` means that the
        start is unknown. Gives the receipt; raises as ``set`` does.
        """
        write.check_row(valid_from, valid_to)
        operation = Operation("set", predicate, value, subject=subject, valid_from=valid_from, valid_to=valid_to)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def add_value(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Add one value to a many-valued attribute; on a single-valued one it sets.

        Gives the receipt; raises as ``set`` does.
        """
        operation = Operation("add", predicate, value, subject=subject, since=since, until=until)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def remove_value(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Take one value out of a many-valued attribute; it held until now (until ``since``).

        ``changed`` is False where it was not there. Gives the receipt; raises as ``set`` does.
        """
        operation = Operation("remove", predicate, value, subject=subject, since=since)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def replace_values(
        self, user_id: str, predicate: str, values: Sequence[Any], *, subject: str = "user",
        since: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """State that these values, and no others, hold now; an empty list clears.

        Gives the receipt; raises as ``set`` does.
        """
        operation = Operation("replace", predicate, write.as_values(values), subject=subject, since=since)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def retract(
        self, user_id: str, predicate: str, value: Any = None, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Say that a value no longer holds (any value if none is named), from now or from ``since`` on.

        It was true until then; for what was never true use ``correct``. ``changed`` is False, with the reason
        ``retract_mismatch``, where it does not show. Gives the receipt; raises as ``set`` does.
        """
        operation = Operation("retract", predicate, value, subject=subject, since=since)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def deny(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Say that a value never held: everything stated for it so far is void.

        Gives the receipt; raises as ``set`` does.
        """
        operation = Operation("deny", predicate, value, subject=subject)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def confirm(
        self, user_id: str, predicate: str, value: Any = None, *, subject: str = "user",
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Say that what is shown still holds: newer evidence for it; a waiting candidate or plan is accepted.

        Gives the receipt. Without a value it confirms the one shown now; raises InvalidValueError where that is not
        exactly one.
        """
        operation = Operation("confirm", predicate, value, subject=subject)
        return self.write(
            user_id, [operation], said_at=said_at, source=source, metadata=metadata, agent_id=agent_id,
            namespace=namespace, idempotency_key=idempotency_key, expected_rev=expected_rev,
        )  # fmt: skip

    def write(
        self, user_id: str, operations: Sequence[Operation], *, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Write several operations as one entry, all or none.

        ``expected_rev`` makes it conditional: ConflictError where a slot it touches changed after that revision, or,
        given a ``State.version``, StateChangedError where the scope's state is another one.
        Gives the receipt; raises as ``set`` does, and then nothing is written.
        """
        scope = self._scope(user_id, agent_id, namespace)
        request = Request(said_at, source, metadata, idempotency_key, expected_rev)
        return self._run(once(lambda: write.write(self._engine, scope, operations, request)))

    def correct(
        self, fact_id: str, value: Any = None, *, valid_from: When | None = None, valid_to: When | None = None,
        reason: str | None = None, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Say that a fact was never true; with ``value`` what was true instead, with times when it held.

        What it had displaced shows again; no late message and no other model brings it back. A retraction, denial
        or REPLACE is corrected by its own id; a candidate, plan or scheduled fact is cancelled. Gives the receipt;
        with ``dry_run`` the receipt that it would give, and nothing is written.
        Raises UnknownFactError, AlreadyCorrectedError, ConflictError, InvalidValueError, InvalidTimeError.
        """
        within = self._within(user_id, agent_id, namespace)
        request = Request(said_at, source, metadata, idempotency_key, expected_rev)
        wanted = amend.Wanted(value, valid_from, valid_to, reason)
        return self._run(once(lambda: amend.correct(self._engine, fact_id, request, wanted, within, dry_run=dry_run)))

    def reinstate(
        self, fact_id: str, *, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Take a correction back, the value stated instead with it.

        Gives the receipt, as ``correct`` does. Raises ConflictError where the fact is not corrected, or what was stated
        instead has itself been corrected.
        """
        within = self._within(user_id, agent_id, namespace)
        request = Request(said_at, source, metadata, idempotency_key, expected_rev)
        return self._run(once(lambda: amend.reinstate(self._engine, fact_id, request, within=within, dry_run=dry_run)))

    def review(
        self, fact_id: str, accept: bool = True, *, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Accept or reject a candidate or a plan; an accepted plan holds from its date, or from now.

        Gives the receipt, as ``correct`` does. Raises ConflictError where it waits no more, UnknownFactError.
        """
        within = self._within(user_id, agent_id, namespace)
        request = Request(said_at, source, metadata, idempotency_key, expected_rev)
        return self._run(
            once(lambda: amend.review(self._engine, fact_id, request, accept=accept, within=within, dry_run=dry_run))
        )

    def answer(
        self, question_id: str, answer: Any, *, user_id: str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str | None = None, namespace: str | None = None,
    ) -> WriteResult:  # fmt: skip
        """Settle a question of ``questions``: by "yes", "no", or the value that holds; all of it or nothing.

        A yes says that the question's ``fact`` holds. What is asked is accepted or rejected, confirmed or retracted,
        and another value is stated, by ordinary entries. Gives the receipt. Raises UnknownFactError, ConflictError
        where the question is open no more (it says what holds now), InvalidValueError for a value that can't be.
        """
        within = self._within(user_id, agent_id, namespace)
        request = Request(said_at, source, metadata, idempotency_key)
        return self._run(once(lambda: answering.answer(self._engine, question_id, answer, request, within)))

    def preview(
        self, user_id: str, messages_or_operations: Any, llm: Any = None, *, agent_id: str = "",
        namespace: str | None = None,
    ) -> StateDiff:  # fmt: skip
        """Tell what would happen if messages were said, or operations written, now; nothing is written.

        Gives the difference in state with every proposal and its decision. Raises ExtractorError where messages are
        given and there is no extractor.
        """
        scope = self._scope(user_id, agent_id, namespace)
        extractor = self._engine.extractor if llm is None else as_extractor(llm)
        return self._run(preview.preview(self._engine, scope, messages_or_operations, extractor))



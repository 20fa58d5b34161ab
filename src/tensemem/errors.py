"""Every error the library raises, under one root.

    TensememError
    ├── UnknownPredicateError      the predicate is not registered
    ├── PredicateConflictError     registered already, with another definition
    ├── InvalidValueError          a value, name or argument the library can't take
    ├── InvalidTimeError           a time or duration that can't be read, or contradicts another
    │   └── FutureTimestampError   said_at lies more than five minutes ahead
    ├── InvalidScopeError          user_id, agent_id or namespace can't name a scope
    ├── ContentTooLargeError       content over the configured size
    ├── UnknownFactError           no such fact, claim or entry in this scope
    ├── AlreadyCorrectedError      the fact has been corrected before
    ├── ConflictError              the slot changed, or the request contradicts a later one
    │   └── StateChangedError      the state has another version than the one expected
    ├── IdempotencyConflictError   a known idempotency key with other content
    ├── StaleMemoryError           messages are still pending; carries the freshness
    ├── StoreError                 the database refused
    │   ├── StoreBusyError         another process kept the write lock too long
    │   │   └── StoreRetryError    broken off before it was written; tried again by itself, within limits
    │   ├── OutcomeUnknownError    nobody could be asked whether a write was kept
    │   ├── StoreCorruptError      not a database of ours, or a damaged one
    │   │   └── DamagedExportError what is imported is no export, or not as it was written
    │   ├── SchemaTooNewError      written by a newer version of the library
    │   │   └── NewerExportError   what is imported was written by one
    │   ├── StoreUnsupportedError  this SQLite can't do what is needed
    │   ├── StoreKeyError          encrypted with another key, or not encrypted
    │   └── ReadOnlyError          opened for reading only
    ├── ExtractorError             an extractor failed
    │   ├── ExtractorUnavailable   the provider can't be asked now; no attempt is used up
    │   └── ExtractorOutputError   it answered, but not with operations
    ├── AccessError                a server doesn't let this caller do that
    │   ├── UnauthenticatedError   no token, or none that opens
    │   ├── ForbiddenError         the key does not allow it
    │   └── RateLimitedError       asked too often; says when to ask again
    └── ClosedError                the memory has been closed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model.freshness import Freshness


class TensememError(Exception):
    """Something in tensemem went wrong; the subclass and the message say what to do."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class UnknownPredicateError(TensememError):
    """The predicate is not registered. Register it with register_predicate(name)."""


class PredicateConflictError(TensememError):
    """The predicate is registered with another definition. Pass update=True to change it."""


class InvalidValueError(TensememError):
    """The value can't be taken as it is."""


class InvalidTimeError(TensememError):
    """The time can't be read. Give an aware datetime, a date, or ISO 8601 text such as '2026-03-05'."""


class FutureTimestampError(InvalidTimeError):
    """said_at lies more than five minutes ahead of the clock. For what is to come, use record(valid_from=...)."""


class InvalidScopeError(TensememError):
    """A scope needs a user_id that is text of 1 to 512 characters, not blank."""


class ContentTooLargeError(TensememError):
    """The content is larger than this memory takes. Split it, or raise max_content."""


class UnknownFactError(TensememError):
    """No such fact in this scope. Use an id printed by state(), history() or context()."""


class AlreadyCorrectedError(TensememError):
    """The fact has been corrected already. reinstate(fact_id) takes the correction back."""


class ConflictError(TensememError):
    """What this goes by is not so any more. Read it again, then decide."""


class StateChangedError(ConflictError):
    """The state has changed since the version that was expected. Read it again, then decide."""


class IdempotencyConflictError(TensememError):
    """The idempotency key was used before with other content. Use a new key for a new request."""


class StaleMemoryError(TensememError):
    """Messages are still pending. Wait longer, or read with on_stale='flag'."""

    def __init__(self, message: str | None = None, *, freshness: Freshness) -> None:
        super().__init__(message)
        self.freshness = freshness

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_stale, (str(self), self.freshness)


def _restore_stale(message: str, freshness: Freshness) -> StaleMemoryError:
    return StaleMemoryError(message, freshness=freshness)


class StoreError(TensememError):
    """The database refused the work; nothing of it was kept."""


class StoreBusyError(StoreError):
    """Another process kept the write lock too long. Try again; nothing was written."""


class StoreRetryError(StoreBusyError):
    """The database broke the work off before it was written. Try again; nothing was written."""


class OutcomeUnknownError(StoreError):
    """It is not known whether a write was kept. Ask for the same again with the same idempotency_key."""


class StoreCorruptError(StoreError):
    """The file is not a tensemem database, or it is damaged. Restore a backup; it was left as it is."""


class DamagedExportError(StoreCorruptError):
    """What is imported is no export of tensemem, or not as it was written. What is right of it was imported."""


class SchemaTooNewError(StoreError):
    """The file was written by a newer tensemem. Upgrade the library; the file was left as it is."""


class NewerExportError(SchemaTooNewError):
    """What is imported was written by a newer tensemem. Upgrade the library; nothing was imported."""


class StoreUnsupportedError(StoreError):
    """This Python's SQLite is too old: tensemem needs 3.37. The extra `sqlite` brings a newer one."""


class StoreKeyError(StoreError):
    """The memory is encrypted with another key, or one is encrypted and the other not. It was left as it is."""


class ReadOnlyError(StoreError):
    """This memory was opened with read_only=True and can't be written."""


class ExtractorError(TensememError):
    """The extractor failed; the message stays pending and is tried again."""

    usage: Mapping[str, Any] | None = None
    """What the question used all the same, as with an extraction; None where the extractor does not say."""


class ExtractorUnavailable(ExtractorError):
    """The provider can't be asked now. What waits stays pending, with no attempt used up; ask again later."""


class ExtractorOutputError(ExtractorError):
    """The extractor answered with something that is not a sequence of operations."""


class AccessError(TensememError):
    """The server does not let this caller do that."""


class UnauthenticatedError(AccessError):
    """No token that opens was shown. Send the header Authorization: Bearer tsm_..., made by `tensemem keys mint`."""


class ForbiddenError(AccessError):
    """This key does not allow that. Use one with the role, namespaces and users that it takes."""


class RateLimitedError(AccessError):
    """Too many requests. Wait as many seconds as retry_after says, then ask again."""

    def __init__(self, message: str | None = None, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_limited, (str(self), self.retry_after)


def _restore_limited(message: str, retry_after: float) -> RateLimitedError:
    return RateLimitedError(message, retry_after=retry_after)


class ClosedError(TensememError):
    """This memory has been closed. Open another with Memory(...)."""

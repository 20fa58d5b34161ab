"""What the driver reports, in the library's own errors."""

from __future__ import annotations

import re

import psycopg
from psycopg import errors as pg

from ...errors import InvalidValueError, ReadOnlyError, StoreBusyError, StoreCorruptError, StoreError, StoreRetryError

_TRY_AGAIN = (
    pg.SerializationFailure,
    pg.DeadlockDetected,
    pg.AdminShutdown,
    pg.CrashShutdown,
    pg.CannotConnectNow,
    pg.IdleInTransactionSessionTimeout,
    pg.ReadOnlySqlTransaction,
    pg.UniqueViolation,
)
"""Nothing was kept, and the same work may succeed a moment later, perhaps on another server."""


_FINAL = ("28", "3D", "42", "22", "0A")
"""Classes of SQLSTATE that say that connecting would fail again: who asks, for what, with which settings."""

_ANSWER = re.compile(r"failed: [^:\n]{1,40}:  ([^\n]*)")
"""A server's answer to who connects; the word before it, and its language, are the server's, the two blanks libpq's."""
_WRONG_USER = re.compile(
    r"authentication failed|role .{1,80}? does not exist|not permitted to log in|pg_hba\.conf|no such user"
    r"|no password supplied"
)
_WRONG_DATABASE = re.compile(r"database .{1,80}? does not exist|no such database")
_REFUSED = re.compile(
    r"permission denied|not currently accepting|configuration parameter|for parameter|startup parameter"
    r"|certificate verify failed|root certificate file|server certificate for|SSL was required"
)
_FULL = re.compile(r"too many|connection slots|starting up|shutting down|recovery|accepting connections|terminating")


def is_final(error: psycopg.Error) -> bool:
    """Tell whether connecting would fail again however often it is tried, and might lock an account.

    The driver gives no SQLSTATE for a connection that was not made, only words. Those of English are known; in another
    language it counts whether a password was asked for, which no server does that is starting up or shutting down.
    What is not recognised is tried again.
    """
    if error.sqlstate is not None:
        return error.sqlstate[:2] in _FINAL
    told = str(error)
    if any(one.search(told) for one in (_WRONG_USER, _WRONG_DATABASE, _REFUSED)):
        return True
    return _was_asked_for_password(error) and bool(_ANSWER.search(told)) and not _FULL.search(told)


def _was_asked_for_password(error: psycopg.Error) -> bool:
    return bool(getattr(error.pgconn, "used_password", False))


def is_outcome_unknown(error: psycopg.Error) -> bool:
    """Tell whether a COMMIT that got this answer may have happened all the same.

    A server that is shut down may say so behind a COMMIT that it has done, and one that has died says nothing: the
    driver speaks then, without a code. A server that is a client of another one, which keeps the rows, may have lost
    that one meanwhile; some say so by a code of their own.
    """
    code = error.sqlstate or ""
    return code in ("", "40003") or code.startswith(("08", "57P"))


def is_collision(error: psycopg.Error) -> bool:
    """Tell whether a transaction met another one, and would have gone on after it where it began anew."""
    return isinstance(error, (pg.SerializationFailure, pg.DeadlockDetected))


_BETWEEN_STATEMENTS = (psycopg.pq.TransactionStatus.INTRANS, psycopg.pq.TransactionStatus.INERROR)


def is_at_rest(connection: psycopg.Connection) -> bool:
    """Tell whether a connection may be used by somebody else: whole, with nothing begun on it or on its way."""
    if is_lost(connection):
        return False
    is_quiet = connection.pgconn.pipeline_status == psycopg.pq.PipelineStatus.OFF
    return is_quiet and connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def may_be_asked(connection: psycopg.Connection) -> bool:
    """Tell whether a connection that is not at rest will answer: nothing asked before is still on its way."""
    is_quiet = connection.pgconn.pipeline_status == psycopg.pq.PipelineStatus.OFF
    return not is_lost(connection) and is_quiet and connection.info.transaction_status in _BETWEEN_STATEMENTS


def interrupt_behind(error: BaseException, known: BaseException | None) -> BaseException | None:
    """Give the interrupt that an error came of, which the driver met while it was talking to the server.

    ``known`` is what was being handled before: whoever writes because of an interrupt has not met another one.
    """
    seen: BaseException | None = error
    while seen is not known and isinstance(seen, Exception):
        seen = seen.__context__
    return None if seen is known else seen


def is_lost(connection: psycopg.Connection) -> bool:
    """Tell whether a connection is of no use any more."""
    return connection.closed or connection.broken


def our_error(error: psycopg.Error, location: str, *, lost: bool = False) -> StoreError:
    """Give the library's error for a driver's; the caller raises it ``from`` that one.

    ``lost`` tells that the connection broke before anything was committed.
    """
    told = _told(error)
    if isinstance(error, _TRY_AGAIN):
        return StoreRetryError(f"{location} broke the work off ({told}); nothing was written.")
    if isinstance(error, (pg.LockNotAvailable, pg.QueryCanceled, pg.TooManyConnections)):
        return StoreBusyError(f"{location} is kept busy ({told}); nothing was written.")
    if isinstance(error, (pg.UndefinedTable, pg.UndefinedColumn, pg.InvalidSchemaName)):
        return StoreError(f"{location} lacks tables of this version ({told}): run `tensemem migrate`.")
    if isinstance(error, pg.InsufficientPrivilege):
        return StoreError(f"{location} does not allow this role to do that ({told}); see `tensemem schema --grants`.")
    if isinstance(error, pg.DiskFull):
        return StoreError(
            f"No room to write to {location}: {told}. Make room on the server's disk; this memory then goes on, and "
            "what was acknowledged is kept."
        )
    if isinstance(error, (pg.DataCorrupted, pg.IndexCorrupted)):
        return StoreCorruptError(f"{location} is damaged: {told}")
    if isinstance(error, (pg.UntranslatableCharacter, pg.CharacterNotInRepertoire)):
        return StoreError(f"{location} can't hold this text; its encoding must be UTF8: {told}")
    if lost or _is_of_connection(error):
        return StoreRetryError(f"the connection to {location} was lost ({told}); nothing was written.")
    return StoreError(f"{location}: {told}")


def _is_of_connection(error: psycopg.Error) -> bool:
    """Tell whether it is about the connection: the server says so, or the driver, which knows of nothing else."""
    if error.sqlstate is None:
        return isinstance(error, (psycopg.InterfaceError, psycopg.OperationalError))
    return error.sqlstate.startswith("08")


def connecting_error(error: psycopg.Error, location: str) -> StoreError:
    """Give the library's error where no connection could be made."""
    told = str(error)
    if _WRONG_USER.search(told):
        return StoreError(f"{location} refused the user or the password.")
    if _WRONG_DATABASE.search(told):
        return StoreError(f"{location}: there is no such database; create it first.")
    if is_final(error):
        return StoreError(f"{location} refuses the connection: {_told(error)}")
    return StoreBusyError(f"{location} can't be reached: {_told(error)}")


def bad_url(error: Exception) -> InvalidValueError:
    """Give the error for a URL that libpq does not take; what it says may hold a password, and is not shown."""
    return InvalidValueError(
        f"the URL of the database is not one that libpq takes ({type(error).__name__}); percent-encode what means "
        "something in it, such as / ? # % @ in a password"
    )


def read_only_error(location: str) -> ReadOnlyError:
    """Give the error for a server that takes no writes."""
    return ReadOnlyError(f"{location} takes no writes: it is a standby; name the primary, or several hosts.")


def _told(error: Exception) -> str:
    """Give what the server said, in one line; rows and parameters, which may be anybody's words, are left out."""
    diagnosis = getattr(error, "diag", None)
    primary = getattr(diagnosis, "message_primary", None)
    lines = (primary or str(error)).strip().splitlines()
    return lines[0] if lines else type(error).__name__

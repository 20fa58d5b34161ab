"""The log of administrative acts: written, read with a cursor, cut only by an act of its own.

It names no person. What an act was about is a hash with a secret of the store, by which only who knows the name already
finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import blake2b
from typing import TypeVar

from ..errors import ClosedError, InvalidValueError, StoreCorruptError, StoreError, TensememError
from ..logs import Log
from .act import BEGUN, DONE, FAILED, REFUSED, Act, check_act
from .key import ADMIN, LONGEST_NAME, Key
from .rows import ActRow, Rows, Transaction, act_of, to_moment

T = TypeVar("T")

log = Log("access")

LOCAL = Key("local", "", ADMIN)
"""Who works at the machine, with the command line or from Python."""

MOST_ACTS = 1000


class Journal:
    """The log in an access store. ``clock`` gives aware datetimes."""

    def __init__(self, rows: Rows, clock: Callable[[], datetime]) -> None:
        self._rows, self._clock = rows, clock
        secret = self._reading(lambda tx: tx.meta("secret"))
        if not secret:
            raise StoreCorruptError(f"the access store {rows.location} has no secret of its own; restore a copy of it.")
        self._secret = secret

    def audit(
        self, act: str, key: Key, outcome: str, *, namespace: str | None = None, user_id: str | None = None,
        about: str | None = None,
    ) -> None:  # fmt: skip
        """Write an act down; it is on the disk when this returns. Raises InvalidValueError and StoreError.

        ``act`` is one of ``act.ACTS``, ``outcome`` one of begun, done, refused, failed. Of ``user_id`` a keyed hash is
        kept, with ``namespace``; nothing else may name a person.
        """
        check_act(act, outcome)
        self._writing(lambda tx: self._write(tx, act, key, outcome, namespace=namespace, user_id=user_id, about=about))

    @contextmanager
    def recording(
        self, act: str, key: Key, *, namespace: str | None = None, user_id: str | None = None, about: str | None = None
    ) -> Iterator[None]:
        """Write down that an act begins, and what came of it; where the first can't be kept, nothing is done.

        A process that is killed meanwhile leaves the line that it began; so does one that can't write the other, which
        is logged and changes nothing of what was done.
        """
        where: dict[str, str | None] = {"namespace": namespace, "user_id": user_id, "about": about}
        self.audit(act, key, BEGUN, **where)
        try:
            yield
        except BaseException as error:
            is_refusal = isinstance(error, TensememError) and not isinstance(error, StoreError)
            self._end(act, key, REFUSED if is_refusal else FAILED, where)
            raise
        self._end(act, key, DONE, where)

    def _end(self, act: str, key: Key, outcome: str, where: dict[str, str | None]) -> None:
        """Write down what came of an act. Where that fails the act is done all the same, and its beginning is known."""
        try:
            self.audit(act, key, outcome, **where)
        except (StoreError, ClosedError) as error:
            log.failure("unwritten", "what came of an administrative act could not be written down", error=error)

    def acts(self, *, limit: int = 100, after: int = 0) -> tuple[Act, ...]:
        """Give lines of the log, the oldest first, behind the number of one; at most 1000."""
        _check_number("limit", limit, 1)
        _check_number("after", after, 0)
        found = self._reading(lambda tx: tx.acts(after, min(limit, MOST_ACTS)))
        return tuple(act_of(seq, row) for seq, row in found)

    def last_acts(self, *, limit: int = 20) -> tuple[Act, ...]:
        """Give the newest lines of the log, in order; at most 1000."""
        _check_number("limit", limit, 1)
        found = self._reading(lambda tx: tx.last_acts(min(limit, MOST_ACTS)))
        return tuple(act_of(seq, row) for seq, row in reversed(found))

    def prune(self, before: datetime, *, by: Key = LOCAL) -> int:
        """Remove the lines of the log from before a moment, and write down that it was done; gives how many."""
        moment = moment_of("before", before)

        def cut(tx: Transaction) -> int:
            gone = tx.prune(moment)
            self._write(tx, "prune", by, about=f"{gone} lines")
            return gone

        return self._writing(cut)

    def person(self, namespace: str, user_id: str) -> str:
        """Give the keyed hash by which the log knows a person."""
        parts = (text.encode("utf-8", "surrogatepass") for text in (namespace, user_id))
        named = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return blake2b(named, key=self._secret, digest_size=16).hexdigest()

    def _write(
        self, tx: Transaction, act: str, key: Key, outcome: str = DONE, *, namespace: str | None = None,
        user_id: str | None = None, about: str | None = None,
    ) -> None:  # fmt: skip
        person = None if user_id is None else self.person(namespace or "", user_id)
        now = to_moment(self._clock())
        tx.write_act(ActRow(now, key.id, key.label, act, outcome, _storable(namespace), person, about))

    def _reading(self, work: Callable[[Transaction], T]) -> T:
        with self._rows.begin(write=False) as tx:
            return work(tx)

    def _writing(self, work: Callable[[Transaction], T]) -> T:
        with self._rows.begin(write=True) as tx:
            return work(tx)


def moment_of(name: str, time: object) -> int:
    if not isinstance(time, datetime) or time.tzinfo is None:
        raise InvalidValueError(f"{name} must be an aware datetime")
    return to_moment(time)


def _check_number(name: str, number: object, least: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number < 2**63:
        raise InvalidValueError(f"{name} must be a whole number of {least} or more")


def _storable(text: str | None) -> str | None:
    """Give a name as a store takes it: what was refused may have been named by anything."""
    return (
        None if text is None else text[:LONGEST_NAME].encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    )

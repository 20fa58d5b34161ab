"""Memory: what an application opens."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Literal, Self

from .engine import backing
from .engine.wiring import Background, close_engine, open_engine
from .model.results import RestoreReport
from .ports import Clock
from .verbs.keeping import Keeping
from .verbs.moving import Moving
from .verbs.reading import Reading
from .verbs.scoped import ScopedMemory
from .verbs.turns import Turning
from .verbs.writing import Writing


class Memory(Writing, Reading, Keeping, Moving, Turning):
    """A memory that knows what is true now, in one file or in a PostgreSQL database.

    ``path``: the argument, else ``$TENSEMEM_DB``, else ``tensemem.db``; ``":memory:"`` keeps nothing; a URL names a
    database (the extra ``postgres``). ``llm``: an extractor or a plain callable (sync or async); False keeps messages
    without learning from them; None leaves them pending for a worker elsewhere. ``schema``: what ``register`` takes.
    ``clock`` gives aware datetimes. ``namespace`` pins the memory to one tenant: no verb reaches another, and its
    worker takes no other's messages. Left out, it is "default", and a verb may name others.
    ``durability="power"``: an acknowledged write survives power loss; ``"process"``: a killed process.
    ``worker=False``: nothing is extracted in the background here. ``redact``: bool, patterns, or a callable.
    ``key``: a passphrase, or 32 bytes, with which the file is encrypted (the extra ``encrypted``).
    ``shred``: every person's rows are sealed with a key of their own, which forgetting destroys; True keeps the keys
    beside the memory, a path or URL elsewhere. ``key`` wraps them.
    ``subjects="declared"``: statements about subjects that are neither the user nor registered wait for review.

    Safe to use from many threads; many processes may open one file. Raises StoreError and its kinds.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, llm: Any = None, schema: Any = None,
        namespace: str | None = None, clock: Clock | None = None, tz: str = "UTC",
        durability: Literal["power", "process"] = "power", worker: bool = True, read_only: bool = False,
        redact: bool | Iterable[Any] | Callable[[str], str] = True,
        count_tokens: Callable[[str], int] | None = None, max_content: int = 1_048_576,
        subjects: Literal["open", "declared"] = "open", key: str | bytes | None = None,
        shred: bool | str | os.PathLike[str] = False, backup_before_upgrade: bool = True,
    ) -> None:  # fmt: skip
        self._engine = open_engine(
            path, llm=llm, namespace=namespace, clock=clock, tz=tz, durability=durability, read_only=read_only,
            redact=redact, count_tokens=count_tokens, max_content=max_content, subjects=subjects, key=key,
            shred=shred, backup_before_upgrade=backup_before_upgrade,
        )  # fmt: skip
        self._background: Background | None = None
        try:
            if schema is not None:
                self.register(schema)
            if self._engine.extractor is not None and worker and not read_only:
                self._background = Background(self._engine, self._engine.extractor)
                self._background.start()
                self._engine.wake = self._background.wake
        except BaseException:
            self.close(timeout=0)
            raise

    @classmethod
    def restore(
        cls, backup: str | os.PathLike[str], dest: str | os.PathLike[str], *, key: str | bytes | None = None,
        shred: bool | str | os.PathLike[str] = False, force: bool = False,
        on: Callable[[str, Mapping[str, Any]], None] | None = None,
    ) -> RestoreReport:  # fmt: skip
        """Put a backup where no memory is, or with ``force`` in the place of one; gives what it holds.

        The backup is opened with ``key``, copied, brought up to the tables of this version, and every log is folded
        again, before anything is replaced; its own file is only read. Nobody may have the memory open. Whatever
        happens, what was there is as it was, or the backup is there whole. ``dest`` may also be the URL of a database
        where nothing is yet (with ``force``: of one to add to). ``shred`` is as for ``Memory``: a backup of a sealed
        memory needs the key store, which lies beside ``dest``, or where this says. ``on`` is told of the progress, as
        by ``Memory.on``. Raises StoreCorruptError, StoreKeyError, SchemaTooNewError, StoreBusyError and StoreError.
        """
        return backing.restore(backup, dest, key=key, shred=shred, force=force, on=on)

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> ScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it."""
        scope = self._scope(user_id, agent_id, namespace)
        return ScopedMemory(self, scope.user_id, scope.agent_id, scope.namespace)

    def close(self, *, timeout: float = 5.0) -> None:
        """Stop the worker, waiting some seconds for the message being extracted, and close the file.

        What was acknowledged is kept; what waits is extracted when the file is opened again. Closing twice is fine.
        The end of the program closes what is open.
        """
        close_engine(self._engine, self._background, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", closed" if self._engine.closed else ""
        return f"Memory({self._engine.store.location!r}, namespace={self._engine.namespace!r}{state})"

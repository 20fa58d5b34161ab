"""What the handlers of a server share: the memory, who may do what, whom the operator lets answer, and the limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from tensemem import AsyncMemory, Memory, errors
from tensemem.access import Access, Rate, authorize
from tensemem.access.act import ACTS, REFUSED
from tensemem.access.key import SERVER
from tensemem.access.rates import Buckets
from tensemem.engine.core import Engine
from tensemem.logs import Log
from tensemem.observe.prometheus import Metrics
from tensemem.wire import Served

from .calls import Call, Pace
from .held import HeldBodies
from .limits import Limits
from .refusals import Refusal
from .stopping import Ending

T = TypeVar("T")
Whose = tuple[str, str | None]
"""The namespace and the user that are meant."""

DRY_RUN = "dry run"
REFUSALS = Rate(per_second=1 / 60, burst=5)
"""How many refusals of one act a key leaves in the log of acts."""

log = Log("rest")


@dataclass(slots=True)
class Serving:
    """One served memory.

    ``access`` is None only where nobody is asked who they are. ``rereader`` is the extractor that messages are
    extracted anew with; None: the memory's own. ``own_watchers`` are those that the server itself has watch the memory.
    """

    memory: AsyncMemory
    access: Access | None = None
    rereader: Any = None
    metrics: Metrics = field(default_factory=Metrics)
    own_watchers: int = 0
    limits: Limits = field(default_factory=Limits)
    ending: Ending = field(default_factory=Ending)
    carried: int = 0
    refusals: Buckets = field(default_factory=lambda: Buckets(REFUSALS, time.monotonic))
    lasting: ThreadPoolExecutor = field(init=False)
    encoding: ThreadPoolExecutor = field(init=False)
    held: HeldBodies = field(init=False)

    def __post_init__(self) -> None:
        self.lasting = ThreadPoolExecutor(self.limits.carried + 4, thread_name_prefix="tensemem-lasting")
        self.held = HeldBodies(self.limits)
        self.encoding = ThreadPoolExecutor(2, thread_name_prefix="tensemem-encoding")

    def pace(self) -> Pace:
        """Give how slowly a body may come."""
        return Pace(self.limits.sending_seconds, self.limits.sending_rate)

    def close(self) -> None:
        """Let go of the threads; what they are at ends."""
        self.lasting.shutdown(wait=False)
        self.encoding.shutdown(wait=False)

    @property
    def engine(self) -> Engine:
        """The engine of the memory, which is open."""
        memory: Any = self.memory
        found: Engine = memory._engine
        return found

    @property
    def plain(self) -> Memory:
        """The memory itself, for work that a thread of its own does, in sight of those who watch the served one."""
        memory: Any = self.memory
        found: Memory = memory._opening.result().memory
        found._watch_calls()
        return found

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count what lasts; raises Refusal where too much of it is under way."""
        if self.carried >= self.limits.carried:
            raise Refusal("unavailable", "too many exports, imports and backups are under way; ask again later")
        self.carried += 1
        try:
            yield
        finally:
            self.carried -= 1

    async def still_opens(self, call: Call) -> bool:
        """Tell whether the token that something was begun with still opens, to what it did then and no less."""
        if self.access is None or call.key is None or call.key.id == SERVER:
            return True
        token = (call.header(b"authorization") or "").partition(" ")[2].strip()
        access = self.access
        try:
            return await self.beside(lambda: access.check(token)) == call.key
        except errors.TensememError:
            return False

    def allowed(self, call: Call, served: Served, arguments: dict[str, Any]) -> tuple[dict[str, Any], str, str | None]:
        """Give the arguments with which who asks may call a verb, the namespace and the user that are meant.

        Raises ForbiddenError.
        """
        home = self.engine.namespace
        if call.key is None:
            if self.access is not None:
                raise errors.UnauthenticatedError
            namespace, user_id = arguments.get("namespace") or home, arguments.get("user_id")
            return arguments, namespace, user_id if isinstance(user_id, str) else None
        found = authorize(call.key, served, arguments, home=home)
        return found.arguments, found.namespace, found.user_id

    async def recorded(
        self, call: Call, served: Served, whose: Whose, work: Callable[[], Awaitable[T]], *, is_dry: bool = False
    ) -> T:
        """Do what is an administrative act between two lines of the log of acts; anything else as it is."""
        name = served.name.rstrip("_")
        if self.access is None or call.key is None or name not in ACTS:
            return await work()
        namespace, user_id = whose
        about = DRY_RUN if is_dry else None
        record = self.access.recording(name, call.key, namespace=namespace, user_id=user_id, about=about)
        await self.beside(record.__enter__)
        try:
            result = await work()
        except BaseException as error:
            await asyncio.shield(self.beside(partial(record.__exit__, type(error), error, error.__traceback__)))
            raise
        await asyncio.shield(self.beside(partial(record.__exit__, None, None, None)))
        return result

    async def refused(self, call: Call, served: Served) -> None:
        """Write down that a key may not do what is an administrative act; seldom enough that nobody fills the log."""
        name, access, key = served.name.rstrip("_"), self.access, call.key
        if access is None or key is None or name not in ACTS or self.refusals.take(f"{key.id} {name}"):
            return
        try:
            await self.beside(lambda: access.audit(name, key, REFUSED))
        except errors.TensememError as error:
            log.failure("unwritten", "that an administrative act was refused could not be written down", error=error)

    async def beside(self, work: Callable[[], T]) -> T:
        """Do some blocking work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.lasting, work)

    async def in_time(
        self, served: Served, work: Callable[[], Awaitable[T]], extra: float = 0.0, *, may_write: bool
    ) -> T:
        """Do what a verb does within the time it has; raises what it raises, and Refusal or OutcomeUnknownError."""
        if served.lasts:
            return await work()
        try:
            async with asyncio.timeout(self.limits.seconds + extra):
                return await work()
        except TimeoutError:
            if may_write:
                raise errors.OutcomeUnknownError from None
            why = "this takes longer than the server lets it; ask for less, or later"
            raise Refusal("unavailable", why) from None

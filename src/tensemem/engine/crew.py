"""The crew: settles many scopes at once where the extractor is awaited, in the extractor's own event loop.

No thread is held while a model thinks; the store's work is done in a few threads. Only loaded for such extractors.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from logging import WARNING

from ..errors import ClosedError, ExtractorUnavailable, StoreError, TensememError
from ..extract.calling import CallableExtractor
from ..logs import Log
from ..model.scope import Scope
from .awaiting import AwaitingDriver
from .bell import call_in
from .core import Engine
from .flow import once
from .settle import settle_scope

log = Log("worker")

IDLE_SECONDS = 0.5
"""How long an idle worker sleeps at most before it looks for messages of other processes."""

THREADS = 2
"""Threads for the store's work: one scope's writes wait for another's anyway."""


class Crew:
    """Takes scopes and settles them, as many at once as the extractor takes requests."""

    def __init__(
        self,
        engine: Engine,
        extractor: CallableExtractor,
        owner: str,
        take: Callable[[], Scope | None],
        give_back: Callable[[Scope], None],
    ) -> None:
        self._engine, self._extractor, self._owner = engine, extractor, owner
        self._take, self._give_back = take, give_back
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell = asyncio.Event()
        self._taken: set[Scope] = set()

    def wake(self) -> None:
        """Look for messages now; from any thread."""
        if self._loop is not None:
            call_in(self._loop, self._bell.set)

    def work(self, should_stop: Callable[[], bool]) -> None:
        """Settle what falls due until told to stop, then what was begun; blocks."""
        while self._finish(should_stop, until_idle=False) is None and not should_stop():
            log.caution("worker ended", "the worker was ended by what it runs beside; it begins anew")
            time.sleep(IDLE_SECONDS)  # whoever ended it may do so again, and each time ask a model before

    def work_until_idle(self, should_stop: Callable[[], bool]) -> int:
        """Settle everything that is due; gives how many messages were tried. Blocks."""
        return self._finish(should_stop, until_idle=True) or 0

    def _finish(self, should_stop: Callable[[], bool], *, until_idle: bool) -> int | None:
        """Give how many messages were tried; None where the extractor's loop was closed or all in it cancelled.

        What was begun is tried again by somebody then.
        """
        try:
            return self._extractor.finish(self._work(should_stop, until_idle=until_idle))
        except ExtractorUnavailable:
            return None

    async def _work(self, should_stop: Callable[[], bool], *, until_idle: bool) -> int:
        driver = AwaitingDriver(THREADS)
        self._loop = asyncio.get_running_loop()
        tasks: set[asyncio.Task[int]] = set()
        done = 0
        try:
            while not should_stop():
                self._bell.clear()
                if not await self._fill(driver, tasks, should_stop) or (until_idle and not tasks):
                    break
                done += await self._rest(tasks)
            while tasks:
                done += await self._rest(tasks)
            return done
        finally:
            self._loop = None
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)  # each gives its lease back
            driver.close(wait=True)
            self._let_go_of_all()

    async def _fill(
        self, driver: AwaitingDriver, tasks: set[asyncio.Task[int]], should_stop: Callable[[], bool]
    ) -> bool:
        """Begin with scopes that are due while there is room; tells whether to go on."""
        try:
            while len(tasks) < self._extractor.max_concurrency and not should_stop():
                scope = await driver.finish(once(self._take_one))
                if scope is None:
                    break
                tasks.add(asyncio.create_task(self._settle(driver, scope, should_stop)))
        except ClosedError:
            return False
        except StoreError as error:  # a disk that is full or fails, a server that is gone: no fault of ours
            log.failure("worker waits", "the worker waits for the store", error=error, level=WARNING)
        except Exception as error:
            log.failure("worker failed", "the worker failed; it goes on", error=error)
        return True

    async def _rest(self, tasks: set[asyncio.Task[int]]) -> int:
        """Wait until a scope is done, until woken, or a while; gives how many messages were tried in those done."""
        woken = asyncio.create_task(self._bell.wait())
        try:
            ended, _ = await asyncio.wait({woken, *tasks}, timeout=IDLE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            woken.cancel()
        found = [task for task in tasks if task in ended]
        tasks.difference_update(found)
        return sum(0 if task.cancelled() else task.result() for task in found)

    async def _settle(self, driver: AwaitingDriver, scope: Scope, should_stop: Callable[[], bool]) -> int:
        """Settle a scope's due messages and give its lease back; a failure is told, and never ends the others."""
        try:
            try:
                return await driver.finish(settle_scope(self._engine, self._extractor, scope, self._owner, should_stop))
            finally:
                await self._let_go_soon(driver, scope)
        except ClosedError:
            return 0
        except StoreError as error:
            log.failure("worker waits", "the worker waits for the store", error=error, level=WARNING)
            return 0
        except Exception as error:
            log.failure("worker failed", "the worker failed; it goes on", error=error)
            return 0

    def _take_one(self) -> Scope | None:
        scope = self._take()
        if scope is not None:
            self._taken.add(scope)
        return scope

    async def _let_go_soon(self, driver: AwaitingDriver, scope: Scope) -> None:
        try:
            await driver.finish(once(lambda: self._let_go(scope)))
        except asyncio.CancelledError:  # again, and what was to be done may have been dropped
            self._let_go(scope)
            raise

    def _let_go(self, scope: Scope) -> None:
        self._taken.discard(scope)
        self._give_back(scope)

    def _let_go_of_all(self) -> None:
        """Give back what is left over: whoever was cancelled while taking a lease, or giving it back, did not."""
        for scope in tuple(self._taken):
            try:
                self._let_go(scope)
            except TensememError:
                log.caution("lease kept", "a lease could not be given back; it runs out by itself")

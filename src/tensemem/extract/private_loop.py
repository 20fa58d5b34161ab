"""An event loop for callers that have none, or may not use their own."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import ExtractorUnavailable

if TYPE_CHECKING:  # they cost much to load, and only async extractors need them
    from asyncio import AbstractEventLoop
    from concurrent.futures import Future

T = TypeVar("T")


class PrivateLoop:
    """An event loop on a thread of its own, from the first use until it is closed or nobody holds it any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop: weakref.finalize[[AbstractEventLoop], PrivateLoop] | None = None
        self._loop: AbstractEventLoop | None = None

    def finish(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, from any thread but the loop's own.

        Raises what the coroutine raises, and ExtractorUnavailable where the loop is closed meanwhile.
        """
        import asyncio
        from concurrent.futures import CancelledError

        with self._lock:  # held, so that a close comes after it, and cancels what was begun
            future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        try:
            return future.result()
        except CancelledError as error:
            raise ExtractorUnavailable("the extractor was closed while it was being asked") from error
        finally:
            future.cancel()  # for when waiting was interrupted; else it is done, and nothing happens

    def is_running_here(self) -> bool:
        """Whether the caller's thread is the one that runs this loop, and so can't wait for it."""
        return threading.current_thread() is self._thread

    def close(self) -> None:
        """Stop the loop; what it still runs is cancelled. Another use starts a new one."""
        with self._lock:
            thread, self._thread = self._thread, None
            if self._stop is not None:
                self._stop()
        if thread is not None and thread is not threading.current_thread():
            thread.join(5)

    def _running(self) -> AbstractEventLoop:
        # A thread does not survive a fork: the child starts its own.
        if self._loop is None or self._thread is None or not self._thread.is_alive():
            from concurrent.futures import Future

            ready: Future[AbstractEventLoop] = Future()
            self._thread = threading.Thread(target=_serve, args=(ready,), name="tensemem-extractor", daemon=True)
            self._thread.start()
            self._loop = ready.result()
            self._stop = weakref.finalize(self, _stop, self._loop)
        return self._loop


def _serve(ready: Future[AbstractEventLoop]) -> None:
    """Run a loop until it is stopped. Must not know its owner, or that would never be let go of."""
    import asyncio

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        ready.set_result(loop)
        is_serving = True
        while is_serving:
            # An exit raised in a task of the extractor's own breaks out of the loop; others still wait in it.
            with suppress(SystemExit, KeyboardInterrupt):
                loop.run_forever()
                is_serving = False


def _stop(loop: AbstractEventLoop) -> None:
    with suppress(RuntimeError):  # closed already
        loop.call_soon_threadsafe(loop.stop)

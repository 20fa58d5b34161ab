"""Sending: requests over connections that are kept, blocking or awaiting, tried again where that does no harm."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Self, TypeVar

from ..errors import ClosedError, InvalidValueError
from ..extract.models.clients import Clients
from ..extras import install
from .address import Address
from .failing import Failed, failure_in_transport, failure_of, tries
from .requests import Answer, Request, error_in

T = TypeVar("T")

CLOSED = "this client has been closed; make another with Client(url)"


def libraries() -> tuple[Any, Any]:
    """Give httpx2 and tenacity. Raises ImportError, which names the extra that brings them."""
    try:
        import httpx2
        import tenacity
    except ImportError as error:
        text = f"{error}. A client needs it: {install('client')}"
        raise ImportError(text, name=error.name, path=error.path) from error
    return httpx2, tenacity


class _Sending:
    """What both ways of sending share. No redirect is followed, so that a token reaches no other host."""

    def __init__(self, address: Address, timeout: float, verify: Any, retries: int) -> None:
        self.address, self.timeout, self.verify, self.retries = address, timeout, verify, retries
        self._httpx, self._tenacity = libraries()
        self.is_closed = False
        self._options = {
            "headers": address.headers, "verify": self._trusted(), "timeout": timeout, "follow_redirects": False,
            "trust_env": not address.is_loopback,  # or a proxy of the environment would be shown the token
        }  # fmt: skip

    @classmethod
    def like(cls, other: _Sending) -> Self:
        """Give one that sends as another does, over connections of its own."""
        return cls(other.address, other.timeout, other.verify, other.retries)

    def _trusted(self) -> Any:
        """Give what a certificate is checked by; the environment's own authorities count for this machine too."""
        if self.verify is not True or self.address.url.startswith("http:"):
            return self.verify
        try:
            return self._httpx.create_ssl_context()
        except OSError as error:  # an SSLError is one
            raise InvalidValueError(f"SSL_CERT_FILE or SSL_CERT_DIR names no certificates: {error}") from error

    def check_open(self) -> None:
        """Raise ClosedError after the end."""
        if self.is_closed:
            raise ClosedError(CLOSED)

    def _built(self, client: Any, request: Request, body: Any) -> Any:
        pauses = self._httpx.Timeout(self.timeout, read=request.seconds, write=request.seconds)
        return client.build_request(
            request.method, self.address.url + request.target, content=request.body if body is None else body,
            headers=dict(request.headers), timeout=pauses,
        )  # fmt: skip

    def _failed(self, request: Request, error: Exception) -> Failed:
        return failure_in_transport(self._httpx, self.address.url, request, error)

    def _answer_of(self, request: Request, response: Any, *, was_repeated: bool) -> Answer:
        """Give the answer that a response is, read as a whole; raises Failed for one that may pass, or is none."""
        answer = Answer(response.status_code, response.headers, response.content, was_repeated)
        failed = failure_of(request, answer)
        if failed is not None:
            raise failed
        return answer


def refuse(request: Request, answer: Answer) -> None:
    """Raise Failed for an answer that is none of a result."""
    raise failure_of(request, answer) or Failed(error_in(answer), passes=False)


class Sender(_Sending):
    """Sends, and blocks meanwhile. Safe to use from many threads."""

    def __init__(self, address: Address, timeout: float, verify: Any, retries: int) -> None:
        super().__init__(address, timeout, verify, retries)
        self.sleep: Any = time.sleep
        self._client = self._httpx.Client(**self._options)
        self._lock = threading.Lock()

    def send(self, request: Request) -> Answer:
        """Send a request; gives its answer. Raises StoreError and its kinds, RateLimitedError and ClosedError."""
        was_done = False

        def attempt() -> Answer:
            nonlocal was_done
            try:
                return self._once(request, was_repeated=was_done)
            except Failed as failed:
                was_done = was_done or failed.may_be_done
                raise

        return self.repeated(attempt)

    def repeated(self, attempt: Callable[[], T], *, is_repeatable: bool = True) -> T:
        """Make an attempt, and another where it failed in a way that passes. Raises the last one's error."""
        most = self.retries if is_repeatable else 0
        try:
            result: T = self._tenacity.Retrying(**tries(self._tenacity, most, self.sleep))(attempt)
        except Failed as failed:
            raise failed.error from failed.__cause__
        return result

    def _once(self, request: Request, *, was_repeated: bool) -> Answer:
        self.check_open()
        try:
            response = self._client.send(self._built(self._client, request, None))
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
            raise self._failed(request, error) from error
        except RuntimeError:  # closed by another thread just now
            self.check_open()
            raise
        return self._answer_of(request, response, was_repeated=was_repeated)

    @contextmanager
    def streaming(self, request: Request, body: Iterable[bytes] | None = None) -> Iterator[Any]:
        """Send a request, whose body may come in pieces, once; gives the response, whose body is not read yet.

        Raises Failed for what breaks, then or while the response is read, and for a response that is none of a result.
        """
        self.check_open()
        response: Any = None
        try:
            response = self._client.send(self._built(self._client, request, body), stream=True)
            if response.status_code != 200:
                refuse(request, Answer(response.status_code, response.headers, response.read()))
            yield response
        except (self._httpx.HTTPError, self._httpx.InvalidURL, self._httpx.StreamError) as error:
            raise self._failed(request, error) from error
        finally:
            if response is not None:
                response.close()

    def events(self, response: Any) -> Iterator[Any]:
        """Give the events of a stream as they come."""
        return iter(self._httpx.EventSource(response))

    def close(self) -> None:
        """Close the connections; closing twice is fine."""
        with self._lock:
            self.is_closed = True
            self._client.close()


class AwaitingSender(_Sending):
    """Sends, and lets the event loop go on meanwhile; each loop has connections of its own."""

    def __init__(self, address: Address, timeout: float, verify: Any, retries: int) -> None:
        super().__init__(address, timeout, verify, retries)
        self.sleep: Any = asyncio.sleep
        self._clients = Clients(lambda: self._httpx.AsyncClient(**self._options), lambda client: client.aclose())

    async def send(self, request: Request) -> Answer:
        """Send a request; gives its answer. Raises as ``Sender.send`` does."""
        was_done = False

        async def attempt() -> Answer:
            nonlocal was_done
            try:
                return await self._once(request, was_repeated=was_done)
            except Failed as failed:
                was_done = was_done or failed.may_be_done
                raise

        retrying = self._tenacity.AsyncRetrying(**tries(self._tenacity, self.retries, self.sleep))
        try:
            answer: Answer = await retrying(attempt)
        except Failed as failed:
            raise failed.error from failed.__cause__
        return answer

    async def _once(self, request: Request, *, was_repeated: bool) -> Answer:
        self.check_open()
        client = await self._clients.here()
        try:
            response = await client.send(self._built(client, request, None))
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
            raise self._failed(request, error) from error
        except RuntimeError:  # closed by another task just now
            self.check_open()
            raise
        return self._answer_of(request, response, was_repeated=was_repeated)

    @asynccontextmanager
    async def streaming(self, request: Request) -> AsyncIterator[Any]:
        """Send a request once; gives the response, whose body is not read yet. Raises Failed."""
        self.check_open()
        client = await self._clients.here()
        response: Any = None
        try:
            response = await client.send(self._built(client, request, None), stream=True)
            if response.status_code != 200:
                refuse(request, Answer(response.status_code, response.headers, await response.aread()))
            yield response
        except (self._httpx.HTTPError, self._httpx.InvalidURL, self._httpx.StreamError) as error:
            raise self._failed(request, error) from error
        finally:
            if response is not None:
                await response.aclose()

    def events(self, response: Any) -> AsyncGenerator[Any]:
        """Give the events of a stream as they come."""
        found: AsyncGenerator[Any] = aiter(self._httpx.EventSource(response))
        return found

    async def close(self) -> None:
        """Close the connections of this loop; those of others are closed with them."""
        self.is_closed = True
        await self._clients.close()

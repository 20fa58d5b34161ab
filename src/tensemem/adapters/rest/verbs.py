"""A verb over HTTP: a request becomes its arguments, its result an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from tensemem import errors
from tensemem.logs import Log
from tensemem.model.jsontext import encode
from tensemem.model.results import AddResult, Removal
from tensemem.wire import Served, decode, next_of, query_of, wrap
from tensemem.wire import encode as encoded

from .answers import Answer, Headers, headers_of, packed, send_answer, takes_gzip
from .bodies import object_in
from .calls import Call, Gone, disconnected
from .conditions import conditions, is_known
from .queries import parameters
from .refusals import Refusal
from .serving import Serving
from .stopping import first_of

LARGE_BODY, PACKED_APART = 256 * 1024, 64 * 1024
"""Bytes from which on a body is read, and an answer packed, in a thread."""

LONGEST_LINK = 4096
"""Bytes of the header that has the address of the next page."""

NOBODY = "this server has no extractor; its operator starts it with --llm"
UNSTRUCK = "The keys to the served memory may still name this person: they can't be changed now, says the server's log."
TYPES = ("application/json", "application/json;charset=utf-8")

log = Log("rest")


class Verb:
    """One verb: what is called for its path."""

    def __init__(self, serving: Serving, served: Served) -> None:
        self.serving, self.served = serving, served

    async def __call__(self, call: Call) -> None:
        """Answer a request. Raises Refusal and errors of the library."""
        arguments, applied, namespace, user_id = await self.understood(call)
        result = await self.serving.recorded(
            call, self.served, (namespace, user_id), lambda: self._done(call, arguments, namespace, user_id),
            is_dry=not self.served.may_write(arguments),
        )  # fmt: skip
        await self.answer(call, arguments, result, applied)

    async def understood(self, call: Call) -> tuple[dict[str, Any], Headers, str, str | None]:
        """Give a verb's arguments, what the answer says of the request's headers, and whose memory is meant."""
        check_method(call, self.served.method)
        try:
            self._check_role(call)
            given = await self._given(call)
            arguments = decode(self.served, self._with_user(call, given))
            applied = conditions(call, self.served, arguments, self.serving.limits.wait_seconds)
            arguments, namespace, user_id = self.serving.allowed(call, self.served, arguments)
        except errors.ForbiddenError:
            await self.serving.refused(call, self.served)
            raise
        return arguments, applied, namespace, user_id

    def _check_role(self, call: Call) -> None:
        """Refuse before the body is read who may not call the verb, whatever its arguments."""
        if call.key is not None and not call.key.may(self.served.role):
            raise errors.ForbiddenError(
                f"{self.served.name} takes a key of the role {self.served.role}, and this one's is {call.key.role}"
            )

    def _with_user(
        self, call: Call, given: Mapping[str, Any] | list[tuple[str, str]]
    ) -> Mapping[str, Any] | list[tuple[str, str]]:
        """Name the one user that a key is limited to, where the request names none."""
        users = None if call.key is None else call.key.users
        if users is None or len(users) != 1 or self.served.parameter("user_id") is None:
            return given
        if isinstance(given, list):
            return given if any(name == "user_id" for name, _ in given) else [*given, ("user_id", users[0])]
        return {"user_id": users[0], **given}

    async def _given(self, call: Call) -> Mapping[str, Any] | list[tuple[str, str]]:
        if self.served.method == "GET":
            return parameters(call.query)
        if call.query:
            raise Refusal("bad-request", f"{self.served.name} takes its parameters in the body, and none in the query")
        check_type(call, TYPES)
        refuse_packed(call)
        serving = self.serving
        body = await call.body(serving.limits.body, serving.pace(), lambda size: serving.held.take(call, size))
        return await asyncio.to_thread(object_in, body) if len(body) > LARGE_BODY else object_in(body)

    async def _done(self, call: Call, arguments: dict[str, Any], namespace: str, user_id: str | None) -> Any:
        served, may_write = self.served, self.served.may_write(arguments)
        seconds = self._waits(arguments)
        if served.name == "add":
            given = {**arguments, "wait": None}
            added = await self.serving.in_time(served, lambda: self._call(given), may_write=may_write)
            return added if seconds is None else await self._settled(call, arguments, added, seconds)
        if seconds is None:
            return await self._kept(arguments, namespace, user_id, may_write=may_write)
        return await self.serving.in_time(
            served, lambda: self._waited(call, arguments), seconds, may_write=may_write
        )

    def _waits(self, arguments: dict[str, Any]) -> float | None:
        """Give how long a verb is asked to wait, in seconds; None where it waits for nothing."""
        found = arguments.get("wait")
        if (timeout := self.served.parameter("timeout")) is not None:
            found = arguments.get("timeout", timeout.default)
        return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None

    async def _kept(
        self, arguments: dict[str, Any], namespace: str, user_id: str | None, *, may_write: bool
    ) -> Any:
        result = await self.serving.in_time(self.served, lambda: self._call(arguments), may_write=may_write)
        if self.served.name == "forget" and user_id is not None and _is_of_a_person(arguments):
            return await self._struck(namespace, user_id, result)
        return result

    async def _struck(self, namespace: str, user_id: str, removed: Removal) -> Removal:
        """Take a forgotten person's name out of the keys, wherever they are kept; where that fails, say so.

        The person is gone all the same: whoever is answered with an error thinks that nothing was done.
        """
        access = self.serving.access
        if access is None:
            return removed
        try:
            struck = await self.serving.beside(lambda: access.forget_person(namespace, user_id))
        except errors.TensememError as error:
            log.failure("unstruck", "the keys may still name a person who was forgotten", error=error)
            return replace(removed, elsewhere=(*removed.elsewhere, UNSTRUCK))
        return replace(removed, limits=removed.limits + struck)

    async def _waited(self, call: Call, arguments: dict[str, Any]) -> Any:
        """Call a verb that waits, while anybody does; when the server is about to end, nobody is let wait any more."""
        gone = asyncio.ensure_future(disconnected(call))
        try:
            result = await first_of(self._call(arguments), self.serving.ending.wait(), asyncio.shield(gone))
            if result is None and gone.done():
                raise Gone
        finally:
            gone.cancel()
        if result is not None:
            return result
        return await self._call({**arguments, "wait" if self.served.parameter("wait") else "timeout": 0.0})

    async def _settled(self, call: Call, arguments: dict[str, Any], result: AddResult, wait: float) -> AddResult:
        """Wait for what was added, apart from adding it: whatever becomes of the waiting, the receipt is given."""
        if result.settled:
            return result
        whose = {name: arguments[name] for name in ("user_id", "agent_id", "namespace") if name in arguments}
        gone = asyncio.ensure_future(disconnected(call))
        waiting = self.serving.memory.state(**whose, predicates=[], subject="user", min_seq=result.seq, wait=wait)
        try:
            async with asyncio.timeout(wait + self.serving.limits.seconds):
                found = await first_of(waiting, self.serving.ending.wait(), asyncio.shield(gone))
        except (errors.TensememError, TimeoutError) as error:
            log.failure("wait ended", "waiting for what was added ended early", error=error)
            return result
        finally:
            gone.cancel()
        if found is None:
            return result
        fresh = found.freshness
        is_settled = fresh.as_of_seq >= result.seq and not set(fresh.failed_seqs) & set(result.seqs)
        return replace(result, settled=is_settled)

    async def _call(self, arguments: dict[str, Any]) -> Any:
        memory, name = self.serving.memory, self.served.name
        if name == "add_many":
            return await self._all_added(arguments)
        if self.served.asks and "llm" not in arguments:
            arguments = {**arguments, "llm": self._asked()}
        try:
            return await getattr(memory, name)(**arguments)
        except errors.ExtractorError as error:
            if name == "preview" and self.serving.engine.extractor is None:  # what it advises is for programs
                raise errors.ExtractorError(NOBODY) from error
            raise

    async def _all_added(self, arguments: dict[str, Any]) -> tuple[AddResult, ...]:
        """Add many messages; where the store stops behind some of them, nobody is told that nothing was written."""
        found: list[AddResult] = []
        try:
            async for receipt in self.serving.memory.add_many(**arguments):
                found.append(receipt)  # those before an error count
        except errors.StoreError as error:
            if found:
                raise errors.OutcomeUnknownError from error
            raise
        return tuple(found)

    def _asked(self) -> Any:
        """Give whom the operator lets answer; raises ExtractorError where nobody is there to."""
        found = self.serving.rereader
        if found is None:
            found = self.serving.engine.extractor
        if found is None:
            raise errors.ExtractorError(NOBODY)
        return found

    async def answer(self, call: Call, arguments: dict[str, Any], result: Any, headers: Headers) -> None:
        """Answer with a result, or that it is known already."""
        headers = [*headers, *headers_of(result)]
        if self.served.method == "GET" and is_known(call, headers):
            await send_answer(call, Answer(304, headers=headers))
            return
        cursor = next_of(self.served, arguments, result)
        if cursor is not None:
            link = self._link(call, arguments, cursor)
            if len(link[1]) <= LONGEST_LINK:  # the body has the cursor, too
                headers.append(link)
        body = await self._written(lambda: encode(wrap(self.served, result, cursor)).encode())
        if len(body) >= PACKED_APART and takes_gzip(call):
            loop = asyncio.get_running_loop()
            body = await loop.run_in_executor(self.serving.encoding, packed, body)
            headers.append((b"content-encoding", b"gzip"))
        await send_answer(call, Answer(200, body, headers))

    async def _written(self, write: Callable[[], bytes]) -> bytes:
        """Write a result; what may be long is written in a thread."""
        if self.served.method == "POST":
            return write()
        return await asyncio.get_running_loop().run_in_executor(self.serving.encoding, write)

    def _link(self, call: Call, arguments: dict[str, Any], cursor: str | int) -> tuple[bytes, bytes]:
        """Give the header that says where the next page is."""
        assert self.served.cursor is not None
        given = encoded(self.served, {**arguments, self.served.cursor: cursor})
        query = urlencode(query_of(self.served, given), quote_via=quote)
        return b"link", f'<{call.root}{self.served.path}?{query}>; rel="next"'.encode()


def check_method(call: Call, method: str) -> None:
    """Raise Refusal where a path is asked with another method than its own; whoever may GET may ask for the HEAD."""
    allowed = ("GET", "HEAD") if method == "GET" else (method,)
    if call.method not in allowed:
        text = ", ".join(allowed)
        raise Refusal("method-not-allowed", f"this path takes {text}", headers={b"allow": text.encode()})


def check_type(call: Call, types: tuple[str, ...]) -> None:
    """Raise Refusal for a body of another media type; none is needed where there is no body."""
    given = call.header(b"content-type")
    if given is None and call.header(b"content-length") in (None, "0") and b"transfer-encoding" not in call.headers:
        return
    if given is None or given.lower().replace(" ", "").replace('"', "") not in types:
        raise Refusal("unsupported-media-type", f"send the body as {types[0]}")


def refuse_packed(call: Call) -> None:
    """Raise Refusal for a body that is packed: only imports may be."""
    if (call.header(b"content-encoding") or "identity").strip().lower() != "identity":
        raise Refusal("unsupported-media-type", "send the body as it is, not packed")


def _is_of_a_person(arguments: Mapping[str, Any]) -> bool:
    """Tell whether what is forgotten is all of a person's, and no part."""
    return all(arguments.get(name) is None for name in ("predicate", "subject", "fact_id", "agent_id"))

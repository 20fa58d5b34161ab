"""The present state of a scope, as fast as it can be told truthfully.

What is kept is only how a state is written as JSON. Whether a state still holds is the engine's to say, each time:
it gives the very same facts as long as nothing was appended, the registry stands, no value has begun or ended, and
nothing waits, whoever it is that writes. ``at``, the moment of reading, stands last in the document, and is put there
each time.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tensemem import State
from tensemem.engine.state import glance
from tensemem.engine.watching import Call as Seen
from tensemem.engine.watching import watched
from tensemem.model.jsontext import encode
from tensemem.wire import Served, wrap

from .answers import JSON, PACKED_FROM, USUAL, Answer, Headers, headers_of, send_answer, takes_gzip
from .calls import Call
from .conditions import is_known
from .queries import parameters
from .serving import Serving
from .verbs import Verb

KEPT_BYTES, LARGEST = 32 * 2**20, 256 * 1024
"""How many bytes of written states are kept, and how long one may be for that."""
KEPT_QUERIES = 8192

GOING = frozenset({"forgetting", "forgotten", "purging", "removed", "retention"})
"""Events after which something that is written here may be gone from the memory."""

_WHOSE = ("user_id", "agent_id", "namespace")
_NOTHING: Headers = []
_SPECIAL = (b"prefer", b"if-match", b"idempotency-key", b"range")


class Written:
    """A state as JSON up to its last field, ``at``; packed once, and closed each time."""

    __slots__ = ("_packed", "head", "headers", "state")

    def __init__(self, served: Served, state: State) -> None:
        document = wrap(served, state)
        del document["at"]
        self.state, self.headers = state, headers_of(state)
        self.head = encode(document)[:-1].encode() + b',"at":"'
        self._packed: tuple[bytes, int] | None = None

    def tells(self, state: State) -> bool:
        """Tell whether it is how this state is written, but for the moment it speaks of."""
        mine = self.state
        return (
            mine.shown is state.shown
            and mine.version == state.version
            and mine.freshness == state.freshness
            and mine.many == state.many
            and mine.user_id == state.user_id
        )

    def body(self, state: State) -> bytes:
        """Give the whole document."""
        return b"".join((self.head, state.at.isoformat().encode(), b'"}'))

    def packed(self, state: State) -> bytes:
        """Give the whole document packed: what was packed before, and its end as it is."""
        if self._packed is None:
            made = zlib.compressobj(6, zlib.DEFLATED, -15)
            head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
            self._packed = (
                head + made.compress(self.head) + made.flush(zlib.Z_FULL_FLUSH), zlib.crc32(self.head)
            )  # fmt: skip
        front, crc = self._packed
        end = state.at.isoformat().encode() + b'"}'
        size = len(end).to_bytes(2, "little")
        last = b"\x01" + size + bytes(255 - byte for byte in size) + end
        total = (len(self.head) + len(end)) & 0xFFFFFFFF
        return b"".join((front, last, zlib.crc32(end, crc).to_bytes(4, "little"), total.to_bytes(4, "little")))


class StateVerb(Verb):
    """``state``: the present of a scope from what is written already where it holds; anything else as any verb."""

    def __init__(self, serving: Serving, served: Served) -> None:
        super().__init__(serving, served)
        self._written_states: dict[tuple[str, str, str], Written] = {}
        self._bytes = 0
        self._plain: dict[bytes, dict[str, Any] | None] = {}

    def forget(self) -> None:
        """Keep nothing of what was written: some of it may be gone from the memory."""
        self._written_states.clear()
        self._plain.clear()
        self._bytes = 0

    async def __call__(self, call: Call) -> None:
        """Answer a request."""
        if not await self._at_once(call):
            await super().__call__(call)

    async def _at_once(self, call: Call) -> bool:
        """Answer without waiting for anything, if that can be; tells whether it could."""
        if call.method != "GET":
            return False
        arguments = self._plain_arguments(call.query)
        headers = call.headers
        if arguments is None or any(name in headers for name in _SPECIAL):
            return False
        arguments, namespace, _ = self.serving.allowed(call, self.served, arguments)
        key = namespace, arguments["user_id"], arguments.get("agent_id", "")
        written = self._written_states.get(key)
        if written is None:
            return False
        engine = self.serving.engine
        scope = engine.scope(key[1], key[2], namespace)
        seen: AbstractContextManager[Any] = nullcontext()
        if engine.watchers:
            seen = watched(engine, Seen("verb", "state", namespace, scope))
        state = glance(engine, scope)
        if state is None or not written.tells(state):
            self._drop(key)
            return False
        with seen:
            await self._send(call, written, state)
        return True

    def _plain_arguments(self, query: bytes) -> dict[str, Any] | None:
        """Give the arguments of a query that asks for the present of everything; None for any other."""
        try:
            return self._plain[query]
        except KeyError:
            pass
        if len(query) > 2000:
            return None
        given = parameters(query)
        found: dict[str, Any] | None = dict(given)
        if found is not None and (len(found) != len(given) or not {"user_id"} <= found.keys() <= set(_WHOSE)):
            found = None
        if len(self._plain) >= KEPT_QUERIES:
            self._plain.clear()
        self._plain[query] = found
        return found

    async def _send(self, call: Call, written: Written, state: State, more: Headers = _NOTHING) -> None:
        if is_known(call, state.version):
            await send_answer(call, Answer(304, headers=[*written.headers, *more]))
            return
        headers = [*_HEADERS, *written.headers, *more]
        if len(written.head) >= PACKED_FROM and takes_gzip(call):
            body = written.packed(state)
            headers.append((b"content-encoding", b"gzip"))
        else:
            body = written.body(state)
        headers.append((b"content-length", b"%d" % len(body)))
        await call.send({"type": "http.response.start", "status": 200, "headers": headers})
        await call.send({"type": "http.response.body", "body": b"" if call.is_head else body})

    async def answer(self, call: Call, arguments: dict[str, Any], result: Any, headers: Headers) -> None:
        """Answer with a state that was read; how a plain one is written is kept."""
        loop = asyncio.get_running_loop()
        written = await loop.run_in_executor(self.serving.encoding, Written, self.served, result)
        if arguments.keys() <= set(_WHOSE) and result.freshness.is_current:
            self._keep(arguments, written)
        await self._send(call, written, result, headers)

    def _keep(self, arguments: Mapping[str, Any], written: Written) -> None:
        size = len(written.head)
        if size > LARGEST:
            return
        key = (
            arguments.get("namespace") or self.serving.engine.namespace, arguments["user_id"],
            arguments.get("agent_id", ""),
        )  # fmt: skip
        self._drop(key)
        if self._bytes + size > KEPT_BYTES:
            self.forget()
        self._written_states[key] = written
        self._bytes += size

    def _drop(self, key: tuple[str, str, str]) -> None:
        gone = self._written_states.pop(key, None)
        if gone is not None:
            self._bytes -= len(gone.head)


_HEADERS: Headers = [*USUAL, (b"content-type", JSON)]

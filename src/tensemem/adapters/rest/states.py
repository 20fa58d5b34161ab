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
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Any

from tensemem import State, errors
from tensemem.access import authorize
from tensemem.engine.kept import UNREAD_SECONDS
from tensemem.engine.state import glance
from tensemem.model.jsontext import encode
from tensemem.model.scope import Scope
from tensemem.wire import Served, wrap

from .answers import JSON, PACKED_FROM, USUAL, Headers, accepts_gzip, headers_of, tag_of, takes_gzip
from .calls import Call
from .conditions import has_tag
from .queries import parameters
from .serving import Serving
from .verbs import Verb

KEPT_BYTES, LARGEST = 32 * 2**20, 256 * 1024
"""How many bytes of written states are kept, and how long one may be for that."""
BESIDE = 4096
"""Bytes that count for each beside its text: the state it was written from, its headers, its place."""
KEPT_QUERIES, LONGEST_QUERY = 8192, 2000

GOING = frozenset({"forgetting", "forgotten", "purging", "removed", "retention"})
"""Events after which something that is written here may be gone from the memory."""

_WHOSE = ("user_id", "agent_id", "namespace")
_EMPTY: dict[str, Any] = {"type": "http.response.body", "body": b""}
_GZIP = (b"content-encoding", b"gzip")
_SPECIAL = frozenset({b"prefer", b"if-match", b"idempotency-key"})


Whose = tuple[str, str, str]
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plain:
    """A query that asks for the present of everything of one scope: as it was given, and what it means."""

    arguments: dict[str, Any]
    scope: Scope
    whose: Whose


class Written:
    """A state as JSON up to its last field, ``at``; packed once, and closed each time."""

    __slots__ = ("_packed", "_tag", "_usual", "head", "headers", "read_at", "state")

    def __init__(self, served: Served, state: State) -> None:
        document = wrap(served, state)
        del document["at"]
        self.state, self.headers = state, headers_of(state)
        self._tag = tag_of(state.version, state.freshness)
        self._usual = [*USUAL, (b"content-type", JSON), *self.headers]
        self.head = encode(document)[:-1].encode() + b',"at":"'
        self._packed: tuple[bytes, int] | None = None
        self.read_at = 0.0

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

    def answer(self, state: State, *, known: bytes, is_packed: bool) -> tuple[Message, Message]:
        """Give the two messages of an answer to who knows some tags, and may take it packed."""
        if known and has_tag(known, self._tag):
            headers = [*self.headers, *USUAL]
            return {"type": "http.response.start", "status": 304, "headers": headers}, _EMPTY
        if is_packed and len(self.head) >= PACKED_FROM:
            body = self.packed(state)
            headers = [*self._usual, _GZIP, (b"content-length", b"%d" % len(body))]
        else:
            body = self.body(state)
            headers = [*self._usual, (b"content-length", b"%d" % len(body))]
        start = {"type": "http.response.start", "status": 200, "headers": headers}
        return start, {"type": "http.response.body", "body": body}

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
        self._written_states: dict[Whose, Written] = {}
        self._bytes = 0
        self._plain: dict[bytes, Plain | None] = {}
        self._seen: dict[Whose, tuple[Written, State]] = {}
        self._times, self._seconds = 0, 0.0
        self._clock = monotonic
        self._sweeping: asyncio.TimerHandle | None = None

    def forget(self) -> None:
        """Keep nothing of what was written, or is being written now: some of it may be gone from the memory."""
        self._written_states.clear()
        self._plain.clear()
        self._bytes = 0

    def at_once(self, scope: Any) -> tuple[Message, Message] | None:
        """Give what is to be sent to a request whose answer needs no waiting for anything; None where it does.

        What can't be answered so, whatever is wrong with it, is left to be answered as any request.
        """
        began = perf_counter()
        try:
            plain = self._plain[scope["query_string"]]
        except KeyError:
            return None
        if plain is None or scope["method"] != "GET" or not self._may(scope, plain):
            return None
        known, is_packed = b"", False
        for name, value in scope["headers"]:
            if name == b"accept-encoding":
                is_packed = b"gzip" in value and accepts_gzip(value)
            elif name == b"if-none-match":
                known = value
            elif name in _SPECIAL:
                return None
        if len(self.serving.engine.watchers) > self.serving.own_watchers:
            return None  # somebody else wants to stand around it
        seen = self._seen.get(plain.whose) or self._look(plain)
        if seen is None:
            return None
        messages = seen[0].answer(seen[1], known=known, is_packed=is_packed)
        self._times += 1
        self._seconds += perf_counter() - began
        return messages

    def _look(self, plain: Plain) -> tuple[Written, State] | None:
        """Look whether what is written holds, for all requests that came before the look.

        The loop takes what has come from the network, then does what is to be done about it, and only then takes more.
        Whoever's turn comes in the same round came before the first of them looked: what was committed and told to
        anybody before they asked was seen.
        """
        written = self._written_states.get(plain.whose)
        if written is None:
            return None
        try:
            state = glance(self.serving.engine, plain.scope)
        except errors.TensememError:
            return None
        if state is None or not written.tells(state):
            self._drop(plain.whose)
            return None
        if not self._seen:
            asyncio.get_running_loop().call_soon(self._end_round)
        written.read_at = self._clock()
        seen = self._seen[plain.whose] = written, state
        return seen

    def _end_round(self) -> None:
        """Look anew from now on, and count what was answered."""
        self._seen.clear()
        times, seconds = self._times, self._seconds
        self._times, self._seconds = 0, 0.0
        if times:
            self.serving.metrics.called("state", seconds / times, times)

    def _may(self, scope: Any, plain: Plain) -> bool:
        """Tell whether who asks may read that; a key that is limited is looked at as for any verb."""
        key = scope["state"].get("key") if "state" in scope else None
        if key is None:
            return self.serving.access is None
        if not key.is_limited:
            return True  # every role may read
        home, scope_ = self.serving.engine.namespace, plain.scope
        try:
            found = authorize(key, self.served, plain.arguments, home=home).arguments
        except errors.ForbiddenError:
            return False
        return (found.get("namespace") or home, found["user_id"]) == (scope_.namespace, scope_.user_id)

    async def understood(self, call: Call) -> tuple[dict[str, Any], Headers, str, str | None]:
        """Give what any verb gives, and remember queries that ask for the present of everything."""
        found = await super().understood(call)
        self._remember(call.query)
        return found

    def _remember(self, query: bytes) -> None:
        if len(query) > LONGEST_QUERY or not query:
            return
        if len(self._plain) >= KEPT_QUERIES:
            self._plain.clear()
        given = dict(parameters(query))
        plain = None
        if given.keys() <= set(_WHOSE) and "user_id" in given:
            scope = self.serving.engine.scope(given["user_id"], given.get("agent_id", ""), given.get("namespace"))
            plain = Plain(given, scope, (scope.namespace, scope.user_id, scope.agent_id))
        self._plain[query] = plain

    async def answer(self, call: Call, arguments: dict[str, Any], result: Any, headers: Headers) -> None:
        """Answer with a state that was read; how a plain one is written is kept."""
        loop, is_packed = asyncio.get_running_loop(), takes_gzip(call)
        written = await loop.run_in_executor(self.serving.encoding, self._write, result, is_packed)
        if arguments.keys() <= set(_WHOSE) and result.freshness.is_current and self._holds(arguments, written):
            self._keep(arguments, written)
        known = call.headers.get(b"if-none-match", b"")
        start, body = written.answer(result, known=known, is_packed=is_packed)
        start["headers"] = [*start["headers"], *headers]
        await call.send(start)
        await call.send({**body, "body": b""} if call.is_head else body)

    def _holds(self, arguments: Mapping[str, Any], written: Written) -> bool:
        """Tell whether a state still holds that was just written: who it is of may have been forgotten meanwhile."""
        scope = self.serving.engine.scope(
            arguments["user_id"], arguments.get("agent_id", ""), arguments.get("namespace")
        )
        try:
            state = glance(self.serving.engine, scope)
        except errors.TensememError:
            return False
        return state is not None and written.tells(state)

    def _write(self, state: State, is_packed: bool) -> Written:
        """Write a state, and pack it where that is wanted: both may take a while."""
        written = Written(self.served, state)
        if is_packed:
            written.packed(state)
        return written

    def _keep(self, arguments: Mapping[str, Any], written: Written) -> None:
        size = len(written.head) + BESIDE
        if size > LARGEST + BESIDE:
            return
        home = self.serving.engine.namespace
        whose = arguments.get("namespace") or home, arguments["user_id"], arguments.get("agent_id", "")
        self._drop(whose)
        if self._bytes + size > KEPT_BYTES:
            self._written_states.clear()
            self._bytes = 0
        written.read_at = self._clock()
        self._written_states[whose] = written
        self._bytes += size

    def sweep(self) -> None:
        """Drop what nobody has read in a while: another process may have forgotten who it is of, and tells nobody."""
        now = self._clock()
        for whose, written in list(self._written_states.items()):
            if now - written.read_at >= UNREAD_SECONDS:
                self._drop(whose)
        self._plain.clear()
        self.serving.engine.states.sweep()
        self._sweeping = asyncio.get_running_loop().call_later(UNREAD_SECONDS, self.sweep)

    def begin(self) -> None:
        """Look after what is kept, until closed."""
        self._sweeping = asyncio.get_running_loop().call_later(UNREAD_SECONDS, self.sweep)

    def close(self) -> None:
        """Look after nothing any more."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None

    def _drop(self, whose: Whose) -> None:
        gone = self._written_states.pop(whose, None)
        if gone is not None:
            self._bytes -= len(gone.head) + BESIDE

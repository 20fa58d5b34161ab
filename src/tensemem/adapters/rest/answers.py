"""Answers: a status, headers and bytes, packed where that is wanted; and the headers that all of them have."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tensemem import Freshness
from tensemem.engine.versions import ELSEWHEN

if TYPE_CHECKING:
    from .calls import Call

Headers = list[tuple[bytes, bytes]]

JSON = b"application/json"
PACKED_FROM = 2048
"""Bytes from which on an answer is packed for who takes it packed."""

USUAL: Headers = [
    (b"cache-control", b"private, no-cache"),
    (b"vary", b"accept, accept-encoding, authorization"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
"""Headers of every answer that has none of its own of these names: nobody else may keep it, and a browser may make
nothing more of it than it is.
"""


@dataclass(slots=True)
class Answer:
    """A whole answer. ``body`` may be packed already: then ``headers`` say so."""

    status: int
    body: bytes = b""
    headers: Headers = field(default_factory=list)
    media: bytes = JSON


async def send_answer(call: Call, answer: Answer) -> None:
    """Send a whole answer."""
    body, own = answer.body, {name for name, _ in answer.headers}
    headers = [*answer.headers, *(header for header in USUAL if header[0] not in own)]
    if answer.status not in (204, 304):
        headers.append((b"content-type", answer.media))
        if len(body) >= PACKED_FROM and b"content-encoding" not in own and takes_gzip(call):
            body = packed(body)
            headers.append((b"content-encoding", b"gzip"))
        headers.append((b"content-length", b"%d" % len(body)))
    await call.send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await call.send({"type": "http.response.body", "body": b"" if call.is_head else body})


def freshness_headers(fresh: Freshness) -> Headers:
    """Give how far a read lags, as headers."""
    headers = [
        (b"tensemem-current", b"true" if fresh.is_current else b"false"),
        (b"tensemem-as-of-seq", b"%d" % fresh.as_of_seq),
        (b"tensemem-latest-seq", b"%d" % fresh.latest_seq),
        (b"tensemem-pending", b"%d" % fresh.pending),
        (b"tensemem-failed", b"%d" % fresh.failed),
    ]
    if fresh.reason is not None:
        headers.append((b"tensemem-reason", fresh.reason.encode()))
    return headers


def headers_of(result: Any) -> Headers:
    """Give what an answer's headers say of a result: its freshness, its revision, its version."""
    headers: Headers = []
    fresh = result if isinstance(result, Freshness) else getattr(result, "freshness", None)
    if isinstance(fresh, Freshness):
        headers += freshness_headers(fresh)
    rev = getattr(result, "rev", None)
    if isinstance(rev, int):
        headers.append((b"tensemem-rev", b"%d" % rev))
    version = getattr(result, "version", None)
    if isinstance(version, str) and fresh is not None:
        headers.append((b"etag", tag_of(version, fresh)))
    return headers


BEHIND = "!"
"""What parts a version, in an entity tag, from how far the answer lags: a write's condition is the version alone."""


def tag_of(version: str, fresh: Freshness) -> bytes:
    """Give the entity tag of an answer: its version and, where it is not current, a mark of its freshness.

    Messages are pending, tried and given up without an entry in the log, and so without another version. The tag is
    weak where no write can depend on the version: that of another moment, or of layers.
    """
    behind = ""
    if not fresh.is_current:
        told = (fresh.as_of_seq, fresh.latest_seq, fresh.pending, fresh.failed, fresh.failed_seqs, fresh.reason)
        behind = f"{BEHIND}{zlib.crc32(repr(told).encode()):x}"
    is_weak = version.endswith(ELSEWHEN) or "+" in version
    return b'%b"%b%b"' % (b"W/" if is_weak else b"", version.encode(), behind.encode())


def takes_gzip(call: Call) -> bool:
    """Tell whether who asks takes an answer packed with gzip."""
    return accepts_gzip(call.headers.get(b"accept-encoding", b""))


def accepts_gzip(accepted: bytes) -> bool:
    """Tell whether an Accept-Encoding takes gzip."""
    for part in accepted.decode("latin-1").lower().split(","):
        coding, _, rest = part.strip().partition(";")
        if coding.strip() in ("gzip", "*"):
            return rest.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def packed(body: bytes) -> bytes:
    """Pack with gzip, without a name or a time, so that equal bytes stay equal."""
    made = zlib.compressobj(4, zlib.DEFLATED, 31)
    return made.compress(body) + made.flush()

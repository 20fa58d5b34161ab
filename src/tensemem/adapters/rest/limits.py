"""What a server takes and for how long: every limit in one place."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a request may bring, how long it may take, and how many may do what lasts.

    ``body`` are the bytes of a JSON body, ``imported`` those of an import, unpacked. ``seconds`` is how long a verb may
    take that does not go over a whole memory, ``sending_seconds`` for how long nothing may come, or be taken, of what
    is sent, and ``sending_rate`` the bytes a second that must come beyond these. ``bodies`` are the bytes of all bodies
    that are held at once, ``bodies_of_one`` those with the same key. ``wait_seconds`` is the longest ``wait``.
    ``carried`` and ``watched`` are how many may export, import and back up at once, and how many may have changes told
    to them (``watched_by_one`` of them with the same key); every ``heartbeat_seconds`` these are told something.
    """

    body: int = 8 * MIB
    imported: int = 4096 * MIB
    seconds: float = 60.0
    sending_seconds: float = 30.0
    sending_rate: int = 8 * 1024
    bodies: int = 512 * MIB
    bodies_of_one: int = 128 * MIB
    wait_seconds: float = 60.0
    carried: int = 4
    watched: int = 2000
    watched_by_one: int = 1000
    heartbeat_seconds: float = 15.0

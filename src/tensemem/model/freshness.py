"""How far a read lags behind the log."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Freshness:
    """How far a read lags behind the log; taken from the same snapshot as the facts.

    ``latest_seq`` is the newest episode. No message up to ``as_of_seq`` is pending. ``pending`` counts messages
    still to be extracted and ``failed`` those given up (``failed_seqs``). ``is_current`` says that nothing is
    pending or failed, up to ``min_seq`` if the read named one. ``reason`` says what is being waited for: None,
    ``"extracting"``, ``"retrying"``, ``"failed"`` or ``"no_extractor"``. It speaks of processing, not of the world.
    """

    as_of_seq: int
    latest_seq: int
    pending: int
    failed: int
    failed_seqs: tuple[int, ...]
    is_current: bool
    reason: str | None = None

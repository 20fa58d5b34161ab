"""Addresses of servers."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_address(given: str) -> bool:
    """Whether a text is the address of a server."""
    try:
        parts = urlsplit(given)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, a bracket too few
        return False

"""A memory that a server holds, with the verbs of one that is open here."""

from __future__ import annotations

from .awaited import AsyncClient
from .plain import Client

__all__ = ["AsyncClient", "Client"]

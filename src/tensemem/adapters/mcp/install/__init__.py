"""Putting the server into the configuration of a client, so that the client starts it by itself."""

from __future__ import annotations

from .clients import CLIENTS, SCOPES, Client, Machine, Place, Scope, Started, place_of
from .files import NAME, Installed, alone, install

__all__ = [
    "CLIENTS", "NAME", "SCOPES", "Client", "Installed", "Machine", "Place", "Scope", "Started", "alone", "install",
    "place_of",
]  # fmt: skip

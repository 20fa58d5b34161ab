"""A memory served over HTTP: every verb under ``/v1/``, for programs in any language.

The extra ``server`` brings what it needs. ``app`` gives an ASGI application, ``serve`` runs it with uvicorn.
"""

from __future__ import annotations

from .app import Application, app
from .limits import Limits
from .running import Address, libraries, serve

__all__ = ["Address", "Application", "Limits", "app", "libraries", "serve"]

"""What to say where a framework is not installed."""

from __future__ import annotations

from tensemem.extras import install


def missing(extra: str, error: ImportError) -> ImportError:
    """Give an ImportError that names the extra which brings the framework."""
    text = f"{error}. This adapter needs it: {install(extra)}"
    return ImportError(text, name=error.name, path=error.path)

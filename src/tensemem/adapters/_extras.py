"""What an adapter says where its framework is not installed."""

from __future__ import annotations


def missing(extra: str, error: ImportError) -> ImportError:
    """Give the error to raise instead: it names the extra to install, and keeps which module was missing."""
    text = f"{error}. This part of tensemem needs its extra: pip install 'tensemem[{extra}]'"
    return ImportError(text, name=error.name, path=error.path)

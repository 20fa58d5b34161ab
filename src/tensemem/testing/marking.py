"""What a test says about the memory it wants: the arguments of ``@pytest.mark.tensemem``, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import TensememError
from ..extract.calling import as_extractor
from ..extract.cassette import RecordingExtractor, ReplayExtractor
from ..extract.fake import FakeExtractor
from .clock import DEFAULT_NOW, FrozenClock


class MarkError(Exception):
    """A marker that can't be used; the text says why, and what to write."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The memory a test wants.

    ``schema`` is what ``Memory(schema=...)`` takes; ``predicates`` maps names to "one", "many" or the options of
    ``register_predicate``, or lists names. ``script`` is what ``FakeExtractor`` takes; ``cassette`` a file beside the
    test's own. ``worker`` extracts in the background.
    """

    schema: Any = None
    predicates: Any = None
    script: Any = None
    now: Any = None
    cassette: Any = None
    worker: bool = False

    def clock(self) -> FrozenClock:
        """Give the clock, at its moment. Raises MarkError."""
        try:
            return FrozenClock(DEFAULT_NOW if self.now is None else self.now)
        except TensememError as error:
            raise _wrong(str(error)) from None

    def registrations(self) -> dict[str, dict[str, Any]]:
        """Give what ``register_predicate`` takes, by name. Raises MarkError."""
        given = self.predicates
        if given is None:
            return {}
        if isinstance(given, Mapping):
            return {str(name): _options(str(name), told) for name, told in given.items()}
        if isinstance(given, (list, tuple)) and all(isinstance(name, str) for name in given):
            return {name: {} for name in given}
        raise _wrong("predicates must be a list of names or a mapping such as {'lives_in': 'one', 'languages': 'many'}")

    def path(self, folder: Path) -> Path | None:
        """Give the cassette's file; a relative one stands beside the test's. Raises MarkError."""
        if self.cassette is None:
            return None
        if not isinstance(self.cassette, (str, Path)) or not str(self.cassette).strip():
            raise _wrong(f"cassette must be a path, not {self.cassette!r}")
        return folder / self.cassette


def wanted_by(marks: Iterable[tuple[tuple[Any, ...], Mapping[str, Any]]]) -> Wanted:
    """Give what markers ask for, the closest one first; an argument of a closer one counts. Raises MarkError."""
    known = [field.name for field in fields(Wanted)]
    found: dict[str, Any] = {}
    for positional, named in marks:
        if positional:
            raise _wrong("its arguments are named, as in script={...}")
        for name, value in named.items():
            if name not in known:
                raise _wrong(f"it has no argument {name!r}; there are {', '.join(known)}")
            found.setdefault(name, value)
    if found.get("script") is not None and found.get("cassette") is not None:
        raise _wrong("a script and a cassette both answer for the model; give one of them")
    if not isinstance(found.get("worker", False), bool):
        raise _wrong("worker must be True or False")
    wanted = Wanted(**found)
    wanted.clock()
    wanted.registrations()
    return wanted


def extractor_for(wanted: Wanted, folder: Path, model: Any, begun: set[Path]) -> Any:
    """Give who answers: the script, the cassette, or with a ``model`` its answers, recorded.

    ``begun`` holds the cassettes this run records: what another run recorded is replaced. Raises MarkError.
    """
    path = wanted.path(folder)
    try:
        if path is None:
            return FakeExtractor(wanted.script)
        if model is None:
            return ReplayExtractor(path)
        model = as_extractor(model)  # before an old recording is given up for it
        if path not in begun:
            path.unlink(missing_ok=True)
            begun.add(path)
        return RecordingExtractor(model, path)
    except (TensememError, OSError) as error:
        raise _wrong(str(error)) from error


def _options(name: str, told: Any) -> dict[str, Any]:
    if isinstance(told, str):
        return {"cardinality": told}
    if isinstance(told, Mapping):
        return dict(told)
    raise _wrong(f"predicates: {name} must be 'one', 'many' or a mapping of register_predicate's options")


def _wrong(why: str) -> MarkError:
    return MarkError(f"@pytest.mark.tensemem: {why}")

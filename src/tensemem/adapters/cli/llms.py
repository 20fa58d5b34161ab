"""The ``--llm`` option: who extracts."""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tensemem import FakeExtractor, errors
from tensemem.extract.named import extractor_named, is_provider

from .options import ParamType

KEEP_ONLY = False
"""What Memory takes for keeping messages without learning from them."""


class Llm(ParamType):
    """An extractor by name: ``offline``, ``fake``, ``false``, ``provider:model``, or ``module:attribute``."""

    name = "NAME"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Give the extractor or callable, or False; a name that leads nowhere is wrong usage."""
        if not isinstance(value, str):
            return value
        if value == "fake":
            return FakeExtractor()
        if value == "false":
            return KEEP_ONLY
        if is_provider(value):
            provider, _, model = value.partition(":")
            if not model.strip() and provider.strip().lower() != "offline":
                what, form = ("file", "PATH") if provider.strip().lower() == "cassette" else ("model", "MODEL")
                self.fail(f"name a {what}: '{provider.strip()}:{form}'", parameter, context)
            try:
                return extractor_named(value)
            except errors.InvalidValueError as why:
                self.fail(str(why), parameter, context)
        module, _, attribute = value.partition(":")
        if not module or not attribute:
            self.fail("give 'offline', 'fake', 'false', 'provider:model', or 'module:attribute'", parameter, context)
        try:
            found = imported(module, attribute)
        except _Absent as why:
            self.fail(str(why), parameter, context)
        if isinstance(found, type) or not (callable(found) or callable(getattr(found, "extract", None))):
            self.fail(f"{value} is neither a callable nor an object with extract(request)", parameter, context)
        return found


class _Absent(Exception):
    """Says what is not there."""


def imported(module: str, attribute: str) -> Any:
    """Import something from a module, of the working folder too; raises ExtractorError where that module fails."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            raise _Absent(f"there is no module {module!r} here") from None
        raise errors.ExtractorError(f"{module} can't be imported: {error}") from error
    except (ValueError, TypeError) as error:
        raise _Absent(f"{module!r} is no name of a module: {error}") from None
    except Exception as error:
        raise errors.ExtractorError(f"{module} can't be imported: {type(error).__name__}: {error}") from error
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise _Absent(f"{module} has no {attribute!r}") from None
    return found


class Gated:
    """An extractor that does not begin before it is told to, so that nothing is missed by who watches."""

    def __init__(self, extractor: Any) -> None:
        self._extractor = extractor
        self._begin = threading.Event()
        self.name = getattr(extractor, "name", None) or getattr(extractor, "__name__", type(extractor).__name__)
        self._ask: Callable[[Any], Any] = getattr(extractor, "extract", extractor)
        self.extract = self._awaited if inspect.iscoroutinefunction(self._ask) else self._plain

    def begin(self) -> None:
        """Let it extract."""
        self._begin.set()

    def _plain(self, request: Any) -> Any:
        self._begin.wait()
        return self._ask(request)

    async def _awaited(self, request: Any) -> Any:
        self._begin.wait()  # a moment at most, and nothing else is to be done before
        return await self._ask(request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._extractor, name)


llm = click.option(
    "--llm",
    type=Llm(),
    help="Who extracts: offline, fake (for tests), false (keep without learning), provider:model, or module:attribute.",
)

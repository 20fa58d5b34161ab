"""The pytest plugin: a memory to test an agent with. It is loaded into every run, so it loads nothing itself.

PYTEST_DONT_REWRITE: there is nothing in it to rewrite, and it may be imported before pytest looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..aio import AsyncMemory
    from ..memory import Memory
    from .clock import FrozenClock
    from .marking import Wanted

_MARK = (
    "tensemem(schema, predicates, script, now, cassette, worker): the memory that the fixtures memory and "
    "async_memory give this test"
)
_BEGUN: pytest.StashKey[set[Path]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that records."""
    parser.getgroup("tensemem").addoption(
        "--tensemem-record",
        metavar="LLM",
        default=None,
        help="ask this model, as in openai:gpt-5-mini, and write its answers to the cassettes the tests name",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known; refuse to record in several processes."""
    config.addinivalue_line("markers", _MARK)
    config.stash[_BEGUN] = set()
    if config.getoption("--tensemem-record") is not None and getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("--tensemem-record writes each cassette from one process: leave out -n")


@pytest.fixture
def tensemem_llm(request: pytest.FixtureRequest) -> Any:
    """Who is recorded: what --tensemem-record names. Override it to record an extractor of your own."""
    return request.config.getoption("--tensemem-record")


@pytest.fixture
def memory_clock(request: pytest.FixtureRequest) -> FrozenClock:
    """The clock of the memory: stands still until ``advance("1d")`` or ``set("2026-05-20")`` moves it."""
    return _wanted(request).clock()


@pytest.fixture
def memory(request: pytest.FixtureRequest, memory_clock: FrozenClock) -> Iterator[Memory]:
    """A Memory that keeps nothing, with a clock that stands still and a model that plays a script or a cassette."""
    from ..memory import Memory

    wanted, extractor, options = _setting(request, memory_clock)
    with _told(lambda: Memory(":memory:", **options)) as opened:
        for name, told in wanted.registrations().items():
            _told(partial(opened.register_predicate, name, **told))
        yield opened
    _check_answers(extractor)


@pytest.fixture
def async_memory(request: pytest.FixtureRequest, memory_clock: FrozenClock) -> Iterator[AsyncMemory]:
    """The same as an AsyncMemory, for any event loop; it is closed when the test is over."""
    from ..aio import AsyncMemory
    from .reading import finished

    def registered(name: str, told: dict[str, Any]) -> None:
        finished(opened.register_predicate(name, **told))

    wanted, extractor, options = _setting(request, memory_clock)
    opened = AsyncMemory(":memory:", **options)
    try:
        _told(lambda: finished(opened.__aenter__()))  # which raises what opening it raised
        for name, told in wanted.registrations().items():
            _told(partial(registered, name, told))
        yield opened
    finally:
        finished(opened.close())
    _check_answers(extractor)


@pytest.fixture
def assert_state() -> Callable[..., None]:
    """``tensemem.testing.assert_state``."""
    from .asserting import assert_state

    return assert_state


@pytest.fixture
def assert_history() -> Callable[..., None]:
    """``tensemem.testing.assert_history``."""
    from .asserting import assert_history

    return assert_history


def _wanted(request: pytest.FixtureRequest) -> Wanted:
    from .marking import wanted_by

    marks = [(mark.args, mark.kwargs) for mark in request.node.iter_markers("tensemem")]
    found: Wanted = _told(lambda: wanted_by(marks))
    return found


def _setting(request: pytest.FixtureRequest, clock: FrozenClock) -> tuple[Wanted, Any, dict[str, Any]]:
    from .marking import extractor_for

    wanted = _wanted(request)
    is_recording = wanted.cassette is not None and request.config.getoption("--tensemem-record") is not None
    model = request.getfixturevalue("tensemem_llm") if is_recording else None
    extractor = _told(lambda: extractor_for(wanted, request.path.parent, model, request.config.stash[_BEGUN]))
    return wanted, extractor, {"llm": extractor, "schema": wanted.schema, "clock": clock, "worker": wanted.worker}


def _told(make: Callable[[], Any]) -> Any:
    """Give what is made; what the marker got wrong ends the test with its own words, without a traceback of ours."""
    from ..errors import TensememError
    from .marking import MarkError

    __tracebackhide__ = True
    try:
        return make()
    except (MarkError, TensememError) as error:
        text = str(error) if isinstance(error, MarkError) else f"@pytest.mark.tensemem: {error}"
    pytest.fail(text, pytrace=False)


def _check_answers(extractor: Any) -> None:
    """A test that asks what its cassette does not know must not pass by not looking."""
    missed = getattr(extractor, "missed", ())
    if missed:
        pytest.fail("\n".join(dict.fromkeys(missed)), pytrace=False)

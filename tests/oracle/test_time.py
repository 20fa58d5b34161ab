"""For the oracle time is what was spoken of, and not when it arrived."""

from __future__ import annotations

import pytest

from tests.oracle.fold import History
from tests.oracle.saying import lines, no_longer, one, period, row, runs, say, since

TIME = [
    pytest.param(
        one(say("Bangalore", 60), say("Delhi", 24)),
        "Delhi 24-60, Bangalore 60-",
        id="what was said earlier and arrives later is older",
    ),
    pytest.param(
        one(say("Bangalore", 60), period("Delhi", 19, 20, said=61)),
        "Delhi 19-20, Bangalore 60-",
        id="a past year leaves the present alone",
    ),
    pytest.param(
        one(since("Delhi", 20, said=70), since("Delhi", 26, said=71), row("Pune", 23, stated=72)),
        "Delhi 20-23, Pune 23-26, Delhi 26-",
        id="a value stated again with a later date holds a row up there",
    ),
    pytest.param(
        one(since("Delhi", 20, said=70), since("Delhi", 26, said=71), period("Pune", 23, 24, said=72)),
        "Delhi 20-23, Pune 23-24, Delhi 24-",
        id="a past period within a long stay",
    ),
    pytest.param(
        one(row("Delhi", 20, stated=70), row("Delhi", 26, stated=71), row("Pune", 23, stated=72)),
        "Delhi 20-23, Pune 23-26, Delhi 26-",
        id="a row does not pass the next one",
    ),
    pytest.param(
        one(say("Delhi", 30), row("Goa", 90, stated=31)),
        "Delhi 30-90, Goa 90-",
        id="a row in the future waits",
    ),
    pytest.param(
        one(since("Delhi", 24, said=24), no_longer("Delhi", 60, start=19, through=19)),
        "Delhi 24-",
        id="a retraction that speaks of an earlier time changes nothing",
    ),
    pytest.param(
        one(since("Delhi", 24, said=50), no_longer("Delhi", 60, start=19)),
        "",
        id="a retraction that speaks of the present since an earlier time wins",
    ),
    pytest.param(
        one(row("X", 26, stated=70), row("Q", 22, stated=71), row("R", 20, stated=72)),
        "R 20-22, Q 22-26, X 26-",
        id="late rows end where the next begins",
    ),
    pytest.param(
        one(say("X", 26), say("Q", 22), say("R", 20)),
        "R 20-22, Q 22-26, X 26-",
        id="late messages end where the next begins",
    ),
]


@pytest.mark.parametrize(("history", "wanted"), TIME)
def test_time_is_what_was_spoken_of_and_not_when_it_arrived(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)

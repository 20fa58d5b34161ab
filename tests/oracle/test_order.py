"""For the oracle neither the order of recording nor a rebuild changes a timeline."""

from __future__ import annotations

import itertools

import pytest

from tests.oracle.fold import History
from tests.oracle.saying import after, correct, late, lines, no_longer, one, runs, say, several

ORDER = [
    pytest.param(one(say("Delhi", 10), say("Bangalore", 20)), "Delhi 10-20, Bangalore 20-", id="queue, then set"),
    pytest.param(one(say("Delhi", 10), no_longer("Delhi", 20)), "Delhi 10-20", id="queue, then retract"),
    pytest.param(
        one(no_longer("Delhi", 20), say("Delhi", 10)),
        "Delhi 10-20",
        id="a retraction recorded before its claim",
    ),
    pytest.param(several(say("Python", 10), no_longer("Python", 20)), "Python 10-20", id="remove_value"),
    pytest.param(several(say("Python", 10), no_longer(None, 20)), "Python 10-20", id="retract without a value"),
    pytest.param(
        after(one(say("Delhi", 10), say("Bangalore", 20)), correct("Bangalore", to="Pune")),
        "Delhi 10-20, Pune 20-",
        id="a replacement",
    ),
    pytest.param(
        after(
            one(say("Delhi", 10), say("Bangalore", 20)),
            correct("Bangalore", to="Pune"),
            late(say("Bangalore", 15)),
        ),
        "Delhi 10-15, Bangalore 15-20, Pune 20-",
        id="a late message after a replacement",
    ),
    pytest.param(
        after(one(say("Delhi", 10), say("Bangalore", 20)), correct("Bangalore"), late(say("Bangalore", 90))),
        "Delhi 10-90, Bangalore 90-",
        id="a new statement of a corrected value counts",
    ),
]


@pytest.mark.parametrize(("history", "wanted"), ORDER)
def test_neither_order_of_recording_nor_rebuild_changes_the_timeline(history: History, wanted: str) -> None:
    assert runs(history) == lines(wanted)
    for sts in itertools.permutations(history.sts):
        assert runs(history._replace(sts=sts, fixes=history.fixes[::-1])) == lines(wanted)

"""The fold gives what the evidence rule says, read moment by moment by code that shares nothing with it."""

from __future__ import annotations

from hypothesis import given

from tests.laws.conversion import runs_of
from tests.oracle.fold import History, fold
from tests.oracle.strategies import histories
from tests.settings import law_settings


@law_settings
@given(history=histories())
def test_the_fold_shows_what_the_rule_says_at_every_moment(history: History) -> None:
    assert runs_of(history) == list(fold(*history[1:], many=history.many).runs)

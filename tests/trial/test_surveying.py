"""Messages without a time get one that keeps their order, and nothing is put ahead of the clock."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tensemem.trial.readers import Form
from tensemem.trial.surveying import dated, survey
from tensemem.trial.values import Said, Source
from tests.settings import law_settings
from tests.trial.made import NOON, WRITTEN

SOURCE = Source("chats", Path("chats"), WRITTEN)
MINUTE = timedelta(minutes=1)


def times(ats: list[datetime | None], limit: int | None = None) -> list[datetime]:
    said = [Said(number, "user", "x", at) for number, at in enumerate(ats, start=1)]
    form = Form("test", lambda: iter(said))
    return [at for _, at in dated(survey(SOURCE, form, NOON, limit), NOON)]


def test_without_any_time_they_are_a_minute_apart_and_end_when_the_file_was_written() -> None:
    assert times([None, None, None]) == [WRITTEN - 2 * MINUTE, WRITTEN - MINUTE, WRITTEN]


def test_a_limit_leaves_out_what_is_behind_it() -> None:
    assert times([None, None, None], limit=2) == [WRITTEN - MINUTE, WRITTEN]


def test_one_without_a_time_stands_behind_the_dated_one_before_it() -> None:
    day = datetime(2026, 2, 1, tzinfo=UTC)
    found = times([None, None, day, None, None, day + MINUTE])
    assert found[:3] == [day - 2 * MINUTE, day - MINUTE, day]
    assert day < found[3] < found[4] < found[5] == day + MINUTE


def test_a_time_in_the_future_counts_as_none() -> None:
    ahead = NOON + timedelta(hours=1)
    assert times([ahead]) == [WRITTEN]
    form = Form("test", lambda: iter([Said(1, "user", "x", ahead)]))
    assert survey(SOURCE, form, NOON).ahead == 1


@law_settings
@given(st.lists(st.booleans(), max_size=40))
def test_order_is_kept_and_nothing_lies_ahead(with_time: list[bool]) -> None:
    given_times = [NOON - timedelta(days=100 - place) if is_dated else None for place, is_dated in enumerate(with_time)]
    found = times(given_times)
    assert len(found) == len(given_times)
    assert all(one < other for one, other in itertools.pairwise(found))
    assert all(at <= NOON for at in found)
    assert all(at == own for at, own in zip(found, given_times, strict=True) if own is not None)

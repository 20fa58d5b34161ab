"""What was used, what a day allows, and when nothing is asked at all."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tensemem.errors import ExtractorUnavailable
from tensemem.extract.models.spending import Allowance, Pause, Used

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


class Watch:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_what_was_used_adds_up() -> None:
    total = Used(1, 10, 5, 0.5, 0, 1)
    total.add(Used(2, 1, 1, 0.2504, 1, 0))
    assert total.as_mapping() == {
        "calls": 3, "input_tokens": 11, "output_tokens": 6, "seconds": 0.75, "retries": 1, "repaired": 1,
    }  # fmt: skip


def test_the_calls_of_a_day_are_counted_and_the_next_day_begins_anew(watch: Watch) -> None:
    allowance = Allowance("openai", 2, None, watch)
    allowance.take_call()
    allowance.take_call()
    told = r"openai: the 2 calls allowed in a day \(max_calls_per_day\) are used up; it resumes at 2026-03-06T00:00Z"
    with pytest.raises(ExtractorUnavailable, match=told):
        allowance.take_call()
    watch.now = NOON + timedelta(hours=11, minutes=59)
    with pytest.raises(ExtractorUnavailable):
        allowance.take_call()
    watch.now = NOON + timedelta(hours=12)
    allowance.take_call()


def test_a_day_is_one_of_utc_wherever_the_clock_is(watch: Watch) -> None:
    allowance = Allowance("openai", 1, None, watch)
    allowance.take_call()
    watch.now = datetime(2026, 3, 6, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))  # 23:30 of the day before, in UTC
    with pytest.raises(ExtractorUnavailable):
        allowance.take_call()


def test_the_tokens_of_a_day_are_counted(watch: Watch) -> None:
    allowance = Allowance("openai", None, 100, watch)
    for _ in range(2):
        allowance.take_call()
        allowance.spend(60)
    with pytest.raises(ExtractorUnavailable, match="the 100 tokens allowed in a day"):
        allowance.take_call()


def test_a_call_that_cost_nothing_is_given_back_on_its_own_day_only(watch: Watch) -> None:
    allowance = Allowance("openai", 1, None, watch)
    day = allowance.take_call()
    allowance.give_back(day)
    day = allowance.take_call()
    watch.now += timedelta(days=1)
    allowance.take_call()
    allowance.give_back(day)
    with pytest.raises(ExtractorUnavailable):
        allowance.take_call()


def test_a_clock_that_is_set_back_opens_no_purse(watch: Watch) -> None:
    allowance = Allowance("openai", 1, None, watch)
    allowance.take_call()
    watch.now -= timedelta(days=3)
    with pytest.raises(ExtractorUnavailable, match="resumes at 2026-03-06"):
        allowance.take_call()


def test_nothing_is_allowed_where_the_cap_is_nought(watch: Watch) -> None:
    with pytest.raises(ExtractorUnavailable):
        Allowance("openai", 0, None, watch).take_call()


def test_threads_together_take_no_more_than_there_is(watch: Watch) -> None:
    allowance = Allowance("openai", 50, None, watch)
    refused: list[int] = []

    def take() -> None:
        for _ in range(20):
            try:
                allowance.take_call()
            except ExtractorUnavailable:
                refused.append(1)

    threads = [threading.Thread(target=take) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 50


def test_a_pause_says_why_and_until_when_and_ends(watch: Watch) -> None:
    pause = Pause("openai", watch)
    pause.check()
    told = pause.begin(90, "access was refused")
    assert told == "; not asked again before 2026-03-05T12:01:30Z"
    with pytest.raises(ExtractorUnavailable, match=f"openai: access was refused{told}"):
        pause.check()
    watch.now += timedelta(seconds=90)
    pause.check()


def test_a_clock_that_is_set_back_ends_a_pause(watch: Watch) -> None:
    pause = Pause("openai", watch)
    pause.begin(30, "why")
    watch.now -= timedelta(hours=1)
    pause.check()

"""Whole conversations through a memory that reads them with the offline extractor."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tensemem import Memory, OfflineExtractor, vocabulary
from tests.extract.offline.asking import extractor

START = datetime(2026, 5, 20, 12, tzinfo=UTC)
LONGEST = 120
"""Seconds: a busy machine takes its time to compile the vocabulary."""


class Talk:
    """A memory whose user says one thing after another, a day apart unless told when."""

    def __init__(self, **settings: Any) -> None:
        self.now = START
        self.mem = Memory(":memory:", llm=extractor(), worker=False, clock=lambda: self.now, **settings)

    def say(self, *texts: str, **more: Any) -> None:
        """Say some things, and have them read."""
        for text in texts:
            self.mem.add("ann", text, **more)
            self.now += timedelta(days=1)
        assert self.mem.flush("ann", timeout=LONGEST).is_current

    def values(self) -> dict[str, Any]:
        """What is known of the user now."""
        return dict(self.mem.state("ann").values)


@pytest.fixture
def talk() -> Iterator[Talk]:
    one = Talk()
    one.mem.register([vocabulary.PERSONAL, vocabulary.PROJECT])
    yield one
    one.mem.close()


def test_a_life_in_four_languages(talk: Talk) -> None:
    talk.say("Hi, my name is Ann and I live in Leeds.", "I speak English and French.", "I work at Nokia.")
    assert talk.values() == {
        "name": "Ann",
        "lives_in": "Leeds",
        "languages": ("English", "French"),
        "works_at": "Nokia",
    }
    talk.say("Ich wohne jetzt in Graz.", "Ich arbeite nicht mehr bei Nokia.")
    assert (talk.values()["lives_in"], "works_at" in talk.values()) == ("Graz", False)
    talk.say("Me mudé a Lima", "我对花生过敏")
    assert (talk.values()["lives_in"], talk.values()["allergies"]) == ("Lima", ("花生",))
    talk.say("I no longer live in Lima.")
    assert "lives_in" not in talk.values()


def test_what_the_user_says_of_others_is_kept_apart(talk: Talk) -> None:
    talk.say("My wife lives in Pune.", "My brother works at Bosch", "I live in Delhi.")
    assert talk.mem.get("ann", "lives_in") == "Delhi"
    assert talk.mem.get("ann", "lives_in", subject="wife") == "Pune"
    assert talk.mem.get("ann", "works_at", subject="user.brother") == "Bosch"


def test_a_plan_is_listed_and_not_current(talk: Talk) -> None:
    talk.say("I live in Halle.", "I'm moving to Leipzig in November.")
    state = talk.mem.state("ann")
    assert state.values["lives_in"] == "Halle"
    assert [(fact.value, fact.valid_from) for fact in state.planned] == [("Leipzig", datetime(2026, 11, 1, tzinfo=UTC))]


def test_a_row_of_the_past_does_not_touch_the_present(talk: Talk) -> None:
    talk.say("I live in Delhi.", "I lived in Paris from 2015 to 2017.")
    assert talk.mem.get("ann", "lives_in") == "Delhi"
    assert talk.mem.get("ann", "lives_in", at="2016-06-01") == "Paris"


def test_said_one_by_one_or_in_a_burst_the_state_is_the_same() -> None:
    texts = [
        "I live in Delhi",
        "I no longer live in Delhi",
        "I moved to Pune",
        "My wife lives in Goa",
        "Do I live in Rome?",
    ]
    digests = set()
    for burst in (True, False):
        talk = Talk()
        talk.mem.register(vocabulary.PERSONAL)
        for text in texts:
            talk.mem.add("ann", text, said_at=START - timedelta(hours=24 - texts.index(text)))
            if not burst:
                talk.mem.flush("ann")
        talk.mem.flush("ann")
        digests.add(talk.mem.digest("ann"))
        assert talk.mem.rebuild().identical
        talk.mem.close()
    assert len(digests) == 1


def test_a_rehearsed_role_is_not_the_user_and_a_plain_name_afterwards_is(talk: Talk) -> None:
    talk.say("Let's practice: you are the hotline, and I play a client called Rasmus from Bergen. Hello, I'm Rasmus.")
    assert talk.values() == {}
    talk.say("My name is Ann.")
    assert talk.values() == {"name": "Ann"}


def test_asking_what_a_trade_earns_in_a_town_is_neither_a_trade_nor_a_home(talk: Talk) -> None:
    talk.say("¿Cuánto gana un electricista en Bilbao?")
    assert talk.values() == {}


def test_a_trip_is_no_move(talk: Talk) -> None:
    talk.mem.set("ann", "lives_in", "Quito")
    talk.say("Estos días estoy en Lima por un congreso.", "I'm staying in Lima this week", "我这周在利马出差")
    assert talk.values() == {"lives_in": "Quito"}


def test_a_wish_for_once_is_no_preference() -> None:
    talk = Talk()
    talk.mem.register_predicate("reply_language", examples=["Always answer in {value}", "Réponds toujours en {value}"])
    talk.mem.set("ann", "reply_language", "français")
    talk.say("Just this once, answer in English.", "Pour une fois, réponds en anglais.")
    assert talk.values() == {"reply_language": "français"}
    talk.mem.close()


def test_a_day_is_counted_from_when_it_was_said_in_its_own_zone() -> None:
    talk = Talk(tz="Asia/Shanghai")
    talk.mem.register_predicate(
        "cast_removed_on", type="date", examples=["I got my cast off {value}", "我{value}拆了石膏"]
    )
    said_at = datetime(2024, 11, 6, 10, tzinfo=UTC)
    talk.say("I got my cast off yesterday.", said_at=said_at)
    assert talk.values() == {"cast_removed_on": said_at.date() - timedelta(days=1)}
    after_midnight = datetime(2025, 9, 10, 0, 20, tzinfo=ZoneInfo("Asia/Shanghai"))
    talk.say("我今天拆了石膏。", said_at=after_midnight)
    assert talk.values() == {"cast_removed_on": after_midnight.date()}
    talk.mem.close()


def test_the_vocabularies_are_files_that_register_takes() -> None:
    for path in (vocabulary.PERSONAL, vocabulary.PROJECT):
        assert Path(path).is_file()
    with Memory(":memory:", llm=False) as mem:
        personal = {predicate.name for predicate in mem.register(vocabulary.PERSONAL)}
        project = {predicate.name for predicate in mem.register(vocabulary.PROJECT)}
        every = mem.predicates()
    assert personal == {
        "age", "allergies", "birthday", "diet", "dislikes", "email", "hobbies", "hometown", "job_title", "languages",
        "likes", "lives_in", "name", "partner", "pets", "phone", "pronouns", "studies_at", "timezone", "works_at",
    }  # fmt: skip
    assert project == {
        "branch_rule", "ci", "database", "deploy_target", "framework", "language_version", "license",
        "package_manager",
    }  # fmt: skip
    assert all(predicate.description for predicate in every)
    assert OfflineExtractor().unread(every) == ()


def test_a_memory_takes_it_by_name() -> None:
    with Memory(":memory:", llm="offline", worker=False) as mem:
        mem.register_predicate("lives_in", examples=["I live in {value}", "Ich wohne in {value}"])
        mem.add("u1", "I live in Oslo")
        mem.add("u1", "Ich wohne jetzt in Graz")
        mem.flush("u1")
        assert mem.get("u1", "lives_in") == "Graz"

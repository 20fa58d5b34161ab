"""The service by itself, beside ADK's own one in memory where both have a word for it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.errors import InvalidValueError, UnknownFactError
from tests.adapters.adk.conftest import registered

pytest.importorskip("google.adk")

from google.adk.events.event import Event
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai.types import Content, Part

from tensemem.adapters.adk import TensememMemoryService

APP, USER = "app", "ada"
WHEN = datetime(2026, 1, 5, tzinfo=UTC).timestamp()


def event(number: int, author: str, text: str, **fields: Any) -> Event:
    content = Content(role="user" if author == "user" else "model", parts=[Part(text=text)])
    return Event(id=f"e{number}", author=author, content=content, timestamp=WHEN + number, **fields)


def session(*events: Event) -> Session:
    return Session(id="s1", app_name=APP, user_id=USER, events=list(events))


def found(service: Any, query: str, user_id: str = USER, app_name: str = APP) -> list[MemoryEntry]:
    """What is remembered; that memory lags behind is told apart."""
    return [one for one in everything(service, query, user_id, app_name) if one.id != "lag"]


def everything(service: Any, query: str, user_id: str = USER, app_name: str = APP) -> list[MemoryEntry]:
    memories: list[MemoryEntry] = asyncio.run(
        service.search_memory(app_name=app_name, user_id=user_id, query=query)
    ).memories
    return memories


def words(entries: list[MemoryEntry]) -> list[str]:
    return ["".join(part.text for part in entry.content.parts) for entry in entries]


TALK = [event(1, "user", "I live in Delhi"), event(2, "helper", "Noted."), event(3, "user", "I like trains")]


def test_events_are_messages_with_their_roles_and_logged_once(mem: Memory) -> None:
    service = TensememMemoryService(mem)
    for talk in (TALK[:2], TALK, TALK):
        asyncio.run(service.add_session_to_memory(session(*talk)))
    asyncio.run(service.add_events_to_memory(app_name=APP, user_id=USER, events=TALK))
    bound = mem.for_user(USER, agent_id=APP)
    assert bound.state().freshness.latest_seq == 3
    said = {hit.text: (hit.role, hit.said_at) for word in ("Delhi", "Noted", "trains") for hit in bound.search(word)}
    assert said["I live in Delhi"] == ("user", datetime.fromtimestamp(WHEN + 1, UTC))
    assert said["Noted."][0] == "assistant"


def test_what_is_no_talk_is_not_logged(mem: Memory) -> None:
    call = Event(id="c", author="helper", content=Content(parts=[Part.from_function_call(name="f", args={})]))
    thought = Event(id="t", author="helper", content=Content(parts=[Part(text="hm", thought=True)]))
    asyncio.run(
        TensememMemoryService(mem).add_session_to_memory(
            session(call, thought, Event(id="n", author="user"), event(1, "helper", "He", partial=True))
        )
    )
    assert mem.for_user(USER, agent_id=APP).state().freshness.latest_seq == 0


@pytest.mark.parametrize("query", ["Delhi", "trains", "noted", "nothing of it", "DELHI trains"])
def test_episodes_are_those_that_adk_finds(mem: Memory, query: str) -> None:
    theirs, ours = InMemoryMemoryService(), TensememMemoryService(mem)
    for service in (theirs, ours):
        asyncio.run(service.add_session_to_memory(session(*TALK)))
        asyncio.run(service.add_events_to_memory(app_name=APP, user_id=USER, events=TALK[:1], session_id="s1"))
    assert sorted(words(found(ours, query))) == sorted(words(found(theirs, query)))
    assert found(ours, query, user_id="bob") == found(theirs, query, user_id="bob") == []
    assert found(ours, query, app_name="other") == found(theirs, query, app_name="other") == []


def test_facts_come_first_with_their_times_and_freshness(mem: Memory) -> None:
    service = TensememMemoryService(mem)
    asyncio.run(service.add_session_to_memory(session(*TALK)))
    mem.flush()
    asyncio.run(service.add_events_to_memory(app_name=APP, user_id=USER, events=[event(9, "user", "I moved to Goa")]))
    fact, episode = found(service, "where is Delhi?")
    assert words([fact, episode]) == ["lives_in: Delhi (since 2026-01-05)", "I live in Delhi"]
    assert fact.author == "memory"
    named = ("predicate", "value", "valid_from", "valid_to", "is_current")
    assert {key: fact.custom_metadata[key] for key in named} == {
        "predicate": "lives_in", "value": "Delhi", "valid_from": "2026-01-05T00:00:01+00:00", "valid_to": None,
        "is_current": False,
    }  # fmt: skip
    assert fact.custom_metadata["lag"].startswith("Memory is behind: 1 recent message is")
    version = fact.custom_metadata["version"]
    mem.flush()
    (moved,) = [each for each in found(service, "") if each.custom_metadata["kind"] == "fact"]
    assert moved.custom_metadata["is_current"] is True
    assert moved.custom_metadata["version"] != version


def test_what_the_query_asks_for_is_first_and_the_number_is_bounded(mem: Memory) -> None:
    mem.register_predicate("eats", "many")
    bound = mem.for_user(USER, agent_id=APP)
    bound.set("lives_in", "Delhi")
    bound.replace_values("eats", [f"dish {number}" for number in range(9)])
    service = TensememMemoryService(mem, max_facts=3)
    entries = found(service, "Delhi")
    assert len(entries) == 3
    assert entries[0].custom_metadata["value"] == "Delhi"


def test_a_repeated_fact_teaches_nothing(mem: Memory) -> None:
    service = TensememMemoryService(mem)
    mem.for_user(USER, agent_id=APP).set("lives_in", "Delhi")
    (told,) = words(found(service, ""))
    asyncio.run(service.add_session_to_memory(session(event(1, "user", told))))
    mem.flush()
    (fact,) = mem.for_user(USER, agent_id=APP).history("lives_in").facts
    assert len(fact.evidence) == 1


def test_a_corrected_message_is_marked(mem: Memory) -> None:
    service = TensememMemoryService(mem)
    asyncio.run(service.add_session_to_memory(session(*TALK)))
    mem.flush()
    fact = mem.for_user(USER, agent_id=APP).state().fact("lives_in")
    assert fact is not None
    mem.correct(fact.id)
    (episode,) = found(service, "Delhi")
    assert words([episode]) == ["I live in Delhi (corrected since: not true)"]
    assert episode.custom_metadata["corrected"] is True


def test_deleting_retracts_and_the_log_keeps_it(mem: Memory) -> None:
    service = TensememMemoryService(mem)
    asyncio.run(service.add_session_to_memory(session(*TALK)))
    mem.flush()
    fact, episode = found(service, "Delhi")
    for memory_id in (None, "", fact.id, fact.id):
        asyncio.run(service.delete_memory(app_name=APP, user_id=USER, memory_id=memory_id))
    assert [entry.id for entry in found(service, "Delhi")] == [episode.id]
    assert len(mem.for_user(USER, agent_id=APP).history("lives_in").facts) == 1
    with pytest.raises(InvalidValueError, match="stays in the log"):
        asyncio.run(service.delete_memory(app_name=APP, user_id=USER, memory_id=episode.id))
    with pytest.raises(UnknownFactError):
        asyncio.run(service.delete_memory(app_name=APP, user_id="bob", memory_id=fact.id))


def test_memories_are_facts_or_what_was_said(mem: Memory) -> None:
    def entry(text: str, author: str | None = None, **metadata: Any) -> MemoryEntry:
        return MemoryEntry(content=Content(parts=[Part(text=text)]), author=author, custom_metadata=metadata)

    service = TensememMemoryService(mem, by_app=False)
    given = [entry("Delhi", predicate="lives_in"), entry("likes trains"), entry("I moved to Goa", "user")]
    asyncio.run(service.add_memory(app_name=APP, user_id=USER, memories=given))
    assert mem.get(USER, "lives_in") == "Delhi"
    mem.flush()
    assert mem.get(USER, "lives_in") == "Goa"
    assert [hit.role for hit in mem.search(USER, "trains")] == ["assistant"]


def test_an_async_memory_does_the_same() -> None:
    async def story() -> list[str]:
        async with AsyncMemory(":memory:", llm=FakeExtractor(), worker=False) as memory:
            await registered(memory)
            service = TensememMemoryService(memory)
            await service.add_session_to_memory(session(*TALK))
            await memory.flush()
            return words((await service.search_memory(app_name=APP, user_id=USER, query="Delhi")).memories)

    assert asyncio.run(story()) == ["lives_in: Delhi (since 2026-01-05)", "I live in Delhi"]


def test_an_event_that_cannot_be_kept_keeps_none_behind_it_from_the_log() -> None:
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as mem:
        service = TensememMemoryService(mem)
        events = (event(1, "user", "first"), event(2, "user", "a\x00b" * 400_000), event(3, "user", "last"))
        asyncio.run(service.add_session_to_memory(session(*events)))
        said = [message.content for message in mem.messages(USER, agent_id=APP)]
        assert (said[0], said[-1], len(said)) == ("first", "last", 2)


def test_what_memory_lags_behind_is_told_where_nothing_is_known_yet() -> None:
    with Memory(":memory:", llm=FakeExtractor(), worker=False) as mem:
        mem.add(USER, "I live in Delhi", agent_id=APP)
        [entry] = [one for one in everything(TensememMemoryService(mem), "home") if one.id == "lag"]
        assert entry.content.parts[0].text.startswith("Memory is behind: 1 recent message is")

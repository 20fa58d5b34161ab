"""What was kept is never answered with an error that says it was not: its receipt tells what else went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, Memory, Message, errors
from tensemem.access import Access
from tensemem.engine import record
from tests.adapters.rest.bench import TOKEN, Web, served
from tests.adapters.rest.test_requests import kind
from tests.engine.bench import Clock, Told


def busy(*_given: Any, **_options: Any) -> Any:
    raise errors.StoreBusyError


async def awaited(*_given: Any, **_options: Any) -> Any:
    raise errors.StoreBusyError


def test_a_message_is_told_to_be_there_though_nobody_can_look_whether_it_is_extracted(
    web: Web, mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AsyncMemory, "state", awaited)
    added = web.ok("POST", "add", user_id="ann", content="hello", wait=1)
    assert (added["seq"], added["settled"]) == (1, False)
    monkeypatch.undo()
    assert [message.content for message in mem.messages("ann")] == ["hello"]


def test_so_it_is_in_this_process(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "await_messages", busy)
    added = mem.add("ann", "hello", wait=1)
    assert (added.seq, added.settled) == (1, False)


def test_who_is_gone_is_told_to_be_though_the_keys_can_t_be_changed(
    path: Path, tmp_path: Path, mem: Memory, clock: Clock, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    mem.set("ann", "lives_in", "Delhi")
    monkeypatch.setattr(Access, "forget_person", busy)
    with (
        Access.open(tmp_path / "elsewhere") as access,
        served(path, clock=clock, llm=told, access=access, token=TOKEN) as web,
    ):
        removed = web.ok("POST", "forget", headers={"authorization": f"Bearer {TOKEN}"}, user_id="ann")
        assert [act.outcome for act in access.acts()] == ["begun", "done"]
    assert removed["scopes"] == 1
    assert any("keys" in sentence for sentence in removed["elsewhere"])
    assert mem.state("ann").facts == ()


def test_where_some_of_many_messages_are_kept_nobody_is_told_that_none_are(
    web: Web, mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, batches = record.store_messages, list[Any]()

    def once(*given: Any) -> Any:
        batches.append(given)
        return real(*given) if len(batches) == 1 else busy()

    sent = [{"user_id": "ann", "content": text} for text in ("one", "two", "three")]
    monkeypatch.setattr(record, "store_messages", once)
    answer = web.verb("POST", "add_many", messages=sent, batch=2)
    assert (answer.status_code, kind(answer)) == (503, "outcome-unknown")
    assert [message.content for message in mem.messages("ann")] == ["one", "two"]
    answer = web.verb("POST", "add_many", messages=sent, batch=2)
    assert (answer.status_code, kind(answer)) == (503, "store-busy")


def test_so_it_is_where_they_are_of_one_batch_and_of_several_people(
    web: Web, mem: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = record.store_messages

    def of_ann(engine: Any, scope: Any, own: Any) -> Any:
        return real(engine, scope, own) if scope.user_id == "ann" else busy()

    monkeypatch.setattr(record, "store_messages", of_ann)
    sent = [Message("ann", "hello"), Message("bob", "hi")]
    with pytest.raises(errors.OutcomeUnknownError, match="1 of 2 messages were kept"):
        list(mem.add_many(sent))
    with pytest.raises(errors.StoreBusyError):
        list(mem.add_many(sent[1:]))
    assert len(mem.messages("ann")) == 1
    answer = web.verb("POST", "add_many", messages=[{"user_id": one.user_id, "content": one.content} for one in sent])
    assert (answer.status_code, kind(answer)) == (503, "outcome-unknown")

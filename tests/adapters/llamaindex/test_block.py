"""The block by itself, and in LlamaIndex's own memory: text, budgets, what is logged and when."""

from __future__ import annotations

import asyncio
import importlib
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, errors
from tests.adapters.logged import messages_of, sessions_of

pytest.importorskip("llama_index.core")

from llama_index.core.base.llms.types import ChatMessage, ImageBlock
from llama_index.core.memory import Memory as LlamaMemory
from llama_index.core.memory.memory import InsertMethod
from llama_index.core.utils import get_tokenizer

from tensemem.adapters.llamaindex import ROLES, TensememBlock, TensememMemory

LANGUAGES = ["Ada", "C", "Erlang", "Fortran", "Go", "Haskell", "Idris", "Julia", "Kotlin", "Lua", "OCaml", "Python"]


def message(text: str, role: str = "user") -> ChatMessage:
    return ChatMessage(role=role, content=text)


@asynccontextmanager
async def conversation(kind: Any, *blocks: TensememBlock, **options: Any) -> Any:
    memory = kind.from_defaults(session_id="s1", memory_blocks=list(blocks), **options)
    yield memory
    await memory.sql_store._async_engine.dispose()


async def prompt_of(kind: Any, *blocks: TensememBlock, **options: Any) -> list[ChatMessage]:
    async with conversation(kind, *blocks, **options) as memory:
        await memory.aput(message("Hello!"))
        found: list[ChatMessage] = await memory.aget()
        return found


def test_the_block_gives_the_context_as_it_is(mem: Memory) -> None:
    block = TensememBlock(mem, "u1")
    assert asyncio.run(block.aget()) == ""
    mem.set("u1", "lives_in", "Delhi")
    assert asyncio.run(block.aget([message("where?")])) == mem.context("u1").text
    mem.add("u1", "I moved to Goa")
    text = asyncio.run(block.aget())
    assert text.startswith(mem.context("u1").text + "\nMemory is behind: 1 recent message is")


def test_the_text_stands_in_a_system_message_or_in_the_users(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    system, user = asyncio.run(prompt_of(LlamaMemory, TensememBlock(mem, "u1")))
    assert (system.role, user.content) == ("system", "Hello!")
    assert mem.context("u1").text in str(system.content)
    (only,) = asyncio.run(prompt_of(LlamaMemory, TensememBlock(mem, "u1"), insert_method=InsertMethod.USER))
    assert mem.context("u1").text in str(only.content)


def test_the_last_words_of_the_user_choose_under_a_budget(mem: Memory) -> None:
    mem.replace_values("u1", "languages", LANGUAGES)
    block = TensememBlock(mem, "u1", max_tokens=80)
    asked = [message("Do I know Lua?"), message("You do.", "assistant"), message("And Python?")]
    text = asyncio.run(block.aget(asked))
    assert "- languages: Python" in text
    assert "Lua" not in text
    assert "more not shown" in text


def test_truncating_says_less_and_cuts_no_line(mem: Memory) -> None:
    mem.replace_values("u1", "languages", LANGUAGES)
    block = TensememBlock(mem, "u1")
    count = get_tokenizer()

    async def truncated(by: int) -> tuple[str, str | None]:
        whole = await block.aget([message("And Python?")])
        return whole, await block.atruncate(whole, by)

    whole, _ = asyncio.run(truncated(1))
    for by in range(1, len(count(whole)), 7):
        _, text = asyncio.run(truncated(by))
        goal = len(count(whole)) - by
        if text is None:
            assert goal < 60  # the frame alone
            continue
        assert len(count(text)) <= goal
        assert "- languages: Python" in text or goal < 80  # the frame with one line in it
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        assert set(lines) < set(whole.splitlines())
        assert f"({len(LANGUAGES) - len(lines)} more not shown)" in text
    assert asyncio.run(truncated(10_000))[1] is None


def test_truncating_in_a_small_memory(mem: Memory) -> None:
    mem.replace_values("u1", "languages", LANGUAGES)
    mem.set("u2", "diet", "vegan")
    blocks = [TensememBlock(mem, "u1"), TensememBlock(mem, "u2", name="other", priority=0)]
    system, _ = asyncio.run(prompt_of(LlamaMemory, *blocks, token_limit=200))
    text = str(system.content)
    assert "- languages: " in text
    assert "more not shown)\n</tensemem" in text
    assert "- diet: vegan" in text


def test_a_counter_that_is_higher_than_ours_is_obeyed(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.adapters.llamaindex.get_tokenizer", lambda: list)  # each character is a token
    mem.replace_values("u1", "languages", LANGUAGES)
    block = TensememBlock(mem, "u1")

    async def truncated() -> tuple[str, str | None]:
        whole = await block.aget()
        return whole, await block.atruncate(whole, 100)

    whole, text = asyncio.run(truncated())
    assert text is not None
    assert len(text) <= len(whole) - 100


def test_what_is_behind_is_told_in_the_truncated_text_too(mem: Memory) -> None:
    mem.replace_values("u1", "languages", LANGUAGES)
    mem.add("u1", "hello")
    block = TensememBlock(mem, "u1")
    whole = asyncio.run(block.aget())
    text = asyncio.run(block.atruncate(whole, 60))
    assert text is not None
    assert "Memory is behind: " in text


def test_what_falls_out_of_the_short_term_memory_is_logged(mem: Memory, path: Path) -> None:
    async def long_talk() -> None:
        async with conversation(LlamaMemory, TensememBlock(mem, "u1"), token_limit=40, token_flush_size=10) as memory:
            for number in range(6):
                await memory.aput(message(f"this is message number {number} of the user"))
                await memory.aput(message(f"this is answer number {number}", "assistant"))

    asyncio.run(long_talk())
    logged = messages_of(path)
    assert logged[:2] == [
        ("user", "this is message number 0 of the user"), ("assistant", "this is answer number 0"),
    ]  # fmt: skip
    assert 2 < len(logged) < 12
    assert len(set(logged)) == len(logged)
    assert set(sessions_of(path)) == {"s1"}


def test_our_memory_logs_at_once_and_nothing_twice(mem: Memory, path: Path) -> None:
    async def long_talk() -> list[int]:
        lengths = []
        block = TensememBlock(mem, "u1")
        async with conversation(TensememMemory, block, token_limit=40, token_flush_size=10) as memory:
            for number in range(4):
                await memory.aput(message(f"this is message number {number} of the user"))
                lengths.append(len(messages_of(path)))
                await memory.aput_messages([message("so it is", "assistant"), message("and so on", "assistant")])
                lengths.append(len(messages_of(path)))
            assert len(await memory.aget_all()) == 12
        return lengths

    assert asyncio.run(long_talk()) == [1, 3, 4, 6, 7, 9, 10, 12]


def test_a_flush_that_is_handed_over_again_is_logged_once(mem: Memory, path: Path) -> None:
    block = TensememBlock(mem, "u1")
    batch = [message("ok"), message("ok", "assistant"), message("ok")]
    for _ in range(2):
        asyncio.run(block.aput(batch, from_short_term_memory=True, session_id="s1"))
    assert messages_of(path) == [("user", "ok"), ("assistant", "ok"), ("user", "ok")]
    asyncio.run(block.aput([message("ok")], from_short_term_memory=True, session_id="s1"))
    assert len(messages_of(path)) == 4


def test_what_is_logged_by_hand_with_a_key_is_logged_once_and_left_as_it_is(mem: Memory, path: Path) -> None:
    block = TensememBlock(mem, "u1", accept_short_term_memory=False)
    batch = [message("I live in Delhi"), message("Noted.", "assistant")]
    receipts = [asyncio.run(block.log(batch, session_id="s1", idempotency_key="run-1")) for _ in range(2)]
    assert [receipt.duplicate for receipt in receipts if receipt] == [False, True]
    assert [each.additional_kwargs for each in batch] == [{}, {}]
    asyncio.run(block.aput(batch, from_short_term_memory=True, session_id="s1"))
    assert messages_of(path) == [("user", "I live in Delhi"), ("assistant", "Noted.")]
    mem.flush()
    assert mem.get("u1", "lives_in") == "Delhi"


def test_a_prompt_after_the_answer_waits_for_the_users_words(mem: Memory) -> None:
    block = TensememBlock(mem, "u1")

    async def turn() -> tuple[str, str]:
        await block.log([message("I live in Delhi")], session_id="s1")
        during = await block.aget(session_id="s1")
        await block.log([message("Noted.", "assistant")], session_id="s1")
        return during, await block.aget(session_id="s1")

    during, after = asyncio.run(turn())
    assert during == ""
    assert after.startswith("Memory is behind: 1 recent message is")


def test_what_other_conversations_said_is_waited_for_too(mem: Memory) -> None:
    block = TensememBlock(mem, "u1")
    asyncio.run(block.log([message("Hello!"), message("Hello.", "assistant")], session_id="s1"))
    mem.flush()
    mem.add("u1", "I live in Delhi", session_id="s2")
    assert asyncio.run(block.aget(session_id="s1")).startswith("Memory is behind: 1 recent message is")


@pytest.mark.parametrize("wait", [None, True, 0.5])
def test_the_prompt_waits_as_long_as_it_was_told(mem: Memory, monkeypatch: pytest.MonkeyPatch, wait: Any) -> None:
    waited: list[Any] = []
    context = mem.context

    def watched(*args: Any, **keywords: Any) -> Any:
        waited.append(keywords["wait"])
        return context(*args, **keywords)

    monkeypatch.setattr(mem, "context", watched)
    asyncio.run(TensememBlock(mem, "u1", wait=wait).aget())
    assert waited == [wait]


def test_every_role_has_its_name_in_the_log(mem: Memory, path: Path) -> None:
    asyncio.run(TensememBlock(mem, "u1").log([message(role, role) for role in ROLES]))
    assert messages_of(path) == [(role, name) for name, role in ROLES.items()]


def test_messages_without_text_are_no_messages(mem: Memory, path: Path) -> None:
    block = TensememBlock(mem, "u1")
    picture = ChatMessage(role="user", blocks=[ImageBlock(url="http://localhost/a.png")])
    assert asyncio.run(block.log([picture, message(" ")])) is None
    assert messages_of(path) == []


def test_history_is_shown_where_it_is_asked_for(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    mem.set("u1", "lives_in", "Goa")
    assert "Delhi" not in asyncio.run(TensememBlock(mem, "u1").aget())
    assert "Delhi" in asyncio.run(TensememBlock(mem, "u1", include_history=True).aget())


def test_wrong_use_is_told(mem: Memory) -> None:
    wrong: Any = "memory.db"
    with pytest.raises(errors.InvalidValueError, match="give an open Memory or AsyncMemory, not str"):
        TensememBlock(wrong, "u1")
    with pytest.raises(errors.InvalidScopeError):
        TensememBlock(mem, "")
    with pytest.raises(errors.InvalidValueError, match="wait must be seconds"):
        TensememBlock(mem, "u1", wait=-1)


def test_a_missing_framework_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_index.core.memory", None)
    monkeypatch.delitem(sys.modules, "tensemem.adapters.llamaindex")
    with pytest.raises(ImportError, match=r"install the extra `llamaindex`"):
        importlib.import_module("tensemem.adapters.llamaindex")

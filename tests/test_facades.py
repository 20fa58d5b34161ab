"""The forms a verb takes are one verb: plain, awaited, bound to a scope, and as a type checker sees them."""

from __future__ import annotations

import inspect
import os
import pydoc
import re
import shutil
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncClient, AsyncMemory, Client, Memory
from tensemem.verbs.awaited import AsyncScopedMemory
from tensemem.verbs.scoped import SCOPE, ScopedMemory, public_verbs
from tensemem.wire import NOT_SERVED
from tools import make_facades

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = PROJECT / "src"
STUBBED = (
    "tensemem.aio", "tensemem.verbs.scoped", "tensemem.verbs.awaited", "tensemem.client.plain",
    "tensemem.client.awaited",
)  # fmt: skip

VERBS = tuple(public_verbs())
OF_ONE_SCOPE = tuple(name for name in VERBS if hasattr(ScopedMemory, name))
OF_MORE_THAN_ONE = {
    "add_many", "register_predicate", "register_entity", "register", "predicates", "proposals", "jobs", "stats",
    "scopes", "rebuild", "verify", "rekey", "copy_to", "backup", "purge", "on", "doctor", "retain", "retention",
    "apply_retention",
}  # fmt: skip

BESIDE = {"turn", "tools", "call"}

GIVES = re.compile(r"\b(?:gives?|answers?|tells?)\b", re.IGNORECASE)

Parameter = tuple[str, Any, Any]


def parameters(function: Callable[..., Any]) -> list[Parameter]:
    """Name, kind and default of each parameter."""
    return [(found.name, found.kind, found.default) for found in inspect.signature(function).parameters.values()]


def public_names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


# One verb, four forms


def test_both_memories_have_the_same_names() -> None:
    assert public_names(Memory) == public_names(AsyncMemory) == {*VERBS, "turn", "for_user", "close", "restore"}


def test_both_clients_have_the_names_of_a_memory_and_can_watch() -> None:
    assert public_names(Client) == public_names(AsyncClient) == {*public_names(Memory), "watch"}
    assert inspect.signature(Client) == inspect.signature(AsyncClient)
    assert parameters(Client.watch) == parameters(AsyncClient.watch)


@pytest.mark.parametrize("name", [*VERBS, "turn", "for_user", "close", "restore"])
@pytest.mark.parametrize(("client", "memory"), [(Client, Memory), (AsyncClient, AsyncMemory)])
def test_a_verb_of_a_client_takes_the_same(client: type, memory: type, name: str) -> None:
    mine, theirs = getattr(client, name), getattr(memory, name)
    assert parameters(mine) == parameters(theirs)
    assert inspect.iscoroutinefunction(mine) == inspect.iscoroutinefunction(theirs)
    assert inspect.isasyncgenfunction(mine) == inspect.isasyncgenfunction(theirs)


def test_a_checker_is_told_which_verbs_a_client_refuses() -> None:
    assert set(make_facades.REFUSED) == set(NOT_SERVED)


def test_both_memories_take_the_same() -> None:
    assert inspect.signature(Memory) == inspect.signature(AsyncMemory)
    for name in ("turn", "for_user", "close", "restore"):
        assert parameters(getattr(Memory, name)) == parameters(getattr(AsyncMemory, name))


def test_a_memory_of_one_scope_has_the_verbs_that_concern_one_scope() -> None:
    assert public_names(ScopedMemory) == public_names(AsyncScopedMemory) == {*OF_ONE_SCOPE, *SCOPE, *BESIDE}
    assert set(VERBS) - set(OF_ONE_SCOPE) == OF_MORE_THAN_ONE


@pytest.mark.parametrize("name", VERBS)
def test_an_awaited_verb_takes_the_same_in_the_same_order(name: str) -> None:
    plain, awaited = getattr(Memory, name), getattr(AsyncMemory, name)
    assert parameters(awaited) == parameters(plain)
    assert inspect.iscoroutinefunction(awaited) or inspect.isasyncgenfunction(awaited)
    assert inspect.isasyncgenfunction(awaited) == inspect.isgeneratorfunction(plain)


@pytest.mark.parametrize("name", OF_ONE_SCOPE)
def test_a_bound_verb_takes_the_same_but_the_scope(name: str) -> None:
    expected = [parameter for parameter in parameters(getattr(Memory, name)) if parameter[0] not in SCOPE]
    assert len(expected) < len(parameters(getattr(Memory, name)))
    assert parameters(getattr(ScopedMemory, name)) == expected
    assert parameters(getattr(AsyncScopedMemory, name)) == expected
    assert inspect.iscoroutinefunction(getattr(AsyncScopedMemory, name))
    assert not inspect.iscoroutinefunction(getattr(ScopedMemory, name))


def test_an_awaited_memory_is_no_memory() -> None:
    assert not issubclass(AsyncMemory, Memory)
    assert not issubclass(AsyncScopedMemory, ScopedMemory)


# What a person finds


@pytest.mark.parametrize("kind", [Memory, AsyncMemory, ScopedMemory, AsyncScopedMemory, Client, AsyncClient])
def test_every_form_is_described_in_the_words_of_the_verb(kind: type) -> None:
    for name in public_names(kind):
        said = inspect.getdoc(getattr(kind, name))
        assert said, name
        if name in VERBS and name != "add_many":  # which takes more when awaited
            assert said == inspect.getdoc(getattr(Memory, name))


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_says_what_it_gives(name: str) -> None:
    verb = getattr(Memory, name)
    if verb.__annotations__["return"] != "None":
        assert GIVES.search(inspect.getdoc(verb) or "")


@pytest.mark.parametrize("kind", [ScopedMemory, AsyncScopedMemory])
def test_help_shows_the_verbs_of_a_scope_without_its_names(kind: type) -> None:
    page = pydoc.plain(pydoc.render_doc(kind))
    for name in OF_ONE_SCOPE:
        shown = re.search(rf"^ \|  (?:async )?{name}\((.*)$", page, re.MULTILINE)
        assert shown, name
        assert not set(re.findall(r"\w+(?=:)", shown[1])) & set(SCOPE)


@pytest.mark.parametrize("kind", [ScopedMemory, AsyncScopedMemory, AsyncMemory, Client, AsyncClient])
def test_a_verb_is_named_after_its_class_and_its_types_can_be_read(kind: type) -> None:
    for name in public_names(kind) & set(VERBS):
        verb = getattr(kind, name)
        assert (verb.__module__, verb.__qualname__) == (kind.__module__, f"{kind.__name__}.{name}")
        named = [found for found in inspect.signature(verb).parameters if found != "self"]
        assert set(typing.get_type_hints(verb)) == {*named, "return"}


@pytest.mark.parametrize("word", SCOPE)
def test_a_scope_can_not_be_named_again(word: str) -> None:
    with Memory(":memory:") as mem:
        ann = mem.for_user("ann")
        with pytest.raises(TypeError, match=rf"ScopedMemory\.state\(\) takes no {word}"):
            ann.state(**{word: "bob"})  # type: ignore[arg-type]


def test_a_handle_tells_its_scope() -> None:
    with Memory(":memory:", namespace="tests") as mem:
        ann = mem.for_user("ann", agent_id="guide")
        assert (ann.user_id, ann.agent_id, ann.namespace) == ("ann", "guide", "tests")
        assert repr(ann) == "ScopedMemory('ann', agent_id='guide', namespace='tests')"


# What a type checker sees


def test_the_stubs_are_those_of_the_verbs() -> None:
    command = [sys.executable, str(PROJECT / "tools" / "make_facades.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to change."""
    return Path(shutil.copytree(SOURCE / "tensemem", tmp_path / "tensemem", ignore=_caches))


_caches = shutil.ignore_patterns("__pycache__")


def change(package: Path, file: str, old: str, new: str) -> None:
    text = (package / file).read_text(encoding="utf-8")
    assert old in text
    (package / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_stub_that_is_out_of_date_is_named_and_then_written(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_facades, "PACKAGE", package)
    assert make_facades.main(["--check"]) == 0
    change(package, "verbs/keeping.py", "timeout: float = 10.0", "timeout: float = 11.0")
    assert make_facades.main(["--check"]) == 1
    assert capsys.readouterr().err.count("is out of date: run python tools/make_facades.py") == len(STUBBED)
    assert make_facades.main([]) == 0
    assert "timeout: float = 11.0" in (package / "verbs" / "scoped.pyi").read_text(encoding="utf-8")
    assert make_facades.main(["--check"]) == 0


STATS = ("verbs/keeping.py", "def stats(self, *, namespace: str | None = None)")


@pytest.mark.parametrize(
    ("where", "new", "complaint"),
    [
        (("memory.py", "def close("), "def vacuum(self) -> None: ...\n    def close(", "Memory.vacuum is no verb"),
        (STATS, "def stats(self, *names: str)", "no rule for the way stats is written"),
        (STATS, "def stats(self, deep=False)", "deep has no type"),
        (STATS, "def stats(self, at: Moment)", "where does Moment come from?"),
        (("verbs/reading.py", "Seconds = float"), "Seconds = int", "Seconds is one thing in"),
    ],
)
def test_what_has_no_rule_is_refused(package: Path, where: tuple[str, str], new: str, complaint: str) -> None:
    change(package, *where, new)
    with pytest.raises(make_facades.CannotTellError, match=re.escape(complaint)):
        make_facades.stubs(package)


@pytest.fixture(scope="session")
def mypy_cache(pytestconfig: pytest.Config) -> str:
    """Where mypy keeps what it knows from one run to the next."""
    cache: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    return os.devnull if cache is None else str(cache.mkdir("mypy"))


def mypy(*arguments: str | Path, path: Path, module: str = "mypy") -> str:
    """What mypy says, as it would to somebody with no settings; empty where all is well."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, "MYPYPATH": str(path), "PYTHONPATH": str(path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=path)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def strict(cache: str) -> list[str]:
    return ["--config-file=", "--strict", "--follow-imports=silent", f"--cache-dir={cache}"]


def test_a_users_checker_sees_the_right_types(mypy_cache: str) -> None:
    assert mypy(*strict(mypy_cache), PROJECT / "tests" / "typing" / "api.py", path=SOURCE) == ""


def test_a_users_checker_would_notice(mypy_cache: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from tensemem import AsyncMemory\nasync def f(mem: AsyncMemory) -> int:\n    return await mem.state('ann')\n",
        encoding="utf-8",
    )
    assert 'got "State", expected "int"' in mypy(*strict(mypy_cache), wrong, path=SOURCE)


def test_what_the_stubs_stand_for_is_typed_too(package: Path) -> None:
    for stub in package.rglob("*.pyi"):
        stub.unlink()
    modules = [argument for name in STUBBED for argument in ("-m", name)]
    assert mypy(*strict(os.devnull), "--warn-unreachable", *modules, path=package.parent) == ""


@pytest.mark.slow
def test_the_stubs_tell_what_is_there_when_the_package_runs() -> None:
    assert mypy("--concise", *STUBBED, path=SOURCE, module="mypy.stubtest") == ""

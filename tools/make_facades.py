"""Write the type stubs of the forms that verbs take: awaited, bound to one scope, and both.

    python tools/make_facades.py [--check]

The verbs are written once, in `src/tensemem/verbs`, and their other forms are made when the package loads; a type
checker sees those in stubs, which come from here. Run it after changing a verb, or what `Memory` takes. With `--check`
nothing is written: it names the stubs that are not as they should be, and returns 1.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "tensemem"
VERBS = ("verbs/writing.py", "verbs/reading.py", "verbs/keeping.py", "verbs/moving.py")
TURNS = "verbs/turns.py"
MEMORY = "memory.py"
CLIENTS = "client/plain.py"
REFUSED = ("copy_to", "rekey", "on")
SCOPE = ("user_id", "agent_id", "namespace")
WRITTEN_OUT = ("for_user", "close", "restore")
WIDTH = 120

AIO = '''
class AsyncMemory:
    """Memory for asyncio: every verb of Memory, to be awaited; the same arguments, results and errors."""

{constructor}

    @classmethod
    async def restore(
        cls, backup: str | os.PathLike[str], dest: str | os.PathLike[str], *, key: str | bytes | None = None,
        shred: bool | str | os.PathLike[str] = False, force: bool = False,
        on: Callable[[str, Mapping[str, Any]], None] | None = None,
    ) -> RestoreReport:
        """Put a backup where no memory is, or with ``force`` in the place of one; gives what it holds."""

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> AsyncScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Not awaited."""

{turn}

{verbs}

    async def close(self, *, timeout: float = 5.0) -> None:
        """Stop the worker, waiting some seconds for the message being extracted, and close the file."""

    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
'''
AIO_NEEDS = {
    "TracebackType": "types", "Self": "typing", "RestoreReport": "tensemem.model.results",
    "AsyncScopedMemory": "tensemem.verbs.awaited",
}  # fmt: skip

CLIENT = '''
class Client:
    """A memory that a server holds (``tensemem serve``): the verbs of Memory, with the same results and errors."""

    _setting: Setting
    _sender: Sender
{constructor}

    @classmethod
{restore}

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> ScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Nothing is asked yet."""

{turn}

{verbs}

{watch}

    def close(self, *, timeout: float = 5.0) -> None:
        """Close the connections; nothing is waited for. Closing twice is fine."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

def scope_of(setting: Setting, user_id: str, agent_id: str, namespace: str | None) -> tuple[str, str, Any]:
    """Give the names of a scope. Without a namespace that is the server's own. Raises InvalidScopeError."""

def shown(client: object, setting: Setting, is_closed: bool) -> str:
    """Show a client, without its token."""

def give_verbs(kind: type, makers: Sequence[tuple[Iterable[str], Callable[[str, Verb], Verb]]]) -> None:
    """Give a class the verbs that it has not of its own."""
'''
CLIENT_NEEDS = {
    "TracebackType": "types", "Self": "typing", "Any": "typing", "ScopedMemory": "tensemem.verbs.scoped",
    "Verb": "tensemem.verbs.scoped", "Setting": "tensemem.client.calling", "Callable": "collections.abc",
    "Sequence": "collections.abc", "Iterable": "collections.abc", "NoReturn": "typing",
    "Sender": "tensemem.client.sending",
}  # fmt: skip

AWAITED_CLIENT = '''
class AsyncClient:
    """Client for asyncio: every verb of Client, to be awaited; the same arguments, results and errors."""

    _setting: Setting
    _sender: AwaitingSender
{constructor}

    @classmethod
{restore}

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> AsyncScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Not awaited."""

{turn}

{verbs}

{watch}

    async def close(self, *, timeout: float = 5.0) -> None:
        """Close the connections; nothing is waited for. Closing twice is fine."""

    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
'''
AWAITED_CLIENT_NEEDS = {
    "TracebackType": "types", "Self": "typing", "AsyncScopedMemory": "tensemem.verbs.awaited", "NoReturn": "typing",
    "Setting": "tensemem.client.calling", "AwaitingSender": "tensemem.client.sending",
}  # fmt: skip

AWAITED = '''
class AsyncScopedMemory(AwaitedTools, ScopedHandle):
    """The verbs of an AsyncMemory bound to one scope, to be awaited; ids of other scopes are unknown to it."""

{turn}

{verbs}
'''
AWAITED_NEEDS = {"AwaitedTools": "tensemem.verbs.tools", "ScopedHandle": "tensemem.verbs.scoped"}

SCOPED = '''
SCOPE: tuple[str, ...]
Verb = Callable[..., Any]

def public_verbs() -> dict[str, Verb]:
    """Give all public verbs by name, in the order in which they are written down."""

class ScopedHandle:
    """A memory and the scope that its verbs are bound to."""

    def __init__(self, memory: Any, user_id: str, agent_id: str, namespace: str) -> None: ...
    @property
    def user_id(self) -> str:
        """Whose memory this is."""

    @property
    def agent_id(self) -> str:
        """Which agent's memory of the user this is; empty for the one shared by all."""

    @property
    def namespace(self) -> str:
        """The namespace the scope is in."""

class ScopedMemory(PlainTools, ScopedHandle):
    """The verbs of a memory bound to one scope; ids of other scopes are unknown to it."""

{turn}

{verbs}

def bind_verbs(kind: type[ScopedHandle], *, awaits: bool = False) -> None:
    """Give a class the verbs that concern one scope, bound to the scope it holds; as coroutines, if asked for."""

def named_in(kind: type, name: str, verb: Verb) -> Verb:
    """Give a function the name that one written in the body of a class has."""
'''
SCOPED_NEEDS = {"PlainTools": "tensemem.verbs.tools", "Callable": "collections.abc", "Any": "typing"}


class CannotTellError(Exception):
    """The sources hold something that this program has no rule for."""


@dataclass(frozen=True, order=True)
class Need:
    """A name that a stub imports, the module it is from ("" for a module itself), and what it stands for, if known."""

    name: str
    source: str
    meaning: str = ""


ITERATOR, ASYNC_ITERATOR = Need("Iterator", "collections.abc"), Need("AsyncIterator", "collections.abc")


def main(arguments: list[str]) -> int:
    """Write the stubs, or compare them; returns 0 where all is well."""
    parser = argparse.ArgumentParser(description="Write the type stubs of the awaited and scoped verbs.")
    parser.add_argument("--check", action="store_true", help="write nothing; return 1 where a stub is out of date")
    is_check = parser.parse_args(arguments).check
    try:
        wanted = stubs(PACKAGE)
    except CannotTellError as error:
        print(f"make_facades: {error}", file=sys.stderr)
        return 1
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if is_check:
            print(f"{path.relative_to(PACKAGE)} is out of date: run python tools/make_facades.py", file=sys.stderr)
        else:
            path.write_text(wanted[path], encoding="utf-8")
    return int(is_check and bool(stale))


def stubs(package: Path) -> dict[Path, str]:
    """Give each stub's path and text, from the sources of a package."""
    verbs = [verb for file in VERBS for verb in verbs_in(Source.read(package, file))]
    memory = Source.read(package, MEMORY)
    refuse_strangers(memory)
    bound = [verb.in_one_scope() for verb in verbs if verb.is_of_one_scope()]
    constructor = Verb.read(memory, memory.method("Memory", "__init__"))
    turns = Source.read(package, TURNS)
    turn = Verb.read(turns, turns.method("Turning", "turn"))
    kept = turn.needs - {Need("Turn", turns.name)}
    entered = replace(turn, result="AsyncTurn", needs=kept | {Need("AsyncTurn", turns.name)})
    awaited, awaited_bound = [verb.awaited() for verb in verbs], [verb.awaited() for verb in bound]
    plain_turn, entered_turn = turn.in_one_scope(), entered.in_one_scope()
    clients = Source.read(package, CLIENTS)
    made = replace(Verb.read(clients, clients.method("Client", "__init__")), doc="")
    watch = Verb.read(clients, clients.method("Client", "watch"))
    watching = replace(watch, result=f"Async{watch.result}", needs=(watch.needs | {ASYNC_ITERATOR}) - {ITERATOR})
    restore = Verb.read(memory, memory.method("Memory", "restore"), is_of_class=True).refused()
    sent = [verb.refused() if verb.name in REFUSED else verb for verb in verbs]
    sent_awaited = [verb.awaited() for verb in sent]
    client = CLIENT.format(
        constructor=made.text(), restore=restore.text("cls"), turn=turn.text(), verbs=bodies(sent), watch=watch.text()
    )
    awaited_client = AWAITED_CLIENT.format(
        constructor=made.text(), restore=restore.awaited().text("cls"), turn=entered.text(),
        verbs=bodies(sent_awaited), watch=watching.text(),
    )  # fmt: skip
    aio = AIO.format(constructor=replace(constructor, doc="").text(), turn=entered.text(), verbs=bodies(awaited))
    return {
        package / "aio.pyi": page("tensemem.aio", aio, AIO_NEEDS, [constructor, entered, *awaited]),
        package / "verbs" / "scoped.pyi": page(
            "tensemem.verbs.scoped", SCOPED.format(turn=plain_turn.text(), verbs=bodies(bound)), SCOPED_NEEDS,
            [plain_turn, *bound],
        ),
        package / "verbs" / "awaited.pyi": page(
            "tensemem.verbs.awaited", AWAITED.format(turn=entered_turn.text(), verbs=bodies(awaited_bound)),
            AWAITED_NEEDS, [entered_turn, *awaited_bound],
        ),
        package / "client" / "plain.pyi": page(
            "tensemem.client.plain", client, CLIENT_NEEDS, [made, restore, turn, watch, *sent]
        ),
        package / "client" / "awaited.pyi": page(
            "tensemem.client.awaited", awaited_client, AWAITED_CLIENT_NEEDS,
            [made, restore, entered, watching, *sent_awaited],
        ),
    }


@dataclass(frozen=True)
class Source:
    """A module: its lines, its tree, and the names in it that others may import."""

    name: str
    lines: list[bytes]
    tree: ast.Module
    names: dict[str, Need]

    @classmethod
    def read(cls, package: Path, file: str) -> Source:
        """Read a module of the package."""
        text = (package / file).read_bytes()
        name = ".".join(["tensemem", *Path(file).with_suffix("").parts])
        tree = ast.parse(text)
        return cls(name, text.splitlines(keepends=True), tree, {need.name: need for need in names_in(tree, name)})

    def method(self, kind: str, name: str) -> ast.FunctionDef:
        """Give a method of a class."""
        for node in self.methods(kind):
            if node.name == name:
                return node
        raise CannotTellError(f"{self.name} has no {kind}.{name}")

    def methods(self, kind: str | None = None) -> Iterator[ast.FunctionDef]:
        """Give the methods of a class, or of all classes."""
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef) and kind in (None, node.name):
                yield from (part for part in node.body if isinstance(part, ast.FunctionDef))

    def words(self, node: ast.expr) -> str:
        """Give the text of a node as it was written, on one line."""
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return " ".join(b"".join(lines).decode().split())

    def needs(self, node: ast.AST) -> Iterator[Need]:
        """Give what must be imported for a node."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and not hasattr(builtins, part.id):
                if part.id not in self.names:
                    raise CannotTellError(f"{self.name}: where does {part.id} come from?")
                yield self.names[part.id]


def names_in(tree: ast.Module, module: str) -> Iterator[Need]:
    """Give the names that a module imports, or assigns as aliases."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (Need(alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = module.split(".")[: -node.level] if node.level else []
            source = ".".join([*parents, *([node.module] if node.module else [])])
            yield from (Need(alias.asname or alias.name, source) for alias in node.names)
        elif isinstance(node, ast.Assign):
            meaning = ast.unparse(node.value)
            yield from (Need(target.id, module, meaning) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.ClassDef):
            yield Need(node.name, module)


@dataclass(frozen=True)
class Verb:
    """A method: its parameters as written (None stands for the star), its result, and what its docstring says first."""

    name: str
    parameters: tuple[tuple[str, str] | None, ...]
    result: str
    doc: str
    needs: frozenset[Need]
    prefix: str = "def"

    @classmethod
    def read(cls, source: Source, node: ast.FunctionDef, *, is_of_class: bool = False) -> Verb:
        """Read a method of a class; whoever knows that it is a class method says so."""
        given = node.args
        is_decorated = len(node.decorator_list) > is_of_class
        if given.posonlyargs or given.vararg or given.kwarg or is_decorated or node.returns is None:
            raise CannotTellError(f"{source.name}: there is no rule for the way {node.name} is written")
        missing = len(given.args) - len(given.defaults)
        positional = list(zip(given.args, [*[None] * missing, *given.defaults], strict=True))[1:]
        keywords = list(zip(given.kwonlyargs, given.kw_defaults, strict=True))
        written = [_parameter(source, arg, default) for arg, default in (*positional, *keywords)]
        star = [None] if keywords else []
        parts = [node.returns, *(part for pair in (*positional, *keywords) for part in _types(*pair))]
        return cls(
            node.name, (*written[: len(positional)], *star, *written[len(positional) :]), source.words(node.returns),
            (ast.get_docstring(node) or "").partition("\n\n")[0],
            frozenset(need for part in parts for need in source.needs(part)),
        )  # fmt: skip

    def is_of_one_scope(self) -> bool:
        """Tell whether a memory bound to one scope has it."""
        return {"user_id", "agent_id"} <= {parameter[0] for parameter in self.parameters if parameter}

    def in_one_scope(self) -> Verb:
        """Give it without the names of the scope."""
        kept = [parameter for parameter in self.parameters if parameter is None or parameter[0] not in SCOPE]
        if kept and kept[-1] is None:
            kept.pop()
        return replace(self, parameters=tuple(kept))

    def awaited(self) -> Verb:
        """Give it as a coroutine; what gives an iterator gives an async one, from plain or async iterables."""
        if not self.result.startswith("Iterator["):
            return replace(self, prefix="async def")
        parameters = tuple(parameter and (parameter[0], _either(parameter[1])) for parameter in self.parameters)
        needs = self.needs | {Need(f"Async{kind}", "collections.abc") for kind in ("Iterator", "Iterable")}
        needs -= {Need("Iterator", "collections.abc")}
        return replace(self, parameters=parameters, result=f"Async{self.result}", needs=needs)

    def refused(self) -> Verb:
        """Give it as one that is always refused."""
        kept = frozenset(need for need in self.needs if need.name != self.result)
        return replace(self, result="NoReturn", needs=kept | {Need("NoReturn", "typing")})

    def text(self, first: str = "self") -> str:
        """Give it as a stub has it."""
        written = [first, *("*" if parameter is None else parameter[1] for parameter in self.parameters)]
        head = f"    {self.prefix} {self.name}("
        ending = f") -> {self.result}:" + ("" if self.doc else " ...")
        line = head + ", ".join(written) + ending
        if len(line) > WIDTH:
            line = f"{head}\n{filled(written)}\n    {ending}"
        return f"{line}\n{described(self.doc)}" if self.doc else line


def _parameter(source: Source, arg: ast.arg, default: ast.expr | None) -> tuple[str, str]:
    if arg.annotation is None:
        raise CannotTellError(f"{source.name}: {arg.arg} has no type")
    written = f"{arg.arg}: {source.words(arg.annotation)}"
    return arg.arg, written if default is None else f"{written} = {source.words(default)}"


def _types(arg: ast.arg, default: ast.expr | None) -> Iterator[ast.expr]:
    yield from (part for part in (arg.annotation, default) if part is not None)


def _either(written: str) -> str:
    name, _, kind = written.partition(": ")
    return f"{name}: {kind} | Async{kind}" if kind.startswith("Iterable[") else written


def filled(parameters: list[str]) -> str:
    """Give parameters in as few lines as they fit in."""
    lines = [""]
    for parameter in parameters:
        more = f"{lines[-1]} {parameter}," if lines[-1] else f"{parameter},"
        if lines[-1] and len(more) + 8 > WIDTH:
            lines.append(f"{parameter},")
        else:
            lines[-1] = more
    return "\n".join(f"        {line}" for line in lines)


def described(doc: str) -> str:
    """Give a docstring of one paragraph as it stands in a class."""
    margin = " " * 8
    return textwrap.fill(
        f'"""{" ".join(doc.split())}"""', WIDTH, initial_indent=margin, subsequent_indent=margin,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def bodies(verbs: list[Verb]) -> str:
    """Give several verbs, a blank line between two."""
    return "\n\n".join(verb.text() for verb in verbs)


def verbs_in(source: Source) -> list[Verb]:
    """Give the public methods of a module's classes."""
    return [Verb.read(source, node) for node in source.methods() if not node.name.startswith("_")]


def refuse_strangers(memory: Source) -> None:
    """Raise where Memory has a public method beside its verbs that AsyncMemory would lack."""
    strangers = [
        node.name for node in memory.methods("Memory") if not node.name.startswith("_") and node.name not in WRITTEN_OUT
    ]
    if strangers:
        raise CannotTellError(f"Memory.{strangers[0]} is no verb: write it out in aio.py and here, or make it one")


def page(module: str, text: str, needs: dict[str, str], verbs: list[Verb]) -> str:
    """Give a whole stub: what it is, its imports, its body."""
    wanted = dict(needs)
    known: dict[str, Need] = {}
    for need in sorted({need for verb in verbs for need in verb.needs}):
        first = known.setdefault(need.name, need)
        if first != need and (first.meaning != need.meaning or not need.meaning):
            raise CannotTellError(f"{need.name} is one thing in {first.source} and another in {need.source}")
        wanted[need.name] = first.source
    head = f'"""What a type checker sees of {module}. Made by tools/make_facades.py; change the verbs instead."""'
    return f"{head}\n\n# fmt: off\n{imports(module, wanted)}\n{text.rstrip()}\n"


def imports(module: str, wanted: dict[str, str]) -> str:
    """Give import statements in the order that the linter wants."""
    modules: dict[str, list[str]] = {}
    for name, source in sorted(wanted.items(), key=lambda one: (one[0].lower(), one)):
        modules.setdefault(_relative(source, module), []).append(name)
    plain = [f"import {name}" for name in modules.pop("", ())]
    theirs = sorted(source for source in modules if not source.startswith("."))
    ours = sorted((source for source in modules if source.startswith(".")), key=_nearness)
    return "\n".join(
        [*plain, *(_statement(source, modules[source]) for source in theirs), "",
         *(_statement(source, modules[source]) for source in ours)]
    )  # fmt: skip


def _nearness(source: str) -> tuple[int, str]:
    return len(source.lstrip(".")) - len(source), source


def _relative(source: str, module: str) -> str:
    if not source.startswith("tensemem."):
        return source
    target, here = source.split(".")[1:], module.split(".")[1:-1]
    while target and here and target[0] == here[0]:
        target, here = target[1:], here[1:]
    return "." * (len(here) + 1) + ".".join(target)


def _statement(source: str, names: list[str]) -> str:
    line = f"from {source} import {', '.join(names)}"
    return line if len(line) <= WIDTH else "\n".join([f"from {source} import (", *(f"    {n}," for n in names), ")"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

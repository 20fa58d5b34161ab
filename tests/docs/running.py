"""Running a page: its blocks from top to bottom, in one namespace and one folder, with what differs from the page."""

from __future__ import annotations

import contextlib
import io
import shlex
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tensemem import Memory
from tests.docs.pages import Block, blocks_of, commands_of, matches


class Difference(AssertionError):
    """A page says something else than what comes out."""


def run_page(page: Path, namespace: dict[str, Any]) -> int:
    """Run what can be run of a page in the working folder; gives how many blocks ran. Raises Difference."""
    ran = 0
    with closed_in_the_end():
        for block in blocks_of(page):
            ran += _run(block, namespace)
    return ran


def _run(block: Block, namespace: dict[str, Any]) -> int:
    if block.file_name is not None:
        Path(block.file_name).write_text(block.text + "\n", encoding="utf-8")
    elif block.language == "python":
        compare(block, printed_by(block, namespace), block.output)
    elif block.language == "sql":
        compare(block, answer_to(block.text), block.output)
    elif block.language == "console":
        for command, output in commands_of(block):
            if command.startswith("tensemem "):
                compare(block, printed_by_command(command), output, f" $ {command}")
    else:
        return 0
    return 1


def compare(block: Block, printed: str, expected: str | None, note: str = "") -> None:
    """Raise Difference unless a block printed what its page says."""
    if not matches(expected or "", printed):
        raise Difference(f"{block.place}{note}\nthe page says:\n{expected or '(nothing)'}\nit prints:\n{printed}")


def printed_by(block: Block, namespace: dict[str, Any]) -> str:
    """Run Python and give what it printed; an error that ends it is its last line."""
    # The blank lines make the numbers in a traceback those of the page.
    code = compile("\n" * block.line + block.text, str(block.page), "exec", dont_inherit=True)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(code, namespace)
        except Exception as error:
            if block.output is None:
                traceback.print_exc()
                raise Difference(f"{block.place} failed: {type(error).__name__}: {error}") from error
            print(f"{type(error).__name__}: {error}")
    return output.getvalue()


def answer_to(question: str) -> str:
    """Ask memory.db, and give the answer as SQLite's own shell prints it."""
    with contextlib.closing(sqlite3.connect("file:memory.db?mode=ro", uri=True)) as connection:
        rows = connection.execute(question).fetchall()
    return "\n".join("|".join("" if item is None else str(item) for item in row) for row in rows)


def printed_by_command(command: str) -> str:
    """Run a command of tensemem and give what it printed, on both streams."""
    from tensemem.adapters.cli import program

    piped = command.partition(" < ")
    given = Path(piped[2].strip()).read_text(encoding="utf-8") if piped[1] else None
    arguments = shlex.split(piped[0])[1:]
    result = CliRunner().invoke(program, arguments, input=given, prog_name="tensemem", env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@contextlib.contextmanager
def closed_in_the_end() -> Iterator[None]:
    """Close every memory that is opened inside and left open."""
    opened: list[Memory] = []
    plain = Memory.__init__

    def remembering(self: Memory, *args: Any, **options: Any) -> None:
        plain(self, *args, **options)
        opened.append(self)

    Memory.__init__ = remembering  # type: ignore[method-assign]
    try:
        yield
    finally:
        Memory.__init__ = plain  # type: ignore[method-assign]
        for memory in opened:
            Memory.close(memory)

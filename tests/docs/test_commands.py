"""Commands that pages show and no test runs: the program has every command, option and argument they name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest

from tensemem.adapters.cli import program
from tests.docs.pages import PROJECT, all_pages, blocks_of, commands_of, prose_of

PAGES = [page for page in all_pages() if page.name != "CHANGELOG.md"]
_ASSIGNED = re.compile(r"\w+=")


def lines_of(page: Path) -> Iterator[str]:
    """What a page gives to type into a shell, line by line."""
    for block in blocks_of(page):
        if block.language == "sh" and page.name != "command-line.md":  # there they are patterns of commands
            yield from block.text.replace("\\\n", " ").splitlines()
        elif block.language == "console":
            yield from (command for command, _ in commands_of(block))


def commands_in(line: str) -> Iterator[list[str]]:
    """The arguments of each call of the program in a line, be it called in a container or by its path."""
    words: list[str] = []
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    for word in [*lexer, ";"]:
        if not set(word) <= set("();<>|&"):
            words.append(word)
            continue
        named = [at for at, one in enumerate(words) if one.rpartition("/")[2] == "tensemem"]
        if named and ("exec" in words or all(_ASSIGNED.match(one) for one in words[: named[0]])):
            yield words[named[0] + 1 :]
        words = []


def is_missing(one: click.Parameter, given: Mapping[str, Any]) -> bool:
    return one.name not in given or one.value_is_missing(given[one.name])


def check(arguments: Sequence[str], *, is_whole: bool) -> None:
    """Raise click's UsageError unless the program takes these; ``is_whole`` asks for what must be given, too."""
    command: click.Command = program
    rest = list(arguments)
    while True:
        context = click.Context(command, info_name=command.name)
        given, rest, _ = command.make_parser(context).parse_args(rest)
        for one in command.get_params(context):
            if isinstance(one.type, click.Choice) and isinstance(given.get(one.name or ""), str):
                one.type.convert(given[one.name or ""], one, context)
        if not isinstance(command, click.Group) or not rest:
            break
        name, rest = rest[0], rest[1:]
        found = command.get_command(context, name)
        if found is None:
            raise click.UsageError(f"there is no command {name}")
        command = found
    if rest:
        raise click.UsageError(f"{command.name} takes no more than it was given before {rest}")
    missing = [one.name for one in command.get_params(context) if one.required and is_missing(one, given)]
    if is_whole and missing:
        raise click.UsageError(f"{command.name} needs {missing}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_the_program_takes_what_a_page_gives_it(page: Path) -> None:
    for line in lines_of(page):
        for arguments in commands_in(line):
            check(arguments, is_whole=True)
    for span in re.findall(r"`((?:[\w.]+=\S+ )?tensemem [^`\n]+)`", prose_of(page).replace(" COMMAND --", " state --")):
        for arguments in commands_in(span):
            with suppress(click.BadOptionUsage):  # an option that is named without its value, as in `tensemem --db`
                check(arguments, is_whole=False)


def test_commands_are_found_wherever_they_stand() -> None:
    line = "TOKEN=x .venv/bin/tensemem keys list | docker exec server tensemem stats; docker build --tag tensemem ."
    assert list(commands_in(line)) == [["keys", "list"], ["stats"]]
    assert list(commands_in("TOKEN=$(tensemem keys mint --role read) # tensemem none")) == [
        ["keys", "mint", "--role", "read"]
    ]
    assert sum(1 for page in PAGES for line in lines_of(page) for _ in commands_in(line)) > 60


@pytest.mark.parametrize(
    "arguments", ["keys mint app", "keys mint --name app", "keys mint --role king", "nothing", "set u1", "serve --port"]
)
def test_what_the_program_does_not_take_is_noticed(arguments: str) -> None:
    with pytest.raises(click.UsageError):
        check(arguments.split(), is_whole=True)


def test_nothing_tells_to_install_the_other_project_of_that_name_on_the_package_index() -> None:
    found = [
        (page.name, line)
        for page in [*all_pages(), *sorted((PROJECT / "src").rglob("*.py"))]
        for line in page.read_text(encoding="utf-8").splitlines()
        if re.search(r"pip install [^`]*\btensemem\b", line)
    ]
    assert found == []

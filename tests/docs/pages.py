"""The pages of the documentation as their parts: blocks of code with what they print, headings, links.

How a page is written, so that it can be run from top to bottom:

- A ``python`` block is run; the ``text`` block right behind it is what it prints, and without one it prints nothing.
  An error that ends a block is the last line of what it prints: ``InvalidValueError: …``.
- A ``python`` or ``toml`` block whose first line is ``# file: name`` is written to that file instead.
- A ``console`` block holds commands behind ``$`` with what each prints; those of tensemem are run.
- A ``sql`` block is asked of memory.db; the ``text`` block behind it is the answer, columns parted by ``|``.
- In what is printed, ``…`` stands for any characters, and a line of nothing else for any lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
DOCS = PROJECT / "docs"
_FENCE = re.compile(r"^```(\S*)\s*$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it begins at, and the text block right behind it."""

    page: Path
    language: str
    text: str
    line: int
    output: str | None = None

    @property
    def place(self) -> str:
        """Where it stands, for a message."""
        return f"{self.page.relative_to(PROJECT)}:{self.line}"

    @property
    def file_name(self) -> str | None:
        """The file it is to be written to, if its first line names one."""
        first = self.text.partition("\n")[0]
        return first.removeprefix("# file: ").strip() if first.startswith("# file: ") else None


def all_pages() -> list[Path]:
    """The README, the changelog and every page of docs."""
    return [PROJECT / "README.md", PROJECT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, text blocks joined to the block they follow."""
    found: list[Block] = []
    for block, is_behind in _fenced(page):
        if block.language == "text" and is_behind and found and found[-1].language in ("python", "sql"):
            last = found.pop()
            block = Block(last.page, last.language, last.text, last.line, block.text)  # noqa: PLW2901
        found.append(block)
    return found


def _fenced(page: Path) -> Iterator[tuple[Block, bool]]:
    """Each fenced block, and whether nothing but blank lines stands between it and the one before."""
    language, start, lines = "", 0, list[str]()
    is_open = is_behind = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = _FENCE.match(line)
        if is_open and fence and not fence[1]:
            yield Block(page, language, "\n".join(lines), start), is_behind
            is_open, is_behind = False, True
        elif is_open:
            lines.append(line)
        elif fence:
            language, start, lines, is_open = fence[1], number, [], True
        elif line.strip():
            is_behind = False


def commands_of(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found]


def matches(expected: str, printed: str) -> bool:
    """Whether what was printed is what a page says."""
    pattern = "".join(_line_pattern(line) for line in _lines(expected))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(printed))) is not None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _line_pattern(line: str) -> str:
    return "(?:.*\n)*" if line.strip() == "…" else ".*".join(re.escape(part) for part in line.split("…")) + "\n"


def prose_of(page: Path) -> str:
    """A page's text without its fenced blocks."""
    kept, is_open = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        if _FENCE.match(line):
            is_open = not is_open
        elif not is_open:
            kept.append(line)
    return "\n".join(kept)


def links_of(page: Path) -> list[str]:
    """The targets of a page's links and pictures."""
    prose = re.sub(r"`[^`\n]*`", "", prose_of(page))
    return re.findall(r"\]\(([^)\s]+)\)", prose)


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    seen: dict[str, int] = {}
    found = set()
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*$", prose_of(page), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        kept = "".join(char for char in plain if char in "-_ " or unicodedata.category(char)[0] in "LN")
        slug = kept.replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found

"""How the memory tool's replies look: numbered lines, trees, snippets, in the forms of the vendor's own tool."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InvalidValueError

WIDTH = 6
LEVELS = 2


def numbered(path: str, text: str, view_range: list[int] | None) -> str:
    """Give a file's lines with their numbers; ``view_range`` is the first and the last, -1 for the end."""
    lines = text.split("\n")
    first, last = 1, len(lines)
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0])
        last = len(lines) if view_range[1] == -1 else view_range[1]
    shown = (_line(at, line) for at, line in enumerate(lines[first - 1 : last], first))
    return f"Here's the content of {path} with line numbers:\n" + "\n".join(shown)


def snippet(text: str, changed: int) -> str:
    """Give the lines around the one that changed, counted from 0."""
    lines = text.split("\n")
    first, last = max(0, changed - 2), min(len(lines), changed + 3)
    shown = (_line(at + 1, lines[at]) for at in range(first, last))
    return "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" + "\n".join(
        shown
    )


def check_once(path: str, text: str, wanted: str) -> None:
    """Raise InvalidValueError unless a text holds the wanted one once."""
    where = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        where.append(text.count("\n", 0, at) + 1)
        at = text.find(wanted, at + 1)
    if not where:
        raise InvalidValueError(f"No replacement was performed, old_str `{wanted}` did not appear verbatim in {path}.")
    if text.count(wanted) > 1:
        lines = ", ".join(map(str, where))
        raise InvalidValueError(
            f"No replacement was performed. Multiple occurrences of old_str `{wanted}` in lines: {lines}. "
            "Please ensure it is unique"
        )


def inserted(text: str, line: int, new: str) -> str:
    """Give a text with lines put behind one of its lines. Raises InvalidValueError for a line it has not."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise InvalidValueError(
            f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(line, new.rstrip("\n"))
    made = "\n".join(lines)
    return made if made.endswith("\n") else f"{made}\n"


def tree(path: str, files: Mapping[str, str]) -> str:
    """Give the files and folders below a path, two levels deep, each with its size; those with a dot are hidden."""
    sizes: dict[str, int] = {}
    for name, text in files.items():
        size = len(text.encode())
        parts = name.rstrip("/").split("/")
        for depth in range(1, len(parts) + 1):
            is_folder = depth < len(parts) or name.endswith("/")
            step = "/".join(parts[:depth]) + ("/" if is_folder else "")
            sizes[step] = sizes.get(step, 0) + size
    shown = sorted(
        (name for name in sizes if name.rstrip("/").count("/") < LEVELS and not _is_hidden(name)),
        key=lambda name: name.rstrip("/").split("/"),
    )
    top = path.rstrip("/")
    lines = [f"{_size(sum(len(text.encode()) for text in files.values()))}\t{path}"]
    lines += [f"{_size(sizes[name])}\t{top}/{name}" for name in shown]
    head = f"Here're the files and directories up to {LEVELS} levels deep in {path}, excluding hidden items:"
    return "\n".join([head, *lines])


def _line(number: int, line: str) -> str:
    return f"{number:>{WIDTH}}\t{line}"


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _size(count: int) -> str:
    """Give a size as people read it: 12B, 1.5K."""
    size, unit = float(count), "B"
    for larger in "KMG":
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{int(size)}{unit}" if size == int(size) else f"{size:.1f}{unit}"

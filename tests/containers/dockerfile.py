"""A Dockerfile as its instructions, as far as ours needs it read."""

from __future__ import annotations

import fnmatch
import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Instruction:
    """One instruction: its name, what stands behind it in one line, and the number of the stage it is in."""

    name: str
    text: str
    stage: int

    @property
    def words(self) -> list[str]:
        """The words of the exec form. Raises ValueError for the shell's."""
        found = json.loads(self.text)
        if not (isinstance(found, list) and all(isinstance(word, str) for word in found)):
            raise ValueError(f"{self.name} is in no exec form: {self.text}")
        return found


def instructions(path: Path) -> list[Instruction]:
    """Read the instructions of a Dockerfile."""
    found: list[Instruction] = []
    pending, stage = "", 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("#") or not line.strip():
            continue
        pending += line.strip().removesuffix("\\")
        if line.rstrip().endswith("\\"):
            continue
        name, _, text = pending.partition(" ")
        stage += name == "FROM"
        found.append(Instruction(name, text.strip(), stage))
        pending = ""
    if pending:
        raise ValueError(f"the file ends within an instruction: {pending}")
    return found


def is_ignored(path: str, rules: list[str]) -> bool:
    """Tell whether a file stays out of the build: the last rule that matches it, or a folder above, counts."""
    ignored = False
    above = [path, *(str(parent) for parent in Path(path).parents if str(parent) != ".")]
    for rule in rules:
        pattern = rule.removeprefix("!")
        if any(fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(f"/{name}", pattern.replace("**", "*"))
               for name in above):  # fmt: skip
            ignored = not rule.startswith("!")
    return ignored

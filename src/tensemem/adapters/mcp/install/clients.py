"""The clients that can be set up: where each keeps its configuration, and in which form it wants a server written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ....errors import InvalidValueError

Scope = Literal["user", "project", "local"]
SCOPES: tuple[Scope, ...] = ("user", "project", "local")


@dataclass(frozen=True, slots=True)
class Machine:
    """What a client's files depend on: the system, the home, the folder of the project, the environment."""

    platform: str = field(default_factory=lambda: sys.platform)
    home: Path = field(default_factory=Path.home)
    project: Path = field(default_factory=Path.cwd)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def settings(self) -> Path:
        """Give the folder in which applications keep a user's settings."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")


@dataclass(frozen=True, slots=True)
class Started:
    """How a client starts the server: a command with its arguments, and what it adds to the environment."""

    command: str
    arguments: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Give it as clients write it."""
        written: dict[str, Any] = {"command": self.command, "args": list(self.arguments)}
        return {**written, "env": dict(self.environment)} if self.environment else written


@dataclass(frozen=True, slots=True)
class Place:
    """Where one client keeps its servers for one scope: a file, and the keys that lead to them in it."""

    path: Path
    keys: tuple[str, ...]
    form: Literal["json", "toml"] = "json"
    names_transport: bool = False
    """Whether the client wants to be told that the server speaks over standard input and output."""

    def entry(self, started: Started) -> dict[str, Any]:
        """Give what stands under the server's name."""
        written = started.document()
        return {"type": "stdio", **written} if self.names_transport else written


def servers_under(document: dict[str, Any], keys: Sequence[str], form: str) -> dict[str, Any]:
    """Give what stands under some keys of a document, made where there is nothing; raises InvalidValueError.

    ``form`` is what the file's language calls a mapping.
    """
    found: Any = document
    for key in keys:
        found = found.setdefault(key, {})
        if not isinstance(found, dict):
            raise InvalidValueError(f"{'.'.join(keys)} is no {form} in it")
    servers: dict[str, Any] = found
    return servers


def merged(old: Any, entry: dict[str, Any]) -> dict[str, Any]:
    """Give an entry with what somebody else wrote into the old one, such as a time-out or more of the environment."""
    if not isinstance(old, dict):
        return entry
    kept = {key: value for key, value in old.items() if key not in _OF_ANOTHER_TRANSPORT}
    environment = {**_table(old.get("env")), **_table(entry.get("env"))}
    return {**kept, **entry, **({"env": environment} if environment else {})}


_OF_ANOTHER_TRANSPORT = frozenset({"type", "url", "headers", "http_headers", "bearer_token_env_var"})


def _table(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _claude_desktop(machine: Machine, _: Scope) -> Place:
    return Place(machine.settings() / "Claude" / "claude_desktop_config.json", ("mcpServers",))


def _claude_code(machine: Machine, scope: Scope) -> Place:
    if scope == "project":
        return Place(machine.project / ".mcp.json", ("mcpServers",), names_transport=True)
    folder = machine.environment.get("CLAUDE_CONFIG_DIR")
    path = Path(folder) / ".claude.json" if folder else machine.home / ".claude.json"
    keys = ("mcpServers",) if scope == "user" else ("projects", str(machine.project), "mcpServers")
    return Place(path, keys, names_transport=True)


def _cursor(machine: Machine, scope: Scope) -> Place:
    folder = machine.home if scope == "user" else machine.project
    return Place(folder / ".cursor" / "mcp.json", ("mcpServers",))


def _vscode(machine: Machine, scope: Scope) -> Place:
    user = machine.settings() / "Code" / "User" / "mcp.json"
    path = user if scope == "user" else machine.project / ".vscode" / "mcp.json"
    return Place(path, ("servers",), names_transport=True)


def _codex(machine: Machine, scope: Scope) -> Place:
    home = machine.environment.get("CODEX_HOME")
    folder = Path(home) if home else machine.home / ".codex"
    folder = folder if scope == "user" else machine.project / ".codex"
    return Place(folder / "config.toml", ("mcp_servers",), "toml")


@dataclass(frozen=True, slots=True)
class Client:
    """A client by its name: the scopes it knows, and where its servers stand."""

    title: str
    scopes: tuple[Scope, ...]
    place: Callable[[Machine, Scope], Place]


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client("Claude Desktop", ("user",), _claude_desktop),
    "claude-code": Client("Claude Code", ("user", "project", "local"), _claude_code),
    "cursor": Client("Cursor", ("user", "project"), _cursor),
    "vscode": Client("VS Code", ("user", "project"), _vscode),
    "codex": Client("Codex", ("user", "project"), _codex),
}


def place_of(client: str, scope: Scope, machine: Machine) -> Place:
    """Say where a client keeps its servers; raises InvalidValueError for a client or a scope that is not known."""
    known = CLIENTS.get(client)
    if known is None:
        raise InvalidValueError(f"clients are {', '.join(CLIENTS)}; not {client!r}")
    if scope not in known.scopes:
        raise InvalidValueError(f"{known.title} has servers for {' or '.join(known.scopes)}, not for {scope!r}")
    return known.place(machine, scope)

"""Putting the server into clients' configurations: what is written starts it, and nothing else is touched."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters

from tensemem.adapters.cli import mcp_serving
from tensemem.adapters.mcp.install import (
    CLIENTS,
    SCOPES,
    Machine,
    Place,
    Scope,
    Started,
    alone,
    install,
    json_text,
    place_of,
    toml_text,
)
from tensemem.errors import InvalidValueError, StoreError
from tests.adapters.mcp.bench import environment, run

STARTED = Started("/usr/bin/python3", ["-m", "tensemem", "--db", "/data/m.db", "mcp", "--user=ada"])
ENTRY = {"command": "/usr/bin/python3", "args": ["-m", "tensemem", "--db", "/data/m.db", "mcp", "--user=ada"]}
EVERY = [(name, scope) for name, client in CLIENTS.items() for scope in client.scopes]


def machine(tmp_path: Path, platform: str = "linux", **environment: str) -> Machine:
    return Machine(platform, tmp_path / "home", tmp_path / "project", environment)


def read(place: Place) -> Any:
    text = place.path.read_text(encoding="utf-8")
    return tomllib.loads(text) if place.form == "toml" else json.loads(text)


def server_in(place: Place, found: Any) -> dict[str, Any]:
    for key in (*place.keys, "tensemem"):
        found = found[key]
    return dict(found)


@pytest.mark.parametrize(
    ("client", "scope", "platform", "path", "keys"),
    [
        ("claude-desktop", "user", "linux", "home/.config/Claude/claude_desktop_config.json", "mcpServers"),
        ("claude-desktop", "user", "darwin",
         "home/Library/Application Support/Claude/claude_desktop_config.json", "mcpServers"),
        ("claude-desktop", "user", "win32", "home/AppData/Roaming/Claude/claude_desktop_config.json", "mcpServers"),
        ("claude-code", "user", "linux", "home/.claude.json", "mcpServers"),
        ("claude-code", "local", "linux", "home/.claude.json", "projects|{project}|mcpServers"),
        ("claude-code", "project", "linux", "project/.mcp.json", "mcpServers"),
        ("cursor", "user", "darwin", "home/.cursor/mcp.json", "mcpServers"),
        ("cursor", "project", "linux", "project/.cursor/mcp.json", "mcpServers"),
        ("vscode", "user", "linux", "home/.config/Code/User/mcp.json", "servers"),
        ("vscode", "user", "darwin", "home/Library/Application Support/Code/User/mcp.json", "servers"),
        ("vscode", "project", "linux", "project/.vscode/mcp.json", "servers"),
        ("codex", "user", "linux", "home/.codex/config.toml", "mcp_servers"),
        ("codex", "project", "linux", "project/.codex/config.toml", "mcp_servers"),
    ],
)  # fmt: skip
def test_each_client_keeps_its_servers_where_it_looks_for_them(
    tmp_path: Path, client: str, scope: Scope, platform: str, path: str, keys: str
) -> None:
    place = place_of(client, scope, machine(tmp_path, platform))
    assert place.path == tmp_path / path
    assert place.keys == tuple(keys.format(project=tmp_path / "project").split("|"))


def test_the_environment_may_say_where_a_client_keeps_them(tmp_path: Path) -> None:
    said = {"CODEX_HOME": "c", "CLAUDE_CONFIG_DIR": "d", "XDG_CONFIG_HOME": "x"}
    here = machine(tmp_path, **{name: str(tmp_path / folder) for name, folder in said.items()})
    assert place_of("codex", "user", here).path == tmp_path / "c" / "config.toml"
    assert place_of("claude-code", "user", here).path == tmp_path / "d" / ".claude.json"
    assert place_of("vscode", "user", here).path == tmp_path / "x" / "Code" / "User" / "mcp.json"
    windows = Machine("win32", tmp_path, tmp_path, {"APPDATA": str(tmp_path / "a")})
    assert place_of("claude-desktop", "user", windows).path.parent == tmp_path / "a" / "Claude"


def test_the_command_offers_the_clients_and_scopes_there_are() -> None:
    assert set(mcp_serving.CLIENTS) == set(CLIENTS)
    assert mcp_serving.SCOPES == SCOPES


@pytest.mark.parametrize(("client", "scope"), [("claude-desktop", "project"), ("codex", "local"), ("notepad", "user")])
def test_what_a_client_does_not_have_is_refused(tmp_path: Path, client: str, scope: Scope) -> None:
    with pytest.raises(InvalidValueError, match=r"has servers for|clients are"):
        place_of(client, scope, machine(tmp_path))


@pytest.mark.parametrize(("client", "scope"), EVERY)
def test_a_new_file_holds_the_server_and_a_second_time_changes_nothing(
    tmp_path: Path, client: str, scope: Scope
) -> None:
    place = place_of(client, scope, machine(tmp_path))
    done = install(place, STARTED)
    assert (done.changed, done.backup) == (True, None)
    assert done.text == alone(place, STARTED) == place.path.read_text(encoding="utf-8")
    assert ENTRY.items() <= server_in(place, read(place)).items()
    again = install(place, STARTED)
    assert (again.changed, again.backup) == (False, None)
    assert [one.name for one in place.path.parent.iterdir() if one.is_file()] == [place.path.name]


@pytest.mark.parametrize(("client", "scope"), EVERY)
def test_what_is_there_stays_and_a_copy_is_kept(tmp_path: Path, client: str, scope: Scope) -> None:
    place = place_of(client, scope, machine(tmp_path))
    text = OTHERS_TOML if place.form == "toml" else OTHERS_JSON
    place.path.parent.mkdir(parents=True)
    place.path.write_text(text, encoding="utf-8")
    place.path.chmod(0o640)
    before = read(place)
    done = install(place, STARTED)
    assert done.backup is not None
    assert done.backup.read_text(encoding="utf-8") == text
    after = read(place)
    found: Any = after
    for key in place.keys:
        found = found[key]
    del found["tensemem"]
    for depth in range(len(place.keys), 0, -1):  # what was made only to hold the server
        inner: Any = after
        for key in place.keys[: depth - 1]:
            inner = inner[key]
        if inner[place.keys[depth - 1]] == {}:
            del inner[place.keys[depth - 1]]
    assert after == before
    if os.name == "posix":
        assert place.path.stat().st_mode & 0o777 == 0o640


OTHERS_JSON = """{
    "mcpServers": {"files": {"command": "files", "args": ["--root", "/data"], "env": {"A": "b"}}},
    "servers": {"files": {"type": "http", "url": "https://example.org/mcp"}},
    "theme": "dark", "größe": 1.5, "many": [1, null, true, {"deep": []}]
}
"""
OTHERS_TOML = '''# my settings
model = "gpt-5"   # the best

[mcp_servers.files]
command = "files"  # other people's
args = [
  "--root",
  "/data",
]

[mcp_servers.files.env]
A = "b"

[tui]
notice = """
[mcp_servers.fake]
"""
'''


def test_a_server_that_is_there_is_brought_up_to_date_with_what_was_added_to_it(tmp_path: Path) -> None:
    place = Place(tmp_path / "c.json", ("mcpServers",))
    old = {"url": "https://example.org", "headers": {}, "timeout": 9, "env": {"TENSEMEM_KEY": "k"}}
    place.path.write_text(json.dumps({"mcpServers": {"tensemem": old}}), encoding="utf-8")
    install(place, Started("python", ["x"], {"TENSEMEM_DB": "postgresql://h/d"}))
    assert read(place)["mcpServers"]["tensemem"] == {
        "timeout": 9, "command": "python", "args": ["x"],
        "env": {"TENSEMEM_KEY": "k", "TENSEMEM_DB": "postgresql://h/d"},
    }  # fmt: skip


def test_every_byte_of_toml_outside_the_servers_table_stays(tmp_path: Path) -> None:
    own = '[mcp_servers.tensemem]  # ours\ncommand = "old"\nstartup_timeout_sec = 20\nat = 2026-01-05\n'
    below = '[mcp_servers . "tensemem".env]\nX = \'1\'\n\n# about files\n'
    head, tail = "a = 1\r\n# \u2028 odd\r\n\r\n", '[mcp_servers.files]\ncommand = "files"'
    place = Place(tmp_path / "c.toml", ("mcp_servers",), "toml")
    place.path.write_bytes((head + own + below + tail).encode())
    install(place, STARTED)
    made = place.path.read_bytes().decode()
    assert made.startswith(head)
    assert made.endswith("\n# about files\n" + tail)
    found = tomllib.loads(made)["mcp_servers"]["tensemem"]
    assert found["startup_timeout_sec"] == 20
    assert found["at"].isoformat() == "2026-01-05"
    assert found["env"] == {"X": "1"}
    assert ENTRY.items() <= found.items()


@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("json", b'{"mcpServers": {}, // mine\n}'),
        ("json", b'{"mcpServers": []}'),
        ("json", b'{"mcpServers": {"a": 1, "a": 2}}'),
        ("json", b"[1]"),
        ("json", b'{"a": NaN}'),
        ("json", b"[" * 100_000),
        ("json", b'{"a": "\xff"}'),
        ("toml", b"mcp_servers = 1"),
        ("toml", b"mcp_servers = { files = { command = 'x' } }"),
        ("toml", b"mcp_servers.tensemem.command = 'x'"),
        ("toml", b"[[mcp_servers.tensemem]]\ncommand = 'x'"),
        ("toml", b'x = """\n[mcp_servers.tensemem]\n"""'),
        ("toml", b"a = 1\na = 2"),
        ("toml", b"\xff\xfe"),
    ],
)
def test_what_can_not_be_read_or_kept_whole_is_left_as_it_is(tmp_path: Path, form: Any, content: bytes) -> None:
    place = Place(tmp_path / "config", ("mcp_servers" if form == "toml" else "mcpServers",), form)
    place.path.write_bytes(content)
    with pytest.raises(InvalidValueError, match="is left as it is"):
        install(place, STARTED)
    assert place.path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [place.path]


def test_copies_of_several_states_are_all_kept(tmp_path: Path) -> None:
    place = Place(tmp_path / "c.json", ("mcpServers",))
    place.path.write_text("{}", encoding="utf-8")
    backups = [install(place, Started("python", [str(number)])).backup for number in range(3)]
    assert [one.name for one in backups if one] == ["c.json.bak", "c.json.bak2", "c.json.bak3"]
    place.path.write_text("{}", encoding="utf-8")
    assert install(place, STARTED).backup == backups[0]


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("\ufeff{}", encoding="utf-8")
    place = Place(tmp_path / "mcp.json", ("mcpServers",))
    place.path.symlink_to(real)
    install(place, STARTED)
    assert place.path.is_symlink()
    assert server_in(place, read(place)) == ENTRY


def test_what_the_system_refuses_is_said_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(tmp_path / "c.json", ("mcpServers",))
    place.path.write_text("{}", encoding="utf-8")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match="No space left"):
        install(place, STARTED)
    assert place.path.read_text(encoding="utf-8") == "{}"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["c.json", "c.json.bak"]
    with pytest.raises(StoreError, match="can't be read"):
        install(Place(tmp_path, ("mcpServers",)), STARTED)


WORDS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
VALUES = st.recursive(st.booleans() | st.integers(-(2**60), 2**60) | WORDS, lambda inner: st.lists(inner, max_size=3))
ENTRIES = st.fixed_dictionaries(
    {"command": WORDS, "args": st.lists(WORDS, max_size=4)}, optional={"env": st.dictionaries(WORDS, WORDS, max_size=3)}
)


@given(name=WORDS, entry=ENTRIES, other=st.dictionaries(WORDS, VALUES, max_size=3))
def test_what_is_written_reads_as_it_was_meant_in_both_forms(
    name: str, entry: dict[str, Any], other: dict[str, Any]
) -> None:
    for form, reads in ((json_text, json.loads), (toml_text, tomllib.loads)):
        once = form.with_server("", ("top", "servers"), name, {**other, **entry})
        assert reads(once)["top"]["servers"][name] == {**other, **entry}
        assert form.with_server(once, ("top", "servers"), name, {**other, **entry}) == once


@pytest.mark.parametrize(("client", "scope"), [("claude-code", "project"), ("codex", "user")])
def test_what_is_written_starts_a_server_that_lists_its_tools(
    path: Path, tmp_path: Path, client: str, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from tensemem.adapters.cli import program

    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    for name in ("HOME", "USERPROFILE", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    words = ["--db", f"../{path.name}", "mcp", "install", "--client", client, "--scope", scope, "--user", "ada"]
    done = CliRunner().invoke(program, [*words, "--agent", "-x y", "--prefix", "m_", "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    place = place_of(client, scope, Machine(environment={"CODEX_HOME": str(tmp_path / "home")}))
    assert json.loads(done.stdout)["path"] == str(place.path)
    entry = server_in(place, read(place))
    assert entry["command"] == sys.executable
    monkeypatch.chdir(tmp_path)

    async def story() -> list[str]:
        params = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment())
        async with Client(params) as told:
            return [tool.name for tool in (await told.list_tools()).tools]

    assert run(story())[:2] == ["m_context", "m_get"]


def test_the_address_of_a_database_is_not_among_the_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from tensemem.adapters.cli import program

    monkeypatch.chdir(tmp_path)
    words = ["mcp", "install", "--client", "cursor", "--scope", "project", "--any-user", "--namespace", "acme"]
    for db, code in (("postgresql://u:secret@h/d", 0), (":memory:", 2)):
        assert CliRunner().invoke(program, ["--db", db, *words]).exit_code == code
    entry = json.loads((tmp_path / ".cursor" / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]["tensemem"]
    assert entry["args"] == ["-m", "tensemem", "--namespace", "acme", "mcp", "--any-user"]
    assert entry["env"] == {"TENSEMEM_DB": "postgresql://u:secret@h/d"}

"""One PostgreSQL server with a folder and a port of its own."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from . import keeper
from .binaries import Kind, copied_folders, kind_of, usable_bin

SUPERUSER = "postgres"
_PORTS = 10
"""How many ports are tried before a server that was never started gives up."""
_IS_TAKEN = "Address already in use"

_CONF: dict[str, str] = {
    "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "max_connections": "200",
    "shared_buffers": "'64MB'", "jit": "off", "log_line_prefix": "'%m [%p] '", "lc_messages": "'C'",
    "timezone": "'UTC'",
}  # fmt: skip
_NO_FLUSHING = {"fsync": "off", "full_page_writes": "off"}
"""A commit is in the operating system's hands and not waited for on the disk: enough for whatever kills a process."""


class ServerError(Exception):
    """A server did not start, or did not end; says what it logged."""


class Server:
    """A PostgreSQL server on a port of the loopback; its superuser is "postgres", without a password.

    It ends with the process that started it, whatever ends that. The processes it consists of are run by another user
    where this one is root, who may not run PostgreSQL.
    """

    def __init__(self, kind: Kind, folder: Path, port: int, *, is_own_folder: bool) -> None:
        self.kind, self.folder, self.port = kind, folder, port
        self.data = folder / "data"
        self.log = folder / "log"
        self.user, self.group = _who()
        self._is_own_folder = is_own_folder
        self._keeper: subprocess.Popen[str] | None = None
        self._pid = os.getpid()
        self._has_run = False
        self.pid = 0

    @classmethod
    def start(
        cls,
        kind: Kind | str = "18",
        folder: Path | None = None,
        *,
        conf: Mapping[str, str] | None = None,
        durable: bool = False,
        initdb: tuple[str, ...] = (),
    ) -> Server:
        """Make a server and start it.

        ``folder``: where it keeps its data and log, one of its own otherwise, which ``close`` deletes. ``conf``:
        further lines of postgresql.conf, values written as there. ``durable``: commits wait for the disk. ``initdb``:
        further options of it. Raises ServerError.
        """
        server = cls.placed(kind_of(kind) if isinstance(kind, str) else kind, folder)
        try:
            server.make({**_CONF, **({} if durable else _NO_FLUSHING), **(conf or {})}, initdb)
            server.run()
        except BaseException:
            server.close()
            raise
        return server

    @classmethod
    def placed(cls, kind: Kind, folder: Path | None = None) -> Server:
        """Give a server its folder and its port; it is neither made nor started."""
        return cls(kind, *_folder(folder), is_own_folder=folder is None)

    def follow(self, primary: Server) -> None:
        """Make the folder of data as a copy of another server's, which follows that one as its standby."""
        self._own(self.folder)
        self.tool(
            "pg_basebackup", "-h", "127.0.0.1", "-p", primary.port, "-U", SUPERUSER, "-D", self.data, "-R", "-c", "fast"
        )

    def make(self, conf: Mapping[str, str], options: tuple[str, ...] = ()) -> None:
        """Make the folder of data."""
        self._own(self.folder)
        locale = () if options else ("--no-locale",)
        self.tool("initdb", "-D", self.data, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "-N", *locale, *options)
        self.configure(conf)

    def configure(self, conf: Mapping[str, str]) -> None:
        """Add lines to the configuration; the next start follows them."""
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in conf.items())

    def run(self) -> None:
        """Start it on its folder, and return when it takes connections. Raises ServerError.

        A port that was free when it was chosen may be taken by now; until somebody knows it, another one will do.
        """
        for left in range(_PORTS, 0, -1):
            try:
                self._run()
            except ServerError as error:
                if self._has_run or left == 1 or _IS_TAKEN not in str(error):
                    raise
                self.port = _free_port()
            else:
                self._has_run = True
                return

    def _run(self) -> None:
        assert self._keeper is None, "it runs already"
        given = {
            "command": [str(self.bin / "postgres"), "-D", str(self.data), "-p", str(self.port)],
            "log": str(self.log), "user": self.user, "group": self.group,
            "folder": str(self.folder) if self._is_own_folder else None, "beside": copied_folders(),
        }  # fmt: skip
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", keeper.__file__, json.dumps(given)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        said = self._hear()
        if "ready" not in said:
            self._let_go()
            raise ServerError(f"PostgreSQL {self.kind.name} did not start: {said.get('said', said)}")
        self.pid = said["ready"]

    @property
    def is_running(self) -> bool:
        """Whether it was started and not ended from here."""
        return self._keeper is not None

    @property
    def bin(self) -> Path:
        """The folder of its programs."""
        return usable_bin(self.kind, self.user)

    def url(self, database: str = "postgres", user: str = SUPERUSER, **options: str) -> str:
        """Give the address of one of its databases."""
        query = "&".join(f"{name}={value}" for name, value in options.items())
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}" + (f"?{query}" if query else "")

    def tool(self, name: str, *arguments: object) -> str:
        """Run one of its programs as its user; gives what it printed. Raises ServerError."""
        done = subprocess.run(
            [str(self.bin / name), *map(str, arguments)], capture_output=True, text=True, check=False, cwd="/",
            env={**os.environ, "LC_ALL": "C"}, **self._switch(),
        )  # fmt: skip
        if done.returncode:
            raise ServerError(f"{name} failed with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def execute(self, sql: str, parameters: Any = None, *, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement as superuser in a connection and a transaction of its own; gives the rows."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(sql, parameters)
            return [] if cursor.description is None else cursor.fetchall()

    def create_database(self, name: str | None = None, options: str = "") -> str:
        """Make an empty database; gives its address."""
        name = name or f"db_{secrets.token_hex(4)}"
        self.execute(f'CREATE DATABASE "{name}" STRATEGY file_copy {options}')  # half the work of the usual one
        return self.url(name)

    def cut_connections(self, database: str | None = None) -> int:
        """End every connection of clients, or those to one database; gives how many."""
        return len(
            self.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                " AND pid <> pg_backend_pid() AND (%(name)s::text IS NULL OR datname = %(name)s)",
                {"name": database},
            )
        )

    def pause(self) -> None:
        """Stop all of its processes where they are."""
        self._tell("pause")
        self._hear()

    def resume(self) -> None:
        """Let them go on."""
        self._tell("resume")
        self._hear()

    def kill9(self) -> None:
        """Kill all of its processes, and return when they are gone; ``run`` starts it again on what is left."""
        self._end("kill")

    def stop(self) -> None:
        """End it as it should end, cutting its connections; ``run`` starts it again."""
        self._end("stop")

    def restart(self) -> None:
        """End it as it should end, and start it again."""
        self.stop()
        self.run()

    def close(self) -> None:
        """End it for good, and delete its folder where it is its own; once, and only in the process that made it."""
        if os.getpid() != self._pid:
            return
        if self._keeper is not None:
            self._end("drop" if self._is_own_folder else "kill")
        elif self._is_own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _end(self, word: str) -> None:
        self._tell(word)
        said = self._hear()
        self._let_go()
        if "ended" not in said:
            raise ServerError(f"PostgreSQL {self.kind.name} did not {word}: {said}")

    def _tell(self, word: str) -> None:
        assert self._keeper is not None, "it does not run"
        assert self._keeper.stdin is not None
        self._keeper.stdin.write(f"{word}\n")
        self._keeper.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._keeper is not None
        assert self._keeper.stdout is not None
        line = self._keeper.stdout.readline()
        said: dict[str, Any] = json.loads(line) if line else {"said": "its keeper has ended"}
        return said

    def _let_go(self) -> None:
        if self._keeper is not None:
            self._keeper.communicate()
            self._keeper = None

    def _own(self, path: Path) -> None:
        if self.user is not None and self.group is not None:
            os.chown(path, self.user, self.group)

    def _switch(self) -> dict[str, Any]:
        return {} if self.user is None else {"user": self.user, "group": self.group, "extra_groups": []}


def _who() -> tuple[int | None, int | None]:
    """Give the user and group to run it as, where this user may not."""
    if os.geteuid() != 0:
        return None, None
    import pwd  # which Windows has not

    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return entry.pw_uid, entry.pw_gid


def _folder(given: Path | None) -> tuple[Path, int]:
    """Give a folder that is there, and a port that is free for now."""
    folder = Path(tempfile.mkdtemp(prefix="tensemem-postgres-")) if given is None else given
    folder.mkdir(parents=True, exist_ok=True)
    return folder, _free_port()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

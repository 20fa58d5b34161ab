"""A network between a client and a server that breaks when it is told to: a TCP proxy on the loopback."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit, urlunsplit

_RESET = struct.pack("ii", 1, 0)  # closing sends RST and waits for nothing


@dataclass(eq=False)
class _Trap:
    """Bytes of a client at which its connection is cut: before they are passed on, or when the server has answered."""

    marker: bytes
    after: bool
    sprung: threading.Event = field(default_factory=threading.Event)


class _Line:
    """One connection through the proxy."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        self.trap: _Trap | None = None
        self.is_forgotten = False

    def reset(self, *ends: socket.socket) -> None:
        for end in ends:
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class Proxy:
    """Passes bytes on to a server. ``cut`` resets every connection and refuses new ones; ``stall`` passes nothing on
    and tells nobody; ``forget`` resets the server's ends alone; ``mend`` ends all that.
    """

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._lines: list[_Line] = []
        self._forgotten: list[_Line] = []
        self._traps: list[_Trap] = []
        self._gate = threading.Condition()
        self._is_open, self._is_cut, self._is_stalled = True, False, False
        self._threads: list[threading.Thread] = []
        self.arrived = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._run(self._accept)

    def url(self, url: str) -> str:
        """Give an address of the server as one through the proxy."""
        parts = urlsplit(url)
        return urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.port}", f":{self.port}")))

    def cut(self) -> None:
        """Reset every connection, and every new one, until mended."""
        with self._gate:
            self._is_cut = True
            lines, self._lines = self._lines, []
        for line in lines:
            line.reset(line.client, line.server)

    def stall(self) -> None:
        """Pass nothing on, in either direction, until mended; what was sent meanwhile comes then."""
        with self._gate:
            self._is_stalled = True

    def forget(self) -> None:
        """Reset the server's ends, and leave the clients in the belief that they are connected."""
        with self._gate:
            lines, self._lines = self._lines, []
            self._forgotten += lines
        for line in lines:
            line.is_forgotten = True
            line.reset(line.server)

    def mend(self) -> None:
        """Be a good network again."""
        with self._gate:
            self._is_cut = self._is_stalled = False
            self._gate.notify_all()

    def trap(self, marker: bytes, *, after: bool) -> threading.Event:
        """Cut the next connection whose client sends some bytes: before they are passed on, or ``after`` the server
        has answered them. Gives what is set when it has happened.
        """
        found = _Trap(marker, after)
        with self._gate:
            self._traps.append(found)
        return found.sprung

    def wait_for_arrivals(self, count: int, seconds: float = 60) -> None:
        """Return when clients have asked for so many connections, whatever has become of these."""
        with self._gate:
            assert self._gate.wait_for(lambda: self.arrived >= count, seconds), f"{self.arrived} have come"

    def close(self) -> None:
        with self._gate:
            self._is_open = False
        self._listener.close()
        with contextlib.suppress(OSError):  # wakes whoever waits in accept
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        self.cut()
        self.mend()
        for line in self._forgotten:
            line.reset(line.client)
        for thread in self._threads:
            thread.join(10)

    def __enter__(self) -> Proxy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, target: object, *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while self._is_open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._gate:
                self.arrived += 1
                self._gate.notify_all()
            line = _Line(client, socket.socket())
            try:
                if self._is_cut or not self._is_open:
                    raise ConnectionRefusedError
                line.server.connect(self._target)
            except OSError:
                line.reset(line.client, line.server)
                continue
            with self._gate:
                self._lines.append(line)
            self._run(self._pass_on, line, line.client, line.server)
            self._run(self._pass_on, line, line.server, line.client)

    def _pass_on(self, line: _Line, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                with self._gate:
                    while self._is_stalled:
                        self._gate.wait()
                if not self._may_pass(line, data, from_client=source is line.client):
                    line.reset(line.client, line.server)
                    return
                sink.sendall(data)
        except OSError:
            pass
        if not line.is_forgotten:
            line.reset(line.client, line.server)

    def _may_pass(self, line: _Line, data: bytes, *, from_client: bool) -> bool:
        if not from_client:
            if line.trap is not None:
                line.trap.sprung.set()
                return False
            return True
        with self._gate:
            found = next((trap for trap in self._traps if trap.marker in data), None)
            if found is None:
                return True
            self._traps.remove(found)
        line.trap = found
        if found.after:
            return True
        found.sprung.set()
        return False

"""A server on this machine that answers each request with the next of some JSON bodies, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Script:
    """What is answered next, what was asked, and where."""

    answers: list[dict[str, Any]]
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""


@contextmanager
def scripted_server(*answers: dict[str, Any]) -> Iterator[Script]:
    """Serve on loopback until the block ends."""
    script = Script(list(answers))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            script.asked.append(json.loads(self.rfile.read(length)))
            body = json.dumps(script.answers.pop(0)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

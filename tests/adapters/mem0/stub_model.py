"""A server on this machine that embeds texts by their words and reads facts from a script, as OpenAI's API has it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 64


def embedded(text: str) -> list[float]:
    """Give a vector in which texts that share words are near each other."""
    vector = [0.01] * DIMENSIONS
    for word in text.casefold().replace(":", " ").split():
        vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % DIMENSIONS] += 1.0
    return vector


@contextmanager
def stub_model(facts: dict[str, list[str]]) -> Iterator[str]:
    """Serve on loopback: ``facts`` are the memories that each message holds, found by its text."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = self._embeddings(body) if "input" in body else self._completion(body)
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        @staticmethod
        def _embeddings(body: dict[str, Any]) -> dict[str, Any]:
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            rows = [{"object": "embedding", "index": at, "embedding": embedded(t)} for at, t in enumerate(texts)]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            return {"object": "list", "data": rows, "model": "m", "usage": usage}

        @staticmethod
        def _completion(body: dict[str, Any]) -> dict[str, Any]:
            asked = body["messages"][-1]["content"]
            newest = max(facts, key=asked.rfind)  # the prompt holds what was said before, too
            found = facts[newest] if newest in asked else []
            told = json.dumps({"memory": [{"id": str(at), "text": text} for at, text in enumerate(found)]})
            message = {"role": "assistant", "content": told}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""A server on this machine that speaks as OpenAI, Anthropic, Gemini and Ollama do, and says what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKENS = (70, 30)
"""Input and output tokens that every answer says it cost."""


@dataclass(frozen=True)
class Says:
    """An answer: ``ended`` is "stop", or "length", "refusal" or "filter" in the provider's own words."""

    text: str
    ended: str = "stop"


@dataclass(frozen=True)
class Status:
    """An error of HTTP, in the provider's form."""

    code: int
    message: str = "no luck"
    headers: dict[str, str] = field(default_factory=dict)
    details: list[dict[str, str]] = field(default_factory=list)  # only Google's form has room for them


@dataclass(frozen=True)
class Raw:
    """Some other body, with status 200."""

    body: bytes


class Silence:
    """No answer, for as long as anybody listens."""


class Cut:
    """The beginning of an answer; then the connection ends."""


Reply = Says | Status | Raw | Silence | Cut


@dataclass(frozen=True)
class Asked:
    """A request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Loopback:
    """What the server is to say, reply by reply, and what it was asked."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self.url = ""
        self.answer: Callable[[Asked], Reply] | None = None  # in the place of replies

    def next(self, asked: Asked) -> Reply:
        """Note a request and give the reply to it."""
        self.asked.append(asked)
        if self.answer is not None:
            return self.answer(asked)
        return self.replies.pop(0) if self.replies else Status(500, "the test expected no such request")


@contextmanager
def serving() -> Iterator[Loopback]:
    """Run the server for as long as the block lasts."""
    loopback = Loopback()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(loopback))
    server.daemon_threads = False  # so that closing waits for them, and none is left
    loopback.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield loopback
    finally:
        loopback.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20

        def setup(self) -> None:
            super().setup()
            self.close_connection = True

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            given = json.loads(self.rfile.read(length) or b"{}")
            reply = loopback.next(Asked(self.path, dict(self.headers.items()), given))
            self.close_connection = True  # a connection kept open would keep its thread, and the test waiting
            match reply:
                case Silence():
                    loopback.closing.wait(20)
                case Cut():
                    self._send(200, b'{"id": "x", "cho', {}, 5000)
                case Raw(body):
                    self._send(200, body, {}, len(body))
                case Status():
                    body = json.dumps(_error(self.path, reply)).encode()
                    self._send(reply.code, body, reply.headers, len(body))
                case Says():
                    body = json.dumps(_answer(self.path, given, reply)).encode()
                    self._send(200, body, {}, len(body))

        def _send(self, code: int, body: bytes, headers: dict[str, str], length: int) -> None:
            self.send_response(code)
            for name, value in {"Content-Type": "application/json", "Connection": "close", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: a test's output is its own."""

    return Handler


def _answer(path: str, asked: dict[str, Any], reply: Says) -> dict[str, Any]:
    sent, got = TOKENS
    if path.endswith("/chat/completions"):
        return _openai(asked, reply)
    if path.endswith("/messages"):
        ends = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal", "filter": "refusal"}
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"],
            "content": [{"type": "text", "text": reply.text}], "stop_reason": ends[reply.ended], "stop_sequence": None,
            "usage": {"input_tokens": sent - 50, "output_tokens": got, "cache_read_input_tokens": 50},
        }  # fmt: skip
    if path.endswith(":generateContent"):
        return _gemini(reply)
    return {
        "model": asked["model"], "created_at": "2026-03-05T10:00:00Z", "done": True,
        "message": {"role": "assistant", "content": reply.text},
        "done_reason": {"stop": "stop", "length": "length"}.get(reply.ended, "stop"),
        "prompt_eval_count": sent, "eval_count": got,
    }  # fmt: skip


def _openai(asked: dict[str, Any], reply: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": None}
    if reply.ended == "refusal":
        message.update(content=None, refusal="I can't help with that.")
    finish = {"length": "length", "filter": "content_filter"}.get(reply.ended, "stop")
    sent, got = TOKENS
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got},
    }  # fmt: skip


def _gemini(reply: Says) -> dict[str, Any]:
    sent, got = TOKENS
    usage = {"promptTokenCount": sent, "candidatesTokenCount": got - 5, "thoughtsTokenCount": 5}
    if reply.ended == "refusal":
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage}
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}[reply.ended]
    parts = [{"text": "thinking aloud", "thought": True}, {"text": reply.text}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage}


def _error(path: str, reply: Status) -> dict[str, Any]:
    code, message = reply.code, reply.message
    if path.endswith("/chat/completions"):
        return {"error": {"message": message, "type": "error", "code": None}}
    if path.endswith("/messages"):
        return {"type": "error", "error": {"type": "some_error", "message": message}}
    if path.endswith(":generateContent"):
        return {"error": {"code": code, "message": message, "status": "SOME_STATUS", "details": reply.details}}
    return {"error": message}

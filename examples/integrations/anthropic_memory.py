"""Claude's memory tool over a state memory: an edit of a file is a typed operation, kept in the log."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from anthropic import Anthropic

from tensemem import Memory
from tensemem.adapters.anthropic import MemoryTool

STATE = "/memories/user/state.md"
EDITS = [
    {"command": "create", "path": STATE, "file_text": "lives_in: Delhi\n"},
    {"command": "str_replace", "path": STATE, "old_str": "Delhi", "new_str": "Bangalore"},
    {"command": "create", "path": "/memories/notes/trip.md", "file_text": "Asked about trains to Mysore.\n"},
    {"command": "view", "path": "/memories/user/history/lives_in.md"},
]


class FakeClaude(BaseHTTPRequestHandler):
    """Stands in for the API, so that this runs offline: asks for the edits above, one after the other."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        block, ended = {"type": "text", "text": "Noted."}, "end_turn"
        if EDITS:
            edit, ended = EDITS.pop(0), "tool_use"
            block = {"type": "tool_use", "id": f"call{len(EDITS)}", "name": "memory", "input": edit}
        answer = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [block],
                  "stop_reason": ended, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


mem = Memory(":memory:", llm=False)  # a file's name keeps it
mem.register_predicate("lives_in", description="the city the user lives in")

server = HTTPServer(("127.0.0.1", 0), FakeClaude)
Thread(target=server.serve_forever, daemon=True).start()
with Anthropic(api_key="none", base_url=f"http://127.0.0.1:{server.server_port}") as client:  # yours: Anthropic()
    runner = client.beta.messages.tool_runner(
        model="claude-sonnet-5-5", max_tokens=1024, tools=[MemoryTool(mem, "ada")],
        messages=[{"role": "user", "content": "I lived in Delhi and have just moved to Bangalore."}],
    )  # fmt: skip
    for _ in runner:
        response = runner.generate_tool_call_response()
        for result in response["content"] if response else ():
            print(result["content"])
server.shutdown()
server.server_close()

wrong = mem.state("ada").fact("lives_in")
mem.correct(wrong.id, reason="it was only a visit")
print("corrected:", mem.state("ada").values)
mem.close()

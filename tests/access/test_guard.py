"""The guard: who gets through to the application, and what the others are told."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tensemem import access as access_package
from tensemem import errors
from tensemem.access import Access, Rate, guard
from tensemem.access.guard import address_of
from tensemem.errors import InvalidValueError
from tensemem.wire.problems import OF_REQUESTS, PROBLEMS, error_of
from tensemem.wire.problems import problem as wire_problem
from tests.access.asking import Behind, ask, asked, scope_of
from tests.access.conftest import World

TOKEN = "a-token-of-the-server-itself"


@pytest.fixture
def behind() -> Behind:
    return Behind()


@pytest.fixture
def app(access: Access, behind: Behind) -> Any:
    return guard(behind, access, token=TOKEN)


@pytest.mark.parametrize("path", ["/v1/state", "/openapi.json", "/metrics", "/docs", "/mcp", "/v1", "/nothing", "//"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "GUESS"])
def test_without_a_token_nobody_gets_through(app: Any, behind: Behind, path: str, method: str) -> None:
    answer = ask(app, path, method=method)
    assert answer.status == 401
    assert answer.header("www-authenticate") == 'Bearer realm="tensemem"'
    assert (answer.body == b"") == (method == "HEAD")
    assert behind.seen == []


def test_a_key_gets_through_and_is_named(app: Any, access: Access, behind: Behind) -> None:
    key, token = access.mint("x", "read")
    answer = ask(app, token=token)
    assert (answer.status, answer.body) == (200, key.id.encode())
    assert behind.seen == [key]


def test_the_servers_own_token_is_an_admins_and_is_not_kept(
    app: Any, access: Access, behind: Behind, place: Path
) -> None:
    assert ask(app, token=TOKEN).body == b"server"
    assert behind.seen[0].role == "admin"
    assert access.keys() == ()
    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in place.parent.iterdir())


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/", "/studio", "/studio/", "/studio/a/b.js"])
def test_open_paths_need_no_token_to_be_read(app: Any, behind: Behind, path: str) -> None:
    assert ask(app, path).status == ask(app, path, method="HEAD").status == 200
    assert behind.seen == [None, None]
    assert ask(app, path, method="POST").status == 401


@pytest.mark.parametrize(
    "path",
    ["/studio/../v1/state", "/studio/./x", "/studio/..", "/studiox", "/studio\\..\\v1", "/studio/a\\b", "/healthz/",
     "/healthz/x", "/Healthz", "/STUDIO/x", "/readyz?x", "", "*", "/studio/..;/v1"],
)  # fmt: skip
def test_what_only_looks_like_an_open_path_needs_a_token(app: Any, path: str) -> None:
    answer = ask(app, path)
    assert answer.status == (200 if path == "/studio/..;/v1" else 401)  # a name of a file, however odd


def test_paths_are_taken_below_where_the_application_is_mounted(app: Any) -> None:
    assert ask(app, "/memory/healthz", root_path="/memory").status == 200
    assert ask(app, "/memory/v1/state", root_path="/memory").status == 401
    assert ask(app, "/healthz", root_path="/memory").status == 200
    assert ask(app, "/memoryx/healthz", root_path="/memory").status == 401


@pytest.mark.parametrize("word", ["bearer", "BEARER", "Bearer", "Bearer  "])
def test_the_scheme_is_written_as_one_likes(app: Any, word: str) -> None:
    assert ask(app, headers={"Authorization": f"{word} {TOKEN}"}).status == 200


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer ", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN} x", f"Bearer\t{TOKEN}", f"Bearer{TOKEN}",
     f"Bearer {TOKEN},Bearer {TOKEN}", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Bearer {TOKEN.upper()}",
     "Bearer tsm_", "Bearer \x00", "Bearer \xff", f"Bearer {'x' * 100_000}", f"Bearer {' ' * 100_000}",
     f"Bearer {TOKEN}\x00", "Bearer tsm_0123456789abcdef_" + "0" * 63, "Bearer tsm_0123456789ABCDEF_" + "0" * 64],
)  # fmt: skip
def test_what_is_no_token_opens_nothing(app: Any, world: World, given: str) -> None:
    answer = ask(app, headers={"Authorization": given})
    assert (answer.status, answer.kind) == (401, "unauthenticated")
    assert world.hashed == []


def test_two_tokens_are_none(app: Any) -> None:
    doubled = [("Authorization", f"Bearer {TOKEN}"), ("Authorization", f"Bearer {TOKEN}")]
    assert ask(app, headers=doubled).status == 401


def test_a_token_anywhere_else_is_none(app: Any) -> None:
    assert ask(app, query_string=f"token={TOKEN}&access_token={TOKEN}".encode()).status == 401
    assert ask(app, headers={"Cookie": f"token={TOKEN}", "X-Api-Key": TOKEN}).status == 401


def test_what_a_server_without_a_token_and_without_keys_answers(access: Access, behind: Behind) -> None:
    app = guard(behind, access)
    for path in ("/v1/state", "/v1/keys", "/v1/mint", "/openapi.json"):
        assert ask(app, path, method="POST", headers={"Content-Type": "application/json"}).status == 401
    assert access.keys() == ()
    assert behind.seen == []


def test_revoking_the_last_key_closes(app: Any, access: Access, behind: Behind) -> None:
    open_to_one = guard(behind, access)
    made = access.first_key()
    assert made is not None
    assert ask(open_to_one, token=made[1]).status == 200
    access.revoke(made[0].id)
    assert ask(open_to_one, token=made[1]).status == 401
    assert ask(open_to_one).status == 401
    assert access.first_key() is None


@pytest.mark.parametrize("token", ["short", "", "x" * 19, "ab" * 20])
def test_a_token_that_is_easy_to_guess_is_refused_at_the_start(access: Access, behind: Behind, token: str) -> None:
    with pytest.raises(InvalidValueError):
        guard(behind, access, token=token)


# Hosts and pages


@pytest.mark.parametrize(
    ("host", "is_known"),
    [("localhost:7340", True), ("127.0.0.1:7340", True), ("[::1]:7340", True), ("LocalHost:7340", True),
     ("localhost", False), ("localhost:80", False), ("localhost:7341", False), ("evil.example:7340", False),
     ("localhost.evil.example:7340", False), ("127.0.0.1.evil.example:7340", False), ("127.0.0.2:7340", False),
     ("localhost:7340@evil.example", False), ("localhost:7340/", False), ("", False), (" localhost:7340", False),
     ("localhost:07340", False), ("localhost:7340:7340", False), ("[::1:7340", False), ("0.0.0.0:7340", False),
     ("\xff", False), (None, False), ("localhost.:7340", False), ("memory.example.org", False)],
)  # fmt: skip
def test_only_names_of_this_server_are_answered(app: Any, behind: Behind, host: str | None, is_known: bool) -> None:
    for path in ("/v1/state", "/studio/", "/"):
        answer = ask(app, path, host=host, token=TOKEN)
        assert answer.status == (200 if is_known else 403), path
        if not is_known:
            assert answer.kind == "not-here"
            assert b"--allow-host NAME" in answer.body
    assert len(behind.seen) == (3 if is_known else 0)


def test_who_watches_machines_asks_under_any_name(app: Any) -> None:
    assert ask(app, "/healthz", host="10.2.3.4:7340").status == 200
    assert ask(app, "/readyz", host=None).status == 200


def test_configured_names_are_answered(access: Access, behind: Behind) -> None:
    app = guard(behind, access, token=TOKEN, hosts=["Memory.example.org", "other.example:8443"])
    for host, status in [
        ("memory.example.org", 200), ("memory.example.org:443", 200), ("MEMORY.example.org", 200),
        ("other.example:8443", 200), ("other.example", 403), ("other.example:1", 403), ("x.memory.example.org", 403),
        ("localhost:7340", 200),
    ]:  # fmt: skip
        assert ask(app, host=host, token=TOKEN).status == status, host


def test_two_hosts_are_none(app: Any) -> None:
    assert ask(app, headers={"Host": "localhost:7340"}, token=TOKEN).status == 403


@pytest.mark.parametrize("port", [80, 443])
def test_the_usual_ports_need_not_be_said(app: Any, port: int) -> None:
    assert ask(app, host="localhost", server=("127.0.0.1", port), token=TOKEN).status == 200
    assert ask(app, host="localhost:7340", server=("/run/x.sock", None), token=TOKEN).status == 200


@pytest.mark.parametrize("wrong", ["https://x.example", "a b", "", "x/y", "*", "x:y"])
def test_a_name_that_is_none_is_refused_at_the_start(access: Access, behind: Behind, wrong: str) -> None:
    with pytest.raises(InvalidValueError):
        guard(behind, access, hosts=[wrong])


@pytest.mark.parametrize(
    "wrong", ["*", "null", "x.example", "https://", "https://x.example/", "https://x.example/a", "ftp://x.example",
              "https://u@x.example", "https://[", "https://x.example?"]
)  # fmt: skip
def test_an_origin_that_is_none_is_refused_at_the_start(access: Access, behind: Behind, wrong: str) -> None:
    with pytest.raises(InvalidValueError):
        guard(behind, access, origins=[wrong])


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "", "http://localhost", "http://localhost:7341", "file://",
               "http://localhost:7340.evil.example", "http://evil.example:7340", "localhost:7340", "http://127.0.0.1:7340"]
)  # fmt: skip
def test_pages_of_others_may_not_ask_even_with_a_token(app: Any, behind: Behind, origin: str, method: str) -> None:
    answer = ask(
        app, method=method, token=TOKEN, headers={"Origin": origin, "Content-Type": "application/json"}
    )
    assert answer.status == 403
    assert method == "HEAD" or answer.kind == "not-here"
    assert method == "HEAD" or b"--allow-origin URL" in answer.body
    assert answer.header("access-control-allow-origin") is None
    assert behind.seen == []


@pytest.mark.parametrize("origin", ["http://localhost:7340", "https://localhost:7340", "HTTP://LOCALHOST:7340"])
def test_the_servers_own_pages_may(app: Any, origin: str) -> None:
    headers = {"Origin": origin, "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
    assert ask(app, method="POST", token=TOKEN, headers=headers).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_that_says_so_gives_a_page_away(app: Any, site: str) -> None:
    for method in ("GET", "POST"):
        assert ask(app, method=method, token=TOKEN, headers={"Sec-Fetch-Site": site}).status == 403
    assert ask(app, token=TOKEN, headers={"Sec-Fetch-Site": "none"}).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_a_link_from_elsewhere_leads_to_the_studio_and_to_nothing_else(app: Any, site: str) -> None:
    visit = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert [ask(app, path, headers=visit).status for path in ("/", "/studio/", "/studio/main.js")] == [200] * 3
    assert ask(app, "/v1/state", token=TOKEN, headers=visit).status == (200 if site == "none" else 403)
    if site != "none":
        for other in ({"Sec-Fetch-Dest": "iframe"}, {"Sec-Fetch-Mode": "no-cors"}, {"Origin": "https://evil.example"}):
            assert ask(app, "/studio/", headers={**visit, **other}).status == 403
    assert ask(app, "/studio/", host="evil.example", headers=visit).status == 403


KINDS = [
    ("text/plain", False), ("text/plain;charset=utf-8", False), ("TEXT/PLAIN", False), (" text/plain ", False),
    ("application/x-www-form-urlencoded", False), ("multipart/form-data; boundary=x", False), ("", False),
    ("text/plain, application/json", False), ("nonsense", False), ("text/plain\xff", False), (";", False),
    ("application/json", True), ("application/json; charset=utf-8", True), ("application/x-ndjson", True),
    ("application/octet-stream", True), ("application/merge-patch+json", True),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "is_taken"), KINDS)
def test_a_body_that_any_page_could_send_is_refused(app: Any, behind: Behind, kind: str, is_taken: bool) -> None:
    answer = ask(app, "/v1/set", method="POST", token=TOKEN, headers={"Content-Type": kind, "Content-Length": "9"})
    assert answer.status == (200 if is_taken else 415)
    assert len(behind.seen) == is_taken


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Content-Length": "9"}, 415), ({"Transfer-Encoding": "chunked"}, 415), ({"Content-Length": "0"}, 200),
     ({}, 200)],
)  # fmt: skip
def test_a_body_says_what_it_is(app: Any, headers: dict[str, str], status: int) -> None:
    assert ask(app, "/v1/set", method="POST", token=TOKEN, headers=headers).status == status


def test_pages_of_configured_origins_may_ask_and_read(access: Access, behind: Behind) -> None:
    app = guard(behind, access, token=TOKEN, origins=["https://app.example"])
    page = {"Origin": "https://app.example"}
    answer = ask(app, token=TOKEN, headers=page)
    assert answer.status == 200
    assert answer.header("access-control-allow-origin") == "https://app.example"
    assert "ETag" in (answer.header("access-control-expose-headers") or "")
    assert answer.header("vary") == "Origin"
    assert answer.header("access-control-allow-credentials") is None
    refused = ask(app, headers=page)
    assert (refused.status, refused.header("access-control-allow-origin")) == (401, "https://app.example")
    asked_first = {**page, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    preflight = ask(app, method="OPTIONS", headers=asked_first)
    assert preflight.status == 204
    assert "Authorization" in (preflight.header("access-control-allow-headers") or "")
    assert (preflight.header("access-control-allow-methods") or "").split(", ") == ["GET", "HEAD", "POST", "DELETE"]
    foreign = ask(app, method="OPTIONS", headers={**asked_first, "Origin": "https://evil.example"})
    assert (foreign.status, foreign.header("access-control-allow-origin")) == (403, None)
    assert len(behind.seen) == 1


_READING = re.compile(r"""(?:header\(|headers\.get\(|_SESSION, _VERSION = |"mcp-session-id", )b?"([a-z-]+)\"""")
SOURCES = [
    path.read_text(encoding="utf-8")
    for folder in ("access", "adapters/rest", "adapters/mcp")
    for path in (Path(access_package.__file__).parents[1] / folder).glob("*.py")
]
READ = sorted({found.lower() for source in SOURCES for found in _READING.findall(source)})
"""Every header of a request that the servers read by name."""
NOT_A_PAGES = frozenset({"host", "origin", "content-length", "transfer-encoding", "server", "accept-encoding"})
"""What the browser says by itself, whatever a page would say."""


@pytest.mark.parametrize("name", [one for one in READ if one not in NOT_A_PAGES and not one.startswith("sec-")])
def test_a_page_of_another_origin_may_say_what_is_read(access: Access, behind: Behind, name: str) -> None:
    app = guard(behind, access, token=TOKEN, origins=["https://app.example"])
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "DELETE"}
    preflight = ask(app, method="OPTIONS", headers={**asked, "Access-Control-Request-Headers": name})
    allowed = (preflight.header("access-control-allow-headers") or "").lower().split(", ")
    assert name in allowed


def test_what_is_looked_for_is_found() -> None:
    assert {"authorization", "content-type", "content-encoding", "if-match", "prefer", "mcp-session-id"} <= set(READ)


# What is answered, and what a client makes of it


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        ({}, errors.UnauthenticatedError), ({"token": "tsm_x"}, errors.UnauthenticatedError),
        ({"token": TOKEN, "host": "evil.example"}, errors.ForbiddenError),
        ({"token": TOKEN, "headers": {"Origin": "https://evil.example"}}, errors.ForbiddenError),
        ({"token": TOKEN, "method": "POST", "headers": {"Content-Type": "text/plain"}}, errors.TensememError),
    ],
)  # fmt: skip
def test_a_refusal_is_a_problem_that_a_client_reads(app: Any, wanted: dict[str, Any], kind: type) -> None:
    answer = ask(app, **wanted)
    problem = json.loads(answer.body)
    assert type(error_of(problem)) is kind
    assert {**OF_REQUESTS, **PROBLEMS}[answer.kind][0] == answer.status == problem["status"]
    assert wire_problem(answer.kind)["title"] == problem["title"]


def test_so_are_limits_and_stores_in_disorder(world: World, access: Access, behind: Behind) -> None:
    app = guard(behind, access, token=TOKEN, rate=Rate(per_second=0.1, burst=1), clock=world.monotonic)
    assert ask(app, token=TOKEN).status == 200
    limited = error_of(json.loads(ask(app, token=TOKEN).body))
    assert isinstance(limited, errors.RateLimitedError)
    assert limited.retry_after == 10
    access.close()
    answer = ask(app, token=f"tsm_{7:016x}_{7:064x}")
    assert isinstance(error_of(json.loads(answer.body)), errors.StoreBusyError)
    assert OF_REQUESTS[answer.kind][0] == answer.status == 503
    assert wire_problem(answer.kind)["title"] == json.loads(answer.body)["title"]


# Limits, and a store in disorder


def test_a_key_that_asks_too_often_waits_and_nobody_else_does(world: World, access: Access, behind: Behind) -> None:
    app = guard(behind, access, token=TOKEN, rate=Rate(per_second=2, burst=3), clock=world.monotonic)
    _, token = access.mint()
    assert [ask(app, token=token).status for _ in range(5)] == [200, 200, 200, 429, 429]
    limited = ask(app, token=token)
    assert (limited.kind, limited.header("retry-after")) == ("rate-limited", "1")
    assert ask(app, token=TOKEN).status == 200
    world.pass_by(0.5)
    assert [ask(app, token=token).status for _ in range(2)] == [200, 429]
    world.pass_by(1000)
    assert [ask(app, token=token).status for _ in range(4)] == [200, 200, 200, 429]


@pytest.mark.parametrize("wrong", [(0, 1), (-1, 1), (1, 0), (float("inf"), 1), (float("nan"), 1)])
def test_a_rate_that_is_none_is_refused(wrong: tuple[float, int]) -> None:
    with pytest.raises(InvalidValueError):
        Rate(*wrong)


def test_guesses_are_refused_without_a_hash_and_delay_nobody(app: Any, access: Access, world: World) -> None:
    key, token = access.mint()
    world.hashed.clear()
    for number in range(100):
        assert ask(app, token=f"tsm_{key.id}_{number:064x}", client="10.0.0.1").status == 401
    assert world.hashed == []
    assert ask(app, token=token, client="10.0.0.1").status == 200


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("2001:db8:1:2::5", 9), "20010db800010002"), (("2001:db8:1:2:ffff::%eth0", 9), "20010db800010002"),
        (("10.0.0.1", 9), "10.0.0.1"), (("not:an:address", 9), "not:an:address"), (None, ""), ((), ""),
    ],
)  # fmt: skip
def test_of_ipv6_a_network_counts_as_one(client: Any, counted: str) -> None:
    assert address_of(client) == counted


def test_a_store_that_cant_be_read_closes_and_logs_it_once(
    app: Any, access: Access, world: World, behind: Behind, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, token = access.mint()
    assert ask(app, token=token).status == 200
    place.rename(place.parent / "away")
    world.pass_by(0.1)
    with caplog.at_level(logging.INFO, logger="tensemem.access"):
        for _ in range(5):
            answer = ask(app, token=token)
            assert (answer.status, answer.kind, answer.header("retry-after")) == (503, "unavailable", "1")
            assert str(place.parent).encode() not in answer.body
            assert ask(app, token=f"tsm_{7:016x}_{7:064x}").status == 503
        assert ask(app).status == 401
        assert ask(app, token=TOKEN).status == 200  # which no store knows
        (place.parent / "away").rename(place)
        world.pass_by(0.1)
        assert ask(app, token=token).status == 200
    assert [record.event for record in caplog.records] == ["closed", "open"]  # type: ignore[attr-defined]
    assert len(behind.seen) == 3


def test_a_closed_store_closes(app: Any, access: Access) -> None:
    _, token = access.mint()
    access.close()
    assert ask(app, token=token).status == 503


def test_many_ask_at_once_and_one_hash_is_made_at_a_time(world: World, place: Path, behind: Behind) -> None:
    met = 0
    meeting = threading.Barrier(2)

    def make_hash(secret: bytes, salt: bytes) -> bytes:
        nonlocal met
        with suppress(threading.BrokenBarrierError):  # whoever waits alone for a moment breaks it for good
            meeting.wait(0.2)
            met += 1
        return World().make_hash(secret, salt)

    with Access.open(place, clock=world.clock, monotonic=world.monotonic, make_hash=make_hash) as access:
        app = guard(behind, access)
        tokens = [access.mint()[1] for _ in range(20)]
        meeting.reset()

        async def all_at_once() -> list[int]:
            scopes = [scope_of(token=token, client=str(number)) for number, token in enumerate(tokens)]
            return [answer.status for answer in await asyncio.gather(*(asked(app, scope) for scope in scopes))]

        assert set(asyncio.run(all_at_once())) == {200}
    assert met == 0


def test_other_kinds_of_connections(app: Any, behind: Behind) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {}

    for kind in ("websocket", "webtransport"):
        asyncio.run(app({**scope_of(token=TOKEN), "type": kind}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert behind.seen == []
    asyncio.run(app({"type": "lifespan"}, receive, send))
    assert len(behind.seen) == 1

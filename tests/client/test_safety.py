"""A token is shown to one server, over a way that nobody reads, and in no message; and who may do what is told."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Client, errors
from tensemem.access import Rate
from tests.adapters.rest.certificate import made, vouched_for
from tests.client.bench import TOKEN, Pauses, Served, between, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served") / "m.db") as running, Client(running.url, TOKEN) as client:
        client.register_predicate("lives_in")
        yield running


# Addresses and tokens


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:7340", "http://localhost:1/", "http://[::1]:7340", "https://example.org/memory/"]
)
def test_a_way_that_nobody_else_reads_is_taken(url: str) -> None:
    with Client(url, TOKEN) as client:
        assert repr(client) == f"Client({url.rstrip('/')!r})"


@pytest.mark.parametrize("url", ["http://example.org", "http://10.0.0.5:7340", "http://127.0.0.1.example.org"])
def test_plain_http_to_elsewhere_takes_a_word(url: str) -> None:
    with pytest.raises(errors.InvalidValueError, match=r"for all to read: use https, or say insecure=True"):
        Client(url, TOKEN)
    Client(url, TOKEN, insecure=True).close()


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:7340", "ftp://example.org", "https://", "http://[::1", "http://localhost:99999", 7, None]
)
def test_what_is_no_address_is_refused(url: Any) -> None:
    with pytest.raises(errors.InvalidValueError, match="url must be"):
        Client(url, TOKEN)


@pytest.mark.parametrize("url", ["https://ann:secret@example.org", "https://example.org/?x=1", "https://example.org/#x"])
def test_an_address_holds_no_secret_and_no_more_than_a_path(url: str) -> None:
    with pytest.raises(errors.InvalidValueError, match="address alone") as raised:
        Client(url, TOKEN)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "caf\u00e9", 7, b"bytes"])
def test_what_is_no_token_is_refused_without_showing_it(token: Any) -> None:
    with pytest.raises(errors.InvalidValueError) as raised:
        Client("https://example.org", token)
    assert "token must be" in str(raised.value)
    assert str(token) not in str(raised.value) or token == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [("timeout", 0), ("timeout", "5"), ("retries", -1), ("retries", 1.5), ("namespace", " "), ("namespace", 7)],
)
def test_what_can_not_be_a_setting_is_refused(name: str, value: Any) -> None:
    with pytest.raises(errors.InvalidValueError, match=name):
        Client("https://example.org", TOKEN, **{name: value})


def test_a_file_without_certificates_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "none.pem").write_text("nothing", encoding="utf-8")
    for path, told in ((tmp_path / "none.pem", "holds no certificate"), (tmp_path / "absent.pem", "can't be read: No")):
        with pytest.raises(errors.InvalidValueError, match=f"verify: .*{path.name}' {told}"):
            Client("https://example.org", TOKEN, verify=path)
        monkeypatch.setenv("TENSEMEM_CA", str(path))
        with pytest.raises(errors.InvalidValueError, match=f"TENSEMEM_CA: .*{path.name}' {told}"):
            Client("https://example.org", TOKEN)
        Client("http://127.0.0.1:7340", TOKEN).close()  # where nothing is checked by it
        monkeypatch.delenv("TENSEMEM_CA")
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        with pytest.raises(errors.InvalidValueError, match="SSL_CERT_FILE"):
            Client("https://127.0.0.1:7340", TOKEN)
        monkeypatch.delenv("SSL_CERT_FILE")


def test_the_environment_has_the_token_where_none_is_given(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSEMEM_TOKEN", TOKEN)
    with Client(server.url) as client:
        assert client.predicates()
    monkeypatch.delenv("TENSEMEM_TOKEN")
    with Client(server.url) as client, pytest.raises(errors.UnauthenticatedError):
        client.predicates()


def test_a_token_goes_to_no_other_address(server: Served, tmp_path: Path) -> None:
    with between(server.url) as other, between(server.url, "away") as proxy, Client(proxy.url, TOKEN) as client:
        with pytest.raises(errors.StoreError, match=r"another address \(http://elsewhere\.example.*not followed"):
            client.state("ann")
        assert other.seen == []
        assert proxy.headers[0]["Authorization"] == f"Bearer {TOKEN}"


def test_a_proxy_of_the_environment_is_not_shown_what_stays_on_this_machine(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with between(server.url) as proxy:
        for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        with Client(server.url, TOKEN) as client:
            client.state("ann")
        assert proxy.seen == []


def test_no_message_and_no_log_has_the_token(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    secret = "tsm_0123456789abcdef_" + "s" * 43
    caplog.set_level(logging.DEBUG)
    with between(server.url, "gateway", "lose") as proxy:
        client = Client(proxy.url, secret, retries=0)
        told = [repr(client), str(client), repr(client._setting)]
        calls = (lambda: client.state("ann"), client.stats, client.stats, lambda: next(client.watch("ann")))
        for call in calls:
            with pytest.raises((errors.StoreError, errors.UnauthenticatedError)) as raised:
                call()
            told.append(repr(raised.value))
        client.close()
    assert secret not in "".join(told)
    assert secret not in caplog.text


# Who may do what


def test_keys_reach_as_far_as_they_say(server: Served) -> None:
    with Client(server.url, server.mint("read")) as reader:
        assert reader.state("ann").values == {}
        with pytest.raises(errors.ForbiddenError, match="role"):
            reader.set("ann", "lives_in", "Oslo")
        with pytest.raises(errors.ForbiddenError):
            reader.for_user("ann").call("memory_set", {"predicate": "lives_in", "value": "Oslo"})
    with Client(server.url, server.mint("write", users=["ann"])) as writer:
        assert writer.set("ann", "lives_in", "Oslo").changed
        assert writer.for_user("ann").get("lives_in") == "Oslo"
        with pytest.raises(errors.ForbiddenError):
            writer.state("bob")
        with pytest.raises(errors.ForbiddenError):
            writer.export("-")


def test_a_revoked_key_opens_no_more(server: Served) -> None:
    token = server.mint("read")
    with Client(server.url, token) as client:
        client.state("ann")
        server.access.revoke(token.split("_")[1])
        with pytest.raises(errors.UnauthenticatedError):
            client.state("ann")


def test_who_asks_too_often_is_told_when_to_ask_again(tmp_path: Path) -> None:
    with served(tmp_path / "m.db", of_app={"rate": Rate(0.01, 1)}) as server, Client(server.url, TOKEN) as client:
        client.state("ann")
        with pytest.raises(errors.RateLimitedError) as raised:
            client.state("ann")
        assert raised.value.retry_after > 30


def test_a_closed_client_says_so(server: Served) -> None:
    client = Client(server.url, TOKEN)
    client.close()
    client.close()
    assert repr(client).endswith(", closed)")
    for call in (lambda: client.state("ann"), lambda: client.export("-"), lambda: next(client.watch("ann"))):
        with pytest.raises(errors.ClosedError, match="make another"):
            call()


def test_a_server_is_known_by_its_certificate(tmp_path: Path) -> None:
    certificate, key = made(tmp_path)
    with served(tmp_path / "m.db", files=(str(certificate), str(key))) as server:
        assert server.url.startswith("https://")
        pauses = Pauses()
        with Client(server.url, TOKEN) as stranger:
            stranger._sender.sleep = pauses
            with pytest.raises(errors.StoreError, match=r"is not trusted, and nothing was done.*verify=PATH"):
                stranger.predicates()
        assert pauses == []  # no further attempt makes it trusted
        for verify in (certificate, str(certificate), False):
            with Client(server.url, TOKEN, verify=verify) as client:
                assert client.predicates() == ()


@pytest.mark.parametrize("variable", ["TENSEMEM_CA", "SSL_CERT_FILE"])
def test_the_environment_says_which_authority_vouches_for_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    authority, *files = vouched_for(tmp_path)
    with served(tmp_path / "m.db", files=tuple(map(str, files))) as server:
        monkeypatch.setenv(variable, str(authority))
        with Client(server.url, TOKEN) as client:
            assert client.predicates() == ()


@pytest.mark.parametrize("name", ["httpx2", "tenacity"])
def test_a_missing_library_is_told_by_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"install the extra `client`") as raised:
        Client("https://example.org", TOKEN)
    assert raised.value.name == name

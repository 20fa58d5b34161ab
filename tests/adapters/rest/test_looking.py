"""``tensemem studio``: what it says, whom it lets in, how the browser is led there, and how it ends."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx2
import pytest
from click.testing import CliRunner

from tensemem import Memory
from tensemem.adapters.cli import program
from tensemem.adapters.cli.looking import leading_to
from tensemem.adapters.studio import address
from tests.adapters.rest.bench import SOURCE, TOKEN


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to one process")
@pytest.mark.parametrize("own", [None, TOKEN])
def test_it_prints_an_address_that_opens_and_ends_on_ctrl_c(tmp_path: Path, own: str | None) -> None:
    with Memory(tmp_path / "m.db", worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi")
    command = [sys.executable, "-m", "tensemem", "--db", str(tmp_path / "m.db"), "studio", "--no-browser"]
    environment = {name: text for name, text in os.environ.items() if name != "TENSEMEM_TOKEN"}
    environment |= {"PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"}
    environment |= {} if own is None else {"TENSEMEM_TOKEN": own}
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        try:
            assert process.stdout is not None
            place = urlsplit(process.stdout.readline().strip())
            token = unquote(place.fragment.removeprefix("token="))
            assert (place.hostname, place.path) == ("127.0.0.1", "/studio/")
            assert len(token) > 30 if own is None else token == own
            with httpx2.Client(base_url=f"http://{place.netloc}", timeout=30) as web:
                assert "tensemem studio" in web.get("/studio/").text
                asked = {"authorization": f"Bearer {token}"}
                assert web.get("/v1/state?user_id=ann", headers=asked).json()["values"] == {"lives_in": "Delhi"}
                assert web.get("/v1/state?user_id=ann").status_code == 401
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out) == (0, "")
    assert "the studio of" in err
    assert token not in err


def test_the_browser_is_not_started_with_the_token_among_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    has_opened = threading.Event()

    def browser(place: str) -> bool:
        opened.extend((place, Path(urlsplit(place).path).read_text(encoding="utf-8")))
        has_opened.set()
        return True

    def serve(_app: Any, _address: Any, *, ready: Any) -> None:
        ready("http://127.0.0.1:1")
        assert has_opened.wait(20)

    monkeypatch.setattr("webbrowser.open", browser)
    monkeypatch.setattr("tensemem.adapters.rest.serve", serve)
    monkeypatch.setenv("TENSEMEM_TOKEN", TOKEN)
    ran = CliRunner().invoke(program, ["--db", str(tmp_path / "m.db"), "studio"], catch_exceptions=False)
    assert ran.exit_code == 0
    assert opened[0].startswith("file:")
    assert TOKEN not in opened[0]
    assert f'url={address("http://127.0.0.1:1", TOKEN)}"' in opened[1]
    assert not Path(urlsplit(opened[0]).path).exists(), "it goes when the studio ends"


@pytest.mark.skipif(os.name == "nt", reason="permissions are kept otherwise")
def test_the_file_that_leads_there_is_its_owners_alone() -> None:
    with leading_to("http://127.0.0.1:1/studio/#token=a\"b<c") as place:
        path = Path(urlsplit(place).path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert "a&quot;b&lt;c" in path.read_text(encoding="utf-8")
    assert not path.exists()

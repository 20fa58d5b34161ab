"""Where the packages of an extra are not installed the command line names it, before it has made anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"
RUN = """
import sys
sys.modules.update(dict.fromkeys(["uvicorn", "httptools", "starlette", "mcp", "httpx2", "tenacity"]))
from tensemem.adapters.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("--db", "m.db", "serve", "--port", "0"), "server"), (("--db", "m.db", "studio", "--no-browser"), "server"),
        (("--db", "m.db", "mcp", "--user", "alice"), "mcp"),
        (("--db", "m.db", "mcp", "--user", "alice", "--transport", "http", "--port", "0"), "mcp"),
        (("--db", "http://127.0.0.1:9", "state", "alice"), "client"),
        (("--db", "http://127.0.0.1:9", "set", "alice", "lives_in", "Pune"), "client"),
        (("--db", "http://127.0.0.1:9", "doctor"), "client"),
    ],
    ids=lambda given: given if isinstance(given, str) else given[2],
)  # fmt: skip
def test_it_is_named_in_one_line_and_nothing_is_made(tmp_path: Path, words: tuple[str, ...], extra: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TENSEMEM")}
    ran = subprocess.run(
        [sys.executable, "-c", RUN, *words], capture_output=True, encoding="utf-8", cwd=tmp_path, timeout=60,
        env=kept | {"PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "error"}, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (3, "", 1), ran.stderr
    assert f"install the extra `{extra}`: pip install '.[{extra}]'" in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_extra_is_named_where_its_packages_are_missing() -> None:
    project = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = {
        found
        for path in SOURCE.rglob("*.py")
        for found in re.findall(
            r"""(?:install\(|missing\(|\bextra(?:: \w+)? = )["']([a-z0-9-]+)["']""", path.read_text(encoding="utf-8")
        )
    }
    # Of `schema` is pydantic, which whoever hands over a model has; `all` and `dev` are made of the others.
    assert set(project["optional-dependencies"]) - {"schema", "all", "dev"} == told

"""The OpenAPI document is worth a client: TypeScript generated from it compiles, and refuses calls that are wrong.

`make test-typescript` installs what it takes, of the versions in package-lock.json, and runs this.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "docs" / "reference" / "openapi.json"
PAGE = HERE.parent.parent / "docs" / "how-to" / "use-from-typescript.md"
MODULES = HERE / "node_modules"
GENERATE = MODULES / "openapi-typescript" / "bin" / "cli.js"
COMPILE = MODULES / "typescript" / "bin" / "tsc"
SECONDS = 300

IS_INSTALLED = GENERATE.exists() and COMPILE.exists()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here (20 or newer)"),
    pytest.mark.skipif(not IS_INSTALLED, reason="`make test-typescript` installs what this takes"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs and the types that are generated from the committed document."""
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "tsconfig.json", "program.ts", "wrong.ts"):
        shutil.copy(HERE / name, folder)
    (folder / "page.ts").write_text("".join(found_on_page()), encoding="utf-8")
    (folder / "node_modules").symlink_to(MODULES, target_is_directory=True)
    made = node(folder, GENERATE, DOCUMENT, "-o", "schema.d.ts")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder


def found_on_page() -> list[str]:
    """What the how-to shows of TypeScript."""
    return re.findall(r"^```ts\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def node(folder: Path, script: Path, *arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script with node, with these settings in its environment."""
    return subprocess.run(
        ["node", str(script), *map(str, arguments)], cwd=folder, env={**os.environ, **settings}, capture_output=True,
        text=True, encoding="utf-8", timeout=SECONDS, check=False,
    )  # fmt: skip


def test_programs_that_use_the_generated_client_compile(project: Path) -> None:
    assert found_on_page()
    ran = node(project, COMPILE, "--project", ".", "--noEmit")
    assert ran.returncode == 0, ran.stdout


def test_every_call_that_is_wrong_is_refused_and_no_other(project: Path) -> None:
    ran = node(project, COMPILE, "--project", wrong_alone(project), "--noEmit")
    assert ran.returncode != 0
    found = {int(line) for line in re.findall(r"^wrong\.ts\((\d+),\d+\): error TS\d+", ran.stdout, re.MULTILINE)}
    lines = (project / "wrong.ts").read_text(encoding="utf-8").splitlines()
    wrong = {number + 1 for number, line in enumerate(lines, 1) if line.startswith("// wrong: ")}
    assert len(wrong) > 5
    assert found == wrong, ran.stdout


def wrong_alone(project: Path) -> Path:
    """Make a project of the wrong calls, as strict as the other."""
    path = project / "wrong.json"
    path.write_text('{"extends": "./tsconfig.json", "include": ["schema.d.ts", "wrong.ts"]}', encoding="utf-8")
    return path


def test_what_is_installed_is_what_the_lock_file_says() -> None:
    lock = (HERE / "package-lock.json").read_text(encoding="utf-8")
    for name in ("openapi-typescript", "openapi-fetch", "typescript"):
        installed = (MODULES / name / "package.json").read_text(encoding="utf-8")
        version = re.search(r'"version": "([^"]+)"', installed)
        assert version
        assert f'"node_modules/{name}": {{\n      "version": "{version[1]}"' in lock


def test_the_program_tells_its_story_to_a_server(project: Path, tmp_path: Path) -> None:
    for name in ("starlette", "uvicorn", "httptools", "tensemem.adapters.rest"):
        pytest.importorskip(name, reason="the server is not installed", exc_type=ImportError)
    from tests.adapters.rest.bench import TOKEN, server

    compiled = node(project, COMPILE, "--project", ".")
    assert compiled.returncode == 0, compiled.stdout
    with server(tmp_path / "memory.db") as running:
        ran = node(project, project / "out" / "program.js", TENSEMEM_URL=running.url, TENSEMEM_TOKEN=TOKEN)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "values": {"born": "1990-05-17", "languages": ["Kannada"], "lives_in": "Mysore"},
        "born": 1990,
        "isCurrent": True,
        "statuses": ["corrected", "active"],
        "found": "Mysore",
        "next": 1,
        "changed": True,
        "refused": "422 urn:tensemem:problem:unknown-predicate",
    }

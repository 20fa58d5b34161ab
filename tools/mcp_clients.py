"""Test the MCP server with clients of others, each in an environment of its own.

    python tools/mcp_clients.py [PYTEST-ARGUMENT...]

They are the Python SDK of before 2.0, and, where Node and npm are there, the TypeScript SDK and the inspector's command
line. The Python that runs this is the server's: it has tensemem with the extra `mcp`, and pytest. What is installed
stands in `.venvs` and is kept. With TENSEMEM_NEED_NODE=1 it fails where Node is not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
CLIENTS = PROJECT / "tests" / "adapters" / "mcp" / "clients"
OLD_SDK, NODE = PROJECT / ".venvs" / "mcp-before-2", PROJECT / ".venvs" / "mcp-node"
OLDEST_NODE = 20


def main(arguments: Sequence[str]) -> int:
    """Install the clients and run the tests; return pytest's exit code, or that of the step that failed before."""
    settings = dict(os.environ)
    packages = (CLIENTS / "requirements.txt").read_text(encoding="utf-8").split()
    made = subprocess.run([sys.executable, PROJECT / "tools" / "venv.py", OLD_SDK, *packages], check=False, cwd=PROJECT)
    if made.returncode:
        return made.returncode
    python = next(path for path in (OLD_SDK / "bin/python", OLD_SDK / "Scripts/python.exe") if path.exists())
    settings["TENSEMEM_MCP_PYTHON"] = str(python)
    missing = what_is_missing()
    if missing:
        print(f"== left out: the TypeScript SDK and the inspector, since {missing}", flush=True)
        if os.environ.get("TENSEMEM_NEED_NODE") == "1":
            return 1
    else:
        code = install_packages()
        if code:
            return code
        settings["TENSEMEM_MCP_NODE"] = str(NODE)
    tests = PROJECT / "tests" / "adapters" / "mcp" / "test_clients.py"
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", tests, *arguments], check=False, cwd=PROJECT, env=settings
    ).returncode


def what_is_missing() -> str:
    """Say why packages for Node can't be used here; "" where they can."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "node or npm is not here"
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = answer.removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < OLDEST_NODE:
        return f"this Node is {answer or 'broken'}, and {OLDEST_NODE} is the oldest that will do"
    return ""


def install_packages() -> int:
    """Have npm install the packages, unless they are those that are there; return its exit code."""
    wanted = (CLIENTS / "package.json").read_text(encoding="utf-8")
    note = NODE / "package.json"
    if note.exists() and note.read_text(encoding="utf-8") == wanted and (NODE / "node_modules").is_dir():
        return 0
    NODE.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(NODE / "node_modules", ignore_errors=True)
    note.write_text(wanted, encoding="utf-8")
    npm = str(shutil.which("npm"))
    print("Installing the TypeScript SDK and the inspector ...", flush=True)
    done = subprocess.run([npm, "install", "--no-audit", "--no-fund", "--silent"], check=False, cwd=NODE)
    if done.returncode:
        shutil.rmtree(NODE / "node_modules", ignore_errors=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

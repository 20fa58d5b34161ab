"""Measure how soon the studio shows something useful, of a large memory and, in the same run, of a small one.

    .venvs/studio/bin/python tools/studio_speed.py [--people N] [--facts N] [--rounds N] [--keep FOLDER] [--json]

Two views are opened in a real headless Chromium, by their address as from a bookmark: the list of people, of 1,000,000
memories and of 10, and a person's present, of 100,000 facts that hold at once and of 10. `tensemem serve` is a process
of its own. Each round opens both, with nothing kept by the browser; `first` is the first opening after the server has
begun, which has to look everything up, the others are a median. Time goes from the navigation until a name, or a value,
has been painted. Then the page reads the rest, and the server is at rest before the next round. Wanted is a second at
most, whatever the size: machines are noisy, so the ratio to the small memory, in turns, tells more.

`make test-studio` makes the environment; the browser is found as there. Making the memories takes some minutes:
`--keep` has them in a folder, to be used again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))
from tensemem import Memory, Operation
from tools.studio import found_browser

TOKEN = "a-token-for-measuring-0123456789"
SMALL = 10
WANTED_MS = 1000
VALUES = 5000
"""Values of one attribute; half of the facts are such, the others of a subject each."""

WATCH = """
sessionStorage.setItem("tensemem-token", "%s");
window.useful = new Promise((done) => new MutationObserver((_, watcher) => {
  if (!document.querySelector("%s")) return;
  watcher.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
}).observe(document, { childList: true, subtree: true }));
"""


@dataclass(frozen=True)
class View:
    """A view: what it is called, its address in the studio, and what is useful in it."""

    name: str
    address: str
    useful: str


PEOPLE = View("people", "#/people", "a.person-link")
PRESENT = View("present", f"#/person?{urlencode({'user': 'ann'})}", ".slot .fact-value")


@dataclass(frozen=True)
class Figure:
    """Milliseconds until a view is useful, large and small, and their ratio; and of its first opening."""

    view: str
    size: int
    first_ms: float
    median_ms: float
    floor_ms: float
    ratio: float

    def __str__(self) -> str:
        return (
            f"{self.view:<8} of {self.size:>9,}: first {self.first_ms:6.0f} ms, then {self.median_ms:6.0f} ms; "
            f"of {SMALL}: {self.floor_ms:6.0f} ms; ratio {self.ratio:5.2f}  (wanted <= {WANTED_MS} ms)"
        )


def main() -> int:
    """Measure, print, return 0 where all is soon enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=1_000_000, help="how many memories the list is of")
    parser.add_argument("--facts", type=int, default=100_000, help="how many facts the present is of")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is opened")
    parser.add_argument("--keep", type=Path, help="the folder of the memories, made where they are not there yet")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = options.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        figures = list(measured(kept, options.people, options.facts, options.rounds))
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
    else:
        print(*figures, sep="\n")
    return 0 if all(figure.median_ms <= WANTED_MS for figure in figures) else 1


def measured(folder: Path, people: int, facts: int, rounds: int) -> Iterator[Figure]:
    """Measure both views."""
    from playwright.sync_api import sync_playwright

    browser = found_browser()
    if browser is None:
        raise SystemExit("there is no Chromium here; `make test-studio` says how to get one")
    crowds = crowd(folder, people), crowd(folder, SMALL)
    lives = life(folder, facts), life(folder, SMALL)
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        yield in_turns(chromium, PEOPLE, people, *crowds, rounds)
        yield in_turns(chromium, PRESENT, facts, *lives, rounds)
        chromium.close()


def in_turns(chromium: Any, view: View, size: int, large: Path, small: Path, rounds: int) -> Figure:
    """Open a view of the one and of the other memory, in turns."""
    with serving(large) as of_large, serving(small) as of_small:
        opened(chromium, view, of_small)  # the browser has then started what it starts once
        pairs = [(opened(chromium, view, of_large), opened(chromium, view, of_small)) for _ in range(rounds)]
    again = pairs[1:] or pairs
    return Figure(
        view.name, size, pairs[0][0], median(one for one, _ in again), median(other for _, other in again),
        median(one / other for one, other in again),
    )  # fmt: skip


def opened(chromium: Any, view: View, url: str) -> float:
    """Open a view with a browser that has kept nothing; gives the milliseconds until it is useful."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.add_init_script(WATCH % (TOKEN, view.useful))
    page.goto(f"{url}/studio/{view.address}", wait_until="commit")
    found = float(page.evaluate("window.useful"))
    page.wait_for_function("() => !document.querySelector('.loading, [aria-busy]')")  # the server is at rest again
    context.close()
    return found


@contextmanager
def serving(db: Path) -> Iterator[str]:
    """Serve a memory in a process of its own; gives its address."""
    line = [sys.executable, "-m", "tensemem", "--db", str(db), "serve", "--port", "0"]
    with subprocess.Popen(
        line, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TENSEMEM_TOKEN": TOKEN, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            told = next((found for said in process.stderr if (found := re.search(r"http://\S+?(?=;|\s)", said))), None)
            if told is None:
                raise SystemExit("the server did not begin")
            yield told[0]
        finally:
            process.terminate()


def crowd(folder: Path, count: int) -> Path:
    """Give a memory of so many people, of each of whom one fact is known."""
    path = folder / f"crowd-{count}.db"
    if not path.exists():
        making = path.with_suffix(".making")
        making.unlink(missing_ok=True)
        with Memory(making, durability="process", worker=False) as mem:
            mem.register_predicate("lives_in")
            mem.set("person 0000000", "lives_in", "Oslo")
        multiply(making, "person 0000000", count)
        making.rename(path)
    return path


def multiply(path: Path, user: str, count: int) -> None:
    """Have so many memories like that of a user: its rows are written again and again, under other numbers and names.

    Writing a million memories by verbs takes half an hour, and what is written is the same.
    """
    with sqlite3.connect(path) as connection:
        (first,) = connection.execute("SELECT id FROM scopes WHERE user_id = ?", [user]).fetchone()
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in sorted(tables, key=lambda name: name != "scopes"):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            key = "id" if table == "scopes" else "scope"
            if key not in columns or (table != "scopes" and table in ("forgotten", "removals")):
                continue
            new = {key: f"{first} + nth_copy"}
            if table == "scopes":
                name, tag = "printf('person %07d', nth_copy)", "lower(hex(randomblob(length(tag) / 2 + 1)))"
                new |= {"user_id": name, "tag": tag}
            connection.execute(
                f"""WITH RECURSIVE numbers(nth_copy) AS (SELECT 1 UNION ALL SELECT nth_copy + 1 FROM numbers LIMIT ?)
                INSERT INTO {table} ({", ".join(columns)})
                SELECT {", ".join(new.get(name, name) for name in columns)} FROM numbers CROSS JOIN {table}
                WHERE {key} = ?""",
                [count - 1, first],
            )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def life(folder: Path, count: int) -> Path:
    """Give a memory of one person, of whom so many facts hold at once: some attributes of many values, and subjects."""
    path = folder / f"life-{count}.db"
    if not path.exists():
        making = path.with_suffix(".making")
        making.unlink(missing_ok=True)
        with Memory(making, durability="process", worker=False) as mem:
            mem.register_predicate("lives_in")
            mem.set("ann", "lives_in", "Oslo")
            for first in range(0, count // 2, VALUES):
                name = f"likes_{first // VALUES}"
                mem.register_predicate(name, "many")
                values = [f"thing {number}" for number in range(first, min(first + VALUES, count // 2))]
                mem.replace_values("ann", name, values)
            others = range(count // 2, count - 1)
            for first in others[::1000]:
                part = range(first, min(first + 1000, others.stop))
                mem.write("ann", [Operation("set", "lives_in", "Lima", subject=f"friend {number}") for number in part])
        making.rename(path)
    return path


if __name__ == "__main__":
    sys.exit(main())

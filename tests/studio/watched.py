"""A page that is watched: what its console says, what it asks of whom, what its policy forbids; and waited for."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import urlsplit

from tests.studio.bench import NOON, Served

PATIENCE = 20_000
"""Milliseconds that something may take to be seen, on a machine where much else is done."""
SLOWER = "TENSEMEM_STUDIO_SLOWER"

_VIOLATIONS = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.__violations.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`);
});
"""
EXPECTED = re.compile(r"Failed to load resource")
"""What the browser itself says of an answer that is a problem; which answers are, tests look at themselves."""


class Watched:
    """A page of the studio in a browser of its own."""

    def __init__(
        self, browser: Any, studio: Served, *, width: int = 1200, height: int = 900, dark: bool = False,
        token: str | None = None, may_fail: bool = False,
    ) -> None:  # fmt: skip
        self.studio = studio
        self.faults: list[str] = []
        self.asked: list[Any] = []
        self.own = ""  # a place that a test itself sends the browser to
        self._may_fail = may_fail
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", locale="en-GB",
            reduced_motion="reduce",
        )  # fmt: skip
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_VIOLATIONS)
        self.page = self.context.new_page()
        self.page.watched = self
        if os.environ.get(SLOWER):
            rate = float(os.environ[SLOWER])
            self.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
        self.page.clock.set_fixed_time(NOON)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._request)
        self.page.on("dialog", self._dialog)
        self._token = studio.token if token is None else token

    def goes_to(self, place: str) -> Any:
        """Come in by the address that the command line gives, then go to a place of the studio."""
        begin = f"#token={self._token}" if self._token else ""
        self.page.goto(f"{self.studio.url}/studio/{begin}")
        arrived(self.page)
        if place != "#/people":
            go(self.page, place)
        return self.page

    def forgive(self) -> None:
        """Forget what has gone wrong so far: it was meant to."""
        self.faults.clear()
        self.page.evaluate("window.__violations.length = 0")

    def end(self) -> list[str]:
        """Close it, and give what went wrong in it."""
        self.faults += [f"policy: {one}" for one in self.page.evaluate("window.__violations")]
        self.context.close()
        return self.faults

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and not (self._may_fail and EXPECTED.search(message.text)):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        self.asked.append(request)
        origin = f"{urlsplit(request.url).scheme}://{urlsplit(request.url).netloc}"
        if request.url != self.own and origin != self.studio.url:
            self.faults.append(f"asked elsewhere: {request.url}")

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"somebody's text ran: {dialog.message}")
        dialog.dismiss()


GO = """place => new Promise(done => {
  if (location.hash === place) return done();
  window.addEventListener("hashchange", () => done(), { once: true });
  location.hash = place;
})"""
IS_THERE = """() => document.querySelector("main h1")
  && !document.querySelector(".loading, main[aria-busy], main [aria-busy], dialog [aria-busy]")"""


def go(page: Any, place: str) -> None:
    """Go to a place of the studio, and wait until it is there."""
    page.evaluate(GO, place)
    arrived(page)


def arrived(page: Any) -> None:
    """Wait until the page has a heading, and nothing in it is still asked for."""
    page.wait_for_function(IS_THERE)


def until(page: Any, expression: str, expected: Any) -> None:
    """Wait until an expression gives, in the page, what is expected; fails with what it gives."""
    from playwright.sync_api import TimeoutError as OutOfTime

    wanted = json.dumps(json.dumps(expected, separators=(",", ":"), ensure_ascii=False))
    try:
        page.wait_for_function(f"() => JSON.stringify({expression}) === {wanted}")
    except OutOfTime:
        assert page.evaluate(expression) == expected, f"{expression}, waited for as long as there is patience"


def until_focus_is_on(page: Any, label: str) -> None:
    """Wait until what has the focus is called that."""
    until(page, "document.activeElement.getAttribute('aria-label')", label)


def until_shown(locator: Any, *texts: str) -> None:
    """Wait until something shows all of these texts."""
    from playwright.sync_api import expect

    for text in texts:
        expect(locator).to_contain_text(text)


def until_address(page: Any, *, has: str = "", lacks: str = "") -> None:
    """Wait until a part stands in the address, or no longer does."""
    page.wait_for_function(f"() => location.hash.includes({json.dumps(has)})")
    if lacks:
        page.wait_for_function(f"() => !location.hash.includes({json.dumps(lacks)})")


def person(user: str = "alice", **query: str) -> str:
    from urllib.parse import urlencode

    return f"#/person?{urlencode({'user': user, **query})}"

"""A page that is watched: what its console says, what it asks of whom, what its policy forbids."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from tests.studio.bench import NOON, Served

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
        self.context.set_default_timeout(15_000)
        self.context.add_init_script(_VIOLATIONS)
        self.page = self.context.new_page()
        self.page.watched = self
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
        self.page.wait_for_selector("h1")
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
IS_THERE = """() => !document.querySelector('main .loading, main[aria-busy]') && document.querySelector('main h1')"""


def go(page: Any, place: str) -> None:
    """Go to a place of the studio, and wait until it is there: a heading or its tab, and nothing that loads."""
    page.evaluate(GO, place)
    page.wait_for_function(IS_THERE)


def person(user: str = "alice", **query: str) -> str:
    from urllib.parse import urlencode

    return f"#/person?{urlencode({'user': user, **query})}"

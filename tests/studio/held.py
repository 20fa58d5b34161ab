"""A question that is kept on its way, so that others are answered before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST_FRAMES = 2000
"""How many pictures of the page a question is waited for."""


class Held:
    """The first request whose address has some words in it, kept on the way until it is let through."""

    def __init__(self, page: Any, words: str, but: str = "") -> None:
        self.routes: list[Any] = []
        self._page, self._words, self._but = page, words, but
        page.route(lambda url: "/v1/" in url, self._meet)

    def _meet(self, route: Any) -> None:
        url = route.request.url
        is_it = self._words in url and not (self._but and self._but in url)
        if is_it and not self.routes:
            self.routes.append(route)
        else:
            route.fallback()

    def until_met(self) -> None:
        for _ in range(MOST_FRAMES):
            if self.routes:
                return
            self._page.evaluate("new Promise((done) => { requestAnimationFrame(done); })")
        raise AssertionError(f"nothing with {self._words} was asked for")

    def let_through(self) -> None:
        """Have it answered now, and wait until the page has done with the answer; or has given it up before."""
        for route in self.routes:
            route.continue_()
            answer = route.request.response()
            if answer is not None:
                answer.finished()
        self._page.evaluate("new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); })")


def held_back(page: Any, words: str, act: Callable[[], Any], but: str = "") -> Held:
    """Do something that asks, and keep its question on the way: the first with these words, and without those."""
    held = Held(page, words, but)
    act()
    held.until_met()
    return held
